//! Finds a caller's own recipes in texts, and explains why a text means one or does not:
//! `cargo run --release -p meal --example recipes`.

use meal::{Engine, Explanation, Macros, Part, Recipe, RecipeBook};

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::from_static(embedded::CATALOG)?;
    // Recipes are prepared once for all texts of their owner.
    let recipes = RecipeBook::new(vec![Recipe {
        id: "lasagna".to_owned(),
        name: "Mom's Lasagna".to_owned(),
        aliases: vec!["family lasagna".to_owned()],
        macros: Macros { calories: 480.0, protein: 28.0, carbs: 39.0, fat: 23.5 },
        serving_description: Some("1 slice (350 g)".to_owned()),
        ..Recipe::default()
    }]);
    for text in ["two slices of mom's lasagna and a beer", "175 g of the famly lasagna", "a bowl of lasagna soup"] {
        println!("{text}");
        for part in meal::estimate(&engine, &[text.into()], &recipes) {
            match part {
                Part::Recipe(item) => println!("  {} × {}: {} kcal", item.servings, item.name, item.macros.calories),
                Part::Food(item) => println!("  {}: {} kcal", item.food.name, item.macros.calories),
                Part::Unresolved(words) => println!("  not found: {words}"),
            }
        }
        let explanation = Explanation::new(&recipes, text, engine.lexicon());
        if let Some(near) = explanation.nearest {
            println!("  almost {}: {:?}", near.name, near.because);
        }
    }
    Ok(())
}
