//! What foods are called in an answer.

use crate::estimate;

/// Returns how each food is shown: the name, and the unit.
fn shown(text: &str) -> Vec<(String, String)> {
    let items = estimate(text).items.into_iter();
    items.map(|item| (item.local_name.unwrap_or(item.food.name), item.unit)).collect()
}

fn names(text: &str) -> Vec<String> {
    shown(text).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_food_that_the_catalog_lacks_keeps_its_name() {
    for (text, name) in [
        ("freeze dried mango", "Freeze dried mango"),
        ("20 g freeze-dried raspberries", "Freeze dried raspberries"),
        ("1 tbsp tahini sauce", "Tahini sauce"),
        ("paneer tikka", "Paneer tikka"),
    ] {
        assert_eq!(names(text), [name], "{text}");
    }
    let item = &estimate("freeze dried mango").items[0];
    assert_ne!(item.food.name, "Freeze dried mango", "the source says what the numbers are from");
}

#[test]
fn names_are_in_letters_that_the_text_has() {
    assert_eq!(names("2 रोटी"), ["रोटी"]);
    assert!(names("2 chapatis")[0].is_ascii(), "{:?}", names("2 chapatis"));
    assert!(names("aloo gobi aur 2 roti").iter().all(|name| name.is_ascii()), "{:?}", names("aloo gobi aur 2 roti"));
}

#[test]
fn a_size_that_belongs_to_the_name_is_no_unit() {
    for text in ["a big mac", "2 big macs"] {
        assert!(shown(text).iter().all(|(_, unit)| unit != "big"), "{:?}", shown(text));
    }
    assert_eq!(shown("a small latte")[0].1, "small");
}

#[test]
fn a_hot_dog_comes_in_a_bun() {
    for text in ["hot dog", "2 hot dogs", "a hotdog"] {
        let items = estimate(text).items;
        assert!(items[0].macros.carbs > 15.0, "{text}: {} g of carbs", items[0].macros.carbs);
    }
    assert!(estimate("2 hot dogs no bun").items[0].macros.carbs < 10.0);
}
