//! Decodes each format, within limits that are checked before anything is allocated.

use std::io::Cursor;

use image::codecs::{jpeg::JpegDecoder, png::PngDecoder, webp::WebPDecoder};
use image::metadata::Orientation;
use image::{ImageDecoder, Limits};

use super::error::PhotoError;
use super::flatten::{Pixels, flatten};
use super::jpeg;
use super::limits::{MAX_PIXELS, MAX_WEBP_PIXELS, MIN_SIDE};
use super::media::MediaType;

/// Bytes that a decoder may allocate beside the pixels: rows, color profiles, texts. A compressed profile of a few
/// kilobytes can expand to gigabytes.
const MAX_EXTRA: u64 = 64_000_000;

/// An image as it is in the file: not yet scaled down or turned upright.
pub(super) struct DecodedImage {
    pub width: u32,
    pub height: u32,
    pub orientation: Orientation,
    pub pixels: Pixels,
}

/// Decodes a complete file of this format.
pub(super) fn decode(media: MediaType, bytes: &[u8]) -> Result<DecodedImage, PhotoError> {
    let damaged = |_| PhotoError::Damaged(media);
    match media {
        MediaType::Jpeg if jpeg::has_separate_colors(bytes) || jpeg::has_too_many_scans(bytes) => {
            Err(PhotoError::Damaged(media))
        }
        MediaType::Jpeg => decode_with(media, JpegDecoder::new(Cursor::new(bytes)).map_err(damaged)?),
        MediaType::Png => {
            // This decoder allocates rows as soon as it is created.
            if let Some((width, height)) = png_size(bytes) {
                check_size(media, width, height)?;
            }
            let mut limits = Limits::no_limits();
            limits.max_alloc = Some(MAX_EXTRA);
            decode_with(media, PngDecoder::with_limits(Cursor::new(bytes), limits).map_err(damaged)?)
        }
        MediaType::Webp => decode_with(media, WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?),
    }
}

fn decode_with(media: MediaType, mut decoder: impl ImageDecoder) -> Result<DecodedImage, PhotoError> {
    let (width, height) = decoder.dimensions();
    check_size(media, width, height)?;
    let orientation = orientation(&mut decoder);
    let kind = decoder.color_type();
    // At most 50 million pixels of 8 bytes.
    let mut buffer = vec![0; decoder.total_bytes() as usize];
    decoder.read_image(&mut buffer).map_err(|_| PhotoError::Damaged(media))?;
    let pixels = flatten(kind, buffer).ok_or(PhotoError::Damaged(media))?;
    Ok(DecodedImage { width, height, orientation, pixels })
}

fn check_size(media: MediaType, width: u32, height: u32) -> Result<(), PhotoError> {
    let max_pixels = if media == MediaType::Webp { MAX_WEBP_PIXELS } else { MAX_PIXELS };
    if u64::from(width) * u64::from(height) > max_pixels {
        Err(PhotoError::TooManyPixels { max_pixels, width, height })
    } else if width < MIN_SIDE || height < MIN_SIDE {
        Err(PhotoError::TooSmall { width, height })
    } else {
        Ok(())
    }
}

/// Returns the size in the chunk `IHDR`, which is always the first.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..)?.first_chunk().copied()?));
    Some((number(16)?, number(20)?))
}

/// Returns the orientation of the camera. Unreadable metadata are ignored.
fn orientation(decoder: &mut impl ImageDecoder) -> Orientation {
    let exif = decoder.exif_metadata().ok().flatten().unwrap_or_default();
    // Some programs write the segment name of JPEG in front of the data in a WebP, too.
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(&exif);
    Orientation::from_exif_chunk(exif).unwrap_or(Orientation::NoTransforms)
}
