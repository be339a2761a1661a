//! Dishes without one of their parts: "a cheeseburger, no bun" is what is between the halves of the bun.

use foods::{Food, text};
use nutrition::Macros;

use super::item::Item;
use crate::lexicon::{TableTrait, table_traits};
use crate::link::composition::{RecipePart, composed_of};
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::read::segment::SegmentWord;
use crate::run::EngineRun;

/// Nobody leaves more out; longer lists are cut, so that their time stays linear.
const MAX_DENIED: usize = 32;
/// What stands for all meats of a dish.
const MEAT: &str = "meat";

/// A part that was left out of a dish.
struct LeftOut {
    name: String,
    /// Its share of the weight of the dish.
    share: f64,
    food: Food,
}

/// Takes the parts that the eater left out off an item, unless its food lacks them already.
pub(crate) fn without_parts(engine: &EngineRun<'_>, mention: &Mention, mut item: Item) -> Item {
    let denied = mention.words.iter().filter(|word| word.negated).map(|word| &word.word).chain(&mention.without);
    let denied = denied.map(|word| (word, true)).chain(mention.told_apart.iter().map(|word| (word, false)));
    let denied: Vec<(&String, bool)> = denied.take(MAX_DENIED).collect();
    if denied.is_empty() {
        return item;
    }
    let recipe = composed_of(&item.food);
    // Each with whether it was not eaten, rather than told by itself.
    let mut left_out: Vec<(LeftOut, bool)> = Vec::new();
    for (word, is_denied) in denied {
        let mut parts = parts_of_recipe(engine, &recipe, word);
        if parts.is_empty() {
            parts.extend(usual_part(engine, &item.food, word));
        }
        for part in parts {
            if !left_out.iter().any(|(known, _)| known.food.id == part.food.id) {
                left_out.push((part, is_denied));
            }
        }
    }
    let grams = item.weight.grams;
    let mut named: Vec<String> = Vec::new();
    for (LeftOut { name, share, food }, is_denied) in left_out {
        let taken = food.macros(grams * share);
        item.weight.grams = (item.weight.grams - grams * share).max(0.0);
        item.macros = less(item.macros, taken);
        item.range.low = less(item.range.low, taken);
        item.range.high = less(item.range.high, taken);
        item.local_name = None;
        if is_denied && !named.contains(&name) {
            named.push(name);
        }
    }
    for name in named {
        item.food.name = format!("{}, no {name}", item.food.name);
    }
    item
}

/// Returns the parts of a composed dish that a word means.
fn parts_of_recipe(engine: &EngineRun<'_>, parts: &[RecipePart], word: &str) -> Vec<LeftOut> {
    let is_meat = |part: &RecipePart| part.main_name.iter().any(|word| table_traits(word).has(TableTrait::Meat));
    let is_called = |part: &RecipePart| part.is_called(word) || word == MEAT && is_meat(part);
    let mut meant: Vec<&RecipePart> = parts.iter().filter(|part| is_called(part)).collect();
    if meant.is_empty() && !parts.is_empty() {
        // The tables have a "Cheese, Feta".
        let food = food_called(engine, word);
        let is_food = |part: &&RecipePart| {
            food.as_ref().is_some_and(|food| part.is_food((food.name.as_str(), food.description.as_deref())))
        };
        meant.extend(parts.iter().find(is_food));
    }
    if meant.len() == parts.len() {
        return Vec::new();
    }
    let left_out = |part: &RecipePart| {
        let name = part.food.as_deref()?;
        // As the tables write it: "croutons".
        let main = name.split(',').next().filter(|_| part.is_called(word)).map(str::to_lowercase);
        Some(LeftOut {
            name: main.unwrap_or_else(|| word.to_owned()),
            share: part.share,
            food: food_called(engine, name)?,
        })
    };
    meant.into_iter().filter_map(left_out).collect()
}

/// Returns the part that such a dish usually has, by the words of its name.
fn usual_part(engine: &EngineRun<'_>, dish: &Food, word: &str) -> Option<LeftOut> {
    let name = text::words(&dish.name);
    let part = engine.lexicon().parts().iter().find(|part| part.name == word && part.is_of(&name))?;
    if lacks(&dish.name, part.name) {
        return None;
    }
    Some(LeftOut { name: part.name.to_owned(), share: part.share, food: food_called(engine, part.food)? })
}

/// Returns the food that a name means; the one that the catalog calls exactly so comes first.
fn food_called(engine: &EngineRun<'_>, name: &str) -> Option<Food> {
    let words: Vec<SegmentWord> = text::words(name).into_iter().map(SegmentWord::required).collect();
    let heads = vec![words.len().saturating_sub(1)];
    let links = engine.links(&words, heads);
    let is_same = |link: &&Link| engine.layer().names_of(link.food).is_some_and(|names| names.0 == name);
    let link = links.iter().find(is_same).or(links.first())?;
    engine.layer().food(link.food)
}

/// Checks whether the name of a food says that it has no such part.
fn lacks(name: &str, part: &str) -> bool {
    let name = name.to_lowercase();
    ["no", "without"].iter().any(|denial| name.contains(&format!("{denial} {part}")))
        || name.contains(&format!("{part} not eaten"))
}

fn less(numbers: Macros, taken: Macros) -> Macros {
    numbers.zip_with(taken, |number, taken| (number - taken).max(0.0)).shown()
}
