//! Pictures that show neither a code nor a label: stripes, words, noise, soft shapes.

use image::{Rgb, RgbImage};
use vision::photo::Photo;

use super::canvas::{self, Typeface};
use super::chance::Chance;
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

/// The picture with this number: kinds take turns.
pub fn photo(number: usize, size: (u32, u32), typeface: &Typeface, chance: &mut Chance) -> Photo {
    let print = match number % 4 {
        0 => stripes(chance),
        1 => words(typeface, chance),
        2 => noise(chance),
        _ => shapes(chance),
    };
    let shot = Shot {
        fill: 1.0,
        turn: chance.between(-30.0, 30.0),
        tilt: (chance.between(-20.0, 20.0), 0.0),
        blur: chance.between(0.0, 1.5),
        grain: chance.between(0.0, 8.0),
        ..Shot::clean(size)
    };
    shot.photo(&print, chance)
}

/// Bars of any width: a grille, a shirt, a fork.
fn stripes(chance: &mut Chance) -> RgbImage {
    let mut picture = canvas::filled(1000, 700, [235, 232, 228]);
    let module = chance.between(4.0, 14.0);
    let mut left = 40.0;
    while left < 940.0 {
        let width = module * (1.0 + chance.below(4) as f32);
        canvas::fill(&mut picture, (left as u32, 60), (width as u32, 560), [30, 30, 40]);
        left += width + module * (1.0 + chance.below(4) as f32);
    }
    picture
}

fn words(typeface: &Typeface, chance: &mut Chance) -> RgbImage {
    let mut picture = canvas::filled(1000, 700, [250, 245, 230]);
    let mut top = 20.0;
    while top < 640.0 {
        let size = chance.between(18.0, 60.0);
        let mut left = 30.0;
        while left < 800.0 {
            let word = *chance.pick(&WORDS);
            left = canvas::write(&mut picture, (left, top), &typeface.regular, size, [40, 30, 30], word) + size * 0.4;
        }
        top += size * 1.2;
    }
    picture
}

fn noise(chance: &mut Chance) -> RgbImage {
    RgbImage::from_fn(500, 350, |_, _| Rgb(std::array::from_fn(|_| chance.below(256) as u8)))
}

pub fn shapes(chance: &mut Chance) -> RgbImage {
    let mut picture = canvas::filled(1000, 700, [180, 170, 150]);
    for _ in 0..60 {
        let color = std::array::from_fn(|_| chance.below(256) as u8);
        let size = (20 + chance.below(200) as u32, 20 + chance.below(200) as u32);
        canvas::fill(&mut picture, (chance.below(900) as u32, chance.below(600) as u32), size, color);
    }
    picture
}
