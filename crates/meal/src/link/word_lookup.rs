//! Which words of the catalog's names a word of a text stands for.

use foods::catalog::Layer;
use foods::text::split_compound;

use super::cache::{KnownWord, LinkCache, WordMatches};
use super::linker::Linker;
use crate::lexicon::{Role, roles_in_any_language};
use crate::read::segment::SegmentWord;

/// Shorter names of dishes are one letter away from too many other words.
const MIN_LETTERS_OF_DISH: usize = 6;
/// Shorter words of everyday names are not looked for in other spellings.
const MIN_LETTERS_OF_EVERYDAY_WORD: usize = 8;
/// A word is split into two if at least this many names have each of them.
const MIN_NAMES_OF_PART: usize = 5;

/// A misspelled word that more names of products have is a word of its own.
const MAX_NAMES_OF_SLIP: u32 = 3;

impl Linker {
    /// Checks whether some plain food has the word, or one spelled nearly like it, in its name.
    pub fn resolves(&self, layer: &Layer, word: &SegmentWord, cache: &mut LinkCache) -> bool {
        let known = self.known(layer, &word.word, cache);
        known.is_synonym || !known.matches_as(word.optional).words().is_empty()
    }

    /// Checks whether a name of the tables has the word, or one spelled nearly like it.
    pub fn is_in_tables(&self, layer: &Layer, word: &SegmentWord, cache: &mut LinkCache) -> bool {
        let known = self.known(layer, &word.word, cache);
        let matches = known.matches_as(word.optional);
        known.is_synonym || matches.words().iter().any(|number| self.is_in_tables[*number as usize])
    }

    /// Removes adjectives that no plain food has in its name, as in "a vibrant, nourishing soup". A synonym such as
    /// "houmous" only looks like an adjective.
    pub fn drop_adjectives(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        let is_known = |word: &str| self.names_with(layer, word) > 0 || self.is_synonym(word);
        words.retain(|word| {
            let text = word.word.as_str();
            !roles_in_any_language(text).has(Role::Adjective) || is_known(text)
        });
    }

    /// Splits words that were run together ("peanutbutter") and closes up those that were split ("cheese burger"), if
    /// the catalog has the one and not the other.
    pub fn rejoin(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        let mut at = 0;
        while at < words.len() {
            if let Some(closed) = self.closed_pair(layer, &words[at..]) {
                words[at].word = closed;
                words.remove(at + 1);
                continue;
            }
            if let Some((first, second)) = self.split_word(layer, &words[at]) {
                let second = SegmentWord { word: second, ..words[at].clone() };
                words[at].word = first;
                words.insert(at + 1, second);
            }
            at += 1;
        }
    }

    /// Returns the first two words as one, if more names have them so.
    fn closed_pair(&self, layer: &Layer, words: &[SegmentWord]) -> Option<String> {
        let [one, other, ..] = words else { return None };
        if one.optional || other.optional {
            return None;
        }
        let closed = format!("{}{}", one.word, other.word);
        let names_split = self.pair(layer, &one.word, &other.word) as usize;
        (self.names_with(layer, &closed) > names_split.max(2)).then_some(closed)
    }

    /// Splits an unknown word into two that many names have.
    fn split_word(&self, layer: &Layer, word: &SegmentWord) -> Option<(String, String)> {
        // What ours have as two words is split, even if another table has it as one.
        let names = |word: &str| self.number(layer, word).map_or(0, |number| self.postings_of(number).len());
        if word.optional || names(&word.word) > 0 || self.is_synonym(&word.word) {
            return None;
        }
        split_compound(&word.word, names, MIN_NAMES_OF_PART)
    }

    /// Writes neighboring words as one where some name does: "low fat" is "lowfat" too. Returns `None` if none does.
    pub fn closed_up(&self, layer: &Layer, words: &[SegmentWord]) -> Option<Vec<SegmentWord>> {
        let mut out: Vec<SegmentWord> = Vec::with_capacity(words.len());
        for word in words {
            let closed = out.last().filter(|last| last.optional == word.optional && last.negated == word.negated);
            let closed = closed.map(|last| format!("{}{}", last.word, word.word));
            match (closed.filter(|closed| self.names_with(layer, closed) > 0), out.last_mut()) {
                (Some(closed), Some(last)) => last.word = closed,
                _ => out.push(word.clone()),
            }
        }
        (out.len() < words.len()).then_some(out)
    }

    /// Counts the names that have one word right behind another.
    fn pair(&self, layer: &Layer, one: &str, other: &str) -> u32 {
        let numbers = layer.word(one).zip(layer.word(other));
        numbers.and_then(|pair| self.pairs.get(&pair)).copied().unwrap_or(0)
    }

    /// Checks whether a word can be a head: it says what a food is, rather than how it is.
    pub fn is_food(&self, layer: &Layer, word: &str, cache: &mut LinkCache) -> bool {
        self.known(layer, word, cache).is_food
    }

    /// Checks whether a word of the names is the head of many of them.
    pub fn is_head(&self, number: u32) -> bool {
        let share = self.head_shares[number as usize];
        share >= 0.12 || share * self.postings_of(number).len() as f32 >= 2.5
    }

    /// Returns the idf of a word.
    pub fn idf_of(&self, layer: &Layer, word: &str, cache: &mut LinkCache) -> f32 {
        self.known(layer, word, cache).idf
    }

    /// Checks whether a word is a synonym of a plain food.
    fn is_synonym(&self, word: &str) -> bool {
        !self.synonyms.rewrite_words(&[word.to_owned()]).is_empty()
    }

    /// Checks whether only foods of other countries have a word in their names.
    pub fn is_fill_in_word(&self, number: u32, word: &str) -> bool {
        self.fill_ins.has_word(number, word) && !self.is_synonym(word)
    }

    /// Returns the words of names that a word stands for.
    pub fn look_up(&self, layer: &Layer, word: &SegmentWord, cache: &mut LinkCache) -> WordMatches {
        self.known(layer, &word.word, cache).matches_as(word.optional)
    }

    /// Returns what the catalog knows of a word; it is looked up once.
    pub fn known(&self, layer: &Layer, word: &str, cache: &mut LinkCache) -> KnownWord {
        if let Some(known) = cache.word(word) {
            return known;
        }
        let number = self.number(layer, word);
        let is_synonym = self.is_synonym(word);
        let idf = number.map_or(1.0, |number| self.idf[number as usize]);
        let is_in_name = |number: &u32| !self.postings_of(*number).is_empty() || self.is_fill_in_word(*number, word);
        let exact = number.filter(is_in_name);
        let matches = match exact {
            Some(number) => WordMatches::new(&[number], idf, 0.0),
            // A word that products or synonyms have is not a typo.
            None => self.respelled(word, number.is_none() && !is_synonym),
        };
        // A slip that a few products have too: "burgar".
        let is_slip = |number: u32| {
            exact.is_none()
                && layer.names_with(number) <= MAX_NAMES_OF_SLIP
                && matches.words().iter().any(|word| self.is_head(*word))
        };
        let is_food = match number {
            _ if self.bare_words.has(word) => true,
            Some(number) if self.is_fill_in_word(number, word) => self.fill_ins.is_head(number),
            Some(number) if self.head_shares[number as usize] > 0.0 => self.is_head(number),
            Some(number) => is_synonym || is_slip(number),
            None => true,
        };
        let known = KnownWord { matches, is_exact: exact.is_some(), is_synonym, is_food, idf };
        cache.keep_word(word, known);
        known
    }

    /// Returns the words of names that a misspelled word stands for.
    fn respelled(&self, word: &str, may_be_dish: bool) -> WordMatches {
        // Everyday names have many short words that are close to others: "walked" is not Walkers.
        let chars = word.chars().count();
        let is_used = |number: &u32| {
            self.is_in_tables[*number as usize] || chars >= MIN_LETTERS_OF_EVERYDAY_WORD && self.is_head(*number)
        };
        if chars < 5 || word.contains(|c: char| c.is_ascii_digit()) {
            return WordMatches::UNKNOWN;
        }
        let near = |edits| -> Vec<u32> { self.spellings.near(word, edits).into_iter().filter(is_used).collect() };
        let mut words = near(1);
        if words.is_empty() && may_be_dish && chars >= MIN_LETTERS_OF_DISH {
            words.extend(self.dish_named(word));
        }
        if words.is_empty() && chars >= 9 {
            words = near(2);
        }
        words.truncate(WordMatches::MAX);
        match words.iter().map(|&number| self.idf[number as usize]).reduce(f32::min) {
            Some(idf) => WordMatches::new(&words, idf, self.weights.respelled),
            None => WordMatches::UNKNOWN,
        }
    }
}
