//! What the engine makes of texts, conversations, recipes and photos, over the catalog that is embedded in the program.

mod amend;
mod common_foods;
mod dishes;
mod fill_ins;
mod gold;
mod grammar;
mod heads;
mod hostile_texts;
mod item_parts;
mod languages;
mod laws;
mod linear;
mod names;
mod neighbors;
mod photos;
mod portions;
mod reading;
mod recipes;
mod retelling;
mod unknown;

use std::sync::{Arc, LazyLock};

use foods::catalog::{Catalog, Layer};
use meal::{Engine, Estimate, Part, RecipeBook};

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| Arc::new(Catalog::new(embedded_layer(), None)));

/// The engine that all tests share; it takes a second to build.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(Arc::clone(&CATALOG)));

fn embedded_layer() -> Layer {
    Layer::from_static(embedded::CATALOG).expect("the embedded catalog opens")
}

/// Estimates a text without recipes.
fn estimate(text: &str) -> Estimate {
    Estimate::of_text(&ENGINE, text)
}

/// Returns the parts of a text, each in a few words.
fn shown(text: &str, recipes: &RecipeBook) -> Vec<String> {
    meal::estimate(&ENGINE, &[text.into()], recipes).map(|part| show(&part)).collect()
}

fn show(part: &Part) -> String {
    match part {
        Part::Food(item) => format!("{} {:.0} g", item.food.name, item.weight.grams),
        Part::Recipe(recipe) => format!("{} × {}", recipe.name, recipe.servings),
        Part::Unresolved(words) => format!("? {words}"),
    }
}
