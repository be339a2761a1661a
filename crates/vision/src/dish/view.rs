//! A square of a photo, in the size that the networks take.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::photo::Photo;
use crate::sighting::Region;

/// The networks see this many pixels a side.
pub(super) const SIDE: usize = 192;
/// The numbers of one picture: three colours.
pub(super) const NUMBERS: usize = 3 * SIDE * SIDE;

/// A square of a photo, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    left: f64,
    top: f64,
    side: f64,
}

impl View {
    /// The largest square in the middle: what was trained on.
    pub fn middle(photo: &Photo) -> Self {
        Self::at(photo, 1.0, 0.5, 0.5)
    }

    /// A square of this share of the shorter side; `across` and `down` say where, from 0 at one edge to 1 at the other.
    pub fn at(photo: &Photo, share: f64, across: f64, down: f64) -> Self {
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        let side = width.min(height) * share;
        Self { left: (width - side) * across, top: (height - side) * down, side }
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

    /// The pixels from -1 to 1, a plane for each colour, appended to `numbers`; mirrored if wished. Gives nothing when
    /// the photo cannot be scaled, which no photo that was read is.
    pub fn write(self, photo: &Photo, mirrored: bool, numbers: &mut Vec<f32>) -> Option<()> {
        let source = ImageRef::new(photo.width(), photo.height(), photo.rgb(), PixelType::U8x3).ok()?;
        let mut small = Image::new(SIDE as u32, SIDE as u32, PixelType::U8x3);
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom))
            .crop(self.left, self.top, self.side, self.side);
        Resizer::new().resize(&source, &mut small, &options).ok()?;
        let pixels = small.buffer();
        for colour in 0..3 {
            for row in pixels.chunks_exact(3 * SIDE) {
                for column in 0..SIDE {
                    let column = if mirrored { SIDE - 1 - column } else { column };
                    numbers.push(f32::from(row[3 * column + colour]) / 127.5 - 1.0);
                }
            }
        }
        Some(())
    }
}
