//! From a mention to an item: the food that it means, what that weighs, and its numbers.

use std::borrow::Cow;

use foods::{Food, Origin, text};

use super::item::{Item, Tier};
use super::range::{range_of, unsaid_share};
use super::resolve::{Choice, best_link, resolve};
use super::{seen_item, stated, without};
use crate::lexicon::{Measure, MeasureTrait, measure, measure_is};
use crate::link::mention::Mention;
use crate::link::phrase::{Link, MatchedWords};
use crate::portion::table::PortionTable;
use crate::portion::usual::UsualPortions;
use crate::portion::{self, Weight, WeightSource};
use crate::read::dish_words;
use crate::read::named_foods::NamedFood;
use crate::read::segment::{Joint, Quantity, SegmentWord};
use crate::run::EngineRun;
use crate::translate::capitalized;

/// Nobody eats or drinks more of one food, unless they say by mass or volume that they did: "300 coffee".
const MAX_CALORIES: f64 = 5_000.0;
const MAX_GRAMS: f64 = 15_000.0;
/// Whoever counts so many means pieces, whose weight is not known, and not servings that come to so much: "16 crackers".
const MANY_SERVINGS: f64 = 5.0;
const MAX_CALORIES_OF_SERVINGS: f64 = 1_200.0;
/// A product whose serving weighs less is eaten by the piece or from a bag: "8 kettle chips" are no eight bags.
const MAX_SNACK: f32 = 60.0;
const MAX_CALORIES_OF_SNACKS: f64 = 700.0;
/// The factor on the range if only the category of a food is known.
const GUESS_REACH: f64 = 1.5;
/// A guideline that differs from the usual addition by more than this factor is not what is meant.
const MAX_GUIDELINE: f64 = 1.8;
/// The least milliliters of a cup, and the most cups that something is added to.
const MIN_CUP: f64 = 100.0;
const MAX_CUPS: f64 = 6.0;
/// The most other foods that an item shows.
const MAX_ALTERNATIVES: usize = 3;
/// Words that begin with as many equal letters are spellings of one.
const LETTERS_OF_SPELLING: usize = 3;

/// Checks whether the amount of a mention follows from the food before it.
pub(crate) fn is_added(engine: &EngineRun<'_>, mention: &Mention, before: Option<&Item>) -> bool {
    let Some(before) = before.filter(|_| mention.may_be_added()) else { return false };
    let named = mention.named.as_deref().cloned();
    let food = named.or_else(|| best_link(engine, mention).map(|choice| choice.food));
    food.is_some_and(|food| weight_added_to(engine, &food, before).is_some())
}

/// Checks whether an item is an addition to the food before it, so that what follows may be another one: the two sugars of a
/// coffee, before its milk.
pub(crate) fn goes_into(engine: &EngineRun<'_>, mention: &Mention, item: &Item, before: &Item) -> bool {
    portion::is_addition(&item.weight)
        || mention.joint == Joint::With && weight_added_to(engine, &item.food, before).is_some()
}

/// Returns the item of a mention, or `None` if no food is found; `before` is the food that it may have been added to.
pub(crate) fn weigh_item(engine: &EngineRun<'_>, mention: &Mention, before: Option<&Item>) -> Option<Item> {
    let choice = resolve(engine, mention)?;
    Some(item_of_choice(engine, mention, choice, before))
}

/// Returns the item of a food that was chosen for a mention.
pub(crate) fn item_of_choice(engine: &EngineRun<'_>, mention: &Mention, choice: Choice, before: Option<&Item>) -> Item {
    let Choice { food, link, is_guess, others } = choice;
    let mut alternatives = alternatives(engine, mention, link, others);
    alternatives.retain(|other| other.id != food.id);
    let usual = usual_portions(engine, mention, link);
    let mut weight = weigh(engine, mention, &food, usual, before);
    let is_absurd = is_absurd(&food, &weight, mention);
    if is_absurd {
        // The number was no amount.
        let uncounted = Mention { quantity: Quantity::default(), ..mention.clone() };
        weight = weigh(engine, &uncounted, &food, usual, before);
    }
    let is_guess = is_guess || is_absurd || usual.is_stand_in;
    let tier = match weight.source {
        // The ingredients of a dish depend on who cooks it, however exactly it was weighed.
        _ if is_guess || food.origin == Origin::Dish => Tier::Estimated,
        WeightSource::Mass => Tier::Measured,
        WeightSource::Portion(_) | WeightSource::Density => Tier::Derived,
        WeightSource::Usual => Tier::Estimated,
    };
    // An everyday name, a synonym of one or the name of a product means its food, whatever the tables call it.
    let is_everyday = usual.food_id == Some(food.id.as_str());
    let is_synonym = |link: Link| is_everyday && link.matched == MatchedWords::Rewritten;
    let is_called = link.is_some_and(|link| link.is_outside_index() || is_synonym(link));
    let is_named = usual.called.is_some() || is_called || mention.named.is_some() || mention.seen.is_some();
    let unsaid = (!is_named).then(|| unsaid_share(&food, &mention.words));
    let range = range_of(&food, &weight, tier, unsaid, &alternatives);
    let item = Item {
        local_name: engine
            .local_name(&food)
            .or_else(|| name_of_stand_in(&food, usual))
            .or_else(|| other_name(&food, mention, usual)),
        quantity: if is_absurd { 1.0 } else { mention.count() },
        unit: unit_in_words(mention, &food, &weight),
        macros: food.macros(weight.grams).shown(),
        range: if is_guess { range.widened(GUESS_REACH) } else { range },
        tier,
        alternatives,
        seen: None,
        food,
        weight,
    };
    let item = stated::with_stated_numbers(&mention.quantity, without::without_parts(engine, mention, item));
    match &mention.seen {
        Some(seen) => seen_item::complete(seen, item),
        None => item,
    }
}

/// Returns what a food is called that the catalog lacks: the one that stands in for it has another name.
fn name_of_stand_in(food: &Food, usual: UsualPortions<'_>) -> Option<String> {
    let is_stand_in = usual.is_stand_in && usual.food_id == Some(food.id.as_str());
    usual.called.filter(|_| is_stand_in).map(capitalized)
}

/// Returns what a dish was called, if its first name says something that this does not: who says "red lentil soup" does not want
/// to look up "Mercimek çorbası", and lemon garlic shrimp are no "Cajun shrimp".
fn other_name(food: &Food, mention: &Mention, usual: UsualPortions<'_>) -> Option<String> {
    if food.origin != Origin::Dish {
        return None;
    }
    let synonym = mention.words.iter().find_map(|word| dish_words::synonym_in(&word.word, food));
    let everyday = || usual.called.filter(|_| usual.food_id == Some(food.id.as_str()));
    let name = synonym.or_else(everyday)?;
    let told = text::words(name);
    let is_told = |word: &String| told.iter().any(|other| is_spelling_of(word, other));
    (!text::words(&food.name).iter().all(is_told)).then(|| capitalized(name))
}

/// Checks whether two words are alike enough to be spellings, forms or a short form of one: "shakshouka", "bolognese" and "bol".
fn is_spelling_of(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    one == other || common >= LETTERS_OF_SPELLING
}

/// Checks whether nobody eats as much as a number says, so that it cannot have counted servings.
fn is_absurd(food: &Food, weight: &Weight, mention: &Mention) -> bool {
    let is_of_servings = weight.source == WeightSource::Usual && mention.count() >= MANY_SERVINGS;
    let most = match (is_of_servings, food.origin) {
        (true, Origin::Maker) if food.serving.grams < MAX_SNACK => MAX_CALORIES_OF_SNACKS,
        (true, _) => MAX_CALORIES_OF_SERVINGS,
        _ => MAX_CALORIES,
    };
    let is_more = food.macros(weight.grams).calories > most || weight.grams > MAX_GRAMS;
    is_more && !mention.quantity.says_how_much()
}

/// Returns the usual portions of the food of a mention.
fn usual_portions<'a>(engine: &'a EngineRun<'_>, mention: &Mention, link: Option<Link>) -> UsualPortions<'a> {
    let is_serving = || mention.quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, MeasureTrait::Serving));
    match (link, &mention.named) {
        (Some(link), _) => engine.usual_portions(&link),
        // The serving of a food that was named by its id is the one that the catalog shows.
        (None, Some(food)) if !is_serving() => engine.usual_portions_of(food),
        _ => UsualPortions::default(),
    }
}

/// Returns the other foods that a mention may be, best first; some of them may have been read before.
fn alternatives(
    engine: &EngineRun<'_>,
    mention: &Mention,
    chosen: Option<Link>,
    mut read: Vec<(u32, Food)>,
) -> Vec<Food> {
    let others = mention.links.iter().filter(|other| chosen.is_none_or(|chosen| other.food != chosen.food));
    others
        .take(MAX_ALTERNATIVES)
        .filter_map(|other| match read.iter().position(|(number, _)| *number == other.food) {
            Some(at) => Some(read.swap_remove(at).1),
            None => engine.layer().food(other.food),
        })
        .collect()
}

/// Returns what the amount of a mention weighs.
fn weigh(
    engine: &EngineRun<'_>,
    mention: &Mention,
    food: &Food,
    usual: UsualPortions<'_>,
    before: Option<&Item>,
) -> Weight {
    let before = before.filter(|_| mention.may_be_added());
    let added = before.and_then(|before| {
        let by_guideline = weight_added_to(engine, food, before);
        // "toast and butter" is as much butter as "toast with butter"; of other foods "and" only joins two. Who takes "milk
        // and sugar" in a drink takes as much as the guideline says.
        let is_addition = mention.joint == Joint::With || by_guideline.is_some() && !is_drink(engine, &before.food);
        let usual = if is_addition { usual_addition(engine, food, usual, before) } else { None };
        // Two coffees have two splashes of milk.
        let usual = usual.map(|usual| Weight { grams: usual.grams * cups_of(engine, before), ..usual });
        // The guideline for butter is meant for those who like it, that for milk on cereal for those who do not.
        let is_far = |guideline: f64, usual: f64| guideline.max(usual) > guideline.min(usual) * MAX_GUIDELINE;
        match (by_guideline, usual) {
            (Some(guideline), Some(usual)) if is_far(guideline.grams, usual.grams) => Some(usual),
            (guideline, usual) => guideline.or(usual),
        }
    });
    let weight = added.unwrap_or_else(|| {
        let words = words_of(mention, usual);
        engine.with_cache(|cache| {
            portion::weigh(&PortionTable::new(food, &mut cache.rows), usual, &mention.quantity, &words)
        })
    });
    match &mention.seen {
        Some(seen) => seen_item::weight_of_seen(seen, weight, mention.count()),
        None => weight,
    }
}

/// Returns the words of a mention. A word that stands for a food is read as its everyday name, because portions are called
/// by it: "egg 50".
fn words_of<'m>(mention: &'m Mention, usual: UsualPortions<'_>) -> Cow<'m, [SegmentWord]> {
    let is_named = mention.words.iter().any(|word| NamedFood::of_word(&word.word).is_some());
    match usual.name.filter(|_| is_named) {
        Some(name) => text::words(name).into_iter().map(SegmentWord::required).collect(),
        None => Cow::Borrowed(&mention.words),
    }
}

/// Returns what a food weighs that was added to the one before without an amount.
fn weight_added_to(engine: &EngineRun<'_>, food: &Food, before: &Item) -> Option<Weight> {
    engine.with_cache(|cache| {
        portion::added_to(food, &PortionTable::new(&before.food, &mut cache.rows), before.weight.grams)
    })
}

/// Returns how many cups, glasses or cans of a drink an item is; 1 if it is no drink, or was measured.
fn cups_of(engine: &EngineRun<'_>, item: &Item) -> f64 {
    let is_measured = match measure(&item.unit) {
        Some(Measure::Mass(_)) => true,
        Some(Measure::Volume(milliliters)) => *milliliters < MIN_CUP,
        Some(Measure::Household(_)) | None => false,
    };
    if is_measured || !is_drink(engine, &item.food) { 1.0 } else { item.quantity.clamp(1.0, MAX_CUPS) }
}

/// Checks whether a food is a drink.
fn is_drink(engine: &EngineRun<'_>, food: &Food) -> bool {
    engine.with_cache(|cache| PortionTable::new(food, &mut cache.rows).is_drink())
}

/// Returns what is usually added of a food to the one before.
fn usual_addition(engine: &EngineRun<'_>, food: &Food, usual: UsualPortions<'_>, before: &Item) -> Option<Weight> {
    engine.with_cache(|cache| {
        usual.added_to(food, &PortionTable::new(&before.food, &mut cache.rows), before.weight.grams)
    })
}

/// Returns the unit of an item as it was typed, else what the portion counts, else a serving.
fn unit_in_words(mention: &Mention, food: &Food, weight: &Weight) -> String {
    let quantity = &mention.quantity;
    // "A Big Mac" is one of them, and not a big one.
    let is_of_name = |size: &&String| food.name.split(' ').next().is_some_and(|first| first.eq_ignore_ascii_case(size));
    let sizes = quantity.sizes.iter().filter(|size| quantity.unit.is_some() || !is_of_name(size));
    // "a Little Hug bottle": a word that stands for a product says nothing to a person.
    let is_typed = |word: &&str| NamedFood::of_word(word).is_none();
    let typed: Vec<&str> = sizes.chain(&quantity.unit).map(String::as_str).filter(is_typed).collect();
    if !typed.is_empty() {
        return typed.join(" ");
    }
    let is_package = mention.seen.as_ref().is_some_and(|seen| seen.is_fixed());
    match &weight.source {
        // What is printed as a serving is one, whatever it measures: "2/3 cup".
        WeightSource::Portion(_) if is_package || portion::is_addition(weight) => None,
        WeightSource::Portion(text) => unit_of_row(text),
        _ => None,
    }
    .unwrap_or_else(|| "serving".to_owned())
}

/// Returns what a portion counts: that of a "6 inch sub" is a sub.
fn unit_of_row(text: &str) -> Option<String> {
    let unit = foods::unit::measure(text).unit;
    let counted = unit.strip_prefix("inch ").map(str::to_owned).unwrap_or(unit);
    (!counted.is_empty()).then_some(counted)
}
