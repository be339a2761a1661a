//! Amounts in words.

use foods::plural::plural;

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
    "whole",
];

/// Writes an amount: "2 slices", "0.5 cup", "100 g", "2 large".
pub fn amount(quantity: f64, unit: &str) -> String {
    format!("{quantity} {}", unit_of(quantity, unit))
}

/// Returns the unit of an amount: "slices" of two, "cup" of a half.
pub fn unit_of(quantity: f64, unit: &str) -> String {
    let has_no_plural = unit.ends_with('s') && !unit.ends_with("ss") || WITHOUT_PLURAL.contains(&unit);
    if quantity <= 1.0 || has_no_plural { unit.to_owned() } else { plural(unit) }
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
