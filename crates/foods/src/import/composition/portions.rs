//! The portions of a row: `en=1 slice;fr=1 tranche=30|en=decilitre=85`.

use crate::food::{Portion, Serving};
use crate::import::check;
use crate::unit::Unit;

/// The most portions of one food.
const MAX_PORTIONS: usize = 250;
/// A heavier portion is a whole bird or loaf rather than a serving.
const MAX_SERVING_GRAMS: f32 = 500.0;
/// Words of publishers, and what people say.
const REWORDED: &[(&str, &str)] = &[
    ("medium-sized ", "medium "),
    ("big ", "large "),
    ("decilitre", "100 ml"),
    ("for a slice of bread", "serving, on a slice of bread"),
    ("portion", "serving"),
    ("pcs", "piece"),
];
/// A portion of a single maker's package.
const OF_A_MAKER: &str = "Manufacturer";

/// Reads the portions of a row, in English. Those that only repeat a mass are left out.
pub(super) fn read(text: &str) -> Vec<Portion> {
    text.split('|').filter_map(portion).take(MAX_PORTIONS).collect()
}

fn portion(part: &str) -> Option<Portion> {
    let (words, grams) = part.rsplit_once('=')?;
    let grams = check::number(grams).filter(|grams| check::is_weight(*grams))?;
    let english = words.split(';').find_map(|words| words.trim().strip_prefix("en="))?;
    let text = reworded(&check::name(english));
    let portion = Portion::new(text, grams);
    let is_mass = Unit::parse(&portion.measure().unit).is_some_and(|unit| unit.grams().is_some());
    (!is_mass && !portion.text.starts_with(OF_A_MAKER)).then_some(portion)
}

/// Writes a portion as others do: "250ml chopped" is "250 ml chopped", "glass (small)" is "1 small glass".
fn reworded(text: &str) -> String {
    if text.starts_with(OF_A_MAKER) {
        return text.to_owned();
    }
    let sized = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let mut words = match sized.filter(|(_, size)| ["small", "medium", "large"].contains(size)) {
        Some((what, size)) => format!("{size} {what}"),
        None => text.to_owned(),
    };
    for (published, said) in REWORDED {
        words = words.replace(published, said);
    }
    let number = words.find(|letter: char| !letter.is_ascii_digit() && !"./".contains(letter)).unwrap_or(words.len());
    match words.split_at(number) {
        ("", rest) => format!("1 {rest}"),
        (amount, rest) if rest.starts_with(char::is_alphabetic) => format!("{amount} {rest}"),
        _ => words,
    }
}

/// Returns the serving among portions: what the publisher calls one, else the first that is no volume, else a volume.
pub(super) fn serving(portions: &[Portion]) -> Serving {
    let usual = || portions.iter().filter(|portion| portion.grams <= MAX_SERVING_GRAMS);
    let is_volume = |portion: &&Portion| {
        let unit = portion.measure().unit;
        Unit::parse(unit.split(' ').next().unwrap_or("")).is_some_and(|unit| unit.milliliters().is_some())
    };
    let is_called_serving =
        |portion: &&Portion| ["1 serving", "1 medium serving"].iter().any(|start| portion.text.starts_with(start));
    let found = usual()
        .find(is_called_serving)
        .or_else(|| usual().find(|portion| !is_volume(portion)))
        .or_else(|| usual().find(|portion| portion.text.starts_with("250 ml")))
        .or_else(|| usual().next());
    found.map_or_else(Serving::hundred_grams, |portion| Serving {
        description: portion.text.clone(),
        grams: portion.grams,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_in_the_words_of_people() {
        let text = "en=100ml;fr=100ml=40.2|en=250ml chopped;fr=250ml haché=134|en=1/2 fillet=148|en=75g=75|en=decilitre=50|\
                    en=medium-sized portion=120|en=glass (small)=150|en=pcs=30|en=Manufacturer (piece)=400|fr=tasse=9|en=x=0";
        let words: Vec<(String, f32)> = read(text).into_iter().map(|portion| (portion.text, portion.grams)).collect();
        let expected = [
            ("100 ml", 40.2),
            ("250 ml chopped", 134.0),
            ("1/2 fillet", 148.0),
            ("100 ml", 50.0),
            ("1 medium serving", 120.0),
            ("1 small glass", 150.0),
            ("1 piece", 30.0),
        ];
        assert_eq!(words, expected.map(|(text, grams)| (text.to_owned(), grams)));
    }

    #[test]
    fn a_serving_is_what_the_publisher_calls_one() {
        let serving_of = |text: &str| serving(&read(text)).description;
        assert_eq!(serving_of("en=100ml=93|en=1 order=604|en=portion=200"), "1 serving");
        assert_eq!(serving_of("en=100ml=93|en=1 bird=1300|en=1 thigh=52"), "1 thigh");
        assert_eq!(serving_of("en=100ml=93|en=250ml=232"), "250 ml");
        assert_eq!(serving_of("en=1 bird=1300"), "100 g");
        assert_eq!(serving_of("|==|en=|en=a"), "100 g");
    }
}
