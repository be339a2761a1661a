//! Labels that are drawn, photographed and read.

use nutrition::sighting::Label;
use vision::label;
use vision::photo::Photo;
use vision::text::TextReader;

use super::drawn::canvas::Typeface;
use super::drawn::clutter;
use super::drawn::label::{DrawnLabel, LabelLayout, random};
use super::drawn::random::Random;
use super::drawn::shot::Shot;
use super::layout::four;

fn read(reader: &TextReader, drawn: &DrawnLabel, shot: &Shot) -> Label {
    let photo = shot.photo(&drawn.picture, &mut Random::new(4));
    let found = label::find(reader, &photo).expect("the label is found");
    assert!(found.confidence > 0.6 && found.confidence <= 1.0, "{found:?}");
    let region = found.region.expect("it is somewhere");
    let (x, y) = region.center();
    assert!((0.3..0.7).contains(&x) && (0.2..0.8).contains(&y), "it fills the photo: {region:?}");
    assert!(region.width > 0.3 && region.height > 0.2, "{region:?}");
    found.label
}

/// One test for all, because loading the networks costs more than a page.
#[test]
fn labels_are_read_level_tilted_sideways_and_upside_down() {
    let reader = TextReader::load(1);
    let cases = [
        (LabelLayout::UsNew, Shot::clean((700, 1000))),
        (
            LabelLayout::EuPortion,
            Shot { turn: -12.0, tilt: (8.0, -6.0), blur: 0.8, grain: 4.0, ..Shot::clean((900, 1000)) },
        ),
        (LabelLayout::UsOld, Shot { turn: 90.0, ..Shot::clean((1000, 700)) }),
        (LabelLayout::EuDrink, Shot { turn: 180.0, light: (0.6, 10.0), shadow: 0.3, ..Shot::clean((700, 800)) }),
    ];
    for (seed, (layout, shot)) in (1..).zip(cases) {
        let drawn = random(layout, &Typeface::built_in(), &mut Random::new(seed));
        let label = read(&reader, &drawn, &shot);
        assert_eq!(four(&label.facts), four(&drawn.facts), "{layout:?} {}", drawn.language);
        assert_eq!(label.per, drawn.per, "{layout:?}");
        if let Some(grams) = drawn.serving_grams {
            assert_eq!(label.serving.and_then(|serving| serving.grams), Some(grams), "{layout:?}");
        }
    }

    let mut random = Random::new(8);
    for number in 0..4 {
        let photo = clutter::photo(number, (480, 360), &Typeface::built_in(), &mut random);
        assert_eq!(label::find(&reader, &photo), None, "{number}");
    }
    for (width, height) in [(32, 32), (2_048, 32), (32, 600), (101, 77)] {
        for noise in [false, true] {
            let picture = image::RgbImage::from_fn(width, height, |_, _| {
                image::Rgb(std::array::from_fn(|_| if noise { random.below(256) as u8 } else { 0 }))
            });
            let mut file = Vec::new();
            jpeg_encoder::Encoder::new(&mut file, 90)
                .encode(picture.as_raw(), width as u16, height as u16, jpeg_encoder::ColorType::Rgb)
                .unwrap();
            let photo = Photo::read(&file).unwrap();
            assert_eq!(label::find(&reader, &photo), None);
            drop(reader.read(&photo));
        }
    }
}
