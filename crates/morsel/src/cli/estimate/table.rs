//! The table that `morsel estimate` prints.

use meal::Part;
use nutrition::Macros;

use crate::api::amount::amount;
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::rows::EstimateAnswer;
use crate::cli::table::{Align, Table};

/// Returns the items of a meal and their totals as a table.
pub(super) fn of_parts(parts: &[Part]) -> Table {
    let mut table = Table::new(&[
        ("Food", Align::Left),
        ("Amount", Align::Left),
        ("g", Align::Right),
        ("kcal", Align::Right),
        ("Protein", Align::Right),
        ("Carbs", Align::Right),
        ("Fat", Align::Right),
        ("How sure", Align::Left),
    ]);
    let mut row = |start: [String; 2], grams: Option<f64>, macros: Macros, tier: &str| {
        let Macros { calories, protein, carbs, fat } = macros;
        let mut cells = Vec::from(start);
        cells.push(grams.map(weight).unwrap_or_default());
        cells.push(format!("{calories:.0}"));
        cells.extend([protein, carbs, fat].map(|value| format!("{value:.1}")));
        cells.push(tier.to_owned());
        table.row(cells);
    };
    // Taken from the JSON response, so that people and programs see the same numbers.
    let answer = EstimateAnswer::from_parts(parts, Include::of([Extra::Grams, Extra::Tier]));
    for item in answer.items {
        // The weight of a recipe is not known.
        let grams = item.grams.map(|weight| weight.grams);
        let start = [item.name, amount(item.quantity, &item.unit)];
        row(start, grams, item.macros, item.tier.unwrap_or_default());
    }
    let is_weighed = parts.iter().all(|part| !matches!(part, Part::Recipe(_)));
    let grams = parts.iter().filter_map(|part| match part {
        Part::Food(item) => Some(item.weight.grams),
        Part::Recipe(_) | Part::Unresolved(_) => None,
    });
    let grams = is_weighed.then(|| grams.sum());
    row(["Total".to_owned(), String::new()], grams, answer.totals, "");
    table
}

fn weight(grams: f64) -> String {
    if grams < 9.95 { format!("{grams:.1}") } else { format!("{grams:.0}") }
}
