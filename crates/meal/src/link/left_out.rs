//! What was left out of a dish, said behind what comes with it: "a burger with lettuce instead of a bun" has no bun, not the
//! lettuce.

use foods::catalog::Layer;

use super::composition::{RecipePart, composition_of};
use super::mention::Mention;
use crate::lexicon::DishPart;
use crate::read::segment::Joint;

/// The most foods that come with a dish before what it lacks is said.
const MAX_SIDES: usize = 4;

/// Gives parts that were left out to the dishes that have them.
pub(crate) fn give_to_dishes(layer: &Layer, mentions: &mut [Mention], parts: &[DishPart]) {
    for at in 1..mentions.len() {
        let left_out = std::mem::take(&mut mentions[at].without);
        if left_out.is_empty() {
            continue;
        }
        let dishes = dishes_before(layer, &mentions[..=at]);
        for part in left_out {
            let has_part = |dish: &&DishBefore| dish.has(&part, parts);
            let to = dishes.iter().find(has_part).map_or(at, |dish| dish.at);
            mentions[to].without.push(part);
        }
    }
}

/// A mention that may be the dish that something was left out of.
struct DishBefore {
    at: usize,
    words: Vec<String>,
    recipe: Vec<RecipePart>,
}

impl DishBefore {
    /// Checks whether it has a part, by its recipe or as dishes of its name have it.
    fn has(&self, part: &str, parts: &[DishPart]) -> bool {
        parts.iter().any(|known| known.name == part && known.is_of(&self.words))
            || self.recipe.iter().any(|own| own.is_called(part))
    }
}

/// Returns the last mention and those before it, the last first, as long as one came with the other.
fn dishes_before(layer: &Layer, mentions: &[Mention]) -> Vec<DishBefore> {
    let is_beside = |joint: Joint| matches!(joint, Joint::With | Joint::And | Joint::Comma | Joint::Preposition);
    let mut dishes = Vec::new();
    for (at, mention) in mentions.iter().enumerate().rev().take(MAX_SIDES + 1) {
        let words = mention.required_words().into_iter().map(str::to_owned).collect();
        let recipe = mention.links.first().map(|link| composition_of(layer, link.food)).unwrap_or_default();
        dishes.push(DishBefore { at, words, recipe });
        if !is_beside(mention.joint) {
            break;
        }
    }
    dishes
}
