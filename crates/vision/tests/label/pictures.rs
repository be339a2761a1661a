//! Labels drawn, photographed and read: the whole way.

use vision::label;
use vision::photo::Photo;
use vision::sighting::{Label, What};
use vision::text::Reader;

use super::drawn::canvas::Typeface;
use super::drawn::chance::Chance;
use super::drawn::clutter;
use super::drawn::label::{Drawn, Layout, random};
use super::drawn::shot::Shot;
use super::layout::four;

fn read(reader: &Reader, drawn: &Drawn, shot: &Shot) -> Label {
    let photo = shot.photo(&drawn.picture, &mut Chance::new(4));
    let sighting = label::find(reader, &photo).expect("the label is seen");
    assert!(sighting.confidence > 0.6 && sighting.confidence <= 1.0, "{sighting:?}");
    assert!(sighting.region.width > 0.3 && sighting.region.height > 0.3, "{sighting:?}");
    let What::Label(label) = sighting.what else { panic!("only labels") };
    label
}

/// One test for all, since loading the networks costs more than a page.
#[test]
fn labels_are_read_straight_tilted_sideways_and_upside_down() {
    let reader = Reader::load(1);
    let cases = [
        (Layout::UsNew, Shot::clean((700, 1000))),
        (Layout::EuPortion, Shot { turn: -12.0, tilt: (8.0, -6.0), blur: 0.8, grain: 4.0, ..Shot::clean((900, 1000)) }),
        (Layout::UsOld, Shot { turn: 90.0, ..Shot::clean((1000, 700)) }),
        (Layout::EuDrink, Shot { turn: 180.0, light: (0.6, 10.0), shadow: 0.3, ..Shot::clean((700, 800)) }),
    ];
    for (seed, (layout, shot)) in (1..).zip(cases) {
        let drawn = random(layout, &Typeface::own(), &mut Chance::new(seed));
        let label = read(&reader, &drawn, &shot);
        assert_eq!(four(&label.facts), four(&drawn.facts), "{layout:?} {}", drawn.language);
        assert_eq!(label.per, drawn.per, "{layout:?}");
        if let Some(grams) = drawn.serving_grams {
            assert_eq!(label.serving.and_then(|serving| serving.grams), Some(grams), "{layout:?}");
        }
    }

    let mut chance = Chance::new(8);
    for number in 0..4 {
        let photo = clutter::photo(number, (480, 360), &Typeface::own(), &mut chance);
        assert_eq!(label::find(&reader, &photo), None, "{number}");
    }
    for (width, height) in [(32, 32), (2_048, 32), (32, 600), (101, 77)] {
        for noise in [false, true] {
            let picture = image::RgbImage::from_fn(width, height, |_, _| {
                image::Rgb(std::array::from_fn(|_| if noise { chance.below(256) as u8 } else { 0 }))
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
