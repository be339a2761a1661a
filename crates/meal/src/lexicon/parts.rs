//! What dishes can be ordered without.

/// A part of a dish.
#[derive(Debug, PartialEq)]
pub struct DishPart {
    /// The word for it.
    pub name: &'static str,
    /// The words of the dishes that have it.
    pub dishes: Vec<&'static str>,
    /// Its share of their weight.
    pub share: f64,
    /// The food that it is.
    pub food: &'static str,
    /// Only a dish that has it in its name has it.
    pub if_named: bool,
}

/// Marks a part that not every such dish has.
const IF_NAMED: &str = "if named";

impl DishPart {
    /// Reads a row: part, dishes, share, food, and whether it must be named.
    pub fn parse(row: &'static str) -> Option<Self> {
        let mut columns = row.split('\t');
        let (name, dishes) = (columns.next()?, columns.next()?.split(' ').collect());
        let share = columns.next()?.parse().ok()?;
        Some(Self { name, dishes, share, food: columns.next()?, if_named: columns.next() == Some(IF_NAMED) })
    }

    /// Checks whether a dish with a name of these words has it.
    pub fn is_of(&self, name: &[String]) -> bool {
        let is_named = || name.iter().any(|word| word.contains(self.name));
        let is_dish = |dish: &&str| name.iter().any(|word| word == dish);
        self.dishes.iter().any(is_dish) && (!self.if_named || is_named())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::language::{ENGLISH, rows};

    #[test]
    fn every_row_is_a_part_that_leaves_something() {
        for row in rows(ENGLISH.parts) {
            let part = DishPart::parse(row)
                .unwrap_or_else(|| panic!("expected a part, dishes, a share and a food in {row:?}"));
            assert!((0.01..0.9).contains(&part.share), "{row}");
        }
    }
}
