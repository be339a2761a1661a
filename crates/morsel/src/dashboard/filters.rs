//! What templates can do with a value before they show it.

#![allow(clippy::inline_always, clippy::unnecessary_wraps, clippy::unused_self, reason = "the macro writes it so")]

use std::fmt::Display;

/// A whole number with a comma at every thousand: "12,000".
#[askama::filter_fn]
pub fn grouped<T: Display>(number: T, _: &dyn askama::Values) -> askama::Result<String> {
    Ok(group(&number.to_string()))
}

fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::group;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(["0", "999", "1000", "253915", "1234567"].map(group), ["0", "999", "1,000", "253,915", "1,234,567"]);
    }
}
