//! Five tests that need no labels: `cargo run --release -p meal --example consistency [-- --show]`.
//!
//! The name of every food of the survey's last edition, asked with 100 g, should give the numbers of its row, and so should the name with its
//! words in the order in which people say them ("reduced fat milk"). And an everyday food with another one behind "and", "with" or a comma
//! should give what the two give alone, words that say nothing of it ("just popcorn", "popcorn for lunch") should change nothing, and neither
//! should the commas that people leave out ("burger fries coke"). `--show` lists what does not.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use foods::catalog::Layer;
use foods::{Food, Origin};
use meal::{Engine, Estimate, Message, RecipeBook};

/// Energy and carbs of 100 g this close are the same food, and differences below these floors are noise.
const TOLERANCE: f64 = 0.15;
const FLOOR_OF_CALORIES: f64 = 10.0;
const FLOOR_OF_CARBS: f64 = 2.0;
/// Longer everyday names describe a food rather than name it.
const MAX_WORDS: usize = 2;
/// What is put beside the everyday foods, and how.
const OTHERS: [&str; 17] = [
    "tea",
    "coffee",
    "rice",
    "orange juice",
    "salad",
    "water",
    "bread",
    "beer",
    "broccoli",
    "red wine",
    "pasta",
    "eggs",
    "banana",
    "yogurt",
    "hot chocolate",
    "soup",
    "fries",
];
const JOINTS: [&str; 3] = [" and ", " with ", ", "];
/// What people write around the name of a food that says nothing of it.
const AROUND: [(&str, &str); 10] = [
    ("", " for lunch"),
    ("just ", ""),
    ("I had ", " this morning"),
    ("Breakfast: ", ""),
    ("snack - ", ""),
    ("", " again"),
    ("", " and that's it"),
    ("my ", ""),
    ("", " at the office"),
    ("had ", " and felt full"),
];
/// Dishes, what is beside them, and drinks, as people type them in a row.
const DISHES: [&str; 16] = [
    "burger",
    "pizza",
    "steak",
    "2 eggs",
    "lasagna",
    "chicken curry",
    "turkey sandwich",
    "6 nuggets",
    "salmon",
    "omelette",
    "fish and chips",
    "burrito",
    "porridge",
    "bagel",
    "3 meatballs",
    "caesar salad",
];
const SIDES: [&str; 12] = [
    "side salad",
    "rice",
    "toast",
    "bacon",
    "mashed potatoes",
    "broccoli",
    "onion rings",
    "banana",
    "yogurt",
    "garlic bread",
    "brownie",
    "ice cream",
];
const DRINKS: [&str; 12] = [
    "coke",
    "pepsi max",
    "black coffee",
    "tea",
    "latte",
    "orange juice",
    "water",
    "beer",
    "red wine",
    "milk",
    "lemonade",
    "red bull",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shows = std::env::args().any(|argument| argument == "--show");
    let engine = Engine::from_static(embedded::CATALOG)?;
    let layer = Layer::from_static(embedded::CATALOG)?;
    let survey = layer.foods().filter(|food| food.origin == Origin::Fndds2021);
    report("names of the survey", survey.map(|food| name_is_kept(&engine, &food, &food.name)), shows);
    let survey = layer.foods().filter(|food| food.origin == Origin::Fndds2021);
    report("the same as people say them", survey.map(|food| name_is_kept(&engine, &food, &as_said(&food.name))), shows);
    let names = foods::common::all().filter_map(|food| food.names.into_iter().next());
    let short = names.filter(|name| name.split(' ').count() <= MAX_WORDS);
    report(
        "pairs of everyday foods",
        short.enumerate().filter_map(|(at, name)| pair_is_kept(&engine, at, name)),
        shows,
    );
    let names = foods::common::all().filter_map(|food| food.names.into_iter().next());
    report(
        "names with words that say nothing",
        names.enumerate().filter_map(|(at, name)| wording_is_kept(&engine, at, name)),
        shows,
    );
    let sides = DISHES.iter().flat_map(|dish| SIDES.iter().map(move |side| [*dish, *side]));
    let meals = sides.flat_map(|[dish, side]| DRINKS.iter().map(move |drink| [dish, side, *drink]));
    report("meals without commas", meals.map(|meal| row_is_kept(&engine, &meal)), shows);
    Ok(())
}

/// Prints how many texts are answered as they should be, and the others if asked to.
fn report(what: &str, answers: impl Iterator<Item = (String, bool)>, shows: bool) {
    let (mut all, mut right) = (0, 0);
    for (text, is_right) in answers {
        all += 1;
        right += usize::from(is_right);
        if shows && !is_right {
            println!("{text}");
        }
    }
    println!("{what}: {right} of {all}, {:.1} %", 100.0 * right as f64 / f64::from(all.max(1)));
}

/// Asks a name of a food with 100 g.
fn name_is_kept(engine: &Engine, food: &Food, name: &str) -> (String, bool) {
    let text = format!("100 g of {name}");
    let (totals, truth) = (asked(engine, &text).totals(), food.macros(100.0));
    let is_near = |one: f64, other: f64, floor: f64| (one - other).abs() <= floor.max(TOLERANCE * other);
    let is_right = is_near(totals.calories, truth.calories, FLOOR_OF_CALORIES)
        && is_near(totals.carbs, truth.carbs, FLOOR_OF_CARBS);
    (text, is_right)
}

/// Puts the words of a name of the tables in the order in which people say them: "Milk, reduced fat (2%)" is reduced fat milk.
fn as_said(name: &str) -> String {
    let plain: String = name.split('(').map(|part| part.rsplit(')').next().unwrap_or(part)).collect();
    let mut parts = plain.split(',').map(str::trim).filter(|part| !part.is_empty() && !says_nothing(part));
    let head = parts.next().unwrap_or_default().to_owned();
    let (mut before, behind): (Vec<&str>, Vec<&str>) = parts.partition(|part| is_adjective(part));
    before.reverse();
    let said = before.into_iter().chain([head.as_str()]).collect::<Vec<_>>().join(" ");
    [vec![said.as_str()], behind].concat().join(", ").to_lowercase()
}

/// Checks whether a part of a name only says that nothing more is known.
fn says_nothing(part: &str) -> bool {
    ["NFS", "NS as to"].iter().any(|start| part.starts_with(start))
}

/// Checks whether a part of a name can stand before its head.
fn is_adjective(part: &str) -> bool {
    const JOINTS: [&str; 8] = ["with", "without", "from", "made", "as", "on", "in", "no"];
    let mut words = part.split(' ');
    part.split(' ').count() <= MAX_WORDS && words.next().is_some_and(|first| !JOINTS.contains(&first))
}

/// Asks an everyday name with another food beside it, if that is not what it is named after.
fn pair_is_kept(engine: &Engine, at: usize, name: &str) -> Option<(String, bool)> {
    let other = OTHERS[at % OTHERS.len()];
    if name.split(' ').any(|word| other.contains(word)) {
        return None;
    }
    let text = format!("{name}{}{other}", JOINTS[at / OTHERS.len() % JOINTS.len()]);
    let mut together = ids(engine, &text);
    let mut alone = [ids(engine, name), ids(engine, other)].concat();
    together.sort_unstable();
    alone.sort_unstable();
    Some((text, together == alone))
}

/// Asks an everyday name with words around it that say nothing of it, if it is found alone.
fn wording_is_kept(engine: &Engine, at: usize, name: &str) -> Option<(String, bool)> {
    let (before, behind) = AROUND[at % AROUND.len()];
    let text = format!("{before}{name}{behind}");
    let alone = ids(engine, name);
    let is_kept = ids(engine, &text) == alone;
    (!alone.is_empty()).then_some((text, is_kept))
}

/// Asks a meal without and with its commas. Chips beside a burger are others than alone, so that the sums are compared.
fn row_is_kept(engine: &Engine, meal: &[&str]) -> (String, bool) {
    let row = meal.join(" ");
    let calories = |text: &str| asked(engine, text).totals().calories;
    let (in_row, apart) = (calories(&row), calories(&meal.join(", ")));
    (row, (in_row - apart).abs() <= FLOOR_OF_CALORIES.max(TOLERANCE * apart))
}

fn ids(engine: &Engine, text: &str) -> Vec<String> {
    asked(engine, text).items.into_iter().map(|item| item.food.id).collect()
}

fn asked(engine: &Engine, text: &str) -> Estimate {
    meal::estimate(engine, &[Message::from(text)], &RecipeBook::default()).collect()
}
