//! Words of another language that nothing explains. They carry a mark, so that no spelling rule makes an English word of them.

/// Begins such a word. No text has it: words are made of letters.
const MARK: char = '\u{e002}';

/// Marks a word.
pub fn word(word: &str) -> String {
    format!("{MARK}{word}")
}

/// Returns a text without marks, as a person wrote it.
pub fn unmarked(text: &str) -> String {
    text.replace(MARK, "")
}
