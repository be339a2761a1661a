//! Bar codes that code draws and photographs, read through the public interface.

#![allow(clippy::unwrap_used)]

#[path = "../drawn/mod.rs"]
mod drawn;

use drawn::canvas::Typeface;
use drawn::clutter;
use drawn::code::{self, Code, KINDS, Kind};
use drawn::random::Random;
use drawn::shot::Shot;
use proptest::prelude::*;
use vision::barcode::{self, Barcode};
use vision::photo::Photo;

fn taken(code: &Code, shot: &Shot) -> Vec<Barcode> {
    let print = code::print(code, &Typeface::built_in(), [20, 20, 30], [245, 245, 245], 0.6);
    barcode::find(&shot.photo(&print, &mut Random::new(7)))
}

#[track_caller]
fn assert_read(code: &Code, shot: &Shot) {
    let found = taken(code, shot);
    assert_eq!(found.len(), 1, "{:?} {} {shot:?}: {found:?}", code.kind, code.expected);
    assert_eq!(found[0].digits, code.expected, "{shot:?}");
    assert_eq!(found[0].gtin(), code.expected.parse::<u64>().unwrap());
    assert!(found[0].confidence > 0.8 && found[0].confidence <= 1.0);
}

#[test]
fn every_kind_is_read_at_every_angle() {
    for (at, kind) in KINDS.into_iter().enumerate() {
        let code = code::random(kind, &mut Random::new(at as u64));
        for turn in [0.0, 33.0, 90.0, 135.0, 180.0, 260.0, 350.0] {
            assert_read(&code, &Shot { turn, fill: 0.8, ..Shot::clean((640, 480)) });
        }
    }
}

#[test]
fn the_place_of_a_code_is_known() {
    let code = code::random(Kind::Ean13, &mut Random::new(5));
    let print = code::print(&code, &Typeface::built_in(), [20, 20, 30], [245, 245, 245], 0.6);
    let (width, height) = (print.width() * 3, print.height() * 3);
    let mut image = image::RgbImage::from_pixel(width, height, image::Rgb([245; 3]));
    image::imageops::replace(&mut image, &print, i64::from(print.width() * 2), i64::from(print.height()));
    let mut file = std::io::Cursor::new(Vec::new());
    image.write_to(&mut file, image::ImageFormat::Png).unwrap();
    let found = barcode::find(&Photo::read(&file.into_inner()).unwrap());
    let region = found[0].region.unwrap();
    let (x, y) = region.center();
    assert!((0.75..0.92).contains(&x) && (0.38..0.62).contains(&y), "{region:?}");
    assert!((0.15..0.45).contains(&region.width) && (0.1..0.5).contains(&region.height), "{region:?}");
}

#[test]
fn a_code_in_bad_light_out_of_focus_and_seen_at_an_angle_is_read() {
    let code = code::random(Kind::Ean13, &mut Random::new(11));
    assert_read(
        &code,
        &Shot {
            turn: 17.0,
            tilt: (20.0, -15.0),
            bend: Some(1.0),
            blur: 1.2,
            grain: 6.0,
            light: (0.5, 10.0),
            shadow: 0.3,
            jpeg_quality: 60,
            fill: 0.9,
            ..Shot::clean((800, 600))
        },
    );
}

#[test]
fn equal_codes_have_one_number() {
    // The same bars: an EAN-13 that begins with 0, and the UPC-A without the 0.
    let same = Code { kind: Kind::Ean13, printed: "0036000291452".into(), expected: "036000291452".into() };
    assert_read(&same, &Shot::clean((640, 480)));
    // The short form of 0 42100 00526 4.
    let short = Code { kind: Kind::UpcE, printed: "04252614".into(), expected: "042100005264".into() };
    assert_read(&short, &Shot::clean((640, 480)));
}

#[test]
fn a_small_code_is_read() {
    let code = code::random(Kind::UpcA, &mut Random::new(5));
    assert_read(&code, &Shot { fill: 0.5, ..Shot::clean((1000, 800)) });
}

#[test]
fn two_codes_are_both_read() {
    let mut random = Random::new(3);
    let (one, other) = (code::random(Kind::Ean13, &mut random), code::random(Kind::Ean8, &mut random));
    let mut sheet = drawn::canvas::filled(1100, 1300, [240, 240, 240]);
    for (code, top) in [(&one, 30), (&other, 750)] {
        let print = code::print(code, &Typeface::built_in(), [0, 0, 0], [255, 255, 255], 0.5);
        image::imageops::replace(&mut sheet, &print, 40, top);
    }
    let found = barcode::find(&Shot::clean((900, 1100)).photo(&sheet, &mut random));
    let mut numbers: Vec<_> = found.into_iter().map(|barcode| barcode.digits).collect();
    numbers.sort();
    let mut expected = [one.expected, other.expected];
    expected.sort();
    assert_eq!(numbers, expected);
}

#[test]
fn nothing_is_found_in_images_without_a_code() {
    let mut random = Random::new(9);
    for number in 0..8 {
        let photo = clutter::photo(number, (480, 360), &Typeface::built_in(), &mut random);
        assert_eq!(barcode::find(&photo), [], "{number}");
    }
}

fn photo(width: u32, height: u32, pixel: impl FnMut(u32, u32) -> image::Rgb<u8>) -> Photo {
    let picture = image::RgbImage::from_fn(width, height, pixel);
    let mut file = Vec::new();
    image::ImageEncoder::write_image(
        image::codecs::png::PngEncoder::new(&mut file),
        picture.as_raw(),
        width,
        height,
        image::ExtendedColorType::Rgb8,
    )
    .unwrap();
    Photo::read(&file).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any size, any content: noise, stripes of any period and slant, black.
    #[test]
    fn no_image_makes_it_panic(width in 32_u32..700, height in 32_u32..700, seed: u64, kind in 0..4, period in 2_u32..40) {
        let mut random = Random::new(seed);
        let photo = photo(width, height, |x, y| match kind {
            0 => image::Rgb(std::array::from_fn(|_| random.below(256) as u8)),
            1 => image::Rgb([if (x + y / 3) % period < period / 2 { 0 } else { 255 }; 3]),
            2 => image::Rgb([if (x * 7 / period + x / 11) % 2 == 0 { 10 } else { 240 }; 3]),
            _ => image::Rgb([0; 3]),
        });
        for Barcode { digits, .. } in barcode::find(&photo) {
            prop_assert_eq!(code::with_check(&digits[..digits.len() - 1]), digits);
        }
    }
}

#[test]
fn thin_images_are_searched() {
    for (width, height) in [(32, 32), (2_048, 32), (32, 2_048), (33, 2_000)] {
        assert_eq!(barcode::find(&photo(width, height, |x, _| image::Rgb([if x % 4 < 2 { 0 } else { 255 }; 3]))), []);
    }
}
