//! Images without a code or label: stripes, words, noise, shapes.

use image::{Rgb, RgbImage};
use vision::photo::Photo;

use super::canvas::{self, Typeface};
use super::random::Random;
use super::shot::Shot;

const WORDS: [&str; 24] = [
    "fresh",
    "Organic",
    "daily",
    "2 for 5",
    "menu",
    "Coffee",
    "Tea",
    "12.50",
    "Soup of the day",
    "bread",
    "Grill",
    "open",
    "Sandwich 8.90",
    "with cheese",
    "Salad",
    "FAMILY PACK",
    "500 g",
    "best before 2027",
    "Keep cool",
    "taste",
    "Pizza",
    "9.80",
    "made in",
    "www.shop.example",
];

/// Draws the photo with this number; the kinds take turns.
pub fn photo(number: usize, size: (u32, u32), typeface: &Typeface, random: &mut Random) -> Photo {
    let print = match number % 4 {
        0 => stripes(random),
        1 => words(typeface, random),
        2 => noise(random),
        _ => shapes(random),
    };
    let shot = Shot {
        fill: 1.0,
        turn: random.between(-30.0, 30.0),
        tilt: (random.between(-20.0, 20.0), 0.0),
        blur: random.between(0.0, 1.5),
        grain: random.between(0.0, 8.0),
        ..Shot::clean(size)
    };
    shot.photo(&print, random)
}

/// Draws bars of any width, as on a grille or a shirt.
fn stripes(random: &mut Random) -> RgbImage {
    let mut picture = canvas::filled(1000, 700, [235, 232, 228]);
    let module = random.between(4.0, 14.0);
    let mut left = 40.0;
    while left < 940.0 {
        let width = module * (1.0 + random.below(4) as f32);
        canvas::fill(&mut picture, (left as u32, 60), (width as u32, 560), [30, 30, 40]);
        left += width + module * (1.0 + random.below(4) as f32);
    }
    picture
}

fn words(typeface: &Typeface, random: &mut Random) -> RgbImage {
    let mut picture = canvas::filled(1000, 700, [250, 245, 230]);
    let mut top = 20.0;
    while top < 640.0 {
        let size = random.between(18.0, 60.0);
        let mut left = 30.0;
        while left < 800.0 {
            let word = *random.pick(&WORDS);
            left = canvas::write(&mut picture, (left, top), &typeface.regular, size, [40, 30, 30], word) + size * 0.4;
        }
        top += size * 1.2;
    }
    picture
}

fn noise(random: &mut Random) -> RgbImage {
    RgbImage::from_fn(500, 350, |_, _| Rgb(std::array::from_fn(|_| random.below(256) as u8)))
}

pub fn shapes(random: &mut Random) -> RgbImage {
    let mut picture = canvas::filled(1000, 700, [180, 170, 150]);
    for _ in 0..60 {
        let color = std::array::from_fn(|_| random.below(256) as u8);
        let size = (20 + random.below(200) as u32, 20 + random.below(200) as u32);
        canvas::fill(&mut picture, (random.below(900) as u32, random.below(600) as u32), size, color);
    }
    picture
}
