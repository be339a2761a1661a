//! Items that were seen: a package weighs what is printed on it, and a dish is only what it looks like.

use std::sync::Arc;

use super::item::{Item, Range, Tier, Values};
use crate::link::seen::Seen;
use crate::portion::{Weight, WeightSource};

/// A dish at least so likely widens the range to its own numbers.
const PLAUSIBLE: f32 = 0.2;
/// A photo has no scale: the amount of a dish may be off by this share, however sure the dish is.
const AMOUNT_DOUBT: f64 = 0.3;

/// What an amount of it weighs, where that is not what the portions of the catalog say: one serving of a package is
/// the serving on it. A label without a mass knows only servings.
pub(crate) fn weight(seen: &Seen, mut weight: Weight, count: f64) -> Weight {
    let Some(food) = &seen.food else { return weight };
    if !seen.has_mass || weight.source == WeightSource::Usual {
        let count = if !seen.has_mass && weight.source == WeightSource::Mass { 1.0 } else { count };
        weight.grams = f64::from(food.serving.grams) * count;
        weight.source = WeightSource::Portion(food.serving.description.clone());
    }
    weight
}

/// An item with what the photo leaves open: a dish is an estimate, with a wide range and other dishes that it may be.
pub(crate) fn complete(seen: &Arc<Seen>, mut item: Item) -> Item {
    item.seen = Some(Arc::clone(seen));
    if seen.by.is_certain() {
        item.tier = if seen.is_derived { Tier::Derived } else { Tier::Measured };
        return item;
    }
    item.tier = Tier::Estimated;
    item.range = doubted(seen, &item);
    if !seen.others.is_empty() {
        item.alternatives = seen.others.iter().map(|(food, _)| food.clone()).collect();
    }
    item
}

/// The range around what a dish comes to.
fn doubted(seen: &Seen, item: &Item) -> Range {
    let is_weighed = item.weight.source == WeightSource::Mass;
    let doubt = if is_weighed { 0.0 } else { AMOUNT_DOUBT } + f64::from(1.0 - seen.confidence.clamp(0.0, 1.0)) / 2.0;
    let mut range = Range { low: item.range.low.times(1.0 / (1.0 + doubt)), high: item.range.high.times(1.0 + doubt) };
    for (food, _) in seen.others.iter().filter(|(_, confidence)| *confidence >= PLAUSIBLE) {
        let grams =
            if is_weighed { item.weight.grams } else { f64::from(food.serving.grams) * item.quantity.min(20.0) };
        let other = Values::of(food, grams);
        range = Range { low: range.low.least(other), high: range.high.most(other) };
    }
    range
}
