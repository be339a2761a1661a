//! What a food of a length or a width weighs: a 12-inch sub is twice one of 6 inches, a 16-inch pizza almost twice one of 12.

use super::table::{PortionRow, PortionTable};
use super::weight::{Weight, WeightSource};

/// A row that differs by so many inches at most is of the size that was said.
const SAME_SIZE: f64 = 1.0;
/// What is longer or wider by more than this factor was read wrong.
const MAX_FACTOR: f64 = 4.0;
/// Nothing that is eaten is longer.
const MAX_INCHES: f64 = 40.0;
/// What is measured by its length; everything else is round.
const LONG: [&str; 6] = ["sub", "submarine", "long", "footlong", "hoagie", "baguette"];
/// How many inches the usual one of a food is.
const USUAL: [(&str, f64); 8] = [
    ("sub", 6.0),
    ("submarine", 6.0),
    ("hoagie", 6.0),
    ("baguette", 24.0),
    ("pizza", 12.0),
    ("tortilla", 8.0),
    ("pancake", 5.0),
    ("cookie", 3.0),
];

/// Returns what one of so many inches weighs, by the row of that size, else by the nearest, else by `usual`, the weight of one
/// without a size.
pub(super) fn weigh(table: &PortionTable<'_>, inches: f64, usual: &Weight, count: f64) -> Option<Weight> {
    if count <= 0.0 {
        return None;
    }
    let nearest = nearest_row(table, inches);
    let (row, known) = match &nearest {
        Some((row, known)) => (f64::from(row.grams), *known),
        None => (usual.grams / count, usual_inches(table)?),
    };
    let is_long = || {
        let text = nearest.as_ref().map_or("", |(row, _)| row.text).to_lowercase();
        LONG.iter().any(|word| table.is_named(word) || text.contains(word))
    };
    let times = inches / known;
    let factor = match () {
        () if (inches - known).abs() <= SAME_SIZE => 1.0,
        () if is_long() => times,
        () => times * times,
    };
    let source = match &nearest {
        Some((row, _)) => WeightSource::Portion(row.text.to_owned()),
        None => usual.source.clone(),
    };
    let is_plausible = (1.0 / MAX_FACTOR..=MAX_FACTOR).contains(&factor);
    is_plausible.then_some(Weight { grams: row * factor * count, source })
}

/// Returns the size word of the whole that is so many inches wide: a piece of a 16-inch pizza is one of an extra large pizza.
pub(super) fn size_word<'a>(table: &PortionTable<'a>, inches: f64, is_size: impl Fn(&str) -> bool) -> Option<&'a str> {
    let (row, known) = nearest_row(table, inches)?;
    let size = row.text.split([' ', '/']).find(|word| is_size(word));
    size.filter(|_| (inches - known).abs() <= SAME_SIZE)
}

/// Returns the row of a whole that is nearest to so many inches, and how many it is itself.
fn nearest_row<'a>(table: &PortionTable<'a>, inches: f64) -> Option<(PortionRow<'a>, f64)> {
    let is_whole =
        |row: &&PortionRow<'_>| !["cubic", "surface", "linear", " of "].iter().any(|part| row.text.contains(part));
    let sized = table.eaten().filter(is_whole).filter_map(|row| Some((row, inches_of(row.text, inches)?)));
    let nearest = sized.min_by(|(_, one), (_, other)| (one - inches).abs().total_cmp(&(other - inches).abs()));
    nearest.map(|(row, known)| (row.clone(), known))
}

/// Returns how many inches a row says, as near as possible to a number if it says several: `1 pizza (8-10" diameter)`.
fn inches_of(text: &str, wanted: f64) -> Option<f64> {
    let before = |end: usize| {
        let words = text[..end].trim_end_matches([' ', '-']);
        let number = words.rsplit(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | '-'))).next()?;
        let (low, high) = number.split_once('-').unwrap_or((number, number));
        let (low, high) = (low.parse::<f64>().ok()?, high.parse::<f64>().ok()?);
        (low <= high && high <= MAX_INCHES).then(|| wanted.clamp(low, high))
    };
    let marks = text.match_indices('"').chain(text.match_indices("inch")).map(|(at, _)| at);
    marks.filter_map(before).min_by(|one, other| (one - wanted).abs().total_cmp(&(other - wanted).abs()))
}

/// Returns how many inches the usual one of a food is.
fn usual_inches(table: &PortionTable<'_>) -> Option<f64> {
    USUAL.iter().find(|(word, _)| table.is_named(word)).map(|(_, inches)| *inches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_how_many_inches_they_are() {
        for (text, wanted, inches) in [
            ("1 medium pizza (11-12\" diameter)", 12.0, Some(12.0)),
            ("1 small pizza (8-10\" diameter)", 14.0, Some(10.0)),
            ("1 12-inch submarine", 6.0, Some(12.0)),
            ("6 inch sub", 6.0, Some(6.0)),
            ("1 pie (8\" or 9\" dia)", 9.0, Some(9.0)),
            ("1 slice", 9.0, None),
            ("crêpe é6\"", 6.0, Some(6.0)),
            ("\"", 6.0, None),
        ] {
            assert_eq!(inches_of(text, wanted), inches, "{text}");
        }
    }
}
