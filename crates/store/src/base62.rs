//! Digits and letters only: text that survives every URL, shell and double click.

use crate::Rng;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random characters, each of the 62 equally likely: 5.95 bits a character.
pub(crate) fn random(length: usize, rng: &mut Rng) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        // 248 is the largest multiple of 62 in a byte; what lies above would favour the first digits.
        let fair = rng.bytes().into_iter().filter(|byte| *byte < 248);
        text.extend(fair.take(length - text.len()).map(|byte| char::from(DIGITS[usize::from(byte % 62)])));
    }
    text
}

/// A number as exactly `length` digits, the most significant first.
pub(crate) fn number(mut value: u32, length: usize) -> String {
    let mut digits = vec![b'0'; length];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(value % 62) as usize];
        value /= 62;
    }
    debug_assert_eq!(value, 0, "the number has more digits than asked for");
    digits.into_iter().map(char::from).collect()
}

/// Whether the text consists of the 62 characters alone.
pub(crate) fn is_base62(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
