//! Text laid out on a page, as it is read from a photo.

use nutrition::Macros;
use nutrition::sighting::{Label, NutritionFacts};
use vision::label;
use vision::text::{Page, TextBox, TextLine};

/// Lays out rows of cells. Each cell is its distance from the left, in letters, and its text.
pub fn page(rows: &[&[(u32, &str)]]) -> Page {
    turned(rows, 0.0)
}

/// Lays out rows on a page that is rotated by some degrees.
pub fn turned(rows: &[&[(u32, &str)]], degrees: f32) -> Page {
    const LETTER: f32 = 14.0;
    let angle = degrees.to_radians();
    let (sin, cos) = angle.sin_cos();
    let mut lines = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (left, text) in *cells {
            let length = text.len() as f32 * LETTER;
            let (x, y) = (*left as f32 * LETTER + length / 2.0, row as f32 * 40.0);
            let place = TextBox { center: (x * cos - y * sin, x * sin + y * cos), length, thickness: 32.0, angle };
            lines.push(TextLine { text: (*text).to_owned(), confidence: 0.97, place });
        }
    }
    Page { lines, angle }
}

/// Parses the label of rows that have one cell each.
pub fn plain(rows: &[&str]) -> Option<(Label, f32)> {
    let cells: Vec<[(u32, &str); 1]> = rows.iter().map(|row| [(0, *row)]).collect();
    label::parse(&page(&cells.iter().map(<[_; 1]>::as_slice).collect::<Vec<_>>()))
}

/// Returns energy, protein, carbohydrate and fat.
pub fn four(facts: &NutritionFacts) -> [Option<f64>; 4] {
    let Macros { calories, protein, carbs, fat } = facts.macros;
    [calories, protein, carbs, fat]
}
