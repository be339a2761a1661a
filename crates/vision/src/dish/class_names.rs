//! The names of the networks' outputs. What has the same name is the same food, whichever network it comes from.

use std::collections::HashSet;

/// The names, by output.
pub(super) struct ClassNames {
    foods: Vec<&'static str>,
    dishes: Vec<&'static str>,
    /// Whether a dish of AIY is neither one of our foods nor a kind of one, by output.
    others: Vec<bool>,
}

impl ClassNames {
    /// Reads the tables that are part of the program.
    pub fn read() -> Self {
        let foods = include_str!("../../models/dish-classes.tsv").lines();
        let foods: Vec<&str> = foods.map(|line| line.split('\t').nth(1).unwrap_or_default()).collect();
        let dishes: Vec<&str> = include_str!("../../models/dish-aiy-names.txt").lines().collect();
        let ours: HashSet<&str> = foods.iter().copied().chain(kinds().map(|(dish, _)| dish)).collect();
        let others = dishes.iter().map(|name| !name.is_empty() && !ours.contains(name)).collect();
        Self { foods, dishes, others }
    }

    /// Returns the name of one of our foods.
    pub fn food(&self, class: usize) -> &'static str {
        self.foods[class]
    }

    /// Returns the class of one of our foods, or `None` if it has another name.
    pub fn class_of(&self, name: &str) -> Option<usize> {
        self.foods.iter().position(|food| *food == name)
    }

    /// Returns the name of one of AIY's dishes, or `None` if the class has no name that says what is eaten.
    pub fn dish(&self, class: usize) -> Option<&'static str> {
        self.dishes.get(class).copied().filter(|name| !name.is_empty())
    }

    /// Checks whether one of AIY's dishes has a name and is neither one of our foods nor a kind of one.
    pub fn is_other(&self, class: usize) -> bool {
        self.others.get(class).copied().unwrap_or(false)
    }
}

/// Returns the dishes of AIY that are a kind of one of our foods, or that AIY takes it for: a cheeseburger, an ear of
/// grilled corn.
fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("../../models/dish-kinds.tsv").lines().filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::super::scores::{AIY_CLASSES, FOODS};
    use super::*;

    #[test]
    fn every_output_has_a_name() {
        let names = ClassNames::read();
        assert_eq!(names.foods.len(), FOODS);
        assert_eq!(names.dishes.len(), AIY_CLASSES);
        assert!(names.foods.iter().all(|name| !name.is_empty()));
        assert_eq!(names.food(0), "apple pie");
        assert_eq!([names.class_of("apple pie"), names.class_of("jollof rice")], [Some(0), None]);
        assert_eq!(names.dish(0), None, "the background is not a dish");
        assert!(names.dishes.iter().all(|name| !name.starts_with('/')), "bare ids are not names");
    }

    #[test]
    fn every_kind_is_a_dish_of_aiy_and_belongs_to_a_food_of_ours() {
        let names = ClassNames::read();
        for (dish, food) in kinds() {
            let class = names.dishes.iter().position(|name| *name == dish);
            assert!(class.is_some_and(|class| !names.is_other(class)), "{dish}");
            assert!(names.foods.contains(&food) && !names.foods.contains(&dish), "{dish} of {food}");
        }
        let other = |wanted: &str| names.dishes.iter().position(|name| *name == wanted).map(|at| names.is_other(at));
        assert_eq!(other("jollof rice"), Some(true));
        assert_eq!(other("samosa"), Some(false), "it is one of our foods");
        assert_eq!(other("cheeseburger"), Some(false));
    }

    #[test]
    fn dishes_of_the_world_are_foods_of_ours() {
        let names = ClassNames::read();
        for dish in ["dosa", "idli", "biryani", "mapo tofu", "bulgogi", "cơm tấm", "lahmacun", "empanada", "fufu"] {
            assert!(names.class_of(dish).is_some(), "{dish}");
        }
        let twice = names.foods.iter().filter(|food| names.dishes.contains(food)).count();
        assert!(twice > 100, "what both know has one name: {twice}");
    }

    #[test]
    fn no_food_has_two_outputs() {
        let mut foods = ClassNames::read().foods;
        foods.sort_unstable();
        assert!(foods.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
