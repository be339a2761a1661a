//! An item: a food of a meal with its amount, its numbers, and how certain they are.

use std::sync::Arc;

use foods::Food;
use nutrition::Macros;

use crate::link::seen::Seen;
use crate::portion::Weight;

/// How certain a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The caller's own recipe.
    Recipe,
    /// The food and its mass are known.
    Measured,
    /// The food is known, and its mass follows from its portions.
    Derived,
    /// The food or its mass is a guess.
    Estimated,
}

impl Tier {
    /// Returns the name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Recipe => "recipe",
            Tier::Measured => "measured",
            Tier::Derived => "derived",
            Tier::Estimated => "estimated",
        }
    }
}

/// One food of a meal.
#[derive(Clone, Debug)]
pub struct Item {
    /// The food.
    pub food: Food,
    /// What to call the food, if not by its name in the catalog: its name in the language of the text, or its everyday name if the
    /// catalog has only another one that stands in for it.
    pub local_name: Option<String>,
    /// The number of units.
    pub quantity: f64,
    /// The unit in words.
    pub unit: String,
    /// What the amount weighs.
    pub weight: Weight,
    /// The numbers of the amount, rounded as answers show them.
    pub macros: Macros,
    /// The range in which the true numbers probably are.
    pub range: Range,
    /// How certain the numbers are.
    pub tier: Tier,
    /// Other foods that may be meant, best first.
    pub alternatives: Vec<Food>,
    /// The photo it was seen in, if it was not typed.
    pub seen: Option<Arc<Seen>>,
}

/// The lowest and the highest plausible value of each number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The low end.
    pub low: Macros,
    /// The high end.
    pub high: Macros,
}

impl Range {
    /// Widens the range on both ends by a factor.
    #[must_use]
    pub(crate) fn widened(self, factor: f64) -> Self {
        Self { low: self.low.times(1.0 / factor).shown(), high: self.high.times(factor).shown() }
    }
}
