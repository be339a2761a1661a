//! What the names of the catalog's foods tell before anybody has asked: which word says what the food is, which words
//! are said not to be there, which follow each other, and what each costs when it is not said.

use std::collections::HashMap;

use foods::catalog::{Layer, NameOfFood, WordOfName};
use foods::search::entry::Zone;
use foods::text::{singular, words};

use super::weights::Weights;
use crate::lexicon::{Lexicon, Role};

/// The word that says what a food is: the last of the main part.
pub fn head_of(name: &NameOfFood) -> u32 {
    name.words.iter().take_while(|word| word.zone == Zone::Main).last().map_or(u32::MAX, |word| word.word)
}

/// Whether a name is something else without its last word: spaghetti sauce is, but not "pasta with meat", and not
/// "fig bar cookie", which the tables call "Cookie, fig bar".
pub fn is_compound(layer: &Layer, name: &NameOfFood) -> bool {
    let main = name.words.iter().filter(|word| word.zone == Zone::Main).count();
    main > 1
        && layer.names_of(name.food).is_some_and(|(own, publisher)| {
            !has_addition(own) && !publisher.is_some_and(|publisher| is_moved(own, publisher))
        })
}

/// What a word of the main part costs.
pub const MAIN_COST: f32 = 0.5;

/// Whether the first word of a compound is part of what it is: tables say "Rice, white" but "White pizza", so that white
/// rice is rice and white pizza is not any pizza.
pub fn is_class(layer: &Layer, name: &NameOfFood) -> bool {
    let Some(first) = name.words.first().filter(|word| word.zone == Zone::Main && word.cost < MAIN_COST) else {
        return false;
    };
    let Some((own, publisher)) = layer.names_of(name.food) else { return false };
    let main = publisher.unwrap_or(own).split([',', '(']).next().unwrap_or("");
    main.trim_end().split_once(' ').is_some_and(|(word, _)| layer.word(&word.to_lowercase()) == Some(first.word))
}

/// Whether the class that a publisher begins with stands at the end of our name: "Cookie, fig bar", "Fig bar cookie".
fn is_moved(own: &str, publisher: &str) -> bool {
    let main = own.split([',', '(']).next().unwrap_or("").trim_end();
    let class = publisher.split([',', '(']).next().unwrap_or("").trim_end();
    let start = main.len().saturating_sub(class.len());
    !class.is_empty() && start > 0 && main.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(class))
}

/// Whether a name tells what is added.
fn has_addition(name: &str) -> bool {
    [" with ", " made ", " from ", " in ", " on ", " for ", " and "].iter().any(|word| name.contains(word))
}

/// The words of a food's names that are one of several: of "Chicken or turkey" people say one.
pub fn alternatives(layer: &Layer, food: u32) -> Vec<u32> {
    let Some((own, publisher)) = layer.names_of(food) else { return Vec::new() };
    let mut out = Vec::new();
    for name in std::iter::once(own).chain(publisher) {
        if !name.contains(" or ") && !name.contains('/') {
            continue;
        }
        let parts: Vec<&str> = name.split(['/', ' ']).collect();
        let number = |part: &str| words(part).first().and_then(|word| layer.word(word));
        let mut places: Vec<usize> = (1..parts.len()).filter(|&at| parts[at] == "or").collect();
        if name.contains('/') {
            places.extend((1..parts.len()).filter(|&at| name.contains(&format!("{}/{}", parts[at - 1], parts[at]))));
        }
        for at in places {
            let is_or = parts[at] == "or";
            let (before, after) = if is_or { (at - 1, at + 1) } else { (at - 1, at) };
            out.extend([before, after].into_iter().filter_map(|at| parts.get(at).and_then(|part| number(part))));
            // "Burrito, taco, or quesadilla": so is what stands before the commas.
            let mut listed = before;
            while is_or && listed > 0 && parts[before].ends_with(',') && parts[listed - 1].ends_with(',') {
                listed -= 1;
                out.extend(number(parts[listed]));
            }
        }
    }
    out
}

/// Words of categories that tell nothing.
const IDLE: &[&str] =
    &["excludes", "single", "code", "other", "mixed", "dish", "food", "not", "included", "ns", "baby", "product"];

/// The words of each food's category, by the category: a "sandwich" may be called "Sausage on biscuit".
#[derive(Debug, Default)]
pub struct Categories {
    known: HashMap<String, Vec<u32>>,
}

impl Categories {
    /// The words of the category of a food.
    pub fn words_of(&mut self, layer: &Layer, food: u32) -> &[u32] {
        let category = layer.category_of(food).unwrap_or("");
        if !self.known.contains_key(category) {
            let said = category.split_once("excludes").map_or(category, |(before, _)| before);
            let words = words(said).into_iter().filter(|word| !IDLE.contains(&word.as_str()));
            self.known.insert(category.to_owned(), words.filter_map(|word| layer.word(&word)).collect());
        }
        self.known.get(category).map_or(&[], Vec::as_slice)
    }
}

/// The share of the names with a word in which it says what the food is.
pub fn head_shares(names: &[NameOfFood], counts: &[u32]) -> Vec<f32> {
    let mut heads = vec![0.0f32; counts.len()];
    for head in names.iter().map(head_of) {
        if let Some(share) = heads.get_mut(head as usize) {
            *share += 1.0 / counts[head as usize].max(1) as f32;
        }
    }
    heads
}

/// How many names have one word right behind another.
pub fn pairs(names: &[NameOfFood]) -> HashMap<(u32, u32), u32> {
    let mut pairs = HashMap::new();
    for two in names.iter().flat_map(|name| name.words.windows(2)) {
        *pairs.entry((two[0].word, two[1].word)).or_default() += 1;
    }
    pairs
}

/// What each word costs when it is not said, of what it would by its place: words that need not be said need not be
/// missed either.
pub fn unsaid_scales(layer: &Layer, lexicon: &Lexicon, weights: &Weights, words: usize) -> Vec<f32> {
    let mut scales = vec![1.0f32; words];
    let number = |word: &str| layer.word(&singular(word));
    for word in lexicon.words_with(Role::Optional).filter_map(number) {
        scales[word as usize] = weights.optional;
    }
    for word in lexicon.words_with(Role::Provenance).filter_map(number) {
        scales[word as usize] = weights.provenance;
    }
    for word in lexicon.words_with(Role::Unusual).filter_map(number) {
        scales[word as usize] = weights.unusual;
    }
    scales
}

/// The words by which names deny others.
#[derive(Debug)]
pub struct Denials {
    /// "no", "without", "than": what follows is not there.
    before: Vec<u32>,
    /// "free": what precedes is not there.
    after: Option<u32>,
    not: Option<u32>,
    eaten: Option<u32>,
    added: Option<u32>,
}

impl Denials {
    /// Looks the words up.
    pub fn new(layer: &Layer) -> Self {
        let before = ["no", "without", "than"].iter().filter_map(|word| layer.word(word)).collect();
        let word = |word: &str| layer.word(word);
        Self { before, after: word("free"), not: word("not"), eaten: word("eaten"), added: word("added") }
    }

    /// Whether a name denies its word at a place: "no added fat", "skin not eaten", "caffeine free".
    pub fn denies(&self, words: &[WordOfName], place: usize) -> bool {
        let at = |place: Option<usize>| place.and_then(|place| words.get(place)).map(|word| word.word);
        let is = |place: Option<usize>, word: Option<u32>| word.is_some() && at(place) == word;
        let opens = |place: Option<usize>| at(place).is_some_and(|word| self.before.contains(&word));
        let (one_before, two_before) = (place.checked_sub(1), place.checked_sub(2));
        opens(one_before)
            || opens(two_before) && is(one_before, self.added)
            || is(Some(place + 1), self.after)
            || is(one_before, self.not) && !is(Some(place), self.eaten)
            || is(Some(place + 1), self.not) && is(Some(place + 2), self.eaten)
    }
}
