//! The amounts of each nutrient.

use super::columns::Columns;
use super::rows::Row;
use super::token::{Amount, Token, Unit, tokens};
use super::vocabulary::{Name, name};
use crate::sighting::Per;

/// What may be printed for one nutrient.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    /// Ways to read it, the plainest first: in grams, of energy in kilocalories, of sodium in milligrams.
    pub ways: Vec<f64>,
    /// The percentage of the daily value beside it.
    pub percent: Option<f64>,
    /// Whether a unit is printed with it.
    pub has_unit: bool,
}

/// All that is found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Found {
    pub energy: Option<Reading>,
    /// Kilocalories that the printed kilojoules come to.
    pub from_kilojoules: Option<f64>,
    pub fat: Option<Reading>,
    pub saturated: Option<Reading>,
    pub carbs: Option<Reading>,
    pub sugars: Option<Reading>,
    pub fiber: Option<Reading>,
    pub protein: Option<Reading>,
    pub sodium: Option<Reading>,
    /// Milligrams of sodium that the printed salt comes to.
    pub from_salt: Option<f64>,
}

impl Found {
    /// Whether this is a table of nutrition facts at all: energy and two of the three, or all three; with units.
    pub fn make_a_table(&self) -> bool {
        let three = [&self.fat, &self.carbs, &self.protein];
        let main = three.iter().filter(|reading| reading.is_some()).count();
        let units = three.iter().filter(|reading| reading.as_ref().is_some_and(|reading| reading.has_unit)).count();
        let energy = self.energy.is_some() || self.from_kilojoules.is_some();
        (main == 3 || main == 2 && energy) && units >= 1
    }
}

impl Found {
    /// Where a table prints its units, an amount without one most likely has it too, and its last digit is a g that was
    /// taken for a 9 or an 8.
    fn prefer_units(&mut self) {
        let all =
            [&mut self.fat, &mut self.saturated, &mut self.carbs, &mut self.sugars, &mut self.fiber, &mut self.protein];
        let (with, without): (Vec<_>, Vec<_>) = all.into_iter().flatten().partition(|reading| reading.ways.len() == 1);
        let with = with.iter().filter(|reading| reading.has_unit).count();
        if with > without.len() {
            for reading in without {
                reading.ways.reverse();
            }
        }
    }
}

/// A name in a row, with the amounts behind it.
struct Entry {
    name: Name,
    /// Whether the name says that the number is in kilojoules: "Energy (kJ)".
    in_kilojoules: bool,
    amounts: Vec<Amount>,
}

/// Goes through the rows from the top. What comes first counts: the footnotes of American labels name everything again.
pub(super) fn find(rows: &[Row], columns: &Columns) -> Found {
    let mut found = Found::default();
    let tokens: Vec<Vec<Token>> = rows.iter().map(tokens).collect();
    for (at, row) in tokens.iter().enumerate() {
        for mut entry in entries(row) {
            if entry.name == Name::Energy {
                // Kilocalories may stand in the next row, or the number of an American label half a row off.
                let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| tokens.get(at));
                for row in near.filter(|row| is_nameless(row)) {
                    let more: Vec<Amount> =
                        amounts(row).filter(|amount| takes_energy(amount, &entry.amounts)).collect();
                    entry.amounts.extend(more);
                }
            }
            take(&mut found, &entry, columns);
        }
    }
    found.prefer_units();
    found
}

/// Whether an amount of a neighbouring row is part of the energy: it has the unit, or nothing else was printed.
fn takes_energy(amount: &Amount, own: &[Amount]) -> bool {
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

/// Names with the amounts that follow each.
fn entries(row: &[Token]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut amounts: Vec<Amount> = Vec::new();
    let mut finish = |words: &mut Vec<&str>, amounts: &mut Vec<Amount>| {
        if let Some(name) = name(words) {
            let in_kilojoules = words.contains(&"kj") && !words.contains(&"kcal");
            if words.contains(&"g") {
                amounts
                    .iter_mut()
                    .filter(|amount| amount.unit == Unit::None)
                    .for_each(|amount| amount.unit = Unit::Gram);
            }
            entries.push(Entry { name, in_kilojoules, amounts: std::mem::take(amounts) });
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

fn take(found: &mut Found, entry: &Entry, columns: &Columns) {
    match entry.name {
        Name::Energy => {
            let (kilocalories, kilojoules) = energy(entry, columns);
            if found.energy.is_none()
                && let Some(amount) = kilocalories
            {
                found.energy =
                    Some(Reading { ways: vec![amount.value], percent: None, has_unit: amount.unit != Unit::None });
            }
            if found.from_kilojoules.is_none()
                && let Some(amount) = kilojoules
            {
                found.from_kilojoules = Some((amount.value / 4.184).round());
            }
        }
        Name::Salt => {
            if found.from_salt.is_none()
                && let Some(reading) = reading(entry, columns, 1.0)
            {
                found.from_salt = Some((reading.ways[0] * 400.0 * 10.0).round() / 10.0);
            }
        }
        Name::Sodium => {
            if found.sodium.is_none() {
                found.sodium = reading(entry, columns, 1_000.0);
            }
        }
        Name::Other => {}
        Name::Fat | Name::Saturated | Name::Carbs | Name::Sugars | Name::Fiber | Name::Protein => {
            let place = match entry.name {
                Name::Fat => &mut found.fat,
                Name::Saturated => &mut found.saturated,
                Name::Carbs => &mut found.carbs,
                Name::Sugars => &mut found.sugars,
                Name::Fiber => &mut found.fiber,
                _ => &mut found.protein,
            };
            if place.is_none() {
                *place = reading(entry, columns, 1.0);
            }
        }
    }
}

/// Kilocalories and kilojoules.
fn energy(entry: &Entry, columns: &Columns) -> (Option<Amount>, Option<Amount>) {
    let with = |unit: Unit| entry.amounts.iter().filter(move |amount| amount.unit == unit).copied().collect::<Vec<_>>();
    let (kilocalories, kilojoules, bare) = (with(Unit::Kilocalorie), with(Unit::Kilojoule), with(Unit::None));
    let (calories, joules) = (chosen(&kilocalories, columns), chosen(&kilojoules, columns));
    if calories.is_some() || joules.is_some() && bare.is_empty() {
        return (calories, joules);
    }
    // "Energy (kJ/kcal) 1046/250"
    if let [first, second, ..] = bare[..]
        && (4.0..4.4).contains(&(first.value / second.value))
    {
        return (Some(second), Some(first));
    }
    if entry.in_kilojoules { (None, chosen(&bare, columns)) } else { (chosen(&bare, columns), joules) }
}

/// The amount in the column that counts, in grams times `scale`.
fn reading(entry: &Entry, columns: &Columns, scale: f64) -> Option<Reading> {
    let masses: Vec<Amount> = entry
        .amounts
        .iter()
        .filter(|amount| matches!(amount.unit, Unit::Gram | Unit::Milligram | Unit::None))
        .copied()
        .collect();
    let amount = chosen(&masses, columns)?;
    let percent = entry.amounts.iter().find(|amount| amount.unit == Unit::Percent).map(|amount| amount.value);
    // Sodium without a unit is in milligrams; nothing has ten grams of it in a serving.
    let in_milligrams =
        amount.unit == Unit::Milligram || scale > 1.0 && (amount.unit == Unit::None || amount.value >= 10.0);
    let in_grams = if in_milligrams { scale / 1_000.0 } else { scale };
    let plain = amount.value * in_grams;
    let ways = match amount.without_last {
        // "09" can only be "0g".
        Some(0.0) if amount.unit == Unit::None && amount.value > 8.5 => vec![0.0],
        Some(shorter) if amount.unit == Unit::None => vec![plain, shorter * in_grams],
        _ => vec![plain],
    };
    Some(Reading { ways, percent, has_unit: amount.unit != Unit::None || amount.without_last.is_some() })
}

/// The amount under the heading that counts; without a heading the first.
fn chosen(amounts: &[Amount], columns: &Columns) -> Option<Amount> {
    let first = *amounts.first()?;
    let (Some(at), true) = (columns.at, amounts.len() > 1 && columns.per != Per::Serving) else { return Some(first) };
    let nearest = amounts.iter().min_by(|one, other| (one.at - at).abs().total_cmp(&(other.at - at).abs()))?;
    match columns.portion {
        // With two headings the columns are in their order, which a slanted row does not change.
        Some(portion) if amounts.len() == 2 => Some(if at < portion { first } else { amounts[1] }),
        _ => Some(*nearest),
    }
}
