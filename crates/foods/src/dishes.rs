//! Dishes missing from the tables, composed of foods that the tables have.
//!
//! The list is text with one block per dish:
//!
//! ```text
//! Shakshouka; shakshuka, chakchouka; bowl 350
//!   100 fndds_31103010 Egg, whole, boiled or poached
//!   200 fndds_74404010 Tomato sauce
//! ```
//!
//! The first line has its name, other names, and measures with their grams; the lines below list what one usual serving is
//! made of. The name after an id is for the reader, and is checked. These grams are the only numbers of our own:
//! everything else is the sum of the parts.

use std::collections::HashMap;

use crate::food::{Food, Origin, Portion, Serving};
use crate::import::check;
use crate::nutrients::{Nutrient, Nutrients};
use crate::text;

/// The separator of the parts in a dish's description. Names of foods contain commas and semicolons, but not this.
pub const PLUS: &str = " + ";
/// The category of dishes.
const CATEGORY: &str = "Dishes";

/// An invalid line of the list.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("line {line}: {reason}")]
pub struct DishError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// A dish of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Dish {
    /// The name.
    pub name: String,
    /// Other names.
    pub other_names: Vec<String>,
    /// The weight of one of each measure.
    pub measures: Vec<Portion>,
    /// What one serving is made of.
    pub parts: Vec<DishPart>,
    line: usize,
}

/// A part of a dish.
#[derive(Clone, Debug, PartialEq)]
pub struct DishPart {
    /// Its weight in one serving.
    pub grams: f32,
    /// The id of the food.
    pub id: String,
    /// The publisher's name for it.
    pub name: String,
    line: usize,
}

/// Reads the list.
pub fn read(list: &str) -> Result<Vec<Dish>, DishError> {
    let mut dishes: Vec<Dish> = Vec::new();
    for (at, text) in list.lines().enumerate() {
        let line = at + 1;
        let error = |reason: &str| DishError { line, reason: reason.to_owned() };
        if text.starts_with('#') || text.trim().is_empty() {
            continue;
        }
        if text.starts_with(' ') {
            let dish = dishes.last_mut().ok_or_else(|| error("a part without a dish"))?;
            dish.parts.push(part(text.trim(), line).ok_or_else(|| error("a part is grams, id and name"))?);
        } else {
            dishes.push(head(text, line).ok_or_else(|| error("a dish is name; other names; measures with grams"))?);
        }
    }
    match dishes.iter().find(|dish| dish.parts.is_empty()) {
        Some(dish) => Err(DishError { line: dish.line, reason: format!("{} has no parts", dish.name) }),
        None => Ok(dishes),
    }
}

fn head(text: &str, line: usize) -> Option<Dish> {
    let mut columns = text.split(';').map(str::trim);
    let (name, others, measures) = (columns.next()?, columns.next()?, columns.next()?);
    let items = |column: &str| -> Vec<String> {
        column.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
    };
    let measure = |text: &String| {
        let (unit, grams) = text.rsplit_once(' ')?;
        Some(Portion::new(format!("1 {unit}"), grams.parse().ok().filter(|grams| check::is_weight(*grams))?))
    };
    let measures = items(measures).iter().map(measure).collect::<Option<Vec<_>>>()?;
    let is_whole = !name.is_empty() && columns.next().is_none();
    is_whole.then(|| Dish { name: name.to_owned(), other_names: items(others), measures, parts: Vec::new(), line })
}

fn part(text: &str, line: usize) -> Option<DishPart> {
    let (grams, rest) = text.split_once(' ')?;
    let (id, name) = rest.split_once(' ')?;
    let grams = grams.parse().ok().filter(|grams| check::is_weight(*grams))?;
    Some(DishPart { grams, id: id.to_owned(), name: name.trim().to_owned(), line })
}

impl Dish {
    /// Returns the dish as a food of the catalog, computed from the foods that it is made of.
    pub fn food(&self, foods: &HashMap<String, Food>) -> Result<Food, DishError> {
        let mut made_of = Vec::new();
        for part in &self.parts {
            let error = |reason: String| DishError { line: part.line, reason };
            let food = foods.get(&part.id).ok_or_else(|| error(format!("no food has the id {}", part.id)))?;
            let name = food.description.as_ref().unwrap_or(&food.name);
            if *name != part.name {
                return Err(error(format!("{} is called {name:?}", part.id)));
            }
            made_of.push((part, food));
        }
        let grams: f32 = self.parts.iter().map(|part| part.grams).sum();
        let mut nutrients = Nutrients::default();
        for &nutrient in Nutrient::ALL {
            // A nutrient that is unknown for one part is unknown for the whole.
            let amounts =
                made_of.iter().map(|(part, food)| food.nutrients.get(nutrient).map(|value| value * part.grams));
            if let Some(sum) = amounts.sum::<Option<f32>>() {
                nutrients.set(nutrient, sum / grams);
            }
        }
        let words: Vec<String> = made_of.iter().map(|(part, _)| format!("{} g {}", part.grams, part.name)).collect();
        let id = format!("dish_{}", text::words(&self.name).join("_"));
        let food = Food {
            category: Some(CATEGORY.to_owned()),
            synonyms: self.other_names.clone(),
            serving: Serving { description: "1 serving".to_owned(), grams },
            ..Food::new(id, Origin::Dish, self.name.clone(), nutrients)
        };
        let mut food = food.with_portions(self.measures.clone());
        check::food(&mut food)
            .map_err(|skip| DishError { line: self.line, reason: format!("{}: {skip}", self.name) })?;
        // Complete, however long: it shows where every number comes from.
        food.description = Some(words.join(PLUS));
        Ok(food)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> HashMap<String, Food> {
        let food = |id: &str, name: &str, values: [f32; 4]| {
            let mut nutrients = Nutrients::default();
            for (nutrient, value) in Nutrient::ALL.iter().zip(values) {
                nutrients.set(*nutrient, value);
            }
            Food::new(id, Origin::Fndds2021, name, nutrients)
        };
        let mut egg = food("fndds_1", "Egg, poached", [140.0, 12.0, 1.0, 10.0]);
        egg.nutrients.set(Nutrient::Sodium, 300.0);
        let sauce = food("fndds_2", "Tomato sauce", [40.0, 2.0, 8.0, 0.0]);
        [egg, sauce].into_iter().map(|food| (food.id.clone(), food)).collect()
    }

    const SHAKSHOUKA: &str = "# Eggs.\nShakshouka; shakshuka, eggs in tomato sauce; bowl 350, cup 240\n\
                              \x20 100 fndds_1 Egg, poached\n  300 fndds_2 Tomato sauce\n";

    #[test]
    fn a_dish_is_the_sum_of_its_parts() {
        let dishes = read(SHAKSHOUKA).expect("the list is right");
        let food = dishes[0].food(&table()).expect("its foods are known");
        assert_eq!(
            (food.id.as_str(), food.name.as_str(), food.origin),
            ("dish_shakshouka", "Shakshouka", Origin::Dish)
        );
        assert_eq!(food.synonyms, ["shakshuka", "eggs in tomato sauce"]);
        assert_eq!((food.serving.grams, food.per_serving(Nutrient::Calories)), (400.0, Some(260.0)));
        assert_eq!(food.nutrients.get(Nutrient::Sodium), None, "the sauce does not tell");
        assert_eq!(food.portions, [Portion::new("1 bowl".to_owned(), 350.0), Portion::new("1 cup".to_owned(), 240.0)]);
        assert_eq!(food.description.as_deref(), Some("100 g Egg, poached + 300 g Tomato sauce"));
    }

    #[test]
    fn a_line_that_makes_no_sense_is_named() {
        let line_of = |list: &str| read(list).expect_err(list).line;
        assert_eq!(line_of("  100 fndds_1 Egg, poached\n"), 1);
        assert_eq!(line_of("Soup; ; \n\nStew; ; \n  1 fndds_1 Egg\n"), 1, "no parts");
        for head in ["Soup", "Soup;", "; ; ", "Soup; ; bowl", "Soup; ; bowl x", "Soup; ; bowl 0", "Soup; ; ; "] {
            assert_eq!(line_of(&format!("# x\n{head}\n  1 fndds_1 Egg\n")), 2, "{head}");
        }
        for part in ["x", "10", "10 fndds_1", "-1 fndds_1 Egg", "NaN fndds_1 Egg"] {
            assert_eq!(line_of(&format!("Soup; ; \n  {part}\n")), 2, "{part}");
        }
    }

    #[test]
    fn a_part_must_be_the_food_that_it_says() {
        for wrong in ["fndds_3 Egg, poached", "fndds_1 Egg, boiled"] {
            let dishes = read(&SHAKSHOUKA.replace("fndds_1 Egg, poached", wrong)).expect("reads");
            assert_eq!(dishes[0].food(&table()).expect_err(wrong).line, 3);
        }
    }
}
