//! Which of a food's portions is meant.

use std::borrow::Cow;

use foods::text::{singular, words};
use foods::{Food, Portion};

use crate::segment::SegmentWord;

/// Words of portion rows that tell nothing.
const NEUTRAL: &[&str] = &["nfs", "any", "size", "ns", "regular", "medium", "average", "yield", "1"];

/// The rows of a food, where "1 large piece or 2 squares" are two.
pub(super) fn rows(food: &Food) -> Vec<Cow<'_, Portion>> {
    let mut out = Vec::with_capacity(food.portions.len());
    for row in food.portions.iter().filter(|row| is_eaten(row)) {
        // Inside brackets are two units of one amount: "1 bottle (16.9 fl oz or 500 ml)".
        let is_two = !row.text.contains('(');
        let parts: Vec<&str> = row.text.split(" or ").take(if is_two { 4 } else { 1 }).collect();
        let counts = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
        if parts.len() > 1 && parts.iter().all(counts) {
            out.extend(parts.iter().map(|part| Cow::Owned(Portion::new((*part).to_owned(), row.grams))));
        } else {
            out.push(Cow::Borrowed(row));
        }
    }
    out
}

/// The row whose words fit unit, sizes and what else was said.
pub(super) fn best_row<'a>(
    food: &'a Food,
    unit: Option<&str>,
    sizes: &[String],
    said: &[SegmentWord],
) -> Option<Cow<'a, Portion>> {
    let mut best: Option<(f32, Cow<'_, Portion>)> = None;
    // A word that the food is called by does not choose among its portions: "medium crust" is no medium piece.
    let named = words(&food.name);
    for row in rows(food) {
        let row_words = words(&row.text);
        let has = |word: &str| row_words.iter().any(|known| known == word);
        if unit.is_some_and(|unit| !has(&singular(unit)) && !alike(unit).iter().any(|other| has(other))) {
            continue;
        }
        // A "prepackaged bowl" is smaller than what people eat from.
        if has("prepackaged") && !said.iter().any(|word| word.word == "prepackaged") {
            continue;
        }
        let matched =
            sizes.iter().filter(|size| has(&singular(size)) || alike(size).iter().any(|other| has(other))).count();
        if unit.is_none() && matched == 0 {
            continue;
        }
        let mut score = matched as f32 * 2.0;
        let is_first_unit = unit.is_some_and(|unit| row.measure().unit.split(' ').any(|word| word == unit));
        score += if is_first_unit { 1.0 } else { 0.0 };
        for word in &row_words {
            if unit.is_none() && is_container(word) && !said.iter().any(|other| other.word == *word) {
                score -= 1.0;
            }
            let is_said =
                !named.contains(word) && said.iter().any(|other| other.word == *word) || unit == Some(word.as_str());
            if is_said {
                score += 0.4;
            } else if !NEUTRAL.contains(&word.as_str()) && !sizes.contains(word) {
                score -= if is_size_word(word) { 0.6 } else { 0.25 };
            }
        }
        if row_words.iter().any(|word| word == "nfs") {
            score += 0.2;
        }
        score -= unit.map_or(0.0, |unit| unusual_size(unit, &row.text));
        if (row.grams - food.serving.grams).abs() < 0.01 {
            score += 0.3;
        }
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, row));
        }
    }
    best.map(|(_, row)| row)
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

pub(super) fn is_container(word: &str) -> bool {
    matches!(
        word,
        "bag" | "box" | "package" | "packet" | "pouch" | "container" | "can" | "bottle" | "cup" | "carton" | "tub"
    )
}

pub(super) fn is_size_word(word: &str) -> bool {
    matches!(
        word,
        "small"
            | "large"
            | "extra"
            | "miniature"
            | "mini"
            | "thin"
            | "thick"
            | "jumbo"
            | "king"
            | "snack"
            | "fun"
            | "bite"
    )
}

/// Measures and sizes that tables call by another name.
pub(super) fn alike(word: &str) -> &'static [&'static str] {
    match word {
        "packet" | "pack" => &["package", "packet", "pouch", "bag"],
        "bag" => &["package", "pouch"],
        "piece" => &["slice"],
        "slice" => &["piece"],
        "strip" | "rasher" => &["slice", "strip"],
        "mini" | "miniature" | "tiny" | "bite" => &["miniature", "bite"],
        "big" | "huge" | "giant" | "jumbo" => &["large", "jumbo", "giant"],
        "little" | "tall" => &["small"],
        "grande" => &["medium"],
        "venti" => &["large"],
        "tub" | "pot" => &["container", "tub"],
        "container" => &["carton", "tub"],
        "tin" => &["can"],
        "filet" => &["fillet"],
        "regular" | "standard" | "average" | "normal" => &["regular", "medium"],
        "individual" | "single" | "personal" => &["individual", "personal", "single"],
        "whole" => &["whole"],
        "link" => &["sausage"],
        _ => &[],
    }
}

/// Whether a row is an amount that is eaten, not help for interviewers.
pub(super) fn is_eaten(row: &Portion) -> bool {
    let starts = |start: &str| row.text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    row.grams > 0.0 && !starts("guideline") && !starts("quantity not")
}

pub(super) fn overlap(row: &Portion, said: &[SegmentWord]) -> f32 {
    let row_words = words(&row.text);
    let matched = row_words.iter().filter(|word| said.iter().any(|other| other.word == **word)).count();
    matched as f32 - 0.2 * row_words.len() as f32
}
