//! Where the table is on its page.

use nutrition::sighting::Region;

use super::vocabulary::nutrient_name;
use crate::text::{Page, TextLine};

/// Returns the upright rectangle around the lines from the first to the last that names a nutrient, in a photo of this
/// width and height.
pub(super) fn place(page: &Page, (width, height): (f32, f32)) -> Option<Region> {
    let (sin, cos) = page.angle.sin_cos();
    let down = |line: &TextLine| line.place.center.1 * cos - line.place.center.0 * sin;
    let names = page.lines.iter().filter(|line| names_nutrient(line));
    let (first, last) =
        names.fold((f32::MAX, f32::MIN), |(first, last), line| (first.min(down(line)), last.max(down(line))));
    let lines = page.lines.iter().filter(|line| {
        let slack = line.place.thickness / 2.0;
        (first - slack..=last + slack).contains(&down(line))
    });
    let none = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    let (upper_left, lower_right) = lines.fold(none, |(upper_left, lower_right), line| {
        let (x, y) = line.place.center;
        let (half_width, half_height) = half_extent(line);
        (
            (upper_left.0.min(x - half_width), upper_left.1.min(y - half_height)),
            (lower_right.0.max(x + half_width), lower_right.1.max(y + half_height)),
        )
    });
    Region::between((upper_left.0 / width, upper_left.1 / height), (lower_right.0 / width, lower_right.1 / height))
}

fn names_nutrient(line: &TextLine) -> bool {
    let text = line.text.to_lowercase();
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    nutrient_name(&words).is_some()
}

/// Returns half of the width and height of the upright rectangle around a line.
fn half_extent(line: &TextLine) -> (f32, f32) {
    let (sin, cos) = (line.place.angle.sin().abs(), line.place.angle.cos().abs());
    let (length, thickness) = (line.place.length / 2.0, line.place.thickness / 2.0);
    (length * cos + thickness * sin, length * sin + thickness * cos)
}
