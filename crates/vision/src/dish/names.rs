//! What the outputs of the networks are called.

/// The names, by number.
pub(super) struct Names {
    foods: Vec<&'static str>,
    dishes: Vec<&'static str>,
}

impl Names {
    /// Reads the tables that are part of the program.
    pub fn read() -> Self {
        let foods = include_str!("../../models/dish-classes.tsv").lines();
        Self {
            foods: foods.map(|line| line.split('\t').nth(1).unwrap_or_default()).collect(),
            dishes: include_str!("../../models/dish-aiy-names.txt").lines().collect(),
        }
    }

    /// Of one of our foods.
    pub fn food(&self, number: usize) -> &'static str {
        self.foods[number]
    }

    /// Of one of AIY's dishes; nothing for those that have no name, or none that says what is eaten.
    pub fn dish(&self, number: usize) -> Option<&'static str> {
        self.dishes.get(number).copied().filter(|name| !name.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_has_a_name() {
        let names = Names::read();
        assert_eq!(names.foods.len(), crate::dish::judge::FOODS);
        assert_eq!(names.dishes.len(), crate::dish::judge::DISHES);
        assert!(names.foods.iter().all(|name| !name.is_empty()));
        assert_eq!(names.food(0), "apple pie");
        assert_eq!(names.dish(0), None, "the background is no dish");
        assert!(names.dishes.iter().all(|name| !name.starts_with('/')), "bare ids are no names");
    }

    #[test]
    fn no_food_has_two_outputs() {
        let mut foods = Names::read().foods;
        foods.sort_unstable();
        assert!(foods.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
