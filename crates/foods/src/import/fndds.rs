//! FNDDS as USDA publishes it for reading: the "At A Glance" tables, saved as CSV.
//!
//! Three tables in a folder: foods, nutrients, portions. Each begins with a title that names the edition, then a header
//! whose names run over several lines. An edition has 5,000 to 7,000 foods, so it is held in memory.

use std::collections::HashMap;
use std::path::Path;

use super::input::{Input, Stream};
use super::report::{ImportError, Report, Sink, Skip};
use super::run::Run;
use super::table::{Dialect, Table};
use super::{check, serving};
use crate::food::{Food, Origin, Portion};
use crate::name;
use crate::nutrients::{Nutrient, Nutrients};

/// The three tables.
pub(super) const TABLES: [&str; 3] = ["foods.csv", "nutrients.csv", "portions.csv"];

/// The columns of the table of nutrients.
const COLUMNS: &[(&str, Nutrient)] = &[
    ("Energy (kcal)", Nutrient::Calories),
    ("Protein (g)", Nutrient::Protein),
    ("Carbohydrate (g)", Nutrient::Carbs),
    ("Total Fat (g)", Nutrient::Fat),
    ("Sugars, total (g)", Nutrient::Sugars),
    ("Fiber, total dietary (g)", Nutrient::Fiber),
    ("Fatty acids, total saturated (g)", Nutrient::SaturatedFat),
    ("Fatty acids, total monounsaturated (g)", Nutrient::MonounsaturatedFat),
    ("Fatty acids, total polyunsaturated (g)", Nutrient::PolyunsaturatedFat),
    ("Cholesterol (mg)", Nutrient::Cholesterol),
    ("Vitamin A, RAE (mcg_RAE)", Nutrient::VitaminA),
    ("Vitamin B-6 (mg)", Nutrient::VitaminB6),
    ("Folate, total (mcg)", Nutrient::Folate),
    ("Choline, total (mg)", Nutrient::Choline),
    ("Vitamin B-12 (mcg)", Nutrient::VitaminB12),
    ("Vitamin C (mg)", Nutrient::VitaminC),
    ("Vitamin D (D2 + D3) (mcg)", Nutrient::VitaminD),
    ("Vitamin E (alpha-tocopherol) (mg)", Nutrient::VitaminE),
    ("Vitamin K (phylloquinone) (mcg)", Nutrient::VitaminK),
    ("Calcium (mg)", Nutrient::Calcium),
    ("Phosphorus (mg)", Nutrient::Phosphorus),
    ("Magnesium (mg)", Nutrient::Magnesium),
    ("Iron (mg)", Nutrient::Iron),
    ("Zinc (mg)", Nutrient::Zinc),
    ("Selenium (mcg)", Nutrient::Selenium),
    ("Potassium (mg)", Nutrient::Potassium),
    ("Sodium (mg)", Nutrient::Sodium),
    ("Caffeine (mg)", Nutrient::Caffeine),
    ("Alcohol (g)", Nutrient::Alcohol),
    ("Water (g)", Nutrient::Water),
];

/// A portion with its sort key: those of the food itself before those of single brands, then as numbered.
type Numbered = (bool, f32, Portion);

/// Reads a folder of "At A Glance" tables. Foods come in the order of the table of foods.
pub fn read(folder: &Path, report: &mut Report, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut input = Input::open(folder)?;
    let total = TABLES.iter().filter_map(|name| input.sizes(name)).map(|(size, _)| size).sum();
    let mut run = Run::new(report, sink, input.counter(), total);
    let mut values = read_nutrients(&mut input, &mut run)?;
    let mut portions = read_portions(&mut input, &mut run)?;
    let (mut table, origin) = open(&mut input, "foods.csv")?;
    let [code, description] = table.columns(["Food code", "Main food description"])?;
    let additional = table.column("Additional food description");
    let category = table.column("WWEIA Category description");
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        let Ok(code) = record.get(code).parse::<u64>() else {
            let place = table.place();
            run.skip(Skip::Malformed, || place);
            continue;
        };
        let raw = record.get(description);
        let portions = in_order(portions.remove(&code).unwrap_or_default());
        let nutrients = values.remove(&code).unwrap_or_default();
        let food = Food {
            description: Some(raw.to_owned()),
            category: Some(record.get_optional(category).to_owned()).filter(|text| !text.is_empty()),
            synonyms: name::synonyms(record.get_optional(additional)),
            serving: serving::choose(&portions),
            ..Food::new(format!("fndds_{code}"), origin, name::usda(raw), nutrients)
        };
        run.offer(food.with_portions(portions), || table.place())?;
    }
    run.report_progress();
    Ok(())
}

/// Opens a table after its title, which names the edition.
fn open<'a>(input: &'a mut Input, name: &str) -> Result<(Table<Stream<'a>>, Origin), ImportError> {
    let path = input.table_path(name);
    let Some(stream) = input.table(name)? else {
        return Err(ImportError::format(
            &path,
            "is missing; an FNDDS folder has foods.csv, nutrients.csv and portions.csv",
        ));
    };
    let mut table = Table::new(stream, Dialect::CSV, &path)?;
    let title = table.header().join(" ");
    let origin = if title.contains("2021-2023") {
        Origin::Fndds2021
    } else if title.contains("2017-2018") {
        Origin::Fndds2017
    } else {
        Origin::FnddsOther
    };
    // A table saved without its title begins with the header.
    if table.column("Food code").is_none() {
        table.read_header()?;
    }
    Ok((table, origin))
}

/// Reads values per 100 g, by food code.
fn read_nutrients(input: &mut Input, run: &mut Run<'_>) -> Result<HashMap<u64, Nutrients>, ImportError> {
    let (mut table, _) = open(input, "nutrients.csv")?;
    let [code] = table.columns(["Food code"])?;
    table.columns(["Energy (kcal)", "Protein (g)", "Carbohydrate (g)", "Total Fat (g)"])?;
    let columns: Vec<(usize, Nutrient)> =
        COLUMNS.iter().filter_map(|&(name, nutrient)| Some((table.column(name)?, nutrient))).collect();
    let mut values = HashMap::new();
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        let Ok(code) = record.get(code).parse::<u64>() else { continue };
        let mut nutrients = Nutrients::default();
        for &(column, nutrient) in &columns {
            if let Some(value) = check::number(record.get(column)) {
                nutrients.set(nutrient, value);
            }
        }
        values.insert(code, nutrients);
    }
    Ok(values)
}

/// Reads portions with a weight, by food code.
fn read_portions(input: &mut Input, run: &mut Run<'_>) -> Result<HashMap<u64, Vec<Numbered>>, ImportError> {
    let (mut table, _) = open(input, "portions.csv")?;
    let [code, sequence, description, weight] =
        table.columns(["Food code", "Seq num", "Portion description", "Portion weight (g)"])?;
    let subcode = table.column("Subcode description");
    let mut portions: HashMap<u64, Vec<Numbered>> = HashMap::new();
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        let Ok(code) = record.get(code).parse::<u64>() else { continue };
        let grams = check::number(record.get(weight)).unwrap_or(0.0);
        let (words, brand) = (record.get(description), record.get_optional(subcode));
        if words.is_empty() || !check::is_weight(grams) {
            continue;
        }
        let text = if brand.is_empty() { words.to_owned() } else { format!("{words}, {brand}") };
        let sequence = check::number(record.get(sequence)).unwrap_or(f32::MAX);
        portions.entry(code).or_default().push((!brand.is_empty(), sequence, Portion::new(text, grams)));
    }
    Ok(portions)
}

/// Returns the portions in the publisher's order.
fn in_order(mut portions: Vec<Numbered>) -> Vec<Portion> {
    portions.sort_by(|first, second| first.0.cmp(&second.0).then(first.1.total_cmp(&second.1)));
    portions.into_iter().map(|(_, _, portion)| portion).collect()
}
