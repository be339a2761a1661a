//! A photo without its colors.

use crate::photo::Photo;

/// A grayscale image.
pub(super) struct Grayscale {
    pub width: usize,
    pub height: usize,
    /// The brightness of each pixel, row by row from the top.
    pub pixels: Vec<u8>,
}

impl Grayscale {
    pub fn new(photo: &Photo) -> Self {
        let brightness =
            |[red, green, blue]: &[u8; 3]| ((u16::from(*red) + 2 * u16::from(*green) + u16::from(*blue)) / 4) as u8;
        Self {
            width: photo.width() as usize,
            height: photo.height() as usize,
            pixels: photo.rgb().as_chunks().0.iter().map(brightness).collect(),
        }
    }

    /// Interpolates the brightness between pixels. Beyond the image, its edge is repeated.
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x.clamp(0.0, self.width as f32 - 1.001), y.clamp(0.0, self.height as f32 - 1.001));
        let (left, top) = (x as usize, y as usize);
        let (right_share, lower_share) = (x - left as f32, y - top as f32);
        let corner = top * self.width + left;
        let pixel = |at: usize| f32::from(self.pixels[at]);
        let upper = pixel(corner) * (1.0 - right_share) + pixel(corner + 1) * right_share;
        let below = corner + self.width;
        let lower = pixel(below) * (1.0 - right_share) + pixel(below + 1) * right_share;
        upper * (1.0 - lower_share) + lower * lower_share
    }
}
