//! Dishes, in photos that code draws.

#[path = "../drawn/fruit.rs"]
#[allow(dead_code, reason = "several tests share it")]
mod fruit;

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use nutrition::sighting::Sighting;
use vision::dish::{DishRecognizer, RecognizedDish};
use vision::photo::Photo;
use vision::{PhotoAnalyzer, Settings};

fn photo(image: &RgbImage) -> Photo {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).expect("memory accepts it");
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
fn nothing_is_recognized_where_there_is_no_food() {
    let recognizer = DishRecognizer::load(1, true);
    for (name, image) in nothing_to_eat() {
        assert_eq!(recognizer.recognize(&photo(&image)), [], "{name} is nothing to eat");
    }
}

#[test]
fn the_place_of_each_food_is_known() {
    let recognizer = DishRecognizer::load(1, true);
    let place = |dishes: &[RecognizedDish], name: &str| {
        let dish = dishes.iter().find(|dish| dish.guesses[0].words == name);
        dish.and_then(|dish| dish.region).unwrap_or_else(|| panic!("no {name} in {dishes:?}"))
    };
    for is_beside in [true, false] {
        let dishes = recognizer.recognize(&photo(&fruit::orange_and_tomato(is_beside)));
        assert_eq!(dishes.len(), 2, "{dishes:?}");
        let (orange, tomato) = (place(&dishes, "orange"), place(&dishes, "tomato"));
        let along = |(x, y): (f32, f32)| if is_beside { [x, y] } else { [y, x] };
        let ([one, across], [other, _]) = (along(orange.center()), along(tomato.center()));
        assert!((0.15..0.4).contains(&one) && (0.6..0.85).contains(&other), "{orange:?} {tomato:?}");
        assert!((0.3..0.7).contains(&across), "{orange:?}");
    }
    // A single food that is not in the middle.
    let mut corner = fruit::table(600, 480);
    fruit::draw(&mut corner, &fruit::TOMATO, (170.0, 130.0), 90.0);
    let (x, y) = place(&recognizer.recognize(&photo(&corner)), "tomato").center();
    assert!((0.1..0.5).contains(&x) && (0.1..0.5).contains(&y), "{x} {y}");
}

#[test]
fn photos_of_every_shape_are_analyzed() {
    let analyzer = PhotoAnalyzer::new(Settings { research: true });
    for (width, height) in [(32, 32), (2000, 40), (40, 2000), (191, 193)] {
        let image = RgbImage::from_fn(width, height, |x, y| Rgb([200, (x % 90) as u8, (y % 60) as u8]));
        for sighting in analyzer.analyze(&photo(&image), |_| false) {
            let Sighting::Dish { guesses, .. } = sighting else { panic!("there is no text on it") };
            assert!((1..=5).contains(&guesses.len()));
            assert!(guesses.windows(2).all(|pair| pair[0].confidence >= pair[1].confidence));
            assert!(guesses.iter().map(|guess| guess.confidence).sum::<f32>() <= 1.001);
        }
    }
}

#[test]
fn without_research_networks_only_dishes_of_aiy_are_named() {
    let recognizer = DishRecognizer::load(1, false);
    for (name, image) in nothing_to_eat() {
        for RecognizedDish { guesses, region } in recognizer.recognize(&photo(&image)) {
            assert_eq!(region, None, "AIY says nothing about places");
            assert!(!guesses.is_empty() && guesses.iter().all(|guess| !guess.words.is_empty()), "{name}");
        }
    }
    assert!(format!("{recognizer:?}").contains("research: false"));
}
