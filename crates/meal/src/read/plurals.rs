//! Words that stand for a food which a text names in the plural: "tacos" are more than one, whatever word stands for them.

/// Ends the word. No text has it: words are made of letters.
const MARK: char = '\u{e004}';

/// Returns the word for several of what it stands for.
pub fn marked(word: &str) -> String {
    format!("{word}{MARK}")
}

/// Returns a word without the mark, and whether it had it.
pub fn unmarked(word: &str) -> (&str, bool) {
    word.strip_suffix(MARK).map_or((word, false), |word| (word, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_once() {
        assert_eq!(unmarked(&marked("taco")), ("taco", true));
        assert_eq!(unmarked("taco"), ("taco", false));
    }
}
