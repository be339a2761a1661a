//! Numbers that the eater knows of a food: "a bar, 190 kcal", "yogurt with 9 g fat".

use nutrition::Macros;

use super::splitter::Splitter;
use crate::lexicon::{Measure, Role, Roles};
use crate::read::segment::{Joint, Quantity};

/// Words that may be the noun which a nutrient is said of: "31 g protein mix".
const NOUNS: Roles = Roles::of(&[Role::Compound, Role::Category, Role::Generic, Role::Meal, Role::Free]);

impl Splitter<'_> {
    /// Checks whether calories are stated here: behind a food, with no noun behind them. A "90-calorie bar" is a kind of bar.
    pub(super) fn is_stated_energy(&self, at: usize) -> bool {
        self.text.has(at + 1, Role::Energy) && self.is_stated(at + 2)
    }

    /// Checks whether an amount is that of a nutrient in the food before: "with 9 g fat". "9 g fat free milk" is a food.
    pub(super) fn is_stated_nutrient(&self, quantity: &Quantity, end: usize) -> bool {
        matches!(quantity.measure, Some(Measure::Mass(_))) && self.nutrient(end).is_some() && self.is_stated(end + 1)
    }

    /// Notes the calories of the food before.
    pub(super) fn state_energy(&mut self, value: f64) {
        self.state(Macros { calories: Some(value), ..Macros::default() }, self.at + 2);
    }

    /// Notes the nutrient that is named at a position.
    pub(super) fn state_nutrient(&mut self, value: f64, at: usize) {
        let mut stated = Macros::default();
        match self.nutrient(at) {
            Some(Role::Protein) => stated.protein = Some(value),
            Some(Role::Carbs) => stated.carbs = Some(value),
            _ => stated.fat = Some(value),
        }
        self.state(stated, at + 1);
    }

    fn nutrient(&self, at: usize) -> Option<Role> {
        [Role::Protein, Role::Carbs, Role::Fat].into_iter().find(|role| self.text.has(at, *role))
    }

    /// Checks whether a food is before, and no noun at a position.
    fn is_stated(&self, behind: usize) -> bool {
        let is_noun = self.text.any(behind, NOUNS);
        let says_nothing = self.text.any(behind, const { Roles::of(&[Role::Filler, Role::Each]) });
        let ends = !self.text.is_word(behind) || self.is_joint(behind) || says_nothing && !is_noun;
        let has_food =
            self.has_content() || self.out.iter().any(|segment| !segment.negated && segment.has_required_words());
        ends && has_food
    }

    /// Gives numbers to the food here, else to the one before.
    fn state(&mut self, stated: Macros<Option<f64>>, end: usize) {
        if !self.has_content() {
            self.close(Joint::Comma);
        }
        let is_food = self.has_content();
        let before = self.out.iter_mut().rev().find(|segment| !segment.negated && segment.has_required_words());
        let food = if is_food { Some(&mut self.current) } else { before };
        if let Some(food) = food {
            let known = &mut food.quantity.stated;
            known.numbers = stated.zip_with(known.numbers, Option::or);
            known.each |= self.text.has(end, Role::Each);
        }
        self.at = end;
    }
}
