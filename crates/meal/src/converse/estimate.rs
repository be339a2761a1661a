//! The entry point: what the messages of a person come to.

use nutrition::Macros;
use nutrition::sighting::PhotoSightings;

use super::amend::meal::Meal;
use super::message::{Message, MessagePart, PartRefusal, RefusedPart};
use super::part::{Part, RecipeItem};
use super::parts::{MAX_CHARS, TextParts};
use super::passage::{MAX_MESSAGES, Passage, passages};
use crate::engine::Engine;
use crate::read::token;
use crate::recipes::book::RecipeBook;
use crate::run::EngineRun;
use crate::translate::{Language, Speaker};
use crate::weigh::item::Item;

/// Returns the parts of the meal that messages describe, in order. Later messages amend the earlier ones or add to them.
///
/// A single text is read part by part, so that the first part is known before the last word is read. Of several
/// messages, of photos, and of foods by their ids, nothing is certain before the last one is read. The caller's recipes are
/// looked for before anything is split into foods, and their numbers are used as they are.
///
/// At most [`MAX_MESSAGES`](crate::MAX_MESSAGES) messages, [`MAX_CHARS`](crate::MAX_CHARS) characters and
/// [`MAX_FOOD_PARTS`](crate::MAX_FOOD_PARTS) foods and corrections by id are read, in all. A food or correction that cannot be
/// read is skipped; [`try_estimate`] reports it.
pub fn estimate<'a>(engine: &'a Engine, messages: &[Message], recipes: &'a RecipeBook) -> Parts<'a> {
    estimate_for(engine, messages, recipes, &Speaker::default())
}

/// Returns the same as [`estimate`] for a person of whose language something is known.
pub fn estimate_for<'a>(
    engine: &'a Engine,
    messages: &[Message],
    recipes: &'a RecipeBook,
    speaker: &Speaker,
) -> Parts<'a> {
    read(engine, messages, recipes, speaker).0
}

/// Returns the same as [`estimate_for`], or the first part that cannot be read: a food that is not known, an item that is not
/// there, an amount that means nothing.
pub fn try_estimate<'a>(
    engine: &'a Engine,
    messages: &[Message],
    recipes: &'a RecipeBook,
    speaker: &Speaker,
) -> Result<Parts<'a>, RefusedPart> {
    match read(engine, messages, recipes, speaker) {
        (parts, None) => Ok(parts),
        (_, Some(refused)) => Err(refused),
    }
}

/// Returns the language of the texts of messages, if it is known and not English.
pub fn language_of<'e>(engine: &'e Engine, messages: &[Message], speaker: &Speaker) -> Option<&'e Language> {
    let texts = messages.iter().take(MAX_MESSAGES).flat_map(|message| &message.parts).filter_map(MessagePart::text);
    let spoken = |text: &str| {
        let text: String = text.chars().take(MAX_CHARS).collect();
        engine.translator().language_of(&text, &token::tokens(&text), speaker, engine).other()
    };
    texts.filter_map(spoken).last()
}

/// Reads messages, and reports the first part that was skipped.
fn read<'a>(
    engine: &'a Engine,
    messages: &[Message],
    recipes: &'a RecipeBook,
    speaker: &Speaker,
) -> (Parts<'a>, Option<RefusedPart>) {
    let engine = EngineRun::new(engine, speaker);
    let read = passages(messages);
    if let [(_, passages)] = read.as_slice()
        && let [Passage::Words { text, photos }] = passages.as_slice()
        && photos.is_empty()
    {
        let tokens = engine.tokens(text, recipes);
        let parts = PartsOfMeal::Single(Box::new(TextParts::new(engine.clone(), recipes, tokens)));
        return (Parts { engine, parts }, None);
    }
    let mut meal = Meal::new(engine.clone(), recipes);
    let mut photos_before = 0;
    let mut refused = None;
    for (message, passages) in &read {
        meal.begin_message();
        for passage in passages {
            if let Err((part, reason)) = read_passage(&mut meal, passage, &mut photos_before) {
                refused.get_or_insert(RefusedPart { message: *message, part, reason });
            }
        }
        meal.end_message();
    }
    let parts = PartsOfMeal::Amended(meal.into_parts().into_iter());
    (Parts { engine, parts }, refused)
}

/// Reads a passage, or returns the part that cannot be read.
fn read_passage(
    meal: &mut Meal<'_>,
    passage: &Passage<'_>,
    photos_before: &mut usize,
) -> Result<(), (usize, PartRefusal)> {
    match passage {
        Passage::Food(part, food) => meal.add_named(food).map_err(|reason| (*part, reason))?,
        Passage::Correction(part, correction) => meal.correct_item(correction).map_err(|reason| (*part, reason))?,
        Passage::Words { text, photos } if photos.is_empty() => meal.read_text(meal.tokens(text)),
        Passage::Words { text, photos } => {
            let numbered: Vec<(usize, &PhotoSightings)> = (*photos_before + 1..).zip(photos.iter().copied()).collect();
            *photos_before += photos.len();
            let tokens = meal.tokens(text);
            meal.read_photos(&numbered, &tokens);
        }
    }
    Ok(())
}

/// The parts of a meal, one after the other.
#[derive(Debug)]
pub struct Parts<'a> {
    engine: EngineRun<'a>,
    parts: PartsOfMeal<'a>,
}

impl Parts<'_> {
    /// Returns the language of the texts, if it is known and not English.
    pub fn language(&self) -> Option<&Language> {
        self.engine.language()
    }

    /// Returns how much work it was so far, in steps of about a nanosecond. The same messages always take the same steps.
    pub fn steps(&self) -> usize {
        self.engine.steps()
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        match &mut self.parts {
            PartsOfMeal::Single(parts) => parts.next(),
            PartsOfMeal::Amended(parts) => parts.next(),
        }
    }
}

#[derive(Debug)]
enum PartsOfMeal<'a> {
    /// Those of one text, each as soon as it is known.
    Single(Box<TextParts<'a>>),
    /// Those of a conversation, known only when all of it is read.
    Amended(std::vec::IntoIter<Part>),
}

/// A whole meal, by the kind of its parts: what [`estimate`] returns, collected.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// The foods, in the order of the text.
    pub items: Vec<Item>,
    /// The caller's recipes, in the order of the text.
    pub recipes: Vec<RecipeItem>,
    /// Words that were understood as food but not resolved.
    pub unresolved: Vec<String>,
}

impl Estimate {
    /// Estimates one text of a person who has no recipes.
    pub fn of_text(engine: &Engine, text: &str) -> Self {
        estimate(engine, &[text.into()], &RecipeBook::default()).collect()
    }

    /// Returns the sums of what the items and recipes show.
    pub fn totals(&self) -> Macros {
        let items = self.items.iter().map(|item| &item.macros);
        items.chain(self.recipes.iter().map(|recipe| &recipe.macros)).sum::<Macros>().shown()
    }
}

impl FromIterator<Part> for Estimate {
    fn from_iter<P: IntoIterator<Item = Part>>(parts: P) -> Self {
        let mut estimate = Self::default();
        for part in parts {
            match part {
                Part::Food(item) => estimate.items.push(*item),
                Part::Recipe(recipe) => estimate.recipes.push(recipe),
                Part::Unresolved(words) => estimate.unresolved.push(words),
            }
        }
        estimate
    }
}
