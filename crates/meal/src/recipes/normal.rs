//! The form in which names are compared.
//!
//! Names go through the same tokens as the text they are looked for in, so that nothing can be equal in one place and
//! different in the other.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use foods::text::{MAX_WORD_CHARS, singular};

use crate::lexicon::{self, Role};
use crate::read::token::{self, Token};

/// The form in which two names are compared: "Mom's Lasagna", "the moms lasagna" and "MOM’S LASAGNAS" are equal in it.
pub fn normal_form(text: &str) -> String {
    let mut words = NameWords::default();
    words.read(text);
    words.iter().map(folded).collect::<Vec<_>>().join(" ")
}

/// A word in the singular, with the two letters that lower case leaves apart from their capitals.
pub(super) fn folded(word: &str) -> String {
    if word.contains(['ß', 'ς']) { singular(&word.replace('ß', "ss").replace('ς', "σ")) } else { singular(word) }
}

/// A number as a word of a name, the same whether it was written "1/2" or "½".
pub(super) fn number_text(value: f64) -> String {
    format!("{value}")
}

/// The words of a name; kept between names because an account can have fifty thousand of them.
#[derive(Debug, Default)]
pub(super) struct NameWords {
    text: String,
    ends: Vec<usize>,
    first: usize,
    is_plain: bool,
    /// How many letters the name has as it was written.
    pub letters: u32,
    /// A bit for each word that has a comma, bracket or stop before it: only there may the text have one.
    pub gaps: u64,
}

impl NameWords {
    /// Reads the words of a name.
    pub fn read(&mut self, name: &str) {
        self.text.clear();
        self.ends.clear();
        self.first = 0;
        self.gaps = 0;
        self.is_plain = self.read_plain(name);
        if !self.is_plain {
            self.text.clear();
            self.ends.clear();
            self.read_any(name);
        }
        let leading = self.iter().take_while(|word| lexicon::roles_in_any_language(word).has(Role::Leading)).count();
        if leading < self.ends.len() {
            self.first = leading;
        }
        let dropped = self.first.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.letters = match &self.text[dropped..] {
            text if self.is_plain => text.len() as u32,
            text => text.chars().filter(|c| c.is_alphabetic()).count() as u32,
        };
        self.gaps = self.gaps.checked_shr(self.first as u32).unwrap_or(0) & !1;
    }

    /// The words, as lower case as tokens are.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (self.first..self.ends.len()).map(|at| {
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            &self.text[start..self.ends[at]]
        })
    }

    fn end_word(&mut self) {
        if self.text.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.text.len());
        }
    }

    /// Reads a name of plain letters, spaces, apostrophes and hyphens, as nearly all are: ten times faster than by
    /// tokens. Gives false for any other.
    fn read_plain(&mut self, name: &str) -> bool {
        let bytes = name.as_bytes();
        let mut at = 0;
        let mut letters = 0;
        while at < bytes.len() {
            let run = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let kept = run.min(MAX_WORD_CHARS - letters);
            self.text.push_str(&name[at..at + kept]);
            letters += kept;
            at += run;
            let is_letter_next = bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
            match bytes.get(at) {
                None => break,
                Some(b'\'') if letters > 0 && is_letter_next => {}
                Some(b' ' | b'\'') => {
                    self.end_word();
                    letters = 0;
                }
                Some(b'-') if is_letter_next => {
                    self.end_word();
                    letters = 0;
                }
                Some(_) => return false,
            }
            at += 1;
        }
        self.end_word();
        self.text.make_ascii_lowercase();
        true
    }

    fn read_any(&mut self, name: &str) {
        for token in token::tokens(name) {
            match token {
                Token::Word(word) => self.text.push_str(&word),
                Token::Number(value, _) => self.text.push_str(&number_text(value)),
                Token::Comma | Token::Stop | Token::Colon | Token::Open | Token::Close => {
                    self.gaps |= 1_u64.checked_shl(self.ends.len() as u32).unwrap_or(0);
                }
            }
            self.end_word();
        }
    }
}

/// Every word of every name, numbered, so that runs of words compare as runs of numbers.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<Box<str>, u32, BuildHasherDefault<WordHasher>>,
    words: Vec<Box<str>>,
}

impl Vocabulary {
    /// The number of a word, which is that of its singular.
    pub fn add(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let single = folded(word);
        let number = match self.numbers.get(single.as_str()) {
            Some(&number) => number,
            None => self.words.len() as u32,
        };
        if number as usize == self.words.len() {
            self.words.push(single.as_str().into());
            self.numbers.insert(single.into(), number);
        }
        self.numbers.insert(word.into(), number);
        number
    }

    /// The number of a folded word that some name has.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The folded word of a number.
    pub fn word(&self, number: u32) -> &str {
        self.words.get(number as usize).map_or("", |word| word)
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }
}

/// A hasher for short words, three times faster than the usual one; a caller who makes words collide slows down only their
/// own recipes.
#[derive(Debug, Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0_u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn write_u8(&mut self, _: u8) {
        // Every string ends in the same byte.
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_read_as_tokens_do() {
        for name in [
            "Mom's Lasagna",
            "rock 'n' roll  soup",
            "a''b",
            "low-fat part-skim",
            "moms' pies",
            "'s",
            "o'",
            "The A An",
            "  ",
            "a-b-c d",
            "pneumonoultramicroscopicsilicovolcanoconiosis pie",
        ] {
            let mut plain = NameWords::default();
            assert!(plain.read_plain(name), "{name}");
            let mut any = NameWords::default();
            any.read_any(name);
            assert_eq!(plain.iter().collect::<Vec<_>>(), any.iter().collect::<Vec<_>>(), "{name}");
            assert_eq!(any.gaps, 0, "{name}");
        }
    }

    #[test]
    fn gaps_stand_where_the_name_has_marks() {
        let mut words = NameWords::default();
        words.read("The Rice, Beans (Vegan)");
        assert_eq!(words.iter().collect::<Vec<_>>(), ["rice", "beans", "vegan"]);
        assert_eq!(words.gaps & 0b111, 0b110);
    }
}
