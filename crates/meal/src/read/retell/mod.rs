//! Telling a text again in plain words, before anything in it is named or split: only what the writer ate, each meal in a
//! sentence of its own, each food with its own amount.

mod brackets;
mod commas;
mod cooking;
mod descriptions;
mod each;
mod eaters;
mod edits;
mod exchanges;
mod factors;
mod fillings;
mod glued;
mod halves;
mod headings;
mod kinds;
mod meals;
mod more;
mod no_names;
mod packages;
mod rolls;
mod seasonings;
mod second_thoughts;
mod servings;
mod sizes;
mod ways;

pub use glued::is_glued;

use super::text::{Text, Uses};
use super::token::Token;
use crate::lexicon::Lexicon;

/// A rule that tells a text again; it returns `None` if there is nothing to tell.
type Rule<'r> = dyn Fn(Text<'_>) -> Option<Vec<Token>> + 'r;

/// Tells a text again; returns `None` if it is plain already. `is_known` checks whether some plain food has a word in its name,
/// `is_word` whether a product or a dish has,
/// `is_name` whether words in the singular are the name of a food or a dish, `is_place` whether tokens are that of a restaurant, and
/// `food_of` returns the id of the food that an everyday name means.
pub fn retell(
    tokens: &[Token],
    lexicon: &Lexicon,
    is_known: impl Fn(&str) -> bool,
    is_word: impl Fn(&str) -> bool,
    is_name: impl Fn(&str) -> bool,
    is_place: impl Fn(&[Token]) -> bool,
    food_of: impl Fn(&str) -> Option<&'static str>,
) -> Option<Vec<Token>> {
    let is_everyday = |name: &str| food_of(name).is_some();
    let mut out: Option<Vec<Token>> = None;
    let mut uses = Uses::new(tokens, lexicon);
    let put_factors_before = |text: Text<'_>| factors::put_before(text, is_everyday, &is_name);
    let call_sandwiches = |text: Text<'_>| rolls::call_sandwiches(text, &is_name);
    let put_kinds_before = |text: Text<'_>| kinds::put_before(text, &food_of);
    let put_before_commas = |text: Text<'_>| commas::put_before(text, is_everyday);
    let name_dishes = |text: Text<'_>| fillings::name_dishes(text, &is_name);
    let take_out_seasonings = |text: Text<'_>| seasonings::take_out(text, &is_name);
    let put_sizes_before = |text: Text<'_>| sizes::put_before(text, &is_name);
    let describe = |text: Text<'_>| brackets::describe(text, &is_name);
    let list_foods = |text: Text<'_>| headings::list_foods(text, &is_place, &food_of);
    let move_descriptions = |text: Text<'_>| descriptions::move_before_food(text, is_everyday);
    let rules: [&Rule<'_>; 22] = [
        &second_thoughts::tell,
        &cooking::tell_as_made,
        &eaters::only_own,
        &meals::set_apart,
        &headings::head_meals,
        &list_foods,
        &describe,
        &move_descriptions,
        &put_sizes_before,
        &halves::count_measures,
        &name_dishes,
        &take_out_seasonings,
        &each::give_to_each,
        &put_kinds_before,
        &put_before_commas,
        &put_factors_before,
        &more::name_again,
        &packages::weigh_shares,
        &servings::count,
        &ways::tell,
        &exchanges::tell,
        &call_sandwiches,
    ];
    for rule in rules {
        let text = out.as_deref().unwrap_or(tokens);
        if let Some(told) = rule(Text::new(text, &uses, lexicon)) {
            uses = Uses::new(&told, lexicon);
            out = Some(told);
        }
    }
    let told = glued::take_apart(out.as_deref().unwrap_or(tokens), lexicon, is_known, is_word, is_everyday);
    told.or(out)
}
