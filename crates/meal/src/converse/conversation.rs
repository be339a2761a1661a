//! What the messages of a person come to: one text, several, or photos with and without words.

use super::amend::meal::Meal;
use super::part::Part;
use super::parts::{MAX_CHARS, Parts};
use super::photos::sighting::Photo;
use crate::engine::Engine;
use crate::read::token;
use crate::recipes::book::RecipeBook;

/// Messages beyond these are not read.
pub const MAX_MESSAGES: usize = 50;

/// A message of a person: words, photos, or both.
#[derive(Clone, Debug, Default)]
pub struct Message<'a> {
    /// The words.
    pub text: &'a str,
    /// What was seen in each of its photos.
    pub photos: &'a [Photo],
}

/// The parts of a conversation, one after the other.
#[derive(Debug)]
pub(crate) enum Conversation<'a> {
    /// One message: its parts, each as soon as it is known.
    Single(Box<Parts<'a>>),
    /// Several: nothing is certain before the last is read.
    Amended(std::vec::IntoIter<Part>),
}

impl Iterator for Conversation<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        match self {
            Conversation::Single(parts) => parts.next(),
            Conversation::Amended(parts) => parts.next(),
        }
    }
}

impl Engine {
    /// What several messages of a person come to: the later ones amend the earlier or add to them. A single message is
    /// read part by part, as [`Engine::parts`] does.
    pub fn conversation<'a>(
        &'a self,
        messages: &'a [&'a str],
        recipes: &'a RecipeBook,
    ) -> impl Iterator<Item = Part> + 'a {
        let mut left = MAX_CHARS;
        let texts: Vec<String> = messages
            .iter()
            .take(MAX_MESSAGES)
            .map(|message| {
                let text: String = message.chars().take(left).collect();
                left -= text.chars().count();
                text
            })
            .filter(|text| !text.trim().is_empty())
            .collect();
        if let [only] = texts.as_slice() {
            return Conversation::Single(Box::new(self.parts(only, recipes)));
        }
        let mut meal = Meal::new(self, recipes);
        for text in &texts {
            meal.hear(token::tokens(text));
        }
        Conversation::Amended(meal.parts().into_iter())
    }
}

impl Engine {
    /// What messages with photos come to. Without photos this is [`Engine::conversation`].
    pub fn table(&self, messages: &[Message<'_>], recipes: &RecipeBook) -> Vec<Part> {
        let mut meal = Meal::new(self, recipes);
        let (mut left, mut photos) = (MAX_CHARS, 0);
        for message in messages.iter().take(MAX_MESSAGES) {
            let text: String = message.text.chars().take(left).collect();
            left -= text.chars().count();
            let tokens = token::tokens(&text);
            let numbered: Vec<(usize, &Photo)> =
                message.photos.iter().enumerate().map(|(at, photo)| (photos + at + 1, photo)).collect();
            photos += numbered.len();
            if !numbered.is_empty() {
                meal.see(&numbered, &tokens);
            } else if !text.trim().is_empty() {
                meal.hear(tokens);
            }
        }
        meal.parts()
    }
}
