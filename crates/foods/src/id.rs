//! Identifiers of foods.
//!
//! An id never changes between releases: it is the publisher's own number where there is one, the barcode for products,
//! and a digest of the words of the name for products that have neither.

use sha2::{Digest, Sha256};

/// Kinds of ids that consist of a prefix and a number. The position is part of the file format: append only.
const NUMBERED: &[(&str, usize)] = &[
    ("fndds_", 8),
    ("sr_", 5),
    ("fdc_", 0),
    ("gtin_", 14),
    ("cnf_", 0),
    ("ciqual_", 0),
    ("swiss_", 0),
    ("fineli_", 0),
    ("livs_", 0),
    ("frida_", 0),
    ("taco_", 0),
    ("mext_", 5),
];

/// Returns whether ids with this prefix belong to USDA's foods, to products or to dishes, so that no food table may use it.
pub fn is_reserved_prefix(prefix: &str) -> bool {
    ["fndds", "sr", "fdc", "gtin", "br", "off", "dish", "maker", "usda", "branded", "table"].contains(&prefix)
}

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Returns the id of a product without number or barcode: a digest of its words, whatever their case, order and
/// punctuation.
pub fn from_words(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    let mut hasher = Sha256::new();
    for word in words {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    let digest = hasher.finalize();
    let bits = digest.iter().take(8).fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    let mut id = String::from("br_");
    id.extend((0..12).map(|i| char::from(BASE32[(bits >> (59 - 5 * i) & 31) as usize])));
    id
}

/// Returns the id of the `number`-th product whose name has the same words; the first keeps the plain id.
pub fn numbered(words_id: &str, number: u64) -> String {
    if number <= 1 { words_id.to_owned() } else { format!("{words_id}_{number}") }
}

/// Returns the id of a product with a barcode.
pub fn from_gtin(gtin: u64) -> String {
    format!("gtin_{gtin:014}")
}

/// An id in as few bytes as its kind allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compact<'a> {
    /// A prefix of [`NUMBERED`] and the number after it.
    Number(u8, u64),
    /// Anything else.
    Text(&'a str),
}

/// Returns the compact form of an id; [`expand`] restores exactly the same text.
pub(crate) fn compact(id: &str) -> Compact<'_> {
    for (kind, (prefix, width)) in NUMBERED.iter().enumerate() {
        if let Some(digits) = id.strip_prefix(prefix)
            && let Ok(number) = digits.parse::<u64>()
            && format!("{number:0width$}") == digits
        {
            return Compact::Number(kind as u8, number);
        }
    }
    Compact::Text(id)
}

/// Restores an id from its compact form; `None` for an unknown kind.
pub(crate) fn expand(compact: &Compact<'_>) -> Option<String> {
    match compact {
        Compact::Number(kind, number) => {
            let (prefix, width) = NUMBERED.get(usize::from(*kind))?;
            Some(format!("{prefix}{number:0width$}"))
        }
        Compact::Text(text) => Some((*text).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_ids_come_back_unchanged() {
        for id in
            ["fndds_11111000", "sr_01001", "fdc_321358", "gtin_00894700010045", "br_abc", "off_12", "sr_1", "gtin_x"]
        {
            assert_eq!(expand(&compact(id)).as_deref(), Some(id));
        }
        assert!(matches!(compact("sr_01001"), Compact::Number(1, 1001)));
    }

    #[test]
    fn a_digest_depends_on_the_words_alone() {
        assert_eq!(from_words("CHOBANI, GREEK YOGURT"), from_words("Greek yogurt (Chobani)"));
        assert_ne!(from_words("CHOBANI, GREEK YOGURT"), from_words("CHOBANI, YOGURT"));
        assert_eq!(from_words("x").len(), 15);
    }
}
