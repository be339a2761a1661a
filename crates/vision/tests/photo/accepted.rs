//! Every kind of the three formats is read as the same scene.

use jpeg_encoder::{ColorType, SamplingFactor};
use vision::photo::{MAX_SIDE, Photo};

use crate::draw::{
    CORNERS, LOSSY_WEBP, assert_corners, jpeg, jpeg_of, jpeg_with, scene, textured, webp, webp_canvas, webp_container,
    webp_frame,
};
use crate::png::{self, GRAY, GRAY_ALPHA, Kind, PALETTE, RGB, RGBA};

const WHITE: [u8; 3] = [255; 3];

#[track_caller]
fn assert_scene(file: &[u8]) {
    let photo = Photo::read(file).unwrap();
    assert_eq!((photo.width(), photo.height()), (64, 48));
    assert_eq!(photo.rgb().len(), 64 * 48 * 3);
    assert_corners(&photo, CORNERS);
}

/// Returns the mean difference of two images, in steps of a channel.
fn difference(photo: &Photo, image: &image::RgbImage) -> f64 {
    assert_eq!((photo.width(), photo.height()), image.dimensions());
    let sum: u64 = photo.rgb().iter().zip(image.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / image.as_raw().len() as f64
}

#[test]
fn jpegs_of_every_kind_are_read() {
    let samplings = [SamplingFactor::F_1_1, SamplingFactor::F_2_1, SamplingFactor::F_1_2, SamplingFactor::F_2_2];
    for (width, height) in [(64, 48), (300, 201), (37, 133)] {
        let image = textured(width, height);
        let read = |configure: &dyn Fn(&mut jpeg_encoder::Encoder<&mut Vec<u8>>)| {
            difference(&Photo::read(&jpeg_with(&image, configure)).unwrap(), &image)
        };
        for sampling in samplings {
            for progressive in [false, true] {
                for restart in [0, 3] {
                    let found = read(&|encoder| {
                        encoder.set_sampling_factor(sampling);
                        encoder.set_progressive(progressive);
                        encoder.set_restart_interval(restart);
                    });
                    let kind = format!("{width} × {height}, {sampling:?}, {progressive}, {restart}");
                    assert!(found < 6.0, "{kind}: {found}");
                }
            }
        }
    }
}

#[test]
fn jpegs_in_cmyk_are_read() {
    let cmyk: Vec<u8> =
        scene(64, 48).pixels().flat_map(|pixel| [255 - pixel[0], 255 - pixel[1], 255 - pixel[2], 0]).collect();
    for kind in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        assert_scene(&jpeg_of(&cmyk, 64, 48, kind, |_| {}));
    }
}

#[test]
fn grayscale_jpegs_are_read() {
    let gray: Vec<u8> = (0..48 * 64).map(|at| if at % 64 < 32 { 40 } else { 200 }).collect();
    let photo = Photo::read(&jpeg_of(&gray, 64, 48, ColorType::Luma, |_| {})).unwrap();
    assert_corners(&photo, [[40; 3], [200; 3], [40; 3], [200; 3]]);
}

#[test]
fn pngs_of_every_kind_are_read() {
    let image = scene(64, 48);
    let quarter = |x: u32, y: u32| u64::from(x >= 32) + 2 * u64::from(y >= 24);
    for interlaced in [false, true] {
        for bits in [2, 4, 8] {
            assert_scene(&png::draw(64, 48, Kind { color: PALETTE, bits, interlaced }, quarter));
        }
        for (color, bits) in [(RGB, 8), (RGB, 16), (RGBA, 8), (RGBA, 16)] {
            assert_scene(&png::draw(64, 48, Kind { color, bits, interlaced }, |x, y| {
                let opaque = (color == RGBA).then_some(255);
                let channels = image.get_pixel(x, y).0.into_iter().chain(opaque);
                channels.fold(0, |bits_so_far, channel| {
                    // The lower byte of 16-bit channels must not matter.
                    let bits_of_channel = if bits == 16 { u64::from(channel) << 8 | 0x5A } else { channel.into() };
                    bits_so_far << bits | bits_of_channel
                })
            }));
        }
        for (color, bits) in [(GRAY, 1), (GRAY, 2), (GRAY, 4), (GRAY, 8), (GRAY, 16), (GRAY_ALPHA, 8)] {
            let file = png::draw(64, 48, Kind { color, bits, interlaced }, |x, _| match (color, x < 32) {
                (GRAY, true) => 0,
                (GRAY, false) => u64::MAX,
                (_, true) => 0x00FF,
                (_, false) => 0x0000,
            });
            assert_corners(&Photo::read(&file).unwrap(), [[0; 3], WHITE, [0; 3], WHITE]);
        }
    }
}

#[test]
fn transparency_becomes_white() {
    let file = png::draw(64, 48, Kind { color: RGBA, bits: 8, interlaced: false }, |x, y| match (x < 32, y < 24) {
        (true, true) => 0xFF00_0000,
        (false, true) => 0xFF00_00FF,
        (true, false) => 0x0000_0080,
        (false, false) => 0x1234_5600,
    });
    assert_corners(&Photo::read(&file).unwrap(), [WHITE, [255, 0, 0], [127; 3], WHITE]);
}

#[test]
fn lossless_and_lossy_webps_are_read() {
    assert_scene(&webp(&scene(64, 48)));
    let photo = Photo::read(LOSSY_WEBP).unwrap();
    assert_eq!((photo.width(), photo.height()), (64, 48));
    assert_corners(&photo, [[192, 0, 63], [192, 0, 63], [63, 0, 192], [63, 0, 192]]);
}

#[test]
fn the_first_frame_of_an_animation_is_used() {
    let other = image::RgbImage::from_pixel(64, 48, image::Rgb(WHITE));
    assert_scene(&webp_container(&[
        (b"VP8X", &webp_canvas(2, 64, 48)),
        (b"ANIM", &[0; 6]),
        (b"ANMF", &webp_frame(&scene(64, 48))),
        (b"ANMF", &webp_frame(&other)),
    ]));

    let plain = png::rgb(&scene(64, 48));
    let pixels = &plain[8 + 25..plain.len() - 12];
    let frame = |number: u32| {
        let numbers = [number, 64, 48, 0, 0].map(u32::to_be_bytes).concat();
        png::chunk(*b"fcTL", &[&numbers[..], &[0, 1, 0, 10, 0, 0]].concat())
    };
    let kind = Kind { color: RGB, bits: 8, interlaced: false };
    let second = [&2_u32.to_be_bytes()[..], &png::data(64, 48, kind, |_, _| 0xFF_FFFF)].concat();
    let animation = png::chunk(*b"acTL", &[2_u32.to_be_bytes(), 0_u32.to_be_bytes()].concat());
    let chunks = [animation, frame(0), pixels.to_vec(), frame(1), png::chunk(*b"fdAT", &second)];
    assert_scene(&png::file(64, 48, kind, &chunks));
}

#[test]
fn large_photos_are_scaled_down() {
    let photo = Photo::read(&jpeg(&scene(3_000, 1_500))).unwrap();
    assert_eq!((photo.width(), photo.height()), (MAX_SIDE, MAX_SIDE / 2));
    assert_corners(&photo, CORNERS);

    // Exactly as many pixels as are allowed.
    let kind = Kind { color: GRAY, bits: 1, interlaced: false };
    let photo = Photo::read(&png::draw(5_000, 10_000, kind, |x, _| u64::from(x >= 2_500))).unwrap();
    assert_eq!((photo.width(), photo.height()), (MAX_SIDE / 2, MAX_SIDE));
    assert_corners(&photo, [[0; 3], WHITE, [0; 3], WHITE]);

    let photo = Photo::read(&png::draw(32, 40_000, kind, |_, _| 1)).unwrap();
    assert_eq!((photo.width(), photo.height()), (2, MAX_SIDE));
}

#[test]
fn small_photos_keep_their_size() {
    for (width, height) in [(32, 32), (32, MAX_SIDE), (MAX_SIDE, 33)] {
        let photo = Photo::read(&jpeg(&scene(width, height))).unwrap();
        assert_eq!((photo.width(), photo.height()), (width, height));
    }
}

#[test]
fn encoded_photos_can_be_read_again() {
    let image = textured(300, 200);
    let photo = Photo::read(&png::rgb(&image)).unwrap();
    assert_eq!(photo.rgb(), image.as_raw());
    let found = difference(&Photo::read(&photo.encode()).unwrap(), &image);
    assert!(found < 5.0, "{found}");
}
