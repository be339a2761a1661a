//! From untrusted bytes to a photo that is safe to store and to show: upright, of a bounded size, in one known format,
//! without metadata.
//!
//! [`Photo::read`] works in this order, and the files of this module follow it:
//!
//! 1. The format is detected from the first bytes ([`MediaType`]), never from a file name or a declared type.
//! 2. The file must be complete: `ending`.
//! 3. The size in the header must be within the [limits](MAX_PIXELS) before anything is allocated for it: `decode`.
//! 4. The pixels are decoded and blended onto white: `flatten`.
//! 5. The image is scaled down to at most [`MAX_SIDE`] a side (`resize`) and turned upright.
//!
//! Of an animated WebP or PNG, the first frame is used. Color profiles are dropped with all other metadata; they would
//! change less than a kitchen lamp does.
//!
//! # Cost
//!
//! A JPEG of 12 megapixels takes 80 ms of CPU time to read and 35 ms to write again, one of 50 megapixels 330 ms, or
//! 840 ms if it is progressive (`cargo run --release -p vision --example photo_cost`).
//!
//! Memory is bounded by the number of pixels, which is checked first. Reading takes 4 bytes per pixel of a baseline
//! JPEG, 9 of a progressive one (every coefficient is held until the last scan) or 11 in CMYK, and up to 8 of a PNG or
//! WebP. So no file takes more than 550 MB while it is read, and a photo of 12 megapixels takes 65 MB. Callers limit
//! how many are read at once. A [`Photo`] holds at most 13 MB.

mod decode;
mod ending;
mod jpeg;
mod flatten;
mod error;
mod media;
mod limits;
pub(crate) mod resize;

use fast_image_resize::FilterType;
use fast_image_resize::pixels::{U8, U8x3};
use image::{DynamicImage, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

pub use error::PhotoError;
pub use limits::{MAX_BYTES, MAX_PIXELS, MAX_SIDE, MAX_WEBP_PIXELS, MIN_SIDE};
pub use media::MediaType;

use decode::{DecodedImage, decode};
use flatten::Pixels;
use resize::resized;

/// High enough that small print on a label stays legible.
const JPEG_QUALITY: u8 = 88;

/// A photo: upright, at most [`MAX_SIDE`] a side.
#[derive(Clone, PartialEq, Eq)]
pub struct Photo {
    image: RgbImage,
}

impl Photo {
    /// Reads a JPEG, PNG or WebP file. This takes tens of milliseconds of CPU time or more: do not call it from an
    /// async task.
    pub fn read(bytes: &[u8]) -> Result<Self, PhotoError> {
        if bytes.is_empty() {
            return Err(PhotoError::Empty);
        }
        if bytes.len() > MAX_BYTES {
            return Err(PhotoError::TooManyBytes { bytes: bytes.len() });
        }
        let media =
            MediaType::of_bytes(bytes).ok_or_else(|| PhotoError::NotAnImage(media::unsupported_format(bytes)))?;
        if !ending::is_complete(media, bytes) {
            return Err(PhotoError::CutOff(media));
        }
        let DecodedImage { width, height, orientation, pixels } = decode(media, bytes)?;
        let image = shrink(width, height, pixels, MAX_SIDE).ok_or(PhotoError::Damaged(media))?;
        // Rotating is cheaper once the photo is small.
        let mut image = DynamicImage::ImageRgb8(image);
        image.apply_orientation(orientation);
        Ok(Self { image: image.into_rgb8() })
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.image.width()
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> u32 {
        self.image.height()
    }

    /// Returns red, green and blue of every pixel, row by row from the top.
    pub fn rgb(&self) -> &[u8] {
        self.image.as_raw()
    }

    /// Scales the photo down to a long edge of at most this many pixels.
    #[must_use]
    pub fn shrunk(&self, side: u32) -> Self {
        let (width, height) = (self.width(), self.height());
        let image = shrink(width, height, Pixels::Rgb(self.rgb().to_vec()), side);
        Self { image: image.unwrap_or_else(|| self.image.clone()) }
    }

    /// Encodes the photo as a JPEG file that contains the image and nothing else.
    pub fn encode(&self) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.rgb().len() / 8);
        let mut encoder = Encoder::new(&mut file, JPEG_QUALITY);
        // Half the color resolution, as cameras do: the difference is invisible, and the file is a third smaller.
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder
            .encode(self.rgb(), self.width() as u16, self.height() as u16, ColorType::Rgb)
            .expect("an image of at most 2,048 pixels a side fits into a JPEG, and writing to memory does not fail");
        file
    }
}

impl std::fmt::Debug for Photo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Photo({} × {})", self.width(), self.height())
    }
}

/// Scales an image down to a long edge of at most `side` and converts it to RGB. Grayscale is converted after scaling.
fn shrink(width: u32, height: u32, pixels: Pixels, side: u32) -> Option<RgbImage> {
    let (new_width, new_height) = bounded(width, height, side);
    let is_small = (new_width, new_height) == (width, height);
    let rgb = match pixels {
        Pixels::Gray(gray) if is_small => gray_to_rgb(gray),
        Pixels::Gray(gray) => {
            gray_to_rgb(resized::<U8>((width, height), &gray, (new_width, new_height), FilterType::Lanczos3, None)?)
        }
        Pixels::Rgb(rgb) if is_small => rgb,
        Pixels::Rgb(rgb) => {
            resized::<U8x3>((width, height), &rgb, (new_width, new_height), FilterType::Lanczos3, None)?
        }
    };
    RgbImage::from_raw(new_width, new_height, rgb)
}

fn gray_to_rgb(gray: Vec<u8>) -> Vec<u8> {
    gray.into_iter().flat_map(|gray| [gray; 3]).collect()
}

/// Returns the same shape with a long edge of at most `max_side`.
fn bounded(width: u32, height: u32, max_side: u32) -> (u32, u32) {
    let long = width.max(height);
    if long <= max_side {
        return (width, height);
    }
    let scale = |side: u32| {
        let scaled = (u64::from(side) * u64::from(max_side) + u64::from(long) / 2) / u64::from(long);
        (scaled as u32).max(1)
    };
    (scale(width), scale(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_aspect_ratio_is_kept() {
        assert_eq!(bounded(32, 2_048, MAX_SIDE), (32, 2_048));
        assert_eq!(bounded(4_096, 3_072, MAX_SIDE), (2_048, 1_536));
        assert_eq!(bounded(3_072, 4_096, MAX_SIDE), (1_536, 2_048));
        assert_eq!(bounded(2_049, 2_049, MAX_SIDE), (2_048, 2_048));
        assert_eq!(bounded(65_535, 32, MAX_SIDE), (2_048, 1));
    }
}
