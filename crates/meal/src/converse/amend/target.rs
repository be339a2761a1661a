//! Which part of a meal a few words mean: "the toast", "the chicken".

use std::rc::Rc;

use foods::text;

use super::description::FoodDescription;
use crate::converse::part::{Entry, Part, PartOrigin};
use crate::read::segment::required;
use crate::run::EngineRun;

/// The words that mean a part of a meal.
pub(super) struct Target<'a> {
    engine: &'a EngineRun<'a>,
    words: Vec<&'a str>,
    description: &'a FoodDescription,
}

impl<'a> Target<'a> {
    pub fn new(engine: &'a EngineRun<'a>, description: &'a FoodDescription) -> Self {
        Self { engine, words: description.required().collect(), description }
    }

    /// Returns the entry that is meant: the latest of those that share most words, else the one whose food the words link
    /// to.
    pub fn among(&self, entries: &[Rc<Entry>]) -> Option<usize> {
        let head = *self.words.last()?;
        let shared = entries.iter().enumerate().filter_map(|(place, entry)| {
            let names = names(entry);
            // "the soup" is not the soup spoon: the last of the words is needed.
            names.iter().any(|name| name == head).then(|| {
                let shared = self.words.iter().filter(|word| names.iter().any(|name| name == *word)).count();
                (2 * shared + usize::from(is_head(entry, head)), place)
            })
        });
        shared.max().map(|(_, place)| place).or_else(|| self.linked(entries))
    }

    /// Returns the entry of the food that the words link to, by a synonym or another spelling.
    fn linked(&self, entries: &[Rc<Entry>]) -> Option<usize> {
        let links = self.engine.links(&self.description.words, self.description.head().into_iter().collect());
        let best = links.first()?;
        entries.iter().rposition(|entry| match &entry.origin {
            PartOrigin::Words(mention) => mention.links.first().is_some_and(|link| link.food == best.food),
            PartOrigin::Recipe(_) => false,
        })
    }
}

/// Returns all words that may name an entry.
pub(super) fn names(entry: &Entry) -> Vec<String> {
    let mut names = match &entry.origin {
        PartOrigin::Words(mention) => {
            mention.words.iter().filter(|word| !word.negated).map(|word| word.word.clone()).collect()
        }
        PartOrigin::Recipe(_) => Vec::new(),
    };
    match &entry.part {
        Part::Food(item) => names.extend(text::words(&item.food.name)),
        Part::Recipe(recipe) => {
            names.extend(text::words(&recipe.name));
            names.extend(text::words(&recipe.text));
        }
        Part::Unresolved(_) => {}
    }
    names
}

/// Checks whether a word says what an entry is, and not how it is or what is in it.
pub(super) fn is_head(entry: &Entry, word: &str) -> bool {
    match &entry.origin {
        PartOrigin::Words(mention) if !mention.heads.is_empty() => {
            mention.heads.iter().any(|&head| mention.words.get(head).is_some_and(|known| known.word == word))
        }
        PartOrigin::Words(mention) => required(&mention.words).next_back().is_some_and(|known| known.word == word),
        PartOrigin::Recipe(_) => names(entry).last().is_some_and(|name| name == word),
    }
}
