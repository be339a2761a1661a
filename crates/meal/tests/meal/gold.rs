//! Everyday phrases and what people mean by them. The rules of the file are in gold/README.md.

use std::fmt::Write as _;

use foods::text::singular;
use meal::{Estimate, Item};
use serde_json::Value;

use crate::estimate;

/// The words of a name, as the rules of the file compare them.
fn words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase().replace("'s", "").replace("’s", "");
    let split = lower.split(|c: char| !c.is_alphanumeric() && c != '%' && c != '&');
    split.filter(|word| !word.is_empty()).map(singular).collect()
}

fn list<'a>(expected: &'a Value, key: &str) -> Vec<&'a str> {
    expected[key].as_array().map(|all| all.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn item_fits(item: &Item, expected: &Value) -> bool {
    let mut name = words(&item.food.name);
    name.extend(words(item.food.description.as_deref().unwrap_or("")));
    name.extend(words(item.food.brand.as_deref().unwrap_or("")));
    let shown = words(&item.food.name);
    let has = |word: &str| words(word).iter().all(|word| name.contains(word));
    let any = list(expected, "any");
    let in_band = expected["grams"].as_array().is_none_or(|band| {
        let end = |at: usize| band.get(at).and_then(Value::as_f64).unwrap_or(0.0);
        item.weight.grams >= end(0) - 0.01 && item.weight.grams <= end(1) + 0.01
    });
    (any.is_empty() || any.iter().any(|word| has(word)))
        && list(expected, "all").iter().all(|word| has(word))
        && !list(expected, "none").iter().any(|word| words(word).iter().all(|word| shown.contains(word)))
        && in_band
}

fn items_fit(estimate: &Estimate, expected: &Value) -> bool {
    let expected = expected.as_array().map_or(&[][..], Vec::as_slice);
    estimate.items.len() == expected.len()
        && estimate.items.iter().zip(expected).all(|(item, want)| item_fits(item, want))
}

fn fits(estimate: &Estimate, row: &Value) -> bool {
    let others = row["or"].as_array().map_or(&[][..], Vec::as_slice);
    let items = items_fit(estimate, &row["items"]) || others.iter().any(|other| items_fit(estimate, other));
    let energy = row["kcal"].as_array().is_none_or(|band| {
        let end = |at: usize| band.get(at).and_then(Value::as_f64).unwrap_or(0.0);
        (end(0)..=end(1)).contains(&estimate.totals().calories)
    });
    let unresolved = row["unresolved"].as_bool() != Some(true) || !estimate.unresolved.is_empty();
    items && energy && unresolved
}

/// The phrases that are not understood are a snapshot, so that one more or one less shows up in review, with what it came
/// to instead. `cargo insta review` or `INSTA_UPDATE=always` accepts a new list.
#[test]
fn everyday_phrases_are_understood() {
    let rows: Vec<Value> = include_str!("../../gold/everyday.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect();
    assert!(rows.len() >= 400);
    let mut misses = format!("{} phrases\n", rows.len());
    for row in &rows {
        let text = row["text"].as_str().expect("a text");
        let estimate = estimate(text);
        if !fits(&estimate, row) {
            let show = |item: &Item| format!("{} {:.0} g", item.food.name, item.weight.grams);
            let items: Vec<String> = estimate.items.iter().map(show).collect();
            let kind = row["kind"].as_str().unwrap_or("");
            writeln!(misses, "\n{kind}: {text:?}\n  wanted {}", row["items"]).expect("a string takes all");
            writeln!(misses, "  got {items:?}, unresolved {:?}", estimate.unresolved).expect("a string takes all");
        }
    }
    insta::assert_snapshot!("everyday_misses", misses);
}
