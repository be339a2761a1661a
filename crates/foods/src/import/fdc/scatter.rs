//! The first pass: every row about a food goes to the file of its id.

use super::draft::DataType;
use super::lookup::Lookups;
use super::spill::{Payload, RecordKind, Spill};
use crate::import::input::Input;
use crate::import::report::{ImportError, Report, Skip};
use crate::import::run::Run;
use crate::import::table::{Dialect, Record, Table};
use crate::import::{check, serving};

/// The number of ids sampled to find ranges of about as many foods each.
const SAMPLE: usize = 1 << 16;

/// The outcome of a row.
pub(super) enum Outcome {
    /// A record with the payload.
    Write,
    /// Nothing, without an error.
    Ignore,
    /// The row is skipped for a reason.
    Skip(Skip),
}

/// Finds the bounds between `parts` ranges of ids with about as many foods each.
pub(super) fn bounds(input: &mut Input, foods: &str, parts: usize, run: &mut Run<'_>) -> Result<Vec<u32>, ImportError> {
    let path = input.table_path(foods);
    let Some(stream) = input.table(foods)?.filter(|_| parts > 1) else { return Ok(Vec::new()) };
    let mut table = Table::new(stream, Dialect::CSV, &path)?;
    let [id] = table.columns(["fdc_id"])?;
    let (mut sample, mut stride, mut row) = (Vec::new(), 1_u64, 0_u64);
    // Invalid rows are counted when the table is read for its foods.
    let mut uncounted = Report::default();
    while let Some(record) = table.next_record(&mut uncounted)? {
        run.row();
        row += 1;
        if !row.is_multiple_of(stride) {
            continue;
        }
        sample.extend(record.get(id).parse::<u32>());
        if sample.len() == SAMPLE {
            let mut keep = false;
            sample.retain(|_| {
                keep = !keep;
                keep
            });
            stride *= 2;
        }
    }
    sample.sort_unstable();
    let mut bounds: Vec<u32> = (1..parts).filter_map(|part| sample.get(part * sample.len() / parts).copied()).collect();
    bounds.dedup();
    Ok(bounds)
}

/// The first pass over one archive.
pub(super) struct Scatter<'a, 'b> {
    pub input: &'a mut Input,
    pub spill: &'a mut Spill,
    pub lookups: &'a Lookups,
    pub run: &'a mut Run<'b>,
}

impl Scatter<'_, '_> {
    /// Writes foods other than laboratory samples. They come first, so that later rows of others are ignored.
    pub fn foods(&mut self, name: &str) -> Result<(), ImportError> {
        let wanted = ["data_type", "description"];
        self.table(
            name,
            RecordKind::Food,
            wanted,
            ["food_category_id"],
            |[data_type, text], [category], payload, _| {
                let Some(data_type) = DataType::from_name(data_type) else { return Outcome::Skip(Skip::NotAFood) };
                payload.byte(data_type as u8).text(text).text(category);
                Outcome::Write
            },
        )?;
        Ok(())
    }

    /// Writes values per 100 g.
    pub fn nutrients(&mut self) -> Result<bool, ImportError> {
        let wanted = ["nutrient_id", "amount"];
        self.table("food_nutrient.csv", RecordKind::Nutrient, wanted, [], |[id, amount], [], payload, lookups| {
            let (Some(slot), Some(amount)) = (lookups.slots.get(id), check::number(amount)) else {
                return Outcome::Ignore;
            };
            payload.byte(slot.nutrient as u8).byte(slot.rank).number(amount * slot.scale);
            Outcome::Write
        })
    }

    /// Writes portions: the survey's in its own words, the others composed of amount, measure and modifier.
    pub fn portions(&mut self) -> Result<bool, ImportError> {
        let optional = ["seq_num", "amount", "measure_unit_id", "portion_description", "modifier"];
        let name = "food_portion.csv";
        self.table(name, RecordKind::Portion, ["gram_weight"], optional, |[grams], fields, payload, lookups| {
            let [sequence, amount, measure, description, modifier] = fields;
            let measure = lookups.measures.get(measure).map_or("", String::as_str);
            let built = serving::portion_words(check::number(amount).unwrap_or(1.0), measure, modifier);
            let words = if description.is_empty() { built.as_str() } else { description };
            let grams = check::number(grams).unwrap_or(0.0);
            if words.is_empty() || !check::is_weight(grams) {
                return Outcome::Ignore;
            }
            payload.number(check::number(sequence).unwrap_or(f32::MAX)).number(grams).text(words);
            Outcome::Write
        })
    }

    /// Writes common names, which are among other attributes.
    pub fn common_names(&mut self) -> Result<bool, ImportError> {
        const COMMON_NAME: &str = "1000";
        let wanted = ["food_attribute_type_id", "value"];
        self.table("food_attribute.csv", RecordKind::CommonName, wanted, [], |[kind, value], [], payload, _| {
            if kind != COMMON_NAME || value.is_empty() {
                return Outcome::Ignore;
            }
            payload.text(value);
            Outcome::Write
        })
    }

    /// Writes the codes from a table that lists the foods of one kind; returns whether the table exists.
    pub fn codes(&mut self, name: &str, code: &str, categories: [&str; 2]) -> Result<bool, ImportError> {
        self.table(name, RecordKind::Code, [code], categories, |[code], [first, second], payload, _| {
            payload.text(code).text(if first.is_empty() { second } else { first });
            Outcome::Write
        })
    }

    /// Writes the fields of labels other than their values.
    pub fn labels(&mut self) -> Result<bool, ImportError> {
        let optional = [
            "brand_owner",
            "brand_name",
            "gtin_upc",
            "serving_size",
            "serving_size_unit",
            "household_serving_fulltext",
            "branded_food_category",
        ];
        self.table("branded_food.csv", RecordKind::Label, [], optional, |[], fields, payload, _| {
            for field in fields {
                payload.text(field);
            }
            Outcome::Write
        })
    }

    /// Reads a table, if it exists, and writes what `each` makes of its rows; returns whether it exists.
    fn table<const N: usize, const M: usize>(
        &mut self,
        name: &str,
        kind: RecordKind,
        wanted: [&str; N],
        optional: [&str; M],
        mut each: impl FnMut([&str; N], [&str; M], &mut Payload, &Lookups) -> Outcome,
    ) -> Result<bool, ImportError> {
        let path = self.input.table_path(name);
        let Some(stream) = self.input.table(name)? else { return Ok(false) };
        let mut table = Table::new(stream, Dialect::CSV, &path)?;
        let [id] = table.columns(["fdc_id"])?;
        let wanted = table.columns(wanted)?;
        let optional = optional.map(|name| table.column(name));
        let mut payload = Payload::default();
        while let Some(record) = table.next_record(self.run.report)? {
            self.run.row();
            let outcome = match record.get(id).parse::<u32>() {
                Ok(id) => {
                    let outcome =
                        each(fields(record, wanted), optional_fields(record, optional), payload.start(), self.lookups);
                    if matches!(outcome, Outcome::Write) {
                        self.spill.write(kind, id, &payload)?;
                    }
                    outcome
                }
                Err(_) => Outcome::Skip(Skip::Malformed),
            };
            if let Outcome::Skip(reason) = outcome {
                self.run.skip(reason, || table.place());
            }
        }
        Ok(true)
    }
}

fn fields<const N: usize>(record: &Record, columns: [usize; N]) -> [&str; N] {
    columns.map(|column| record.get(column))
}

fn optional_fields<const N: usize>(record: &Record, columns: [Option<usize>; N]) -> [&str; N] {
    columns.map(|column| record.get_optional(column))
}
