//! How much work one estimate may cause.
//!
//! A text can have thousands of foods, and each is compared with thousands of names. Work is counted in steps of about a
//! nanosecond, and when they are used up, what is left of the text is reported as not resolved. The same messages always take
//! the same steps, whatever is in a cache, so that an answer never depends on what was asked before.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The steps of one estimate: those of dozens of foods, more than anyone eats in a day.
const MAX_STEPS: usize = 2_000_000;

/// The steps that an estimate has taken.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    taken: Cell<usize>,
    /// What has been worked out once, and is only looked up from then on.
    known: RefCell<HashSet<u64>>,
}

impl Budget {
    /// Counts steps.
    pub fn take(&self, steps: usize) {
        self.taken.set(self.taken.get() + steps);
    }

    /// Counts the steps of working something out, or those of looking it up if this estimate has worked it out before.
    pub fn take_once(&self, key: &str, steps: usize, steps_of_lookup: usize) {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let is_new = self.known.borrow_mut().insert(hasher.finish());
        self.take(if is_new { steps } else { steps_of_lookup });
    }

    /// Checks whether no steps are left.
    pub fn is_spent(&self) -> bool {
        self.taken.get() >= MAX_STEPS
    }

    /// Returns how many steps are left.
    pub fn left(&self) -> usize {
        MAX_STEPS.saturating_sub(self.taken.get())
    }

    /// Returns how many steps have been taken.
    pub fn taken(&self) -> usize {
        self.taken.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_worked_out_once_is_looked_up() {
        let budget = Budget::default();
        for key in ["egg", "toast", "egg", "egg"] {
            budget.take_once(key, 1_000, 1);
        }
        assert_eq!(budget.taken(), 2_002);
        assert!(!budget.is_spent());
        budget.take(MAX_STEPS - 2_002);
        assert!(budget.is_spent());
    }
}
