//! Shares: what was eaten of a food that was named before.

use foods::text::singular;

use super::splitter::Splitter;
use crate::lexicon::{MeasureTrait, Role, Roles, measure_is};
use crate::read::amount::{self, Amount};
use crate::read::segment::Joint;

/// What is eaten of something that two people share, if nothing says more.
const HALF: f64 = 0.5;
/// How far to look for those who shared.
const MAX_AHEAD: usize = 12;
/// Words that begin what was shared.
const BEGINNINGS: Roles = Roles::of(&[Role::Indefinite, Role::Definite, Role::Possessive, Role::Pronoun, Role::With]);
/// Words that refer to what was named before.
const REFERENCES: Roles = Roles::of(&[Role::Pronoun, Role::All]);

impl Splitter<'_> {
    /// Reads "shared" and "left half"; returns whether a word is one of them.
    pub(super) fn take_share(&mut self, roles: Roles) -> bool {
        if roles.has(Role::Left) {
            let share =
                amount::read(self.text, self.at + 1).filter(|(amount, after)| self.is_share_of_it(*amount, *after));
            if let Some((amount, after)) = share {
                self.take_share_of_before(1.0 - amount.value, after);
            } else if self.text.any(self.at + 1, const { Roles::of(&[Role::Definite, Role::Possessive]) }) {
                // "left the crust".
                self.joint(Joint::With, 1);
                self.current.negated = true;
            } else {
                return false;
            }
            return true;
        }
        if !roles.has(Role::Shared) {
            return false;
        }
        let share = self.share_among_people();
        // The article of "split a" begins the food.
        let is_begun = self.text.any(self.at + 1, BEGINNINGS);
        let behind = self.at + if is_begun { 1 } else { self.text.width(self.at) };
        if !self.names_follow(behind) {
            self.count_what_was_shared();
        }
        if self.names_follow(behind) || self.has_content() && self.current.joint == Joint::Start {
            self.current.share = Some(share);
            self.at = behind;
        } else {
            self.take_share_of_before(share, behind);
        }
        true
    }

    /// Counts one of what was shared: "pizza to share" is a whole one, and no slice.
    fn count_what_was_shared(&mut self) {
        let is_plural = self.is_plural;
        let has_content = self.has_content();
        let food = if has_content { Some(&mut self.current) } else { self.out.last_mut() };
        let Some(food) = food.filter(|food| food.quantity.is_empty() && !food.quantity.is_plural) else { return };
        if !(has_content && is_plural) {
            food.quantity.amount = Some(Amount::implied_one());
        }
    }

    /// Checks whether an amount says how much of the food before was eaten: "ate about half", "had a third of it".
    pub(super) fn is_share(&self, amount: Amount, after: usize) -> bool {
        let before = self.at.checked_sub(1);
        let says_nothing = |at: usize| self.text.any(at, const { Roles::of(&[Role::Hedge, Role::Only]) });
        let verb = before.and_then(|before| (0..=before).rev().take(4).find(|&at| !says_nothing(at)));
        let is_eaten = verb.is_some_and(|verb| self.text.has(verb, Role::Eating));
        !self.has_content()
            && !self.out.is_empty()
            && (is_eaten || self.refers_back(after))
            && self.is_share_of_it(amount, after)
    }

    /// Gives a count to the food before it: "tacos, three of them with beef". Returns whether it is one.
    pub(super) fn take_count_of_before(&mut self, amount: Amount, after: usize) -> bool {
        let is_count = amount.explicit && amount.value >= 1.0 && !self.has_content();
        let refers = self.text.has(after, Role::Of) && self.text.has(after + 1, Role::Pronoun);
        let food = self.out.last_mut().filter(|food| food.has_required_words() && !food.negated);
        let Some(food) = food.filter(|food| is_count && refers && !food.quantity.is_explicit()) else { return false };
        food.quantity.amount = Some(amount);
        self.at = after + 2;
        true
    }

    /// Checks whether an amount is a share of several that are known: "half of the fries".
    pub(super) fn is_share_of_many(&self, amount: Amount, after: usize) -> bool {
        let is_known = |at: usize| self.text.any(at, const { Roles::of(&[Role::Definite, Role::Possessive]) });
        let noun = after + usize::from(is_known(after));
        let is_plural =
            self.text.word(noun).is_some_and(|word| singular(word) != word) && self.text.unit(noun).is_none();
        let is_fraction = amount.explicit && amount.value < 1.0;
        is_fraction && !self.has_content() && is_plural && (noun > after || is_known(after - 1))
    }

    /// Checks whether an amount is a fraction that no food, unit or measure follows.
    fn is_share_of_it(&self, amount: Amount, after: usize) -> bool {
        let is_fraction = amount.explicit && amount.value < 1.0 && amount.value > 0.0;
        is_fraction
            && (self.refers_back(after)
                || self.width_of_whole(after) > 0
                || !self.names_follow(after) && self.text.unit(after).is_none())
    }

    /// Returns how many tokens name what a whole meal is in, as in "half the container".
    fn width_of_whole(&self, at: usize) -> usize {
        let is_known = at.checked_sub(1).is_some_and(|before| {
            self.text.any(before, const { Roles::of(&[Role::Definite, Role::Possessive, Role::Demonstrative]) })
        });
        let Some((unit, _, width)) = self.text.unit(at).filter(|_| is_known) else { return 0 };
        let holds = [MeasureTrait::Container, MeasureTrait::Vessel, MeasureTrait::Plain];
        let is_whole = holds.iter().any(|what| measure_is(unit, *what)) && !self.text.has(at + width, Role::Of);
        if is_whole && !self.names_follow(at + width) { width } else { 0 }
    }

    /// Checks whether "of it" or "of them" is here.
    fn refers_back(&self, at: usize) -> bool {
        let at = at + usize::from(self.text.has(at, Role::Of));
        self.text.any(at, REFERENCES) && !self.names_follow(at + 1)
    }

    /// Ends the segment and adds one that only has a share.
    pub(super) fn take_share_of_before(&mut self, share: f64, end: usize) {
        self.close(Joint::Comma);
        self.current.share = Some(share);
        self.at = end + self.width_of_whole(end);
        if self.refers_back(end) {
            self.at += 1 + usize::from(self.text.has(end, Role::Of));
        }
        self.close(Joint::Comma);
    }

    /// Returns the share of one of the people who are named here: "with two friends", "between four".
    fn share_among_people(&self) -> f64 {
        let ahead = self.at + 1..self.text.len().min(self.at + MAX_AHEAD);
        let mut people =
            ahead.filter(|&at| self.text.any(at, const { Roles::of(&[Role::With, Role::In, Role::Aside]) }));
        let count = people.find_map(|at| {
            let (amount, after) =
                amount::read(self.text, at + 1).filter(|(amount, _)| amount.explicit && amount.value >= 1.0)?;
            let with_me = if self.text.has(at, Role::With) { 1.0 } else { 0.0 };
            let are_people =
                self.text.has(after, Role::OtherUnit) || !self.names_follow(after) && self.text.unit(after).is_none();
            are_people.then_some(amount.value + with_me)
        });
        count.filter(|count| *count >= 2.0).map_or(HALF, |count| 1.0 / count)
    }
}
