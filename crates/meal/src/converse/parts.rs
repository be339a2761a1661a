//! A text, part by part: foods, the caller's recipes, and words that nothing explains.

use std::collections::VecDeque;
use std::ops::Range;

use super::part::{Entry, Part, PartOrigin, RecipeItem, part_of};
use crate::link::mention::Mention;
use crate::read::segment::Joint;
use crate::read::token::Token;
use crate::recipes::book::{RecipeBook, RecipeMatch};
use crate::run::EngineRun;
use crate::weigh::item::Item;
use crate::weigh::resolve::{product_named_by_text, text_as_mention};
use crate::weigh::weigh_item::{goes_into, item_of_choice};

/// The most characters that are read, in all messages together.
pub const MAX_CHARS: usize = 8_000;

/// The most tokens of a text that may be nothing but the name of a product.
const MAX_NAME_TOKENS: usize = 6;

/// The parts of a text, each as soon as it is known.
#[derive(Debug)]
pub(crate) struct TextParts<'a> {
    engine: EngineRun<'a>,
    recipes: &'a RecipeBook,
    tokens: Vec<Token>,
    stretches: VecDeque<Stretch>,
    mentions: VecDeque<Mention>,
    /// The food before, which the next may have been added to.
    before: Option<Item>,
    /// The text is so short that it may be nothing but a name.
    is_short: bool,
}

/// A stretch of the text.
#[derive(Debug)]
enum Stretch {
    Words(Range<usize>),
    Recipe(RecipeMatch),
}

impl<'a> TextParts<'a> {
    /// Looks for the caller's recipes before anything is split into foods.
    pub fn new(engine: EngineRun<'a>, recipes: &'a RecipeBook, tokens: Vec<Token>) -> Self {
        let mut stretches = VecDeque::new();
        let mut next = 0;
        for found in recipes.find(&tokens, engine.lexicon()) {
            let range = found.tokens.clone();
            stretches.push_back(Stretch::Words(next..range.start.max(next)));
            stretches.push_back(Stretch::Recipe(found));
            next = range.end.max(next);
        }
        stretches.push_back(Stretch::Words(next..tokens.len()));
        let is_short = stretches.len() == 1 && tokens.len() <= MAX_NAME_TOKENS;
        Self { engine, recipes, tokens, stretches, mentions: VecDeque::new(), before: None, is_short }
    }

    /// Returns the next part with what it came from.
    pub fn next_entry(&mut self) -> Option<Entry> {
        loop {
            if let Some(mention) = self.mentions.pop_front() {
                return Some(self.entry_of(mention));
            }
            match self.stretches.pop_front()? {
                Stretch::Words(range) => self.read_words(range),
                Stretch::Recipe(found) => {
                    self.before = None;
                    if let Some(recipe) = self.recipes.get(found.recipe) {
                        let origin = PartOrigin::Recipe(found.recipe);
                        return Some(Entry { origin, part: Part::Recipe(RecipeItem::new(recipe, found)) });
                    }
                }
            }
        }
    }

    /// Finds the mentions of a stretch. A short text in which none is found may be the name of a product; a maker
    /// of which none is known is not left out silently.
    fn read_words(&mut self, range: Range<usize>) {
        let tokens = &self.tokens[range];
        self.mentions = self.engine.mentions(tokens).into();
        if self.is_short && self.mentions.is_empty() {
            let name = text_as_mention(&self.engine, tokens);
            let is_unknown = self.engine.are_maker(tokens);
            let is_meant = |mention: &Mention| is_unknown || product_named_by_text(&self.engine, mention).is_some();
            self.mentions.extend(name.filter(is_meant));
        }
        self.is_short &= self.mentions.len() == 1;
    }

    fn entry_of(&mut self, mention: Mention) -> Entry {
        let mut part = part_of(&self.engine, &mention, self.before.as_ref());
        if self.is_short
            && matches!(part, Part::Unresolved(_))
            && let Some(choice) = product_named_by_text(&self.engine, &mention)
        {
            part = Part::Food(Box::new(item_of_choice(&self.engine, &mention, choice, None)));
        }
        // Milk and sugar are both added to the coffee.
        if let Part::Food(item) = &part
            && !self.before.as_ref().is_some_and(|before| goes_into(&self.engine, &mention, item, before))
        {
            self.before = self.is_base().then(|| item.as_ref().clone());
        }
        Entry { origin: PartOrigin::Words(Box::new(mention)), part }
    }

    /// Checks whether what follows may have been added to the food before it, at once or behind something with an amount: "with 2
    /// sugars and milk". Foods are large, and kept only then.
    fn is_base(&self) -> bool {
        let may_be_added = |at: usize| self.mentions.get(at).is_some_and(Mention::may_be_added);
        self.mentions.front().is_none_or(|next| next.may_be_added() || next.joint == Joint::With && may_be_added(1))
    }
}

impl Iterator for TextParts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        self.next_entry().map(|entry| entry.part)
    }
}
