//! Tables of nutrition facts: from printed lines to numbers.
//!
//! The files follow the data:
//!
//! 1. `rows`: lines of text become the rows of a table, corrected for rotation and perspective.
//! 2. `token`: a row becomes names and amounts. Letters that were read as digits, and the reverse, are corrected.
//! 3. `vocabulary`: the nutrient that a name means, in six languages and with misread letters.
//! 4. `columns`: what the numbers are printed for, and which column to use.
//! 5. `serving`: how much a serving is.
//! 6. `values`: the amounts of each nutrient, with every possible reading.
//! 7. `check`: fat, carbohydrate and protein must add up to about the printed energy. If they do not, another reading of one of
//!    them may; what stays in doubt lowers the confidence.
//! 8. `place`: where the table is.
//!
//! Every number that comes out is printed on the label, except that kilojoules become kilocalories where only those are
//! printed, salt becomes sodium, and "less than 1 g" becomes half a gram.

mod place;
mod check;
mod values;
mod serving;
mod columns;
mod vocabulary;
mod token;
mod rows;

use nutrition::Macros;
use nutrition::sighting::{Label, NutritionFacts, Region};

use crate::photo::Photo;
use crate::text::{Page, TextReader};

/// The share of text from which on a photo is read. A label that fills a tenth of the photo has more.
const MIN_DENSITY: f32 = 0.004;

/// The share of text from which on a photo that clearly shows food is read. A package looks like what is in it, and its
/// label covers much of the photo; a plate has a word or two beside it.
const MIN_DENSITY_ON_PACKAGES: f32 = 0.015;

/// A table of nutrition facts in a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedLabel {
    /// What is printed.
    pub label: Label,
    /// The confidence in it, from 0 to 1.
    pub confidence: f32,
    /// Where it is.
    pub region: Option<Region>,
}

/// Finds the table of nutrition facts in a photo.
pub fn find(reader: &TextReader, photo: &Photo) -> Option<PrintedLabel> {
    find_above(MIN_DENSITY, reader, photo)
}

/// Finds the table of nutrition facts in a photo with much text.
pub fn find_in_dense_text(reader: &TextReader, photo: &Photo) -> Option<PrintedLabel> {
    find_above(MIN_DENSITY_ON_PACKAGES, reader, photo)
}

fn find_above(min_density: f32, reader: &TextReader, photo: &Photo) -> Option<PrintedLabel> {
    if reader.text_density(photo) < min_density {
        return None;
    }
    // The four main numbers are printed together. Once all are found, a little more is read, for salt and fiber, and
    // nothing that is printed below the table.
    let mut was_complete = false;
    let page = reader.read_until(photo, |page| {
        let is_complete =
            table(page).is_some_and(|(label, agreement)| agreement >= check::AGREE && main_numbers(&label.facts) == 4);
        std::mem::replace(&mut was_complete, is_complete) && is_complete
    });
    let (label, confidence) = parse(&page)?;
    let region = place::place(&page, (photo.width() as f32, photo.height() as f32));
    Some(PrintedLabel { label, confidence, region })
}

/// Parses the lines of a table of nutrition facts. Returns it and the confidence in it, from 0 to 1; `None` for menus,
/// recipes and the fronts of packages.
pub fn parse(page: &Page) -> Option<(Label, f32)> {
    let (label, agreement) = table(page)?;
    Some((label, (page_confidence(page) * agreement).clamp(0.0, 1.0)))
}

/// Returns the table, and how well its numbers agree.
fn table(page: &Page) -> Option<(Label, f32)> {
    let rows = rows::table_rows(page);
    let columns = columns::find(&rows);
    let found = values::find(&rows, &columns);
    if !found.is_table() {
        return None;
    }
    let (facts, agreement) = check::settle(&found);
    let label = Label { per: columns.per, serving: serving::find(&rows, &columns), facts };
    (main_numbers(&label.facts) >= 3).then_some((label, agreement))
}

/// Returns how many of energy, protein, carbohydrate and fat are known.
fn main_numbers(facts: &NutritionFacts) -> usize {
    let Macros { calories, protein, carbs, fat } = facts.macros;
    [calories, protein, carbs, fat].iter().flatten().count()
}

fn page_confidence(page: &Page) -> f32 {
    let sum: f32 = page.lines.iter().map(|line| line.confidence).sum();
    sum / page.lines.len().max(1) as f32
}
