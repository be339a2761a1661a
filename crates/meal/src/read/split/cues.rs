//! What a word means by the words around it.

use foods::text::singular;

use super::splitter::Splitter;
use crate::lexicon::{Measure, MeasureTrait, Role, Roles, measure_is};
use crate::read::amount;
use crate::read::segment::{Joint, Segment};
use crate::read::token::Token;

/// The most flavors of one food: "honey garlic chicken".
const MAX_FLAVORS: usize = 4;

/// The measure of what comes beside a dish.
const SIDE: &str = "side";

/// Words that join what follows to what precedes, or begin a noun.
pub(super) const JOINTS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::Or,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Topped,
    Role::Indefinite,
    Role::Definite,
]);

impl Splitter<'_> {
    /// Checks whether the word at a position joins what follows to what precedes.
    pub(super) fn is_joint(&self, at: usize) -> bool {
        self.text.any(at, JOINTS)
    }

    /// Checks whether a noun follows the adjective at a position.
    pub(super) fn is_before_noun(&self, at: usize) -> bool {
        self.text.is_word(at + 1) && !self.is_joint(at + 1)
    }

    /// Checks whether a word only says what the food right behind it tastes of: "garlic chicken" is chicken, but "garlic cooked" is
    /// garlic.
    pub(super) fn is_flavor_of_next(&self, roles: Roles) -> bool {
        const NO_FOOD: Roles =
            Roles::of(&[Role::Category, Role::Filler, Role::Preposition, Role::Unusual, Role::Denial, Role::Number]);
        let mut behind = (self.at + 1..self.text.len()).take(MAX_FLAVORS);
        let next = behind.find(|at| !self.text.any(*at, const { Roles::of(&[Role::Flavor, Role::State]) }));
        let is_food =
            |at: usize| self.is_before_noun(at - 1) && self.text.unit(at).is_none() && !self.text.any(at, NO_FOOD);
        roles.has(Role::Flavor) && next.is_some_and(is_food)
    }

    /// Checks whether a number belongs to a name and counts nothing: the "four" of "a hot pocket four cheese pizza".
    pub(super) fn is_number_of_a_name(&self, word: &str) -> bool {
        let is_single = |at: usize| {
            self.text.word(at).is_some_and(|word| singular(word) == word)
                && self.text.unit(at).is_none()
                && !self.is_joint(at)
                && !self.text.has(at, Role::Filler)
        };
        let is_many = self.lexicon.value(word, Role::Number).is_some_and(|value| value > 1.0);
        self.is_number_of_blend() || is_many && self.has_content() && is_single(self.at + 1) && is_single(self.at + 2)
    }

    /// Reads the name of a place that has a joint in it: "Jack in the Box" is in no box.
    pub(super) fn take_chain(&mut self) -> bool {
        let is_here =
            |name: &&Vec<String>| name.iter().enumerate().all(|(at, part)| self.text.word(self.at + at) == Some(part));
        let Some(name) = self.lexicon.chains_with_joints().find(is_here) else { return false };
        self.at += name.len();
        for part in name {
            self.push(part, true);
        }
        true
    }

    /// Checks whether a number and the word behind it are the name of a food.
    pub(super) fn is_number_name(&self, at: usize, value: f64) -> bool {
        self.text.word(at + 1).is_some_and(|next| self.lexicon.is_number_name(value, next))
    }

    /// Checks whether a word says how large the food is that follows: "a filling large taco".
    pub(super) fn is_size_here(&self, roles: Roles) -> bool {
        let quantity = &self.current.quantity;
        // "fries large": behind a name only where nothing more is said of it.
        let ends = || !self.text.is_word(self.at + 1) || self.is_joint(self.at + 1);
        roles.has(Role::Size)
            && (!self.has_content()
                || (quantity.amount.is_some() || ends()) && quantity.sizes.is_empty() && quantity.unit.is_none())
    }

    /// Checks whether a filler ends the name of a food here: "hazelnut spread".
    pub(super) fn ends_name(&self, said: &str) -> bool {
        self.lexicon.ends_names(said)
            && matches!(self.text.tokens.get(self.at.wrapping_sub(1)), Some(Token::Word(before))
                if self.current.words.last().is_some_and(|last| !last.optional && last.word == singular(before)))
    }

    /// Checks whether a state is a verb here, before an amount: "baked 12 muffins" is no baked food and 12 muffins.
    pub(super) fn is_verb_of_cooking(&self, roles: Roles) -> bool {
        let opens = roles.has(Role::State) && self.current.starts && self.current.is_empty();
        opens && amount::read(self.text, self.at + 1).is_some_and(|(amount, _)| amount.explicit)
    }

    /// Reads a word that announces a better name of the food before it: "a soda known as a Shirley Temple".
    pub(super) fn take_alias(&mut self, roles: Roles) -> bool {
        if !roles.has(Role::Alias) {
            return false;
        }
        let is_set_off = !self.has_content() && matches!(self.current.joint, Joint::Comma | Joint::Bracket);
        let names_food = |segment: &mut Segment| !segment.negated && segment.has_required_words();
        if is_set_off && let Some(before) = self.out.pop_if(names_food) {
            self.current = before;
        }
        if self.names_follow(self.at + self.text.width(self.at)) {
            self.current.words.iter_mut().for_each(|word| word.optional = true);
        }
        self.at += self.text.width(self.at);
        true
    }

    /// Begins a food where a side is said right behind a dish: "burger side salad", "chicken side of rice".
    pub(super) fn begin_side(&mut self) {
        let is_side = self.text.unit(self.at).is_some_and(|(name, ..)| name == SIDE);
        let next = self.at + 1;
        let is_of_food = self.text.has(next, Role::Of) || self.names_follow(next);
        let is_denied = self.current.negated && !self.current.words.is_empty();
        if is_side && is_of_food && (self.has_content() || is_denied) {
            self.joint(Joint::Comma, 0);
        }
    }

    /// Reads a word that makes a place or an occasion of the words before it: "the new taco truck".
    pub(super) fn take_venue(&mut self, roles: Roles) -> bool {
        let ends =
            !self.text.is_word(self.at + 1) || self.is_joint(self.at + 1) || self.text.has(self.at + 1, Role::Filler);
        let is_venue = roles.has(Role::Venue) && ends && self.has_content() && !self.current.quantity.is_explicit();
        if is_venue {
            self.current.words.iter_mut().for_each(|word| word.optional = true);
            self.at += 1;
        }
        is_venue
    }

    /// Checks whether an animal is somebody's: "my dog" is nothing to eat, a dog that is nobody's may be a hot one.
    pub(super) fn is_pet(&self, roles: Roles) -> bool {
        let before = self.at.checked_sub(1);
        roles.has(Role::Pet) && before.is_some_and(|before| self.text.has(before, Role::Possessive))
    }

    /// Checks whether a word only says into what a food was cut: "carrot sticks". As in "5 sticks of carrot", it counts them.
    pub(super) fn is_piece_of_it(&mut self, word: &str) -> bool {
        let Some((name, Measure::Household(_))) = self.lexicon.unit(word) else { return false };
        let ends = !self.is_before_noun(self.at);
        let is_vessel = measure_is(name, MeasureTrait::Vessel);
        let is_cut = (is_vessel || measure_is(name, MeasureTrait::Piece)) && ends && self.has_content();
        let quantity = &mut self.current.quantity;
        if is_cut && quantity.unit.is_none() && quantity.amount.is_some_and(|amount| amount.explicit || is_vessel) {
            quantity.unit = Some(name.to_owned());
            quantity.measure = Some(Measure::Household(None));
        }
        is_cut
    }

    /// Checks whether the number here counts something other than food: calories, hours, miles.
    pub(super) fn counts_no_food(&self, at: usize) -> bool {
        self.text.has(at + 1, Role::OtherUnit)
    }
}
