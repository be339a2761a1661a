//! Amounts that stand alone, given to the food they are for.

use crate::lexicon::{Measure, MeasureTrait, Role, measure_is, roles_in_any_language};
use crate::read::amount::Amount;
use crate::read::segment::{Joint, Quantity, Segment, required};

/// The most denied foods between a food and its amount.
const MAX_BEHIND: usize = 16;
/// The measure of dishes and drinks.
const CUP: &str = "cup";
/// The most words of a segment that still takes those of an amount.
const MAX_WORDS: usize = 64;

/// Gives an amount without a food ("banana, 120 g", "(30 g)") to the food before it, or behind it if there is none.
pub(super) fn attach_amounts(segments: Vec<Segment>) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut rest = segments.into_iter().peekable();
    while let Some(mut segment) = rest.next() {
        if let Some(share) = segment.share.filter(|_| segment.words.is_empty() && segment.quantity.is_empty()) {
            share_foods(&mut out, share);
            continue;
        }
        if let Some((food, share)) = share_of_food_before(&mut out, &segment) {
            food.share = Some(share);
            continue;
        }
        if let Some(food) = out.last_mut().filter(|food| is_correction_of(&segment, food)) {
            correct(food, segment);
            continue;
        }
        if let Some(food) = out.last_mut().filter(|food| is_count_of(&segment, food)) {
            food.quantity = Quantity { trailing: true, ..segment.quantity };
            continue;
        }
        let is_amount = is_amount_of_food_before(&segment, rest.peek());
        if (is_amount || is_state_of_food_before(&segment))
            && let Some(food) = last_food(&mut out, &segment)
            && (is_amount || !(food.quantity.is_explicit() && segment.quantity.is_explicit()))
        {
            give_amount(food, segment);
            continue;
        }
        if let Some(food) = out.last_mut().filter(|food| is_size_of(&segment, food, rest.peek())) {
            food.quantity.sizes.extend(segment.quantity.sizes);
            continue;
        }
        if let Some(amount) = out.pop_if(|before| is_amount_of_next(before, &segment)) {
            take_amount(&mut segment, amount);
        }
        out.push(segment);
    }
    multiply_for_each(&mut out);
    for segment in &mut out {
        if let Some(share) = segment.share {
            segment.quantity.multiply(share);
        }
    }
    out
}

/// Returns the food that a segment names again with a share of it, and the share: "fries and a shake, ate half of the fries".
fn share_of_food_before<'s>(before: &'s mut [Segment], segment: &Segment) -> Option<(&'s mut Segment, f64)> {
    let amount = segment.quantity.amount.filter(|amount| amount.explicit && amount.value < 1.0);
    let share = segment.share.or(amount.map(|amount| amount.value))?;
    if segment.quantity.unit.is_some() || segment.starts || !segment.has_required_words() {
        return None;
    }
    let is_named_by = |food: &Segment| {
        required(&segment.words).all(|word| required(&food.words).any(|known| known.word == word.word))
    };
    let food = before.iter_mut().rev().find(|food| !food.negated && is_named_by(food))?;
    Some((food, share))
}

/// Checks whether a segment says again how much there was of a food, or names it again: "2 eggs, sorry 3 eggs".
fn is_correction_of(segment: &Segment, food: &Segment) -> bool {
    let head = |segment: &Segment| required(&segment.words).next_back().map(|word| word.word.clone());
    let is_amount = !segment.has_required_words() && segment.quantity.is_explicit();
    let is_food = !food.negated && food.has_required_words();
    segment.corrects && !segment.negated && is_food && (is_amount || head(segment) == head(food))
}

/// Checks whether a segment in brackets counts the food before it by its own name: "chicken wings (6 wings)".
fn is_count_of(segment: &Segment, food: &Segment) -> bool {
    let mut words = required(&segment.words);
    let only = words.next().filter(|_| words.next().is_none());
    let is_same = only.is_some_and(|only| required(&food.words).next_back().is_some_and(|head| head.word == only.word));
    let is_counted = segment.quantity.amount.is_some_and(|amount| amount.explicit);
    segment.joint == Joint::Bracket && is_counted && is_same && !food.negated && !food.quantity.is_explicit()
}

/// Puts what a correction says in the place of what was said before.
fn correct(food: &mut Segment, correction: Segment) {
    if correction.has_required_words() {
        food.words = correction.words;
        if !correction.quantity.is_empty() {
            food.quantity = correction.quantity;
        }
    } else if correction.quantity.unit.is_none() && correction.quantity.inches.is_none() {
        // "2 slices of ham, make that 3": the measure stays.
        food.quantity.amount = correction.quantity.amount;
    } else {
        food.quantity = Quantity { trailing: true, ..correction.quantity };
        let room = MAX_WORDS.saturating_sub(food.words.len());
        food.words.extend(correction.words.into_iter().take(room));
    }
}

/// Multiplies what was added to each of several: "3 pancakes with 1 tbsp syrup each", "2 tacos each with 50 g beef".
fn multiply_for_each(segments: &mut [Segment]) {
    let mut base: Option<(f64, bool)> = None;
    for segment in segments {
        let quantity = &mut segment.quantity;
        if segment.joint == Joint::With {
            let count = base.filter(|(_, is_each)| *is_each || quantity.each);
            if let Some((count, _)) = count.filter(|_| quantity.is_explicit()) {
                quantity.multiply(count);
            }
            // Only what follows at once was added to each.
            base = base.map(|(count, _)| (count, false));
        } else {
            let is_counted = quantity.is_explicit() && !quantity.says_how_much();
            let count = quantity.amount.map(|amount| amount.value).filter(|count| is_counted && *count > 1.0);
            base = count.map(|count| (count, quantity.each));
        }
    }
}

/// Gives a share to the last food and what was eaten with it.
fn share_foods(segments: &mut [Segment], share: f64) {
    let is_food = |segment: &Segment| !segment.negated && segment.has_required_words();
    let Some(last) = segments.iter().rposition(is_food) else { return };
    let is_bare = |segment: &Segment| !segment.starts && segment.quantity.amount.is_none();
    let is_added = |segment: &Segment| matches!(segment.joint, Joint::With | Joint::Preposition);
    // "a pepper with rice and meat": all that is behind "with" was added to the pepper.
    let listed = segments[..=last].iter().rev().take_while(|segment| is_bare(segment) || is_added(segment)).count();
    let first_added = segments[last + 1 - listed..=last].iter().position(is_added);
    // "a burger and fries, ate half".
    let joined = segments[..=last].iter().rev().take_while(|segment| segment.joint == Joint::And && is_bare(segment));
    let joined = last - joined.count().min(last);
    let base = first_added.map_or(joined, |at| (last - listed + at).min(last));
    for (at, segment) in segments.iter_mut().enumerate().skip(base).filter(|(_, segment)| is_food(segment)) {
        if at == base || segment.quantity.is_explicit() {
            segment.share = Some(share);
        } else {
            segment.share_of_meal = Some(share);
        }
    }
}

/// Checks whether a segment is only an amount, and not that of the segment behind it: "and a cup of cool, fresh water", "a cup of
/// rich and creamy cocoa".
fn is_amount_of_food_before(segment: &Segment, next: Option<&Segment>) -> bool {
    let goes_on = |next: &Segment| next.joint == Joint::Comma || next.joint == Joint::And && !segment.words.is_empty();
    let opens_next = !is_set_off(segment) && next.is_some_and(|next| goes_on(next) && !next.quantity.is_explicit());
    !segment.has_required_words() && segment.quantity.is_explicit() && !segment.starts && !opens_next
}

/// Checks whether a segment only says in which state the food before it is: "tuna, 140 g drained", "steak, grilled".
fn is_state_of_food_before(segment: &Segment) -> bool {
    is_set_off(segment)
        && !segment.starts
        && !segment.negated
        && segment.has_required_words()
        && says_only_states(segment)
}

fn says_only_states(segment: &Segment) -> bool {
    required(&segment.words).all(|word| roles_in_any_language(&word.word).has(Role::State))
}

/// Checks whether a segment only says how large the food before it was: "cottage pie, large portion".
fn is_size_of(segment: &Segment, food: &Segment, next: Option<&Segment>) -> bool {
    let is_size = !segment.has_required_words() && !segment.quantity.is_explicit() && segment.quantity.has_size();
    // "toast, a small, juicy apple" goes on.
    let goes_on = segment.quantity.amount.is_some() || next.is_some_and(|next| next.joint == Joint::Comma);
    let is_food = food.has_required_words() && !food.negated && food.quantity.sizes.is_empty();
    is_set_off(segment) && !segment.starts && !segment.negated && is_size && !goes_on && is_food
}

/// Checks whether a comma or a bracket sets a segment off.
fn is_set_off(segment: &Segment) -> bool {
    matches!(segment.joint, Joint::Comma | Joint::Bracket)
}

/// Returns the segment that an amount belongs to: the last that was eaten, if it names a food. "Milk with turmeric, one cup" is a
/// cup of what the turmeric was added to.
fn last_food<'s>(segments: &'s mut [Segment], amount: &Segment) -> Option<&'s mut Segment> {
    let is_food = |at: &usize| segments[*at].has_required_words();
    // "rice, cooked, 1 cup", "pizza for lunch, two slices": what only says how the food is, or when, has no amount.
    let is_aside = |at: &usize| is_set_off(&segments[*at]) || segments[*at].joint == Joint::Aside;
    let says_nothing = |at: &usize| is_aside(at) && !is_food(at) && segments[*at].quantity.is_empty();
    let last = (0..segments.len()).rev().take(MAX_BEHIND).find(|at| !segments[*at].negated && !says_nothing(at))?;
    let is_bare = |at: &usize| is_food(at) && !segments[*at].negated && !segments[*at].quantity.is_explicit();
    // "pasta salad with dressing and olives, 1 cup": the list of what was added begins behind the dish.
    let is_listed = |at: &usize| matches!(segments[*at].joint, Joint::And | Joint::Comma) && is_bare(at);
    let listed = (0..=last).rev().take(MAX_BEHIND).take_while(is_listed).count();
    let added = last.checked_sub(listed).filter(|at| segments[*at].joint == Joint::With && is_bare(at));
    let base = added.and_then(|at| at.checked_sub(1)).filter(|base| is_bare(base) && is_amount_of_meal(amount));
    let at = Some(base.unwrap_or(last)).filter(is_food)?;
    segments.get_mut(at)
}

/// Checks whether an amount is one of a whole dish or drink, rather than of something that was added to it.
fn is_amount_of_meal(amount: &Segment) -> bool {
    let quantity = &amount.quantity;
    let is = |what: MeasureTrait| quantity.unit.as_deref().is_some_and(|unit| measure_is(unit, what));
    let is_vessel = is(MeasureTrait::Vessel) || is(MeasureTrait::Varies) || quantity.unit.as_deref() == Some(CUP);
    // "pancakes with maple syrup, stack of 3": what is added is not counted.
    let is_count = is(MeasureTrait::Several) || quantity.unit.is_none() && quantity.amount.is_some();
    amount.joint == Joint::Comma && (is_vessel || is_count) && !is(MeasureTrait::Fine)
}

/// Gives the amount of a segment to the food before it.
fn give_amount(food: &mut Segment, amount: Segment) {
    if let Some(part) = part_more(&amount, &food.quantity) {
        let count = food.quantity.amount.map_or(1.0, |amount| amount.value);
        food.quantity.amount = Some(Amount::explicit(count + part));
    } else if amount.quantity.is_explicit() && replaces(&amount, &food.quantity) {
        let sizes = std::mem::take(&mut food.quantity.sizes);
        let count = food.quantity.amount.map_or(1.0, |amount| amount.value);
        let is_each = amount.quantity.each;
        food.quantity = Quantity { trailing: true, ..amount.quantity };
        if let Some(amount) = food.quantity.amount.as_mut().filter(|_| is_each) {
            amount.value *= count;
        }
        food.quantity.sizes.extend(sizes);
    }
    let room = MAX_WORDS.saturating_sub(food.words.len());
    // States go before the food, so that it still ends with what it is.
    let place = if required(&amount.words).next().is_some() { 0 } else { food.words.len() };
    food.words.splice(place..place, amount.words.into_iter().take(room));
}

/// Returns the fraction that is added to a counted food: "an apple and a half".
fn part_more(amount: &Segment, known: &Quantity) -> Option<f64> {
    let part = amount.quantity.amount.map(|amount| amount.value).filter(|part| *part < 1.0)?;
    let is_added = amount.joint == Joint::And && amount.quantity.unit.is_none();
    let is_whole = known.amount.is_some_and(|amount| amount.value.fract() == 0.0) && !known.says_how_much();
    (is_added && is_whole).then_some(part)
}

/// Checks whether an amount behind a food counts more than the one that the food has: it is exact, the other is vague ("a
/// serving of juice from a small carton"), or there is no other.
fn replaces(amount: &Segment, known: &Quantity) -> bool {
    let is_exact = matches!(amount.quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
        || amount.quantity.container.is_some();
    let is_vague = known.unit.as_deref().is_some_and(|unit| measure_is(unit, MeasureTrait::Serving))
        && amount.quantity.unit.is_some();
    is_exact || is_vague || !known.is_explicit() && (is_set_off(amount) || known.amount.is_none())
}

/// Checks whether a segment without a food has the amount, or behind a comma the size, of the next one: "a small, juicy
/// apple".
fn is_amount_of_next(before: &Segment, next: &Segment) -> bool {
    let waits = before.quantity.is_explicit() || next.joint == Joint::Comma && !before.quantity.sizes.is_empty();
    // "100 g of boiled, peeled potatoes". Behind a food, "140 g drained" is the state of that.
    let opens = || before.starts && before.quantity.says_how_much() && next.joint == Joint::Comma;
    let says_no_food = !before.has_required_words() || opens() && says_only_states(before);
    says_no_food && waits && next.has_required_words() && next.quantity.amount.is_none() && !next.starts
}

/// Gives the amount and the words of a segment to the food behind it.
fn take_amount(food: &mut Segment, amount: Segment) {
    food.quantity = amount.quantity;
    food.joint = amount.joint;
    food.words.splice(0..0, amount.words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::split::segments;
    use crate::read::token::tokens;

    fn shown(text: &str) -> Vec<String> {
        let show = |segment: &Segment| {
            let words: Vec<&str> = segment.words.iter().map(|word| word.word.as_str()).collect();
            let count = segment.quantity.amount.map(|amount| amount.value.to_string()).unwrap_or_default();
            let unit = segment.quantity.unit.as_deref().unwrap_or_default();
            format!("{count} {unit} {} | {}", segment.quantity.sizes.join(" "), words.join(" "))
        };
        attach_amounts(segments(&tokens(text), &Lexicon::default())).iter().map(show).collect()
    }

    #[test]
    fn an_amount_alone_belongs_to_a_neighbor() {
        for (text, expected) in [
            ("banana, 120 g", vec!["120 g  | banana"]),
            ("3 cookies (30 g each)", vec!["90 g  | cookie"]),
            ("a banana, 2 slices", vec!["2 slice  | banana slice"]),
            ("2 eggs, 3 slices", vec!["2   | egg slice"]),
            ("a small, juicy apple", vec!["1  small | small juicy apple"]),
            ("a cup of cool, fresh water", vec!["1 cup  | cool fresh water"]),
            ("pizza and a cup of rich and creamy cocoa", vec!["   | pizza", "1 cup  | rich creamy cocoa"]),
            ("100 g of boiled, peeled potatoes", vec!["100 g  | boiled peeled potato"]),
            ("tuna, 140 g drained, crackers", vec!["140 g  | drained tuna", "   | cracker"]),
            ("pizza for lunch, two slices", vec!["2 slice  | pizza slice", "   | lunch"]),
            ("rice, cooked, 1 cup", vec!["1 cup  | rice", "   | cooked"]),
            ("milk with turmeric, one cup", vec!["1 cup  | milk", "   | turmeric"]),
            (
                "pasta salad with dressing and olives, 1 cup",
                vec!["1 cup  | pasta salad", "   | dressing", "   | olive"],
            ),
            ("salad with dressing, 2 tbsp", vec!["   | salad", "2 tbsp  | dressing"]),
            ("2 eggs with rice, 1 cup", vec!["2   | egg", "1 cup  | rice"]),
            ("cottage pie, large portion", vec!["  large | cottage pie"]),
            ("pancakes with syrup, stack of 3", vec!["3   | pancake", "   | syrup"]),
            ("eggs. 120 g", vec!["   | egg", "120 g  | "]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
