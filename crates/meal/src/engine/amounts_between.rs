//! Amounts that may be of one food or another. Between two without a comma, an amount begins a food unless the foods before come in
//! it better: "beer 500 ml chips" is half a liter of beer, "banana 200 ml milk" is one of milk. In brackets behind what was added to
//! a food, it is of that unless nobody adds so much: "cheeseburger with bacon (200 g)".

use std::ops::RangeInclusive;

use super::Engine;
use crate::lexicon::Measure;
use crate::link::mention::Mention;
use crate::portion;
use crate::portion::table::PortionTable;
use crate::read::segment::{Joint, Quantity};

/// By how much the foods before must fit better.
const MIN_BETTER: f32 = 0.2;
/// How many usual portions nobody adds to a food.
const TOO_MUCH: f64 = 3.0;
/// How many usual portions nobody eats at once: "tea 2 cups sugar" has not two cups of sugar.
const FAR_TOO_MUCH: f64 = 12.0;
/// The least and the most usual portions that an amount may be.
const PLAUSIBLE: RangeInclusive<f64> = 0.4..=2.5;

impl Engine {
    /// Gives the amounts of a list to the foods before them, if these come in such amounts and those behind do not.
    pub(super) fn give_amounts_to_foods_before(&self, mentions: &mut [Mention]) {
        let mut at = 1;
        while at < mentions.len() {
            let run = mentions[at..].iter().take_while(|mention| is_between(mention)).count();
            if run > 0 && is_bare(&mentions[at - 1]) {
                self.give_to_foods_before(&mut mentions[at - 1..at + run]);
            }
            at += run.max(1);
        }
    }

    /// Gives the masses in brackets behind what was added to a food to that food, if nobody adds so much.
    pub(super) fn give_amounts_to_dishes(&self, mentions: &mut [Mention]) {
        for at in 1..mentions.len() {
            let [before, added] = &mentions[at - 1..=at] else { continue };
            let Some(grams) = grams_behind(added).filter(|_| added.joint == Joint::With && is_bare(before)) else {
                continue;
            };
            let Some((dish, addition)) = self.usual_grams(before).zip(self.usual_grams(added)) else { continue };
            if grams > addition * TOO_MUCH && PLAUSIBLE.contains(&(grams / dish)) {
                mentions[at - 1].quantity = std::mem::take(&mut mentions[at].quantity);
            }
        }
    }

    /// Returns what is eaten of a food without an amount.
    fn usual_grams(&self, mention: &Mention) -> Option<f64> {
        let bare = Mention { quantity: Quantity::default(), ..mention.clone() };
        self.weighed(&bare).map(|(_, weight)| weight.grams)
    }

    /// Gives the amounts of a run of foods, the first of which has none, to the foods before.
    fn give_to_foods_before(&self, run: &mut [Mention]) {
        let fit = |foods: &[Mention]| -> f32 {
            foods.iter().zip(&run[1..]).map(|(food, amount)| self.fit_of(food, &amount.quantity)).sum()
        };
        if fit(&run[..run.len() - 1]) < fit(&run[1..]) + MIN_BETTER {
            return;
        }
        for at in 1..run.len() {
            let quantity = std::mem::take(&mut run[at].quantity);
            let sizes = std::mem::take(&mut run[at - 1].quantity.sizes);
            run[at - 1].quantity = Quantity { trailing: true, sizes, ..quantity };
            run[at].joint = Joint::Comma;
        }
    }

    /// Returns how well the food of a mention comes in an amount.
    fn fit_of(&self, mention: &Mention, quantity: &Quantity) -> f32 {
        let Some((link, food)) = mention.links.first().and_then(|link| Some((link, self.layer().food(link.food)?)))
        else {
            return 0.0;
        };
        let usual = self.usual_portions(link);
        let fit =
            self.with_cache(|cache| portion::comes_in(&PortionTable::new(&food, &mut cache.rows), usual, quantity));
        let of_amount = Mention { quantity: quantity.clone(), ..mention.clone() };
        let grams = self.weighed(&of_amount).map(|(_, weight)| weight.grams);
        let is_too_much =
            grams.zip(self.usual_grams(mention)).is_some_and(|(grams, usual)| grams > usual * FAR_TOO_MUCH);
        if is_too_much { fit - 1.0 } else { fit }
    }
}

/// Checks whether a mention begins with an amount that may be of the food before. A number without a unit counts what follows it.
fn is_between(mention: &Mention) -> bool {
    let quantity = &mention.quantity;
    let is_amount = quantity.amount.is_some_and(|amount| amount.explicit) && quantity.measure.is_some();
    mention.joint == Joint::Amount && is_amount && !quantity.trailing && quantity.sizes.is_empty()
}

/// Returns the mass of a mention, if that is said behind it.
fn grams_behind(mention: &Mention) -> Option<f64> {
    let Some(Measure::Mass(unit)) = mention.quantity.measure else { return None };
    mention.quantity.amount.filter(|_| mention.quantity.trailing).map(|amount| amount.value * unit)
}

/// Checks whether a mention names a food without an amount.
fn is_bare(mention: &Mention) -> bool {
    !mention.links.is_empty() && !mention.quantity.is_explicit() && !mention.quantity.is_stated()
}
