//! Any messages, one per line: no panic, totals that add up, the same result every time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meal::{Message, Part};
use morsel_fuzz::{BOOK, ENGINE, check, text};

fuzz_target!(|input: &str| {
    let messages: Vec<Message> = input.split('\n').map(Message::from).collect();
    let parts: Vec<Part> = meal::estimate(&ENGINE, &messages, &BOOK).collect();
    check(&parts);
    let again: Vec<Part> = meal::estimate(&ENGINE, &messages, &BOOK).collect();
    assert_eq!(text(&parts), text(&again));
});
