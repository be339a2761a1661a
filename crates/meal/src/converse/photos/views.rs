//! Several photos of one meal: which sightings are views of the same thing.

use nutrition::sighting::{Guess, PhotoSightings, Sighting};

use crate::lexicon::{Role, roles_in_any_language};
use crate::read::token::Token;

/// The most guesses that are compared; the right one is usually among them.
const MAX_COMPARED: usize = 3;

/// What the words say about several photos.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PhotosShow {
    Nothing,
    Same,
    Different,
}

/// Returns the things that photos show, each once, with the number of its photo. `is_known` checks whether the catalog has a
/// bar code.
pub(crate) fn views<'a>(
    photos: &'a [(usize, &'a PhotoSightings)],
    words: &[Token],
    is_known: impl Fn(u64) -> bool,
) -> Vec<(usize, &'a Sighting)> {
    let show = photos_show(words);
    let mut seen: Vec<(usize, &Sighting)> = Vec::new();
    for (number, photo) in photos {
        for sighting in of_photo(photo, &is_known) {
            let is_view = |(other, known): &(usize, &Sighting)| {
                other != number && show != PhotosShow::Different && is_same(known, sighting, show == PhotosShow::Same)
            };
            match seen.iter().position(is_view) {
                // The product has a name and portions, the label only numbers.
                Some(at) if matches!(sighting, Sighting::Barcode { .. }) => seen[at] = (*number, sighting),
                Some(at) if confidence(sighting) > confidence(seen[at].1) => seen[at] = (*number, sighting),
                Some(_) => {}
                None => seen.push((*number, sighting)),
            }
        }
    }
    seen
}

/// Returns what counts of one photo: a package is what is printed on it, and not what it looks like.
fn of_photo<'a>(photo: &'a PhotoSightings, is_known: &impl Fn(u64) -> bool) -> Vec<&'a Sighting> {
    let is_code = |sighting: &&Sighting| matches!(sighting, Sighting::Barcode { gtin, .. } if is_known(*gtin));
    let is_label = |sighting: &&Sighting| matches!(sighting, Sighting::Label { .. });
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

fn photos_show(words: &[Token]) -> PhotosShow {
    let has = |role: Role| words.iter().filter_map(Token::word).any(|word| roles_in_any_language(word).has(role));
    if has(Role::SameView) {
        PhotosShow::Same
    } else if has(Role::DifferentView) {
        PhotosShow::Different
    } else {
        PhotosShow::Nothing
    }
}

/// Checks whether two photos show one thing; `are_views` if the words say so.
fn is_same(one: &Sighting, other: &Sighting, are_views: bool) -> bool {
    match (one, other) {
        (Sighting::Barcode { gtin: one, .. }, Sighting::Barcode { gtin: other, .. }) => one == other,
        (Sighting::Label { label: one, .. }, Sighting::Label { label: other, .. }) => {
            are_views || one.facts == other.facts
        }
        // The two sides of one package.
        (Sighting::Barcode { .. }, Sighting::Label { .. }) | (Sighting::Label { .. }, Sighting::Barcode { .. }) => true,
        (Sighting::Dish { guesses: one, .. }, Sighting::Dish { guesses: other, .. }) => {
            let compared = if are_views { usize::MAX } else { MAX_COMPARED };
            let has = |list: &[Guess], words: &str| list.iter().take(compared).any(|guess| guess.words == words);
            let best = |list: &[Guess]| list.first().map(|guess| guess.words.clone()).unwrap_or_default();
            has(one, &best(other)) || has(other, &best(one))
        }
        _ => false,
    }
}

fn confidence(sighting: &Sighting) -> f32 {
    match sighting {
        Sighting::Barcode { .. } => 2.0,
        Sighting::Label { .. } => 1.0,
        Sighting::Dish { guesses, .. } => guesses.first().map_or(0.0, |guess| guess.confidence),
    }
}
