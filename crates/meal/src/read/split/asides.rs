//! When and where something was eaten: "an apple after the meeting".

use super::splitter::Splitter;
use crate::lexicon::{Role, Roles};
use crate::read::segment::Joint;

impl Splitter<'_> {
    /// Reads a word that ends the name of a food, as a time or a place follows it: "an apple after the meeting".
    pub(super) fn take_time_or_place(&mut self, roles: Roles) -> bool {
        let next = self.at + self.text.width(self.at);
        // "around 3 eggs", "about the size of": these soften an amount.
        let is_time = roles.has(Role::Preposition) && roles.has(Role::When) && !roles.has(Role::Hedge);
        // "skipped lunch before eating a banana": what follows is a food.
        let is_eaten = self.text.has(next, Role::Eating);
        let ends_name = self.has_content() || self.current.is_empty() && !self.current.negated;
        let is_here = is_time && !is_eaten && ends_name;
        if is_here {
            self.joint(Joint::Aside, next - self.at);
        }
        is_here
    }

    /// Ends the time, meal or place that opens a sentence where somebody eats: "after kettlebells I had an apple", "for dinner we had
    /// pizza, salad and wine".
    pub(super) fn leave_time(&mut self, roles: Roles) {
        let current = &self.current;
        let opens = current.starts && current.joint == Joint::Aside && current.quantity.is_empty();
        if !opens || !roles.has(Role::Eating) {
            return;
        }
        if !self.has_content() {
            self.forget_the_meal();
            self.current.joint = Joint::Start;
        } else if self.text.has(self.joint_at, Role::Preposition) {
            self.joint(Joint::Comma, 0);
        }
    }
}
