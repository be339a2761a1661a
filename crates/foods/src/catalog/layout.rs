//! What the writer and the reader of a catalog agree on. Everything here is part of the file format.

use crate::hash::fnv1a;
use crate::index::Role;

/// Bytes of one row in the section of entries.
pub(super) const ENTRY_BYTES: usize = 12;
/// The unit in which scores are stored.
pub(super) const SCORE_STEP: f32 = 1.0 / 1024.0;
/// The role of a word occupies the upper four bits of an entry's term.
pub(super) const ROLE_SHIFT: u32 = 28;
/// The bits of an entry's term that number the word.
pub(crate) const TERM_MASK: u32 = (1 << ROLE_SHIFT) - 1;

/// Returns the role of an entry's term.
pub(crate) fn role_of(coded: u32) -> Role {
    Role::from_bits(coded >> ROLE_SHIFT)
}

/// Hashes an id to 64 bits, for look-up tables.
pub(super) fn id_digest(id: &str) -> u64 {
    fnv1a(id.as_bytes())
}
