//! Invariants of the parts of any text.

use std::sync::{Arc, LazyLock};

use foods::catalog::{Catalog, Layer};
use meal::{Engine, Part, Recipe, RecipeBook};
use nutrition::Macros;

/// An engine with the embedded catalog.
pub static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let layer = Layer::from_static(embedded::CATALOG).expect("the embedded catalog opens");
    Engine::new(Arc::new(Catalog::new(layer, None)))
});

/// A few recipes, so that recipe matching is covered.
pub static BOOK: LazyLock<RecipeBook> = LazyLock::new(|| {
    let recipe = |name: &str, serving: Option<&str>| Recipe {
        id: name.to_owned(),
        name: name.to_owned(),
        macros: Macros { calories: 400.5, protein: 20.25, carbs: 35.0, fat: 18.0 },
        serving_description: serving.map(str::to_owned),
        ..Recipe::default()
    };
    RecipeBook::new(vec![
        recipe("Mom's Lasagna", Some("1 slice (350 g)")),
        recipe("Mac and Cheese", None),
        recipe("x", Some("0 g")),
    ])
});

/// Checks the parts of a text: every number is finite and not negative, and the totals are the sums of the shown items.
pub fn check(parts: &[Part]) {
    let mut shown = Vec::new();
    for part in parts {
        match part {
            Part::Food(item) => {
                assert!(item.weight.grams.is_finite() && item.weight.grams >= 0.0, "{item:?}");
                assert!(item.quantity.is_finite() && !item.unit.is_empty(), "{item:?}");
                let (low, high) = (item.range.low.calories, item.range.high.calories);
                assert!(low <= item.macros.calories + 1.0 && item.macros.calories <= high + 1.0, "{item:?}");
                shown.push(item.macros);
            }
            Part::Recipe(item) => {
                assert!(item.servings.is_finite() && item.servings >= 0.0, "{item:?}");
                shown.push(item.macros);
            }
            Part::Unresolved(words) => assert!(!words.is_empty(), "an unresolved part without words"),
        }
    }
    let totals = shown.iter().sum::<Macros>().shown();
    for value in [
        |macros: &Macros| macros.calories,
        |macros: &Macros| macros.protein,
        |macros: &Macros| macros.carbs,
        |macros: &Macros| macros.fat,
    ] {
        let sum: f64 = shown.iter().map(value).sum();
        assert!((value(&totals) - sum).abs() <= 1e-6 * sum.abs().max(1.0) + 0.051, "{} is not {sum}", value(&totals));
    }
}

/// Formats the parts so that they can be compared.
pub fn text(parts: &[Part]) -> String {
    format!("{parts:?}")
}
