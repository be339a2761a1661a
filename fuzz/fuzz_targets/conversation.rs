//! Any messages, one a line: no panic, totals that add up, the same answer again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meal::Part;
use morsel_fuzz::{BOOK, ENGINE, check, text};

fuzz_target!(|input: &str| {
    let messages: Vec<&str> = input.split('\n').collect();
    let parts: Vec<Part> = ENGINE.conversation(&messages, &BOOK).collect();
    check(&parts);
    let again: Vec<Part> = ENGINE.conversation(&messages, &BOOK).collect();
    assert_eq!(text(&parts), text(&again));
});
