//! A caller's recipes in estimates: found before anything is split, used as they stand, with the rest beside them.

use meal::{Part, Recipe, RecipeBook};
use nutrition::Macros;

use crate::{ENGINE, estimate};

fn book() -> RecipeBook {
    let recipe = |id: &str, name: &str, aliases: &[&str], serving: &str| Recipe {
        id: id.to_owned(),
        name: name.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        macros: Macros { calories: 400.0, protein: 20.5, carbs: 35.0, fat: 18.0 },
        serving_description: Some(serving.to_owned()),
        updated_at: 1,
    };
    RecipeBook::new(vec![
        recipe("rec_1", "Mom's Lasagna", &[], "1 slice"),
        recipe("rec_2", "Mac and Cheese", &["the usual"], "350 g"),
    ])
}

/// Every part in a few words.
fn parts(text: &str) -> Vec<String> {
    let book = book();
    let show = |part: Part| match part {
        Part::Food(item) => format!("{} {:.0} g", item.food.name, item.weight.grams),
        Part::Recipe(recipe) => {
            format!(
                "{} × {} = {} kcal, {} {}",
                recipe.id, recipe.servings, recipe.macros.calories, recipe.quantity, recipe.unit
            )
        }
        Part::Unresolved(words) => format!("? {words}"),
    };
    meal::estimate(&ENGINE, &[text.into()], &book).map(show).collect()
}

#[test]
fn a_recipe_stands_beside_the_other_foods_in_their_order() {
    assert_eq!(
        parts("a banana, two slices of mom's lasagna and 100 g white rice"),
        ["Banana, raw 126 g", "rec_1 × 2 = 800 kcal, 2 slice", "White rice, cooked, no added fat 100 g"]
    );
}

#[test]
fn a_name_with_and_is_found_before_the_text_is_split() {
    assert_eq!(parts("I had mac and cheese for dinner"), ["rec_2 × 1 = 400 kcal, 1 serving"]);
    assert_eq!(parts("700 g mac and cheese"), ["rec_2 × 2 = 800 kcal, 700 g"]);
}

#[test]
fn a_fragment_of_a_name_is_an_ordinary_food() {
    let found = parts("a piece of lasagna");
    assert!(found.iter().all(|part| !part.starts_with("rec_")) && found.len() == 1, "{found:?}");
}

#[test]
fn with_adds_a_food_and_without_changes_nothing() {
    let found = parts("mom's lasagna with 100 g broccoli");
    assert!(found.len() == 2 && found[0].starts_with("rec_1") && found[1].starts_with("Broccoli"), "{found:?}");
    assert_eq!(parts("mom's lasagna without cheese"), ["rec_1 × 1 = 400 kcal, 1 slice"]);
}

#[test]
fn without_recipes_the_parts_are_the_estimate() {
    let text = "two eggs, toast with butter and a bowl of flurbnax";
    let estimate = estimate(text);
    let none = RecipeBook::default();
    let parts: Vec<Part> = meal::estimate(&ENGINE, &[text.into()], &none).collect();
    let foods = parts.iter().filter(|part| matches!(part, Part::Food(_))).count();
    assert_eq!((foods, parts.len() - foods), (estimate.items.len(), estimate.unresolved.len()));
    assert!(!estimate.unresolved.is_empty());
}
