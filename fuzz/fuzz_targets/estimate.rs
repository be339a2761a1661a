//! Any text: no panic, totals that add up, the same result every time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meal::Part;
use morsel_fuzz::{BOOK, ENGINE, check, text};

fuzz_target!(|input: &str| {
    let parts: Vec<Part> = meal::estimate(&ENGINE, &[input.into()], &BOOK).collect();
    check(&parts);
    let again: Vec<Part> = meal::estimate(&ENGINE, &[input.into()], &BOOK).collect();
    assert_eq!(text(&parts), text(&again));
});
