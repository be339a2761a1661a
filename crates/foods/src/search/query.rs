//! From the text of a query to its words, and synonyms for them.

use std::collections::{HashMap, HashSet};

use crate::text;

/// The most characters of a query that are read.
const MAX_CHARS: usize = 400;
/// The most words of a query that are searched for.
const MAX_WORDS: usize = 10;
/// The most words in a phrase with a synonym.
const MAX_PHRASE: usize = 3;
/// The most variants of a query that are tried.
const MAX_WAYS: usize = 3;

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Folded and singular, as names are indexed.
    pub term: String,
    /// As typed, for the last word, which may be half-typed; compared as a prefix.
    pub prefix: Option<String>,
    /// Certainly spelled as meant, because it is a synonym and was not typed.
    pub certain: bool,
}

impl Word {
    /// Creates a word that replaces what was typed.
    pub fn certain(term: String) -> Self {
        Self { term, prefix: None, certain: true }
    }
}

/// The words of a query, in order.
pub(crate) type Words = Vec<Word>;

/// Parses a query. Empty if nothing in it can name a food.
pub(crate) fn read(query: &str) -> Words {
    let start: String = query.chars().take(MAX_CHARS).collect();
    let raw: Vec<String> = text::raw_words(&start, MAX_WORDS + 6);
    let is_last_open = start.ends_with(|c: char| c.is_alphanumeric());
    let last = raw.len().saturating_sub(1);
    let mut words: Words = Vec::new();
    for (at, word) in raw.iter().enumerate() {
        let open = at == last && is_last_open;
        // "rice and" is about rice; "an" alone may become "anchovy".
        if text::is_stop_word(word) && !(open && raw.len() == 1) {
            continue;
        }
        words.push(Word { term: text::singular(word), prefix: open.then(|| word.clone()), certain: false });
    }
    words.truncate(MAX_WORDS);
    words
}

/// Other words for the same food: British and American, abbreviations, everyday names of table entries.
#[derive(Debug)]
pub struct Synonyms {
    phrases: HashMap<String, Vec<Vec<String>>>,
    /// The first words of phrases. Most words begin none, which saves the look-up.
    starts: HashSet<String>,
}

impl Default for Synonyms {
    fn default() -> Self {
        Self::new()
    }
}

impl Synonyms {
    /// Parses the built-in list: one phrase per line, a tab, and what it also means.
    pub fn new() -> Self {
        let mut phrases: HashMap<String, Vec<Vec<String>>> = HashMap::new();
        for line in include_str!("synonyms.tsv").lines().filter(|line| !line.starts_with('#')) {
            if let Some((phrase, meaning)) = line.split_once('\t') {
                phrases.entry(text::words(phrase).join(" ")).or_default().push(text::words(meaning));
            }
        }
        let starts = phrases.keys().filter_map(|phrase| phrase.split(' ').next()).map(str::to_owned).collect();
        Self { phrases, starts }
    }

    /// Marks the words that are phrases of the list by themselves: "courgette" is not a misspelling, however rare.
    pub(crate) fn mark_known(&self, words: &mut Words) {
        for word in words {
            word.certain |= self.phrases.contains_key(&word.term);
        }
    }

    /// Replaces phrases in folded words by what they also mean; returns at most three variants.
    pub fn rewrite_words(&self, words: &[String]) -> Vec<Vec<String>> {
        if !words.iter().any(|word| self.starts.contains(word)) {
            return Vec::new();
        }
        let words: Words = words.iter().cloned().map(Word::certain).collect();
        self.rewrite(&words).into_iter().map(|words| words.into_iter().map(|word| word.term).collect()).collect()
    }

    /// Replaces phrases in a query by what they also mean; returns at most three variants.
    pub(crate) fn rewrite(&self, words: &Words) -> Vec<Words> {
        let mut found: Vec<(usize, usize, &[Vec<String>])> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            if !self.starts.contains(&words[at].term) {
                at += 1;
                continue;
            }
            let longest = (1..=MAX_PHRASE.min(words.len() - at)).rev().find_map(|len| {
                let phrase = words[at..at + len].iter().map(|word| word.term.as_str()).collect::<Vec<_>>().join(" ");
                self.phrases.get(&phrase).map(|meanings| (at, len, meanings.as_slice()))
            });
            at += longest.map_or(1, |(_, len, _)| len);
            found.extend(longest);
        }
        let ways = found.iter().map(|(_, _, meanings)| meanings.len()).max().unwrap_or(0).min(MAX_WAYS);
        (0..ways).map(|way| replaced(words, &found, way)).collect()
    }
}

/// Replaces every phrase in a query by its meaning number `way`, or its last.
fn replaced(words: &Words, found: &[(usize, usize, &[Vec<String>])], way: usize) -> Words {
    let mut out = Words::new();
    let mut next = 0;
    for &(at, len, meanings) in found {
        out.extend_from_slice(&words[next..at]);
        out.extend(meanings[way.min(meanings.len() - 1)].iter().cloned().map(Word::certain));
        next = at + len;
    }
    out.extend_from_slice(&words[next..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(words: &Words) -> String {
        words.iter().map(|word| word.term.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_last_word_may_be_half_typed() {
        let words = read("Greek Yogurts van");
        assert_eq!(terms(&words), "greek yogurt van");
        assert_eq!(words[2].prefix.as_deref(), Some("van"));
        assert_eq!(words[1].prefix, None);
        assert_eq!(read("rice ")[0].prefix, None);
    }

    #[test]
    fn nonsense_has_no_words() {
        for query in ["", "  ", "🍕", "!?", "and the"] {
            assert!(read(query).is_empty(), "{query}");
        }
        assert!(read(&"word ".repeat(3000)).len() <= MAX_WORDS);
    }

    #[test]
    fn british_words_are_rewritten() {
        let synonyms = Synonyms::new();
        let rewritten = synonyms.rewrite(&read("grilled courgettes"));
        assert_eq!(rewritten.iter().map(terms).collect::<Vec<_>>(), ["grilled zucchini"]);
        assert!(synonyms.rewrite(&read("plain food")).is_empty());
    }
}
