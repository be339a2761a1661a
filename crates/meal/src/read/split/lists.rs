//! Lists: what a dish is made of, and amounts behind their foods.

use foods::text::singular;

use super::splitter::Splitter;
use crate::lexicon::{Measure, Role, Roles, measure};
use crate::read::amount;
use crate::read::segment::{Joint, ListOpening, Quantity, Segment};
use crate::read::token::Token;

/// How far a list is read ahead, so that long texts take no longer word by word.
const MAX_AHEAD: usize = 40;
/// Nobody counts more pieces; in a list of grams such a number is grams.
const MIN_BARE_GRAMS: f64 = 40.0;
/// The measure that people leave out.
const GRAM: &str = "g";
/// Fewer do not make a list of grams.
const MIN_WEIGHED: usize = 2;

impl Splitter<'_> {
    /// Reads a colon. "Eggs: 2" gives an amount; else what follows is a list of what is before.
    pub(super) fn take_colon(&mut self) {
        let amount = amount::read(self.text, self.at + 1).map(|(amount, after)| self.measure(amount, after).1);
        let is_amount = self.has_content() && amount.is_some_and(|end| !self.names_follow(end));
        if is_amount {
            self.joint(Joint::Comma, 1);
        } else {
            if self.take_label() {
                return;
            }
            let before = self.before_sentence;
            self.joint(Joint::Start, 1);
            // "Drinks: a coke": a title that names nothing.
            let has_title = self.out.len() > before;
            self.current.opens_list = has_title.then_some(ListOpening::Colon);
        }
    }

    /// Reads a colon behind the name or the initial of a meal, which ends the meal before it: "B: oatmeal L: soup".
    fn take_label(&mut self) -> bool {
        let Some(label) = self.at.checked_sub(1).and_then(|before| self.text.word(before)) else { return false };
        let is_label = label.len() == 1 || self.lexicon.roles(label).has(Role::Meal);
        if is_label {
            let name = singular(label);
            self.current.words.pop_if(|last| last.word == name);
            self.joint(Joint::Start, 1);
        }
        is_label
    }

    /// Returns what the joint here announces, if it may announce ingredients.
    pub(super) fn list_opening(&self, roles: Roles) -> Option<ListOpening> {
        let is_made = |at: usize| self.text.has(at, Role::Made);
        if roles.has(Role::With) {
            let before = self.at.checked_sub(1);
            Some(if before.is_some_and(is_made) { ListOpening::Made } else { ListOpening::With })
        } else if roles.has(Role::In) && is_made(self.at) {
            Some(ListOpening::Made)
        } else {
            None
        }
    }

    /// Checks whether an amount of another food begins at a position, behind a food without one.
    pub(super) fn lists_ingredients(&self, at: usize) -> bool {
        let amount = amount::read(self.text, at).filter(|(amount, _)| amount.explicit);
        self.has_content()
            && !self.current.quantity.is_explicit()
            && amount.is_some_and(|(amount, after)| self.names_follow(self.measure(amount, after).1))
    }

    /// Checks whether the amounts of a list are behind their foods, from the amount that ends here on: the list begins with
    /// a food and ends with an amount.
    pub(super) fn is_list_of_trailing_amounts(&self, from: usize) -> bool {
        let is_mark = |at: &usize| !matches!(self.text.tokens[*at], Token::Word(_) | Token::Number(..));
        let ahead = from..self.text.len().min(from + MAX_AHEAD);
        let end =
            ahead.clone().find(|at| is_mark(at) || self.text.any(*at, const { Roles::of(&[Role::And, Role::With]) }));
        let end = end.unwrap_or(ahead.end);
        let last = (from..end).rev().find(|&at| matches!(self.text.tokens[at], Token::Number(..)));
        let is_first = !self.current.quantity.is_explicit()
            && matches!(self.current.joint, Joint::Start | Joint::Comma | Joint::Amount | Joint::And);
        let ends_with_amount = |at: usize| {
            amount::read(self.text, at).is_some_and(|(amount, after)| {
                let behind = self.measure(amount, after).1;
                behind >= end || (behind..end).all(|at| self.text.has(at, Role::State))
            })
        };
        is_first && last.is_some_and(ends_with_amount)
    }

    /// Checks whether the weights of a list are behind their foods although the last food has none, from the weight that ends
    /// here on: "chicken 100 g rice 50 g broccoli". Counts are before their foods there: "toast 2 eggs 1 banana".
    pub(super) fn is_list_of_trailing_weights(&self, quantity: &Quantity, from: usize) -> bool {
        let is_mass = |measure: &Option<Measure>| matches!(measure, Some(Measure::Mass(_)));
        if !is_mass(&quantity.measure) || self.current.quantity.is_explicit() {
            return false;
        }
        if self.current.joint == Joint::Amount {
            return self.out.last().is_some_and(|before| before.quantity.trailing && is_mass(&before.quantity.measure));
        }
        let is_inside = |at: &usize| {
            matches!(self.text.tokens[*at], Token::Word(_) | Token::Number(..))
                && !self.text.any(*at, const { Roles::of(&[Role::And, Role::With, Role::On, Role::In]) })
        };
        let ahead = from..self.text.len().min(from + MAX_AHEAD);
        let number = ahead.take_while(is_inside).find(|&at| matches!(self.text.tokens[at], Token::Number(..)));
        let next = number.and_then(|at| amount::read(self.text, at));
        let is_start = matches!(self.current.joint, Joint::Start | Joint::Comma);
        is_start && next.is_some_and(|(amount, after)| is_mass(&self.measure(amount, after).0.measure))
    }

    /// Checks whether the number here belongs to the word before it ("type 405", "omega 3") or counts what a dish combines
    /// ("15 bean soup").
    pub(super) fn is_number_of_before(&self) -> bool {
        // "type 405", "blood sugar 118".
        let ends_here = |width: &usize| {
            let start = self.at.checked_sub(*width).filter(|start| self.text.has(*start, Role::Numbered));
            start.is_some_and(|start| self.text.width(start) == *width)
        };
        let is_numbered = (1..=2).any(|width| ends_here(&width));
        is_numbered && self.text.unit(self.at + 1).is_none() || self.is_number_of_blend()
    }

    /// Checks whether the number here says how many things a dish combines: "7 layer dip". "3 bean burritos" are counted.
    pub(super) fn is_number_of_blend(&self) -> bool {
        let is_singular = |at: usize| self.text.word(at).is_some_and(|word| singular(word) == word);
        let is_noun = |at: usize| {
            is_singular(at) && !self.is_joint(at) && self.text.unit(at).is_none() && !self.text.has(at, Role::Filler)
        };
        let counts_many = match self.text.tokens.get(self.at) {
            Some(Token::Number(value, false)) => *value > 2.0,
            _ => self.text.value(self.at, Role::Number).is_some_and(|value| value > 2.0),
        };
        counts_many && self.text.has(self.at + 1, Role::Blend) && is_singular(self.at + 1) && is_noun(self.at + 2)
    }
}

/// Reads large numbers without a unit as grams: behind a food ("chicken 150, rice 200"), or in a list of grams ("200 g rice
/// flour, 105 sorghum flour").
pub(super) fn weigh_bare_numbers(segments: &mut [Segment]) {
    let Some(gram) = measure(GRAM) else { return };
    let is_weighed = |segment: &&Segment| segment.quantity.measure.as_ref() == Some(gram);
    let is_list_of_grams = segments.iter().filter(is_weighed).count() >= MIN_WEIGHED;
    for quantity in segments.iter_mut().map(|segment| &mut segment.quantity) {
        let is_large = quantity.amount.is_some_and(|amount| amount.explicit && amount.value >= MIN_BARE_GRAMS);
        let is_bare = quantity.unit.is_none() && quantity.inches.is_none() && quantity.container.is_none();
        if is_large && is_bare && (quantity.trailing || is_list_of_grams) {
            quantity.unit = Some(GRAM.to_owned());
            quantity.measure = Some(gram.clone());
        }
    }
}
