//! From a mention to an item: the food that it means, what that weighs, and its numbers.

use foods::{Food, Origin};

use crate::engine::Engine;
use crate::link::mention::Mention;
use crate::portion::table::PortionTable;
use crate::portion::{self, Weight, WeightSource};

use super::item::{Item, Range, Tier, Values};
use super::range;
use super::resolve::{Choice, best_link, resolve};
use super::seen_item;

/// How much farther the range reaches where only the category of a food is known.
const GUESS_REACH: f64 = 1.5;

/// Whether the amount of a mention follows from the food before it.
pub(crate) fn is_added(engine: &Engine, mention: &Mention, before: Option<&Item>) -> bool {
    let Some(before) = before.filter(|_| mention.may_be_added()) else { return false };
    let food = best_link(engine, mention).map(|chosen| chosen.food);
    food.is_some_and(|food| added_to(engine, &food, before).is_some())
}

/// The item of a mention; `before` is the food that it may have been added to.
pub(crate) fn item(engine: &Engine, mention: &Mention, before: Option<&Item>) -> Option<Item> {
    let choice = resolve(engine, mention)?;
    Some(item_of_choice(engine, mention, choice, before))
}

/// The item of a food that was chosen for a mention.
pub(crate) fn item_of_choice(engine: &Engine, mention: &Mention, choice: Choice, before: Option<&Item>) -> Item {
    let Choice { food, link, is_guess, mut others } = choice;
    let added = before.filter(|_| mention.may_be_added());
    let added = added.and_then(|before| added_to(engine, &food, before));
    let mut weight = added.unwrap_or_else(|| {
        let weigh = |table: &PortionTable<'_>| portion::weigh(table, &mention.quantity, &mention.words);
        engine.with_cache(|cache| weigh(&PortionTable::new(&food, &mut cache.rows)))
    });
    let quantity = mention.quantity.amount.map_or(1.0, |amount| amount.value);
    if let Some(seen) = &mention.seen {
        weight = seen_item::weight(seen, weight, quantity);
    }
    let unit = unit_in_words(mention, &weight);
    let values = Values::of(&food, weight.grams);
    let alternatives: Vec<Food> = mention
        .links
        .iter()
        .filter(|other| link.is_none_or(|link| other.food != link.food))
        .take(3)
        .filter_map(|other| {
            // Those that were compared by their measure have been read.
            let read = others.iter().position(|(number, _)| *number == other.food);
            read.map(|at| others.swap_remove(at).1).or_else(|| engine.layer().food(other.food))
        })
        .collect();
    let tier = match weight.source {
        // What is in a dish depends on who cooks it, however well it was weighed.
        _ if is_guess || food.origin == Origin::Dish => Tier::Estimated,
        WeightSource::Mass => Tier::Measured,
        WeightSource::Portion(_) | WeightSource::Density => Tier::Derived,
        WeightSource::Usual => Tier::Estimated,
    };
    let mut range = range::of(&food, &weight, tier, &alternatives);
    if is_guess {
        range = Range { low: range.low.times(1.0 / GUESS_REACH), high: range.high.times(GUESS_REACH) };
    }
    let item = Item { food, quantity, unit, weight, values, range, tier, alternatives, seen: None };
    match &mention.seen {
        Some(seen) => seen_item::complete(seen, item),
        None => item,
    }
}

/// What a food weighs that was added to the one before without saying how much.
fn added_to(engine: &Engine, food: &Food, before: &Item) -> Option<Weight> {
    engine.with_cache(|cache| {
        portion::added_to(food, &PortionTable::new(&before.food, &mut cache.rows), before.weight.grams)
    })
}

/// The unit of an item as it was said, else what the portion counts, else a serving.
fn unit_in_words(mention: &Mention, weight: &Weight) -> String {
    let quantity = &mention.quantity;
    let said: Vec<&str> = quantity.sizes.iter().chain(&quantity.unit).map(String::as_str).collect();
    if !said.is_empty() {
        return said.join(" ");
    }
    let is_package = mention.seen.as_ref().is_some_and(|seen| seen.is_fixed());
    match &weight.source {
        // What is printed as a serving is one, whatever it is made of: "2/3 cup".
        WeightSource::Portion(_) if is_package => None,
        WeightSource::Portion(text) => Some(foods::unit::measure(text).unit).filter(|unit| !unit.is_empty()),
        _ => None,
    }
    .unwrap_or_else(|| "serving".to_owned())
}
