//! What the names of the catalog's foods say before there is a text: which word is the head, which words are denied, which
//! follow each other, and what each costs if a phrase lacks it.

use std::collections::HashMap;

use foods::catalog::{FoodName, Layer, NameWord};
use foods::index::{MAIN_COST, Zone};
use foods::text::{singular, words};

use super::states::StateWords;
use super::weights::LinkWeights;
use crate::lexicon::{
    GrammarPhrase, Lexicon, Role, Roles, TableTrait, roles_in_any_language, table_traits, table_words,
};

/// What announces that something was added.
const ADDS: Roles = Roles::of(&[Role::And, Role::With, Role::On, Role::In, Role::Aside, Role::Made]);

/// Returns the inverse document frequency of each word, scaled to at most 1, from the number of names that have it.
pub(crate) fn idf(counts: &[u32], names: usize) -> Vec<f32> {
    let total = names.max(2) as f32;
    let idf = |&count: &u32| ((total / (count as f32 + 0.5)).ln() / total.ln()).clamp(0.1, 1.0);
    counts.iter().map(idf).collect()
}

/// Adds to each word the number of names that have it.
pub(crate) fn count_words<'a>(names: impl IntoIterator<Item = &'a FoodName>, counts: &mut [u32]) {
    for word in names.into_iter().flat_map(|name| &name.words) {
        counts[word.word as usize] += 1;
    }
}

/// Takes out of names what the food is only meant for: "Spinach, for use on a sandwich" is no sandwich.
pub(crate) fn drop_purposes(layer: &Layer, names: &mut [FoodName]) {
    let purposes: Vec<u32> = table_words(TableTrait::Purpose).filter_map(|word| layer.word(word)).collect();
    for name in names {
        let purpose = name.words.iter().position(|word| purposes.contains(&word.word));
        name.words.truncate(purpose.map_or(name.words.len(), |at| at + 1));
    }
}

/// Takes out the names that only say how a food may be cooked, which tables list under it: bean curd is "stir-fried" there.
pub(crate) fn drop_ways_to_cook(layer: &Layer, names: &mut Vec<FoodName>) {
    let states = StateWords::new(layer);
    names.retain(|name| {
        let is_cooked = head_of(name).is_some_and(|head| states.has(head));
        !is_cooked || shares_word_with_title(layer, name)
    });
}

/// Checks whether a name has a word of the food's own name or of the publisher's.
fn shares_word_with_title(layer: &Layer, name: &FoodName) -> bool {
    let Some((own, publisher)) = layer.names_of(name.food) else { return true };
    let titles = std::iter::once(own).chain(publisher).flat_map(words);
    titles.filter_map(|word| layer.word(&word)).any(|word| name.words.iter().any(|known| known.word == word))
}

/// Returns the head of a name, the word that says what the food is: the last one of the main part.
pub(crate) fn head_of(name: &FoodName) -> Option<u32> {
    name.words.iter().take_while(|word| word.zone == Zone::Main).last().map(|word| word.word)
}

/// Returns the head of the own name of a food: the last word before what was added, the "stroganoff" of "beef stroganoff with
/// noodles".
pub(crate) fn head_before_additions(layer: &Layer, food: u32) -> Option<u32> {
    let (own, _) = layer.names_of(food)?;
    let is_joint = |word: &&str| roles_in_any_language(word).any(ADDS);
    let main: Vec<&str> = main_part(own).split(' ').collect();
    let before = main.iter().position(is_joint).filter(|at| *at > 0).unwrap_or(main.len());
    words(main.get(..before)?.last()?).last().and_then(|word| layer.word(word))
}

/// Checks whether a name is a compound, which is another food without its head: "spaghetti sauce".
pub(crate) fn is_compound(layer: &Layer, name: &FoodName) -> bool {
    let main = name.words.iter().filter(|word| word.zone == Zone::Main).count();
    main > 1 && layer.names_of(name.food).is_some_and(|(own, publisher)| is_compound_name(own, publisher))
}

/// Checks whether the last word of a name makes it another food. It does not if the name lists what is added ("pasta with
/// meat"), nor if the publisher has the class in front ("Cookie, fig bar" for "Fig bar cookie").
fn is_compound_name(own: &str, publisher: Option<&str>) -> bool {
    !has_addition(own) && !publisher.is_some_and(|publisher| has_class_moved_to_end(own, publisher))
}

/// Checks whether a name says what was added.
pub(crate) fn has_addition(name: &str) -> bool {
    name.split(' ').skip(1).any(|word| roles_in_any_language(word).any(ADDS))
}

/// Checks whether our name ends with the class that the publisher's name begins with.
fn has_class_moved_to_end(own: &str, publisher: &str) -> bool {
    let main = main_part(own);
    let class = main_part(publisher);
    let start = main.len().saturating_sub(class.len());
    !class.is_empty() && start > 0 && main.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(class))
}

/// Returns what is before the first comma or bracket of a name.
fn main_part(name: &str) -> &str {
    name.split([',', '(']).next().unwrap_or("").trim_end()
}

/// Checks whether the first word of a compound is part of what the food is. Tables say "Rice, white" but "White pizza", so
/// that white rice is rice, and white pizza is not just any pizza.
pub(crate) fn is_class(layer: &Layer, name: &FoodName) -> bool {
    let Some(first) = name.words.first().filter(|word| word.zone == Zone::Main && word.cost < MAIN_COST) else {
        return false;
    };
    let Some((own, publisher)) = layer.names_of(name.food) else { return false };
    let opening = first_of_several_words(publisher.unwrap_or(own));
    opening.is_some_and(|word| layer.word(&word.to_lowercase()) == Some(first.word))
}

/// Returns the first word of the main part of a name that has several.
fn first_of_several_words(name: &str) -> Option<&str> {
    main_part(name).split_once(' ').map(|(first, _)| first)
}

/// Returns the words of a food's names that are one of several: people say one of "Chicken or turkey".
pub(crate) fn alternatives(layer: &Layer, food: u32) -> Vec<u32> {
    let Some((own, publisher)) = layer.names_of(food) else { return Vec::new() };
    let names = std::iter::once(own).chain(publisher);
    let number = |part: &str| words(part).first().and_then(|word| layer.word(word));
    names.flat_map(alternatives_in).filter_map(number).collect()
}

/// Returns the words of a name that "or" or a slash separates.
fn alternatives_in(name: &str) -> Vec<&str> {
    let mut out = Vec::new();
    if !name.contains(" or ") && !name.contains('/') {
        return out;
    }
    let parts: Vec<&str> = name.split(['/', ' ']).collect();
    for at in (1..parts.len()).filter(|&at| parts[at] == "or") {
        out.push(parts[at - 1]);
        out.extend(parts.get(at + 1));
        // "Burrito, taco, or quesadilla": so are the words before the commas.
        let listed = parts[..at].iter().rev().take_while(|part| part.ends_with(','));
        out.extend(listed.skip(1));
    }
    let is_slashed = |at: &usize| name.contains(&format!("{}/{}", parts[at - 1], parts[*at]));
    for at in (1..parts.len()).filter(|_| name.contains('/')).filter(is_slashed) {
        out.extend([parts[at - 1], parts[at]]);
    }
    out
}

/// Returns for each name the words that only its category has: a "sandwich" may be called "Sausage on biscuit".
pub(crate) fn category_words(layer: &Layer, names: &[FoodName]) -> Vec<Vec<u32>> {
    let mut known: HashMap<&str, Vec<u32>> = HashMap::new();
    let mut words_of = |name: &FoodName| -> Vec<u32> {
        let category = layer.category_of(name.food).unwrap_or("");
        let words = known.entry(category).or_insert_with(|| words_of_category(layer, category));
        words.iter().copied().filter(|class| !name.words.iter().any(|word| word.word == *class)).collect()
    };
    names.iter().map(&mut words_of).collect()
}

fn words_of_category(layer: &Layer, category: &str) -> Vec<u32> {
    let included = category.split_once("excludes").map_or(category, |(before, _)| before);
    let words = words(included).into_iter().filter(|word| !table_traits(word).has(TableTrait::CategoryNoise));
    words.filter_map(|word| layer.word(&word)).collect()
}

/// Returns for each word the share of the names with it whose head it is.
pub(crate) fn head_shares(names: &[FoodName], counts: &[u32]) -> Vec<f32> {
    let mut shares = vec![0.0f32; counts.len()];
    for head in names.iter().filter_map(head_of) {
        if let Some(share) = shares.get_mut(head as usize) {
            *share += 1.0 / counts[head as usize].max(1) as f32;
        }
    }
    shares
}

/// Counts for each two words the names that have one right behind the other.
pub(crate) fn pairs(names: &[FoodName]) -> HashMap<(u32, u32), u32> {
    let mut pairs = HashMap::new();
    for two in names.iter().flat_map(|name| name.words.windows(2)) {
        *pairs.entry((two[0].word, two[1].word)).or_default() += 1;
    }
    pairs
}

/// Returns the factor of each word on the penalty for a phrase that lacks it.
pub(crate) fn extra_word_scales(layer: &Layer, lexicon: &Lexicon, weights: &LinkWeights, words: usize) -> Vec<f32> {
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
pub(crate) struct Denials {
    /// "no", "without": what follows is denied.
    before: Vec<u32>,
    /// "other than".
    phrases: Vec<Vec<u32>>,
    /// "free": what precedes is denied.
    after: Vec<u32>,
    not: Vec<u32>,
    eaten: Vec<u32>,
    added: Vec<u32>,
}

impl Denials {
    /// Looks up the words.
    pub fn new(layer: &Layer, lexicon: &Lexicon) -> Self {
        let numbers =
            |role: Role| -> Vec<u32> { lexicon.words_with(role).filter_map(|word| layer.word(word)).collect() };
        let phrase = |phrase: &GrammarPhrase| phrase.words.iter().map(|word| layer.word(word)).collect();
        Self {
            before: numbers(Role::Denial),
            phrases: lexicon.phrases_with(Role::Denial).filter_map(phrase).collect(),
            after: numbers(Role::Free),
            not: numbers(Role::Not),
            eaten: numbers(Role::Eaten),
            added: numbers(Role::Added),
        }
    }

    /// Checks whether a name denies its word at a position: "no added fat", "skin not eaten", "caffeine free".
    pub fn denies(&self, words: &[NameWord], place: usize) -> bool {
        let at = |place: Option<usize>| place.and_then(|place| words.get(place)).map(|word| word.word);
        let is = |place: Option<usize>, known: &[u32]| at(place).is_some_and(|word| known.contains(&word));
        let ends = |phrase: &Vec<u32>, end: usize| {
            let start = (end + 1).checked_sub(phrase.len());
            start.is_some_and(|start| (start..=end).zip(phrase).all(|(place, known)| at(Some(place)) == Some(*known)))
        };
        let opens = |place: Option<usize>| {
            is(place, &self.before) || place.is_some_and(|end| self.phrases.iter().any(|phrase| ends(phrase, end)))
        };
        let (one_before, two_before) = (place.checked_sub(1), place.checked_sub(2));
        opens(one_before)
            || opens(two_before) && is(one_before, &self.added)
            || is(Some(place + 1), &self.after)
            || is(one_before, &self.not) && !is(Some(place), &self.eaten)
            || is(Some(place + 1), &self.not) && is(Some(place + 2), &self.eaten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_are_other_foods_without_their_head() {
        for (own, publisher, expected) in [
            ("Spaghetti sauce", None, true),
            ("Pasta with meat", None, false),
            ("Rice cooked in broth", None, false),
            ("Fig bar cookie", Some("Cookie, fig bar"), false),
            ("Fig bar cookie", Some("Fig bar, cookie"), true),
            ("Cookie", Some("Cookie"), true),
        ] {
            assert_eq!(is_compound_name(own, publisher), expected, "{own} of {publisher:?}");
        }
    }

    #[test]
    fn the_first_of_several_words_of_the_main_part() {
        for (name, expected) in [
            ("White pizza, thin crust", Some("White")),
            ("Rice, white, cooked", None),
            ("Yogurt (plain) with fruit", None),
            ("", None),
        ] {
            assert_eq!(first_of_several_words(name), expected, "{name}");
        }
    }

    #[test]
    fn alternatives_are_what_or_and_slashes_separate() {
        for (name, expected) in [
            ("Chicken or turkey, roasted", vec!["Chicken", "turkey,"]),
            ("Burrito, taco, or quesadilla", vec!["taco,", "quesadilla", "Burrito,"]),
            ("Half/half cream", vec!["Half", "half"]),
            ("Chicken, roasted", vec![]),
        ] {
            assert_eq!(alternatives_in(name), expected, "{name}");
        }
    }

    #[test]
    fn rare_words_have_a_high_idf() {
        let idf = idf(&[1, 100, 5_000, 0], 10_000);
        assert!(idf[0] > idf[1] && idf[1] > idf[2], "{idf:?}");
        assert!((idf[3] - 1.0).abs() < 1e-6 && idf[2] >= 0.1, "{idf:?}");
    }
}
