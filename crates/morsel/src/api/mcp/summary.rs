//! What a tool found, in one to five lines that a person can read: clients that do not know structured content show these,
//! and so do chats.

use std::fmt::Write as _;

use foods::Food;
use nutrition::Macros;

use crate::api::estimate::rows::{EstimateAnswer, ItemRow};
use crate::api::foods::rows::{FoodRow, FoodsAnswer};

/// The most lines of a text.
const MAX_LINES: usize = 5;
/// The most items in one line.
const MAX_IN_A_LINE: usize = 12;
/// The most characters of a name.
const MAX_NAME_CHARS: usize = 120;

/// Says what a meal has.
pub fn of_meal(answer: &EstimateAnswer, unresolved: &[String]) -> String {
    let (questions, missed): (Vec<&str>, Vec<&str>) =
        unresolved.iter().map(String::as_str).partition(|words| words.starts_with("image ") && words.ends_with('?'));
    let line =
        |start: &str, words: &[&str]| (!words.is_empty()).then(|| format!("{start}: {}", short(&words.join(", "))));
    let (questions, missed) = (line("Not clear", &questions), line("Not recognized", &missed));
    if answer.items.is_empty() {
        return missed.unwrap_or_else(|| "No food was recognized.".to_owned());
    }
    let total = (answer.items.len() > 1).then(|| format!("Total: {}", macros(&answer.totals)));
    let end: Vec<String> = total.into_iter().chain(questions).chain(missed).collect();
    let max = MAX_LINES - end.len();
    let mut lines: Vec<String> = answer.items.iter().map(of_item).collect();
    if lines.len() > max {
        lines.truncate(max - 1);
        lines.push(in_one_line(&answer.items[max - 1..]));
    }
    lines.extend(end);
    lines.join("\n")
}

/// Says what a search found.
pub fn of_foods(answer: &FoodsAnswer) -> String {
    if answer.foods.is_empty() {
        return format!("No food was found for “{}”.", short(&answer.query));
    }
    of_rows(&answer.foods)
}

/// Says what a food has in one serving, in 100 g, and in the requested amount.
pub fn of_food(food: &Food, row: &FoodRow, amount: Option<&ItemRow>) -> String {
    let mut text = of_row(row);
    let per_100 = food.macros(100.0).shown();
    // Writing to a string does not fail.
    let _ = write!(text, "\nIn 100 g: {}", macros(&per_100));
    if let Some(item) = amount {
        let _ = write!(text, "\nIn {} {}: {}", item.quantity, short(&item.unit), macros(&item.macros));
    }
    text
}

/// Says what foods have, each in its serving.
pub fn of_rows(rows: &[FoodRow]) -> String {
    shorten(rows.iter().map(of_row).collect())
}

/// Says which recipes there are.
pub fn of_recipes(recipes: &[store::Recipe]) -> String {
    if recipes.is_empty() {
        return "No recipes are saved.".to_owned();
    }
    let line = |recipe: &store::Recipe| format!("{}: {} ({})", short(&recipe.name), macros(&recipe.macros), recipe.id);
    shorten(recipes.iter().map(line).collect())
}

fn of_item(item: &ItemRow) -> String {
    format!("{}, {} {}: {}", short(&item.name), item.quantity, short(&item.unit), macros(&item.macros))
}

/// Says what the last items of a long meal are, with their calories alone.
fn in_one_line(items: &[ItemRow]) -> String {
    let item = |item: &ItemRow| {
        format!("{}, {} {} ({} kcal)", short(&item.name), item.quantity, short(&item.unit), item.macros.calories)
    };
    let mut named: Vec<String> = items.iter().take(MAX_IN_A_LINE).map(item).collect();
    if items.len() > MAX_IN_A_LINE {
        named.push(format!("and {} more", items.len() - MAX_IN_A_LINE));
    }
    format!("Also: {}", named.join("; "))
}

fn of_row(row: &FoodRow) -> String {
    let brand = row.brand.as_deref().map(|brand| format!(" by {}", short(brand))).unwrap_or_default();
    let serving = short(&row.serving_description);
    let grams = format!("{} g", row.serving_grams);
    let serving = if serving == grams { serving } else { format!("{serving}, {grams}") };
    format!("{}{brand} ({serving}): {} ({})", short(&row.name), macros(&row.macros), row.id)
}

fn macros(values: &Macros) -> String {
    let Macros { calories, protein, carbs, fat } = values;
    format!("{calories} kcal, protein {protein} g, carbs {carbs} g, fat {fat} g")
}

/// Keeps as many lines as a text may have, of which the last counts the rest.
fn shorten(mut lines: Vec<String>) -> String {
    if lines.len() > MAX_LINES {
        let left = lines.len() - (MAX_LINES - 1);
        lines.truncate(MAX_LINES - 1);
        lines.push(format!("and {left} more"));
    }
    lines.join("\n")
}

/// Cuts a text that is longer than a line should be, and joins its lines.
fn short(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    if text.chars().count() <= MAX_NAME_CHARS {
        return text;
    }
    text.chars().take(MAX_NAME_CHARS).chain(['…']).collect()
}
