//! What the engine makes of texts, conversations, recipes and photos, over the catalog that is embedded in the program.

mod amend;
mod common_foods;
mod dish_parts;
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
mod products_said;
mod reading;
mod recipes;
mod retelling;
mod telling;
mod unknown;
mod wording;

use std::sync::{Arc, LazyLock};

use foods::catalog::{Catalog, Layer};
use meal::{Engine, Estimate, Item, Part, RecipeBook};

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

/// Returns the foods of an estimate, each by its id and rounded weight.
fn foods(estimate: &Estimate) -> Vec<(String, f64)> {
    let food = |item: &Item| (item.food.id.clone(), item.weight.grams.round());
    estimate.items.iter().map(food).collect()
}

/// Checks that two texts of each pair have the same foods.
fn assert_same(pairs: &[(&str, &str)]) {
    for (text, plain) in pairs {
        let (read, expected) = (foods(&estimate(text)), foods(&estimate(plain)));
        assert!(!expected.is_empty(), "{plain:?} has no foods");
        assert_eq!(read, expected, "{text:?} is not {plain:?}");
    }
}

/// Checks that the calories of a text are a share of those of another one.
fn assert_share(text: &str, whole: &str, share: f64) {
    let (part, whole) = (estimate(text).totals().calories, estimate(whole).totals().calories);
    assert!((part - whole * share).abs() <= 2.0 + 0.01 * whole, "{text:?}: {part} is not {share} of {whole}");
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
