//! What amounts weigh: pieces and wholes, what is added to a food, and measures that are said in unusual places.

use crate::{assert_same, estimate, foods};

/// Returns what the last food of a text weighs.
fn grams(text: &str) -> f64 {
    estimate(text).items.last().unwrap_or_else(|| panic!("{text:?} has no food")).weight.grams
}

fn assert_grams(text: &str, low: f64, high: f64) {
    let grams = grams(text);
    assert!((low..=high).contains(&grams), "{text:?} weighs {grams} g, not {low} to {high}");
}

fn assert_share(text: &str, whole: &str, share: f64) {
    let (part, whole) = (grams(text), grams(whole));
    assert!((part - whole * share).abs() <= 1.0, "{text:?}: {part} g is not {share} of {whole} g");
}

#[test]
fn counts_are_of_what_one_of_the_food_weighs() {
    for (counted, one, count) in [
        ("2 burritos", "a burrito", 2.0),
        ("one burrito", "a burrito", 1.0),
        ("half a burrito", "a burrito", 0.5),
        ("half a brownie", "a brownie", 0.5),
        ("3 brownies", "a brownie", 3.0),
        ("2 steaks", "a steak", 2.0),
    ] {
        assert_share(counted, one, count);
    }
}

#[test]
fn a_serving_of_small_pieces_is_no_single_one() {
    for food in ["almonds", "meatballs", "chicken nuggets", "scrambled eggs", "pancakes", "wings"] {
        assert_share(&format!("a serving of {food}"), food, 1.0);
        assert_share(&format!("2 servings of {food}"), food, 2.0);
    }
}

#[test]
fn one_of_a_dish_is_neither_half_nor_large() {
    assert_same(&[("1 cobb salad", "a cobb salad"), ("one caesar salad", "a caesar salad")]);
    assert_share("2 cobb salads", "a cobb salad", 2.0);
}

#[test]
fn a_name_with_a_measure_counts_the_measure() {
    assert_grams("a bowl of chips", 100.0, 250.0);
    assert_grams("2 bowls of chips", 200.0, 500.0);
    assert_grams("a plate of chips", 100.0, 300.0);
}

#[test]
fn nobody_has_cups_of_what_is_stirred_in() {
    assert_same(&[("tea 2 cups sugar", "2 cups tea, sugar"), ("zobo 50cl sugar", "50cl zobo, sugar")]);
}

#[test]
fn fractions_are_of_the_whole() {
    assert_share("quarter of a pizza", "a pizza", 0.25);
    assert_share("third of a pizza", "a pizza", 1.0 / 3.0);
    assert_grams("half a roast chicken", 250.0, 400.0);
    assert_grams("quarter chicken", 120.0, 200.0);
    assert_same(&[("quarter of a pizza", "a quarter of a pizza"), ("1/3 pizza", "third of a pizza")]);
}

#[test]
fn additions_are_small_however_they_are_joined() {
    assert_same(&[("toast and butter", "toast with butter"), ("bread and butter", "bread with butter")]);
    assert_grams("coffee with whole milk", 10.0, 40.0);
    assert_grams("beans on toast with cheese", 20.0, 35.0);
    assert_same(&[("flat white with almond milk regular", "flat white with almond milk")]);
}

#[test]
fn portions_have_sizes() {
    assert_share("kids portion of lasagne", "a portion of lasagne", 0.55);
    assert_share("child's portion of lasagne", "a portion of lasagne", 0.55);
    assert_share("double portion of rice", "a portion of rice", 2.0);
    assert!(grams("large portion of chicken") > grams("a portion of chicken"));
    assert_grams("a bite of cheesecake", 3.0, 30.0);
}

#[test]
fn a_pack_is_not_one_piece() {
    assert_grams("a packet of digestives", 120.0, 450.0);
    assert_share("half a packet of digestives", "a packet of digestives", 0.5);
    assert!(grams("a stack of pancakes") > 1.5 * grams("a pancake"));
    assert!(grams("basket of wings") > 3.0 * grams("a chicken wing"));
    assert_share("half a punnet of strawberries", "a punnet of strawberries", 0.5);
    assert_grams("5 sprays of olive oil", 0.5, 3.0);
}

#[test]
fn small_things_are_more_than_one() {
    assert!(grams("oreos") > 2.0 * grams("an oreo"));
}

#[test]
fn a_container_behind_a_food_measures_it() {
    assert_same(&[
        ("maltesers small bag", "small bag of maltesers"),
        ("peanuts bag", "bag of peanuts"),
        ("ice cream pint and an apple", "pint of ice cream and an apple"),
        ("wine glass", "glass of wine"),
        ("snickers 2 bars", "2 bars of snickers"),
    ]);
}

#[test]
fn a_name_may_end_in_a_measure() {
    for text in ["juice box", "granola bar", "fruit cup", "spice bag"] {
        let meal = estimate(text);
        assert_eq!(meal.items.len(), 1, "{text}: {:?}", foods(&meal));
        assert_eq!(meal.items[0].unit, "serving", "{text} is a name");
    }
    assert_eq!(estimate("fruit juice drink with vitamin C").items.len(), 1, "the vitamin is no cup");
}

#[test]
fn a_plural_is_more_than_one() {
    assert_share("tacos", "a taco", 2.0);
    assert_share("hot dogs", "a hot dog", 2.0);
    assert_share("bacon and eggs", "an egg", 2.0);
    assert_share("two tacos", "a taco", 2.0);
    // One is a meal.
    assert_share("burritos", "a burrito", 1.0);
    assert_grams("toast with tomatoes", 20.0, 150.0);
}

#[test]
fn a_few_of_what_is_eaten_by_the_handful_are_more_than_three() {
    assert_grams("a few chips", 12.0, 20.0);
    assert_grams("a few fries", 25.0, 40.0);
    assert_share("a few cookies", "a cookie", 3.0);
    assert_share("3 fries", "1 fry", 3.0);
}

#[test]
fn what_food_is_cut_into_may_stand_behind_a_comma() {
    assert_same(&[
        ("gouda, slice", "a slice of gouda"),
        ("potato salad, scoop", "a scoop of potato salad"),
        ("pineapple, chunk", "a chunk of pineapple"),
    ]);
}

#[test]
fn tiny_ones_weigh_less_than_half_and_are_counted() {
    assert_share("2 mini wraps", "2 wraps", 0.4);
    assert_grams("20 mini pretzels", 15.0, 60.0);
    assert_grams("6 king prawns", 40.0, 130.0);
}

#[test]
fn a_scoop_is_of_the_ice_cream_that_is_named() {
    for flavor in ["", "chocolate ", "pistachio ", "vanilla "] {
        assert_grams(&format!("a scoop of {flavor}ice cream"), 60.0, 75.0);
    }
    let names = estimate("two scoops of chocolate ice cream").items[0].food.name.to_lowercase();
    assert!(names.contains("chocolate"), "{names}");
}

#[test]
fn a_half_is_half_of_one() {
    let whole = estimate("a pastrami sandwich").items[0].macros.calories;
    let half = estimate("half a pastrami sandwich").items[0].macros.calories;
    assert!((half * 2.0 - whole).abs() < whole * 0.1, "{half} is not half of {whole}");
}

#[test]
fn inches_are_no_count() {
    let sub = estimate("6 in turkey sub on wheat").items[0].macros.calories;
    assert!((200.0..600.0).contains(&sub), "{sub} kcal");
}

#[test]
fn an_amount_between_two_foods_is_of_the_one_that_comes_in_it() {
    assert_same(&[
        ("beer 500 ml chips", "500 ml beer, chips"),
        ("wine 2 glasses cheese", "2 glasses of wine, cheese"),
        ("oats 40 g milk 200 ml banana", "40 g oats, 200 ml milk, banana"),
        ("sushi 8 pieces miso soup", "8 pieces of sushi, miso soup"),
        ("banana 200 ml milk", "banana, 200 ml milk"),
        ("burger 330 ml coke", "burger, 330 ml coke"),
        ("rice 100 g chicken", "rice, 100 g chicken"),
        ("toast 2 slices ham", "toast, 2 slices of ham"),
    ]);
}

#[test]
fn what_is_counted_may_be_named_before_its_measure() {
    assert_same(&[
        ("3 sugar packets", "3 packets of sugar"),
        ("2 pizza slices", "2 slices of pizza"),
        ("a lemon wedge", "a wedge of lemon"),
        ("3 orange slices and 2 bread slices", "3 slices of orange and 2 slices of bread"),
    ]);
    assert_eq!(estimate("2 granola bars").items.len(), 1);
}

#[test]
fn one_of_what_is_eaten_by_the_handful_is_one() {
    assert_grams("a strawberry", 8.0, 25.0);
    assert_grams("a shrimp", 5.0, 20.0);
    assert_grams("a cake", 40.0, 200.0);
    assert_same(&[("1 small banana", "a small banana"), ("a soup", "1 bowl of soup")]);
}

#[test]
fn vegetables_beside_meat_are_sides() {
    assert_grams("salmon with peas", 60.0, 100.0);
    assert_grams("sausages with cabbage", 60.0, 100.0);
    assert_grams("turkey sandwich with lettuce", 5.0, 30.0);
    assert_grams("tuna pizza with spinach", 5.0, 40.0);
}

#[test]
fn times_with_a_point_count_nothing() {
    assert_same(&[
        ("lunch 12.30 meatballs", "lunch 12:30 meatballs"),
        ("breakfast at 9.15 coffee", "breakfast: coffee"),
    ]);
    assert_share("lunch 1.5 sandwiches", "lunch a sandwich", 1.5);
}
