//! Nutrients for which a source may give several values, some better than others.

use crate::nutrients::{COUNT, Nutrient, Nutrients};

/// Nutrients with the best-ranked value of each.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    values: Nutrients,
    ranks: [u8; COUNT],
}

impl Default for Ranked {
    fn default() -> Self {
        Self { values: Nutrients::default(), ranks: [u8::MAX; COUNT] }
    }
}

impl Ranked {
    /// Adds a value unless one as good is known; 0 is the best rank.
    pub fn add(&mut self, nutrient: Nutrient, rank: u8, value: f32) {
        let best = &mut self.ranks[nutrient as usize];
        if rank < *best {
            *best = rank;
            self.values.set(nutrient, value);
        }
    }

    /// Returns the best values.
    pub fn values(&self) -> Nutrients {
        self.values
    }
}
