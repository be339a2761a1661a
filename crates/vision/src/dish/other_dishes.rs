//! What AIY sees that our networks have no class for.
//!
//! Our networks know 407 foods and always name one of them. AIY knows 2,000 dishes, most of which are none of these.
//! Both opinions become one: the probability that the photo shows one of the other dishes at all is shared among these
//! dishes as AIY says, and the rest among our foods as our networks say.

use std::collections::HashMap;

use super::class_names::ClassNames;
use super::scores::{AIY_CLASSES, AiyDish};

/// The weights of what tells another dish from a food of ours: logistic regression on photos of both kinds, see
/// `docs/ACCURACY.md`. The log odds of the most likely other dish:
const LIKELY_WEIGHT: f32 = 0.77;
/// The logarithm of how certain our first network is on its own:
const CERTAIN_WEIGHT: f32 = -1.60;
/// The logarithm of the probability that AIY gives to our foods:
const OURS_WEIGHT: f32 = 0.14;
/// How rarely AIY takes one of our foods for the most likely other dish, as a logarithm. Set, not fitted: the simulated
/// dishes are all equally rare.
const RARE_WEIGHT: f32 = 0.8;
/// Always added. Lower than the regression gives, so that few of our foods are lost.
const ALWAYS: f32 = -10.13;
/// Added to probabilities before the logarithm is taken.
const FLOOR: f32 = 1e-3;

/// How rarely AIY takes photos of our foods for each of its dishes: the negative logarithm of the mean probability that
/// it gives the dish there, in twentieths. One byte per class.
static RARE: &[u8; AIY_CLASSES] = include_bytes!("../../models/dish-rare.bin");

/// The dishes of AIY that are none of our foods.
pub(super) struct OtherDishes {
    /// Their shares, which add up to 1, the most likely first.
    shares: Vec<(&'static str, f32)>,
    /// The log odds that AIY gives the most likely one.
    log_odds: f32,
    /// How rarely it takes our foods for that one.
    rare: f32,
    /// The probability that AIY gives to all of our foods.
    ours: f32,
}

impl OtherDishes {
    /// Picks the other dishes out of all of AIY's dishes.
    pub fn new(dishes: &[AiyDish], names: &ClassNames) -> Self {
        let mut by_name: HashMap<&'static str, (f32, usize)> = HashMap::new();
        let mut ours = 0.0;
        for dish in dishes {
            match names.dish(dish.class) {
                Some(name) if names.is_other(dish.class) => {
                    by_name.entry(name).or_insert((0.0, dish.class)).0 += dish.probability;
                }
                Some(_) => ours += dish.probability,
                None => {}
            }
        }
        let mut shares: Vec<(&'static str, f32)> = by_name.iter().map(|(name, dish)| (*name, dish.0)).collect();
        let total = shares.iter().map(|share| share.1).sum::<f32>().max(f32::MIN_POSITIVE);
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let class = shares.first().and_then(|share| by_name.get(share.0)).map(|dish| dish.1);
        let rare = class.map_or(0.0, |class| f32::from(RARE[class]) / 20.0);
        let highest = shares.first().map_or(0.0, |share| share.1);
        let log_odds = (highest + FLOOR / 10.0).ln() - (1.0 - highest + FLOOR * 10.0).ln();
        for share in &mut shares {
            share.1 /= total;
        }
        Self { shares, log_odds, rare, ours }
    }

    /// Returns the probability that a photo shows one of these dishes and not one of our foods, given how certain our
    /// first network is.
    pub fn chance(&self, certainty: f32) -> f32 {
        let log_odds = LIKELY_WEIGHT * self.log_odds
            + CERTAIN_WEIGHT * certainty.max(FLOOR).ln()
            + OURS_WEIGHT * (self.ours + FLOOR).ln()
            + RARE_WEIGHT * self.rare
            + ALWAYS;
        1.0 / (1.0 + (-log_odds).exp())
    }

    /// Returns the most likely dishes, given that the photo shows one of them.
    pub fn shares(&self) -> &[(&'static str, f32)] {
        &self.shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(names: &ClassNames, dishes: &[(&str, f32)]) -> OtherDishes {
        let class =
            |wanted: &str| (0..AIY_CLASSES).find(|class| names.dish(*class) == Some(wanted)).expect("AIY has the dish");
        let dishes: Vec<AiyDish> = dishes
            .iter()
            .map(|(name, probability)| AiyDish { class: class(name), probability: *probability })
            .collect();
        OtherDishes::new(&dishes, names)
    }

    #[test]
    fn a_dish_that_only_aiy_knows_can_win() {
        let names = ClassNames::read();
        let others = seen(&names, &[("jollof rice", 0.95), ("samosa", 0.02), ("palak paneer", 0.03)]);
        assert_eq!(others.shares()[0].0, "jollof rice");
        assert!((others.shares().iter().map(|share| share.1).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(others.chance(0.1) > 0.7, "our network has no idea what it is");
        assert!(others.chance(0.98) < others.chance(0.1));
    }

    #[test]
    fn a_food_that_both_know_stays_ours() {
        let names = ClassNames::read();
        let others = seen(&names, &[("samosa", 0.9), ("cheeseburger", 0.06), ("jollof rice", 0.04)]);
        assert!(others.chance(0.9) < 0.01);
        assert_eq!(others.shares().len(), 1);
        assert!(seen(&names, &[]).chance(0.5) < 0.01, "AIY could not be asked");
    }
}
