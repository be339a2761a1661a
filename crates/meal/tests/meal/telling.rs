//! What people tell around foods: how they cooked them, what they thought of first and did not eat, what the food comes in.

use crate::{assert_same, assert_share, estimate};

/// What a text says, and the same in plain words.
type Told<'t> = (&'t str, &'t str);

const VERBS_OF_COOKING: [Told<'_>; 5] = [
    ("grilled a 6 oz chicken breast", "6 oz grilled chicken breast"),
    ("fried two eggs", "two fried eggs"),
    ("baked 12 muffins, ate 2", "2 muffins"),
    ("roasted a tray of potatoes, 400g", "roasted potatoes, 400g"),
    ("potatoes, boiled 200g, chicken", "200g boiled potatoes, chicken"),
];

#[test]
fn a_verb_of_cooking_is_no_food() {
    assert_same(&VERBS_OF_COOKING);
    assert_eq!(estimate("steamed a cup of green beans and grilled a 6 oz salmon").items.len(), 2);
}

const SECOND_THOUGHTS: [Told<'_>; 6] = [
    ("2 cookies, fine, 4 cookies", "4 cookies"),
    ("a beer. well, three beers", "three beers"),
    ("3 meatballs.. jk it was 20", "20 meatballs"),
    ("three dates, no, five", "five dates"),
    ("10 almonds, no 15 almonds", "15 almonds"),
    ("two eggs. Then 3 cookies", "two eggs, 3 cookies"),
];

#[test]
fn second_thoughts_replace_amounts() {
    assert_same(&SECOND_THOUGHTS);
}

const NOT_EATEN: [Told<'_>; 6] = [
    ("instead of a slice of pizza I had an apple", "an apple"),
    ("didn't have a 6 oz steak, just an apple", "an apple"),
    ("thought about a cupcake, ate a peach", "a peach"),
    ("nearly had a donut, went for a pear", "a pear"),
    ("wanted a bowl of soup but had two bananas", "two bananas"),
    ("will have a steak for dinner but so far just two bananas", "two bananas"),
];

#[test]
fn what_was_denied_with_an_amount_or_only_intended_is_not_eaten() {
    assert_same(&NOT_EATEN);
    assert_share("threw away half the muffin", "a muffin", 0.5);
}

const DESCRIPTIONS: [Told<'_>; 9] = [
    ("pepper, green", "green pepper"),
    ("olives 10 green", "10 green olives"),
    ("salmon with skin", "salmon"),
    ("trout with skin 150g", "150g trout"),
    ("scratchings bag 40g", "40g scratchings"),
    ("yogurt 125g pot", "125g yogurt"),
    ("chips and curry sauce from the chinese", "chips and curry sauce"),
    ("hakka noodles from the chinese stall", "hakka noodles"),
    ("yogurt no added sugar", "yogurt"),
];

#[test]
fn what_only_describes_a_food_is_no_food_beside_it() {
    assert_same(&DESCRIPTIONS);
    let skin = estimate("roast chicken thigh with skin");
    assert!(skin.items[0].food.name.contains("skin eaten"), "{}", skin.items[0].food.name);
}

#[test]
fn a_name_stays_a_food_before_words_that_nobody_knows() {
    for (text, name) in [
        ("lasagna wow", "lasagna"),
        ("pizza last night", "pizza"),
        ("a burrito last night", "a burrito"),
        ("chicken curry bro", "chicken curry"),
        ("chili no cheese", "chili"),
        ("chili one bowl", "a bowl of chili"),
    ] {
        let (found, plain) = (estimate(text), estimate(name));
        let ids = |estimate: &meal::Estimate| -> Vec<String> {
            estimate.items.iter().map(|item| item.food.id.clone()).collect()
        };
        assert_eq!(ids(&found), ids(&plain), "{text}");
    }
}

const ON_FOODS: [Told<'_>; 3] = [
    ("I had a bowl of cereal with milk", "a bowl of cereal with milk"),
    ("I ate 2 slices of toast with butter", "2 slices of toast with butter"),
    ("I had 6 crackers with cheese", "6 crackers with cheese"),
];

#[test]
fn what_is_put_on_foods_is_not_lost_in_a_sentence() {
    assert_same(&ON_FOODS);
    assert_eq!(estimate("I had a bowl of cereal with milk").items.len(), 2);
}

#[test]
fn a_product_told_by_its_maker_and_its_kind_counts_once() {
    assert_same(&[("Jif - Creamy Peanut Butter, 2 Tbsp", "2 tbsp peanut butter")]);
}

#[test]
fn a_weighed_list_tells_the_dish_before_it() {
    let parts = "20g almonds, 20g raisins, 10g chocolate chips";
    assert_same(&[(&format!("my own trail mix, {parts}"), parts)]);
    assert_eq!(estimate("smoothie, 1 banana, coffee").items.len(), 3, "counted foods are eaten beside it");
}

#[test]
fn calories_behind_a_weight_are_those_of_all_of_it() {
    let stated = estimate("chicken breast 6 oz 280 cal");
    assert!((stated.totals().calories - 280.0).abs() < 0.5, "{}", stated.totals().calories);
}

/// Words of talk that are in names, too.
#[test]
fn names_keep_words_that_say_nothing_elsewhere() {
    for (text, name) in [("slice of black forest cake", "forest"), ("mushy peas", "mushy"), ("tom yum soup", "yum")] {
        let found = estimate(text);
        let shown = found.items[0].local_name.as_deref().unwrap_or(&found.items[0].food.name).to_lowercase();
        assert!(shown.contains(name), "{text}: {shown}");
    }
}

#[test]
fn short_joints_are_those_of_names() {
    assert_same(&[("rum n coke", "rum and coke"), ("latte w oat milk", "latte with oat milk")]);
}
