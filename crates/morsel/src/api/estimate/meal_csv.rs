//! Meals as rows of a CSV file: each row keeps its columns and gets those of its estimate.

use std::io;

use csv::{ByteRecord, ReaderBuilder, StringRecord};
use meal::MAX_CHARS;

use super::rows::EstimateAnswer;

/// The column that has the meal, unless another is named.
pub const TEXT_COLUMN: &str = "text";
/// The columns with an amount of what the text names.
const AMOUNT_COLUMNS: [&str; 2] = ["amount", "unit"];
/// The columns of an estimate.
const ESTIMATE_COLUMNS: [&str; 7] = ["calories", "protein", "carbs", "fat", "foods", "unresolved", "error"];
/// What is put before the name of a column that the file has already.
const CLASH_PREFIX: &str = "estimated_";

/// The columns of a file of meals.
#[derive(Debug)]
pub struct MealColumns {
    names: StringRecord,
    text: usize,
    amount: [Option<usize>; 2],
}

impl MealColumns {
    /// Finds the columns by their names in the first row. The error says what is missing.
    pub fn find(names: StringRecord, text: &str) -> Result<Self, String> {
        // Spreadsheets begin files with a mark of the encoding.
        let place = |name: &str| names.iter().position(|column| column.trim_start_matches('\u{feff}').trim() == name);
        let Some(at) = place(text) else {
            return Err(format!("The first row has no column “{text}”; it must name the columns."));
        };
        let amount = AMOUNT_COLUMNS.map(|name| place(name).filter(|column| *column != at));
        Ok(Self { text: at, amount, names })
    }

    /// Returns the first row of the output.
    pub fn output_names(&self) -> StringRecord {
        let mut names = self.names.clone();
        for column in ESTIMATE_COLUMNS {
            let is_taken = self.names.iter().any(|name| name.trim() == column);
            names.push_field(&if is_taken { format!("{CLASH_PREFIX}{column}") } else { column.to_owned() });
        }
        names
    }

    /// Returns the meal of a row: the text, after the amount if there is one. The error says why it is none.
    pub fn meal_of(&self, row: &StringRecord) -> Result<String, String> {
        let field = |at: usize| row.get(at).unwrap_or_default().trim();
        let amount = self.amount.iter().flatten().map(|at| field(*at));
        let words = amount.chain([field(self.text)]).filter(|words| !words.is_empty());
        let meal = words.collect::<Vec<&str>>().join(" ");
        if meal.chars().count() > MAX_CHARS {
            return Err(format!("The text has more than {MAX_CHARS} characters."));
        }
        Ok(meal)
    }
}

/// Returns a reader of CSV whose rows may have different lengths.
pub fn reader<R: io::Read>(source: R) -> csv::Reader<R> {
    ReaderBuilder::new().flexible(true).from_reader(source)
}

/// Returns a row as text; what is not UTF-8 is replaced.
pub fn text_row(row: &ByteRecord) -> StringRecord {
    StringRecord::from_byte_record_lossy(row.clone())
}

/// Returns a row with the columns of its estimate, or of the error instead. Shorter rows are filled up.
pub fn output_row(columns: &MealColumns, row: &StringRecord, outcome: Result<&EstimateAnswer, &str>) -> StringRecord {
    let mut fields: Vec<String> = row.iter().take(columns.names.len()).map(str::to_owned).collect();
    fields.resize(columns.names.len(), String::new());
    match outcome {
        Ok(answer) => {
            let totals = answer.totals;
            fields.extend([totals.calories, totals.protein, totals.carbs, totals.fat].map(|value| value.to_string()));
            let foods: Vec<&str> = answer.items.iter().map(|item| item.name.as_str()).collect();
            fields.push(foods.join("; "));
            fields.push(answer.unresolved.as_ref().map(|words| words.join("; ")).unwrap_or_default());
            fields.push(String::new());
        }
        Err(error) => {
            fields.resize(columns.names.len() + ESTIMATE_COLUMNS.len() - 1, String::new());
            fields.push(error.to_owned());
        }
    }
    StringRecord::from(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fields: &[&str]) -> StringRecord {
        StringRecord::from(fields.to_vec())
    }

    #[test]
    fn amounts_stand_before_the_text() {
        let columns = MealColumns::find(record(&["\u{feff}id", "unit", "food", "amount"]), "food").expect("a column");
        assert_eq!(columns.meal_of(&record(&["1", "g", " rice ", "150"])), Ok("150 g rice".to_owned()));
        assert_eq!(columns.meal_of(&record(&["1", "", "rice"])), Ok("rice".to_owned()));
        assert!(columns.meal_of(&record(&["1", "", &"a".repeat(MAX_CHARS + 1)])).is_err());
        let missing = MealColumns::find(record(&["id"]), "text").expect_err("none");
        assert!(missing.contains("“text”"), "{missing}");
    }

    #[test]
    fn rows_keep_their_columns() {
        let columns = MealColumns::find(record(&["text", "calories"]), "text").expect("a column");
        let names = columns.output_names();
        assert_eq!(names.iter().skip(1).take(3).collect::<Vec<_>>(), ["calories", "estimated_calories", "protein"]);
        let row = output_row(&columns, &record(&["x"]), Err("no"));
        assert_eq!((row.len(), row.get(0), row.iter().next_back()), (names.len(), Some("x"), Some("no")));
    }
}
