//! What a text comes to: foods with amounts, numbers and how sure they are.

use std::sync::Arc;

use foods::{Food, Nutrient};

use crate::link::seen::Seen;
use crate::portion::Weight;

/// How sure a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The caller's own recipe.
    Recipe,
    /// The food and its mass were said.
    Measured,
    /// The food was said, the mass follows from its portions.
    Derived,
    /// Food or mass is a guess.
    Estimated,
}

impl Tier {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Recipe => "recipe",
            Tier::Measured => "measured",
            Tier::Derived => "derived",
            Tier::Estimated => "estimated",
        }
    }
}

/// The four numbers that every answer shows: calories whole, grams with one decimal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values {
    /// Kilocalories.
    pub calories: f64,
    /// Grams.
    pub protein: f64,
    /// Grams.
    pub carbs: f64,
    /// Grams.
    pub fat: f64,
}

impl Values {
    /// The values of so many grams of a food, as they are shown.
    pub fn of(food: &Food, grams: f64) -> Self {
        let value = |nutrient| f64::from(food.nutrients.get(nutrient).unwrap_or(0.0)) * grams / 100.0;
        Self {
            calories: value(Nutrient::Calories),
            protein: value(Nutrient::Protein),
            carbs: value(Nutrient::Carbs),
            fat: value(Nutrient::Fat),
        }
        .shown()
    }

    /// Rounded as answers show them.
    #[must_use]
    pub fn shown(self) -> Self {
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        Self {
            calories: self.calories.round(),
            protein: tenth(self.protein),
            carbs: tenth(self.carbs),
            fat: tenth(self.fat),
        }
    }

    /// So many times as much, as it is shown.
    #[must_use]
    pub(crate) fn times(self, factor: f64) -> Self {
        Self {
            calories: self.calories * factor,
            protein: self.protein * factor,
            carbs: self.carbs * factor,
            fat: self.fat * factor,
        }
        .shown()
    }

    /// The lower of each two numbers.
    #[must_use]
    pub(crate) fn least(self, other: Self) -> Self {
        self.pairwise(other, f64::min)
    }

    /// The higher of each two numbers.
    #[must_use]
    pub(crate) fn most(self, other: Self) -> Self {
        self.pairwise(other, f64::max)
    }

    fn pairwise(self, other: Self, choose: fn(f64, f64) -> f64) -> Self {
        Self {
            calories: choose(self.calories, other.calories),
            protein: choose(self.protein, other.protein),
            carbs: choose(self.carbs, other.carbs),
            fat: choose(self.fat, other.fat),
        }
    }

    /// The sum of what is shown, without the noise of binary fractions.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Values>) -> Self {
        let total = all.fold(Self::default(), |sum, values| Self {
            calories: sum.calories + values.calories,
            protein: sum.protein + values.protein,
            carbs: sum.carbs + values.carbs,
            fat: sum.fat + values.fat,
        });
        total.shown()
    }
}

/// One food of a meal.
#[derive(Clone, Debug)]
pub struct Item {
    /// The food.
    pub food: Food,
    /// The amount of the unit.
    pub quantity: f64,
    /// The unit, in words.
    pub unit: String,
    /// What it weighs.
    pub weight: Weight,
    /// The numbers of the whole amount.
    pub values: Values,
    /// Between which the true numbers probably lie.
    pub range: Range,
    /// How sure they are.
    pub tier: Tier,
    /// Other foods that may be meant, best first.
    pub alternatives: Vec<Food>,
    /// How it was seen, where it was not said.
    pub seen: Option<Arc<Seen>>,
}

/// The lowest and the highest value that is plausible, for each number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The low end.
    pub low: Values,
    /// The high end.
    pub high: Values,
}
