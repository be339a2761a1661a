//! Answers in words.

use std::fmt::Write as _;

use nutrition::Macros;

use super::facts::MealFacts;

/// What is said when there is no food, never an invention.
const NO_FOOD: &str =
    "I found no food in this message. Describe what was eaten, for example: two eggs and a slice of toast.";

/// Returns a line for each food, and one for all of them.
pub fn reply(meal: &MealFacts<'_>) -> String {
    if meal.items.is_empty() {
        return NO_FOOD.to_owned();
    }
    let mut text = String::new();
    for item in &meal.items {
        let grams = item.grams().filter(|_| item.row.unit != "g");
        let grams = grams.map(|grams| format!(" ({grams:.0} g)")).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}, {}{grams}: {}", item.row.name, item.amount(), numbers(item.row.macros));
    }
    let totals: Macros = meal.items.iter().map(|item| &item.row.macros).sum();
    text.push_str("Total: ");
    text.push_str(&numbers(totals.shown()));
    text
}

fn numbers(Macros { calories, protein, carbs, fat }: Macros) -> String {
    format!("{calories} kcal, {protein} g protein, {carbs} g carbs, {fat} g fat")
}
