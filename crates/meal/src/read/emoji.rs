//! Emojis of foods, read as the words for them: "2 🍌" are two bananas.

use std::collections::HashMap;
use std::sync::LazyLock;

static EMOJIS: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| rows().collect());

/// The first character that may be an emoji; all of them are behind the letters of most languages.
const FIRST: char = '\u{2600}';

/// Emojis of one food in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Emojis {
    /// The words that they stand for.
    pub words: &'static str,
    /// How many there are, which counts the food: "🍺🍺" are two beers.
    pub count: usize,
    /// How many characters they take.
    pub width: usize,
}

impl Emojis {
    /// Returns the emojis that characters begin with.
    pub fn at(chars: &[char]) -> Option<Self> {
        let words = words_of(*chars.first()?)?;
        let is_same = |c: &char| words_of(*c) == Some(words);
        // A sign behind an emoji says how it is drawn.
        let width = chars.iter().take_while(|c| is_same(c) || **c == '\u{fe0f}').count();
        let count = chars[..width].iter().filter(|c| is_same(c)).count();
        Some(Self { words, count, width })
    }
}

fn words_of(emoji: char) -> Option<&'static str> {
    if emoji < FIRST { None } else { EMOJIS.get(&emoji).copied() }
}

fn rows() -> impl Iterator<Item = (char, &'static str)> {
    let rows = include_str!("../../lexicon/emojis.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split_once('\t')).filter_map(|(emoji, words)| Some((emoji.chars().next()?, words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_an_emoji_and_words() {
        let lines = include_str!("../../lexicon/emojis.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(rows().count(), lines);
        assert_eq!(EMOJIS.len(), lines, "an emoji is there twice");
        assert!(rows().all(|(emoji, words)| emoji >= FIRST && !words.trim().is_empty()));
    }
}
