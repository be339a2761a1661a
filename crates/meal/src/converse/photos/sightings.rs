//! What was seen in photos becomes part of a meal.
//!
//! Whoever looks at photos reports [`Sighting`]s: a bar code, the numbers of a label, a dish in words. Here they become
//! foods: the product of the catalog, a food made of the label's numbers (`label`), or what the words of a dish come to,
//! by the same way that typed words take, so that the caller's recipes and later messages hold for them too. Several
//! photos may be several views of one thing (`views`).

use std::sync::Arc;

use foods::Food;
use nutrition::sighting::{Guess, SeenBy, Sighting};

use super::label::{LabelFood, food_of};
use crate::converse::part::{Entry, Part, PartOrigin, part_of};
use crate::converse::parts::{MAX_CHARS, TextParts};
use crate::engine::Engine;
use crate::link::mention::Mention;
use crate::link::seen::Seen;
use crate::read::segment::{Joint, Quantity, SegmentWord};
use crate::read::token;
use crate::recipes::book::RecipeBook;
use crate::weigh::resolve::resolve;
use crate::weigh::seen_item;

/// Other dishes that something may be, beside the likeliest.
const MOST_OTHERS: usize = 4;
/// A dish less likely than this is not held up as an alternative.
const LEAST_LIKELY: f32 = 0.05;

/// The entries of something seen. Empty where the catalog has nothing for it.
pub(crate) fn sighted(engine: &Engine, photo: usize, sighting: &Sighting, recipes: &RecipeBook) -> Vec<Entry> {
    match sighting {
        Sighting::Barcode(gtin) => {
            let food = engine.catalog().by_gtin(*gtin);
            let made = food.map(|food| LabelFood { food, has_mass: true, is_derived: false });
            made.map(|made| fixed(engine, photo, SeenBy::Barcode, made)).into_iter().collect()
        }
        Sighting::Label(label) => {
            let made = food_of(label);
            made.map(|made| fixed(engine, photo, SeenBy::Label, made)).into_iter().collect()
        }
        Sighting::Dish { guesses, by, note } => {
            let seen = Seen { note: note.clone(), ..Seen::new(photo, *by) };
            dish(engine, seen, guesses, recipes)
        }
    }
}

/// The entry of a food that is known as such.
fn fixed(engine: &Engine, photo: usize, by: SeenBy, made: LabelFood) -> Entry {
    let LabelFood { food, has_mass, is_derived } = made;
    let word = |word: String| SegmentWord { word, optional: false, negated: false };
    let words = foods::text::words(&food.name).into_iter().map(word).collect();
    let seen = Seen { food: Some(food), has_mass, is_derived, ..Seen::new(photo, by) };
    let mention = Mention {
        joint: Joint::Start,
        quantity: Quantity::default(),
        words,
        heads: Vec::new(),
        links: Vec::new(),
        seen: Some(Arc::new(seen)),
    };
    let part = part_of(engine, &mention, None);
    Entry { origin: PartOrigin::Words(Box::new(mention)), part }
}

fn dish(engine: &Engine, seen: Seen, guesses: &[Guess], recipes: &RecipeBook) -> Vec<Entry> {
    let Some(best) = guesses.first() else { return Vec::new() };
    let others = guesses[1..].iter().filter(|guess| guess.confidence >= LEAST_LIKELY).take(MOST_OTHERS);
    let others: Vec<(Food, f32)> =
        others.filter_map(|guess| Some((named(engine, &guess.words)?, guess.confidence))).collect();
    let seen = Arc::new(Seen { confidence: best.confidence, others, ..seen });
    let words: String = words_of(engine, &best.words, recipes).chars().take(MAX_CHARS).collect();
    let mut parts = TextParts::new(engine, recipes, token::tokens(&words));
    let mut entries = Vec::new();
    while let Some(mut entry) = parts.next_entry() {
        if let PartOrigin::Words(mention) = &mut entry.origin {
            mention.seen = Some(Arc::clone(&seen));
        }
        if let Part::Food(item) = entry.part {
            entry.part = Part::Food(Box::new(seen_item::complete(&seen, *item)));
        }
        entries.push(entry);
    }
    entries
}

/// The words that stand for what was seen; the caller's recipes come before the list.
fn words_of<'w>(engine: &Engine, words: &'w str, recipes: &RecipeBook) -> &'w str {
    let is_recipe = !recipes.find(&token::tokens(words), engine.lexicon()).is_empty();
    if is_recipe { words } else { engine.lexicon().seen_as(words).unwrap_or(words) }
}

/// The food that a few words name.
fn named(engine: &Engine, words: &str) -> Option<Food> {
    let words = engine.lexicon().seen_as(words).unwrap_or(words);
    let mentions = engine.mentions(&token::tokens(words));
    resolve(engine, mentions.first()?).map(|choice| choice.food)
}

/// Whether an entry was seen as the same food as another: two views of it, or a view of what was said.
pub(crate) fn is_same(one: &Entry, other: &Entry) -> bool {
    match (&one.part, &other.part) {
        (Part::Food(one), Part::Food(other)) => one.food.id == other.food.id,
        (Part::Recipe(one), Part::Recipe(other)) => one.id == other.id,
        _ => false,
    }
}
