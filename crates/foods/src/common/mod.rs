//! Common foods: what people mean by everyday names, and what their usual portions weigh.
//!
//! The food tables name foods for interviewers and laboratories, and do not say which row is meant by "rice" or "a coke". The
//! list beside this file does: for each common food its everyday names, the row of the tables, and its usual portions, each
//! with the reason. It is data: to teach the program a name, add it to a row.

/// A common food.
#[derive(Clone, Debug, PartialEq)]
pub struct CommonFood {
    /// The names that people use, in lower case.
    pub names: Vec<&'static str>,
    /// The id of the food in the catalog.
    pub id: &'static str,
    /// The food is only the closest one that the catalog has.
    pub is_stand_in: bool,
    /// Calories per 100 g that the food should have, which a test compares.
    pub calories: f32,
    /// The usual portions. The first is what is meant if no amount is given.
    pub portions: Vec<CommonPortion>,
}

/// A usual portion of a common food.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonPortion {
    /// The measure or the size: "glass", "large".
    pub measure: &'static str,
    /// What it weighs.
    pub grams: f32,
    /// It holds even where the food tables have another weight.
    pub is_sure: bool,
}

/// Marks the id of a stand-in.
const STAND_IN: char = '~';
/// Marks a portion that is sure.
const SURE: char = '!';

/// Returns all common foods, in the order of the list.
pub fn all() -> impl Iterator<Item = CommonFood> {
    include_str!("foods.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(parse)
}

/// Parses a row: names, id, calories per 100 g, portions, reason.
fn parse(line: &'static str) -> Option<CommonFood> {
    let mut columns = line.split('\t');
    let names = columns.next()?.split('|').map(str::trim).filter(|name| !name.is_empty()).collect();
    let id = columns.next()?;
    let calories = columns.next()?.parse().ok()?;
    let portions = portions_of(columns.next()?).collect();
    let stand_in = id.strip_prefix(STAND_IN);
    Some(CommonFood { names, id: stand_in.unwrap_or(id), is_stand_in: stand_in.is_some(), calories, portions })
}

/// Reads a list of portions: "glass 244, splash 15". What is no portion is left out.
pub fn portions_of(list: &'static str) -> impl Iterator<Item = CommonPortion> {
    list.split(',').filter_map(parse_portion)
}

fn parse_portion(text: &'static str) -> Option<CommonPortion> {
    let (measure, grams) = text.trim().rsplit_once(' ')?;
    let grams: f32 = grams.parse().ok()?;
    let sure = measure.strip_suffix(SURE);
    Some(CommonPortion { measure: sure.unwrap_or(measure), grams, is_sure: sure.is_some() })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_row_is_read() {
        let rows = include_str!("foods.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        let all: Vec<CommonFood> = all().collect();
        assert_eq!(all.len(), rows);
        let mut names = HashSet::new();
        for food in &all {
            assert!(!food.names.is_empty() && !food.portions.is_empty(), "{food:?}");
            assert!(food.portions.iter().all(|portion| portion.grams > 0.0), "{food:?}");
            for name in &food.names {
                assert!(names.insert(*name), "{name} is in two rows");
            }
        }
    }

    #[test]
    fn a_row_has_names_a_food_and_portions() {
        let milk = parse("milk | cow's milk\t~fndds_1\t61\tglass! 244, splash 15.5\tusda cup").expect("a row");
        assert_eq!(milk.names, ["milk", "cow's milk"]);
        assert_eq!((milk.id, milk.is_stand_in), ("fndds_1", true));
        let portions: Vec<(&str, f32)> = milk.portions.iter().map(|portion| (portion.measure, portion.grams)).collect();
        assert_eq!(portions, [("glass", 244.0), ("splash", 15.5)]);
        assert!(milk.portions[0].is_sure && !milk.portions[1].is_sure);
    }
}
