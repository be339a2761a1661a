//! A text, part by part: foods, the caller's recipes, words that nothing explains. What a stream of events is made of.

use std::collections::VecDeque;
use std::ops::Range;

use crate::compose::Mention;
use crate::estimate::{Engine, Item, Values, may_be_added};
use crate::portion;
use crate::recipe::{Recipe, RecipeBook, RecipeMatch};
use crate::token::{self, Token};

/// Text longer than this is not read further.
pub const MAX_CHARS: usize = 8_000;

/// A text of no more tokens may be nothing but the name of a product.
const MAX_SOLE_TOKENS: usize = 6;

/// A part of a meal.
#[derive(Clone, Debug)]
pub enum Part {
    /// A food of the catalog.
    Food(Box<Item>),
    /// A recipe of the caller.
    Recipe(RecipeItem),
    /// Words that were understood as food but not resolved.
    Unresolved(String),
}

/// A recipe of the caller in a meal.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeItem {
    /// The recipe's identifier.
    pub id: String,
    /// Its saved name.
    pub name: String,
    /// The words that named it.
    pub text: String,
    /// How many servings.
    pub servings: f64,
    /// The amount of the unit, as said.
    pub quantity: f64,
    /// The unit, in words.
    pub unit: String,
    /// The numbers of all servings.
    pub values: Values,
}

/// A part and what it came from, so that what is said later can change it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub origin: Origin,
    pub part: Part,
}

/// What a part came from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// Words of the text.
    Words(Box<Mention>),
    /// The recipe at this position of the book.
    Recipe(usize),
}

/// What a text comes to, one part after the other.
#[derive(Debug)]
pub struct Parts<'a> {
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
    pub(crate) fn new(engine: &'a Engine, recipes: &'a RecipeBook, text: &str) -> Self {
        let text: String = text.chars().take(MAX_CHARS).collect();
        Self::of_tokens(engine, recipes, token::tokens(&text))
    }

    pub(crate) fn of_tokens(engine: &'a Engine, recipes: &'a RecipeBook, tokens: Vec<Token>) -> Self {
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
    pub(crate) fn next_entry(&mut self) -> Option<Entry> {
        loop {
            if let Some(mention) = self.mentions.pop_front() {
                let mut part = self.engine.part(&mention, self.before.as_ref());
                if self.is_sole
                    && matches!(part, Part::Unresolved(_))
                    && let Some(choice) = self.engine.sole(&mention)
                {
                    part = Part::Food(Box::new(self.engine.weighed(&mention, choice, None)));
                }
                // Kept only where the next may have been added to it: foods are large. Milk and sugar are both added to the
                // coffee.
                let is_base = self.mentions.front().is_none_or(may_be_added);
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
                        let whole = self.engine.whole(tokens);
                        self.mentions.extend(whole.filter(|mention| self.engine.sole(mention).is_some()));
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

impl RecipeItem {
    /// So much of a recipe as was found.
    pub(crate) fn new(recipe: &Recipe, found: RecipeMatch) -> Self {
        let RecipeMatch { servings, quantity, unit, text, .. } = found;
        let (id, name) = (recipe.id.clone(), recipe.name.clone());
        Self { id, name, text, servings, quantity, unit, values: values_of(recipe, servings) }
    }

    /// The same recipe, so many times as much.
    pub(crate) fn scaled(&self, recipe: &Recipe, factor: f64) -> Self {
        let servings = self.servings * factor;
        Self { servings, quantity: self.quantity * factor, values: values_of(recipe, servings), ..self.clone() }
    }
}

fn values_of(recipe: &Recipe, servings: f64) -> Values {
    let values = Values {
        calories: recipe.calories * servings,
        protein: recipe.protein * servings,
        carbs: recipe.carbs * servings,
        fat: recipe.fat * servings,
    };
    values.shown()
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        self.next_entry().map(|entry| entry.part)
    }
}
