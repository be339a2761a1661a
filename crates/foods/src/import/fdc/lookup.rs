//! The small tables that rows refer to: categories, measures, nutrients.

use std::collections::HashMap;

use super::nutrient::Slots;
use crate::import::input::Input;
use crate::import::report::{ImportError, Report};
use crate::import::table::{Dialect, Table};

/// The most rows of a table, so that a damaged one cannot fill the memory; the official ones have a few hundred.
const MAX_ROWS: usize = 100_000;

/// What the numbers in the large tables mean.
pub(super) struct Lookups {
    /// Categories of the food groups, by id.
    pub categories: HashMap<String, String>,
    /// Categories of the survey ("What We Eat In America"), by number.
    pub survey_categories: HashMap<String, String>,
    /// Household measures, by id.
    pub measures: HashMap<String, String>,
    /// Nutrients, by id.
    pub slots: Slots,
}

impl Lookups {
    /// Reads the tables that exist.
    pub fn read(input: &mut Input, report: &mut Report) -> Result<Self, ImportError> {
        let survey_keys = ["wweia_food_category", "wweia_food_category_code", "wweia_category_number"];
        let survey_values = ["wweia_food_category_description", "description"];
        let mut slots = Slots::new();
        let numbers = pairs(input, "nutrient.csv", &["id"], &["nutrient_nbr"], report)?;
        for (id, number) in &numbers {
            slots.learn(id, number.trim_end_matches(".0"));
        }
        Ok(Self {
            categories: pairs(input, "food_category.csv", &["id"], &["description"], report)?,
            survey_categories: pairs(input, "wweia_food_category.csv", &survey_keys, &survey_values, report)?,
            measures: pairs(input, "measure_unit.csv", &["id"], &["name"], report)?,
            slots,
        })
    }

    /// Returns the name of a category: by its number, or the field itself if it has words.
    pub fn category(&self, survey: bool, field: &str) -> Option<String> {
        let table = if survey { &self.survey_categories } else { &self.categories };
        let known = table.get(field).cloned();
        known.or_else(|| field.contains(char::is_alphabetic).then(|| field.to_owned())).filter(|text| !text.is_empty())
    }
}

/// Reads two columns of a table as a map; the column names are those of several editions.
fn pairs(
    input: &mut Input,
    name: &str,
    keys: &[&str],
    values: &[&str],
    report: &mut Report,
) -> Result<HashMap<String, String>, ImportError> {
    let path = input.table_path(name);
    let mut map = HashMap::new();
    let Some(stream) = input.table(name)? else { return Ok(map) };
    let mut table = Table::new(stream, Dialect::CSV, &path)?;
    let find = |names: &[&str]| names.iter().find_map(|name| table.column(name));
    let (Some(key), Some(value)) = (find(keys), find(values)) else {
        let wanted =
            format!("has no columns {} and {}; is it the right table?", keys.join(" or "), values.join(" or "));
        return Err(ImportError::format(&path, &wanted));
    };
    while let Some(record) = table.next_record(report)? {
        if map.len() < MAX_ROWS {
            map.insert(record.get(key).to_owned(), record.get(value).to_owned());
        }
    }
    Ok(map)
}
