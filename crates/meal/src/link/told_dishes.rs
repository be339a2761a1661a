//! Dishes that are told by what they are mostly made of, and more: "a smoothie with banana, milk and spinach" is these three.

use super::mention::Mention;
use crate::lexicon::Measure;
use crate::read::segment::Joint;

/// Fewer foods behind a dish are additions to it.
const MIN_LISTED: usize = 2;
/// Longer lists are cut, so that the time for a text with thousands of dishes stays linear.
const MAX_LISTED: usize = 16;

/// Checks whether a food was weighed or measured, as for a recipe.
fn is_measured(mention: &Mention) -> bool {
    let is_exact = matches!(mention.quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)));
    is_exact && mention.quantity.is_explicit()
}

/// Removes the first of two mentions of one food, if only the second says how much of it: "Jif - creamy peanut butter, 2 tbsp".
pub(crate) fn drop_repeated(mentions: Vec<Mention>) -> Vec<Mention> {
    let food_of = |mention: &Mention| mention.links.first().map(|link| link.food);
    let mut kept: Vec<Mention> = Vec::with_capacity(mentions.len());
    for mut mention in mentions {
        let is_set_off = matches!(mention.joint, Joint::Comma | Joint::Amount);
        let is_repeated = |before: &mut Mention| {
            before.quantity.is_empty() && food_of(before).is_some() && food_of(before) == food_of(&mention)
        };
        if is_set_off
            && is_measured(&mention)
            && let Some(before) = kept.pop_if(is_repeated)
        {
            mention.joint = before.joint;
        }
        kept.push(mention);
    }
    kept
}

/// Removes the dishes whose lists tell all of them. `is_base` checks whether a food is what a dish is mostly made of.
pub(crate) fn drop_told_dishes(mentions: Vec<Mention>, is_base: impl Fn(&Mention, &Mention) -> bool) -> Vec<Mention> {
    let is_listed = |at: usize, mention: &Mention| match mention.joint {
        Joint::With | Joint::Bracket => true,
        // "porridge from 40 g oats".
        Joint::Preposition => mention.quantity.is_explicit(),
        // "trail mix, 20 g almonds, 20 g raisins".
        Joint::And | Joint::Comma | Joint::Amount => at > 0 || is_measured(mention),
        _ => false,
    };
    let is_told = |at: usize| {
        let dish = &mentions[at];
        let listed =
            mentions[at + 1..].iter().take(MAX_LISTED).enumerate().take_while(|(at, mention)| is_listed(*at, mention));
        let listed: Vec<&Mention> = listed.map(|(_, mention)| mention).filter(|food| !food.links.is_empty()).collect();
        // What is weighed is all of it: "porridge made with 40 g oats".
        let is_all = |food: &&Mention| matches!(food.quantity.measure, Some(Measure::Mass(_)));
        let mut bases = listed.iter().filter(|food| is_base(dish, food));
        !dish.quantity.is_explicit() && bases.any(|food| listed.len() >= MIN_LISTED || is_all(food))
    };
    let told: Vec<bool> = (0..mentions.len()).map(is_told).collect();
    let mut dish_joint = None;
    let mut kept = Vec::with_capacity(mentions.len());
    for (mut mention, is_told) in mentions.into_iter().zip(told) {
        if is_told {
            dish_joint = Some(mention.joint);
            continue;
        }
        if let Some(joint) = dish_joint.take() {
            mention.joint = joint;
        }
        kept.push(mention);
    }
    kept
}
