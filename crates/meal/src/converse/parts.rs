//! A text, part by part: foods, the caller's recipes, words that nothing explains. What a stream of events is made of.

use std::collections::VecDeque;
use std::ops::Range;

use super::part::{Entry, Origin, Part, RecipeItem, part_of};
use crate::engine::Engine;
use crate::link::mention::Mention;
use crate::portion;
use crate::read::token::Token;
use crate::recipes::book::{RecipeBook, RecipeMatch};
use crate::weigh::item::Item;
use crate::weigh::resolve::{sole, whole};
use crate::weigh::weigh_item::weighed;

/// Text longer than this is not read further.
pub const MAX_CHARS: usize = 8_000;

/// A text of no more tokens may be nothing but the name of a product.
const MAX_SOLE_TOKENS: usize = 6;

/// What a text comes to, one part after the other.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    engine: &'a Engine,
    recipes: &'a RecipeBook,
    tokens: Vec<Token>,
    runs: VecDeque<Run>,
    mentions: VecDeque<Mention>,
    /// The food before, to which the next may have been added.
    before: Option<Item>,
    /// The text is so short that it may be nothing but a name.
    is_sole: bool,
}

/// A stretch of the text.
#[derive(Debug)]
enum Run {
    Words(Range<usize>),
    Recipe(RecipeMatch),
}

impl<'a> Parts<'a> {
    /// Looks for the caller's recipes before anything is split into foods.
    pub fn new(engine: &'a Engine, recipes: &'a RecipeBook, tokens: Vec<Token>) -> Self {
        let mut runs = VecDeque::new();
        let mut next = 0;
        for found in recipes.find(&tokens, engine.lexicon()) {
            let range = found.tokens.clone();
            runs.push_back(Run::Words(next..range.start.max(next)));
            runs.push_back(Run::Recipe(found));
            next = range.end.max(next);
        }
        runs.push_back(Run::Words(next..tokens.len()));
        let is_sole = runs.len() == 1 && tokens.len() <= MAX_SOLE_TOKENS;
        Self { engine, recipes, tokens, runs, mentions: VecDeque::new(), before: None, is_sole }
    }

    /// The next part with what it came from.
    pub fn next_entry(&mut self) -> Option<Entry> {
        loop {
            if let Some(mention) = self.mentions.pop_front() {
                let mut part = part_of(self.engine, &mention, self.before.as_ref());
                if self.is_sole
                    && matches!(part, Part::Unresolved(_))
                    && let Some(choice) = sole(self.engine, &mention)
                {
                    part = Part::Food(Box::new(weighed(self.engine, &mention, choice, None)));
                }
                // Kept only where the next may have been added to it: foods are large. Milk and sugar are both added to the
                // coffee.
                let is_base = self.mentions.front().is_none_or(Mention::may_be_added);
                if let Part::Food(item) = &part
                    && !portion::is_addition(&item.weight)
                {
                    self.before = is_base.then(|| item.as_ref().clone());
                }
                return Some(Entry { origin: Origin::Words(Box::new(mention)), part });
            }
            match self.runs.pop_front()? {
                Run::Words(range) => {
                    let tokens = &self.tokens[range];
                    self.mentions = self.engine.mentions(tokens).into();
                    if self.is_sole && self.mentions.is_empty() {
                        let whole = whole(self.engine, tokens);
                        self.mentions.extend(whole.filter(|mention| sole(self.engine, mention).is_some()));
                    }
                    self.is_sole &= self.mentions.len() == 1;
                }
                Run::Recipe(found) => {
                    self.before = None;
                    if let Some(recipe) = self.recipes.get(found.recipe) {
                        let origin = Origin::Recipe(found.recipe);
                        return Some(Entry { origin, part: Part::Recipe(RecipeItem::new(recipe, found)) });
                    }
                }
            }
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        self.next_entry().map(|entry| entry.part)
    }
}
