//! One decoder a format, each kept within bounds before it may allocate.

use std::io::Cursor;

use image::codecs::{jpeg::JpegDecoder, png::PngDecoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{ImageDecoder, Limits};

use super::flatten::{Pixels, flatten};
use super::{MAX_PIXELS, MIN_SIDE, MediaType, Refusal, jpeg};

/// What a decoder may allocate beside the pixels: rows, colour profiles, texts. A profile of a few kilobytes can unfold
/// to gigabytes.
const MAX_EXTRA: u64 = 64_000_000;

/// A photo as it lies in the file: not yet turned, not yet shrunk.
pub(super) struct Decoded {
    pub width: u32,
    pub height: u32,
    pub orientation: Orientation,
    pub pixels: Pixels,
}

/// Decodes a file that is known to be of this format and complete.
pub(super) fn decode(media: MediaType, bytes: &[u8]) -> Result<Decoded, Refusal> {
    let damaged = |_| Refusal::Damaged(media);
    match media {
        MediaType::Jpeg if jpeg::has_separate_colors(bytes) => Err(Refusal::Damaged(media)),
        MediaType::Jpeg => decode_with(media, JpegDecoder::new(Cursor::new(bytes)).map_err(damaged)?),
        MediaType::Png => {
            // This decoder allocates rows as soon as it is made.
            if let Some((width, height)) = png_size(bytes) {
                check_size(width, height)?;
            }
            let mut limits = Limits::no_limits();
            limits.max_alloc = Some(MAX_EXTRA);
            decode_with(media, PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(damaged)?)
        }
        MediaType::Webp => decode_with(media, WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?),
    }
}

fn decode_with(media: MediaType, mut decoder: impl ImageDecoder) -> Result<Decoded, Refusal> {
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let orientation = orientation(&mut decoder);
    let kind = decoder.color_type();
    // At most 50 million pixels of 8 bytes.
    let mut buffer = vec![0; decoder.total_bytes() as usize];
    decoder.read_image(&mut buffer).map_err(|_| Refusal::Damaged(media))?;
    let pixels = flatten(kind, buffer).ok_or(Refusal::Damaged(media))?;
    Ok(Decoded { width, height, orientation, pixels })
}

fn check_size(width: u32, height: u32) -> Result<(), Refusal> {
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        Err(Refusal::TooManyPixels { width, height })
    } else if width < MIN_SIDE || height < MIN_SIDE {
        Err(Refusal::TooSmall { width, height })
    } else {
        Ok(())
    }
}

/// The size in the chunk `IHDR`, which is always the first.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..)?.first_chunk().copied()?));
    Some((number(16)?, number(20)?))
}

/// Which way up the camera was held. A photo with unreadable metadata is taken as it lies.
fn orientation(decoder: &mut impl ImageDecoder) -> Orientation {
    let exif = decoder.exif_metadata().ok().flatten().unwrap_or_default();
    // Some programs put JPEG's segment name in front of the data in a WebP, too.
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(&exif);
    Orientation::from_exif_chunk(exif).unwrap_or(Orientation::NoTransforms)
}
