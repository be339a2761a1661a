//! The orientation in the metadata is applied, and then all metadata are removed.

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder, RgbImage};
use vision::photo::Photo;

use crate::draw::{CORNERS, assert_corners, jpeg, jpeg_with, scene, webp, webp_canvas, webp_container, webp_pixels};
use crate::exif::{SECRET, big_endian_exif, exif};
use crate::png;

/// Stores an upright scene as a camera with this orientation does. The EXIF standard defines which side of the scene
/// the first row and the first column are.
fn stored(upright: &RgbImage, orientation: u16) -> RgbImage {
    let (width, height) = upright.dimensions();
    let (right, bottom) = (width - 1, height - 1);
    let (stored_width, stored_height) = if orientation < 5 { (width, height) } else { (height, width) };
    RgbImage::from_fn(stored_width, stored_height, |column, row| {
        let (x, y) = match orientation {
            1 => (column, row),
            2 => (right - column, row),
            3 => (right - column, bottom - row),
            4 => (column, bottom - row),
            5 => (row, column),
            6 => (right - row, column),
            7 => (right - row, bottom - column),
            8 => (row, bottom - column),
            _ => unreachable!(),
        };
        *upright.get_pixel(x, y)
    })
}

#[track_caller]
fn assert_upright(file: &[u8]) {
    let photo = Photo::read(file).unwrap();
    assert_eq!((photo.width(), photo.height()), (96, 64));
    assert_corners(&photo, CORNERS);
}

#[test]
fn every_orientation_of_every_format_is_turned_upright() {
    let upright = scene(96, 64);
    for orientation in 1..=8 {
        let image = stored(&upright, orientation);
        for exif in [exif(orientation), big_endian_exif(orientation)] {
            assert_upright(&jpeg_with(&image, |encoder| encoder.add_exif_metadata(&exif).unwrap()));

            let plain = png::rgb(&image);
            let (header, rest) = plain.split_at(8 + 25);
            assert_upright(&[header, &png::chunk(*b"eXIf", &exif), rest].concat());

            let plain = webp(&image);
            for exif in [exif.clone(), [b"Exif\0\0", &exif[..]].concat()] {
                assert_upright(&webp_container(&[
                    (b"VP8X", &webp_canvas(8, image.width(), image.height())),
                    (b"VP8L", webp_pixels(&plain)),
                    (b"EXIF", &exif),
                ]));
            }
        }
    }
}

#[test]
fn large_photos_are_turned_upright_too() {
    let image = stored(&scene(3_000, 2_400), 6);
    let photo = Photo::read(&jpeg_with(&image, |encoder| encoder.add_exif_metadata(&exif(6)).unwrap())).unwrap();
    assert_eq!((photo.width(), photo.height()), (2_048, 1_638));
    assert_corners(&photo, CORNERS);
}

#[test]
fn invalid_metadata_are_ignored() {
    let image = scene(96, 64);
    let cut = exif(6)[..20].to_vec();
    for metadata in [exif(0), exif(9), exif(65_535), cut, b"II*\0\xFF\xFF\xFF\xFF".to_vec(), b"nonsense".to_vec()] {
        assert_upright(&jpeg_with(&image, |encoder| encoder.add_exif_metadata(&metadata).unwrap()));
    }
}

/// Returns the markers of a JPEG's segments up to the compressed data.
fn segments(jpeg: &[u8]) -> Vec<u8> {
    let mut markers = Vec::new();
    let mut at = 2;
    while markers.last() != Some(&0xDA) {
        assert_eq!(jpeg[at], 0xFF);
        markers.push(jpeg[at + 1]);
        at += 2 + usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
    }
    markers
}

#[test]
fn all_metadata_are_removed() {
    let image = scene(96, 64);
    let xmp = [b"http://ns.adobe.com/xap/1.0/\0", SECRET].concat();
    let mut from_jpeg = jpeg_with(&image, |encoder| {
        encoder.add_exif_metadata(&exif(1)).unwrap();
        encoder.add_app_segment(1, xmp.clone()).unwrap();
        encoder.add_icc_profile(SECRET).unwrap();
        encoder.add_app_segment(13, SECRET.to_vec()).unwrap();
    });
    // A comment right at the start, and something after the end.
    let comment = [&b"\xFF\xFE\x00"[..], &[SECRET.len() as u8 + 2], SECRET].concat();
    from_jpeg.splice(2..2, comment);
    from_jpeg.extend_from_slice(SECRET);

    let plain = png::rgb(&image);
    let (header, rest) = plain.split_at(8 + 25);
    let text = png::chunk(*b"tEXt", &[b"Comment\0", SECRET].concat());
    let from_png = [header, &png::chunk(*b"eXIf", &exif(1)), &text, rest].concat();

    let mut from_webp = Vec::new();
    let mut encoder = WebPEncoder::new_lossless(&mut from_webp);
    encoder.set_exif_metadata(exif(1)).unwrap();
    encoder.set_icc_profile(SECRET.to_vec()).unwrap();
    encoder.write_image(image.as_raw(), 96, 64, ExtendedColorType::Rgb8).unwrap();

    let contains = |file: &[u8], part: &[u8]| file.windows(part.len()).any(|window| window == part);
    for file in [from_jpeg, from_png, from_webp] {
        assert!(contains(&file, SECRET));
        let written = Photo::read(&file).unwrap().encode();
        for part in [SECRET, b"Exif", b"http:", b"ICC_PROFILE", b"II*\0"] {
            assert!(!contains(&written, part));
        }
        // The JFIF header, tables, frame and scan: no comment, no application segment.
        let allowed = [0xE0, 0xDB, 0xC0, 0xC4, 0xDA];
        assert!(segments(&written).iter().all(|marker| allowed.contains(marker)), "{:X?}", segments(&written));
        assert!(written.ends_with(b"\xFF\xD9"));
    }
}

#[test]
fn metadata_do_not_change_the_encoded_file() {
    let image = scene(96, 64);
    let with = jpeg_with(&image, |encoder| encoder.add_exif_metadata(&exif(1)).unwrap());
    assert_eq!(Photo::read(&with).unwrap().encode(), Photo::read(&jpeg(&image)).unwrap().encode());
}
