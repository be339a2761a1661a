//! Corrections inside a text: "two eggs, actually three", "made a dozen cupcakes and ate one".

use super::splitter::Splitter;
use crate::lexicon::{Role, Roles};
use crate::read::amount;
use crate::read::segment::Joint;
use crate::read::token::Token;

/// How far to look back for the verb of a sentence.
const MAX_BEHIND: usize = 16;
/// What a correction may point at: "make that two".
const POINTERS: Roles = Roles::of(&[Role::Demonstrative, Role::Pronoun]);

impl Splitter<'_> {
    /// Reads words that announce a correction of the food before them.
    pub(super) fn take_correction(&mut self, roles: Roles) -> bool {
        let Some(width) = self.width_of_correction(roles) else { return false };
        let amount_follows = || amount::read(self.text, self.at + width).is_some_and(|(amount, _)| amount.explicit);
        let is_behind_food = self.out.len() > self.before_sentence
            && self.out.last().is_some_and(|food| !food.negated && food.has_required_words());
        if self.current.is_empty() && is_behind_food && !self.current.negated {
            self.at += width;
        } else if self.has_content() && !self.current.negated && amount_follows() {
            // "2 eggs oops 3 eggs".
            self.joint(Joint::Comma, width);
        } else {
            return false;
        }
        self.current.corrects = true;
        true
    }

    /// Returns how many tokens announce a correction here: "actually", "make that", "scratch that", "no wait".
    fn width_of_correction(&self, roles: Roles) -> Option<usize> {
        let width = self.text.width(self.at);
        let next = self.at + width;
        let points = || self.text.any(next, POINTERS);
        // "a biscuit, well two biscuits"; a steak may be well done.
        let is_second_thought = || {
            let is_set_off = self.at.checked_sub(1).is_some_and(|before| self.text.tokens[before] == Token::Comma);
            is_set_off && amount::read(self.text, next).is_some_and(|(amount, _)| amount.explicit)
        };
        if roles.has(Role::Correction) || roles.has(Role::Opener) && roles.has(Role::Too) && is_second_thought() {
            Some(width)
        } else if roles.any(const { Roles::of(&[Role::Make, Role::Undo]) }) && points()
            || roles.has(Role::Answer) && self.text.has(next, Role::Correction)
        {
            Some(width + self.text.width(next))
        } else {
            None
        }
    }

    /// Notes that the amount behind a verb of eating is what was eaten of the food before, which was only made or bought:
    /// "ordered a pizza and ate 3 slices".
    pub(super) fn note_what_was_eaten(&mut self, roles: Roles) {
        let is_behind = self.current.is_empty() && matches!(self.current.joint, Joint::And | Joint::Comma);
        if !roles.has(Role::Eating) || !is_behind || self.was_eaten_before() {
            return;
        }
        let amount = amount::read(self.text, self.at + 1).filter(|(amount, _)| amount.explicit && amount.value >= 1.0);
        self.current.corrects |= amount.is_some_and(|(amount, after)| {
            let end = self.measure(amount, after).1;
            !self.names_follow(end) && !self.text.any(end, const { Roles::of(&[Role::More, Role::OtherUnit]) })
        });
    }

    /// Checks whether a verb of eating is before this one in the sentence.
    fn was_eaten_before(&self) -> bool {
        let is_inside = |at: &usize| self.text.tokens.get(*at) != Some(&Token::Stop);
        let mut before = (0..self.at).rev().take(MAX_BEHIND).take_while(is_inside);
        before.any(|at| self.text.has(at, Role::Eating))
    }
}
