//! Whether the numbers agree: fat, carbohydrate and protein come to about the printed energy.

use super::values::{Found, Reading};
use crate::sighting::Facts;

/// What a day should have, before and since 2016, in grams: the percentages on American labels are of these.
const DAILY_FAT: [f64; 2] = [78.0, 65.0];
const DAILY_CARBS: [f64; 2] = [275.0, 300.0];
/// How sure numbers are that agree, that cannot be compared, that do not agree.
pub(super) const AGREE: f32 = 1.0;
const UNKNOWN: f32 = 0.7;
const DISAGREE: f32 = 0.45;

/// The numbers, and how far they can be trusted.
///
/// Where a number can be read in two ways, the percentage beside it decides; else the energy, if exactly one way of reading
/// them all agrees with it. What stays open is taken as it stands there.
pub(super) fn settle(found: &Found) -> (Facts, f32) {
    let fat = by_percent(found.fat.as_ref(), DAILY_FAT);
    let carbs = by_percent(found.carbs.as_ref(), DAILY_CARBS);
    let protein = ways(found.protein.as_ref());
    let fiber = ways(found.fiber.as_ref()).into_iter().reduce(f64::min).unwrap_or(0.0);
    let energies = energies(found);
    let mut best: Option<(usize, [usize; 4])> = None;
    let mut is_only = false;
    for (e, energy) in energies.iter().enumerate() {
        for (f, fat) in fat.iter().enumerate() {
            for (c, carbs) in carbs.iter().enumerate() {
                for (p, protein) in protein.iter().enumerate() {
                    if !agree(*energy, *fat, *carbs, *protein, fiber) {
                        continue;
                    }
                    let changes = [e, f, c, p].iter().filter(|way| **way > 0).count();
                    match best {
                        Some((fewest, _)) if changes > fewest => {}
                        Some((fewest, _)) if changes == fewest => is_only = false,
                        _ => {
                            best = Some((changes, [e, f, c, p]));
                            is_only = true;
                        }
                    }
                }
            }
        }
    }
    let is_complete = !energies.is_empty() && !fat.is_empty() && !carbs.is_empty() && !protein.is_empty();
    let (way, agreement) = match best {
        Some((changes, way)) if is_only => (way, if changes == 0 { AGREE } else { 0.85 }),
        _ if is_complete => ([0; 4], DISAGREE),
        _ => ([0; 4], UNKNOWN),
    };
    let pick = |ways: &[f64], at: usize| ways.get(at).copied();
    let (fat, carbs) = (pick(&fat, way[1]), pick(&carbs, way[2]));
    let facts = Facts {
        calories: pick(&energies, way[0]),
        protein: pick(&protein, way[3]),
        carbs,
        fat,
        fiber: part(found.fiber.as_ref(), carbs),
        sugars: part(found.sugars.as_ref(), carbs),
        saturated_fat: part(found.saturated.as_ref(), fat),
        sodium: found.sodium.as_ref().and_then(|reading| reading.ways.first().copied()).or(found.from_salt),
    };
    (facts, agreement)
}

fn ways(reading: Option<&Reading>) -> Vec<f64> {
    reading.map(|reading| reading.ways.clone()).unwrap_or_default()
}

/// Printed kilocalories first, then what the kilojoules come to where that is another number.
fn energies(found: &Found) -> Vec<f64> {
    let mut energies = ways(found.energy.as_ref());
    if let Some(converted) = found.from_kilojoules
        && energies.first().is_none_or(|printed| (printed - converted).abs() > 0.03 * converted + 2.0)
    {
        energies.push(converted);
    }
    energies
}

/// The ways to read an amount, only those that fit the percentage beside it if one does.
fn by_percent(reading: Option<&Reading>, daily: [f64; 2]) -> Vec<f64> {
    let ways = ways(reading);
    let Some(percent) = reading.and_then(|reading| reading.percent) else { return ways };
    let fits = |grams: &&f64| daily.iter().any(|daily| (**grams / daily * 100.0 - percent).abs() <= 1.2);
    let fitting: Vec<f64> = ways.iter().filter(fits).copied().collect();
    if fitting.is_empty() { ways } else { fitting }
}

/// A part is not more than the whole.
fn part(reading: Option<&Reading>, whole: Option<f64>) -> Option<f64> {
    let ways = &reading?.ways;
    match whole {
        Some(whole) => ways.iter().find(|part| **part <= whole + 0.5).copied(),
        None => ways.first().copied(),
    }
}

/// Fibre counts between nothing and four kilocalories a gram, each number is rounded, and energy may come from alcohol or
/// organic acids, a little.
fn agree(energy: f64, fat: f64, carbs: f64, protein: f64, fiber: f64) -> bool {
    let most = 9.0 * fat + 4.0 * carbs + 4.0 * protein + 2.0 * fiber;
    let least = 9.0 * fat + 4.0 * (carbs - fiber).max(0.0) + 4.0 * protein;
    let slack = 12.0 + 0.08 * energy;
    energy >= least - slack && energy <= most + slack
}
