//! How much work a search may be in one layer.

/// The most entries that a search visits in a layer, in all attempts. Usual ones visit a few thousand.
const MAX_VISITED: usize = 30_000;
/// How often a search may look for other spellings in a layer; two edits count as three times.
const MAX_SPELLINGS: usize = 18;
/// The steps of a search before it visits an entry.
const STEPS_OF_SEARCH: usize = 10_000;
/// The steps of a visit.
const STEPS_OF_VISIT: usize = 150;
/// The steps of a look for other spellings.
const STEPS_OF_SPELLING: usize = 50_000;

/// The work that a search has done in one layer, and may still do.
#[derive(Debug)]
pub(crate) struct Effort {
    visited: usize,
    /// How many entries may be visited in all.
    max_visited: usize,
    spellings: usize,
    max_steps: usize,
}

impl Effort {
    /// Begins a search that may take so many steps.
    pub fn within(max_steps: usize) -> Self {
        let mut effort = Self { visited: 0, max_visited: 0, spellings: 0, max_steps };
        effort.limit_visits();
        effort
    }

    /// Counts an entry; returns whether it may still be visited.
    pub fn visit(&mut self) -> bool {
        self.visited += 1;
        self.visited <= self.max_visited
    }

    /// Counts a look for other spellings within so many edits; returns whether it may still be taken.
    pub fn spell(&mut self, edits: u8) -> bool {
        let steps = if edits < 2 { 1 } else { 3 };
        let may_spell =
            self.spellings + steps <= MAX_SPELLINGS && self.steps() + steps * STEPS_OF_SPELLING <= self.max_steps;
        if may_spell {
            self.spellings += steps;
            self.limit_visits();
        }
        may_spell
    }

    /// Leaves for visits what looks for other spellings have not taken.
    fn limit_visits(&mut self) {
        let left = self.max_steps.saturating_sub(STEPS_OF_SEARCH + self.spellings * STEPS_OF_SPELLING);
        self.max_visited = MAX_VISITED.min(left / STEPS_OF_VISIT);
    }

    /// Returns the work in steps of about a nanosecond.
    pub fn steps(&self) -> usize {
        STEPS_OF_SEARCH + self.visited * STEPS_OF_VISIT + self.spellings * STEPS_OF_SPELLING
    }
}
