//! Which language a caller names.

use std::fmt;

use meal::{Language, Translator};

/// English needs no translation.
pub const ENGLISH: &str = "en";

/// The most characters of a language's code in a request.
pub const MAX_CODE_CHARS: usize = 35;

/// Returns the code of the language with a tag: "pt-BR" is "pt".
///
/// # Errors
///
/// Refuses a language that is not known.
pub fn code_of(tag: &str, translator: &Translator) -> Result<String, UnknownLanguage> {
    let code = primary(tag);
    if tag.len() <= MAX_CODE_CHARS && (code == ENGLISH || translator.language(&code).is_some()) {
        return Ok(code);
    }
    Err(UnknownLanguage { known: translator.languages().iter().map(Language::code).collect() })
}

/// Returns the first part of a language tag.
pub fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// A tag of a language that is not known. The message lists those that are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLanguage {
    known: Vec<&'static str>,
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "“language” must be “{ENGLISH}” or one of: {}.", self.known.join(", "))
    }
}

impl std::error::Error for UnknownLanguage {}
