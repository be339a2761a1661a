//! Words that stand for a food which a text names in the plural: "tacos" are more than one, whatever word stands for them.

use foods::text::singular;

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

/// Returns what the plural of a word becomes in the singular by rule, if that is another word: "mai tais" stays as it is, and
/// "bridies" becomes "bridy".
pub fn mistaken(word: &str) -> Option<String> {
    let mistaken = singular(&format!("{word}s"));
    (mistaken != word && !word.ends_with('s')).then_some(mistaken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_that_no_rule_takes_back() {
        assert_eq!(mistaken("bridie").as_deref(), Some("bridy"));
        assert_eq!(mistaken("tai").as_deref(), Some("tais"));
        assert_eq!(mistaken("taco"), None);
    }

    #[test]
    fn a_mark_is_read_once() {
        assert_eq!(unmarked(&marked("taco")), ("taco", true));
        assert_eq!(unmarked("taco"), ("taco", false));
    }
}
