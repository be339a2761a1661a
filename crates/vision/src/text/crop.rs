//! Cuts level strips out of an image.

use super::outline::TextBox;
use crate::photo::Photo;

/// Rows of a strip: what the recognition was trained on.
pub(super) const HEIGHT: usize = 48;

/// A part of the photo, turned level, [`HEIGHT`] pixels high.
pub(super) struct Strip {
    pub width: usize,
    /// Red, green and blue of every pixel, row by row.
    pub rgb: Vec<u8>,
}

/// Returns the columns of the strip of a box.
pub(super) fn width(place: &TextBox, max_columns: usize) -> usize {
    ((place.length / place.thickness.max(1.0) * HEIGHT as f32).round() as usize).clamp(8, max_columns)
}

/// Cuts out the pixels of a box. Beyond the photo, its edge is repeated.
pub(super) fn crop(photo: &Photo, place: &TextBox, max_columns: usize) -> Strip {
    let width = width(place, max_columns);
    let (sin, cos) = place.angle.sin_cos();
    let (across, down) = (place.length / width as f32, place.thickness / HEIGHT as f32);
    let mut rgb = Vec::with_capacity(width * HEIGHT * 3);
    // If several pixels of the photo fall on one of the strip, they are averaged.
    let samples = across.max(down).round().clamp(1.0, 4.0) as usize;
    let share = |part: usize| (part as f32 + 0.5) / samples as f32;
    for row in 0..HEIGHT {
        for column in 0..width {
            let mut sum = [0.0; 3];
            for part in 0..samples * samples {
                let u = (column as f32 + share(part % samples)) * across - place.length / 2.0;
                let v = (row as f32 + share(part / samples)) * down - place.thickness / 2.0;
                let pixel = color_at(photo, place.center.0 + u * cos - v * sin, place.center.1 + u * sin + v * cos);
                for (sum, channel) in sum.iter_mut().zip(pixel) {
                    *sum += channel;
                }
            }
            rgb.extend(sum.map(|sum| (sum / (samples * samples) as f32 + 0.5) as u8));
        }
    }
    Strip { width, rgb }
}

/// Interpolates the color at a point between the four pixels around it. The middle of the first pixel is at (½, ½).
fn color_at(photo: &Photo, x: f32, y: f32) -> [f32; 3] {
    let (columns, rows) = (photo.width() as usize, photo.height() as usize);
    let (x, y) = ((x - 0.5).clamp(0.0, columns as f32 - 1.0), (y - 0.5).clamp(0.0, rows as f32 - 1.0));
    let (left, top) = (x as usize, y as usize);
    let (right, bottom) = ((left + 1).min(columns - 1), (top + 1).min(rows - 1));
    let (right_share, lower_share) = (x - left as f32, y - top as f32);
    let pixel = |x: usize, y: usize| &photo.rgb()[(y * columns + x) * 3..][..3];
    let corners = [pixel(left, top), pixel(right, top), pixel(left, bottom), pixel(right, bottom)];
    std::array::from_fn(|channel| {
        let [upper_left, upper_right, lower_left, lower_right] = corners.map(|corner| f32::from(corner[channel]));
        let upper = upper_left + (upper_right - upper_left) * right_share;
        let lower = lower_left + (lower_right - lower_left) * right_share;
        upper + (lower - upper) * lower_share
    })
}
