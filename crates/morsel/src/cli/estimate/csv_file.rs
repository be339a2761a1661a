//! `morsel estimate --csv FILE`: a table with a meal in every row, on all cores.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use csv::{ByteRecord, StringRecord};

use super::pool::{self, Estimator};
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::meal_csv::{self, MealColumns};
use crate::cli::args::UsageError;

/// Rows per chunk of work.
const CHUNK_ROWS: usize = 256;

/// Prints a table with the columns of the estimate added to every row. The path "-" is stdin.
pub(super) fn answer(estimator: Estimator, path: &Path, column: &str) -> Result<()> {
    let source: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot read {}", path.display()))?)
    };
    let mut reader = meal_csv::reader(source);
    let names = reader.byte_headers().context("cannot read the first row")?;
    let columns = MealColumns::find(meal_csv::text_row(names), column).map_err(UsageError)?;
    io::stdout().lock().write_all(&line_of(&columns.output_names()))?;
    let columns = Arc::new(columns);
    let answer_row = move |row: ByteRecord, output: &mut Vec<u8>| {
        let row = meal_csv::text_row(&row);
        let answer = columns.meal_of(&row).map(|meal| estimator.answer(meal, Include::of([Extra::Unresolved])));
        let outcome = answer.as_ref().map_err(String::as_str);
        output.extend(line_of(&meal_csv::output_row(&columns, &row, outcome)));
        answer.is_ok()
    };
    let read = move || reader.byte_records().take(CHUNK_ROWS).collect::<Result<Vec<_>, _>>().map_err(io::Error::other);
    let pool::Counts { records, malformed } = pool::run(read, answer_row)?;
    if malformed > 0 {
        bail!("{malformed} of {records} rows could not be estimated; see the column “error”");
    }
    Ok(())
}

/// Returns a row as a line of CSV.
fn line_of(row: &StringRecord) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(row);
    // Writing to memory cannot fail.
    debug_assert!(written.is_ok());
    writer.into_inner().unwrap_or_default()
}
