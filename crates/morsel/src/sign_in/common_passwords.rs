//! Passwords that many people use, and that are guessed first: some 79,000, from lists of leaked ones.
//!
//! The list is stored as hashes, sorted: nobody reads passwords in the repository, and a lookup is a binary search. Four
//! bytes of each hash suffice: of 50,000 other passwords, about one is mistaken for a common one.
//! `scripts/common-passwords` writes the file.

use sha2::{Digest, Sha256};

/// Bytes kept of each hash.
const HASH_BYTES: usize = 4;

static HASHES: &[u8] = include_bytes!("../../data/common-passwords.bin");

/// Reports whether a password in lower case is in the list.
pub(super) fn contain(password: &str) -> bool {
    let wanted = &Sha256::digest(password)[..HASH_BYTES];
    let (hashes, _) = HASHES.as_chunks::<HASH_BYTES>();
    hashes.binary_search_by(|hash| hash.as_slice().cmp(wanted)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_complete_sorted_and_free_of_duplicates() {
        let (hashes, rest) = HASHES.as_chunks::<HASH_BYTES>();
        assert!(hashes.len() > 75_000 && rest.is_empty(), "{} hashes", hashes.len());
        assert!(hashes.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn common_passwords_are_found_and_others_are_not() {
        for common in ["password", "sunshine", "qwertyuiop", "iloveyou1234", "motdepasse", "1234567890"] {
            assert!(contain(common), "{common}");
        }
        let unknown = (0..2_000).filter(|n| contain(&format!("walrus umbrella {n}"))).count();
        assert!(unknown <= 1, "{unknown} of 2,000 others");
    }
}
