//! What was left out of a dish, said behind what comes with it: "a burger with lettuce instead of a bun" has no bun, not the
//! lettuce.

use foods::catalog::Layer;

use super::composition::composed_of;
use super::mention::Mention;
use crate::lexicon::DishPart;
use crate::read::segment::Joint;

/// The most foods that come with a dish before what it lacks is said.
const MAX_SIDES: usize = 4;

/// Gives parts that were left out to the dishes that have them.
pub(crate) fn give_to_dishes(layer: &Layer, mentions: &mut [Mention], parts: &[DishPart]) {
    for at in 1..mentions.len() {
        for denied in std::mem::take(&mut mentions[at].without) {
            let to = dish_with(layer, &denied, &mentions[..=at], parts).unwrap_or(at);
            mentions[to].without.push(denied);
        }
    }
}

/// Returns the place of the dish that a part was left out of: the last one that has such a part, as long as one came with the
/// other.
fn dish_with(layer: &Layer, part: &str, mentions: &[Mention], parts: &[DishPart]) -> Option<usize> {
    let parts: Vec<&DishPart> = parts.iter().filter(|known| known.name == part).collect();
    let is_beside = |joint: Joint| matches!(joint, Joint::With | Joint::And | Joint::Comma | Joint::Preposition);
    for (at, mention) in mentions.iter().enumerate().rev().take(MAX_SIDES + 1) {
        let words: Vec<String> = mention.required_words().into_iter().map(str::to_owned).collect();
        let dish = mention.links.first().and_then(|link| layer.food(link.food));
        let is_composed_with = || dish.is_some_and(|dish| composed_of(&dish).iter().any(|own| own.is_called(part)));
        if parts.iter().any(|part| part.is_of(&words)) || is_composed_with() {
            return Some(at);
        }
        if !is_beside(mention.joint) {
            break;
        }
    }
    None
}
