//! The language that a text is in.

use super::language::Language;

/// The language that a text is in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spoken<'t> {
    English,
    Other(&'t Language),
    /// Neither English nor another one that is known.
    Unknown,
}

impl<'t> Spoken<'t> {
    /// Returns the language, if it is known and not English.
    pub fn other(self) -> Option<&'t Language> {
        match self {
            Spoken::Other(language) => Some(language),
            Spoken::English | Spoken::Unknown => None,
        }
    }
}
