//! Which language a caller speaks: said in the request, or told by the header `Accept-Language`.

pub use answers::language::{ENGLISH, MAX_CODE_CHARS};
use answers::language::{code_of, primary};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use meal::{Speaker, Translator};

use crate::error::ApiError;

/// The most languages of the header that are read.
const MAX_LANGUAGES: usize = 8;

/// Returns what is known of the caller's language.
///
/// # Errors
///
/// Refuses a language that is said but not known.
pub fn speaker_of(said: Option<&str>, headers: &HeaderMap, translator: &Translator) -> Result<Speaker, ApiError> {
    let language = said.filter(|said| !said.is_empty()).map(|said| code_of(said, translator)).transpose();
    let language = language.map_err(|unknown| ApiError::bad_field("language", unknown.to_string()))?;
    // What the header says cannot change the answer then.
    let understands = if language.is_some() { Vec::new() } else { understood(headers, translator) };
    Ok(Speaker { language, understands })
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
