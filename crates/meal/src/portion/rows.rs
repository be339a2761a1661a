//! Which row of a food's portions fits an amount.

use foods::text::singular;

use super::table::{PortionRow, PortionTable};
use crate::lexicon::{TableTrait, alike, table_traits};
use crate::read::segment::SegmentWord;

/// Penalty for a row of a product that is not in the text.
const OTHER_PRODUCT: f32 = 0.5;
/// Penalty for a row that has the size but not the unit.
const OTHER_UNIT: f32 = 1.5;
/// Gain for each size that a row has.
const SIZE: f32 = 2.0;
/// Gain for a row that counts in the unit.
const COUNTS_UNIT: f32 = 1.0;
/// Gain for a row that is not further specified.
const NOT_SPECIFIED: f32 = 0.2;
/// What is medium of a pizza rather than the pizza itself.
const CRUST: &str = "crust";
/// Gain for the row of the usual serving.
const USUAL_SERVING: f32 = 0.3;

/// Returns the row that fits a unit, sizes and the words of the food best.
pub(super) fn best_row<'a>(
    table: &PortionTable<'a>,
    unit: Option<&str>,
    sizes: &[String],
    words: &[SegmentWord],
) -> Option<PortionRow<'a>> {
    let wanted = WantedRow { unit, singular_unit: unit.map(singular), sizes, words };
    let mut best: Option<(f32, PortionRow<'_>)> = None;
    let mut extremes = Extremes::default();
    let mut has_size = false;
    for row in table.split().filter(|row| wanted.may_be(row)) {
        let score = wanted.score(table, &row);
        let sizes = wanted.count_sizes(&row);
        has_size |= sizes > 0;
        if sizes == 0 && !wanted.has_other_unit(&row) {
            extremes.add(&row);
        }
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, row));
        }
    }
    // "a small container" where the table only weighs them.
    let by_weight = extremes.of_size(sizes).filter(|_| unit.is_some() && !has_size);
    by_weight.or(best.map(|(_, row)| row))
}

/// What a row should have.
struct WantedRow<'a> {
    unit: Option<&'a str>,
    singular_unit: Option<String>,
    sizes: &'a [String],
    words: &'a [SegmentWord],
}

impl WantedRow<'_> {
    /// Checks whether a text has a word.
    fn is_in_text(&self, word: &str) -> bool {
        self.words.iter().any(|other| other.word == word)
    }

    /// Checks whether a row can be meant at all.
    fn may_be(&self, row: &PortionRow<'_>) -> bool {
        // "a fun-size pack": if the table only has the size, that says which pack.
        let is_named_by_size = || {
            self.unit.is_some_and(|unit| table_traits(unit).has(TableTrait::Container))
                && !self.sizes.is_empty()
                && self.sizes.iter().all(|size| has_size(row, size))
        };
        if self.has_other_unit(row) && !is_named_by_size() {
            return false;
        }
        // A "prepackaged bowl" is smaller than the bowls that people eat from.
        let is_prepackaged = has_word(row, "prepackaged") && !self.is_in_text("prepackaged");
        !is_prepackaged && (self.unit.is_some() || self.count_sizes(row) > 0)
    }

    /// Checks whether a row lacks the unit and everything that tables call it.
    fn has_other_unit(&self, row: &PortionRow<'_>) -> bool {
        self.unit.is_some_and(|unit| {
            let has_unit = self.singular_unit.as_deref().is_some_and(|unit| has_word(row, unit));
            !has_unit && !alike(unit).iter().any(|other| has_word(row, other))
        })
    }

    fn count_sizes(&self, row: &PortionRow<'_>) -> usize {
        self.sizes.iter().filter(|size| has_size(row, size)).count()
    }

    /// Returns how well a row fits.
    fn score(&self, table: &PortionTable<'_>, row: &PortionRow<'_>) -> f32 {
        let mut score = self.count_sizes(row) as f32 * SIZE - if self.has_other_unit(row) { OTHER_UNIT } else { 0.0 };
        let counts_unit = self.unit.is_some_and(|unit| row.unit().split(' ').any(|word| word == unit));
        score += if counts_unit { COUNTS_UNIT } else { 0.0 };
        for word in row.words() {
            score = self.add_word(score, table, word);
        }
        if has_word(row, "nfs") {
            score += NOT_SPECIFIED;
        }
        if row.proper().first().is_some_and(|maker| !self.is_in_text(maker)) {
            score -= OTHER_PRODUCT;
        }
        score -= self.unit.map_or(0.0, |unit| unusual_size(unit, row.text));
        if (row.grams - table.food.serving.grams).abs() < 0.01 {
            score += USUAL_SERVING;
        }
        score
    }

    /// Adds a word of a row to its score.
    fn add_word(&self, mut score: f32, table: &PortionTable<'_>, word: &String) -> f32 {
        let traits = table_traits(word);
        let is_in_text = self.is_in_text(word);
        // "a large pizza" is not a piece of one. One with a medium crust may be.
        let is_sized = |size: &String| table_traits(size).has(TableTrait::PlainSize);
        let is_piece = traits.has(TableTrait::Piece) && self.sizes.iter().any(is_sized) && !self.is_in_text(CRUST);
        if self.unit.is_none() && (traits.has(TableTrait::Container) || is_piece) && !is_in_text {
            score -= 1.0;
        }
        let is_of_name = || table.is_of_name(word, |word| self.is_in_text(word));
        score += if self.unit == Some(word.as_str()) {
            0.4
        } else if is_in_text {
            match traits.has(TableTrait::PlainSize) {
                // A word of the food's name does not choose among its portions.
                _ if is_of_name() => 0.0,
                true => 0.8,
                false => 0.4,
            }
        } else if traits.has(TableTrait::Neutral) || self.sizes.contains(word) || is_weight(word) {
            0.0
        } else if traits.has(TableTrait::Size) {
            -0.6
        } else {
            -0.25
        };
        score
    }
}

fn has_word(row: &PortionRow<'_>, word: &str) -> bool {
    row.words().iter().any(|known| known == word)
}

/// Checks whether a row has a size, or what tables call it.
fn has_size(row: &PortionRow<'_>, size: &str) -> bool {
    has_word(row, &singular(size)) || alike(size).iter().any(|other| has_word(row, other))
}

/// The lightest and the heaviest of the rows that have a unit.
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

/// Returns how far the can or bottle of a drink is from the usual size: a can of 12 and a bottle of 20 fluid ounces.
fn unusual_size(unit: &str, row: &str) -> f32 {
    let usual: f32 = match unit {
        "can" => 12.0,
        "bottle" => 20.0,
        _ => return 0.0,
    };
    let inside = row.split_once('(').map_or("", |(_, inside)| inside);
    let size = inside.split_once(" fl oz").and_then(|(number, _)| number.trim().parse::<f32>().ok());
    size.filter(|size| *size > 0.0).map_or(0.0, |size| (size / usual).ln().abs() * 0.5)
}

/// Checks whether a word only gives the weight of what a row counts: "1 package (3 oz), prepared".
fn is_weight(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || table_traits(word).has(TableTrait::Weight)
}

/// Returns how many words a row shares with a text, minus a little for each of its words.
pub(super) fn overlap(row: &PortionRow<'_>, words: &[SegmentWord]) -> f32 {
    let matched = row.words().iter().filter(|word| words.iter().any(|other| other.word == **word)).count();
    matched as f32 - 0.2 * row.words().len() as f32
}

#[cfg(test)]
mod tests {
    use foods::{Food, Nutrients, Origin, Portion};

    use super::*;
    use crate::portion::table::RowCache;

    fn best(name: &str, rows: &[(&str, f32)], unit: Option<&str>, sizes: &[&str], words: &[&str]) -> Option<String> {
        let portions = rows.iter().map(|(text, grams)| Portion::new((*text).to_owned(), *grams)).collect();
        let food = Food::new("test_1", Origin::Dish, name, Nutrients::default()).with_portions(portions);
        let sizes: Vec<String> = sizes.iter().map(|size| (*size).to_owned()).collect();
        let words: Vec<SegmentWord> = words.iter().map(|word| SegmentWord::required((*word).to_owned())).collect();
        best_row(&PortionTable::new(&food, &mut RowCache::default()), unit, &sizes, &words)
            .map(|row| row.text.to_owned())
    }

    #[test]
    fn rows_fit_by_unit_size_and_words() {
        let pizza = [("1 small pizza", 250.0), ("1 large pizza", 900.0), ("1 large piece", 140.0), ("1 slice", 110.0)];
        let soda = [("1 can (12 fl oz)", 360.0), ("1 can (8 fl oz)", 240.0), ("1 bottle (20 fl oz)", 600.0)];
        let chips = [("1 fun size", 12.0), ("1 bag", 28.0), ("1 chip", 2.0)];
        let boxes = [("1 container (5 oz)", 140.0), ("1 container (10 oz)", 280.0)];
        for (name, rows, unit, sizes, words, expected) in [
            ("Pizza, cheese", &pizza[..], None, &["large"][..], &["pizza"][..], Some("1 large pizza")),
            ("Pizza, cheese", &pizza, Some("slice"), &[], &["pizza"], Some("1 slice")),
            ("Pizza, cheese", &pizza, Some("piece"), &["large"], &["pizza"], Some("1 large piece")),
            ("Pizza, cheese", &pizza, None, &[], &["pizza"], None),
            ("Soft drink", &soda, Some("can"), &[], &["soda"], Some("1 can (12 fl oz)")),
            ("Soft drink", &soda, Some("bottle"), &[], &["soda"], Some("1 bottle (20 fl oz)")),
            ("Potato chips", &chips, Some("pack"), &["fun"], &["chip"], Some("1 fun size")),
            ("Potato salad", &boxes, Some("container"), &["small"], &["salad"], Some("1 container (5 oz)")),
            ("Potato salad", &boxes, Some("container"), &["large"], &["salad"], Some("1 container (10 oz)")),
            ("Potato salad", &boxes, Some("bowl"), &[], &["salad"], None),
        ] {
            assert_eq!(best(name, rows, unit, sizes, words).as_deref(), expected, "{unit:?} {sizes:?} of {name}");
        }
    }
}
