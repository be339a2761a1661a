//! Several photos of one meal: which sightings are views of the same thing.

use nutrition::sighting::{Guess, PhotoSightings, Sighting};

use crate::lexicon::{Role, roles_in_any_language};
use crate::read::token::Token;

/// Guesses that are compared: among them the right one usually is.
const COMPARED: usize = 3;

/// What the words say of the photos.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Same,
    Different,
}

/// The things that photos show, each once, with the number of its photo. `is_known` tells which bar codes the catalog
/// has.
pub(crate) fn views<'a>(
    photos: &'a [(usize, &'a PhotoSightings)],
    words: &[Token],
    is_known: impl Fn(u64) -> bool,
) -> Vec<(usize, &'a Sighting)> {
    let told = told(words);
    let mut seen: Vec<(usize, &Sighting)> = Vec::new();
    for (number, photo) in photos {
        for sighting in of_photo(photo, &is_known) {
            let is_view = |(other, known): &(usize, &Sighting)| {
                other != number && told != Told::Different && is_same(known, sighting, told == Told::Same)
            };
            match seen.iter().position(is_view) {
                // The product has a name and portions, the label only numbers.
                Some(at) if matches!(sighting, Sighting::Barcode(_)) => seen[at] = (*number, sighting),
                Some(at) if confidence(sighting) > confidence(seen[at].1) => seen[at] = (*number, sighting),
                Some(_) => {}
                None => seen.push((*number, sighting)),
            }
        }
    }
    seen
}

/// What counts of one photo: a package is what is printed on it, not what it looks like.
fn of_photo<'a>(photo: &'a PhotoSightings, is_known: &impl Fn(u64) -> bool) -> Vec<&'a Sighting> {
    let is_code = |sighting: &&Sighting| matches!(sighting, Sighting::Barcode(gtin) if is_known(*gtin));
    let is_label = |sighting: &&Sighting| matches!(sighting, Sighting::Label(_));
    let codes: Vec<&Sighting> = photo.iter().filter(is_code).collect();
    if !codes.is_empty() {
        return codes;
    }
    let labels: Vec<&Sighting> = photo.iter().filter(is_label).collect();
    if !labels.is_empty() {
        return labels;
    }
    photo.iter().filter(|sighting| matches!(sighting, Sighting::Dish { .. })).collect()
}

fn told(words: &[Token]) -> Told {
    let has = |role: Role| words.iter().filter_map(Token::word).any(|word| roles_in_any_language(word).has(role));
    if has(Role::SameView) {
        Told::Same
    } else if has(Role::DifferentView) {
        Told::Different
    } else {
        Told::Nothing
    }
}

/// Whether two photos show one thing.
fn is_same(one: &Sighting, other: &Sighting, is_told: bool) -> bool {
    match (one, other) {
        (Sighting::Barcode(one), Sighting::Barcode(other)) => one == other,
        (Sighting::Label(one), Sighting::Label(other)) => is_told || one.facts == other.facts,
        // The two sides of one package.
        (Sighting::Barcode(_), Sighting::Label(_)) | (Sighting::Label(_), Sighting::Barcode(_)) => true,
        (Sighting::Dish { guesses: one, .. }, Sighting::Dish { guesses: other, .. }) => {
            let compared = if is_told { usize::MAX } else { COMPARED };
            let has = |list: &[Guess], words: &str| list.iter().take(compared).any(|guess| guess.words == words);
            let best = |list: &[Guess]| list.first().map(|guess| guess.words.clone()).unwrap_or_default();
            has(one, &best(other)) || has(other, &best(one))
        }
        _ => false,
    }
}

fn confidence(sighting: &Sighting) -> f32 {
    match sighting {
        Sighting::Barcode(_) => 2.0,
        Sighting::Label(_) => 1.0,
        Sighting::Dish { guesses, .. } => guesses.first().map_or(0.0, |guess| guess.confidence),
    }
}
