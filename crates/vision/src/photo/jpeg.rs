//! The segments of a JPEG file, and the one valid kind of JPEG that the decoder gets wrong.

const STUFFED: u8 = 0x00;
const TEMPORARY: u8 = 0x01;
const BASELINE_FRAME: u8 = 0xC0;
const EXTENDED_FRAME: u8 = 0xC1;
const FIRST_RESTART: u8 = 0xD0;
const START_OF_IMAGE: u8 = 0xD8;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;

/// The most scans of a file. Encoders write ten, and optimizers a few more.
const MAX_SCANS: usize = 40;

/// Checks whether there is an end-of-image marker outside all segments.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    segments(bytes).any(|(marker, _)| marker == END_OF_IMAGE)
}

/// Checks whether each color of a sequential file has a scan of its own. The decoder (zune-jpeg 0.5.15) turns such
/// files into smears or noise without an error. Hardly any program writes them: colors are interleaved, or the file is
/// progressive.
pub(super) fn has_separate_colors(bytes: &[u8]) -> bool {
    let mut colors_in_frame = 0;
    for (marker, body) in segments(bytes) {
        match marker {
            // After precision, height and width.
            BASELINE_FRAME | EXTENDED_FRAME => colors_in_frame = body.get(5).copied().unwrap_or(0),
            START_OF_SCAN => return body.first().is_some_and(|&colors_in_scan| colors_in_scan < colors_in_frame),
            _ => {}
        }
    }
    false
}

/// Checks whether a file has more scans than any program writes. Each scan of a progressive file passes over the whole image and
/// can be as short as fifty bytes, so a file within the limits could keep the decoder busy for minutes.
pub(super) fn has_too_many_scans(bytes: &[u8]) -> bool {
    segments(bytes).filter(|(marker, _)| *marker == START_OF_SCAN).count() > MAX_SCANS
}

/// Returns the markers with the bodies of their segments, up to the end of the image or of the bytes.
///
/// A marker is one or more `FF` and a byte that says what follows: mostly a segment that begins with its length.
/// Compressed data are between the segments; an `FF` in them that is not a marker is followed by `00`.
fn segments(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.iter().position(|&byte| byte == 0xFF)?..];
            rest = &rest[rest.iter().position(|&byte| byte != 0xFF)?..];
            let (&marker, behind) = rest.split_first()?;
            rest = behind;
            match marker {
                STUFFED | TEMPORARY | FIRST_RESTART..=START_OF_IMAGE => {}
                END_OF_IMAGE => {
                    rest = &[];
                    return Some((marker, &[][..]));
                }
                _ => {
                    // The length includes itself.
                    let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?)).max(2);
                    let segment = rest.get(..length)?;
                    rest = &rest[length..];
                    return Some((marker, &segment[2..]));
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thumbnail_in_the_metadata_is_not_the_end() {
        // A segment of six bytes that itself contains an end-of-image marker.
        let start = b"\xFF\xD8\xFF\xE1\x00\x06\xFF\xD9\x00\x00";
        assert!(!has_end(start));
        assert!(has_end(&[&start[..], b"\xFF\xFF\xD9"].concat()));
    }

    #[test]
    fn lengths_beyond_the_file_are_harmless() {
        assert!(!has_end(b"\xFF\xD8\xFF\xE1\xFF\xFF\xFF\xD9"));
        assert!(!has_end(b"\xFF\xD8\xFF\xE1\xFF"));
        assert!(!has_end(b"\xFF\xD8\xFF\xE1"));
        assert!(has_end(b"\xFF\xD8\xFF\xE1\x00\x00\xFF\xD9"));
    }

    #[test]
    fn scans_are_counted() {
        let scan = b"\xFF\xDA\x00\x03\x01data\xFF\x00\xFF\xD0";
        let file = |scans: usize| [&b"\xFF\xD8"[..], &scan.repeat(scans), b"\xFF\xD9"].concat();
        assert!(!has_too_many_scans(&file(MAX_SCANS)));
        assert!(has_too_many_scans(&file(MAX_SCANS + 1)));
    }

    #[test]
    fn what_follows_the_end_is_ignored() {
        let segments: Vec<u8> =
            segments(b"\xFF\xD8\xFF\xFE\0\x03!\xFF\xD9\xFF\xE1\0\x02").map(|found| found.0).collect();
        assert_eq!(segments, [0xFE, END_OF_IMAGE]);
    }
}
