//! What is not a label returns none, and nothing panics.

use proptest::prelude::*;
use vision::label;
use vision::text::{Page, TextBox, TextLine};

use super::layout::plain;

#[test]
fn menus_fronts_and_recipes_are_not_labels() {
    let pages: [&[&str]; 6] = [
        &["Soup of the day 6.50", "Sandwich with cheese 8.90", "Coffee 3.20", "Protein bowl 12.50"],
        &["HIGH PROTEIN", "20g protein per bar", "Low fat", "Net weight 60 g"],
        &["INGREDIENTS: oats, sugar, salt, milk protein, palm fat 12%"],
        &["Pancakes", "200 g flour", "2 eggs", "300 ml milk", "1 pinch of salt", "20 g sugar"],
        &["Total 12.90", "VAT 7% 0.90", "Cash 20.00", "Change 7.10"],
        &[],
    ];
    for rows in pages {
        assert_eq!(plain(rows), None, "{rows:?}");
    }
}

/// Words and numbers that labels are made of, whole and broken.
const PIECES: [&str; 26] = [
    "Total Fat",
    "Fat",
    "Protein",
    "Carbohydrate",
    "Calories",
    "Energy",
    "8g",
    "129",
    "Og",
    "lg",
    "<",
    "<1g",
    "0.5",
    "1,5 g",
    "kJ",
    "kcal",
    "250 kcal",
    "1046kJ",
    "100 g",
    "per",
    "(30 g)",
    "%",
    "10%",
    "Serving size",
    "999999999999999999999",
    "..,,",
];

proptest! {
    /// No number is invented: each one is printed, or follows from a printed one.
    #[test]
    fn only_printed_numbers_come_out(rows in prop::collection::vec(prop::collection::vec((0_usize..26, 0.0_f32..900.0), 1..5), 0..14)) {
        let mut lines = Vec::new();
        let mut printed: Vec<f64> = vec![0.0];
        for (row, cells) in rows.iter().enumerate() {
            for &(piece, left) in cells {
                let text = PIECES[piece].to_owned();
                let place = TextBox { center: (left, row as f32 * 40.0), length: 14.0 * text.len() as f32, thickness: 30.0, angle: 0.0 };
                lines.push(TextLine { text, confidence: 0.9, place });
            }
        }
        for piece in PIECES {
            let digits: String = piece.chars().map(|letter| match letter { 'O' => '0', 'l' => '1', ',' => '.', other => other }).collect();
            for part in digits.split(|letter: char| !letter.is_ascii_digit() && letter != '.') {
                if let Ok(value) = part.parse::<f64>() {
                    // As printed, half of "less than", without a last 9, from kilojoules, from salt.
                    printed.extend([value, value / 2.0, (value / 10.0).floor(), (value / 4.184).round()]);
                    printed.extend([value * 1_000.0, value * 400.0, value / 1_000.0]);
                }
            }
        }
        if let Some((label, confidence)) = label::parse(&Page { lines, angle: 0.0 }) {
            prop_assert!((0.0..=1.0).contains(&confidence));
            let facts = label.facts;
            let four = facts.macros;
            for value in [four.calories, four.protein, four.carbs, four.fat, facts.fiber, facts.sugars, facts.saturated_fat].into_iter().flatten() {
                prop_assert!(printed.iter().any(|printed| (printed - value).abs() < 0.01), "{} of {:?}", value, facts);
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(texts in prop::collection::vec(("[ -~]{0,40}", -500.0_f32..3000.0, -500.0_f32..3000.0, 1.0_f32..400.0, -4.0_f32..4.0), 0..40), angle in -4.0_f32..4.0) {
        let lines = texts
            .into_iter()
            .map(|(text, x, y, thickness, angle)| {
                let length = thickness * (text.len().max(1) as f32) / 2.0;
                TextLine { text, confidence: 0.8, place: TextBox { center: (x, y), length, thickness, angle } }
            })
            .collect();
        let _ = label::parse(&Page { lines, angle });
    }
}
