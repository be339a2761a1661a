//! Why a photo is not accepted, in sentences for the person who sent it.

use super::{MAX_BYTES, MAX_PIXELS, MIN_SIDE, MediaType};

/// Why a photo is not accepted. Nothing of a decoder's inner workings is told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There are no bytes.
    #[error("The image is empty. Send a JPEG, PNG or WebP image.")]
    Empty,
    /// The first bytes are those of no accepted format.
    #[error("{} Send a JPEG, PNG or WebP image.", foreign(*.0))]
    NotAnImage(
        /// What it is instead, when that is known: `"a HEIC photo"`.
        Option<&'static str>,
    ),
    /// The file is too long.
    #[error(
        "The image has {} MB; at most {} MB are accepted. Send a smaller one.",
        megabytes(*.bytes),
        MAX_BYTES / 1_000_000
    )]
    TooManyBytes {
        /// How long the file is.
        bytes: usize,
    },
    /// The picture is too large, as its header tells it. None of it has been decoded.
    #[error(
        "The image has {width} × {height} pixels; at most {} megapixels are accepted. Send a smaller one.",
        MAX_PIXELS / 1_000_000
    )]
    TooManyPixels {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// The picture is too small to show anything.
    #[error("The image has {width} × {height} pixels; at least {MIN_SIDE} on each side are needed.")]
    TooSmall {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// The file ends before its format says that it ends.
    #[error("The {} image is cut off: its end is missing. Send the whole file.", .0.title())]
    CutOff(MediaType),
    /// The file is broken, or of a rare kind (arithmetic coding, 12 bits, colours in separate scans) that is not read.
    #[error("The {} image is damaged or of a kind that cannot be read. Save it anew as a plain JPEG or PNG.", .0.title())]
    Damaged(MediaType),
}

impl Refusal {
    /// Whether it is the size that is at fault: status 413 in HTTP, where everything else is 400.
    pub const fn is_too_large(&self) -> bool {
        matches!(self, Self::TooManyBytes { .. } | Self::TooManyPixels { .. })
    }
}

fn foreign(known: Option<&str>) -> String {
    known.map_or_else(|| "This is not an image.".into(), |name| format!("This is {name}, which is not accepted."))
}

/// Rounded up to a tenth, so that a file that is one byte too long is not said to have exactly the allowed size.
fn megabytes(bytes: usize) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_what_to_do() {
        let sentences = [
            (Refusal::NotAnImage(None), "This is not an image. Send a JPEG, PNG or WebP image."),
            (
                Refusal::NotAnImage(Some("a HEIC photo")),
                "This is a HEIC photo, which is not accepted. Send a JPEG, PNG or WebP image.",
            ),
            (
                Refusal::TooManyBytes { bytes: 10_000_001 },
                "The image has 10.1 MB; at most 10 MB are accepted. Send a smaller one.",
            ),
            (
                Refusal::TooManyPixels { width: 10_000, height: 10_000 },
                "The image has 10000 × 10000 pixels; at most 50 megapixels are accepted. Send a smaller one.",
            ),
            (
                Refusal::TooSmall { width: 1, height: 1 },
                "The image has 1 × 1 pixels; at least 32 on each side are needed.",
            ),
            (Refusal::CutOff(MediaType::Webp), "The WebP image is cut off: its end is missing. Send the whole file."),
        ];
        for (refusal, sentence) in sentences {
            assert_eq!(refusal.to_string(), sentence);
        }
    }

    #[test]
    fn only_size_is_too_large() {
        assert!(Refusal::TooManyBytes { bytes: 0 }.is_too_large());
        assert!(Refusal::TooManyPixels { width: 0, height: 0 }.is_too_large());
        assert!(!Refusal::TooSmall { width: 0, height: 0 }.is_too_large());
        assert!(!Refusal::CutOff(MediaType::Png).is_too_large());
    }
}
