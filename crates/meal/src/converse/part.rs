//! The parts of a meal, and what each came from.

use crate::engine::Engine;
use crate::link::mention::Mention;
use crate::recipes::book::RecipeMatch;
use crate::recipes::recipe::Recipe;
use crate::weigh::item::{Item, Values};
use crate::weigh::weigh_item;

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
    pub origin: PartOrigin,
    pub part: Part,
}

/// What a part came from.
#[derive(Clone, Debug)]
pub(crate) enum PartOrigin {
    /// Words of the text.
    Words(Box<Mention>),
    /// The recipe at this position of the book.
    Recipe(usize),
}

/// The part of a mention; `before` is the food that it may have been added to.
pub(crate) fn part_of(engine: &Engine, mention: &Mention, before: Option<&Item>) -> Part {
    match weigh_item::item(engine, mention, before) {
        Some(item) => Part::Food(Box::new(item)),
        None => Part::Unresolved(mention.required_text()),
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
