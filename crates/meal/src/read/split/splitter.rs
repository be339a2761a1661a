//! How far a text has been split.

use foods::text::{is_stop_word, singular};

use crate::lexicon::{Lexicon, Role, Roles};
use crate::read::plurals;
use crate::read::segment::{Joint, Segment, SegmentWord, required};
use crate::read::text::Text;

/// Longer words are not words of foods.
const MAX_WORD_LETTERS: usize = 40;
/// The most words of a segment; no name of a food has nearly as many.
const MAX_SEGMENT_WORDS: usize = 64;

/// Words of a time or a meal, and those that begin a statement.
const OF_TIMES: Roles = Roles::of(&[Role::Meal, Role::Filler, Role::Definite, Role::Possessive]);
const BEGINS_STATEMENT: Roles = Roles::of(&[Role::Person, Role::Eating, Role::Definite]);
/// Words before what somebody has, and the end of a word for doing it.
const DETERMINERS: Roles = Roles::of(&[Role::Possessive, Role::Indefinite, Role::Definite, Role::Some]);
const PARTICIPLE: &str = "ing";

/// A text that is being split into segments.
pub(super) struct Splitter<'a> {
    pub text: Text<'a>,
    pub lexicon: &'a Lexicon,
    /// Whether a word that can name a food follows each token, before the next joint.
    pub names_follow: Vec<bool>,
    pub at: usize,
    /// How many segments there were when the sentence began.
    pub before_sentence: usize,
    /// Where the joint before the segment stands.
    pub joint_at: usize,
    pub out: Vec<Segment>,
    pub current: Segment,
    /// The last word that says which food it is was in the plural.
    pub is_plural: bool,
}

impl Splitter<'_> {
    /// Checks whether the segment has a word that says which food it is.
    pub fn has_content(&self) -> bool {
        self.current.words.iter().any(|word| !word.optional)
    }

    pub fn push(&mut self, word: &str, optional: bool) {
        self.push_word(word, optional, self.current.negated);
    }

    /// Adds a word to the segment, and the words that it implies.
    pub fn push_word(&mut self, word: &str, optional: bool, negated: bool) {
        let (typed, is_marked) = plurals::unmarked(word);
        let word = singular(typed);
        if !optional && !negated {
            self.is_plural = is_marked || word != typed && !self.lexicon.roles(typed).has(Role::Name);
        }
        if is_stop_word(&word) || word.len() >= MAX_WORD_LETTERS || self.current.words.len() >= MAX_SEGMENT_WORDS {
            return;
        }
        let implied: Vec<(&str, bool)> = self.lexicon.implied(&word, negated).collect();
        self.current.words.push(SegmentWord { word, optional: optional || negated, negated });
        for (other, negated) in implied {
            if !self.current.words.iter().any(|known| known.word == other) {
                self.current.words.push(SegmentWord { word: other.to_owned(), optional: true, negated });
            }
        }
    }

    /// Adds the word or phrase here, or the words that it is read as, and steps over it.
    pub fn take(&mut self, optional: bool) {
        let width = self.text.width(self.at);
        match self.text.read_as(self.at) {
            Some(words) => words.split(' ').for_each(|word| self.push(word, optional)),
            None => {
                for at in self.at..self.at + width {
                    if let Some(word) = self.text.word(at) {
                        self.push(word, optional);
                    }
                }
            }
        }
        self.at += width;
    }

    /// Drops the name of a meal, which is not part of the food that follows: "breakfast was a biscuit".
    pub fn forget_the_meal(&mut self) {
        if !self.has_content() {
            let lexicon = self.lexicon;
            self.current.words.retain(|word| !lexicon.roles(&word.word).has(Role::Meal));
        }
    }

    /// Checks whether nothing but the name of a meal has been said in this statement.
    pub fn is_meal_alone(&self) -> bool {
        let is_meal = |word: &SegmentWord| self.lexicon.roles(&word.word).has(Role::Meal);
        let current = &self.current;
        current.joint == Joint::Start
            && !current.negated
            && current.quantity.is_empty()
            && !current.words.is_empty()
            && current.words.iter().all(is_meal)
    }

    /// Ends the segment here.
    pub fn joint(&mut self, joint: Joint, tokens: usize) {
        self.close(joint);
        if joint == Joint::Start {
            self.before_sentence = self.out.len();
        }
        self.joint_at = self.at;
        self.at += tokens;
    }

    /// Checks whether a time or a place was said since the last joint, in words that name no food.
    fn was_time_or_place(&self) -> bool {
        let behind = self.joint_at + self.text.width(self.joint_at);
        matches!(self.current.joint, Joint::Aside | Joint::Preposition) && !self.current.negated && self.at > behind
    }

    /// Checks whether a food stands right behind the meal or the time that opens the text, and others behind a comma here: "for lunch
    /// pizza, salad", but not "for my lunch bowl, I took".
    fn is_behind_time(&self) -> bool {
        let mut end = self.joint_at + self.text.width(self.joint_at);
        let mut says_when = false;
        while end < self.at && self.text.any(end, OF_TIMES) {
            says_when |= self.text.any(end, const { Roles::of(&[Role::Meal, Role::Filler]) });
            end += self.text.width(end);
        }
        says_when && end < self.at && !self.text.any(self.at + 1, BEGINS_STATEMENT)
    }

    /// Checks whether a statement goes on behind the comma here with what was done: "for lunch today, filling my plate".
    fn goes_on(&self) -> bool {
        let is_participle = self.text.word(self.at + 1).is_some_and(|word| word.ends_with(PARTICIPLE));
        is_participle && self.text.any(self.at + 2, DETERMINERS)
    }

    pub fn close(&mut self, next: Joint) {
        let is_plural = std::mem::take(&mut self.is_plural);
        if self.current.is_empty() {
            // Two joints in a row: the later one counts, but a sentence still begins here.
            self.current.starts |= next == Joint::Start;
            if next == Joint::Comma && self.was_time_or_place() && !self.goes_on() {
                // "in the morning, eggs": what follows is neither.
                self.current.joint = if self.current.starts { Joint::Start } else { Joint::Comma };
                self.current.negated = false;
                return;
            }
            let opening = self.current.starts && matches!(next, Joint::Preposition | Joint::Aside);
            self.current.joint = match next {
                _ if opening => Joint::Aside,
                Joint::Start => Joint::Start,
                // A comma says less than the "and" before it.
                Joint::Comma | Joint::Bracket if self.current.joint != Joint::Start => self.current.joint,
                _ if self.current.starts => Joint::Start,
                other => other,
            };
            // "skin not eaten, with rice": the denial ended at the comma.
            self.current.negated = false;
            self.current.corrects &= next == Joint::Comma;
            return;
        }
        let mut closed = std::mem::replace(&mut self.current, Segment::new(next));
        closed.quantity.is_plural = is_plural;
        let lexicon = self.lexicon;
        let is_nutrient = |word: &SegmentWord| lexicon.roles(&word.word).has(Role::Nutrient);
        if !closed.quantity.is_explicit() && required(&closed.words).all(is_nutrient) {
            // "more fiber" is nothing to eat.
            closed.words.iter_mut().for_each(|word| word.optional = true);
        }
        if closed.starts && closed.joint == Joint::Aside && (next != Joint::Comma || closed.quantity.amount.is_some()) {
            // "For lunch I had soup": not an introduction after all.
            closed.joint = Joint::Start;
        } else if closed.starts && closed.joint == Joint::Aside && self.is_behind_time() {
            closed.joint = Joint::Start;
        }
        self.out.push(closed);
    }
}
