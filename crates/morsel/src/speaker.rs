//! Which language a caller speaks: said in the request, or told by the header `Accept-Language`.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use meal::{Speaker, Translator};

use crate::error::ApiError;

/// English needs no translation.
pub const ENGLISH: &str = "en";

/// The most languages of the header that are read.
const MAX_LANGUAGES: usize = 8;
/// The most characters of a language's code in a request.
pub const MAX_CODE_CHARS: usize = 35;

/// Returns what is known of the caller's language.
///
/// # Errors
///
/// Refuses a language that is said but not known.
pub fn speaker_of(said: Option<&str>, headers: &HeaderMap, translator: &Translator) -> Result<Speaker, ApiError> {
    let language = said.filter(|said| !said.is_empty()).map(|said| check(said, translator)).transpose()?;
    // What the header says cannot change the answer then.
    let understands = if language.is_some() { Vec::new() } else { understood(headers, translator) };
    Ok(Speaker { language, understands })
}

/// Returns the code of a language that is said as a tag: "pt-BR" is "pt".
fn check(said: &str, translator: &Translator) -> Result<String, ApiError> {
    let code = primary(said);
    if said.len() <= MAX_CODE_CHARS && (code == ENGLISH || translator.language(&code).is_some()) {
        return Ok(code);
    }
    let known: Vec<&str> = translator.languages().iter().map(meal::Language::code).collect();
    let message = format!("“language” must be “{ENGLISH}” or one of: {}.", known.join(", "));
    Err(ApiError::bad_field("language", message))
}

/// Returns the known languages of the header, the preferred first. Those behind English do not count: who prefers English
/// writes it.
pub fn understood(headers: &HeaderMap, translator: &Translator) -> Vec<String> {
    let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut ranges: Vec<(f32, String)> = header
        .split(',')
        .take(MAX_LANGUAGES)
        .map(|range| {
            let (tag, weight) = range.split_once(';').unwrap_or((range, ""));
            let weight = weight.trim().strip_prefix("q=").map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
            (weight, primary(tag.trim()))
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    ranges.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut understood: Vec<String> = Vec::new();
    for (_, code) in ranges.into_iter().take_while(|(_, code)| code != ENGLISH) {
        if translator.language(&code).is_some() && !understood.contains(&code) {
            understood.push(code);
        }
    }
    understood
}

/// Returns the first part of a language tag.
fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}
