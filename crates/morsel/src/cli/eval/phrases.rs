//! `morsel eval` on phrases: whether the calories and the number of items are what a sensible person would accept.

use meal::{Engine, Estimate};
use serde::{Deserialize, Serialize};

use super::format::percent;
use crate::cli::table::{Align, Table};

/// A phrase with what a sensible person would accept.
#[derive(Debug, Deserialize)]
pub(super) struct GoldPhrase {
    text: String,
    /// The lowest and the highest calories.
    kcal: [f64; 2],
    /// The smallest and the largest number of items.
    items: [usize; 2],
    kind: String,
}

/// How many phrases of a kind are answered acceptably.
#[derive(Debug, Serialize)]
pub(super) struct PhraseSummary {
    kind: String,
    phrases: usize,
    /// The share with acceptable calories and an acceptable number of items.
    acceptable: f64,
    acceptable_calories: f64,
    acceptable_items: f64,
}

/// The name of the row for all phrases.
const ALL: &str = "all";

/// Estimates the phrases and summarizes them by kind, all of them last.
pub(super) fn measure(engine: &Engine, phrases: &[GoldPhrase]) -> Vec<PhraseSummary> {
    let verdicts: Vec<(&str, bool, bool)> = phrases
        .iter()
        .map(|phrase| {
            let estimate = Estimate::of_text(engine, &phrase.text);
            let calories = estimate.totals().calories;
            let has_calories = (phrase.kcal[0]..=phrase.kcal[1]).contains(&calories);
            let has_items = (phrase.items[0]..=phrase.items[1]).contains(&estimate.items.len());
            (phrase.kind.as_str(), has_calories, has_items)
        })
        .collect();
    let mut kinds: Vec<&str> = verdicts.iter().map(|(kind, ..)| *kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.push(ALL);
    kinds.into_iter().map(|kind| summary(kind, &verdicts)).collect()
}

fn summary(kind: &str, verdicts: &[(&str, bool, bool)]) -> PhraseSummary {
    let of_kind: Vec<(bool, bool)> = verdicts
        .iter()
        .filter(|(other, ..)| kind == ALL || *other == kind)
        .map(|(_, calories, items)| (*calories, *items))
        .collect();
    let share = |is_right: fn(&(bool, bool)) -> bool| {
        of_kind.iter().filter(|verdict| is_right(verdict)).count() as f64 / of_kind.len().max(1) as f64
    };
    PhraseSummary {
        kind: kind.to_owned(),
        phrases: of_kind.len(),
        acceptable: share(|(calories, items)| *calories && *items),
        acceptable_calories: share(|(calories, _)| *calories),
        acceptable_items: share(|(_, items)| *items),
    }
}

/// Returns the summaries as a table.
pub(super) fn table(summaries: &[PhraseSummary]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(&[
        ("Kind", Align::Left),
        ("Phrases", right),
        ("Acceptable", right),
        ("Calories", right),
        ("Items", right),
    ]);
    for summary in summaries {
        table.row(vec![
            summary.kind.clone(),
            summary.phrases.to_string(),
            percent(summary.acceptable),
            percent(summary.acceptable_calories),
            percent(summary.acceptable_items),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_acceptable_if_calories_and_items_are() {
        let verdicts = [("plain", true, true), ("plain", true, false), ("story", false, true)];
        let plain = summary("plain", &verdicts);
        assert_eq!((plain.phrases, plain.acceptable, plain.acceptable_calories), (2, 0.5, 1.0));
        let all = summary(ALL, &verdicts);
        assert_eq!(all.phrases, 3);
        assert!((all.acceptable - 1.0 / 3.0).abs() < 1e-9 && (all.acceptable_items - 2.0 / 3.0).abs() < 1e-9);
    }
}
