//! Text laid out on a page, as the reading of a photo gives it.

use vision::label;
use vision::sighting::{Facts, Label};
use vision::text::{Line, Page, Slanted};

/// Rows of cells; each cell is how far from the left it begins, in letters, and its text.
pub fn page(rows: &[&[(u32, &str)]]) -> Page {
    turned(rows, 0.0)
}

/// The same, with the whole page turned by some degrees.
pub fn turned(rows: &[&[(u32, &str)]], degrees: f32) -> Page {
    const LETTER: f32 = 14.0;
    let angle = degrees.to_radians();
    let (sin, cos) = angle.sin_cos();
    let mut lines = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (left, text) in *cells {
            let length = text.len() as f32 * LETTER;
            let (x, y) = (*left as f32 * LETTER + length / 2.0, row as f32 * 40.0);
            let place = Slanted { center: (x * cos - y * sin, x * sin + y * cos), length, thickness: 32.0, angle };
            lines.push(Line { text: (*text).to_owned(), confidence: 0.97, place });
        }
    }
    Page { lines, angle }
}

/// The label of rows that have one cell each.
pub fn plain(rows: &[&str]) -> Option<(Label, f32)> {
    let cells: Vec<[(u32, &str); 1]> = rows.iter().map(|row| [(0, *row)]).collect();
    label::parse(&page(&cells.iter().map(<[_; 1]>::as_slice).collect::<Vec<_>>()))
}

/// Energy, protein, carbohydrate and fat.
pub fn four(facts: &Facts) -> [Option<f64>; 4] {
    [facts.calories, facts.protein, facts.carbs, facts.fat]
}
