//! How the tables of languages are written. The build script reads them too, to list the words of all languages.

use foods::text::raw_words;

/// The last letter of the Latin alphabet and its extensions.
pub const LAST_LATIN: char = '\u{24f}';

/// The bit of a word in the list of all languages that only holds other words together in one of them: "de", "con".
pub const FUNCTION_WORD: u64 = 1 << 63;

/// The bit of a word in the list of all languages that is a food in one of them and has another name in English: "pollo".
pub const FOREIGN_FOOD: u64 = 1 << 62;

/// Returns the rows of a table with their lines.
pub fn rows(table: &str) -> impl Iterator<Item = (usize, &str)> {
    table.lines().enumerate().map(|(at, row)| (at + 1, row)).filter(|(_, row)| !row.is_empty() && !row.starts_with('#'))
}

/// Returns the names of a food, of which the first is shown.
pub fn food_names(column: &str) -> impl Iterator<Item = &str> {
    column.split('|').map(str::trim)
}

/// Splits a name as texts are split: a language without spaces has a single word.
pub fn words_of(name: &str, is_unspaced: bool) -> Vec<String> {
    if is_unspaced { vec![folded(name).replace(' ', "")] } else { raw_words(name, usize::MAX) }
}

/// Folds a text as words are folded.
pub fn folded(text: &str) -> String {
    raw_words(text, usize::MAX).join(" ")
}
