//! Amounts that are told in unusual ways: more of the same, shares, counts behind foods and glued to them.

use crate::{assert_same, estimate};

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

#[test]
fn a_share_of_a_package_is_a_share_of_its_size() {
    assert_same(&[
        ("half a jar of pesto (190 g)", "95 g pesto"),
        ("a quarter of a 500 g lasagna", "125 g lasagna"),
        ("a third of a bottle of milk (750 ml)", "250 ml milk"),
        ("half a banana (60 g)", "60 g banana"),
        ("half a cup of milk (120 ml)", "120 ml milk"),
    ]);
    assert!(calories("heineken 0.0 330 ml") > 40.0, "0.0 is no share of the can");
    assert_times("most of a 10 oz steak", "a 10 oz steak", 0.8);
}

#[test]
fn what_serves_several_is_counted_in_servings() {
    assert_times("cottage pie, serves 4", "cottage pie", 1.0);
    assert_times("half of the cottage pie that serves 4", "2 servings of cottage pie", 1.0);
    assert_times("nachos split 3 ways", "nachos", 1.0 / 3.0);
    assert_times("split a pizza 4 ways", "shared a pizza between 4", 1.0);
}

#[test]
fn what_was_exchanged_is_beside_the_dish() {
    assert_same(&[
        ("a burger, sub soup for the fries", "a burger, soup"),
        ("fish tacos swapped soup for rice", "fish tacos, soup"),
        ("meatball sub with cheese", "meatball submarine sandwich with cheese"),
    ]);
}

#[test]
fn a_roll_with_something_in_it_is_a_sandwich() {
    assert_same(&[("an egg mayo barm", "an egg mayo sandwich"), ("two cheese baps", "two cheese sandwiches")]);
    assert_eq!(estimate("a sausage roll").items.len(), 1);
    assert!((calories("a sausage roll") - calories("a sausage sandwich")).abs() > 20.0);
}

#[test]
fn counts_and_amounts_behind_foods_are_theirs() {
    assert_same(&[
        ("samosa 2 pcs raita", "2 pieces of samosa, raita"),
        ("dhokla 3 nos", "3 pieces of dhokla"),
        ("greek salad with chicken and croutons, 1 bowl", "1 bowl greek salad with chicken and croutons"),
        ("a scone, well two scones", "two scones"),
    ]);
    assert_times("pad thai with rice, ate half the container", "pad thai with rice", 0.5);
    assert_times("a steak and mash, ate half", "steak and mash", 0.5);
}

#[test]
fn a_kind_behind_the_amount_is_that_of_the_food() {
    assert_same(&[
        ("bread 2 slices wholemeal", "2 slices wholemeal bread"),
        ("yogurt 150g greek", "150 g greek yogurt"),
        ("cheese 30g cheddar", "30 g cheddar cheese"),
        ("pint of lager x 2", "2 pints of lager"),
    ]);
    assert_eq!(estimate("rice 100g peas").items.len(), 2, "peas are no kind of rice");
}

#[test]
fn counts_in_brackets_say_of_what_there_are_so_many() {
    assert_same(&[("chicken wings (5 wings)", "5 chicken wings"), ("bacon sandwich (4 rashers)", "a bacon sandwich")]);
    assert_times("omelette (4 eggs)", "omelette with 4 eggs", 1.0);
}

#[test]
fn readings_of_meters_are_no_food() {
    assert_same(&[
        ("blood sugar 132, 2 eggs", "2 eggs"),
        ("steps 6000, banana", "banana"),
        ("coffee less sugar", "coffee"),
    ]);
}

#[test]
fn brackets_may_only_describe_the_food_before_them() {
    assert_same(&[
        ("2 cups trail mix (peanuts, raisins and almonds)", "2 cups trail mix"),
        ("sandwich (tuna)", "tuna sandwich"),
        ("mince pies (brandy) 2", "2 mince pies"),
    ]);
    assert_eq!(estimate("salad (chicken, avocado, feta)").items.len(), 4, "a salad is what is in it");
}

#[test]
fn a_dash_behind_the_first_words_begins_a_list() {
    assert_same(&[
        ("picnic leftovers - 2 boiled eggs, 1 apple", "2 boiled eggs, 1 apple"),
        ("B- 2 boiled eggs L- 1 apple", "2 boiled eggs, 1 apple"),
    ]);
    assert_eq!(estimate("salmon - rice, broccoli").items.len(), 3, "salmon is eaten beside them");
    assert_times("cheesecake - two slices", "two slices of cheesecake", 1.0);
}

#[test]
fn a_count_is_that_of_the_whole_name() {
    assert_times("rum and coke x2", "2 rum and cokes", 1.0);
    assert_eq!(estimate("toast and jam, eggs x2").items.len(), estimate("toast and jam, 2 eggs").items.len());
}

#[test]
fn a_measure_and_a_half_is_one_and_a_half() {
    assert_same(&[("cup and a half of rice", "1.5 cups of rice"), ("rice, cup and a half", "1.5 cups of rice")]);
}

#[test]
fn what_was_left_is_not_eaten_although_it_was_named_before() {
    assert_same(&[
        ("burger and fries, skipped the fries", "burger"),
        ("soup, an apple and a scone, didn't eat the scone", "soup and an apple"),
    ]);
    assert_eq!(estimate("a glass of milk, coffee without milk").items.len(), 2, "the glass was drunk");
}
