//! Why a photo is rejected, in sentences for the person who sent it.

use super::limits::{MAX_BYTES, MIN_SIDE};
use super::media::MediaType;

/// Why a photo is rejected. The messages reveal nothing about the decoders.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhotoError {
    /// The file has no bytes.
    #[error("The image is empty. Send a JPEG, PNG or WebP image.")]
    Empty,
    /// The first bytes are not those of an accepted format.
    #[error("{} Send a JPEG, PNG or WebP image.", foreign(*.0))]
    NotAnImage(
        /// What it is instead, if that is known: `"a HEIC photo"`.
        Option<&'static str>,
    ),
    /// The file is too long.
    #[error(
        "The image has {} MB; at most {} MB are accepted. Send a smaller one.",
        megabytes(*.bytes),
        MAX_BYTES / 1_000_000
    )]
    TooManyBytes {
        /// The length of the file.
        bytes: usize,
    },
    /// The image is too large according to its header. Nothing has been decoded.
    #[error(
        "The image has {width} × {height} pixels; at most {} megapixels are accepted. Send a smaller one.",
        max_pixels / 1_000_000
    )]
    TooManyPixels {
        /// The most that its format may have.
        max_pixels: u64,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The image is too small to show anything.
    #[error("The image has {width} × {height} pixels; at least {MIN_SIDE} on each side are needed.")]
    TooSmall {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The file ends before its format allows it.
    #[error("The {} image is cut off: its end is missing. Send the whole file.", .0.title())]
    CutOff(MediaType),
    /// The file is broken, or of a rare kind that is not supported: arithmetic coding, 12 bits, colors in separate
    /// scans.
    #[error("The {} image is damaged or of an unsupported kind. Save it again as a plain JPEG or PNG.", .0.title())]
    Damaged(MediaType),
}

impl PhotoError {
    /// Checks whether the size is the problem: HTTP status 413, while everything else is 400.
    pub const fn is_too_large(&self) -> bool {
        matches!(self, Self::TooManyBytes { .. } | Self::TooManyPixels { .. })
    }
}

fn foreign(known: Option<&str>) -> String {
    known.map_or_else(|| "This is not an image.".into(), |name| format!("This is {name}, which is not accepted."))
}

/// Rounds up to a tenth, so that a file that is one byte too long does not appear to have exactly the allowed size.
fn megabytes(bytes: usize) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::photo::MAX_PIXELS;

    #[test]
    fn messages_say_what_to_do() {
        let sentences = [
            (PhotoError::NotAnImage(None), "This is not an image. Send a JPEG, PNG or WebP image."),
            (
                PhotoError::NotAnImage(Some("a HEIC photo")),
                "This is a HEIC photo, which is not accepted. Send a JPEG, PNG or WebP image.",
            ),
            (
                PhotoError::TooManyBytes { bytes: 10_000_001 },
                "The image has 10.1 MB; at most 10 MB are accepted. Send a smaller one.",
            ),
            (
                PhotoError::TooManyPixels { max_pixels: MAX_PIXELS, width: 10_000, height: 10_000 },
                "The image has 10000 × 10000 pixels; at most 50 megapixels are accepted. Send a smaller one.",
            ),
            (
                PhotoError::TooSmall { width: 1, height: 1 },
                "The image has 1 × 1 pixels; at least 32 on each side are needed.",
            ),
            (
                PhotoError::CutOff(MediaType::Webp),
                "The WebP image is cut off: its end is missing. Send the whole file.",
            ),
        ];
        for (error, sentence) in sentences {
            assert_eq!(error.to_string(), sentence);
        }
    }

    #[test]
    fn only_size_is_too_large() {
        assert!(PhotoError::TooManyBytes { bytes: 0 }.is_too_large());
        assert!(PhotoError::TooManyPixels { max_pixels: 0, width: 0, height: 0 }.is_too_large());
        assert!(!PhotoError::TooSmall { width: 0, height: 0 }.is_too_large());
        assert!(!PhotoError::CutOff(MediaType::Png).is_too_large());
    }
}
