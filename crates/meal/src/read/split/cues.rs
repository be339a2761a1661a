//! What a word means by what stands around it.

use foods::text::{is_stop_word, singular};

use super::splitter::Splitter;
use crate::lexicon::Measure;
use crate::read::amount::word;
use crate::read::token::Token;

/// Into what food is cut.
const PIECES: &[&str] =
    &["stick", "slice", "piece", "wedge", "chunk", "cube", "floret", "spear", "segment", "half", "fillet", "filet"];

/// What stands behind the name of what is in it: "a juice carton".
const VESSELS: &[&str] = &["pouch", "carton", "bottle", "can"];

/// Whether a word joins what follows to what precedes.
pub(super) fn is_joint(word: &str) -> bool {
    is_stop_word(word) || matches!(word, "plus" | "then" | "over" | "topped" | "alongside" | "w")
}

/// Whether a word measures something else than food: age, time, distance, money.
fn is_other_unit(word: &str) -> bool {
    const UNITS: &[&str] = &[
        "year",
        "month",
        "week",
        "day",
        "hour",
        "hr",
        "minute",
        "min",
        "mile",
        "km",
        "kilometer",
        "step",
        "rep",
        "set",
        "dollar",
        "buck",
        "people",
        "person",
        "degree",
    ];
    UNITS.contains(&singular(word).as_str())
}

impl Splitter<'_> {
    /// Whether a number belongs to a name and counts nothing: the "four" of "a hot pocket four cheese pizza".
    pub(super) fn is_number_of_a_name(&self, said: &str) -> bool {
        let is_single = |place: usize| {
            word(self.tokens, self.at + place).is_some_and(|word| {
                singular(word) == word
                    && self.lexicon.unit(word).is_none()
                    && !is_joint(word)
                    && !self.lexicon.is_filler(word)
            })
        };
        let is_many = crate::lexicon::number_word(said).is_some_and(|value| value > 1.0);
        let has_content = self.current.words.iter().any(|word| !word.optional);
        is_many && has_content && is_single(1) && is_single(2)
    }

    /// Reads the name of a place that has a joint in it: "Jack in the Box" is in no box.
    pub(super) fn take_chain(&mut self) -> bool {
        let is_here = |name: &&Vec<String>| {
            name.iter().enumerate().all(|(at, part)| word(self.tokens, self.at + at) == Some(part))
        };
        let Some(name) = self.lexicon.chains_with_joints().find(is_here) else { return false };
        self.at += name.len();
        for part in name {
            self.push(part, true);
        }
        true
    }

    /// Whether a number and the word behind it are the name of a food.
    pub(super) fn is_number_name(&self, at: usize, value: f64) -> bool {
        word(self.tokens, at + 1).is_some_and(|next| self.lexicon.is_number_name(value, next))
    }

    /// Whether a word says how large the food is that follows: "a filling large taco".
    pub(super) fn is_size_here(&self, said: &str) -> bool {
        let quantity = &self.current.quantity;
        self.lexicon.is_size(said)
            && (self.current.words.iter().all(|word| word.optional)
                || quantity.amount.is_some() && quantity.sizes.is_empty() && quantity.unit.is_none())
    }

    /// Whether a filler ends the name of a food here: "hazelnut spread".
    pub(super) fn ends_name(&self, said: &str) -> bool {
        self.lexicon.ends_names(said)
            && matches!(self.tokens.get(self.at.wrapping_sub(1)), Some(Token::Word(before))
                if self.current.words.last().is_some_and(|last| !last.optional && last.word == singular(before)))
    }

    /// Whether this word and the next are a name although neither tells anything alone: "energy drink".
    pub(super) fn is_name_here(&self, said: &str) -> bool {
        word(self.tokens, self.at + 1).is_some_and(|next| self.lexicon.is_name(said, next))
    }

    /// Whether "half and half" stands here, which is cream.
    pub(super) fn is_cream(&self, at: usize) -> bool {
        let is = |place: usize, said: &str| word(self.tokens, place) == Some(said);
        is(at, "half") && is(at + 1, "and") && is(at + 2, "half")
    }

    /// Whether "other than" or "apart from" stands here.
    pub(super) fn excepts(&self) -> bool {
        matches!(word(self.tokens, self.at + 1), Some("than" | "from"))
    }

    /// "skin not eaten" denies the skin.
    pub(super) fn denies_the_word_before(&mut self) -> bool {
        let is_eaten = matches!(word(self.tokens, self.at + 1), Some("eaten" | "included" | "consumed" | "added"));
        match self.current.words.last_mut().filter(|_| is_eaten) {
            Some(last) => {
                last.optional = true;
                last.negated = true;
                true
            }
            None => false,
        }
    }

    /// Whether a word only says into what a food was cut: "carrot sticks". As in "5 sticks of carrot", it counts them.
    pub(super) fn is_piece_of_it(&mut self, said: &str) -> bool {
        let Some((name, Measure::Household(_))) = self.lexicon.unit(said) else { return false };
        let ends = !matches!(self.tokens.get(self.at + 1), Some(Token::Word(next)) if !is_joint(next));
        let is_vessel = VESSELS.contains(&name);
        let is_cut =
            (is_vessel || PIECES.contains(&name)) && ends && self.current.words.iter().any(|word| !word.optional);
        let quantity = &mut self.current.quantity;
        if is_cut && quantity.unit.is_none() && quantity.amount.is_some_and(|amount| amount.explicit || is_vessel) {
            quantity.unit = Some(name.to_owned());
            quantity.measure = Some(Measure::Household(None));
        }
        is_cut
    }

    /// Whether the number here counts something other than food: calories, hours, miles.
    pub(super) fn is_energy(&self, at: usize) -> bool {
        let next = word(self.tokens, at + 1);
        next.is_some_and(|next| {
            matches!(next, "calorie" | "calories" | "cal" | "kcal" | "cals" | "am" | "pm" | "oclock")
                || is_other_unit(next) && word(self.tokens, at + 2) != Some("energy")
        })
    }

    /// Whether a measure stands here without a number: "cup of tea".
    pub(super) fn is_bare_measure(&self) -> bool {
        let has_content = self.current.words.iter().any(|word| !word.optional);
        !has_content && self.current.quantity.amount.is_none() && self.is_measure_of(self.at)
    }
}
