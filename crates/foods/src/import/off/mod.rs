//! The exports of Open Food Facts: a tab-separated table or one JSON object per line, plain or gzipped.
//!
//! The first character shows which it is. Foods come in the order of the file.

mod json;
mod product;

use std::cell::Cell;
use std::io::{Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use self::product::{Product, VALUES, category_from_tags};
use super::check;
use super::input::{open_file, read_up_to};
use super::lines::{Line, Lines};
use super::report::{ImportError, Report, Sink, Skip};
use super::run::Run;
use super::table::{Dialect, Record, Table};

/// The most bytes of a product in JSON; products with hundreds of images and translations reach about 100 kB.
const MAX_LINE_BYTES: usize = 4 << 20;

/// Reads an export.
pub fn read(path: &Path, report: &mut Report, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let size = std::fs::metadata(path).map_err(|source| ImportError::io(path, source))?.len();
    let counter = Rc::new(Cell::new(0));
    let mut stream = open_file(path, &counter)?;
    let mut run = Run::new(report, sink, counter, size);
    let mut head = vec![0; 1024];
    let filled = read_up_to(&mut stream, &mut head).map_err(|source| ImportError::reading(path, source))?;
    head.truncate(filled);
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head);
    let first = text.iter().copied().find(|byte| !byte.is_ascii_whitespace());
    let whole = Cursor::new(head).chain(stream);
    match first {
        Some(b'{') => read_lines(whole, path, &mut run)?,
        Some(_) => read_table(whole, path, &mut run)?,
        None => return Err(ImportError::format(path, "is empty; download it again")),
    }
    run.report_progress();
    Ok(())
}

/// Reads the JSON export.
fn read_lines(source: impl Read, path: &Path, run: &mut Run<'_>) -> Result<(), ImportError> {
    let fail = |error| ImportError::reading(path, error);
    let mut lines = Lines::new(source, MAX_LINE_BYTES);
    lines.skip_byte_order_mark().map_err(fail)?;
    loop {
        let number = lines.number();
        let place = || format!("{} line {number}", path.file_name().unwrap_or_default().display());
        match lines.look(0).map_err(fail)? {
            Line::End => return Ok(()),
            Line::TooLong => {
                lines.discard_line().map_err(fail)?;
                run.skip(Skip::TooLong, place);
            }
            Line::Found { bytes, next } => {
                let line = lines.bytes(bytes).trim_ascii();
                if !line.is_empty() {
                    run.row();
                    offer(json::parse(line), run, place)?;
                }
                lines.advance(next, 1);
            }
        }
    }
}

/// Reads the tab-separated export.
fn read_table(source: impl Read, path: &Path, run: &mut Run<'_>) -> Result<(), ImportError> {
    let mut table = Table::new(source, Dialect::TSV, path)?;
    table.columns(["code", "product_name", "proteins_100g", "carbohydrates_100g", "fat_100g"])?;
    let columns = TableColumns::find(|name| table.column(name));
    while let Some(record) = table.next_record(run.report)? {
        run.row();
        let product = columns.product(record);
        offer(Some(product), run, || table.place())?;
    }
    Ok(())
}

/// The columns of the table's fields.
struct TableColumns {
    texts: [Option<usize>; 8],
    values: Vec<(usize, usize)>,
    serving_quantity: Option<usize>,
}

impl TableColumns {
    fn find(column: impl Fn(&str) -> Option<usize>) -> Self {
        let texts = [
            "code",
            "product_name_en",
            "product_name",
            "generic_name",
            "brands",
            "categories_tags",
            "categories_en",
            "serving_size",
        ];
        let values = VALUES.iter().enumerate().filter_map(|(index, (name, ..))| Some((index, column(name)?)));
        Self { texts: texts.map(&column), values: values.collect(), serving_quantity: column("serving_quantity") }
    }

    fn product(&self, record: &Record) -> Product {
        let [code, english, name, generic, brands, tags, categories, serving] =
            self.texts.map(|column| record.get_optional(column));
        let mut product = Product {
            code: code.to_owned(),
            names: [english, name, generic].map(str::to_owned),
            brands: brands.to_owned(),
            category: category_from_tags(tags.split(',')).or_else(|| last_of(categories)),
            serving_size: serving.to_owned(),
            serving_quantity: check::number(record.get_optional(self.serving_quantity)),
            ..Product::default()
        };
        for &(index, column) in &self.values {
            if let Some(value) = check::number(record.get(column)) {
                Product::add_value(&mut product.values, index, value);
            }
        }
        product
    }
}

/// Returns the last of several categories, which is the narrowest.
fn last_of(categories: &str) -> Option<String> {
    categories.rsplit(',').map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
}

/// Passes a product on as a food, or counts why it cannot be one.
fn offer(product: Option<Product>, run: &mut Run<'_>, place: impl FnOnce() -> String) -> Result<(), ImportError> {
    match product.ok_or(Skip::Malformed).and_then(Product::into_food) {
        Ok(food) => run.offer(food, place),
        Err(reason) => {
            run.skip(reason, place);
            Ok(())
        }
    }
}
