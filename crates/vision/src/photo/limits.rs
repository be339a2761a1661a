//! The limits on photos.

/// Bytes of a file.
pub const MAX_BYTES: usize = 10_000_000;
/// Pixels of an image that is decoded.
pub const MAX_PIXELS: u64 = 50_000_000;
/// Pixels of a WebP: without loss, one of 50 megapixels would take almost three seconds and 650 MB to decode.
pub const MAX_WEBP_PIXELS: u64 = 24_000_000;
/// The shorter side of an image.
pub const MIN_SIDE: u32 = 32;
/// The longer side of a [`Photo`](super::Photo); larger images are scaled down to it.
pub const MAX_SIDE: u32 = 2_048;
