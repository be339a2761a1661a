//! The head of a phrase says what the food is, whatever stands before it.

use foods::text::{singular, words};

use crate::estimate;

/// Words of ways to cook and cut, of flavors, and of praise. Some are rarer in the tables than any food.
const BEFORE: &[&str] = &[
    "peeled",
    "strained",
    "stir-fried",
    "spiralized",
    "charred",
    "blanched",
    "marinated",
    "crumbled",
    "heirloom",
    "jarred",
    "garlic",
    "ginger",
    "basil",
    "rosemary",
    "lemon",
    "cinnamon",
    "mustard",
    "chili",
    "sweet chili",
    "truffle",
    "buffalo",
    "high-protein",
    "fatty",
    "free-range",
    "Scottish",
    "burnt",
    "leftover",
];

const HEADS: &[&str] = &[
    "potatoes",
    "carrots",
    "spinach",
    "mushrooms",
    "lentils",
    "rice",
    "beef",
    "pork",
    "turkey",
    "salmon",
    "tofu",
    "almonds",
    "apple",
    "banana",
];

/// Foods with these words are the same ones.
const ALSO: &[(&str, &str)] = &[("tofu", "curd"), ("beef", "steak"), ("rice", "sinangag"), ("pork", "shogayaki")];

#[test]
fn nothing_before_a_food_takes_its_place() {
    let mut wrong = Vec::new();
    for before in BEFORE {
        for head in HEADS {
            let text = format!("100 g {before} {head}");
            let items = estimate(&text).items;
            let head = singular(head);
            let also = ALSO.iter().filter(|(word, _)| *word == head).map(|(_, other)| (*other).to_owned());
            let known: Vec<String> = std::iter::once(head.clone()).chain(also).collect();
            let is_it = |name: &str| words(name).iter().any(|word| known.contains(word));
            if items.len() != 1 || !is_it(&items[0].food.name) {
                wrong.push((text, items.iter().map(|item| item.food.name.clone()).collect::<Vec<_>>()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn flavors_are_foods_where_nothing_follows_that_tastes_of_them() {
    for (text, name) in [
        ("garlic", "garlic"),
        ("2 cloves of garlic", "garlic"),
        ("a lemon wedge", "lemon"),
        ("1 tbsp honey", "honey"),
        ("lemon juice", "lemon juice"),
        ("garlic powder", "garlic powder"),
        ("chili with rice", "chili"),
        ("garlic bread", "garlic bread"),
        ("mint tea", "tea"),
    ] {
        let items = estimate(text).items;
        let all = |item: &meal::Item| words(name).iter().all(|word| words(&item.food.name).contains(word));
        assert!(items.iter().any(all), "{text}: {:?}", items.iter().map(|item| &item.food.name).collect::<Vec<_>>());
    }
}

#[test]
fn how_a_food_may_be_cooked_is_no_name_of_it() {
    let items = estimate("a plate of stir-fried pork").items;
    assert!(items.len() == 1 && items[0].food.name.contains("Pork"), "{:?}", items[0].food.name);
}
