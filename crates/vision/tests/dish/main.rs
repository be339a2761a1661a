//! Dishes, through what the crate offers: photos that code draws.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use vision::dish::Dishes;
use vision::photo::Photo;
use vision::sighting::What;
use vision::{Eyes, Settings};

fn photo(image: &RgbImage) -> Photo {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).expect("memory takes it");
    Photo::read(&file.into_inner()).expect("it was just written")
}

/// A wall, a page with lines, stripes like a bar code, a sky: nothing to eat.
fn nothing_to_eat() -> Vec<(&'static str, RgbImage)> {
    vec![
        ("a wall", RgbImage::from_pixel(640, 480, Rgb([222, 220, 210]))),
        (
            "a page",
            RgbImage::from_fn(600, 800, |x, y| {
                let on_line = y % 24 < 9 && (40..560).contains(&x) && (x * 7 + y / 24 * 13) % 11 < 7;
                Rgb(if on_line { [30; 3] } else { [250; 3] })
            }),
        ),
        ("stripes", RgbImage::from_fn(500, 300, |x, _| Rgb(if x * x % 17 < 8 { [15; 3] } else { [245; 3] }))),
        ("a sky", RgbImage::from_fn(800, 600, |_, y| Rgb([90 + (y / 6) as u8, 140 + (y / 8) as u8, 235]))),
    ]
}

#[test]
fn what_is_not_food_gives_nothing() {
    let dishes = Dishes::load(1, true);
    for (name, image) in nothing_to_eat() {
        assert_eq!(dishes.see(&photo(&image)), [], "{name} is nothing to eat");
    }
}

#[test]
fn every_shape_of_photo_is_looked_at() {
    let eyes = Eyes::new(Settings { research: true });
    for (width, height) in [(32, 32), (2000, 40), (40, 2000), (191, 193)] {
        let image = RgbImage::from_fn(width, height, |x, y| Rgb([200, (x % 90) as u8, (y % 60) as u8]));
        for sighting in eyes.look(&photo(&image), |_| false) {
            let What::Dish(guesses) = sighting.what else { panic!("there is no print on it") };
            assert!((1..=5).contains(&guesses.len()));
            assert!(guesses.windows(2).all(|pair| pair[0].confidence >= pair[1].confidence));
            assert!(guesses.iter().map(|guess| guess.confidence).sum::<f32>() <= 1.001);
        }
    }
}

#[test]
fn without_research_pictures_only_dishes_of_aiy_are_named() {
    let dishes = Dishes::load(1, false);
    for (name, image) in nothing_to_eat() {
        for sighting in dishes.see(&photo(&image)) {
            let What::Dish(guesses) = sighting.what else { panic!("{name} is not print to it") };
            assert!(guesses.iter().all(|guess| !guess.name.is_empty()));
        }
    }
    assert!(format!("{dishes:?}").contains("research: false"));
}
