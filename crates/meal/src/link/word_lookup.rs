//! Which words of the catalog's names a word of a text stands for.

use foods::catalog::Layer;
use foods::text::singular;

use super::cache::{KnownWord, Scratch, Spelled};
use super::linker::Linker;
use crate::read::segment::SegmentWord;

/// Shorter names of dishes are like too many other words.
const MIN_LETTERS_OF_DISH: usize = 6;

impl Linker {
    /// Whether any plain food has the word, or one spelled nearly so, in its name.
    pub fn resolves(&self, layer: &Layer, word: &SegmentWord, scratch: &mut Scratch) -> bool {
        let known = self.known(layer, &word.word, scratch);
        known.is_synonym || !known.spelled_as(word.optional).words().is_empty()
    }

    /// Leaves out adjectives that no plain food has in its name: "a vibrant, nourishing soup". Another word for one, as
    /// "houmous" is, only looks like an adjective.
    pub fn drop_adjectives(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        const ENDINGS: &[&str] = &["ful", "ous", "able", "ible", "ing", "ive", "ent", "ant", "ish", "less"];
        let is_known = |word: &str| self.names_with(layer, word) > 0 || self.is_synonym(word);
        words.retain(|word| {
            let text = word.word.as_str();
            text.len() < 6 || !ENDINGS.iter().any(|ending| text.ends_with(ending)) || is_known(text)
        });
    }

    /// Splits words that were run together ("peanutbutter") and closes up those that were split ("cheese burger"), where
    /// the catalog has the one and not the other.
    pub fn rejoin(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        let names = |word: &str| self.names_with(layer, word);
        let mut at = 0;
        while at < words.len() {
            let word = words[at].word.clone();
            if let Some(next) = words.get(at + 1) {
                let closed = format!("{word}{}", next.word);
                let split = self.pair(layer, &word, &next.word) as usize;
                if !words[at].optional && !next.optional && names(&closed) > split.max(2) {
                    words[at].word = closed;
                    words.remove(at + 1);
                    continue;
                }
            }
            let is_unknown = || names(&word) == 0 && !self.is_synonym(&word);
            if !words[at].optional && word.len() >= 6 && word.is_ascii() && is_unknown() {
                let cut = (3..=word.len() - 3)
                    .map(|cut| (names(&word[..cut]).min(names(&singular(&word[cut..]))), cut))
                    .max()
                    .filter(|(least, _)| *least >= 5);
                if let Some((_, cut)) = cut {
                    let second = SegmentWord { word: singular(&word[cut..]), ..words[at].clone() };
                    words[at].word.truncate(cut);
                    words.insert(at + 1, second);
                }
            }
            at += 1;
        }
    }

    /// Words of which two neighbours are written as one in other names: "low fat" is "lowfat" too.
    pub(crate) fn closed_up(&self, layer: &Layer, words: &[SegmentWord]) -> Option<Vec<SegmentWord>> {
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

    /// How many names have one word right behind another.
    fn pair(&self, layer: &Layer, one: &str, other: &str) -> u32 {
        let numbers = layer.word(one).zip(layer.word(other));
        numbers.and_then(|pair| self.pairs.get(&pair)).copied().unwrap_or(0)
    }

    /// Whether a word can say what a food is, rather than how it is.
    pub fn is_food(&self, layer: &Layer, word: &str, scratch: &mut Scratch) -> bool {
        self.known(layer, word, scratch).is_food
    }

    /// How much a word tells.
    pub fn tells(&self, layer: &Layer, word: &str, scratch: &mut Scratch) -> f32 {
        self.known(layer, word, scratch).tells
    }

    /// Whether a word is another one for a plain food.
    fn is_synonym(&self, word: &str) -> bool {
        !self.synonyms.rewrite_words(&[word.to_owned()]).is_empty()
    }

    /// What a word stands for.
    pub(crate) fn look_up(&self, layer: &Layer, word: &SegmentWord, scratch: &mut Scratch) -> Spelled {
        self.known(layer, &word.word, scratch).spelled_as(word.optional)
    }

    /// What the catalog knows of a word, looked up once.
    pub(crate) fn known(&self, layer: &Layer, word: &str, scratch: &mut Scratch) -> KnownWord {
        if let Some(known) = scratch.word(word) {
            return known;
        }
        let number = self.number(layer, word);
        let is_synonym = self.is_synonym(word);
        let is_food = match number.map(|number| (self.heads[number as usize], self.postings_of(number).len())) {
            _ if self.usual.has(word) => true,
            Some((share, names)) if share > 0.0 => share >= 0.12 || share * names as f32 >= 2.5,
            Some(_) => is_synonym,
            None => true,
        };
        let tells = number.map_or(1.0, |number| self.tells[number as usize]);
        let exact = number.filter(|number| !self.postings_of(*number).is_empty());
        let spelled = match exact {
            Some(number) => Spelled::new(&[number], tells, 0.0),
            // What products or other words are called is no slip of the keyboard.
            None => self.respelled(layer, word, number.is_none() && !is_synonym),
        };
        let known = KnownWord { spelled, is_exact: exact.is_some(), is_synonym, is_food, tells };
        scratch.keep_word(word, known);
        known
    }

    /// The words of names that a misspelled word stands for, how much they tell, and what reading them so costs.
    fn respelled(&self, layer: &Layer, word: &str, may_be_dish: bool) -> Spelled {
        let is_used = |number: &u32| !self.postings_of(*number).is_empty();
        let chars = word.chars().count();
        if chars < 5 || word.contains(|c: char| c.is_ascii_digit()) {
            return Spelled::UNKNOWN;
        }
        let within = |edits: u8| -> Vec<u32> {
            layer.similar_words(word, edits).into_iter().filter(is_used).take(Spelled::MAX).collect()
        };
        let mut words = within(1);
        if words.is_empty() && may_be_dish && chars >= MIN_LETTERS_OF_DISH {
            words.extend(self.dish_called(layer.similar_words(word, 1)));
        }
        if words.is_empty() && chars >= 9 {
            words = within(2);
        }
        match words.iter().map(|&number| self.tells[number as usize]).reduce(f32::min) {
            Some(tells) => Spelled::new(&words, tells, self.weights.respelled),
            None => Spelled::UNKNOWN,
        }
    }
}
