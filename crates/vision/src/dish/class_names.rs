//! The names of the networks' outputs.

/// The names, by output.
pub(super) struct ClassNames {
    foods: Vec<&'static str>,
    dishes: Vec<&'static str>,
}

impl ClassNames {
    /// Reads the tables that are part of the program.
    pub fn read() -> Self {
        let foods = include_str!("../../models/dish-classes.tsv").lines();
        Self {
            foods: foods.map(|line| line.split('\t').nth(1).unwrap_or_default()).collect(),
            dishes: include_str!("../../models/dish-aiy-names.txt").lines().collect(),
        }
    }

    /// Returns the name of one of our foods.
    pub fn food(&self, class: usize) -> &'static str {
        self.foods[class]
    }

    /// Returns the name of one of AIY's dishes, or `None` if the class has no name that says what is eaten.
    pub fn dish(&self, class: usize) -> Option<&'static str> {
        self.dishes.get(class).copied().filter(|name| !name.is_empty())
    }
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
        assert_eq!(names.dish(0), None, "the background is not a dish");
        assert!(names.dishes.iter().all(|name| !name.starts_with('/')), "bare ids are not names");
    }

    #[test]
    fn no_food_has_two_outputs() {
        let mut foods = ClassNames::read().foods;
        foods.sort_unstable();
        assert!(foods.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
