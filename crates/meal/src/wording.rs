//! Which words of the catalog's names a word of a text stands for.

use std::rc::Rc;

use foods::catalog::Layer;
use foods::text::singular;

use crate::link::Linker;
use crate::rank::{Scratch, Spelled};
use crate::segment::SegmentWord;

impl Linker {
    /// Whether any plain food has the word, or one spelled nearly so, in its name.
    pub fn resolves(&self, layer: &Layer, word: &SegmentWord, scratch: &mut Scratch) -> bool {
        let found = self.look_up(layer, word, scratch);
        !found.words.is_empty() || !self.synonyms.rewrite_words(std::slice::from_ref(&word.word)).is_empty()
    }

    /// Leaves out adjectives that no plain food has in its name: "a vibrant, nourishing soup".
    pub fn drop_adjectives(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        const ENDINGS: &[&str] = &["ful", "ous", "able", "ible", "ing", "ive", "ent", "ant", "ish", "less"];
        let is_known = |word: &str| layer.word(word).is_some_and(|number| !self.postings_of(number).is_empty());
        words.retain(|word| {
            let text = word.word.as_str();
            text.len() < 6 || !ENDINGS.iter().any(|ending| text.ends_with(ending)) || is_known(text)
        });
    }

    /// Splits words that were run together ("peanutbutter") and closes up those that were split ("cheese burger"), where
    /// the catalog has the one and not the other.
    pub fn rejoin(&self, layer: &Layer, words: &mut Vec<SegmentWord>) {
        let names = |word: &str| layer.word(word).map_or(0, |number| self.postings_of(number).len());
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
            let is_synonym = || !self.synonyms.rewrite_words(std::slice::from_ref(&word)).is_empty();
            if !words[at].optional && word.len() >= 6 && word.is_ascii() && names(&word) == 0 && !is_synonym() {
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

    /// How many names have one word right behind another.
    fn pair(&self, layer: &Layer, one: &str, other: &str) -> u32 {
        let numbers = layer.word(one).zip(layer.word(other));
        numbers.and_then(|pair| self.pairs.get(&pair)).copied().unwrap_or(0)
    }

    /// Whether a word can say what a food is, rather than how it is.
    pub fn is_food(&self, layer: &Layer, word: &str) -> bool {
        let known = layer.word(word).map(|number| self.heads[number as usize]);
        match known {
            _ if self.usual.has(word) => true,
            Some(share) if share > 0.0 => {
                share >= 0.12 || share * self.postings_of(layer.word(word).unwrap_or(0)).len() as f32 >= 2.5
            }
            _ => !self.synonyms.rewrite_words(&[word.to_owned()]).is_empty() || known.is_none(),
        }
    }

    /// How much a word tells.
    pub fn tells(&self, layer: &Layer, word: &str) -> f32 {
        layer.word(word).map_or(1.0, |number| self.tells[number as usize])
    }

    /// What a word stands for, looked up once in a text.
    pub(crate) fn look_up(&self, layer: &Layer, word: &SegmentWord, scratch: &mut Scratch) -> Rc<Spelled> {
        if let Some(known) = scratch.known.get(&word.word) {
            return Rc::clone(known);
        }
        let spelled = Rc::new(self.spelled(layer, word));
        scratch.known.insert(word.word.clone(), Rc::clone(&spelled));
        spelled
    }

    /// The words of names that a word stands for, how much they tell, and what reading them so costs.
    fn spelled(&self, layer: &Layer, word: &SegmentWord) -> Spelled {
        const UNKNOWN_TELLS: f32 = 0.5;
        let is_used = |number: &u32| !self.postings_of(*number).is_empty();
        if let Some(number) = layer.word(&word.word).filter(is_used) {
            return Spelled { words: vec![number], tells: self.tells[number as usize], penalty: 0.0 };
        }
        let unknown = Spelled { words: Vec::new(), tells: UNKNOWN_TELLS, penalty: 0.0 };
        let chars = word.word.chars().count();
        if word.optional || chars < 5 || word.word.contains(|c: char| c.is_ascii_digit()) {
            return unknown;
        }
        let mut words: Vec<u32> = layer.similar_words(&word.word, 1).into_iter().filter(is_used).take(3).collect();
        if words.is_empty() && chars >= 9 {
            words = layer.similar_words(&word.word, 2).into_iter().filter(is_used).take(3).collect();
        }
        match words.iter().map(|&number| self.tells[number as usize]).reduce(f32::min) {
            Some(tells) => Spelled { words, tells, penalty: self.weights.respelled },
            None => unknown,
        }
    }
}
