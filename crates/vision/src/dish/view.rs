//! A part of a photo, at the size that a network takes.

use fast_image_resize::FilterType;
use fast_image_resize::pixels::U8x3;
use nutrition::sighting::Region;

use crate::photo::Photo;
use crate::photo::resize::resized;

/// The aspect ratio from which on a photo is wide. Photos of phones, 4:3 or 3:2, are not.
const MIN_WIDE: f64 = 1.6;
/// The ends of a photo with a higher aspect ratio than this are ignored.
const MAX_ASPECT: f64 = 2.5;

/// A rectangle of a photo, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl View {
    /// Returns the largest square in the middle, which is what the networks were trained on.
    pub fn middle(photo: &Photo) -> Self {
        Self::bounded(photo, 1.0)
    }

    /// Returns the whole photo, or the middle of a very long one.
    pub fn whole(photo: &Photo) -> Self {
        Self::bounded(photo, MAX_ASPECT)
    }

    /// Checks whether the largest square leaves out much of a photo.
    pub fn is_wide(photo: &Photo) -> bool {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        width.max(height) > MIN_WIDE * width.min(height)
    }

    /// Returns the middle of a photo, with at most this aspect ratio.
    fn bounded(photo: &Photo, max_aspect: f64) -> Self {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        let longest = width.min(height) * max_aspect;
        let (inner_width, inner_height) = (width.min(longest), height.min(longest));
        let (left, top) = ((width - inner_width) / 2.0, (height - inner_height) / 2.0);
        Self { left, top, width: inner_width, height: inner_height }
    }

    /// Returns columns and rows of cells: `short` along the shorter side, and as many along the other as keep cells
    /// about square.
    pub fn cells(self, short: usize) -> (usize, usize) {
        let cell = self.width.min(self.height) / short as f64;
        let along = |side: f64| (side / cell).round() as usize;
        (along(self.width), along(self.height))
    }

    /// Returns a part of this view as a part of its photo. The corners are shares of the width and height of the view.
    pub fn region(self, photo: &Photo, upper_left: (f64, f64), lower_right: (f64, f64)) -> Option<Region> {
        let across = |share: f64| ((self.left + share * self.width) / f64::from(photo.width())) as f32;
        let down = |share: f64| ((self.top + share * self.height) / f64::from(photo.height())) as f32;
        Region::between((across(upper_left.0), down(upper_left.1)), (across(lower_right.0), down(lower_right.1)))
    }

    /// Returns the pixels scaled to this size, from -1 to 1, one plane per color. Returns `None` if the photo cannot be
    /// scaled, which does not happen with a photo that could be read.
    pub fn pixels(self, photo: &Photo, across: usize, down: usize) -> Option<Vec<f32>> {
        let size = (photo.width(), photo.height());
        let crop = (self.left, self.top, self.width, self.height);
        let small = (across as u32, down as u32);
        let small = resized::<U8x3>(size, photo.rgb(), small, FilterType::CatmullRom, Some(crop))?;
        let mut numbers = Vec::with_capacity(small.len());
        for color in 0..3 {
            let values = small.iter().skip(color).step_by(3);
            numbers.extend(values.map(|value| f32::from(*value) / 127.5 - 1.0));
        }
        Some(numbers)
    }
}
