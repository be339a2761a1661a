//! Dishes that no table has: found by their whole names, and by nothing less.

use foods::Origin;
use meal::{Item, Tier};

use crate::estimate;

/// The items of a text as "name grams", whole grams.
fn items(text: &str) -> Vec<String> {
    estimate(text).items.iter().map(|item| format!("{} {:.0}", item.food.name, item.weight.grams)).collect()
}

fn only(text: &str) -> Item {
    let mut items = estimate(text).items;
    assert_eq!(items.len(), 1, "{text}");
    items.remove(0)
}

#[test]
fn every_dish_is_found_by_its_names_and_comes_to_a_plausible_serving() {
    let list = include_str!("../../../../data/dishes.txt");
    let (mut names, mut wrong) = (0, Vec::new());
    for dish in foods::dishes::read(list).expect("the list is right") {
        for name in std::iter::once(&dish.name).chain(&dish.other_names) {
            names += 1;
            let found = estimate(name).items;
            let calories: f64 = found.iter().map(|item| item.macros.calories).sum();
            let is_told = |item: &Item| {
                let told = item.food.description.as_deref().unwrap_or_default().split(foods::dishes::PLUS).count();
                item.food.name == dish.name && told == dish.parts.len()
            };
            if !matches!(&found[..], [item] if is_told(item)) || !(2.0..=2_000.0).contains(&calories) {
                wrong.push(format!("{name} of {}: {:?} {calories}", dish.name, items(name)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {names}: {wrong:#?}", wrong.len());
    assert!(names > 4_000, "{names}");
}

#[test]
fn amounts_count_pieces_and_weigh_bowls() {
    let grams = |text: &str| only(text).weight.grams.round() as u32;
    assert!(grams("3 gyoza") < grams("gyoza"), "a serving has more than three");
    assert_eq!(grams("6 gyoza"), 2 * grams("3 gyoza"));
    assert_eq!(grams("200 g of rendang"), 200);
    assert_eq!(grams("two bowls of pho"), 2 * grams("a bowl of pho"));
    assert_eq!(grams("2 servings of nasi lemak"), 2 * grams("nasi lemak"));
}

#[test]
fn a_dish_says_that_it_is_estimated_and_of_what_it_is_made() {
    let item = only("300 g shakshuka");
    assert_eq!((item.tier, item.food.origin), (Tier::Estimated, Origin::Dish));
    assert!(item.food.description.as_deref().is_some_and(|parts| parts.contains("Egg, whole")), "{:?}", item.food);
    let (low, high) = (item.range.low.calories, item.range.high.calories);
    assert!(low < item.macros.calories * 0.85 && high > item.macros.calories * 1.15, "{low} {high}");
}

#[test]
fn accents_case_plurals_and_other_spellings_do_not_matter() {
    let bun_bo = only("bún bò Huế");
    for same in ["bun bo hue", "BUN BO HUE", "I had a Bún Bò Huế for lunch"] {
        assert_eq!(only(same).food.id, bun_bo.food.id, "{same}");
    }
    for (typed, meant) in
        [("shakshuka", "shakshouka"), ("a plate of bulgolgi", "bulgogi"), ("2 okonomyaki", "okonomiyaki")]
    {
        assert_eq!(only(typed).food.id, only(meant).food.id, "{typed}");
    }
}

#[test]
fn a_part_of_a_name_is_not_the_dish() {
    for text in ["100 g of groundnuts", "boiled beans", "a pad of butter", "a pork sausage patty", "chicken sandwich"] {
        let found = estimate(text).items;
        assert!(found.iter().all(|item| item.food.origin != Origin::Dish), "{text}: {:?}", items(text));
    }
}

#[test]
fn other_words_for_plain_foods_are_no_dishes() {
    for (text, named) in
        [("courgette and rice", "squash"), ("houmous with pita", "Hummus"), ("2 tbsp houmous", "Hummus")]
    {
        let found = estimate(text).items;
        let first = found.first().map(|item| (item.food.origin, item.food.name.clone()));
        let is_right = |(origin, name): &(Origin, String)| *origin != Origin::Dish && name.contains(named);
        assert!(first.as_ref().is_some_and(is_right), "{text}: {:?}", items(text));
    }
}

#[test]
fn words_around_a_dish_do_not_hide_it() {
    let list = foods::dishes::read(include_str!("../../../../data/dishes.txt")).expect("the list is right");
    for dish in list.iter().step_by(7) {
        for text in [format!("zorblax {} quux", dish.name), format!("no {}", dish.name), format!("{0} {0}", dish.name)]
        {
            let estimate = estimate(&text);
            let shown = format!("{:?} {:?}", items(&text), estimate.unresolved);
            assert!(!shown.contains('\u{e000}') && !shown.contains("e000"), "{text}: {shown}");
        }
    }
    assert_eq!(items("zorblax shakshuka").len(), 1);
}

#[test]
fn dishes_stand_among_other_foods() {
    let found = items("rendang with rice, two samosas and a beer");
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].starts_with("Rendang") && found[1].contains("ice"), "{found:?}");
    let amended = estimate("nasi lemak without egg");
    assert_eq!(amended.items.len(), 1, "{:?}", items("nasi lemak without egg"));
}
