//! The rows of a food's portions, parsed. Thousands of foods share a few thousand texts, so that each is parsed once and
//! kept.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foods::text::words;
use foods::{Food, unit};

use crate::lexicon::{TableTrait, table_traits, table_words};

/// The most texts that are kept; the plain foods have fewer than five thousand.
const MAX_TEXTS: usize = 8_192;
/// The most amounts of a row: "1 large piece or 2 squares" are two.
const MAX_AMOUNTS: usize = 4;

/// The main part of a plate weighs at least so much, and has at least so much protein in 100 g.
const MIN_MAIN: f64 = 45.0;
const MIN_PROTEIN_OF_MAIN: f64 = 11.0;

/// The text of a row, parsed.
#[derive(Debug)]
struct RowText {
    words: Vec<String>,
    amount: f32,
    unit: String,
    /// What else the row counts: a strip and a finger in "1 tender, strip, or finger".
    other_units: Vec<String>,
    /// It is an amount that people eat, and not help for interviewers.
    is_eaten: bool,
    /// The words that name a product: those of "1 Snapple bottle".
    proper: Vec<String>,
    /// The amounts of a row that has several, and where each is.
    amounts: Vec<(Range<usize>, Arc<RowText>)>,
}

/// The texts that were parsed before.
#[derive(Debug, Default)]
pub(crate) struct RowCache {
    known: HashMap<String, Arc<RowText>>,
}

/// A row of a food's portions, or one amount of it.
#[derive(Clone, Debug)]
pub(super) struct PortionRow<'a> {
    pub text: &'a str,
    pub grams: f32,
    read: Arc<RowText>,
}

/// The portions of a food.
#[derive(Debug)]
pub(crate) struct PortionTable<'a> {
    pub(super) food: &'a Food,
    rows: Vec<PortionRow<'a>>,
    named: OnceCell<Vec<String>>,
}

impl<'a> PortionTable<'a> {
    /// Parses the rows of a food.
    pub fn new(food: &'a Food, texts: &mut RowCache) -> Self {
        let row = |portion: &'a foods::Portion| {
            let text = portion.text.as_str();
            PortionRow { text, grams: portion.grams, read: texts.read(text) }
        };
        Self { food, rows: food.portions.iter().map(row).collect(), named: OnceCell::new() }
    }

    /// Returns all rows.
    pub(super) fn all(&self) -> impl Iterator<Item = &PortionRow<'a>> {
        self.rows.iter()
    }

    /// Returns the rows that people eat.
    pub(super) fn eaten(&self) -> impl Iterator<Item = &PortionRow<'a>> + Clone {
        self.rows.iter().filter(|row| row.grams > 0.0 && row.read.is_eaten)
    }

    /// Returns the rows that people eat, those with several amounts split: "1 large piece or 2 squares".
    pub(super) fn split(&self) -> impl Iterator<Item = PortionRow<'a>> {
        self.eaten().flat_map(|row| {
            let own = row.read.amounts.is_empty().then(|| row.clone());
            let parts = row.read.amounts.iter().map(|(range, read)| PortionRow {
                text: &row.text[range.clone()],
                grams: row.grams,
                read: Arc::clone(read),
            });
            own.into_iter().chain(parts)
        })
    }

    /// Checks whether the table measures the food in fluid ounces.
    pub(crate) fn is_drink(&self) -> bool {
        self.rows.iter().any(|row| row.unit() == "fl oz")
    }

    /// Checks whether the name of the food says that something is on another: "Beans on toast".
    pub(super) fn is_on_something(&self) -> bool {
        self.food.name.contains(" on ")
    }

    /// Checks whether the food is the main part of a plate, which has its vegetables beside it: meat, fish, eggs.
    pub(super) fn is_main(&self, grams: f64) -> bool {
        const HOLDS: [TableTrait; 4] = [TableTrait::Bread, TableTrait::Filled, TableTrait::Salad, TableTrait::Sandwich];
        let is_held = HOLDS.iter().any(|what| table_words(*what).any(|name| self.is_named(name)));
        grams >= MIN_MAIN && self.food.macros(100.0).protein >= MIN_PROTEIN_OF_MAIN && !is_held
    }

    /// Checks whether the name of the food has a word.
    pub(super) fn is_named(&self, word: &str) -> bool {
        self.named.get_or_init(|| words(&self.food.name)).iter().any(|known| known == word)
    }
}

impl PortionTable<'_> {
    /// Checks whether a word is in the text because it is in the name of the food: "medium crust" is not a medium piece, but
    /// a "medium pizza" is, even if the name has a medium crust too.
    pub(super) fn is_of_name(&self, word: &str, is_said: impl Fn(&str) -> bool) -> bool {
        let named = self.named.get_or_init(|| words(&self.food.name));
        let mut places = (0..named.len()).filter(|&at| named[at] == word);
        let is_size = table_traits(word).has(TableTrait::PlainSize);
        places.any(|at| !is_size || named.get(at + 1).is_none_or(|next| is_said(next)))
    }
}

impl PortionRow<'_> {
    pub fn words(&self) -> &[String] {
        &self.read.words
    }

    pub fn amount(&self) -> f32 {
        self.read.amount
    }

    pub fn unit(&self) -> &str {
        &self.read.unit
    }

    /// Returns everything that the row counts one of.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        // "1/2 pepper with filling" counts peppers.
        let unit = self.read.unit.split(" with ").next().unwrap_or("");
        unit.split(" or ").chain(self.read.other_units.iter().map(String::as_str))
    }

    /// Returns the words that name a product.
    pub fn proper(&self) -> &[String] {
        &self.read.proper
    }
}

impl RowCache {
    fn read(&mut self, text: &str) -> Arc<RowText> {
        if let Some(known) = self.known.get(text) {
            return Arc::clone(known);
        }
        if self.known.len() >= MAX_TEXTS {
            self.known.clear();
        }
        let read = Arc::new(RowText::new(text));
        self.known.insert(text.to_owned(), Arc::clone(&read));
        read
    }
}

impl RowText {
    fn new(text: &str) -> Self {
        let measure = unit::measure(text);
        let starts = |start: &str| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        let is_proper = |word: &&str| word.starts_with(char::is_uppercase) && !matches!(*word, "NFS" | "NS" | "NLEA");
        Self {
            words: words(text),
            amount: measure.amount,
            other_units: other_units(text, &measure.unit),
            unit: measure.unit,
            is_eaten: !starts("guideline") && !starts("quantity not"),
            proper: text.split_whitespace().filter(is_proper).flat_map(words).collect(),
            amounts: amounts(text),
        }
    }
}

/// Returns what else a row counts that lists it with commas and "or".
fn other_units(text: &str, unit: &str) -> Vec<String> {
    let listed = text.split('(').next().and_then(|text| text.split_once(", or "));
    let Some((listed, last)) = listed else { return Vec::new() };
    let others = listed.split(", ").skip(1).chain([last]);
    others.map(|other| unit::measure(other).unit).filter(|other| other != unit).collect()
}

/// Returns the amounts of a row that has several.
fn amounts(text: &str) -> Vec<(Range<usize>, Arc<RowText>)> {
    // Inside brackets are two units of one amount: "1 bottle (16.9 fl oz or 500 ml)".
    if text.contains('(') {
        return Vec::new();
    }
    let parts: Vec<&str> = text.split(" or ").take(MAX_AMOUNTS).collect();
    if parts.len() < 2 || !parts.iter().all(|part| part.starts_with(|c: char| c.is_ascii_digit())) {
        return Vec::new();
    }
    let mut start = 0;
    let ranges = parts.into_iter().map(|part| {
        let range = start..start + part.len();
        start = range.end + " or ".len();
        (range, Arc::new(RowText::new(part)))
    });
    ranges.collect()
}
