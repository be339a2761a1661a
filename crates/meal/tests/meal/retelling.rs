//! Amounts that are told in unusual ways: more of the same, shares, counts behind foods and glued to them.

use crate::estimate;

fn calories(text: &str) -> f64 {
    estimate(text).items.iter().map(|item| item.macros.calories).sum()
}

fn assert_times(text: &str, plain: &str, factor: f64) {
    let (told, once) = (calories(text), calories(plain));
    assert!(once > 0.0 && (told - once * factor).abs() <= 2.0, "{text:?}: {told} kcal is not {factor} times {once}");
}

#[test]
fn more_is_more_of_the_same() {
    assert_times("two beers then two more", "two beers", 2.0);
    assert_times("had a slice of pizza and then two more", "a slice of pizza", 3.0);
    assert_times("two glasses of wine and then another one", "a glass of wine", 3.0);
    assert_times("two more eggs", "two eggs", 1.0);
}

#[test]
fn what_is_to_share_is_eaten_by_two() {
    assert_times("nachos to share", "nachos", 0.5);
    assert_times("a large pizza to share between four", "a large pizza", 0.25);
}

#[test]
fn counts_tell_no_language() {
    assert_times("eggs x2, toast x1, banana x1", "2 eggs, 1 toast, 1 banana", 1.0);
}

#[test]
fn nobody_eats_fifty_goats() {
    assert_times("50goats", "50 g oats", 1.0);
    assert_times("30 grapes", "3 grapes", 10.0);
}
