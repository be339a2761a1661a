//! From the bytes of a stranger to a photo that is safe to keep and to show: upright, of a bounded size, in one known
//! format, without any metadata.
//!
//! [`Photo::read`] works in this order, and the files of this module follow it:
//!
//! 1. The format is judged by the first bytes ([`MediaType`]), never by a name or a label.
//! 2. The file must be all there: `ending`.
//! 3. The size in the header must be within bounds, before anything is allocated for it: `decode`.
//! 4. The pixels are decoded, then laid on white: `flatten`.
//! 5. They are shrunk to at most [`MAX_SIDE`] a side, and turned upright.
//!
//! Of an animated WebP or PNG, the first picture is taken. Colour profiles are dropped with all other metadata; what
//! they would change is smaller than what a kitchen lamp changes.
//!
//! # What it costs
//!
//! A JPEG of 12 megapixels takes 80 ms of a core to read and 35 ms to write again, one of 50 megapixels 330 ms, or 840 ms
//! when it is progressive (`cargo run --release -p vision --example photo_cost`).
//!
//! Memory is bounded by the number of pixels, which is checked first: a plain JPEG is read in 4 bytes a pixel, a
//! progressive one in 9 (every coefficient is held until the last scan) or, in CMYK, 11; a PNG in up to 8, a WebP in
//! up to 8. So no file takes more than 550 MB while it is read, and a photo of 12 megapixels takes 65 MB. Whoever calls
//! this limits how many are read at once. A [`Photo`] holds at most 13 MB.

mod decode;
mod ending;
mod flatten;
mod jpeg;
mod media;
mod refusal;
pub(crate) mod resize;

use fast_image_resize::FilterType;
use fast_image_resize::pixels::{U8, U8x3};
use image::{DynamicImage, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

pub use media::MediaType;
pub use refusal::Refusal;

use decode::{Decoded, decode};
use flatten::Pixels;
use resize::resized;

/// The longest file that is read, in bytes.
pub const MAX_BYTES: usize = 10_000_000;
/// The largest picture that is decoded, in pixels.
pub const MAX_PIXELS: u64 = 50_000_000;
/// The shortest side that is accepted.
pub const MIN_SIDE: u32 = 32;
/// The longest side that a [`Photo`] has; larger pictures are shrunk to it.
pub const MAX_SIDE: u32 = 2_048;

/// High enough that small print on a label stays legible.
const JPEG_QUALITY: u8 = 88;

/// A photo, upright, at most [`MAX_SIDE`] a side.
#[derive(Clone, PartialEq, Eq)]
pub struct Photo {
    image: RgbImage,
}

impl Photo {
    /// Reads a JPEG, PNG or WebP file. This takes a core for tens of milliseconds or more: not for an async task.
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.is_empty() {
            return Err(Refusal::Empty);
        }
        if bytes.len() > MAX_BYTES {
            return Err(Refusal::TooManyBytes { bytes: bytes.len() });
        }
        let media = MediaType::of_bytes(bytes).ok_or_else(|| Refusal::NotAnImage(media::foreign_format(bytes)))?;
        if !ending::is_complete(media, bytes) {
            return Err(Refusal::CutOff(media));
        }
        let Decoded { width, height, orientation, pixels } = decode(media, bytes)?;
        let image = shrink(width, height, pixels, MAX_SIDE).ok_or(Refusal::Damaged(media))?;
        // Turning is cheaper once the photo is small.
        let mut image = DynamicImage::ImageRgb8(image);
        image.apply_orientation(orientation);
        Ok(Self { image: image.into_rgb8() })
    }

    /// Columns of pixels.
    pub fn width(&self) -> u32 {
        self.image.width()
    }

    /// Rows of pixels.
    pub fn height(&self) -> u32 {
        self.image.height()
    }

    /// Red, green and blue of every pixel, in rows from the top.
    pub fn rgb(&self) -> &[u8] {
        self.image.as_raw()
    }

    /// The photo with a long edge of at most this many pixels.
    #[must_use]
    pub fn shrunk(&self, side: u32) -> Self {
        let (width, height) = (self.width(), self.height());
        let image = shrink(width, height, Pixels::Rgb(self.rgb().to_vec()), side);
        Self { image: image.unwrap_or_else(|| self.image.clone()) }
    }

    /// The photo as a JPEG file that holds the picture and nothing else.
    pub fn encode(&self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.rgb().len() / 8);
        let mut encoder = Encoder::new(&mut file, JPEG_QUALITY);
        // Half the colour resolution, as cameras write it: nobody sees it, and a third of the file is saved.
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder
            .encode(self.rgb(), self.width() as u16, self.height() as u16, ColorType::Rgb)
            .expect("a picture of at most 2,048 a side fits into a JPEG, and writing to memory does not fail");
        file
    }
}

impl std::fmt::Debug for Photo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Photo({} × {})", self.width(), self.height())
    }
}

/// The picture with a long edge of at most `side`, in RGB. Gray pictures are shrunk before they are widened.
fn shrink(width: u32, height: u32, pixels: Pixels, side: u32) -> Option<RgbImage> {
    let (new_width, new_height) = bounded(width, height, side);
    let is_small = (new_width, new_height) == (width, height);
    let rgb = match pixels {
        Pixels::Gray(gray) if is_small => widened(gray),
        Pixels::Gray(gray) => {
            widened(resized::<U8>((width, height), &gray, (new_width, new_height), FilterType::Lanczos3)?)
        }
        Pixels::Rgb(rgb) if is_small => rgb,
        Pixels::Rgb(rgb) => resized::<U8x3>((width, height), &rgb, (new_width, new_height), FilterType::Lanczos3)?,
    };
    RgbImage::from_raw(new_width, new_height, rgb)
}

fn widened(gray: Vec<u8>) -> Vec<u8> {
    gray.into_iter().flat_map(|gray| [gray; 3]).collect()
}

/// The same shape with a long edge of at most `most`.
fn bounded(width: u32, height: u32, most: u32) -> (u32, u32) {
    let long = width.max(height);
    if long <= most {
        return (width, height);
    }
    let scale = |side: u32| {
        let scaled = (u64::from(side) * u64::from(most) + u64::from(long) / 2) / u64::from(long);
        (scaled as u32).max(1)
    };
    (scale(width), scale(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_kept() {
        assert_eq!(bounded(32, 2_048, MAX_SIDE), (32, 2_048));
        assert_eq!(bounded(4_096, 3_072, MAX_SIDE), (2_048, 1_536));
        assert_eq!(bounded(3_072, 4_096, MAX_SIDE), (1_536, 2_048));
        assert_eq!(bounded(2_049, 2_049, MAX_SIDE), (2_048, 2_048));
        assert_eq!(bounded(65_535, 32, MAX_SIDE), (2_048, 1));
    }
}
