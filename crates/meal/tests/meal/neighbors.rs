//! What foods mean beside others, and names that are only next to each other.

use crate::estimate;

fn ids(text: &str) -> Vec<String> {
    estimate(text).items.iter().map(|item| item.food.id.clone()).collect()
}

fn calories(text: &str) -> f64 {
    estimate(text).items.iter().map(|item| item.macros.calories).sum()
}

fn grams(text: &str) -> f64 {
    estimate(text).items.iter().map(|item| item.weight.grams).sum()
}

#[test]
fn chips_beside_a_hot_meal_are_fried_potatoes() {
    let (fried, from_bag) = (ids("hot chips"), ids("potato chips"));
    for text in ["salmon with chips and peas", "omelette and chips", "pork chop, chips", "chips and two fried eggs"] {
        assert!(ids(text).iter().any(|id| *id == fried[0]), "{text}: {:?}", ids(text));
    }
    for text in [
        "chips",
        "turkey sandwich with chips",
        "a bag of chips and a pork chop",
        "8am omelette. 3pm chips",
        "chips and a coke",
        "steak with 28 g chips",
    ] {
        assert!(ids(text).iter().any(|id| *id == from_bag[0]), "{text}: {:?}", ids(text));
    }
}

#[test]
fn the_milk_of_a_drink_is_exchanged() {
    for (text, plain) in [("iced latte with almond milk", "iced latte"), ("mocha with skim milk", "mocha")] {
        assert!(calories(text) < calories(plain), "{text}: {} kcal", calories(text));
        assert!((grams(text) - grams(plain)).abs() < 2.0, "{text}: {} g", grams(text));
    }
    assert!(calories("coffee with oat milk") > calories("coffee"), "which has no milk");
    // The milk of a composed drink, and the one that is drunk.
    assert!(calories("matcha latte with almond milk") < calories("matcha latte"));
    assert!(calories("matcha latte with coconut milk") < calories("matcha latte") + 20.0);
    assert!(calories("iced matcha latte with oat milk 16oz") < calories("iced matcha latte") + 100.0);
}

#[test]
fn the_bread_of_a_sandwich_is_counted_once() {
    for (text, plain) in [
        ("blt on white bread", "blt"),
        ("tuna sandwich on brown bread", "tuna sandwich"),
        ("egg salad sandwich on a roll", "egg salad sandwich"),
    ] {
        assert!((calories(text) - calories(plain)).abs() < calories(plain) * 0.25, "{text}: {} kcal", calories(text));
    }
    assert!(calories("tomato soup with white bread") > calories("tomato soup") + 50.0);
}

#[test]
fn two_foods_side_by_side_are_two() {
    for text in ["burger fries", "apple peanut butter", "hot dog fries", "celery peanut butter"] {
        assert_eq!(ids(text).len(), 2, "{text}: {:?}", ids(text));
    }
    for text in ["sweet potato fries", "mango ice cream", "turkey avocado sandwich", "tuna pasta salad"] {
        assert_eq!(ids(text).len(), 1, "{text}: {:?}", ids(text));
    }
}

#[test]
fn a_dish_may_be_said_before_its_fillings() {
    for (text, usual) in [
        ("sandwich ham cheese", "ham cheese sandwich"),
        ("sandwhich ham cheese", "ham cheese sandwich"),
        ("soup chicken noodle", "chicken noodle soup"),
    ] {
        assert_eq!(ids(text), ids(usual), "{text}");
    }
    assert_eq!(ids("sandwich chips coke").len(), 3);
}

#[test]
fn a_wrap_is_filled_unless_its_filling_is_beside_it() {
    assert!(calories("wrap") > 300.0 && calories("a wrap and a coke") > 450.0);
    assert_eq!(ids("1 wrap, 100 g chicken, lettuce")[0], ids("flour tortilla")[0]);
}

#[test]
fn a_flavor_is_not_another_product_of_the_maker() {
    assert!(ids("walkers ready salted").iter().all(|id| ids("walkers").contains(id)));
    assert!(calories("starbucks egg bites and a grande pike") < calories("starbucks egg bites") + 10.0);
}

#[test]
fn a_sandwich_with_a_vegetable_is_a_sandwich() {
    for text in ["spinach sandwich", "mushroom sandwich", "onion sandwich"] {
        assert!((120.0..450.0).contains(&calories(text)), "{text}: {} kcal", calories(text));
    }
}

#[test]
fn a_food_is_not_lost_before_what_comes_with_it() {
    for text in [
        "trail mix with banana",
        "captain crunch with milk",
        "ready meal with rice",
        "cake with coffee",
        "two biscuits with tea",
        "a biscuit with jelly",
    ] {
        assert_eq!(ids(text).len(), 2, "{text}: {:?}", estimate(text).items);
    }
    assert_eq!(ids("trail mix with nuts"), ids("a serving of trail mix with nuts"), "the tables have one with nuts");
    assert_eq!(ids("coffee cake").len(), 1);
    assert_eq!(ids("a biscuit with butter and jelly").len(), 3, "an American biscuit, which is no butter cookie");
}

#[test]
fn a_flavor_alone_is_a_food() {
    for text in ["100 g of basil raw", "garlic cooked", "thyme fresh"] {
        assert_eq!(ids(text).len(), 1, "{text}");
    }
    assert_eq!(ids("garlic turkey"), ids("turkey"), "before a food it is only a flavor");
}
