//! The words that stand for foods of national tables in a text whose language names them: one each, which no one can type.

/// Begins the word that stands for a food. No text has it: words are made of letters.
const MARK: char = '\u{e003}';

/// Returns the word that stands for a food.
pub fn word(food: u32) -> String {
    format!("{MARK}{food}")
}

/// Returns the food that a word stands for.
pub fn of_word(word: &str) -> Option<u32> {
    word.strip_prefix(MARK)?.parse().ok()
}
