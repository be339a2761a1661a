//! The words that are not foods: numbers, units, measures, sizes, fillers. The lists are data files.

use std::collections::{HashMap, HashSet};

use foods::text::singular;
use foods::unit::Unit;

/// What a unit word stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// So many grams each.
    Mass(f64),
    /// So many millilitres each.
    Volume(f64),
    /// A household measure, which each food weighs for itself, and its usual volume where it has one.
    Household(Option<f64>),
}

/// All lists, read once.
#[derive(Debug)]
pub struct Lexicon {
    units: HashMap<String, (String, Measure)>,
    sizes: HashSet<&'static str>,
    fillers: HashSet<&'static str>,
    optional: HashSet<&'static str>,
}

impl Default for Lexicon {
    fn default() -> Self {
        let words = |text: &'static str| -> HashSet<&'static str> {
            text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect()
        };
        Self {
            units: units(),
            sizes: words(include_str!("../lexicon/sizes.txt")),
            fillers: words(include_str!("../lexicon/fillers.txt")),
            optional: words(include_str!("../lexicon/optional.txt")),
        }
    }
}

impl Lexicon {
    /// The unit that a folded word names: its usual name and what it stands for.
    pub fn unit(&self, word: &str) -> Option<(&str, &Measure)> {
        let found = self.units.get(word).or_else(|| self.units.get(&singular(word)))?;
        Some((&found.0, &found.1))
    }

    /// Whether a word says how large a portion is.
    pub fn is_size(&self, word: &str) -> bool {
        self.sizes.contains(word)
    }

    /// Whether a word says nothing about food or amount.
    pub fn is_filler(&self, word: &str) -> bool {
        self.fillers.contains(word) || word.len() > 5 && word.ends_with("ly")
    }

    /// The words that may or may not belong to the name of a food.
    pub fn optional_words(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.optional.iter().copied()
    }

    /// Whether a word may or may not belong to the name of a food.
    pub fn is_optional(&self, word: &str) -> bool {
        self.optional.contains(word)
    }
}

fn units() -> HashMap<String, (String, Measure)> {
    let mut units = HashMap::new();
    for line in lines(include_str!("../lexicon/units.tsv")) {
        let Some((word, name)) = line.split_once('\t') else { continue };
        let measure = match name {
            "cl" => Some(Measure::Volume(10.0)),
            "dl" => Some(Measure::Volume(100.0)),
            _ => Unit::parse(name)
                .and_then(|unit| unit.grams().map(Measure::Mass).or(unit.milliliters().map(Measure::Volume))),
        };
        if let Some(measure) = measure {
            units.insert(word.to_owned(), (name.to_owned(), measure));
        }
    }
    for line in lines(include_str!("../lexicon/measures.tsv")) {
        let Some((word, volume)) = line.split_once('\t') else { continue };
        let volume = volume.trim().parse().ok().filter(|&volume: &f64| volume > 0.0);
        units.insert(word.to_owned(), (word.to_owned(), Measure::Household(volume)));
    }
    units
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The value of a number word.
pub fn number_word(word: &str) -> Option<f64> {
    Some(match word {
        "one" | "once" => 1.0,
        "two" | "twice" => 2.0,
        "three" => 3.0,
        "four" => 4.0,
        "five" => 5.0,
        "six" => 6.0,
        "seven" => 7.0,
        "eight" => 8.0,
        "nine" => 9.0,
        "ten" => 10.0,
        "eleven" => 11.0,
        "twelve" => 12.0,
        "thirteen" => 13.0,
        "fourteen" => 14.0,
        "fifteen" => 15.0,
        "sixteen" => 16.0,
        "eighteen" => 18.0,
        "twenty" => 20.0,
        "thirty" => 30.0,
        "forty" => 40.0,
        "fifty" => 50.0,
        "sixty" => 60.0,
        "hundred" => 100.0,
        _ => return None,
    })
}

/// The value of a fraction word.
pub fn fraction_word(word: &str) -> Option<f64> {
    Some(match word {
        "half" | "halves" => 0.5,
        "third" | "thirds" => 1.0 / 3.0,
        "quarter" | "quarters" | "fourth" | "fourths" => 0.25,
        "fifth" | "fifths" => 0.2,
        "sixth" | "sixths" => 1.0 / 6.0,
        "eighth" | "eighths" => 0.125,
        "tenth" | "tenths" => 0.1,
        "twelfth" | "twelfths" => 1.0 / 12.0,
        "sixteenth" => 1.0 / 16.0,
        _ => return None,
    })
}
