//! Files that are not photos, incomplete ones and those beyond the limits.

use jpeg_encoder::SamplingFactor;
use vision::photo::{MAX_BYTES, MAX_PIXELS, MAX_WEBP_PIXELS, MediaType, Photo, PhotoError};

use crate::draw::{
    LOSSY_WEBP, jpeg, jpeg_with, progressive_jpeg, scene, textured, webp, webp_canvas, webp_container, webp_frame,
    webp_pixels,
};
use crate::png::{self, GRAY, Kind, RGB};

fn error_of(file: &[u8]) -> PhotoError {
    Photo::read(file).unwrap_err()
}

/// A JPEG that claims another size.
fn claim(mut file: Vec<u8>, width: u16, height: u16) -> Vec<u8> {
    let frame = file.windows(2).position(|marker| matches!(marker, [0xFF, 0xC0 | 0xC2])).unwrap();
    file[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    file[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    file
}

#[test]
fn other_formats_are_named() {
    assert_eq!(error_of(b""), PhotoError::Empty);
    assert_eq!(error_of(b"GIF89a\x01\0\x01\0"), PhotoError::NotAnImage(Some("a GIF image")));
    assert_eq!(error_of(b"%PDF-1.7\n1 0 obj"), PhotoError::NotAnImage(Some("a PDF document")));
    assert_eq!(error_of(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), PhotoError::NotAnImage(Some("a HEIC photo")));
    assert_eq!(error_of(b"two eggs and toast"), PhotoError::NotAnImage(None));
    for kind in [&b"GIF89a"[..], b"hello"] {
        let message = error_of(kind).to_string();
        assert!(message.ends_with("Send a JPEG, PNG or WebP image."), "{message}");
    }
}

#[test]
fn files_with_nothing_after_the_first_bytes_are_rejected() {
    for (start, media) in [
        (&b"\xFF\xD8\xFF\xD9"[..], MediaType::Jpeg),
        (b"\x89PNG\r\n\x1A\n\0\0\0\0IEND\xAE\x42\x60\x82", MediaType::Png),
        (b"RIFF\x04\0\0\0WEBP", MediaType::Webp),
    ] {
        assert_eq!(error_of(start), PhotoError::Damaged(media));
    }
}

#[test]
fn files_over_the_limit_are_rejected() {
    let mut file = jpeg(&scene(64, 48));
    file.resize(MAX_BYTES, 0);
    assert!(Photo::read(&file).is_ok(), "exactly as many as allowed");
    file.push(0);
    assert_eq!(error_of(&file), PhotoError::TooManyBytes { bytes: MAX_BYTES + 1 });
    assert!(error_of(&file).is_too_large());
}

#[test]
fn images_over_the_limit_are_rejected() {
    let too_many = |width, height| PhotoError::TooManyPixels { max_pixels: MAX_PIXELS, width, height };
    let hundred_megapixels = too_many(10_000, 10_000);
    let gray = Kind { color: GRAY, bits: 1, interlaced: false };
    assert_eq!(error_of(&png::draw(10_000, 10_000, gray, |_, _| 1)), hundred_megapixels);
    assert_eq!(error_of(&claim(jpeg(&scene(64, 48)), 10_000, 10_000)), hundred_megapixels);
    assert_eq!(error_of(&claim(progressive_jpeg(&scene(64, 48)), 10_000, 10_000)), hundred_megapixels);
    let frame = webp_frame(&scene(64, 48));
    let canvas = webp_canvas(2, 10_000, 10_000);
    let chunks: [(&[u8; 4], &[u8]); 3] = [(b"VP8X", &canvas), (b"ANIM", &[0; 6]), (b"ANMF", &frame)];
    let of_webp = |width, height| PhotoError::TooManyPixels { max_pixels: MAX_WEBP_PIXELS, width, height };
    assert_eq!(error_of(&webp_container(&chunks)), of_webp(10_000, 10_000));
    // One that the other formats may have, and a WebP may not.
    let canvas = webp_canvas(2, 6_000, 4_001);
    let chunks: [(&[u8; 4], &[u8]); 3] = [(b"VP8X", &canvas), (b"ANIM", &[0; 6]), (b"ANMF", &frame)];
    assert_eq!(error_of(&webp_container(&chunks)), of_webp(6_000, 4_001));
    assert!(hundred_megapixels.is_too_large());

    assert!(matches!(error_of(&png::draw(10_000, 5_001, gray, |_, _| 1)), PhotoError::TooManyPixels { .. }));
    // Sizes whose product does not fit into 32 bits, and rows that would fill the memory by themselves.
    for (width, height) in [(0x7FFF_FFFF, 0x7FFF_FFFF), (0x7FFF_FFFF, 1), (65_536, 65_536)] {
        let kind = Kind { color: RGB, bits: 16, interlaced: true };
        let file = png::file(width, height, kind, &[png::chunk(*b"IDAT", &[])]);
        assert_eq!(error_of(&file), too_many(width, height));
    }
    let file = claim(jpeg(&scene(64, 48)), 65_535, 65_535);
    assert_eq!(error_of(&file), too_many(65_535, 65_535));
}

#[test]
fn tiny_images_are_rejected() {
    for (width, height) in [(1, 1), (31, 32), (32, 31), (2_000, 1)] {
        let expected = PhotoError::TooSmall { width, height };
        let image = scene(width, height);
        for file in [jpeg(&image), png::rgb(&image), webp(&image)] {
            assert_eq!(error_of(&file), expected);
        }
        assert!(!expected.is_too_large());
    }
}

#[test]
fn a_kind_of_jpeg_that_the_decoder_would_mangle_is_rejected() {
    for sampling in [SamplingFactor::F_1_1, SamplingFactor::F_2_2] {
        // This encoder writes every color into a scan of its own when it optimizes the tables.
        let file = jpeg_with(&scene(64, 48), |encoder| {
            encoder.set_sampling_factor(sampling);
            encoder.set_optimized_huffman_tables(true);
        });
        assert_eq!(error_of(&file), PhotoError::Damaged(MediaType::Jpeg));
    }
}

#[test]
fn images_without_a_size_are_rejected() {
    assert_eq!(error_of(&claim(jpeg(&scene(64, 48)), 0, 48)), PhotoError::Damaged(MediaType::Jpeg));
    let kind = Kind { color: RGB, bits: 8, interlaced: false };
    let empty = error_of(&png::file(0, 0, kind, &[png::chunk(*b"IDAT", &[])]));
    assert!(matches!(empty, PhotoError::TooSmall { .. } | PhotoError::Damaged(MediaType::Png)), "{empty:?}");
}

/// Files of every kind, with compressed data that fill most of them.
fn whole_files() -> Vec<Vec<u8>> {
    let image = textured(64, 48);
    let plain = webp(&image);
    let pixels = webp_pixels(&plain);
    let canvas = webp_canvas(0, 64, 48);
    vec![
        jpeg(&image),
        progressive_jpeg(&image),
        png::rgb(&image),
        png::draw(64, 48, Kind { color: GRAY, bits: 8, interlaced: true }, |x, y| u64::from(x * y % 251)),
        webp_container(&[(b"VP8X", &canvas), (b"VP8L", pixels)]),
        plain,
        LOSSY_WEBP.to_vec(),
    ]
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_rejected() {
    for file in whole_files() {
        assert!(Photo::read(&file).is_ok());
        for length in 0..file.len() {
            let error = error_of(&file[..length]);
            // From the sixteenth byte on, the format is known, and the message says what happened.
            if length >= 16 {
                assert!(matches!(error, PhotoError::CutOff(_)), "{length} of {}: {error:?}", file.len());
            }
        }
    }
}

#[test]
fn missing_pixels_are_detected_if_the_format_allows_it() {
    let kind = Kind { color: RGB, bits: 8, interlaced: false };
    let data = png::data(64, 48, kind, |x, y| u64::from(x * 7_919 + y * 104_729));
    for length in (0..data.len() - 8).step_by(7) {
        let file = png::file(64, 48, kind, &[png::chunk(*b"IDAT", &data[..length])]);
        assert_eq!(error_of(&file), PhotoError::Damaged(MediaType::Png), "{length} of {}", data.len());
    }
    let whole = webp(&textured(64, 48));
    let pixels = webp_pixels(&whole);
    for length in (0..pixels.len() - 8).step_by(7) {
        let file = webp_container(&[(b"VP8L", &pixels[..length])]);
        assert_eq!(error_of(&file), PhotoError::Damaged(MediaType::Webp), "{length} of {}", pixels.len());
    }
}
