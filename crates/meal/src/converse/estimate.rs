//! The entry point: what the messages of a person come to.

use nutrition::Macros;
use nutrition::sighting::PhotoSightings;

use super::amend::meal::Meal;
use super::part::{Part, RecipeItem};
use super::parts::{MAX_CHARS, TextParts};
use crate::engine::Engine;
use crate::read::token;
use crate::recipes::book::RecipeBook;
use crate::run::EngineRun;
use crate::weigh::item::Item;

/// Most messages of a conversation that are read.
pub const MAX_MESSAGES: usize = 50;

/// A message of a person: text, photos, or both.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The text.
    pub text: String,
    /// What was recognized in each of its photos.
    pub photos: Vec<PhotoSightings>,
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), photos: Vec::new() }
    }
}

/// Returns the parts of the meal that messages describe, in order. Later messages amend the earlier ones or add to them.
///
/// A single text is read part by part, so that the first part is known before the last word is read. Of several
/// messages, and of photos, nothing is certain before the last one is read. The caller's recipes are looked for before
/// anything is split into foods, and their numbers are used as they are.
///
/// At most [`MAX_MESSAGES`] messages and [`MAX_CHARS`] characters in all are read.
pub fn estimate<'a>(engine: &'a Engine, messages: &[Message], recipes: &'a RecipeBook) -> Parts<'a> {
    let mut chars_left = MAX_CHARS;
    let read = messages.iter().take(MAX_MESSAGES).map(|message| {
        let text: String = message.text.chars().take(chars_left).collect();
        chars_left -= text.chars().count();
        (text, message.photos.as_slice())
    });
    let read: Vec<(String, &[PhotoSightings])> =
        read.filter(|(text, photos)| !photos.is_empty() || !text.trim().is_empty()).collect();
    let engine = EngineRun::new(engine);
    if let [(text, [])] = read.as_slice() {
        let parts = PartsOfMeal::Single(Box::new(TextParts::new(engine.clone(), recipes, token::tokens(text))));
        return Parts { engine, parts };
    }
    let mut meal = Meal::new(engine.clone(), recipes);
    let mut photos_before = 0;
    for (text, photos) in &read {
        let tokens = token::tokens(text);
        if photos.is_empty() {
            meal.read_text(tokens);
        } else {
            let numbered: Vec<(usize, &PhotoSightings)> = (photos_before + 1..).zip(*photos).collect();
            photos_before += photos.len();
            meal.read_photos(&numbered, &tokens);
        }
    }
    Parts { engine, parts: PartsOfMeal::Amended(meal.into_parts().into_iter()) }
}

/// The parts of a meal, one after the other.
#[derive(Debug)]
pub struct Parts<'a> {
    engine: EngineRun<'a>,
    parts: PartsOfMeal<'a>,
}

impl Parts<'_> {
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
