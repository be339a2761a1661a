//! The parts of a meal, and what each came from.

use nutrition::Macros;

use crate::link::mention::Mention;
use crate::recipes::book::RecipeMatch;
use crate::recipes::recipe::Recipe;
use crate::run::EngineRun;
use crate::weigh::item::Item;
use crate::weigh::weigh_item::weigh_item;

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
    /// The number of servings.
    pub servings: f64,
    /// The number of units.
    pub quantity: f64,
    /// The unit in words.
    pub unit: String,
    /// The numbers of all servings, rounded as answers show them.
    pub macros: Macros,
}

/// A part and what it came from, so that later messages can change it.
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

/// Returns the part of a mention; `before` is the food that it may have been added to.
pub(crate) fn part_of(engine: &EngineRun<'_>, mention: &Mention, before: Option<&Item>) -> Part {
    let is_left_out = engine.is_spent() && mention.links.is_empty() && mention.seen.is_none();
    let item = if is_left_out { None } else { weigh_item(engine, mention, before) };
    match item {
        Some(item) => Part::Food(Box::new(item)),
        None => Part::Unresolved(mention.required_text()),
    }
}

impl RecipeItem {
    /// Returns the item of a recipe that was found in a text.
    pub(crate) fn new(recipe: &Recipe, found: RecipeMatch) -> Self {
        let RecipeMatch { servings, quantity, unit, text, .. } = found;
        let (id, name) = (recipe.id.clone(), recipe.name.clone());
        Self { id, name, text, servings, quantity, unit, macros: recipe.macros.times(servings).shown() }
    }

    /// Returns the same recipe with its amount multiplied.
    pub(crate) fn scaled(&self, recipe: &Recipe, factor: f64) -> Self {
        let servings = self.servings * factor;
        let macros = recipe.macros.times(servings).shown();
        Self { servings, quantity: self.quantity * factor, macros, ..self.clone() }
    }
}
