//! Bytes that no camera writes: always a result, never a panic, never more than the limits.

use proptest::prelude::*;
use vision::photo::{MAX_SIDE, MediaType, Photo, PhotoError};

use crate::draw::{LOSSY_WEBP, jpeg_with, progressive_jpeg, textured, webp, webp_canvas, webp_container, webp_frame};
use crate::exif::exif;
use crate::png::{self, Kind, PALETTE};

pub fn read(bytes: &[u8]) {
    if let Ok(photo) = Photo::read(bytes) {
        assert!((1..=MAX_SIDE).contains(&photo.width()));
        assert!((1..=MAX_SIDE).contains(&photo.height()));
        assert_eq!(photo.rgb().len(), (photo.width() * photo.height() * 3) as usize);
    }
}

pub fn valid_files() -> Vec<Vec<u8>> {
    let image = textured(48, 40);
    let frame = webp_frame(&image);
    vec![
        jpeg_with(&image, |encoder| encoder.add_exif_metadata(&exif(6)).unwrap()),
        progressive_jpeg(&image),
        png::rgb(&image),
        png::draw(48, 40, Kind { color: PALETTE, bits: 2, interlaced: true }, |x, y| u64::from(x * y % 4)),
        webp(&image),
        webp_container(&[(b"VP8X", &webp_canvas(2, 48, 40)), (b"ANIM", &[0; 6]), (b"ANMF", &frame)]),
        LOSSY_WEBP.to_vec(),
    ]
}

/// A progressive file with its last scan again and again, each of which passes over the whole image.
#[test]
fn many_scans_are_refused() {
    let file = progressive_jpeg(&textured(64, 48));
    let scan = file.windows(2).rposition(|marker| marker == b"\xFF\xDA").expect("a scan");
    let (start, last) = file[..file.len() - 2].split_at(scan);
    let with_scans = |count: usize| [start, &last.repeat(count), b"\xFF\xD9"].concat();
    assert!(Photo::read(&with_scans(1)).is_ok());
    assert_eq!(Photo::read(&with_scans(200)), Err(PhotoError::Damaged(MediaType::Jpeg)));
}

/// Repairs the checksums of a PNG, which would stop most changes before they reach the decoder.
pub fn repair_checksums(file: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = file.get(at..).and_then(|rest| rest.first_chunk()).map(|bytes| u32::from_be_bytes(*bytes))
    {
        let end = at.saturating_add(8).saturating_add(length as usize);
        if file.len() < end.saturating_add(4) {
            break;
        }
        let checksum = crc32fast::hash(&file[at + 4..end]).to_be_bytes();
        file[end..end + 4].copy_from_slice(&checksum);
        at = end + 4;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes);
    }

    #[test]
    fn arbitrary_bytes_behind_a_known_start(
        start in prop::sample::select(vec![
            &b"\xFF\xD8\xFF"[..],
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40",
            b"RIFF\x40\0\0\0WEBPVP8 ",
            b"RIFF\x40\0\0\0WEBPVP8L",
            b"RIFF\x40\0\0\0WEBPVP8X",
        ]),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        end in prop::sample::select(vec![&b""[..], b"\xFF\xD9", b"\0\0\0\0IEND\xAE\x42\x60\x82"]),
    ) {
        read(&[start, &bytes, end].concat());
    }

    #[test]
    fn changed_files(
        which in 0_usize..7,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        near_the_start in any::<bool>(),
        cut in prop::option::of((any::<prop::sample::Index>(), 1_usize..40)),
    ) {
        let mut file = valid_files().swap_remove(which);
        if let Some((at, length)) = cut {
            let at = at.index(file.len());
            let end = (at + length).min(file.len());
            file.drain(at..end);
        }
        if !file.is_empty() {
            let reach = if near_the_start { file.len().min(200) } else { file.len() };
            for (at, value) in changes {
                file[at.index(reach)] = value;
            }
        }
        if file.starts_with(b"\x89PNG") {
            repair_checksums(&mut file);
        }
        read(&file);
    }
}
