//! The kinds of segments in USDA's tables: varieties, states, separate foods.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::lists::words;

static MOVERS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("movers.txt")));
static STATES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("states.txt")));
static OWN_FOODS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("own_foods.txt")));
static MOVABLE: LazyLock<HashMap<&'static str, HashSet<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("movable.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(':')).map(|(head, list)| (head.trim(), words(list))).collect()
});

/// Returns whether varieties precede this head, which is in lowercase.
pub(super) fn is_mover(head: &str) -> bool {
    MOVERS.contains(head)
}

/// Returns whether the segment precedes this head although it looks like a state.
pub(super) fn is_movable(segment: &str, head: &str) -> bool {
    MOVABLE.get(head).is_some_and(|list| list.contains(before_bracket(segment).to_lowercase().as_str()))
}

/// Returns whether the segment is a food by itself, so that the head adds nothing: "Potato, french fries".
pub(super) fn stands_alone(segment: &str, head: &str) -> bool {
    let lower = before_bracket(segment).to_lowercase();
    let last = lower.rsplit(' ').next().unwrap_or_default();
    let head_last = head.rsplit(' ').next().unwrap_or_default();
    let repeats = lower.len() > head_last.len() && head_last.len() > 3 && stem(last).ends_with(stem(head_last));
    let own = OWN_FOODS.contains(last) || OWN_FOODS.contains(format!("{head}: {last}").as_str());
    (repeats || own) && !STATES.contains(lower.as_str()) && !lower.contains(" with ")
}

fn stem(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Returns whether the segment names a variety of its head rather than a state.
pub(super) fn is_variety(segment: &str, head: &str) -> bool {
    let base = before_bracket(segment);
    let word_count = base.split(' ').count();
    let odd = base.is_empty()
        || base.contains([';', '%', '/', '"'])
        || base.contains(" other than ")
        || base.contains("-filled and");
    let composed = base.contains(" with ") && head != "soup" || base.contains("and/or") || base.contains(" only");
    word_count <= 4 && !odd && !composed && !is_state(segment)
}

/// Returns whether the segment names the state of the food, or its preparation.
pub(super) fn is_state(segment: &str) -> bool {
    let first = segment.split([' ', ';']).next().unwrap_or_default();
    let known = STATES.contains(first)
        || (first.contains(char::is_uppercase) && STATES.contains(first.to_lowercase().as_str()));
    known || first.starts_with(|digit: char| digit.is_ascii_digit()) || segment.starts_with("baby food")
}

/// Returns the text before its first bracket.
pub(super) fn before_bracket(text: &str) -> &str {
    text.split('(').next().unwrap_or(text).trim_end()
}
