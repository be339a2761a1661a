//! A square of a photo, in the size that the networks take.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::photo::Photo;
use crate::sighting::Region;

/// Photos of phones, which are 4:3 and 3:2, are not wide.
const WIDE: f64 = 1.6;

/// A square of a photo, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    left: f64,
    top: f64,
    side: f64,
    /// Left is right.
    is_mirrored: bool,
}

impl View {
    /// The largest square in the middle: what was trained on.
    pub fn middle(photo: &Photo) -> Self {
        Self::at(photo, 1.0, 0.5, 0.5)
    }

    /// Whether the largest square leaves out much of a photo.
    pub fn is_wide(photo: &Photo) -> bool {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        width.max(height) > WIDE * width.min(height)
    }

    /// A square of this share of the shorter side; `across` and `down` say where, from 0 at one edge to 1 at the other.
    pub fn at(photo: &Photo, share: f64, across: f64, down: f64) -> Self {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        let side = width.min(height) * share;
        Self { left: (width - side) * across, top: (height - side) * down, side, is_mirrored: false }
    }

    /// The same in a mirror: as good a picture of the food, and another one to a network.
    pub fn mirrored(self) -> Self {
        Self { is_mirrored: !self.is_mirrored, ..self }
    }

    /// Where it is, as shares of the photo.
    pub fn region(self, photo: &Photo) -> Region {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        Region {
            left: (self.left / width) as f32,
            top: (self.top / height) as f32,
            width: (self.side / width) as f32,
            height: (self.side / height) as f32,
        }
    }

    /// The pixels from -1 to 1, `side` a side and a plane for each colour, appended to `numbers`. Gives nothing when the
    /// photo cannot be scaled, which no photo that was read is.
    pub fn write(self, photo: &Photo, side: usize, numbers: &mut Vec<f32>) -> Option<()> {
        let source = ImageRef::new(photo.width(), photo.height(), photo.rgb(), PixelType::U8x3).ok()?;
        let mut small = Image::new(side as u32, side as u32, PixelType::U8x3);
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom))
            .crop(self.left, self.top, self.side, self.side);
        Resizer::new().resize(&source, &mut small, &options).ok()?;
        if self.is_mirrored {
            for row in small.buffer_mut().chunks_exact_mut(3 * side) {
                row.as_chunks_mut::<3>().0.reverse();
            }
        }
        let pixels = small.buffer();
        for colour in 0..3 {
            numbers.extend(pixels.iter().skip(colour).step_by(3).map(|value| f32::from(*value) / 127.5 - 1.0));
        }
        Some(())
    }
}
