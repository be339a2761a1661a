//! From an amount to grams: the row of the food's own portions that fits what was said, else its density, else what the
//! tables take when nobody says.

use std::borrow::Cow;

use foods::text::{singular, words};
use foods::{Food, Portion};

mod rows;

use rows::{best_row, is_eaten, is_size_word, overlap};

use crate::lexicon::Measure;
use crate::segment::{Quantity, SegmentWord};

/// How an amount became grams.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// The mass was said.
    Mass,
    /// A row of the food's portions, in its words.
    Portion(String),
    /// A volume through the food's density.
    Density,
    /// The amount that is usual when nobody says.
    Usual,
}

/// The weight of what was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// Grams in all.
    pub grams: f64,
    /// How they came about.
    pub how: How,
}

/// Weighs an amount of a food.
pub fn weigh(food: &Food, quantity: &Quantity, said: &[SegmentWord]) -> Weight {
    let count = quantity.amount.map_or(1.0, |amount| amount.value);
    if quantity.unit.as_deref() == Some("oz") && is_drink(food) {
        // Ounces of a drink are fluid ounces.
        return by_volume(food, "fl oz", 29.5735, count, said);
    }
    if let Some(Measure::Mass(grams)) = quantity.measure {
        return Weight { grams: grams * count, how: How::Mass };
    }
    let is_volume = matches!(quantity.measure, Some(Measure::Volume(_)));
    if let Some(row) = named_row(food, said).filter(|_| !is_volume) {
        return by_row(row, count);
    }
    if let Some(container) = &quantity.container {
        return contained(food, quantity, container, count);
    }
    if let (Some(Measure::Volume(milliliters)), Some(unit)) = (&quantity.measure, &quantity.unit) {
        return by_volume(food, unit, *milliliters, count, said);
    }
    let usual = |count: f64| Weight { grams: f64::from(food.serving.grams) * count, how: How::Usual };
    if let (Some(unit), Some(Measure::Household(volume))) = (&quantity.unit, &quantity.measure) {
        let is_vague = matches!(unit.as_str(), "serving" | "portion" | "helping" | "order" | "unit" | "item");
        if !is_vague && let Some(row) = best_row(food, Some(unit), &quantity.sizes, said) {
            return by_row(&row, count);
        }
        if let Some(milliliters) = volume
            && !matches!(unit.as_str(), "bowl" | "can" | "bottle")
        {
            return by_volume(food, unit, *milliliters, count, said);
        }
        return sized(food, quantity, said).map_or_else(|| usual(count), |row| by_row(&row, count));
    }
    let row = sized(food, quantity, said)
        .or_else(|| counted(food, quantity, said).map(Cow::Borrowed))
        .or_else(|| single(food, quantity).map(Cow::Borrowed));
    row.map_or_else(|| usual(count), |row| by_row(&row, count))
}

/// The weight of what is added to another food without saying how much, from the tables' guideline amounts: milk in
/// coffee, butter on toast, dressing on a salad.
pub fn added_to(food: &Food, base: &Food, base_grams: f64) -> Option<Weight> {
    let base_name = words(&base.name);
    let is = |names: &[&str]| base_name.iter().any(|word| names.contains(&word.as_str()));
    let row_of = |unit: &str| base.portions.iter().find(|row| is_eaten(row) && row.measure().unit == unit);
    let units = |unit: &str| row_of(unit).map(|row| base_grams / f64::from(row.grams).max(0.1));
    let (about, times) = if let Some(fl_oz) = units("fl oz") {
        ("fl oz of beverage", fl_oz)
    } else if is(&["bread", "toast", "toasted", "roll", "bagel", "muffin", "biscuit", "bun"]) {
        ("slice of bread", units("slice").or_else(|| units("medium or regular slice")).unwrap_or(1.0).clamp(0.5, 8.0))
    } else if is(&["cereal", "oatmeal", "granola", "flake", "porridge"]) {
        ("cereal", units("cup").unwrap_or(1.0).clamp(0.25, 4.0))
    } else if is(&["sandwich", "hamburger", "cheeseburger"]) {
        ("on regular sandwich", 1.0)
    } else if is(&["salad", "lettuce"]) {
        ("salad", units("cup").unwrap_or(1.0).clamp(0.5, 4.0))
    } else {
        return None;
    };
    let row = food.portions.iter().find(|row| {
        let text = row.text.to_lowercase();
        text.starts_with("guideline") && text.contains(about) && row.grams > 0.0
    })?;
    Some(Weight { grams: f64::from(row.grams) * times, how: How::Portion(row.text.clone()) })
}

/// Whether a weight is that of an addition to another food.
pub fn is_addition(weight: &Weight) -> bool {
    matches!(&weight.how, How::Portion(row) if row.to_lowercase().starts_with("guideline"))
}

/// Whether the measure that was said tells something about which food is meant.
pub fn tells_food(quantity: &Quantity) -> bool {
    matches!(quantity.measure, Some(Measure::Household(_) | Measure::Volume(_)))
        || !quantity.sizes.is_empty()
        || quantity.container.is_some()
        || quantity.measure.is_none() && quantity.amount.is_some_and(|amount| amount.said)
}

/// How well a food's portions fit the measure that was said: a row for the unit, and one for each of the sizes.
pub fn fit(food: &Food, quantity: &Quantity, said: &[SegmentWord]) -> f32 {
    if let (Some(Measure::Volume(_)), Some(unit)) = (&quantity.measure, &quantity.unit) {
        // Nobody eats a cup of cereal bars.
        let has_row = food.portions.iter().any(|row| is_eaten(row) && row.measure().unit == *unit);
        return if has_row { 1.0 } else { 0.0 };
    }
    let unit = quantity.unit.as_deref().filter(|_| matches!(quantity.measure, Some(Measure::Household(_))));
    if unit.is_none() && quantity.sizes.is_empty() && quantity.container.is_none() {
        // Pieces were counted: does the food come in pieces?
        return if counted(food, quantity, said).or_else(|| single(food, quantity)).is_some() { 1.0 } else { 0.0 };
    }
    let Some(row) = best_row(food, unit, &quantity.sizes, said) else { return 0.0 };
    let row_words = words(&row.text);
    let sizes = quantity.sizes.iter().filter(|size| row_words.contains(&singular(size))).count();
    let exact = unit.is_some_and(|unit| row_words.iter().any(|word| word == unit));
    let in_all = 1 + quantity.sizes.len();
    (if exact { 1.0 } else { 0.5 } + sizes as f32) / in_all as f32
}

/// Whether the tables measure a food in fluid ounces.
fn is_drink(food: &Food) -> bool {
    food.portions.iter().any(|row| row.measure().unit == "fl oz")
}

/// The row of a product that was named: "1 Snapple bottle", "1 Kool-Aid Jammers pouch".
fn named_row<'a>(food: &'a Food, said: &[SegmentWord]) -> Option<&'a Portion> {
    let named = words(&food.name);
    let mut best: Option<(usize, &Portion)> = None;
    for row in food.portions.iter().filter(|row| is_eaten(row)) {
        let proper: Vec<String> = row
            .text
            .split_whitespace()
            .filter(|word| word.starts_with(char::is_uppercase) && !matches!(*word, "NFS" | "NS" | "NLEA"))
            .flat_map(words)
            .collect();
        let is_said = |word: &String| said.iter().any(|other| other.word == *word);
        let matched = proper.iter().filter(|word| is_said(word)).count();
        let new = proper.iter().filter(|word| is_said(word) && !named.contains(word)).count();
        let unsaid_size = words(&row.text).iter().any(|word| is_size_word(word) && !is_said(word));
        if new > 0 && !unsaid_size && matched * 2 > proper.len() && best.is_none_or(|(most, _)| matched > most) {
            best = Some((matched, row));
        }
    }
    best.map(|(_, row)| row)
}

fn by_row(row: &Portion, count: f64) -> Weight {
    let measure = row.measure();
    // "6 inch sub" is one sub.
    let amount = if measure.unit.starts_with("inch") { 1.0 } else { f64::from(measure.amount).max(0.01) };
    Weight { grams: f64::from(row.grams) * count / amount, how: How::Portion(row.text.clone()) }
}

/// A can, bottle or packet of a known size.
fn contained(food: &Food, quantity: &Quantity, container: &Measure, count: f64) -> Weight {
    match container {
        Measure::Mass(grams) if quantity.container_in_ounces && is_drink(food) => {
            by_volume(food, "fl oz", 29.5735, count * grams / 28.3495, &[])
        }
        Measure::Mass(grams) => Weight { grams: grams * count, how: How::Mass },
        Measure::Volume(milliliters) => {
            let fl_oz = milliliters / 29.5735;
            let row = food.portions.iter().find(|row| {
                row.text.contains("fl oz")
                    && row.text.contains(&format!("({} fl oz", trimmed(fl_oz)))
                    && quantity.unit.as_ref().is_some_and(|unit| row.text.contains(unit.as_str()))
            });
            match row {
                Some(row) => by_row(row, count),
                None => by_volume(food, "fl oz", 29.5735, count * fl_oz, &[]),
            }
        }
        Measure::Household(_) => Weight { grams: f64::from(food.serving.grams) * count, how: How::Usual },
    }
}

fn trimmed(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

/// A volume: a row of the same unit, else the density.
fn by_volume(food: &Food, unit: &str, milliliters: f64, count: f64, said: &[SegmentWord]) -> Weight {
    let rows = food.portions.iter().filter(|row| is_eaten(row) && row.measure().unit == unit);
    let fits = |row: &&Portion| overlap(row, said);
    if let Some(row) =
        rows.min_by(|one, other| fits(other).total_cmp(&fits(one)).then(one.text.len().cmp(&other.text.len())))
    {
        return by_row(row, count);
    }
    let density = f64::from(food.density.unwrap_or(1.0));
    Weight { grams: milliliters * count * density, how: How::Density }
}

/// The row that the sizes name: "a large latte", "a small bag".
fn sized<'a>(food: &'a Food, quantity: &Quantity, said: &[SegmentWord]) -> Option<Cow<'a, Portion>> {
    if quantity.sizes.is_empty() {
        return None;
    }
    best_row(food, None, &quantity.sizes, said)
}

/// The row that counts pieces: "1 cookie" for "2 cookies".
fn counted<'a>(food: &'a Food, quantity: &Quantity, said: &[SegmentWord]) -> Option<&'a Portion> {
    quantity.amount?;
    if is_drink(food) {
        // "a soft drink" is the usual one, not the one in the middle.
        return None;
    }
    let main = words(food.name.split([',', '(']).next().unwrap_or(""));
    let counts = |row: &&Portion| {
        let unit = row.measure().unit;
        // "1/2 pepper with filling" counts peppers.
        let counted = unit.split(" with ").next().unwrap_or("");
        let lasts = || counted.split(" or ").filter_map(|unit| unit.rsplit(' ').next());
        let sized = unit.split(' ').any(|word| is_size_word(word) && !said.iter().any(|other| other.word == word));
        let is_volume = foods::Unit::parse(&unit).is_some();
        // "15 Pringles" are chips.
        let is_meant = lasts()
            .any(|last| said.iter().any(|word| word.word == last) || main.last().is_some_and(|head| head == last));
        !unit.is_empty() && !sized && !is_volume && is_eaten(row) && is_meant
    };
    let rows: Vec<&Portion> = food.portions.iter().filter(counts).collect();
    let usual = food.serving.grams;
    // The piece of usual weight, if there is one; else the plainest.
    rows.iter()
        .find(|row| (row.grams - usual).abs() < 0.01)
        .or_else(|| rows.iter().min_by_key(|row| row.text.len()))
        .copied()
}

/// The row of one piece, where pieces were counted: "1 fruit", "1 nut", "1 medium".
fn single<'a>(food: &'a Food, quantity: &Quantity) -> Option<&'a Portion> {
    const PIECES: &[&str] = &[
        "whole",
        "fruit",
        "nut",
        "kernel",
        "berry",
        "medium",
        "small/regular",
        "regular",
        "piece",
        "half",
        "large",
        "individual packet",
        "teaspoon",
    ];
    // Three and more are rather the pieces into which a food is cut than whole servings of it.
    const CUT: &[&str] = &["slice/chunk", "piece/slice", "slice", "chunk"];
    let amount = quantity.amount.filter(|amount| amount.said)?;
    if is_drink(food) {
        return None;
    }
    let unit_is = |row: &&Portion, piece: &str| {
        let unit = row.measure().unit;
        unit == piece
            || unit.split(' ').next_back() == Some(piece) && unit.split(' ').count() == 2 && unit.starts_with("baby")
    };
    let cut = CUT.iter().filter(|_| amount.value >= 3.0);
    PIECES
        .iter()
        .chain(cut)
        .find_map(|piece| food.portions.iter().filter(|row| is_eaten(row)).find(|row| unit_is(row, piece)))
}
