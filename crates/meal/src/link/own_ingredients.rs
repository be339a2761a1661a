//! What a dish is made of anyway: the cheese of a "banitsa with cheese" is in it, and no food beside it. Of a composed dish its
//! parts are known, of a dish of the tables those that its name lists.

use foods::Origin;
use foods::catalog::Layer;
use foods::text::{is_stop_word, raw_words, singular, words};

use super::composition::{RecipePart, composition_of, main_name};
use super::mention::Mention;
use crate::lexicon::{Role, TableTrait, roles_in_any_language, table_traits, table_words};
use crate::read::named_foods::NamedFood;
use crate::read::segment::{Joint, required};

/// What the tables call any meat of a dish.
const MEAT: &str = "meat";
/// Begins a list in the names of the tables.
const INCLUDING: &str = "including";

/// Removes the foods that are listed behind a dish without an amount, and are in the dish.
pub(crate) fn drop_own_ingredients(layer: &Layer, mentions: Vec<Mention>) -> Vec<Mention> {
    let mut kept: Vec<Mention> = Vec::with_capacity(mentions.len());
    // What the dish is made of whose list this is.
    let mut parts: Option<Vec<RecipePart>> = None;
    for mut mention in mentions {
        let opens = matches!(mention.joint, Joint::With | Joint::Preposition);
        // The list may have begun in the name of the dish: "a wrap with chicken, lettuce and ranch".
        let goes_on = matches!(mention.joint, Joint::And | Joint::Comma) && !mention.is_counted();
        if opens && parts.is_none() {
            parts = kept.last().map(|dish| parts_of(layer, dish));
        } else if !matches!(mention.joint, Joint::With | Joint::Preposition | Joint::And | Joint::Comma) {
            parts = None;
        }
        let in_name = kept.last().filter(|_| goes_on && parts.is_none()).map(|dish| listed_in_name_of(layer, dish));
        let is_part = parts.as_ref().or(in_name.as_ref()).is_some_and(|parts| is_one_of(layer, &mention, parts));
        if is_part {
            continue;
        }
        if let Some(dish) = kept.last_mut() {
            let apart = part_told_apart(layer, dish, &mention);
            dish.told_apart.extend(apart);
        }
        if mention.joint == Joint::Preposition && kept.last().is_some_and(|food| is_in(layer, food, &mention)) {
            // "chicken in mole poblano": the dish has it.
            let food = kept.pop();
            mention.joint = food.map_or(mention.joint, |food| food.joint);
        }
        kept.push(mention);
    }
    kept
}

/// Returns the part of a composed dish that a mention tells with an amount of its own: "pav bhaji, 2 pav". It is counted by itself,
/// and not in the dish as well. "And 2 pav" are more of them.
fn part_told_apart(layer: &Layer, dish: &Mention, mention: &Mention) -> Option<String> {
    let is_of_dish = match mention.joint {
        Joint::With | Joint::Amount | Joint::Bracket => !dish.quantity.says_how_much(),
        Joint::Comma => !dish.is_counted(),
        _ => false,
    };
    let is_more = mention.words.iter().any(|word| roles_in_any_language(&word.word).has(Role::Intensifier));
    let head = head_of(layer, mention).filter(|_| is_of_dish && !is_more)?;
    let recipe = composition_of(layer, dish.links.first()?.food);
    let names = mention.links.first().and_then(|link| layer.names_of(link.food));
    let is_meant = |part: &&RecipePart| part.is_called(&head) || names.is_some_and(|names| part.is_food(names));
    let part = recipe.iter().find(|part| is_meant(part) && mention.quantity.is_explicit())?;
    part.main_name.last().cloned()
}

/// Checks whether a food is one of those that a dish is composed of.
fn is_in(layer: &Layer, food: &Mention, dish: &Mention) -> bool {
    let origin = dish.links.first().and_then(|link| layer.origin_of(link.food));
    origin == Some(Origin::Dish) && is_one_of(layer, food, &parts_of(layer, dish))
}

/// Returns what a mentioned dish is made of.
fn parts_of(layer: &Layer, mention: &Mention) -> Vec<RecipePart> {
    let Some(food) = mention.links.first().map(|link| link.food) else { return Vec::new() };
    let Some((name, _)) = layer.names_of(food) else { return Vec::new() };
    let is_meat = |word: &String| table_traits(word).has(TableTrait::Meat);
    if layer.origin_of(food) != Some(Origin::Dish) {
        let mut parts = listed_in(name);
        // "a stuffed pepper with turkey" is one "with meat".
        if parts.iter().any(|part| part.is_called(MEAT)) {
            parts.extend(table_words(TableTrait::Meat).map(RecipePart::of_word));
        }
        return parts;
    }
    let mut parts = composition_of(layer, food);
    // "pad thai with tofu" has it in the place of its own; "butter chicken with lamb" has both.
    if parts.iter().flat_map(|part| &part.main_name).any(is_meat) && !words(name).iter().any(is_meat) {
        parts.extend(table_words(TableTrait::Meat).map(RecipePart::of_word));
    }
    parts
}

/// Returns what the name of a mentioned dish says that it is made with.
fn listed_in_name_of(layer: &Layer, mention: &Mention) -> Vec<RecipePart> {
    let name = mention.links.first().and_then(|link| layer.names_of(link.food));
    name.map(|(name, _)| listed_in(name)).unwrap_or_default()
}

/// Returns what the name of a food of the tables says that it is made with: "chicken in tortilla, with lettuce and cheese, no
/// sauce".
fn listed_in(name: &str) -> Vec<RecipePart> {
    let said = raw_words(name, usize::MAX);
    let has_role = |word: &String, role| roles_in_any_language(word).has(role);
    let from = said.iter().position(|word| has_role(word, Role::With) || word == INCLUDING);
    let listed = from.map_or(&[][..], |from| &said[from + 1..]);
    let end = listed.iter().position(|word| has_role(word, Role::Denial)).unwrap_or(listed.len());
    listed[..end].iter().filter(|word| !is_stop_word(word)).map(|word| RecipePart::of_word(&singular(word))).collect()
}

/// Returns the word that says what a mention is. A word that stands for a food is called as that is.
pub(super) fn head_of(layer: &Layer, mention: &Mention) -> Option<String> {
    let head = &required(&mention.words).next_back()?.word;
    let named = NamedFood::of_word(head).and_then(|named| layer.food(named.food));
    named.map_or_else(|| Some(head.clone()), |food| main_name(&food.name).pop())
}

/// Checks whether a mention without an amount is one of the parts of a dish: bread is not the bread crumbs of a schnitzel.
fn is_one_of(layer: &Layer, mention: &Mention, parts: &[RecipePart]) -> bool {
    let quantity = &mention.quantity;
    // "with oat milk, regular": which one, not how much.
    let has_amount = quantity.is_explicit() || quantity.has_size();
    let said = required(&mention.words).next_back().filter(|_| !has_amount && mention.named.is_none());
    // "A side of" it is beside the dish.
    let head =
        said.and_then(|said| if quantity.is_empty() { head_of(layer, mention) } else { Some(said.word.clone()) });
    let linked = mention.links.first().and_then(|link| layer.names_of(link.food));
    let is_same = |part: &RecipePart| linked.is_some_and(|names| part.is_food(names));
    head.is_some_and(|head| parts.iter().any(|part| part.is_called(&head) || is_same(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_tables_list_parts() {
        let listed = listed_in("Chicken in tortilla, with lettuce, tomatoes and cheese, no sauce");
        assert_eq!(listed, ["lettuce", "tomato", "cheese"].map(RecipePart::of_word));
        assert!(listed_in("Chicken, without skin").is_empty());
    }
}
