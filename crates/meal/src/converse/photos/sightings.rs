//! What was seen in photos becomes parts of a meal.
//!
//! A [`Sighting`] is a bar code, the numbers of a label, or a dish in words. It becomes the product of the catalog, a food
//! made of the numbers (`label`), or what the words would be in a text, so that the caller's recipes and later messages
//! apply to it too. Several photos may be several views of one thing (`views`).

use std::sync::Arc;

use foods::Food;
use nutrition::sighting::{Guess, SeenBy, Sighting};

use super::label::{LabelFood, food_of};
use crate::converse::part::{Entry, Part, PartOrigin, part_of};
use crate::converse::parts::{MAX_CHARS, TextParts};
use crate::link::mention::Mention;
use crate::link::seen::Seen;
use crate::read::segment::SegmentWord;
use crate::read::token;
use crate::recipes::book::RecipeBook;
use crate::run::EngineRun;
use crate::weigh::resolve::resolve;
use crate::weigh::seen_item::{self, is_plausible};

/// The most other dishes that something may be.
const MAX_OTHERS: usize = 4;
/// The lowest confidence of a dish that is offered as an alternative.
const MIN_CONFIDENCE: f32 = 0.05;
/// A dish is asked about if it is less likely than this.
const UNSURE: f32 = 0.5;
/// The most dishes in a question.
const MAX_ASKED: usize = 3;

/// Returns the entries of something seen, or none if the catalog has nothing for it.
pub(crate) fn entries_of(
    engine: &EngineRun<'_>,
    photo: usize,
    sighting: &Sighting,
    recipes: &RecipeBook,
) -> Vec<Entry> {
    match sighting {
        Sighting::Barcode { gtin, region } => {
            let food = engine.catalog().by_gtin(*gtin);
            let made = food.map(|food| LabelFood { food, has_mass: true, is_derived: false });
            let seen = Seen { region: *region, ..Seen::new(photo, SeenBy::Barcode) };
            made.map(|made| package(engine, seen, made)).into_iter().collect()
        }
        Sighting::Label { label, region } => {
            let seen = Seen { region: *region, ..Seen::new(photo, SeenBy::Label) };
            food_of(label).map(|made| package(engine, seen, made)).into_iter().collect()
        }
        Sighting::Dish { guesses, by, note, region } => {
            let seen = Seen { note: note.clone(), region: *region, ..Seen::new(photo, *by) };
            dish(engine, seen, guesses, recipes)
        }
    }
}

/// Returns the entry of a package.
fn package(engine: &EngineRun<'_>, seen: Seen, made: LabelFood) -> Entry {
    let LabelFood { food, has_mass, is_derived } = made;
    let words = foods::text::words(&food.name).into_iter().map(SegmentWord::required).collect();
    let seen = Seen { food: Some(food), has_mass, is_derived, ..seen };
    let mention = Mention { seen: Some(Arc::new(seen)), ..Mention::of_words(words) };
    let part = part_of(engine, &mention, None);
    Entry { origin: PartOrigin::Words(Box::new(mention)), part }
}

/// Returns the entries of a dish.
fn dish(engine: &EngineRun<'_>, seen: Seen, guesses: &[Guess], recipes: &RecipeBook) -> Vec<Entry> {
    let Some(best) = guesses.first() else { return Vec::new() };
    let others = guesses[1..].iter().filter(|guess| guess.confidence >= MIN_CONFIDENCE).take(MAX_OTHERS);
    let others: Vec<(Food, f32)> =
        others.filter_map(|guess| Some((named(engine, &guess.words)?, guess.confidence))).collect();
    let seen = Arc::new(Seen { confidence: best.confidence, question: question(guesses), others, ..seen });
    let words: String = words_of(engine, &best.words, recipes).chars().take(MAX_CHARS).collect();
    let mut parts = TextParts::new(engine.clone(), recipes, token::tokens(&words));
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

/// Returns what to ask if it is not clear which of these a dish is, or `None` if it is clear or no other is likely.
fn question(guesses: &[Guess]) -> Option<String> {
    let best = guesses.first().filter(|best| best.confidence < UNSURE)?;
    let likely = guesses.iter().filter(|guess| is_plausible(best.confidence, guess.confidence));
    let mut names: Vec<&str> = likely.map(|guess| guess.words.as_str()).take(MAX_ASKED).collect();
    let last = names.pop().filter(|_| !names.is_empty())?;
    Some(format!("{} or {last}?", names.join(", ")))
}

/// Returns the words for what was seen; the caller's recipes come before the lexicon.
fn words_of<'w>(engine: &EngineRun<'_>, words: &'w str, recipes: &RecipeBook) -> &'w str {
    let is_recipe = !recipes.find(&token::tokens(words), engine.lexicon()).is_empty();
    if is_recipe { words } else { engine.lexicon().seen_as(words).unwrap_or(words) }
}

/// Returns the food that a few words name.
fn named(engine: &EngineRun<'_>, words: &str) -> Option<Food> {
    let words = engine.lexicon().seen_as(words).unwrap_or(words);
    let mentions = engine.mentions(&token::tokens(words));
    resolve(engine, mentions.first()?).map(|choice| choice.food)
}

/// Checks whether two entries are the same food: two views of it, or a view of what was typed.
pub(crate) fn is_same(one: &Entry, other: &Entry) -> bool {
    match (&one.part, &other.part) {
        (Part::Food(one), Part::Food(other)) => one.food.id == other.food.id,
        (Part::Recipe(one), Part::Recipe(other)) => one.id == other.id,
        _ => false,
    }
}
