//! Amounts in the units that a schema allows.

use foods::Unit;
use foods::text::singular;

use super::facts::ItemFacts;

/// What schemas call a piece of something that can be counted.
const PIECES: [&str; 9] = ["piece", "pcs", "pc", "unit", "item", "each", "whole", "count", "ea"];
/// What schemas call a usual amount.
const SERVINGS: [&str; 4] = ["serving", "portion", "helping", "svg"];
/// Units of a mass or a volume that are tried in this order.
const PREFERRED: [Unit; 10] = [
    Unit::Gram,
    Unit::Milliliter,
    Unit::Kilogram,
    Unit::Liter,
    Unit::Ounce,
    Unit::FluidOunce,
    Unit::Pound,
    Unit::Cup,
    Unit::Tablespoon,
    Unit::Teaspoon,
];

/// An amount in one of the allowed units.
#[derive(Clone, Debug, PartialEq)]
pub struct AllowedAmount {
    /// The number of units.
    pub quantity: f64,
    /// The unit, as the schema spells it.
    pub unit: String,
}

impl AllowedAmount {
    /// Returns the amount of an item in the unit that is closest to the one that was said: the same, another of its kind, then
    /// a mass or volume, a piece or a serving. `None` if none of them fits.
    pub fn choose(item: &ItemFacts<'_>, allowed: &[&str]) -> Option<Self> {
        let (quantity, said) = (item.row.quantity, item.row.unit.as_str());
        let in_unit = |quantity: f64, unit: &str| Self { quantity, unit: unit.to_owned() };
        let is_serving = SERVINGS.contains(&said);
        let same = allowed.iter().find(|unit| is_same(unit, said));
        if let Some(unit) = same.filter(|_| !is_serving) {
            return Some(in_unit(quantity, unit));
        }
        let said_unit = Unit::parse(said);
        let milliliters = said_unit.and_then(Unit::milliliters).map(|one| one * quantity);
        if let Some(amount) = milliliters.and_then(|volume| measured(volume, allowed, Unit::milliliters)) {
            return Some(amount);
        }
        let grams = item.grams().or_else(|| Some(said_unit?.grams()? * quantity));
        if let Some(amount) = grams.and_then(|grams| measured(grams, allowed, Unit::grams)) {
            return Some(amount);
        }
        let volume = milliliters.or_else(|| Some(grams? / item.density()?));
        if let Some(amount) = volume.and_then(|volume| measured(volume, allowed, Unit::milliliters)) {
            return Some(amount);
        }
        if let Some(unit) = same {
            return Some(in_unit(quantity, unit));
        }
        let one_of = |names: &[&str]| allowed.iter().find(|unit| names.contains(&plain(unit).as_str()));
        let is_counted = said_unit.is_none() && !is_serving;
        if let Some(unit) = one_of(&PIECES).filter(|_| is_counted) {
            return Some(in_unit(quantity, unit));
        }
        one_of(&SERVINGS).map(|unit| in_unit(if said_unit.is_none() { quantity } else { 1.0 }, unit))
    }
}

/// Returns the word among the allowed ones that an item's own unit is.
pub fn portion_word<'a>(item: &ItemFacts<'_>, allowed: &[&'a str]) -> Option<&'a str> {
    allowed.iter().find(|word| is_same(word, &item.row.unit)).copied()
}

/// Returns an amount of a mass or of a volume in the preferred of the allowed units.
fn measured(amount: f64, allowed: &[&str], size: fn(Unit) -> Option<f64>) -> Option<AllowedAmount> {
    PREFERRED.into_iter().find_map(|preferred| {
        let size = size(preferred)?;
        let unit = allowed.iter().find(|unit| Unit::parse(unit) == Some(preferred))?;
        Some(AllowedAmount { quantity: amount / size, unit: (*unit).to_owned() })
    })
}

fn is_same(one: &str, other: &str) -> bool {
    let units = (Unit::parse(one), Unit::parse(other));
    if let (Some(one), Some(other)) = units {
        return one == other;
    }
    plain(one) == plain(other)
}

/// Returns a unit in small letters, in the singular, without a full stop.
fn plain(unit: &str) -> String {
    singular(unit.trim().trim_end_matches('.').to_lowercase().as_str())
}
