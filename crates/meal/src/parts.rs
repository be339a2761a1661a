//! A text, part by part: foods, the caller's recipes, words that nothing explains. What a stream of events is made of.

use std::collections::VecDeque;
use std::ops::Range;

use crate::compose::Mention;
use crate::estimate::{Engine, Item, Values, telling};
use crate::recipe::{RecipeBook, RecipeMatch};
use crate::token::{self, Token};

/// Text longer than this is not read further.
pub const MAX_CHARS: usize = 8_000;

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
        let tokens = token::tokens(&text);
        let mut runs = VecDeque::new();
        let mut next = 0;
        for found in recipes.find(&tokens, engine.lexicon()) {
            let range = found.tokens.clone();
            runs.push_back(Run::Words(next..range.start.max(next)));
            runs.push_back(Run::Recipe(found));
            next = range.end.max(next);
        }
        runs.push_back(Run::Words(next..tokens.len()));
        Self { engine, recipes, tokens, runs, mentions: VecDeque::new(), before: None }
    }

    fn recipe(&self, found: RecipeMatch) -> Option<RecipeItem> {
        let recipe = self.recipes.get(found.recipe)?;
        let values = Values {
            calories: recipe.calories * found.servings,
            protein: recipe.protein * found.servings,
            carbs: recipe.carbs * found.servings,
            fat: recipe.fat * found.servings,
        };
        Some(RecipeItem {
            id: recipe.id.clone(),
            name: recipe.name.clone(),
            text: found.text,
            servings: found.servings,
            quantity: found.quantity,
            unit: found.unit,
            values: values.shown(),
        })
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        loop {
            if let Some(mention) = self.mentions.pop_front() {
                return Some(match self.engine.item(&mention, self.before.as_ref()) {
                    Some(item) => {
                        self.before = Some(item.clone());
                        Part::Food(Box::new(item))
                    }
                    None => Part::Unresolved(telling(&mention)),
                });
            }
            match self.runs.pop_front()? {
                Run::Words(range) => self.mentions = self.engine.mentions(&self.tokens[range]).into(),
                Run::Recipe(found) => {
                    self.before = None;
                    if let Some(recipe) = self.recipe(found) {
                        return Some(Part::Recipe(recipe));
                    }
                }
            }
        }
    }
}
