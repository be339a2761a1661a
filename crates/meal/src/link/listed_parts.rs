//! Dishes that are told with their parts behind a comma: "bibimbap, beef, egg, rice" is one dish, and of "sunday roast, 4 slices
//! of beef, 3 potatoes, gravy" only the parts are counted.

use foods::catalog::Layer;
use foods::text::words;

use super::composition::{RecipePart, composition_of};
use super::mention::Mention;
use super::own_ingredients::head_of;
use crate::read::segment::Joint;

/// Fewer parts of a dish may as well be eaten beside it: "chicken biryani, rice".
const MIN_LISTED: usize = 2;
/// Longer lists are cut, so that the time for a text with thousands of dishes stays linear.
const MAX_LISTED: usize = 16;
/// The parts of a name, between commas, that say what a food is.
const KIND: usize = 2;
/// With this share of the weight of a dish, or so many foods, a list is all of it.
const MOST: f64 = 0.5;
const MIN_COMPLETE: usize = 4;

/// Removes what is counted twice: the dishes whose parts have amounts of their own, else the parts that only describe a dish.
pub(crate) fn drop_listed_parts(layer: &Layer, mentions: Vec<Mention>) -> Vec<Mention> {
    let mut is_double = vec![false; mentions.len()];
    for at in 0..mentions.len() {
        let list = list_behind(&mentions, at);
        let dish = mentions[at].links.first().filter(|_| !list.is_empty() && !mentions[at].quantity.is_explicit());
        let parts = dish.map(|dish| composition_of(layer, dish.food)).unwrap_or_default();
        if parts.len() < MIN_LISTED {
            continue;
        }
        let own: Vec<Option<usize>> = list.iter().map(|mention| part_of(layer, mention, &parts)).collect();
        let is_listed = |number: &usize| own.contains(&Some(*number));
        let listed: Vec<usize> = (0..parts.len()).filter(is_listed).collect();
        let are_most = own.iter().flatten().count() * 2 >= list.len();
        if listed.len() < MIN_LISTED || !are_most {
            continue;
        }
        let is_measured = list.iter().zip(&own).any(|(mention, own)| own.is_some() && mention.quantity.is_explicit());
        let share: f64 = listed.iter().map(|number| parts[*number].share).sum();
        if is_measured && (share >= MOST || list.len() >= MIN_COMPLETE) {
            is_double[at] = true;
        } else {
            for (behind, (mention, own)) in list.iter().zip(own).enumerate() {
                is_double[at + 1 + behind] |= own.is_some() && !mention.quantity.is_explicit();
            }
        }
    }
    let mut dish_joint = None;
    let mut kept = Vec::with_capacity(mentions.len());
    for (mut mention, is_double) in mentions.into_iter().zip(is_double) {
        if is_double {
            dish_joint = dish_joint.or((mention.joint == Joint::Start).then_some(Joint::Start));
            continue;
        }
        mention.joint = dish_joint.take().unwrap_or(mention.joint);
        kept.push(mention);
    }
    kept
}

/// Returns the foods that are listed behind a mention with commas.
fn list_behind(mentions: &[Mention], at: usize) -> &[Mention] {
    let behind = &mentions[at + 1..];
    let opens = behind.first().is_some_and(|first| matches!(first.joint, Joint::Comma | Joint::Amount));
    let goes_on = |mention: &&Mention| matches!(mention.joint, Joint::Comma | Joint::Amount | Joint::And);
    let listed = behind.iter().take(if opens { MAX_LISTED } else { 0 }).take_while(goes_on).count();
    &behind[..listed]
}

/// Returns which of the parts of a dish a mention is.
fn part_of(layer: &Layer, mention: &Mention, parts: &[RecipePart]) -> Option<usize> {
    let linked = mention.links.first().and_then(|link| layer.names_of(link.food))?;
    let head = head_of(layer, mention)?;
    // The tables put kinds behind: "Cheese, Parmesan, hard".
    let has_word = |part: &RecipePart| {
        part.food.iter().flat_map(|name| name.split(',').take(KIND)).any(|name| words(name).contains(&head))
    };
    parts.iter().position(|part| has_word(part) || part.is_food(linked))
}
