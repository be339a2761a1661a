//! Food composition tables in one form, as national tables are brought into it and as anyone can write one.
//!
//! Tab-separated text; the first line names the columns, values are those of 100 g:
//!
//! | Column | Meaning |
//! |---|---|
//! | `id` | the publisher's number: letters, digits, `.`, `-` and `_` |
//! | `group` | the publisher's group |
//! | `kcal`, `protein`, `carbs`, `fat` | required; a row without one of them is skipped |
//! | `carbs_kind` | `total` (fiber included, as USDA counts) or `available` (without fiber); empty means `total` |
//! | `fiber`, `sugars`, `saturated_fat`, `sodium_mg`, `alcohol` | empty means unknown, never zero |
//! | `names` | `language=name;synonym;…`, joined by `\|` |
//! | `portions` | `language=words;language=words=grams`, joined by `\|` |
//!
//! Only `id`, `kcal`, `protein`, `carbs`, `fat` and `names` must be there.

mod names;
mod portions;

use std::cell::Cell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use super::check;
use super::input::{Stream, open_file};
use super::report::{ImportError, Report, Sink, Skip};
use super::run::Run;
use super::table::{Dialect, Record, Table};
use crate::food::{Food, Origin};
use crate::food_table::FoodTable;
use crate::id;
use crate::name;
use crate::nutrients::{Nutrient, Nutrients};

/// The first columns, by which a table of this form is recognized.
pub(super) const FIRST_COLUMNS: &str = "id\tgroup\tkcal\t";
/// The most characters of an id.
const MAX_ID: usize = 40;
/// The most characters of a table's name.
const MAX_NAME: usize = 30;

/// The columns of nutrients, except for carbs.
const COLUMNS: &[(&str, Nutrient)] = &[
    ("kcal", Nutrient::Calories),
    ("protein", Nutrient::Protein),
    ("fat", Nutrient::Fat),
    ("fiber", Nutrient::Fiber),
    ("sugars", Nutrient::Sugars),
    ("saturated_fat", Nutrient::SaturatedFat),
    ("sodium_mg", Nutrient::Sodium),
    ("alcohol", Nutrient::Alcohol),
];

/// The short name of a table, with which the ids of its foods begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName(String);

/// The error for a name that a table cannot have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” cannot be the name of a table; use 2 to {MAX_NAME} lowercase letters, digits and hyphens, and none of the prefixes \
     that other foods have (fndds, sr, fdc, gtin, br, off, dish)"
)]
pub struct InvalidTableName(String);

impl TableName {
    /// Checks a name.
    pub fn new(name: &str) -> Result<Self, InvalidTableName> {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let is_valid = (2..=MAX_NAME).contains(&name.len()) && name.chars().all(is_plain);
        if is_valid && !id::is_reserved_prefix(name) {
            Ok(Self(name.to_owned()))
        } else {
            Err(InvalidTableName(name.to_owned()))
        }
    }

    /// Returns the name of the table in a file: the name of the file without its endings.
    pub fn of_file(path: &Path) -> Result<Self, InvalidTableName> {
        let file = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let stem = ["gz", "tsv", "txt", "csv"].iter().fold(file.as_str(), |stem, ending| {
            stem.strip_suffix(ending).and_then(|stem| stem.strip_suffix('.')).unwrap_or(stem)
        });
        let words = stem.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        Self::new(&words.collect::<Vec<_>>().join("-"))
    }

    /// Returns the national table of this name, else that of imported ones.
    pub fn table(&self) -> FoodTable {
        FoodTable::named(&self.0).unwrap_or(FoodTable::Imported)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a table. Foods come in its order.
pub fn read(path: &Path, name: &TableName, report: &mut Report, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let metadata = std::fs::metadata(path).map_err(|source| ImportError::io(path, source))?;
    if metadata.is_dir() {
        return Err(ImportError::format(path, "is a folder; give the table itself (.tsv, also .gz)"));
    }
    let counter = Rc::new(Cell::new(0));
    let mut run = Run::new(report, sink, Rc::clone(&counter), metadata.len());
    let mut table = Table::new(open_file(path, &counter)?, Dialect::TSV, path)?;
    let columns = TableColumns::of(&table)?;
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        match columns.food(record, name) {
            Ok(food) => run.offer(food, || table.place())?,
            Err(reason) => run.skip(reason, || table.place()),
        }
    }
    run.report_progress();
    Ok(())
}

/// Where a table has what.
struct TableColumns {
    id: usize,
    names: usize,
    carbs: usize,
    carbs_kind: Option<usize>,
    group: Option<usize>,
    portions: Option<usize>,
    nutrients: Vec<(usize, Nutrient)>,
}

impl TableColumns {
    fn of(table: &Table<Stream<'_>>) -> Result<Self, ImportError> {
        let [id, names, carbs, ..] = table.columns(["id", "names", "carbs", "kcal", "protein", "fat"])?;
        let nutrients = COLUMNS.iter().filter_map(|&(name, nutrient)| Some((table.column(name)?, nutrient))).collect();
        Ok(Self {
            id,
            names,
            carbs,
            carbs_kind: table.column("carbs_kind"),
            group: table.column("group"),
            portions: table.column("portions"),
            nutrients,
        })
    }

    fn food(&self, record: &Record, table: &TableName) -> Result<Food, Skip> {
        let id = record.get(self.id);
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        if id.is_empty() || id.len() > MAX_ID || !id.chars().all(is_plain) {
            return Err(Skip::Malformed);
        }
        let names = names::read(record.get(self.names))?;
        let portions = portions::read(record.get_optional(self.portions));
        let own = match &names.english {
            Some(english) => name::usda(english),
            None => names.local.first().map(|local| local.name.clone()).unwrap_or_default(),
        };
        let origin = Origin::Table(table.table());
        let food = Food {
            description: names.english,
            category: group(record.get_optional(self.group)),
            synonyms: names.synonyms,
            local_names: names.local,
            serving: portions::serving(&portions),
            ..Food::new(format!("{table}_{id}"), origin, own, self.nutrients(record)?)
        };
        Ok(food.with_portions(portions))
    }

    fn nutrients(&self, record: &Record) -> Result<Nutrients, Skip> {
        let mut nutrients = Nutrients::default();
        for &(column, nutrient) in &self.nutrients {
            if let Some(value) = check::number(record.get(column)) {
                nutrients.set(nutrient, value);
            }
        }
        let Some(carbs) = check::number(record.get(self.carbs)) else { return Err(Skip::NoValues) };
        match record.get_optional(self.carbs_kind) {
            "" | "total" => nutrients.set(Nutrient::Carbs, carbs),
            "available" => {
                nutrients.set(Nutrient::AvailableCarbs, carbs);
                nutrients.set(Nutrient::Carbs, carbs + nutrients.get(Nutrient::Fiber).unwrap_or(0.0));
            }
            _ => return Err(Skip::Malformed),
        }
        Ok(nutrients)
    }
}

/// Returns the group of a food if it has words; many publishers have only a code there.
fn group(text: &str) -> Option<String> {
    let is_word = |word: &str| word.chars().filter(|letter| letter.is_lowercase()).count() >= 3;
    let has_words = text.split(|letter: char| !letter.is_alphabetic()).any(is_word);
    has_words.then(|| check::name(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        let of_file = |path: &str| TableName::of_file(Path::new(path)).map(|name| name.to_string());
        assert_eq!(of_file("/x/Our Canteen.tsv.gz").as_deref(), Ok("our-canteen"));
        assert_eq!(of_file("germany-bls-4.0.tsv").as_deref(), Ok("germany-bls-4-0"));
        for reserved in ["sr.tsv", "x.tsv", ".tsv", "日本.tsv", "branded.tsv"] {
            assert!(of_file(reserved).is_err(), "{reserved}");
        }
        assert_eq!(TableName::new("bls").map(|name| name.table()), Ok(FoodTable::Bls));
        assert_eq!(TableName::new("canteen").map(|name| name.table()), Ok(FoodTable::Imported));
        assert!(TableName::new("Canteen").is_err() && TableName::new("a_b").is_err());
    }

    #[test]
    fn groups_that_are_codes_say_nothing() {
        assert_eq!(group("Soft fruit").as_deref(), Some("Soft fruit"));
        for code in ["22", "DG", "7.1", ""] {
            assert_eq!(group(code), None, "{code}");
        }
    }
}
