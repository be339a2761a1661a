//! What was seen in photos, alone and with words: the meal is what the same words would have come to, had they been
//! typed, with the numbers of packages as they are printed.

#![expect(clippy::float_cmp, reason = "the numbers are rounded, as answers show them")]

use std::slice;
use std::sync::LazyLock;

use meal::{Item, Message, Part, Recipe, RecipeBook, Tier};
use nutrition::Macros;
use nutrition::sighting::{Guess, Label, LabelServing, NutritionFacts, Per, PhotoSightings, SeenBy, Sighting};

use crate::{CATALOG, ENGINE, show};

static BOOK: LazyLock<RecipeBook> = LazyLock::new(|| {
    RecipeBook::new(vec![Recipe {
        id: "rec_1".to_owned(),
        name: "Mom's Lasagna".to_owned(),
        aliases: vec!["lasagna".to_owned()],
        macros: Macros { calories: 400.0, ..Macros::default() },
        serving_description: Some("1 slice (350 g)".to_owned()),
        ..Recipe::default()
    }])
});

fn dish(guesses: &[(&str, f32)]) -> Sighting {
    let guess = |(words, confidence): &(&str, f32)| Guess { words: (*words).to_owned(), confidence: *confidence };
    Sighting::Dish { guesses: guesses.iter().map(guess).collect(), by: SeenBy::Dish, note: None, region: None }
}

fn sure(words: &str) -> Sighting {
    dish(&[(words, 0.9)])
}

fn facts(calories: Option<f64>, protein: Option<f64>, carbs: Option<f64>, fat: Option<f64>) -> NutritionFacts {
    NutritionFacts { macros: Macros { calories, protein, carbs, fat }, ..NutritionFacts::default() }
}

fn serving_of(grams: f64) -> LabelServing {
    LabelServing { grams: Some(grams), ..LabelServing::default() }
}

fn granola() -> Sighting {
    printed(Label {
        per: Per::Serving,
        serving: Some(LabelServing { text: "2/3 cup".to_owned(), grams: Some(55.0), milliliters: None }),
        facts: NutritionFacts { sugars: Some(12.0), ..facts(Some(230.0), Some(3.0), Some(37.0), Some(8.0)) },
    })
}

fn printed(label: Label) -> Sighting {
    Sighting::Label { label, region: None }
}

fn meal(messages: &[(&str, &[PhotoSightings])], book: &RecipeBook) -> Vec<Part> {
    let message =
        |(text, photos): &(&str, &[PhotoSightings])| Message::with_photos((*text).to_owned(), photos.to_vec());
    let messages: Vec<Message> = messages.iter().map(message).collect();
    meal::estimate(&ENGINE, &messages, book).collect()
}

fn shown(messages: &[(&str, &[PhotoSightings])]) -> Vec<String> {
    meal(messages, &RecipeBook::default()).iter().map(show).collect()
}

fn typed(text: &str) -> Vec<String> {
    crate::shown(text, &RecipeBook::default())
}

fn items(messages: &[(&str, &[PhotoSightings])]) -> Vec<Item> {
    let item = |part: Part| match part {
        Part::Food(item) => Some(*item),
        _ => None,
    };
    meal(messages, &RecipeBook::default()).into_iter().filter_map(item).collect()
}

/// What is seen in one photo, what is said with it, and what comes to the same when it is typed.
fn assert_same(cases: &[(&[&str], &str, &str)]) {
    for (seen, words, text) in cases {
        let photo: PhotoSightings = seen.iter().map(|words| sure(words)).collect();
        assert_eq!(shown(&[(*words, &[photo])]), typed(text), "{seen:?} with {words:?} is not {text:?}");
    }
}

#[test]
fn a_dish_is_what_its_name_is_in_a_text() {
    assert_same(&[
        (&["apple pie"], "", "apple pie"),
        (&["hamburger", "french fries"], "", "hamburger, french fries"),
        (&["banana"], "my snack today", "banana"),
        (&["banana"], "what is in this?", "banana"),
        (&["caesar salad"], "this is my lunch", "caesar salad"),
        (&["caesar salad"], "lunch", "caesar salad"),
    ]);
}

#[test]
fn words_rule_over_what_is_seen() {
    assert_same(&[
        (&["apple pie"], "half of this", "0.5 apple pie"),
        (&["apple pie"], "I ate half", "0.5 apple pie"),
        (&["banana"], "I ate two of these", "two bananas"),
        (&["banana"], "two of these", "two bananas"),
        (&["milk"], "it was oat milk", "oat milk"),
        (&["banana"], "that was 110 g", "110 g banana"),
        (&["banana"], "110 g", "110 g banana"),
        (&["hamburger"], "it was a cheeseburger", "cheeseburger"),
        (&["pancakes"], "waffles", "waffles"),
        (&["hamburger", "french fries"], "a cheeseburger", "a cheeseburger"),
        (&["steak", "french fries"], "200 g steak and a salad", "200 g steak and a salad"),
    ]);
}

#[test]
fn what_was_eaten_beside_a_photo_is_added() {
    assert_same(&[
        (&["hamburger"], "this and a banana", "hamburger, a banana"),
        (&["hamburger"], "I had this with a banana", "hamburger, a banana"),
        (&["banana"], "two of these and a glass of milk", "two bananas, a glass of milk"),
        (&["hamburger"], "plus a banana", "hamburger, a banana"),
        (&["hamburger"], "and a coke", "hamburger, a coke"),
        (&["hamburger"], "this plus a banana", "hamburger, a banana"),
        (&["hamburger"], "this, and a coke", "hamburger, a coke"),
        (&["hamburger"], "this, a coke", "hamburger, a coke"),
        (&["hamburger"], "half of this, and a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "half of this and a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "half of this, a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "half of this with a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "I ate half of it, plus a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "I ate half, and a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "half the hamburger, and a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "half of this hamburger and a coke", "0.5 hamburger, a coke"),
        (&["hamburger"], "a third of this, a coke and a banana", "0.333333 hamburger, a coke, a banana"),
        (&["hamburger", "french fries"], "half of this, and a coke", "0.5 hamburger, 0.5 french fries, a coke"),
        (&["banana"], "two of these, and a coke", "two bananas, a coke"),
    ]);
}

#[test]
fn shares_are_of_everything_that_is_seen() {
    let photo = vec![sure("hamburger"), sure("banana")];
    assert_eq!(shown(&[("half of this", &[photo])]), typed("0.5 hamburger, 0.5 banana"));
}

#[test]
fn later_messages_amend_what_was_seen() {
    let photo = vec![sure("hamburger"), sure("banana")];
    assert_eq!(shown(&[("", slice::from_ref(&photo)), ("make it two bananas", &[])]), typed("hamburger, two bananas"));
    assert_eq!(shown(&[("", slice::from_ref(&photo)), ("no banana", &[])]), typed("hamburger"));
    assert_eq!(
        shown(&[("", slice::from_ref(&photo)), ("add a glass of milk", &[])]),
        typed("hamburger, banana, glass of milk")
    );
    assert_eq!(shown(&[("a banana", &[]), ("", &[photo])]), typed("a banana, hamburger"));
}

#[test]
fn a_dish_that_is_not_clear_is_asked_about() {
    let question = |messages: &[(&str, &[PhotoSightings])]| {
        items(messages)[0].seen.as_ref().and_then(|seen| seen.question.clone())
    };
    let asks = |guesses: &[(&str, f32)]| question(&[("", &[vec![dish(guesses)]])]);
    assert_eq!(asks(&[("dosa", 0.4), ("crepe", 0.3), ("naan", 0.05)]).as_deref(), Some("dosa or crepe?"));
    let three = asks(&[("apple", 0.2), ("cherries", 0.15), ("grapes", 0.1), ("plum", 0.09)]);
    assert_eq!(three.as_deref(), Some("apple, cherries or grapes?"));
    assert_eq!(asks(&[("pancakes", 0.6), ("waffles", 0.3)]), None, "it is clear enough");
    assert_eq!(asks(&[("pancakes", 0.4), ("waffles", 0.05)]), None, "nothing else is likely");
    let photo = vec![dish(&[("dosa", 0.4), ("crepe", 0.3)])];
    assert_eq!(question(&[("", slice::from_ref(&photo)), ("it was a crepe", &[])]), None, "the words say it");
    let wide = items(&[("", &[vec![dish(&[("apple", 0.2), ("hamburger", 0.1)])]])]).remove(0);
    assert!(wide.range.high.calories > 2.0 * wide.macros.calories, "{:?}", wide.range);
}

#[test]
fn a_dish_is_an_estimate_and_says_what_else_it_may_be() {
    let unsure = items(&[("", &[vec![dish(&[("pancakes", 0.4), ("waffles", 0.3), ("banana", 0.01)])]])]);
    let sure = items(&[("", &[vec![sure("pancakes")]])]);
    assert_eq!((unsure[0].tier, sure[0].tier), (Tier::Estimated, Tier::Estimated));
    assert_eq!(unsure[0].macros, sure[0].macros);
    assert!(unsure[0].range.high.calories > sure[0].range.high.calories);
    assert!(unsure[0].range.low.calories < sure[0].range.low.calories);
    let names: Vec<&str> = unsure[0].alternatives.iter().map(|food| food.name.as_str()).collect();
    assert!(names.len() == 1 && names[0].to_lowercase().contains("waffle"), "{names:?}");
    let seen = unsure[0].seen.as_ref().expect("seen in a photo");
    assert_eq!((seen.photo, seen.by), (1, SeenBy::Dish));
    // What is said is no longer what it looked like.
    let told = items(&[("it was waffles", &[vec![dish(&[("pancakes", 0.4)])]])]);
    assert!(told[0].seen.is_none());
}

#[test]
fn recipes_are_found_in_photos() {
    let parts = meal(&[("half of this", &[vec![sure("lasagna")]])], &BOOK);
    assert_eq!(parts.iter().map(show).collect::<Vec<_>>(), ["Mom's Lasagna × 0.5"]);
}

#[test]
fn the_numbers_of_a_label_stand() {
    let item = |words: &str| items(&[(words, &[vec![granola()]])]).remove(0);
    let one = item("");
    assert_eq!((one.macros.calories, one.macros.carbs, one.tier), (230.0, 37.0, Tier::Measured));
    assert_eq!((one.weight.grams, one.quantity), (55.0, 1.0));
    assert_eq!(item("two servings").macros.calories, 460.0);
    assert_eq!(item("half of this").macros.calories, 115.0);
    assert_eq!(item("I had 110 g of this").macros.calories, 460.0);
    let named = item("40 g of this granola");
    assert!(named.food.name.to_lowercase().contains("granola"), "{}", named.food.name);
    assert_eq!(named.macros.calories, (230.0 * 40.0 / 55.0_f64).round());
    let half = items(&[("half of this granola with a cup of milk", &[vec![granola()]])]);
    assert_eq!((half[0].macros.calories, half[0].food.name.as_str()), (115.0, "Granola"));
    assert_eq!((half[0].quantity, half[0].unit.as_str()), (0.5, "serving"));
    assert!(half.len() == 2 && half[1].weight.grams > 200.0, "{}", half[1].weight.grams);
    let with_milk = items(&[("granola with a cup of milk", &[vec![granola()]])]);
    assert_eq!(with_milk.len(), 2);
    assert_eq!(with_milk[0].macros.calories, 230.0);
}

#[test]
fn a_label_for_100_g_counts_its_portion_or_100_g() {
    let facts = facts(Some(400.0), Some(10.0), Some(60.0), Some(13.0));
    let label = |grams: Option<f64>| printed(Label { per: Per::HundredGrams, serving: grams.map(serving_of), facts });
    assert_eq!(items(&[("", &[vec![label(Some(30.0))]])])[0].macros.calories, 120.0);
    let whole = items(&[("", &[vec![label(None)]])]).remove(0);
    assert_eq!((whole.macros.calories, whole.weight.grams), (400.0, 100.0));
}

#[test]
fn a_label_that_lacks_a_number_is_completed_and_one_that_lacks_more_is_not_read() {
    let label = |facts| vec![vec![printed(Label { per: Per::Serving, serving: Some(serving_of(50.0)), facts })]];
    let one = facts(Some(170.0), Some(5.0), None, Some(10.0));
    let item = items(&[("", &label(one))]).remove(0);
    assert_eq!((item.macros.carbs, item.tier), (15.0, Tier::Derived));
    let two = facts(Some(170.0), None, None, Some(10.0));
    assert!(items(&[("", &label(two))]).is_empty());
}

#[test]
fn a_label_without_a_mass_counts_servings_and_never_grams() {
    let serving = LabelServing { text: "1 bar".to_owned(), ..LabelServing::default() };
    let facts = facts(Some(200.0), Some(2.0), Some(30.0), Some(8.0));
    let label = printed(Label { per: Per::Serving, serving: Some(serving), facts });
    let item = |words: &str| items(&[(words, &[vec![label.clone()]])]).remove(0);
    assert_eq!(item("two of these").macros.calories, 400.0);
    assert_eq!(item("that was 20 g").macros.calories, 200.0);
    assert!(!item("").seen.expect("seen").knows_mass());
}

#[test]
fn a_bar_code_is_its_product() {
    let product = CATALOG.layers()[0].foods().find(|food| food.gtin.is_some()).expect("the catalog has products");
    let code = Sighting::Barcode { gtin: product.gtin.expect("has one"), region: None };
    let item = |words: &str| items(&[(words, &[vec![code.clone()]])]).remove(0);
    let one = item("");
    assert_eq!((one.food.id.as_str(), one.tier), (product.id.as_str(), Tier::Measured));
    assert!((one.weight.grams - f64::from(product.serving.grams)).abs() < 0.01);
    assert!((item("two of these").weight.grams - 2.0 * one.weight.grams).abs() < 0.01);
    assert!((item("40 g of this").weight.grams - 40.0).abs() < 0.01);
    assert!(
        items(&[("", &[vec![Sighting::Barcode { gtin: 1, region: None }]])]).is_empty(),
        "an unknown code is nothing"
    );
    // A package is what is printed on it, not what it looks like.
    assert_eq!(items(&[("", &[vec![sure("pancakes"), code.clone()]])]).len(), 1);
    assert_eq!(items(&[("", &[vec![granola()], vec![code]])]).len(), 1);
}

#[test]
fn several_photos_are_one_meal_or_several_views() {
    let first = vec![dish(&[("hamburger", 0.6), ("cheeseburger", 0.3)])];
    let second = vec![dish(&[("cheeseburger", 0.7), ("hamburger", 0.2)])];
    let fruit = vec![sure("banana")];
    let count = |words: &str, photos: &[PhotoSightings]| meal(&[(words, photos)], &RecipeBook::default()).len();
    assert_eq!(count("", &[first.clone(), second.clone()]), 1, "they overlap");
    assert_eq!(count("I ate both", &[first.clone(), second.clone()]), 2);
    assert_eq!(count("", &[first.clone(), fruit.clone()]), 2);
    assert_eq!(shown(&[("", &[first, second])]), typed("cheeseburger"), "the surer view counts");
}

#[test]
fn nothing_seen_leaves_the_words_alone() {
    assert_eq!(shown(&[("two eggs", &[vec![]])]), typed("two eggs"));
    assert!(shown(&[("", &[vec![]])]).is_empty());
    assert!(shown(&[("", &[vec![dish(&[])]])]).is_empty());
}

#[test]
fn no_words_beside_a_photo_are_too_strange() {
    let strange =
        ["of of of this", "this", "these these", "half", "this this granola of", "\u{0}", "🍌🍌 of it", "and"];
    for words in strange {
        assert!(!shown(&[(words, &[vec![sure("banana")]])]).is_empty(), "{words:?}");
    }
}

#[test]
fn every_name_that_eyes_give_is_a_food() {
    let ours =
        include_str!("../../../vision/models/dish-classes.tsv").lines().filter_map(|line| line.split('\t').nth(1));
    let dishes = include_str!("../../../vision/models/dish-aiy-names.txt").lines().filter(|name| !name.is_empty());
    let (mut count, mut wrong) = (0, Vec::new());
    for name in ours.chain(dishes) {
        let parts = meal(&[("", &[vec![sure(name)]])], &RecipeBook::default());
        let is_food = |part: &Part| matches!(part, Part::Food(item) if item.macros.calories > 0.0);
        if parts.is_empty() || !parts.iter().all(is_food) {
            wrong.push(format!("{name}: {:?}", parts.iter().map(show).collect::<Vec<_>>()));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count >= 2_100, "{count}");
}

#[test]
fn a_dish_of_the_world_is_one_food() {
    let classes = include_str!("../../../vision/models/dish-classes.tsv").lines();
    let world = classes.filter(|line| line.contains("\tworld\t")).filter_map(|line| line.split('\t').nth(1));
    let parts = world.map(|name| (name, meal(&[("", &[vec![sure(name)]])], &RecipeBook::default())));
    let (one, others): (Vec<_>, Vec<_>) = parts.partition(|(_, parts)| parts.len() == 1);
    assert!(others.is_empty(), "{:?}", others.iter().map(|(name, parts)| (name, parts.len())).collect::<Vec<_>>());
    assert!(one.len() >= 160, "{}", one.len());
}
