//! A part of a photo, in the size that a network takes.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::photo::Photo;
use crate::sighting::Region;

/// Photos of phones, which are 4:3 and 3:2, are not wide.
const WIDE: f64 = 1.6;
/// Of a photo that is longer than so many times its shorter side, the ends are not looked at.
const LONGEST: f64 = 2.5;

/// A rectangle of a photo, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl View {
    /// The largest square in the middle: what was trained on.
    pub fn middle(photo: &Photo) -> Self {
        Self::longest(photo, 1.0)
    }

    /// The whole photo, or the middle of a very long one.
    pub fn whole(photo: &Photo) -> Self {
        Self::longest(photo, LONGEST)
    }

    /// Whether the largest square leaves out much of a photo.
    pub fn is_wide(photo: &Photo) -> bool {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        width.max(height) > WIDE * width.min(height)
    }

    /// The middle of a photo with at most so many times its shorter side.
    fn longest(photo: &Photo, times: f64) -> Self {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        let longest = width.min(height) * times;
        let (inner_width, inner_height) = (width.min(longest), height.min(longest));
        let (left, top) = ((width - inner_width) / 2.0, (height - inner_height) / 2.0);
        Self { left, top, width: inner_width, height: inner_height }
    }

    /// Columns and rows of cells, `short` along the shorter side and as many along the other as keep cells about square.
    pub fn cells(self, short: usize) -> (usize, usize) {
        let cell = self.width.min(self.height) / short as f64;
        let along = |side: f64| (side / cell).round() as usize;
        (along(self.width), along(self.height))
    }

    /// A part of it: from so far and so large, as shares.
    pub fn part(self, across: [f64; 2], down: [f64; 2]) -> Self {
        Self {
            left: self.left + self.width * across[0],
            top: self.top + self.height * down[0],
            width: self.width * across[1],
            height: self.height * down[1],
        }
    }

    /// The smallest that holds both.
    pub fn with(self, other: Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        let right = (self.left + self.width).max(other.left + other.width);
        let bottom = (self.top + self.height).max(other.top + other.height);
        Self { left, top, width: right - left, height: bottom - top }
    }

    /// Where it is, as shares of the photo.
    pub fn region(self, photo: &Photo) -> Region {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        Region {
            left: (self.left / width) as f32,
            top: (self.top / height) as f32,
            width: (self.width / width) as f32,
            height: (self.height / height) as f32,
        }
    }

    /// The pixels from -1 to 1, so many across and down and a plane for each colour. Gives nothing when the photo cannot be
    /// scaled, which no photo that was read is.
    pub fn pixels(self, photo: &Photo, across: usize, down: usize) -> Option<Vec<f32>> {
        let source = ImageRef::new(photo.width(), photo.height(), photo.rgb(), PixelType::U8x3).ok()?;
        let mut small = Image::new(across as u32, down as u32, PixelType::U8x3);
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom)).crop(
            self.left,
            self.top,
            self.width,
            self.height,
        );
        Resizer::new().resize(&source, &mut small, &options).ok()?;
        let mut numbers = Vec::with_capacity(small.buffer().len());
        for colour in 0..3 {
            let values = small.buffer().iter().skip(colour).step_by(3);
            numbers.extend(values.map(|value| f32::from(*value) / 127.5 - 1.0));
        }
        Some(numbers)
    }
}
