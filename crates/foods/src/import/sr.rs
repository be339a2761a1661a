//! USDA's Standard Reference: the values of SR28 with the names and portions of SR Legacy.
//!
//! SR Legacy is SR28 under new ids, with more portions and with common names; SR28's abbreviated table has the values, one
//! line per food. They are joined by NDB number. All eight thousand foods are held in memory.

use std::collections::HashMap;
use std::path::Path;

use super::input::{Input, Stream};
use super::report::{ImportError, Report, Sink, Skip};
use super::run::Run;
use super::table::{Dialect, Record, Table};
use super::{check, serving};
use crate::food::{Food, Origin, Portion};
use crate::name;
use crate::nutrients::{Nutrient, Nutrients};

/// The table of values of SR28.
pub(super) const ABBREVIATED: &str = "ABBREV.txt";
const DESCRIPTIONS: &str = "FOOD_DES.txt";
const GROUPS: &str = "FD_GROUP.txt";
/// The tables of SR Legacy that describe foods.
const LEGACY_TABLES: [&str; 6] = [
    "food_category.csv",
    "measure_unit.csv",
    "sr_legacy_food.csv",
    "food.csv",
    "food_portion.csv",
    "food_attribute.csv",
];

/// The columns of the abbreviated table; it has no header, its documentation gives the order.
const COLUMNS: &[(usize, Nutrient)] = &[
    (2, Nutrient::Water),
    (3, Nutrient::Calories),
    (4, Nutrient::Protein),
    (5, Nutrient::Fat),
    (7, Nutrient::Carbs),
    (8, Nutrient::Fiber),
    (9, Nutrient::Sugars),
    (10, Nutrient::Calcium),
    (11, Nutrient::Iron),
    (12, Nutrient::Magnesium),
    (13, Nutrient::Phosphorus),
    (14, Nutrient::Potassium),
    (15, Nutrient::Sodium),
    (16, Nutrient::Zinc),
    (19, Nutrient::Selenium),
    (20, Nutrient::VitaminC),
    (25, Nutrient::VitaminB6),
    (26, Nutrient::Folate),
    (30, Nutrient::Choline),
    (31, Nutrient::VitaminB12),
    (33, Nutrient::VitaminA),
    (40, Nutrient::VitaminE),
    (41, Nutrient::VitaminD),
    (43, Nutrient::VitaminK),
    (44, Nutrient::SaturatedFat),
    (45, Nutrient::MonounsaturatedFat),
    (46, Nutrient::PolyunsaturatedFat),
    (47, Nutrient::Cholesterol),
];
/// Weight and words of the two household measures.
const MEASURES: [(usize, usize); 2] = [(48, 49), (50, 51)];
/// The number of columns of the abbreviated table.
const WIDTH: usize = 53;

/// A line of the abbreviated table.
struct AbbreviatedRow {
    nutrients: Nutrients,
    portions: Vec<Portion>,
}

/// A food of SR Legacy, as its tables describe it.
#[derive(Default)]
struct LegacyFood {
    fdc_id: u64,
    number: u32,
    description: String,
    category: Option<String>,
    common_names: Vec<String>,
    portions: Vec<(f32, Portion)>,
}

/// Reads SR28 from its folder, with names, categories and portions from the folder of SR Legacy where one is given.
/// Foods come in the order of the table that names them.
pub fn read(legacy: Option<&Path>, sr28: &Path, report: &mut Report, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut input = Input::open(sr28)?;
    let described = legacy.map(|folder| Input::open_counting(folder, input.counter())).transpose()?;
    let total = size(&input, &[ABBREVIATED])
        + match &described {
            Some(legacy) => size(legacy, &LEGACY_TABLES),
            None => size(&input, &[DESCRIPTIONS, GROUPS]),
        };
    let mut run = Run::new(report, sink, input.counter(), total);
    let values = read_values(&mut input, &mut run)?;
    match described {
        Some(mut legacy) => offer_legacy(&mut legacy, values, &mut run)?,
        None => offer_sr28(&mut input, values, &mut run)?,
    }
    run.report_progress();
    Ok(())
}

/// Sums the size of some tables on disk.
fn size(input: &Input, tables: &[&str]) -> u64 {
    tables.iter().filter_map(|name| input.sizes(name)).map(|(size, _)| size).sum()
}

/// Reads the abbreviated table, by NDB number.
fn read_values(input: &mut Input, run: &mut Run<'_>) -> Result<HashMap<u32, AbbreviatedRow>, ImportError> {
    let path = input.table_path(ABBREVIATED);
    let stream = require(input, ABBREVIATED)?;
    let mut table = Table::headless(stream, Dialect::SR28, &path);
    let mut values = HashMap::new();
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        match record.get(0).parse::<u32>() {
            Ok(number) if record.len() >= WIDTH => {
                values.insert(number, read_line(record));
            }
            _ => run.skip(Skip::Malformed, || table.place()),
        }
    }
    if values.is_empty() {
        return Err(ImportError::format(&path, "has no food; it should be the abbreviated table of SR28"));
    }
    Ok(values)
}

fn read_line(record: &Record) -> AbbreviatedRow {
    let mut nutrients = Nutrients::default();
    for &(column, nutrient) in COLUMNS {
        if let Some(value) = check::number(record.get(column)) {
            nutrients.set(nutrient, value);
        }
    }
    let portions = MEASURES.iter().filter_map(|&(weight, words)| {
        let grams = check::number(record.get(weight)).filter(|&grams| check::is_weight(grams))?;
        let text = record.get(words).split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then(|| Portion::new(text, grams))
    });
    AbbreviatedRow { nutrients, portions: portions.collect() }
}

/// Passes on the foods of SR28 under its own long names.
fn offer_sr28(
    input: &mut Input,
    mut values: HashMap<u32, AbbreviatedRow>,
    run: &mut Run<'_>,
) -> Result<(), ImportError> {
    let groups = read_groups(input, run)?;
    let path = input.table_path(DESCRIPTIONS);
    let mut table = Table::headless(require(input, DESCRIPTIONS)?, Dialect::SR28, &path);
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        let Ok(number) = record.get(0).parse::<u32>() else { continue };
        let (raw, common) = (record.get(2), record.get(4));
        let category = groups.get(record.get(1)).cloned();
        let Some(values) = values.remove(&number) else {
            run.skip(Skip::NoValues, || table.place());
            continue;
        };
        let food = food(number, raw, category, name::common_names(common, raw), values.portions, values.nutrients);
        run.offer(food, || table.place())?;
    }
    Ok(())
}

/// Reads the names of the food groups, if the folder has them.
fn read_groups(input: &mut Input, run: &mut Run<'_>) -> Result<HashMap<String, String>, ImportError> {
    let path = input.table_path(GROUPS);
    let mut groups = HashMap::new();
    let Some(stream) = input.table(GROUPS)? else { return Ok(groups) };
    let mut table = Table::headless(stream, Dialect::SR28, &path);
    while let Some(record) = table.next_record(run.report)? {
        groups.insert(record.get(0).to_owned(), record.get(1).to_owned());
    }
    Ok(groups)
}

/// Passes on the foods of SR Legacy with the values of SR28.
fn offer_legacy(
    input: &mut Input,
    mut values: HashMap<u32, AbbreviatedRow>,
    run: &mut Run<'_>,
) -> Result<(), ImportError> {
    for entry in read_entries(input, run)? {
        let place = format!("food.csv fdc_id {}", entry.fdc_id);
        let Some(known) = values.remove(&entry.number) else {
            run.skip(Skip::NoValues, || place);
            continue;
        };
        let mut numbered = entry.portions;
        numbered.sort_by(|(first, _), (second, _)| first.total_cmp(second));
        let mut portions: Vec<Portion> = numbered.into_iter().map(|(_, portion)| portion).collect();
        if portions.is_empty() {
            portions = known.portions;
        }
        let synonyms =
            entry.common_names.iter().flat_map(|names| name::common_names(names, &entry.description)).collect();
        let food = food(entry.number, &entry.description, entry.category, synonyms, portions, known.nutrients);
        run.offer(food, || place)?;
    }
    Ok(())
}

/// Reads the foods of SR Legacy from its tables.
fn read_entries(input: &mut Input, run: &mut Run<'_>) -> Result<Vec<LegacyFood>, ImportError> {
    let categories: HashMap<String, String> = rows(input, run, "food_category.csv", ["id", "description"])?
        .into_iter()
        .map(|[id, text]| (id, text))
        .collect();
    let measures: HashMap<String, String> =
        rows(input, run, "measure_unit.csv", ["id", "name"])?.into_iter().map(|[id, text]| (id, text)).collect();
    let numbers: HashMap<String, String> = rows(input, run, "sr_legacy_food.csv", ["fdc_id", "NDB_number"])?
        .into_iter()
        .map(|[id, ndb]| (id, ndb))
        .collect();
    let mut entries = Vec::new();
    let mut places = HashMap::new();
    for [id, description, category] in rows(input, run, "food.csv", ["fdc_id", "description", "food_category_id"])? {
        let Some(number) = numbers.get(&id).and_then(|number| number.parse().ok()) else { continue };
        let category = categories.get(&category).cloned();
        let fdc_id = id.parse().unwrap_or(0);
        places.insert(id, entries.len());
        entries.push(LegacyFood { fdc_id, number, description, category, ..LegacyFood::default() });
    }
    let columns = ["fdc_id", "seq_num", "amount", "measure_unit_id", "modifier", "gram_weight"];
    for [id, sequence, amount, measure, modifier, grams] in rows(input, run, "food_portion.csv", columns)? {
        let Some(entry) = places.get(&id).and_then(|&place| entries.get_mut(place)) else { continue };
        let measure = measures.get(&measure).map_or("", String::as_str);
        let words = serving::portion_words(check::number(&amount).unwrap_or(1.0), measure, &modifier);
        let grams = check::number(&grams).unwrap_or(0.0);
        if !words.is_empty() && check::is_weight(grams) {
            entry.portions.push((check::number(&sequence).unwrap_or(f32::MAX), Portion::new(words, grams)));
        }
    }
    let columns = ["fdc_id", "food_attribute_type_id", "value"];
    for [id, kind, value] in rows(input, run, "food_attribute.csv", columns)? {
        if let Some(entry) = places.get(&id).and_then(|&place| entries.get_mut(place))
            && kind == "1000"
        {
            entry.common_names.push(value);
        }
    }
    Ok(entries)
}

/// Reads some columns of a table of SR Legacy.
fn rows<const N: usize>(
    input: &mut Input,
    run: &mut Run<'_>,
    name: &str,
    columns: [&str; N],
) -> Result<Vec<[String; N]>, ImportError> {
    let path = input.table_path(name);
    let mut table = Table::new(require(input, name)?, Dialect::CSV, &path)?;
    let columns = table.columns(columns)?;
    let mut rows = Vec::new();
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        rows.push(columns.map(|column| record.get(column).to_owned()));
    }
    Ok(rows)
}

/// Opens a table that must exist.
fn require<'a>(input: &'a mut Input, name: &str) -> Result<Stream<'a>, ImportError> {
    let path = input.table_path(name);
    input.table(name)?.ok_or_else(|| ImportError::format(&path, "is missing from the folder"))
}

fn food(
    number: u32,
    raw: &str,
    category: Option<String>,
    synonyms: Vec<String>,
    portions: Vec<Portion>,
    nutrients: Nutrients,
) -> Food {
    let food = Food {
        description: Some(raw.to_owned()),
        category,
        synonyms,
        serving: serving::choose(&portions),
        ..Food::new(format!("sr_{number:05}"), Origin::StandardReference, name::usda(raw), nutrients)
    };
    food.with_portions(portions)
}
