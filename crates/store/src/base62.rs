//! Digits and letters only: text that needs no quoting in URLs and shells and is selected by a double click.

use crate::random::Rng;

/// How many characters there are.
pub(crate) const BASE: u32 = 62;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Generates random characters, each of the 62 equally likely: 5.95 bits per character.
pub(crate) fn random(length: usize, rng: &mut Rng) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        // 248 is the largest multiple of 62 in a byte; values above it would favor the first digits.
        let fair = rng.bytes().into_iter().filter(|byte| *byte < 248);
        text.extend(fair.take(length - text.len()).map(|byte| char::from(DIGITS[usize::from(byte % 62)])));
    }
    text
}

/// Formats a number as exactly `length` digits, the most significant first.
pub(crate) fn number(mut value: u32, length: usize) -> String {
    let mut digits = vec![b'0'; length];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(value % 62) as usize];
        value /= 62;
    }
    debug_assert_eq!(value, 0, "the number has too many digits");
    digits.into_iter().map(char::from).collect()
}

/// Returns whether the text consists of the 62 characters only.
pub(crate) fn is_base62(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
