//! The table that `morsel estimate` prints.

use foods::plural::plural;
use meal::Part;
use nutrition::Macros;

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

/// Units without a plural form: abbreviations and sizes.
const WITHOUT_PLURAL: &[&str] = &[
    "g",
    "kg",
    "mg",
    "oz",
    "lb",
    "ml",
    "cl",
    "dl",
    "l",
    "fl oz",
    "tsp",
    "tbsp",
    "cubic inch",
    "small",
    "medium",
    "large",
    "extra large",
    "jumbo",
    "regular",
    "mini",
];

/// Formats an amount: "2 slices", "0.5 cup", "100 g", "2 large".
fn amount(quantity: f64, unit: &str) -> String {
    if quantity <= 1.0 || unit.ends_with('s') && !unit.ends_with("ss") || WITHOUT_PLURAL.contains(&unit) {
        return format!("{quantity} {unit}");
    }
    format!("{quantity} {}", plural(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_naturally() {
        for (quantity, unit, written) in [
            (2.0, "slice", "2 slices"),
            (1.0, "cup", "1 cup"),
            (2.0, "cup", "2 cups"),
            (0.5, "cup", "0.5 cup"),
            (100.0, "g", "100 g"),
            (8.0, "fl oz", "8 fl oz"),
            (2.0, "large", "2 large"),
            (2.0, "glass", "2 glasses"),
            (3.0, "leaf", "3 leaves"),
            (3.0, "tbsp", "3 tbsp"),
            (2.0, "serving", "2 servings"),
        ] {
            assert_eq!(amount(quantity, unit), written);
        }
    }
}
