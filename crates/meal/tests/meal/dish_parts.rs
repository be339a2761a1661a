//! Dishes and what they are told to be made of.

use meal::Estimate;

use crate::{assert_same, assert_share, estimate};

fn names(estimate: &Estimate) -> Vec<&str> {
    estimate.items.iter().map(|item| item.food.name.as_str()).collect()
}

fn count(text: &str) -> usize {
    estimate(text).items.len()
}

#[test]
fn a_list_with_the_base_of_a_dish_tells_the_dish() {
    assert_same(&[
        ("a smoothie with kale, yogurt and mango", "kale, yogurt and mango"),
        ("fruit salad with kiwi, orange and melon", "kiwi, orange and melon"),
    ]);
    assert_eq!(count("a salad with romaine, radish and tuna"), 3);
    assert_eq!(count("a smoothie with protein powder"), 2, "one addition is an addition");
    assert_eq!(count("a shake and a banana with yogurt"), 3, "what is beside it is not in it");
}

#[test]
fn a_dish_is_counted_by_its_eggs_and_keeps_the_rest_of_the_list() {
    assert_eq!(
        count("omelette with 2 eggs and mushrooms"),
        1,
        "{:?}",
        names(&estimate("omelette with 2 eggs and mushrooms"))
    );
    assert_share("scrambled eggs made with 2 eggs", "scrambled eggs made with 4 eggs", 0.5);
    assert_eq!(count("scrambled eggs made with 4 eggs"), 1);
}

#[test]
fn what_the_name_of_a_dish_lists_is_in_it() {
    let wrap = estimate("a wrap with chicken, lettuce and ranch");
    assert_eq!(wrap.items.len(), 1, "{:?}", names(&wrap));
    assert_eq!(count("a wrap with chicken, lettuce and a banana"), 2);
    assert_eq!(count("toast, banitsa with cheese"), 2, "the list is that of the dish before it");
    assert_eq!(
        count("greek salad with feta and olives"),
        1,
        "they are foods of the salad, whatever the tables call them"
    );
}

#[test]
fn a_bar_is_counted_by_its_fingers() {
    assert_eq!(count("two fingers of a kitkat"), 1);
    assert_share("two fingers of a kitkat", "four fingers of a kitkat", 0.5);
    assert!(names(&estimate("4 fish fingers"))[0].starts_with("Fish"), "{:?}", names(&estimate("4 fish fingers")));
}

#[test]
fn a_dish_is_called_as_it_was_told() {
    let name = |text: &str| estimate(text).items[0].local_name.clone();
    assert_eq!(name("a bowl of sauerkraut soup").as_deref(), Some("Sauerkraut soup"));
    assert_eq!(name("half a rotisserie chicken").as_deref(), Some("Half a rotisserie chicken"));
    assert_eq!(name("shoyu ramen"), None, "its own name is in it");
}

#[test]
fn parts_behind_with_are_no_dish_of_their_own() {
    let is_sandwich = |text: &str| names(&estimate(text)).iter().any(|name| name.contains("sandwich"));
    assert!(!is_sandwich("an omelette with ham and cheese"));
    assert!(is_sandwich("ham and cheese"));
    let waffles = estimate("waffles with whipped cream and strawberries");
    assert_eq!(waffles.items.len(), 3, "{:?}", names(&waffles));
    assert!(names(&waffles)[1].starts_with("Whipped cream"), "{:?}", names(&waffles));
}

#[test]
fn counts_and_sizes_behind_a_dish_are_its_own() {
    assert_same(&[
        ("crackers with hummus x4", "4 crackers with 4 hummus"),
        ("empanadas x2 beef", "2 beef empanadas"),
        ("eggs x2 toast", "2 eggs, toast"),
        ("moussaka, large portion", "large moussaka"),
        ("moussaka (small)", "small moussaka"),
    ]);
    assert_share("a small bowl of bibimbap", "a large bowl of bibimbap", 0.5);
    let pancakes = estimate("pancakes with honey, stack of 4");
    assert!((pancakes.items[0].quantity - 4.0).abs() < 0.01, "{:?}", pancakes.items[0].quantity);
}

#[test]
fn what_is_stirred_into_a_drink_is_a_splash() {
    for text in ["coffee, soy milk", "black tea, milk"] {
        let drink = estimate(text);
        assert!(drink.totals().calories < 40.0, "{text}: {}", drink.totals().calories);
    }
    assert!(estimate("a coffee, a glass of soy milk").totals().calories > 60.0);
    assert_same(&[("latte, skim milk", "latte with skim milk")]);
}

#[test]
fn another_meat_is_in_the_place_of_the_one_of_a_dish() {
    assert_same(&[("poke bowl with salmon", "poke bowl"), ("green curry with tofu", "green curry")]);
    assert_eq!(count("butter chicken with lamb"), 2, "a dish that is named after its meat keeps it");
    assert_eq!(count("greek salad with chicken"), 2, "a dish without meat has none to replace");
}

#[test]
fn what_is_only_cut_is_eaten_whole() {
    assert_same(&[
        ("an apple cut in half", "an apple"),
        ("an apple cut into slices", "an apple"),
        ("burrito split in half with my brother", "half a burrito"),
    ]);
}

#[test]
fn a_size_behind_what_a_drink_is_made_with_is_that_of_the_drink() {
    assert_same(&[("iced latte with soy milk large", "large iced latte with soy milk")]);
}

#[test]
fn a_part_is_left_out_of_the_dish_that_has_it() {
    for text in ["a cheeseburger with salad and no bun", "a cheeseburger with lettuce instead of a bun"] {
        let burger = estimate(text);
        assert_eq!((names(&burger)[0], burger.items.len()), ("Cheeseburger, no bun", 2), "{text}");
    }
}

#[test]
fn a_composed_dish_is_eaten_without_what_is_left_out() {
    for (dish, part, name) in [
        ("caesar salad", "croutons", "Caesar salad, no croutons"),
        ("greek salad", "feta", "Greek salad, no feta"),
        ("bibimbap", "meat", "Bibimbap, no meat"),
    ] {
        let (whole, without) = (estimate(dish), estimate(&format!("{dish} without {part}")));
        assert_eq!(names(&without), [name]);
        assert!(without.totals().calories < 0.85 * whole.totals().calories, "{name}");
        assert!(without.items[0].weight.grams < whole.items[0].weight.grams, "{name}");
    }
    assert_same(&[("bibimbap without anchovies", "bibimbap")]);
}

#[test]
fn a_bread_is_known_by_its_kind() {
    assert_same(&[
        ("ham on brown", "ham on brown bread"),
        ("grilled cheese on white", "grilled cheese on white bread"),
    ]);
    assert_eq!(count("bacon sandwich on white"), 1, "{:?}", names(&estimate("bacon sandwich on white")));
}

#[test]
fn a_part_with_an_amount_of_its_own_is_counted_once() {
    let told = estimate("shakshuka with 3 eggs");
    assert_eq!(told.items.len(), 2, "{:?}", names(&told));
    let [alone, more] = ["shakshuka", "shakshuka and 3 eggs"].map(|text| estimate(text).items[0].macros.calories);
    assert!(told.items[0].macros.calories < alone - 100.0, "its eggs are told apart");
    assert!((more - alone).abs() < 0.1, "more eggs are more");
    assert_eq!(count("porridge made with 50 g oats and 300 ml milk"), 2, "the porridge is what it is made of");
}

#[test]
fn what_is_said_beside_a_dish_is_not_lost() {
    for (text, foods) in [
        ("a moussaka with rice and salad at the tavern", 3),
        ("lasagna side salad", 2),
        ("pho no onions side of spring rolls", 2),
        ("chicken sandwich no lettuce, orange, crisps", 3),
        ("zucchini noodles instead of spaghetti with pesto", 2),
        ("club sandwich on rye light mayo", 2),
    ] {
        assert_eq!(count(text), foods, "{text}: {:?}", names(&estimate(text)));
    }
    let joe = estimate("a sloppy joe on a bun");
    assert!(!names(&joe)[0].contains("no bun"), "{:?}", names(&joe));
}

#[test]
fn one_of_a_dish_that_comes_in_pieces_is_a_piece() {
    assert_share("a gyoza", "6 gyoza", 1.0 / 6.0);
    assert!(estimate("gyoza").totals().calories > 3.0 * estimate("a gyoza").totals().calories);
}

#[test]
fn nothing_is_left_of_a_dish_without_all_of_its_parts() {
    let nothing = estimate("egg butter 1e9 2 no egg butter");
    assert!(nothing.items.iter().all(|item| item.weight.grams >= 0.0), "{nothing:?}");
}

#[test]
fn parts_behind_a_comma_are_in_the_dish() {
    assert_eq!(count("bibimbap, beef, egg, rice, spinach"), 1, "without amounts they describe it");
    assert_eq!(count("greek salad, feta, olives, cucumber, toast"), 2);
    assert_eq!(count("bibimbap, egg, apple"), 3, "one of them may be beside it");
    assert_eq!(count("sunday roast, 4 slices of beef, 3 roast potatoes, gravy"), 3, "with amounts they are all of it");
    assert_eq!(count("chicken biryani, raita, salad"), 3);
}
