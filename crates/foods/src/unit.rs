//! Units of measure, as portions of foods use them.

use crate::food::Portion;
use crate::plural;

/// A unit that has a fixed mass or volume, or a household measure that each food weighs for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Unit {
    Gram,
    Kilogram,
    Milligram,
    Ounce,
    Pound,
    Milliliter,
    Liter,
    FluidOunce,
    Teaspoon,
    Tablespoon,
    Cup,
    Pint,
    Quart,
    Gallon,
    CubicInch,
}

impl Unit {
    /// The unit that a word or abbreviation means, as people and labels write it; the case does not matter.
    pub fn parse(text: &str) -> Option<Unit> {
        let text = text.trim().trim_end_matches('.');
        let mut buffer = [0_u8; 16];
        let lower = buffer.get_mut(..text.len())?;
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        Some(match std::str::from_utf8(lower).ok()? {
            "g" | "gm" | "gms" | "gr" | "grm" | "gram" | "grams" | "gramme" | "grammes" => Unit::Gram,
            "kg" | "kgm" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" => Unit::Kilogram,
            "mg" | "mgm" | "milligram" | "milligrams" => Unit::Milligram,
            "oz" | "ozs" | "onz" | "ounce" | "ounces" => Unit::Ounce,
            "lb" | "lbs" | "lbr" | "pound" | "pounds" => Unit::Pound,
            "ml" | "mls" | "mlt" | "cc" | "milliliter" | "milliliters" | "millilitre" | "millilitres" => {
                Unit::Milliliter
            }
            "l" | "lt" | "ltr" | "liter" | "liters" | "litre" | "litres" => Unit::Liter,
            "fl oz" | "fl. oz" | "fl.oz" | "floz" | "oza" | "fluid oz" | "fluid ounce" | "fluid ounces"
            | "fl ounce" | "fl ounces" => Unit::FluidOunce,
            "tsp" | "tsps" | "teaspoon" | "teaspoons" => Unit::Teaspoon,
            "tbsp" | "tbsps" | "tbs" | "tbl" | "tblsp" | "tablespoon" | "tablespoons" => Unit::Tablespoon,
            "cup" | "cups" => Unit::Cup,
            "pint" | "pints" | "pt" => Unit::Pint,
            "quart" | "quarts" | "qt" => Unit::Quart,
            "gallon" | "gallons" | "gal" => Unit::Gallon,
            "cubic inch" | "cubic inches" | "cu in" | "cu. in" => Unit::CubicInch,
            _ => return None,
        })
    }

    /// The mass of one unit in grams; nothing for volumes, which each food weighs for itself.
    pub const fn grams(self) -> Option<f64> {
        match self {
            Unit::Gram => Some(1.0),
            Unit::Kilogram => Some(1000.0),
            Unit::Milligram => Some(0.001),
            Unit::Ounce => Some(28.349_523_125),
            Unit::Pound => Some(453.592_37),
            _ => None,
        }
    }

    /// The volume of one unit in millilitres (US measures); nothing for masses.
    pub const fn milliliters(self) -> Option<f64> {
        match self {
            Unit::Milliliter => Some(1.0),
            Unit::Liter => Some(1000.0),
            Unit::FluidOunce => Some(29.5735),
            Unit::Teaspoon => Some(4.92892),
            Unit::Tablespoon => Some(14.7868),
            Unit::Cup => Some(236.588),
            Unit::Pint => Some(473.176),
            Unit::Quart => Some(946.353),
            Unit::Gallon => Some(3785.41),
            Unit::CubicInch => Some(16.3871),
            _ => None,
        }
    }

    /// The unit as answers write it.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Gram => "g",
            Unit::Kilogram => "kg",
            Unit::Milligram => "mg",
            Unit::Ounce => "oz",
            Unit::Pound => "lb",
            Unit::Milliliter => "ml",
            Unit::Liter => "l",
            Unit::FluidOunce => "fl oz",
            Unit::Teaspoon => "tsp",
            Unit::Tablespoon => "tbsp",
            Unit::Cup => "cup",
            Unit::Pint => "pint",
            Unit::Quart => "quart",
            Unit::Gallon => "gallon",
            Unit::CubicInch => "cubic inch",
        }
    }
}

/// An amount and a unit, read from the start of a portion's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// How many; 1 where the words name no number.
    pub amount: f32,
    /// The unit's words; empty where there are none.
    pub unit: String,
}

/// Reads amount and unit from a portion's words: "1 1/2 cups, diced" is 1.5 and "cup".
///
/// Words without a number that describe no unit ("Quantity not specified") are one of nothing.
pub fn measure(text: &str) -> Measure {
    let (amount, rest) = leading_amount(text.trim());
    let words = rest.split([',', '(', '[', ';', ':', '|', ')']).next().unwrap_or_default().trim();
    let opening = words.get(..9).unwrap_or(words);
    let is_remark = opening.eq_ignore_ascii_case("quantity")
        || opening.eq_ignore_ascii_case("quantity ")
        || opening.eq_ignore_ascii_case("guideline");
    if amount.is_none() && is_remark {
        return Measure { amount: 1.0, unit: String::new() };
    }
    Measure { amount: amount.unwrap_or(1.0) as f32, unit: unit_words(words) }
}

/// The number at the start ("2", "0.25", "1/2", "1 1/2", "½") and what follows it.
fn leading_amount(text: &str) -> (Option<f64>, &str) {
    let Some((first, rest)) = number(text) else { return (None, text) };
    let after = rest.trim_start();
    let is_whole = first.fract() == 0.0 && !text[..text.len() - rest.len()].contains(['/', '.']);
    if let (true, Some((fraction, behind))) = (is_whole, number(after)) {
        let written = &after[..after.len() - behind.len()];
        if fraction < 1.0 && (written.contains('/') || !written.is_ascii()) {
            return (Some(first + fraction), behind.trim_start());
        }
    }
    (Some(first), after)
}

/// One number without a sign: digits with a point, a fraction of digits, or a sign such as "½".
fn number(text: &str) -> Option<(f64, &str)> {
    let sign = text.chars().next()?;
    if let Some((_, value)) = FRACTION_SIGNS.iter().find(|(known, _)| *known == sign) {
        return Some((*value, &text[sign.len_utf8()..]));
    }
    let (value, rest) = decimal(text)?;
    if let Some((below, behind)) = rest.strip_prefix('/').and_then(decimal).filter(|(below, _)| *below > 0.0) {
        return Some((value / below, behind));
    }
    Some((value, rest))
}

const FRACTION_SIGNS: &[(char, f64)] =
    &[('½', 0.5), ('¼', 0.25), ('¾', 0.75), ('⅓', 1.0 / 3.0), ('⅔', 2.0 / 3.0), ('⅛', 0.125)];

fn decimal(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(text.len());
    let value = text[..end].trim_end_matches('.').parse::<f64>().ok().filter(|value| *value < 1.0e6)?;
    Some((value, &text[end..]))
}

/// The unit's words: the known name of a known unit, otherwise each word small and in the singular.
fn unit_words(words: &str) -> String {
    if let Some(unit) = Unit::parse(words) {
        return unit.name().to_owned();
    }
    let mut result = String::with_capacity(words.len());
    let mut fluid = false;
    for word in words.split_whitespace() {
        if result.is_empty() && matches!(word, "of" | "OF" | "th" | "TH") {
            continue;
        }
        let known = Unit::parse(word);
        if fluid && known == Some(Unit::Ounce) {
            result.truncate(result.rfind(' ').map_or(0, |space| space + 1));
            result.push_str(Unit::FluidOunce.name());
            fluid = false;
            continue;
        }
        fluid = matches!(word.trim_end_matches('.').to_ascii_lowercase().as_str(), "fl" | "fluid");
        if !result.is_empty() {
            result.push(' ');
        }
        match known {
            Some(unit) => result.push_str(unit.name()),
            None => result.push_str(&singular(&word.to_lowercase())),
        }
    }
    result
}

/// Returns the singular of a lower-case unit word, with abbreviations written out: "pieces" and "pcs." are "piece".
fn singular(word: &str) -> String {
    match word.trim_end_matches('.') {
        "pcs" => "piece".to_owned(),
        "pkg" | "pkgs" => "package".to_owned(),
        "molasses" => word.to_owned(),
        _ => plural::singular(word).unwrap_or_else(|| word.to_owned()),
    }
}

/// Words in a portion that make its weight unfit for a density.
const NOT_THE_FOOD_ITSELF: &[&str] = &[
    "yield",
    "dry",
    "with ice",
    "in shell",
    "unpopped",
    "uncooked",
    "with shell",
    "as purchased",
    "makes",
    "inedible",
];

/// Grams per millilitre, from the food's own portions: a cup if there is one, and the plainest words first.
pub fn density(portions: &[Portion]) -> Option<f32> {
    let candidates = portions.iter().filter_map(|portion| {
        let lower = portion.text.to_lowercase();
        let measure = portion.measure();
        let unit = volume_unit(&measure.unit)?;
        let misleading = NOT_THE_FOOD_ITSELF.iter().any(|words| lower.contains(words));
        let milliliters = unit.milliliters()? * f64::from(measure.amount);
        let density = f64::from(portion.grams) / milliliters;
        (!misleading && (0.02..=3.0).contains(&density)).then_some((rank(unit), portion.text.len(), density))
    });
    let best = candidates.min_by_key(|(rank, length, _)| (*rank, *length));
    best.map(|(_, _, density)| density as f32)
}

/// The volume unit that the unit's words are, or begin with ("cup diced").
fn volume_unit(words: &str) -> Option<Unit> {
    let volume = |text: &str| Unit::parse(text).filter(|unit| unit.milliliters().is_some());
    volume(words)
        .or_else(|| words.strip_prefix("fl oz ").map(|_| Unit::FluidOunce))
        .or_else(|| volume(words.split(' ').next()?))
}

const fn rank(unit: Unit) -> u8 {
    match unit {
        Unit::Cup => 0,
        Unit::Tablespoon => 1,
        Unit::FluidOunce => 2,
        Unit::Teaspoon => 3,
        _ => 4,
    }
}

mod serving;

pub use serving::serving_text;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (f32, String) {
        let measure = measure(text);
        (measure.amount, measure.unit)
    }

    #[test]
    fn measures() {
        for (text, amount, unit) in [
            ("1 cup, diced", 1.0, "cup"),
            ("1/2 bagel", 0.5, "bagel"),
            ("1 1/2 cups", 1.5, "cup"),
            ("0.25 cup", 0.25, "cup"),
            ("1 fl oz (no ice)", 1.0, "fl oz"),
            ("1 large", 1.0, "large"),
            ("1 medium slice", 1.0, "medium slice"),
            ("Quantity not specified", 1.0, ""),
            ("Guideline amount per fl oz of beverage", 1.0, ""),
            ("1 6 oz container", 1.0, "6 oz container"),
            ("2 PIECES", 2.0, "piece"),
            ("½ cup", 0.5, "cup"),
            ("3 Tbsp. (45 g)", 3.0, "tbsp"),
            ("1 fluid ounce", 1.0, "fl oz"),
            ("", 1.0, ""),
            ("1/0 cup", 1.0, "/0 cup"),
        ] {
            assert_eq!(read(text), (amount, unit.to_owned()), "{text}");
        }
    }

    #[test]
    fn units() {
        for (text, unit) in [
            ("GRM", Unit::Gram),
            ("ONZ", Unit::Ounce),
            ("OZA", Unit::FluidOunce),
            ("Tbsp.", Unit::Tablespoon),
            ("MLT", Unit::Milliliter),
        ] {
            assert_eq!(Unit::parse(text), Some(unit));
            assert_eq!(Unit::parse(unit.name()), Some(unit));
            assert!(unit.grams().is_some() != unit.milliliters().is_some());
        }
        assert_eq!(Unit::parse("slice"), None);
        assert_eq!(Unit::parse("a very long text that is no unit"), None);
    }

    #[test]
    fn the_plainest_cup_gives_the_density() {
        let portions: Vec<Portion> =
            [("1 tbsp", 30.0), ("1 cup, shredded", 113.0), ("1 cup", 240.0), ("1 cup, dry, yields", 90.0)]
                .map(|(text, grams)| Portion::new(text.to_owned(), grams))
                .into();
        let found = density(&portions).expect("there is a cup");
        assert!((found - 1.0144).abs() < 0.001);
        assert_eq!(density(&[Portion::new("1 cup".to_owned(), 5000.0)]), None);
        assert_eq!(density(&[]), None);
    }
}
