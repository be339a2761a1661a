//! Dishes that are told by their ingredients: the dish is only the title of the list, and is not counted again.

use foods::text;

use crate::lexicon::{Role, roles_in_any_language};
use crate::read::segment::{Joint, ListOpening, Quantity, Segment, required};

/// A dish is its ingredients if at least this many have amounts of their own.
const MIN_MEASURED: usize = 2;
/// Behind a mere "with", fewer may as well be additions: "a salad with 2 tbsp dressing, and 1 apple".
const MIN_MEASURED_WITH: usize = 3;

/// Longer lists and titles are cut, so that the time for a text with thousands of brackets stays linear.
const MAX_LISTED: usize = 64;

/// Takes the titles of lists out of the foods: their words no longer name anything. `names_food` checks whether a segment has
/// a word that names a food; `in_full` returns the name of the dish that a word stands for.
pub(super) fn drop_titles(
    segments: &mut [Segment],
    mut names_food: impl FnMut(&Segment) -> bool,
    in_full: impl Fn(&str) -> Option<String>,
) {
    for at in 1..segments.len() {
        let Some(opening) = segments[at].opens_list else { continue };
        let limit = segments.len().min(at + MAX_LISTED);
        let end = (at + 1..limit).find(|&end| segments[end].starts).unwrap_or(limit);
        let (title, list) = segments.split_at_mut(at);
        let list = &mut list[..end - at];
        let start = match opening {
            ListOpening::Colon => {
                let first = at.saturating_sub(MAX_LISTED);
                first + title[first..].iter().rposition(|segment| segment.starts).unwrap_or(0)
            }
            ListOpening::Made | ListOpening::With => at - 1,
        };
        let title = &mut title[start..];
        let measured = list.iter().filter(|food| is_measured(food)).count();
        let begins_measured = list.first().is_some_and(is_measured);
        let words = words_of(title, &in_full);
        let is_mixture = words.iter().any(|word| roles_in_any_language(word).has(Role::Mixture));
        // "fried rice with 1 cup rice": what the dish is named after is in the list.
        let is_named_after =
            list.iter().any(|food| is_measured(food) && required(&food.words).any(|word| words.contains(&word.word)));
        let is_title = match opening {
            ListOpening::Made => begins_measured && measured >= MIN_MEASURED,
            ListOpening::With => (is_mixture || is_named_after) && begins_measured && measured >= MIN_MEASURED_WITH,
            // Without amounts the list only describes the dish.
            ListOpening::Colon if is_mixture && measured == 0 => {
                if list.iter().any(&mut names_food) {
                    silence(list);
                }
                false
            }
            ListOpening::Colon => list.iter().any(&mut names_food),
        };
        if is_title && !title.iter().any(|segment| segment.quantity.says_how_much()) {
            silence(title);
        }
    }
}

/// Takes out what only says what a weighed food is made of: the flour of "60 g of flatbread made with rye flour and oil".
pub(super) fn drop_what_it_is_made_of(segments: &mut [Segment]) {
    let mut is_made_of = false;
    for at in 1..segments.len() {
        let (before, segment) = (&segments[at - 1], &segments[at]);
        let is_own = segment.starts || segment.quantity.is_explicit() || segment.quantity.amount.is_some();
        let opens = segment.opens_list == Some(ListOpening::Made)
            && matches!(segment.joint, Joint::With | Joint::Preposition)
            && before.quantity.says_how_much()
            && before.has_required_words();
        is_made_of = !is_own && (opens || is_made_of && segment.joint == Joint::And);
        if is_made_of {
            silence(std::slice::from_mut(&mut segments[at]));
        }
    }
}

/// Takes out what only describes a dish cooked in one pot: the potatoes of "stew with chunks of potato". Bread beside a soup
/// is another food. `in_full` returns the name of the dish that a word stands for.
pub(super) fn drop_parts_of_stews(segments: &mut [Segment], in_full: impl Fn(&str) -> Option<String>) {
    let has_role = |word: &str, role: Role| roles_in_any_language(word).has(role);
    let mut is_stew = false;
    for segment in segments {
        let is_own = segment.starts || segment.quantity.amount.is_some_and(|amount| amount.explicit);
        let is_set_off = matches!(segment.joint, Joint::Comma | Joint::Bracket | Joint::Amount | Joint::Aside);
        let head = required(&segment.words).next_back().map(|head| head.word.clone());
        let is_part = is_stew && !is_own && !is_set_off;
        if is_part && head.as_deref().is_some_and(|head| has_role(head, Role::Simmered)) {
            silence(std::slice::from_mut(segment));
            continue;
        }
        let stews = |head: String| match in_full(&head) {
            Some(dish) => text::words(&dish).iter().any(|word| has_role(word, Role::Stewed)),
            None => has_role(&head, Role::Stewed),
        };
        is_stew = !segment.negated && head.is_some_and(stews);
    }
}

/// Checks whether a segment names a food with an amount of its own.
fn is_measured(segment: &Segment) -> bool {
    !segment.negated && segment.has_required_words() && segment.quantity.is_explicit()
}

/// Returns the words that segments have, those of dishes in full.
fn words_of(segments: &[Segment], in_full: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let stated = segments.iter().flat_map(|segment| &segment.words).filter(|word| !word.negated);
    stated
        .flat_map(|word| in_full(&word.word).map_or_else(|| vec![word.word.clone()], |dish| text::words(&dish)))
        .collect()
}

/// Keeps the words of segments, which may name a restaurant, but no food.
fn silence(segments: &mut [Segment]) {
    for segment in segments {
        segment.quantity = Quantity::default();
        segment.words.iter_mut().for_each(|word| word.optional = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::split::segments;
    use crate::read::token::tokens;

    fn foods(text: &str) -> Vec<String> {
        let mut segments = segments(&tokens(text), &Lexicon::default());
        drop_titles(&mut segments, Segment::has_required_words, |_| None);
        let named = segments.iter().filter(|segment| segment.has_required_words());
        named.map(|segment| segment.words.last().map(|word| word.word.clone()).unwrap_or_default()).collect()
    }

    #[test]
    fn a_dish_is_its_measured_ingredients() {
        for text in [
            "shake: 1 mango, 2 cups kefir",
            "a shake of 1 mango and 2 cups kefir",
            "shake made with 1 mango, 2 cups kefir",
            "waffle from 1 mango and 2 cups kefir",
            "waffle (1 mango, 2 cups kefir)",
        ] {
            assert_eq!(foods(text), ["mango", "kefir"], "{text}");
        }
        assert_eq!(foods("salad with 1 cup kale, 1 egg, 2 tbsp vinaigrette"), ["kale", "egg", "vinaigrette"]);
        assert_eq!(foods("fried rice with 1 cup rice, 1 egg, 1 tbsp oil"), ["rice", "egg", "oil"]);
        assert_eq!(foods("party at the lake: kebab"), ["kebab"]);
    }

    #[test]
    fn what_a_weighed_food_is_made_of_is_in_it() {
        let named = |text: &str| -> usize {
            let mut segments = segments(&tokens(text), &Lexicon::default());
            drop_what_it_is_made_of(&mut segments);
            segments.iter().filter(|segment| segment.has_required_words()).count()
        };
        assert_eq!(named("60 g of flatbread made with rye flour and kefir"), 1);
        assert_eq!(named("60 g of flatbread made with rye flour, 20 g kefir"), 2);
        assert_eq!(named("flatbread made with rye flour"), 2);
        assert_eq!(named("60 g of flatbread with kefir"), 2);
    }

    #[test]
    fn a_dish_with_an_addition_stays() {
        assert_eq!(foods("salad with 2 tbsp vinaigrette"), ["salad", "vinaigrette"]);
        assert_eq!(foods("rice with 1 egg, 1 mango and 1 kebab"), ["rice", "egg", "mango", "kebab"]);
        assert_eq!(foods("200 g shake: 1 mango, 2 cups kefir"), ["shake", "mango", "kefir"]);
        assert_eq!(foods("shake: mango, kefir"), ["shake"]);
    }
}
