//! Short forms and slips, read as the words that are meant: "chkn" is chicken.
//!
//! The lexicon lists what no rule explains. The rule is that people leave out vowels and double letters, never the first
//! letter; a word that some food has in its name is left as it is.

use std::collections::HashMap;

use foods::text::{raw_words, singular};

use super::token::Token;
use crate::lexicon::Lexicon;

/// Shorter words without vowels stand for too many words.
const MIN_LETTERS: usize = 3;
/// Shorter words with vowels are words of their own too often: "met" is not meat.
const MIN_LETTERS_WITH_VOWELS: usize = 5;
/// A word stands for another one only if that is the usual one with these consonants.
const MIN_USES: u32 = 2;

/// The words that short forms and slips stand for.
#[derive(Debug, Default)]
pub struct ShortForms {
    /// The words of common foods with how often they are used, by their consonants.
    by_consonants: HashMap<String, Vec<(String, u32)>>,
}

impl ShortForms {
    /// Learns the words of the names of foods.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut uses: HashMap<String, u32> = HashMap::new();
        for word in names.flat_map(|name| raw_words(name, usize::MAX)) {
            if word.len() > MIN_LETTERS && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                *uses.entry(word).or_default() += 1;
            }
        }
        let mut by_consonants: HashMap<String, Vec<(String, u32)>> = HashMap::new();
        for (word, uses) in uses.into_iter().filter(|(_, uses)| *uses >= MIN_USES) {
            by_consonants.entry(consonants(&word)).or_default().push((word, uses));
        }
        // The most used first; the order of a hash map must not show.
        for words in by_consonants.values_mut() {
            words.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        }
        Self { by_consonants }
    }

    /// Writes out the short forms and slips of a text; returns `None` if it has none. `is_known` checks whether some plain
    /// food has a word in its name, `is_in_product`, whether a product has.
    pub fn write_out(
        &self,
        text: &[Token],
        lexicon: &Lexicon,
        is_known: impl Fn(&str) -> bool,
        is_in_product: impl Fn(&str) -> bool,
    ) -> Option<Vec<Token>> {
        rewritten(text, |word| {
            // Names of products are full of letters without vowels.
            let is_code = || !word.contains(is_vowel) && is_in_product(word);
            let is_other_word = || lexicon.is_listed(word) || is_known(&singular(word)) || is_code();
            lexicon.spelling(word).or_else(|| if is_other_word() { None } else { self.in_full(word) })
        })
    }

    /// Returns the word that a word without some of its vowels stands for.
    pub fn in_full(&self, short: &str) -> Option<&str> {
        let has_vowels = short.contains(is_vowel);
        let is_long = short.len() >= if has_vowels { MIN_LETTERS_WITH_VOWELS } else { MIN_LETTERS };
        if !is_long || !short.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let words = self.by_consonants.get(&consonants(short))?;
        words.iter().map(|(word, _)| word.as_str()).find(|word| shortens(short, word))
    }
}

/// Writes out the slips of a text that the lexicon lists; returns `None` if it has none. `is_name` checks whether a dish is called
/// so.
pub(crate) fn write_out_listed(
    text: &[Token],
    lexicon: &Lexicon,
    is_name: impl Fn(&str) -> bool,
) -> Option<Vec<Token>> {
    rewritten(text, |word| lexicon.spelling(word).filter(|_| !is_name(word)))
}

/// Replaces the words of a text that stand for others; returns `None` if it has none.
fn rewritten<'w>(text: &[Token], words_for: impl Fn(&str) -> Option<&'w str>) -> Option<Vec<Token>> {
    let mut out: Option<Vec<Token>> = None;
    for (at, token) in text.iter().enumerate() {
        match (token.word().and_then(&words_for), &mut out) {
            (Some(words), _) => {
                let words = words.split(' ').map(|word| Token::Word(word.to_owned()));
                out.get_or_insert_with(|| text[..at].to_vec()).extend(words);
            }
            (None, Some(out)) => out.push(token.clone()),
            (None, None) => {}
        }
    }
    out
}

/// Returns the letters that people do not leave out: the first one and the consonants, double ones once.
fn consonants(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for (at, letter) in word.char_indices() {
        let is_heard = at == 0 || !is_vowel(letter);
        // "chkn": the k says what the c before it says.
        if letter == 'k' && out.len() > 1 && out.ends_with('c') {
            out.pop();
        }
        if is_heard && !out.ends_with(letter) {
            out.push(letter);
        }
    }
    out
}

/// Checks whether a word is another one without some of its letters, all in order.
fn shortens(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    short.len() < word.len() && short.chars().all(|letter| letters.any(|other| other == letter))
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::token::tokens;

    const NAMES: &[&str] =
        &["grilled chicken", "chicken breast", "breast", "ranch", "ranch dip", "grilled fish", "meat", "meat"];

    fn written_out(text: &str) -> Option<Vec<Token>> {
        ShortForms::new(NAMES.iter().copied()).write_out(
            &tokens(text),
            &Lexicon::default(),
            |word| word == "crunch",
            |word| word == "rnc",
        )
    }

    #[test]
    fn left_out_letters_are_put_back() {
        assert_eq!(written_out("grilld chckn, brest"), Some(tokens("grilled chicken, breast")));
        assert_eq!(written_out("2 tbsp rnch"), Some(tokens("2 tbsp ranch")));
    }

    #[test]
    fn listed_short_forms_are_written_out() {
        assert_eq!(written_out("lg oj"), Some(tokens("large orange juice")));
        assert_eq!(written_out("1 tbsp pb"), Some(tokens("1 tbsp peanut butter")));
    }

    #[test]
    fn other_words_stay() {
        for text in ["we met", "crunch", "chicken", "rch", "mt", "bench", "2 eggs"] {
            assert_eq!(written_out(text), None, "{text}");
        }
    }
}
