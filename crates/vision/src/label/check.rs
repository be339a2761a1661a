//! Checks that the numbers agree: fat, carbohydrate and protein add up to about the printed energy.

use nutrition::Macros;
use nutrition::sighting::NutritionFacts;

use super::values::{NutrientReading, TableValues};

/// Daily values of fat in grams, since 2016 and before: the percentages on American labels refer to these.
const DAILY_FAT: [f64; 2] = [78.0, 65.0];
/// Daily values of carbohydrate in grams.
const DAILY_CARBS: [f64; 2] = [275.0, 300.0];
/// The confidence in numbers that agree.
pub(super) const AGREE: f32 = 1.0;
/// The confidence in numbers that agree after others than the most literal readings were chosen.
const AGREE_CORRECTED: f32 = 0.85;
/// The confidence in numbers that cannot be compared.
const INCOMPLETE: f32 = 0.7;
/// The confidence in numbers that do not agree.
const DISAGREE: f32 = 0.45;

/// Decides between the readings of each number. Returns the facts and the confidence in them.
///
/// If a number can be read in two ways, the percentage beside it decides; otherwise the energy does, if exactly one
/// combination of readings agrees with it. What stays ambiguous is read literally.
pub(super) fn settle(found: &TableValues) -> (NutritionFacts, f32) {
    let candidates_of = Macros {
        calories: energies(found),
        protein: candidates(found.protein.as_ref()),
        carbs: by_percent(found.carbs.as_ref(), DAILY_CARBS),
        fat: by_percent(found.fat.as_ref(), DAILY_FAT),
    };
    let fiber = candidates(found.fiber.as_ref()).into_iter().reduce(f64::min).unwrap_or(0.0);
    let (choice, agreement) = choose(&candidates_of, fiber);
    let macros = candidates_of.zip_with(choice, |candidates, at| candidates.get(at).copied());
    let facts = NutritionFacts {
        macros,
        fiber: part(found.fiber.as_ref(), macros.carbs),
        sugars: part(found.sugars.as_ref(), macros.carbs),
        saturated_fat: part(found.saturated.as_ref(), macros.fat),
        sodium: found.sodium.as_ref().and_then(|reading| reading.candidates.first().copied()).or(found.from_salt),
    };
    (facts, agreement)
}

/// Chooses a candidate of each number: the combination that agrees with the energy and changes fewest of the most
/// literal readings, if there is only one. Returns the positions of the candidates and the confidence in them.
fn choose(candidates_of: &Macros<Vec<f64>>, fiber: f64) -> (Macros<usize>, f32) {
    let mut best: Option<(usize, Macros<usize>)> = None;
    let mut is_only = false;
    for (e, &calories) in candidates_of.calories.iter().enumerate() {
        for (f, &fat) in candidates_of.fat.iter().enumerate() {
            for (c, &carbs) in candidates_of.carbs.iter().enumerate() {
                for (p, &protein) in candidates_of.protein.iter().enumerate() {
                    if !agree(Macros { calories, protein, carbs, fat }, fiber) {
                        continue;
                    }
                    let changes = [e, f, c, p].iter().filter(|at| **at > 0).count();
                    match best {
                        Some((fewest, _)) if changes > fewest => {}
                        Some((fewest, _)) if changes == fewest => is_only = false,
                        _ => {
                            best = Some((changes, Macros { calories: e, protein: p, carbs: c, fat: f }));
                            is_only = true;
                        }
                    }
                }
            }
        }
    }
    let Macros { calories, protein, carbs, fat } = candidates_of;
    let is_complete = [calories, protein, carbs, fat].iter().all(|candidates| !candidates.is_empty());
    match best {
        Some((0, choice)) if is_only => (choice, AGREE),
        Some((_, choice)) if is_only => (choice, AGREE_CORRECTED),
        _ if is_complete => (Macros::default(), DISAGREE),
        _ => (Macros::default(), INCOMPLETE),
    }
}

fn candidates(reading: Option<&NutrientReading>) -> Vec<f64> {
    reading.map(|reading| reading.candidates.clone()).unwrap_or_default()
}

/// Returns the printed kilocalories, and then the converted kilojoules if they differ.
fn energies(found: &TableValues) -> Vec<f64> {
    let mut energies = candidates(found.energy.as_ref());
    if let Some(converted) = found.from_kilojoules
        && energies.first().is_none_or(|printed| (printed - converted).abs() > 0.03 * converted + 2.0)
    {
        energies.push(converted);
    }
    energies
}

/// Returns the candidates of an amount; if any fits the percentage beside it, only those.
fn by_percent(reading: Option<&NutrientReading>, daily: [f64; 2]) -> Vec<f64> {
    let candidates = candidates(reading);
    let Some(percent) = reading.and_then(|reading| reading.percent) else { return candidates };
    let fits = |grams: &&f64| daily.iter().any(|daily| (**grams / daily * 100.0 - percent).abs() <= 1.2);
    let fitting: Vec<f64> = candidates.iter().filter(fits).copied().collect();
    if fitting.is_empty() { candidates } else { fitting }
}

/// Returns the first candidate that is not more than the whole that it is part of.
fn part(reading: Option<&NutrientReading>, whole: Option<f64>) -> Option<f64> {
    let candidates = &reading?.candidates;
    match whole {
        Some(whole) => candidates.iter().find(|part| **part <= whole + 0.5).copied(),
        None => candidates.first().copied(),
    }
}

/// Checks whether the macronutrients add up to the energy. Fiber has between zero and four kilocalories per gram, each
/// number is rounded, and a little energy may come from alcohol or organic acids.
fn agree(macros: Macros, fiber: f64) -> bool {
    let Macros { calories, protein, carbs, fat } = macros;
    let most = 9.0 * fat + 4.0 * carbs + 4.0 * protein + 2.0 * fiber;
    let least = 9.0 * fat + 4.0 * (carbs - fiber).max(0.0) + 4.0 * protein;
    let slack = 12.0 + 0.08 * calories;
    calories >= least - slack && calories <= most + slack
}
