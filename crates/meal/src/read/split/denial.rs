//! Words that deny what follows or what is before them.

use super::splitter::Splitter;
use crate::lexicon::{Role, Roles};
use crate::read::segment::Joint;

/// Words that deny what follows.
const DENIALS: Roles = Roles::of(&[Role::Denial, Role::NotDone, Role::Not]);

impl Splitter<'_> {
    /// Reads a word that denies something; returns whether it is one.
    pub(super) fn take_denial(&mut self, roles: Roles) -> bool {
        if !roles.any(DENIALS) {
            return false;
        }
        let next = self.text.roles(self.at + 1);
        if roles.has(Role::Denial) && next.has(Role::Added) {
            self.deny_one_word();
        } else if roles.has(Role::Denial) && next.has(Role::Method) {
            // "no-bake cookies" are made without an oven.
            self.at += 1;
            self.take(true);
        } else if roles.has(Role::Not) && next.has(Role::Eaten) && self.deny_the_word_before() {
            self.at += 2;
        } else if roles.has(Role::NotDone) && self.denies_the_food_before() {
            // "ordered fries but didn't eat any".
            self.close(Joint::Comma);
            if let Some(food) = self.out.last_mut() {
                food.negated = true;
            }
            self.at += 2;
        } else {
            self.joint(Joint::With, self.text.width(self.at));
            self.current.negated = true;
        }
        true
    }

    /// Reads "no added fat rice": what is denied is one word, and the food goes on behind it.
    fn deny_one_word(&mut self) {
        for at in self.at + 1..=self.at + 2 {
            if let Some(denied) = self.text.word(at) {
                self.push_word(denied, true, true);
            }
        }
        self.at += 3;
    }

    /// Denies the word before: "skin not eaten".
    fn deny_the_word_before(&mut self) -> bool {
        let last = self.current.words.last_mut();
        let is_there = last.is_some();
        if let Some(last) = last {
            last.optional = true;
            last.negated = true;
        }
        is_there
    }

    /// Checks whether a verb follows that denies what was named before, and no food.
    fn denies_the_food_before(&self) -> bool {
        let width = self.text.width(self.at);
        let has_food = self.has_content() || !self.out.is_empty();
        has_food && self.text.has(self.at + width, Role::Eating) && !self.names_follow(self.at + width)
    }

    /// Checks whether a denial ends here: "not turkey but ham", "instead of toast I had eggs".
    pub(super) fn ends_denial(&self, roles: Roles) -> bool {
        self.current.negated
            && roles.any(const { Roles::of(&[Role::But, Role::Person, Role::Hedge]) })
            && (roles.has(Role::But) || !self.current.words.is_empty())
    }
}
