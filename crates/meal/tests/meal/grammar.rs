//! A word does the same in every sentence: in a meal, around a recipe's name and in a correction.

use meal::{Message, Recipe, RecipeBook};
use nutrition::Macros;

use crate::{ENGINE, show, shown};

/// Words that deny an ingredient: "toast without butter".
const WITHOUT: &[&str] = &[
    "no",
    "without",
    "w/o",
    "minus",
    "hold the",
    "skip the",
    "sans",
    "except",
    "excluding",
    "omitting",
    "avoiding",
    "skipping",
    "omit",
    "exclude",
    "other than",
    "apart from",
    "instead of",
    "rather than",
];

/// Words that say that something was not eaten: "I refused the toast".
const NOT_EATEN: &[&str] = &[
    "didn't have",
    "don't have",
    "haven't had",
    "hadn't had",
    "hasn't had",
    "doesn't have",
    "won't have",
    "never had",
    "skipped",
    "refused",
    "declined",
    "avoided",
    "omitted",
    "did not have",
];

fn book() -> RecipeBook {
    RecipeBook::new(vec![Recipe {
        name: "Mom's Lasagna".to_owned(),
        macros: Macros { calories: 400.0, ..Macros::default() },
        ..Recipe::default()
    }])
}

fn foods(text: &str) -> Vec<String> {
    shown(text, &RecipeBook::default())
}

fn talk(messages: &[&str]) -> Vec<String> {
    let messages: Vec<Message> = messages.iter().map(|&text| text.into()).collect();
    meal::estimate(&ENGINE, &messages, &RecipeBook::default()).map(|part| show(&part)).collect()
}

#[test]
fn what_is_denied_in_a_meal_is_not_eaten() {
    let meal = foods("two eggs");
    for denial in WITHOUT {
        assert_eq!(foods(&format!("two eggs, {denial} toast")), meal, "{denial}");
    }
    for denial in NOT_EATEN {
        assert_eq!(foods(&format!("two eggs, I {denial} toast")), meal, "{denial}");
    }
}

#[test]
fn a_recipe_that_is_denied_is_not_meant() {
    for denial in WITHOUT.iter().chain(NOT_EATEN) {
        let found = shown(&format!("two eggs, {denial} mom's lasagna"), &book());
        assert!(found.iter().all(|part| !part.starts_with("Mom's Lasagna")), "{denial}: {found:?}");
    }
}

#[test]
fn what_is_left_out_of_a_recipe_changes_nothing() {
    for denial in WITHOUT {
        assert_eq!(shown(&format!("mom's lasagna {denial} broccoli"), &book()), ["Mom's Lasagna × 1"], "{denial}");
    }
}

#[test]
fn what_a_correction_denies_is_taken_off_the_list() {
    let left = foods("two eggs");
    for denial in WITHOUT.iter().filter(|denial| !matches!(**denial, "instead of" | "rather than")) {
        assert_eq!(talk(&["two eggs and toast", &format!("{denial} toast")]), left, "{denial}");
    }
    for denial in NOT_EATEN {
        assert_eq!(talk(&["two eggs and toast", &format!("I {denial} the toast")]), left, "{denial}");
    }
}

#[test]
fn a_denial_ends_at_but_and_at_the_next_sentence() {
    assert_eq!(foods("not turkey but ham"), foods("ham"));
    assert_eq!(foods("instead of toast I had two eggs"), foods("two eggs"));
    assert_eq!(shown("I didn't have toast but mom's lasagna", &book()), ["Mom's Lasagna × 1"]);
}

#[test]
fn what_only_looks_like_a_denial_denies_nothing() {
    assert_eq!(foods("two eggs, and don't forget the toast"), foods("two eggs, and the toast"));
    assert_eq!(foods("I couldn't resist two eggs"), foods("two eggs"));
    assert_eq!(talk(&["two eggs", "don't forget the banana"]), talk(&["two eggs", "add the banana"]));
    assert_eq!(foods("no-churn ice cream").len(), 1);
}

#[test]
fn numbers_and_lengths_in_words() {
    assert_eq!(foods("seventeen almonds"), foods("17 almonds"));
    assert_eq!(foods("two and a quarter cups of rice"), foods("2.25 cups of rice"));
    assert_eq!(foods("8 fluid ounces of milk"), foods("8 fl oz milk"));
    assert_eq!(foods("a 30.48 cm pizza"), foods("a 12 inch pizza"));
}
