//! Checks that a file is complete.
//!
//! Decoders are lenient about a missing end: a JPEG that was cut off during the upload comes out with its lower part
//! gray, without an error. So before anything is decoded, the lengths and markers of the file are followed to the end
//! that its format requires. What comes after that end is ignored; phones put videos there.
//!
//! This does not detect that the middle of a file is missing. PNG has checksums, and a WebP that runs out of bits is an
//! error of its decoder; in a JPEG such damage shows as a smear, as in every viewer.

use super::jpeg;
use super::media::MediaType;

/// Checks that the file has the end that its format requires.
pub(super) fn is_complete(media: MediaType, bytes: &[u8]) -> bool {
    let reaches = |end: Option<usize>| end.is_some_and(|end| end <= bytes.len());
    match media {
        MediaType::Jpeg => jpeg::has_end(bytes),
        MediaType::Png => reaches(png_end(bytes)),
        MediaType::Webp => reaches(webp_end(bytes)),
    }
}

/// Returns the position after the chunk `IEND`. A chunk is length, name, data, checksum.
fn png_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 8;
    loop {
        let length = u32::from_be_bytes(bytes.get(at..)?.first_chunk().copied()?) as usize;
        let name = bytes.get(at + 4..at + 8)?;
        at = at.checked_add(length)?.checked_add(12)?;
        if name == b"IEND" {
            return Some(at);
        }
    }
}

/// Returns the length of the container plus the eight bytes before it.
fn webp_end(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(bytes.get(4..)?.first_chunk().copied()?) as usize;
    length.checked_add(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_beyond_the_file_are_harmless() {
        assert!(!is_complete(MediaType::Png, b"\x89PNG\r\n\x1A\n\xFF\xFF\xFF\xFFIHDR"));
        assert!(!is_complete(MediaType::Webp, b"RIFF\xFF\xFF\xFF\xFFWEBP"));
        assert!(!is_complete(MediaType::Webp, b"RIFF"));
    }

    #[test]
    fn what_follows_the_end_is_ignored() {
        assert!(is_complete(MediaType::Jpeg, b"\xFF\xD8\xFF\xD9ftyp"));
        assert!(is_complete(MediaType::Png, b"\x89PNG\r\n\x1A\n\0\0\0\0IEND\0\0\0\0more"));
        assert!(is_complete(MediaType::Webp, b"RIFF\x04\0\0\0WEBPmore"));
    }
}
