//! Finds the amounts of each nutrient.

use nutrition::sighting::Per;

use super::columns::Columns;
use super::rows::TableRow;
use super::token::{Amount, Token, Unit, tokens};
use super::vocabulary::{NutrientName, nutrient_name};

/// What may be printed for one nutrient.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NutrientReading {
    /// The possible values, the most literal first: grams, kilocalories of energy, milligrams of sodium.
    pub candidates: Vec<f64>,
    /// The percentage of the daily value that is printed beside it.
    pub percent: Option<f64>,
    /// Whether a unit is printed with it.
    pub has_unit: bool,
}

/// All values that were found in a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TableValues {
    pub energy: Option<NutrientReading>,
    /// The printed kilojoules, converted to kilocalories.
    pub from_kilojoules: Option<f64>,
    pub fat: Option<NutrientReading>,
    pub saturated: Option<NutrientReading>,
    pub carbs: Option<NutrientReading>,
    pub sugars: Option<NutrientReading>,
    pub fiber: Option<NutrientReading>,
    pub protein: Option<NutrientReading>,
    pub sodium: Option<NutrientReading>,
    /// The printed salt, converted to milligrams of sodium.
    pub from_salt: Option<f64>,
}

impl TableValues {
    /// Checks whether this is a table of nutrition facts at all: it has energy and two of fat, carbohydrate and
    /// protein, or all three, with units.
    pub fn is_table(&self) -> bool {
        let macronutrients = [&self.fat, &self.carbs, &self.protein];
        let main = macronutrients.iter().filter(|reading| reading.is_some()).count();
        let units =
            macronutrients.iter().filter(|reading| reading.as_ref().is_some_and(|reading| reading.has_unit)).count();
        let energy = self.energy.is_some() || self.from_kilojoules.is_some();
        (main == 3 || main == 2 && energy) && units >= 1
    }

    /// Prefers the reading with a unit. If a table prints its units, an amount without one most likely has one too, and
    /// its last digit is a g that was read as a 9 or an 8.
    fn prefer_units(&mut self) {
        let readings =
            [&mut self.fat, &mut self.saturated, &mut self.carbs, &mut self.sugars, &mut self.fiber, &mut self.protein];
        let (with, without): (Vec<_>, Vec<_>) =
            readings.into_iter().flatten().partition(|reading| reading.candidates.len() == 1);
        let with = with.iter().filter(|reading| reading.has_unit).count();
        if with > without.len() {
            for reading in without {
                reading.candidates.reverse();
            }
        }
    }
}

/// A name in a row, with the amounts that follow it.
struct NamedAmounts {
    name: NutrientName,
    /// Whether the name contains the unit kilojoule: "Energy (kJ)".
    in_kilojoules: bool,
    amounts: Vec<Amount>,
}

/// Finds the values, from the top. The first one of each nutrient is used: the footnotes of American labels name them
/// again.
pub(super) fn find(rows: &[TableRow], columns: &Columns) -> TableValues {
    let mut found = TableValues::default();
    let tokens: Vec<Vec<Token>> = rows.iter().map(tokens).collect();
    for (at, row) in tokens.iter().enumerate() {
        for mut entry in entries(row) {
            if entry.name == NutrientName::Energy {
                // Kilocalories may be in the next row, and the number of an American label half a row off.
                let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| tokens.get(at));
                for row in near.filter(|row| is_nameless(row)) {
                    let more: Vec<Amount> = amounts(row).filter(|amount| is_energy(amount, &entry.amounts)).collect();
                    entry.amounts.extend(more);
                }
            }
            add(&mut found, &entry, columns);
        }
    }
    found.prefer_units();
    found
}

/// Checks whether an amount of a neighboring row belongs to the energy: it has the unit, or the row of the name has no
/// number.
fn is_energy(amount: &Amount, own: &[Amount]) -> bool {
    match amount.unit {
        Unit::Kilocalorie | Unit::Kilojoule => true,
        Unit::None => own.iter().all(|own| own.unit == Unit::Percent),
        _ => false,
    }
}

fn amounts(row: &[Token]) -> impl Iterator<Item = Amount> {
    row.iter().filter_map(|token| if let Token::Amount(amount) = token { Some(*amount) } else { None })
}

fn is_nameless(row: &[Token]) -> bool {
    let letters: usize = row.iter().map(|token| if let Token::Word(word, _) = token { word.len() } else { 0 }).sum();
    letters <= 3
}

/// Splits a row into names, each with the amounts that follow it.
fn entries(row: &[Token]) -> Vec<NamedAmounts> {
    let mut entries = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut amounts: Vec<Amount> = Vec::new();
    let mut finish = |words: &mut Vec<&str>, amounts: &mut Vec<Amount>| {
        if let Some(name) = nutrient_name(words) {
            let in_kilojoules = words.contains(&"kj") && !words.contains(&"kcal");
            if words.contains(&"g") {
                amounts
                    .iter_mut()
                    .filter(|amount| amount.unit == Unit::None)
                    .for_each(|amount| amount.unit = Unit::Gram);
            }
            entries.push(NamedAmounts { name, in_kilojoules, amounts: std::mem::take(amounts) });
        }
        words.clear();
        amounts.clear();
    };
    for token in row {
        match token {
            Token::Word(word, _) => {
                if !amounts.is_empty() && word.len() >= 3 {
                    finish(&mut words, &mut amounts);
                }
                words.push(word);
            }
            Token::Amount(amount) if !words.is_empty() => amounts.push(*amount),
            _ => {}
        }
    }
    finish(&mut words, &mut amounts);
    entries
}

/// Adds a named amount to the values, unless the table already has one.
fn add(found: &mut TableValues, entry: &NamedAmounts, columns: &Columns) {
    match entry.name {
        NutrientName::Energy => {
            let (kilocalories, kilojoules) = energy(entry, columns);
            if found.energy.is_none()
                && let Some(amount) = kilocalories
            {
                found.energy = Some(NutrientReading {
                    candidates: vec![amount.value],
                    percent: None,
                    has_unit: amount.unit != Unit::None,
                });
            }
            if found.from_kilojoules.is_none()
                && let Some(amount) = kilojoules
            {
                found.from_kilojoules = Some((amount.value / 4.184).round());
            }
        }
        NutrientName::Salt => {
            if found.from_salt.is_none()
                && let Some(reading) = reading(entry, columns, 1.0)
            {
                found.from_salt = Some((reading.candidates[0] * 400.0 * 10.0).round() / 10.0);
            }
        }
        NutrientName::Sodium => {
            if found.sodium.is_none() {
                found.sodium = reading(entry, columns, 1_000.0);
            }
        }
        NutrientName::Other => {}
        NutrientName::Fat
        | NutrientName::Saturated
        | NutrientName::Carbs
        | NutrientName::Sugars
        | NutrientName::Fiber
        | NutrientName::Protein => {
            let place = match entry.name {
                NutrientName::Fat => &mut found.fat,
                NutrientName::Saturated => &mut found.saturated,
                NutrientName::Carbs => &mut found.carbs,
                NutrientName::Sugars => &mut found.sugars,
                NutrientName::Fiber => &mut found.fiber,
                _ => &mut found.protein,
            };
            if place.is_none() {
                *place = reading(entry, columns, 1.0);
            }
        }
    }
}

/// Returns the kilocalories and the kilojoules.
fn energy(entry: &NamedAmounts, columns: &Columns) -> (Option<Amount>, Option<Amount>) {
    let with = |unit: Unit| entry.amounts.iter().filter(move |amount| amount.unit == unit).copied().collect::<Vec<_>>();
    let (kilocalories, kilojoules, bare) = (with(Unit::Kilocalorie), with(Unit::Kilojoule), with(Unit::None));
    let (calories, joules) = (in_column(&kilocalories, columns), in_column(&kilojoules, columns));
    if calories.is_some() || joules.is_some() && bare.is_empty() {
        return (calories, joules);
    }
    // "Energy (kJ/kcal) 1046/250"
    if let [first, second, ..] = bare[..]
        && (4.0..4.4).contains(&(first.value / second.value))
    {
        return (Some(second), Some(first));
    }
    if entry.in_kilojoules { (None, in_column(&bare, columns)) } else { (in_column(&bare, columns), joules) }
}

/// Reads the amount in the column to use, in grams times `scale`.
fn reading(entry: &NamedAmounts, columns: &Columns, scale: f64) -> Option<NutrientReading> {
    let masses: Vec<Amount> = entry
        .amounts
        .iter()
        .filter(|amount| matches!(amount.unit, Unit::Gram | Unit::Milligram | Unit::None))
        .copied()
        .collect();
    let amount = in_column(&masses, columns)?;
    let percent = entry.amounts.iter().find(|amount| amount.unit == Unit::Percent).map(|amount| amount.value);
    // Sodium without a unit is in milligrams; no serving has ten grams of it.
    let in_milligrams =
        amount.unit == Unit::Milligram || scale > 1.0 && (amount.unit == Unit::None || amount.value >= 10.0);
    let in_grams = if in_milligrams { scale / 1_000.0 } else { scale };
    let plain = amount.value * in_grams;
    let candidates = match amount.without_last {
        // "09" can only be "0g".
        Some(0.0) if amount.unit == Unit::None && amount.value > 8.5 => vec![0.0],
        Some(shorter) if amount.unit == Unit::None => vec![plain, shorter * in_grams],
        _ => vec![plain],
    };
    Some(NutrientReading { candidates, percent, has_unit: amount.unit != Unit::None || amount.without_last.is_some() })
}

/// Returns the amount under the heading of the column to use; without a heading, the first.
fn in_column(amounts: &[Amount], columns: &Columns) -> Option<Amount> {
    let first = *amounts.first()?;
    let (Some(at), true) = (columns.at, amounts.len() > 1 && columns.per != Per::Serving) else { return Some(first) };
    let nearest = amounts.iter().min_by(|one, other| (one.at - at).abs().total_cmp(&(other.at - at).abs()))?;
    match columns.portion {
        // With two headings, the columns are in their order, even if the row is slanted.
        Some(portion) if amounts.len() == 2 => Some(if at < portion { first } else { amounts[1] }),
        _ => Some(*nearest),
    }
}
