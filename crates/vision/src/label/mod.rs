//! Tables of nutrition facts: from printed lines to numbers.
//!
//! The files follow the data:
//!
//! 1. `rows`: lines of text become the rows of a table, with the photo's tilt and perspective taken out.
//! 2. `token`: a row becomes names and amounts. Letters that were taken for digits, and the other way round, are known.
//! 3. `vocabulary`: what a name says, in six languages, with a letter or two wrong.
//! 4. `columns`: what the numbers are printed for, and in which column those are that count.
//! 5. `serving`: how much a serving is and how many there are.
//! 6. `values`: the amounts of each nutrient, with every way to read them.
//! 7. `check`: fat, carbohydrate and protein must come to about the printed energy. If they do not, another way to read
//!    one of them may; what stays in doubt costs confidence.
//!
//! Every number that comes out is printed on the label, except that kilojoules become kilocalories where only those are
//! printed, salt becomes sodium, and "less than 1 g" half a gram.

mod check;
mod columns;
mod rows;
mod serving;
mod token;
mod values;
mod vocabulary;

use crate::photo::Photo;
use crate::sighting::{Facts, Label, Region, Sighting, What};
use crate::text::{Page, Reader};

use rows::Row;

/// The share of a photo that looks like print at a glance, below which it is not read. A label that fills a tenth of the photo
/// has more.
const LEAST_PRINT: f32 = 0.004;

/// The share in a photo that surely shows food: a package looks like what is in it, and its label covers much of the photo. A
/// plate has a word or two beside it.
const MUCH_PRINT: f32 = 0.015;

/// The table of nutrition facts in a photo.
pub fn find(reader: &Reader, photo: &Photo) -> Option<Sighting> {
    find_from(reader, photo, LEAST_PRINT)
}

/// The table of nutrition facts in a photo that is mostly print.
pub fn find_in_print(reader: &Reader, photo: &Photo) -> Option<Sighting> {
    find_from(reader, photo, MUCH_PRINT)
}

fn find_from(reader: &Reader, photo: &Photo, least_print: f32) -> Option<Sighting> {
    if reader.glance(photo) < least_print {
        return None;
    }
    // The numbers that are asked for stand together. Once all are there, a little more is read, for salt and fibre, and
    // nothing that is printed below the table.
    let mut was_whole = false;
    let page = reader.read_until(photo, |page| {
        let is_whole =
            table(page).is_some_and(|(label, agreement)| agreement >= check::AGREE && main_numbers(&label.facts) == 4);
        std::mem::replace(&mut was_whole, is_whole) && is_whole
    });
    let (label, confidence) = parse(&page)?;
    Some(Sighting { what: What::Label(label), confidence, region: region(photo, &page) })
}

/// The table that these lines make, and how sure it is. Menus, recipes and the fronts of packages make none.
pub fn parse(page: &Page) -> Option<(Label, f32)> {
    let (label, agreement) = table(page)?;
    Some((label, (page_confidence(page) * agreement).clamp(0.0, 1.0)))
}

/// The table, and how far its numbers agree.
fn table(page: &Page) -> Option<(Label, f32)> {
    let rows: Vec<Row> = rows::rows(page);
    let columns = columns::find(&rows);
    let found = values::find(&rows, &columns);
    if !found.make_a_table() {
        return None;
    }
    let (facts, agreement) = check::settle(&found);
    let (serving, servings) = serving::find(&rows, &columns);
    let label = Label { per: columns.per, serving, servings, facts };
    (main_numbers(&label.facts) >= 3).then_some((label, agreement))
}

/// How many of energy, protein, carbohydrate and fat are known.
fn main_numbers(facts: &Facts) -> usize {
    [facts.calories, facts.protein, facts.carbs, facts.fat].iter().flatten().count()
}

fn page_confidence(page: &Page) -> f32 {
    let sum: f32 = page.lines.iter().map(|line| line.confidence).sum();
    sum / page.lines.len().max(1) as f32
}

/// The upright box around all lines.
fn region(photo: &Photo, page: &Page) -> Region {
    let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    for line in &page.lines {
        let (x, y) = line.place.center;
        let reach = line.place.length / 2.0;
        let (sin, cos) = line.place.angle.sin_cos();
        let (dx, dy) = (reach * cos.abs(), reach * sin.abs());
        low = (low.0.min(x - dx), low.1.min(y - dy));
        high = (high.0.max(x + dx), high.1.max(y + dy));
    }
    let share = |from: f32, to: f32, side: u32| {
        let (from, to) = ((from / side as f32).clamp(0.0, 1.0), (to / side as f32).clamp(0.0, 1.0));
        (from, to - from)
    };
    let (left, width) = share(low.0, high.0, photo.width());
    let (top, height) = share(low.1, high.1, photo.height());
    Region { left, top, width, height }
}
