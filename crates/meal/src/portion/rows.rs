//! Which of a food's portions is meant.

use foods::text::singular;

use super::table::{PortionRow, PortionTable};
use crate::lexicon::{TableTrait, alike, table_traits};
use crate::read::segment::SegmentWord;

/// What it costs that a row is of a product that was not named.
const OTHER_PRODUCT: f32 = 0.5;

/// What it costs that a row has the size that was said but not the unit.
const OTHER_UNIT: f32 = 1.5;

/// The row whose words fit unit, sizes and what else was said.
pub(super) fn best_row<'a>(
    table: &PortionTable<'a>,
    unit: Option<&str>,
    sizes: &[String],
    said: &[SegmentWord],
) -> Option<PortionRow<'a>> {
    let mut best: Option<(f32, PortionRow<'_>)> = None;
    let mut extremes = Extremes::default();
    let mut has_matched = false;
    let singular_unit = unit.map(singular);
    let is_said = |word: &str| said.iter().any(|other| other.word == word);
    for row in table.split() {
        let has = |word: &str| row.words().iter().any(|known| known == word);
        let is_measured =
            |unit: &str| singular_unit.as_deref().is_some_and(has) || alike(unit).iter().any(|other| has(other));
        let has_size = |size: &String| has(&singular(size)) || alike(size).iter().any(|other| has(other));
        let is_other_unit = unit.is_some_and(|unit| !is_measured(unit));
        // "a fun-size pack": where the tables only know the size, it says which.
        let is_sized = || {
            unit.is_some_and(|unit| table_traits(unit).has(TableTrait::Container))
                && !sizes.is_empty()
                && sizes.iter().all(has_size)
        };
        if is_other_unit && !is_sized() {
            continue;
        }
        // A "prepackaged bowl" is smaller than what people eat from.
        if has("prepackaged") && !is_said("prepackaged") {
            continue;
        }
        let matched = sizes.iter().filter(|size| has_size(size)).count();
        if unit.is_none() && matched == 0 {
            continue;
        }
        let mut score = matched as f32 * 2.0 - if is_other_unit { OTHER_UNIT } else { 0.0 };
        let is_first_unit = unit.is_some_and(|unit| row.unit().split(' ').any(|word| word == unit));
        score += if is_first_unit { 1.0 } else { 0.0 };
        for word in row.words() {
            // "a large pizza" is no piece of one. A medium one may be that of a medium crust.
            let traits = table_traits(word);
            let is_piece = traits.has(TableTrait::Piece) && sizes.iter().any(|size| size == "large");
            if unit.is_none() && (traits.has(TableTrait::Container) || is_piece) && !is_said(word) {
                score -= 1.0;
            }
            if unit == Some(word.as_str()) {
                score += 0.4;
            } else if is_said(word) {
                // A word that the food is called by does not choose among its portions.
                let is_size = traits.has(TableTrait::PlainSize);
                score += match table.is_of_name(word, is_said) {
                    true => 0.0,
                    false if is_size => 0.8,
                    false => 0.4,
                };
            } else if !traits.has(TableTrait::Neutral) && !sizes.contains(word) && !is_weight(word) {
                score -= if traits.has(TableTrait::Size) { 0.6 } else { 0.25 };
            }
        }
        if has("nfs") {
            score += 0.2;
        }
        if row.proper().first().is_some_and(|maker| !is_said(maker)) {
            score -= OTHER_PRODUCT;
        }
        score -= unit.map_or(0.0, |unit| unusual_size(unit, row.text));
        if !is_other_unit && matched == 0 {
            extremes.add(&row);
        }
        has_matched |= matched > 0;
        if (row.grams - table.food.serving.grams).abs() < 0.01 {
            score += 0.3;
        }
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, row));
        }
    }
    let by_weight = || if unit.is_some() && !has_matched { extremes.of_size(sizes) } else { None };
    by_weight().or(best.map(|(_, row)| row))
}

/// The lightest and the heaviest of the rows that have a unit: a "small container" where the tables only weigh them.
#[derive(Default)]
struct Extremes<'a> {
    lightest: Option<PortionRow<'a>>,
    heaviest: Option<PortionRow<'a>>,
}

impl<'a> Extremes<'a> {
    fn add(&mut self, row: &PortionRow<'a>) {
        if self.lightest.as_ref().is_none_or(|known| row.grams < known.grams) {
            self.lightest = Some(row.clone());
        }
        if self.heaviest.as_ref().is_none_or(|known| row.grams > known.grams) {
            self.heaviest = Some(row.clone());
        }
    }

    fn of_size(&self, sizes: &[String]) -> Option<PortionRow<'a>> {
        let is = |what: TableTrait| sizes.iter().any(|size| table_traits(size).has(what));
        if is(TableTrait::Lightest) {
            self.lightest.clone()
        } else if is(TableTrait::Heaviest) {
            self.heaviest.clone()
        } else {
            None
        }
    }
}

/// How far a drink's can or bottle is from the size that is usual: a can of 12 and a bottle of 20 fluid ounces.
pub(super) fn unusual_size(unit: &str, row: &str) -> f32 {
    let usual: f32 = match unit {
        "can" => 12.0,
        "bottle" => 20.0,
        _ => return 0.0,
    };
    let inside = row.split_once('(').map_or("", |(_, inside)| inside);
    let size = inside.split_once(" fl oz").and_then(|(number, _)| number.trim().parse::<f32>().ok());
    size.filter(|size| *size > 0.0).map_or(0.0, |size| (size / usual).ln().abs() * 0.5)
}

/// Whether a word only gives the weight of what a row counts: "1 package (3 oz), prepared".
fn is_weight(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || table_traits(word).has(TableTrait::Weight)
}

pub(super) fn overlap(row: &PortionRow<'_>, said: &[SegmentWord]) -> f32 {
    let matched = row.words().iter().filter(|word| said.iter().any(|other| other.word == **word)).count();
    matched as f32 - 0.2 * row.words().len() as f32
}
