//! Items that were seen in a photo: a package weighs what is printed on it, and a dish is only what it looks like.

use std::sync::Arc;

use super::item::{Item, Range, Tier};
use crate::link::seen::Seen;
use crate::portion::{Weight, WeightSource};

/// Another dish is plausible if it is at least this likely,
const MIN_PLAUSIBLE: f32 = 0.2;
/// or at least this share as likely as the most likely one.
const MIN_PLAUSIBLE_SHARE: f32 = 0.25;
/// A photo has no scale: the amount of a dish may be off by this share, however certain the dish is.
const AMOUNT_DOUBT: f64 = 0.3;
/// The most servings of another dish that widen the range.
const MAX_SERVINGS: f64 = 20.0;

/// Returns what an amount of something seen weighs, if that differs from the portions of the catalog: one serving of a
/// package is the serving printed on it, and a label without a mass knows only servings.
pub(crate) fn weight_of_seen(seen: &Seen, weight: Weight, count: f64) -> Weight {
    let Some(food) = &seen.food else { return weight };
    if seen.has_mass && weight.source != WeightSource::Usual {
        return weight;
    }
    let servings = if weight.source == WeightSource::Mass { 1.0 } else { count };
    let source = WeightSource::Portion(food.serving.description.clone());
    Weight { grams: f64::from(food.serving.grams) * servings, source }
}

/// Checks whether a dish may well be another one, given how likely both are. A plausible dish is asked about, and widens
/// the range to its own numbers.
pub(crate) fn is_plausible(best: f32, other: f32) -> bool {
    other >= MIN_PLAUSIBLE || other >= MIN_PLAUSIBLE_SHARE * best
}

/// Completes an item with what the photo leaves open: a dish is an estimate with a wide range, and may be another dish.
pub(crate) fn complete(seen: &Arc<Seen>, mut item: Item) -> Item {
    item.seen = Some(Arc::clone(seen));
    if seen.by.is_certain() {
        item.tier = if seen.is_derived { Tier::Derived } else { Tier::Measured };
        return item;
    }
    item.tier = Tier::Estimated;
    item.range = range_of_dish(seen, &item);
    if !seen.others.is_empty() {
        item.alternatives = seen.others.iter().map(|(food, _)| food.clone()).collect();
    }
    item
}

/// Returns the range of the numbers of a dish that was recognized.
fn range_of_dish(seen: &Seen, item: &Item) -> Range {
    let is_weighed = item.weight.source == WeightSource::Mass;
    let doubt = if is_weighed { 0.0 } else { AMOUNT_DOUBT } + f64::from(1.0 - seen.confidence.clamp(0.0, 1.0)) / 2.0;
    let mut range = item.range.widened(1.0 + doubt);
    for (food, _) in seen.others.iter().filter(|(_, confidence)| is_plausible(seen.confidence, *confidence)) {
        let servings = item.quantity.min(MAX_SERVINGS);
        let grams = if is_weighed { item.weight.grams } else { f64::from(food.serving.grams) * servings };
        let other = food.macros(grams).shown();
        range = Range { low: range.low.min(other), high: range.high.max(other) };
    }
    range
}
