//! Foods that are named by their ids and items that are corrected by their numbers, alone and mixed with words and photos.

#![expect(clippy::float_cmp, reason = "the numbers are rounded, as answers show them")]

use std::sync::LazyLock;

use meal::{
    CorrectionPart, FoodPart, Item, Message, MessagePart, Part, PartRefusal, Recipe, RecipeBook, RefusedPart, Speaker,
    Tier, WeightSource,
};
use nutrition::Macros;
use nutrition::sighting::{Guess, Label, LabelServing, NutritionFacts, Per, SeenBy, Sighting};
use proptest::prelude::*;

use crate::{CATALOG, ENGINE, estimate, show};

static BOOK: LazyLock<RecipeBook> = LazyLock::new(|| {
    let recipe = |id: &str, name: &str, serving: Option<&str>| Recipe {
        id: id.to_owned(),
        name: name.to_owned(),
        macros: Macros { calories: 400.0, ..Macros::default() },
        serving_description: serving.map(str::to_owned),
        ..Recipe::default()
    };
    RecipeBook::new(vec![
        recipe("rec_1", "Mom's Lasagna", Some("1 slice (350 g)")),
        recipe("rec_2", "Power Bowl", None),
        recipe("rec_3", "Ginger Cookies", Some("2 cookies")),
    ])
});

/// Returns the id of the food that a text means.
fn id(text: &str) -> String {
    estimate(text).items.remove(0).food.id
}

fn text(text: &str) -> MessagePart {
    MessagePart::Text(text.to_owned())
}

fn food(food_id: &str, quantity: impl Into<Option<f64>>, unit: impl Into<Option<&'static str>>) -> MessagePart {
    let unit = unit.into().map(str::to_owned);
    MessagePart::Food(FoodPart { food_id: food_id.to_owned(), quantity: quantity.into(), unit })
}

/// A correction of an item; an empty id or unit is none.
fn correct(item: usize, food_id: &str, quantity: impl Into<Option<f64>>, unit: &str) -> MessagePart {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (food_id, unit) = (given(food_id), given(unit));
    MessagePart::Correction(CorrectionPart { item, food_id, quantity: quantity.into(), unit })
}

fn dish(words: &str) -> MessagePart {
    let guesses = vec![Guess { words: words.to_owned(), confidence: 0.9 }];
    MessagePart::Photo(vec![Sighting::Dish { guesses, by: SeenBy::Dish, note: None, region: None }])
}

fn parts(messages: Vec<Vec<MessagePart>>) -> Result<Vec<Part>, RefusedPart> {
    let messages: Vec<Message> = messages.into_iter().map(|parts| Message { parts }).collect();
    meal::try_estimate(&ENGINE, &messages, &BOOK, &Speaker::default()).map(Iterator::collect)
}

fn shown(messages: Vec<Vec<MessagePart>>) -> Vec<String> {
    parts(messages).expect("all parts can be read").iter().map(show).collect()
}

fn item(messages: Vec<Vec<MessagePart>>, at: usize) -> Item {
    match parts(messages).expect("all parts can be read").swap_remove(at) {
        Part::Food(item) => *item,
        other => panic!("not a food: {other:?}"),
    }
}

fn refusal(messages: Vec<Vec<MessagePart>>) -> (usize, usize, PartRefusal) {
    let RefusedPart { message, part, reason } = parts(messages).expect_err("refused");
    (message, part, reason)
}

#[test]
fn a_named_food_weighs_what_the_same_words_weigh() {
    for (words, unit, quantity) in [
        ("150 g of banana", "g", 150.0),
        ("2 bananas", "banana", 2.0),
        ("2 cups of whole milk", "cups", 2.0),
        ("250 ml of whole milk", "ml", 250.0),
        ("3 slices of white bread", "slice", 3.0),
        ("2 large eggs", "large", 2.0),
        ("1 tbsp of butter", "tablespoon", 1.0),
    ] {
        let typed = estimate(words).items.remove(0);
        let named = item(vec![vec![food(&typed.food.id, quantity, unit)]], 0);
        assert_eq!(named.food.id, typed.food.id);
        assert_eq!((named.weight.grams, named.macros), (typed.weight.grams, typed.macros), "{words}");
        assert_eq!((named.tier, &named.weight.source), (typed.tier, &typed.weight.source), "{words}");
        assert_eq!((named.quantity, &named.unit), (typed.quantity, &typed.unit), "{words}");
    }
}

#[test]
fn the_tier_says_how_the_amount_became_grams() {
    let banana = id("a banana");
    let tier = |part: MessagePart| item(vec![vec![part]], 0).tier;
    assert_eq!(tier(food(&banana, 150.0, "g")), Tier::Measured);
    assert_eq!(tier(food(&banana, 1.0, "cup")), Tier::Derived);
    assert_eq!(tier(food(&banana, None, None)), Tier::Estimated);
    let usual = item(vec![vec![food(&banana, 2.0, None)]], 0);
    assert_eq!((&usual.weight.source, usual.unit.as_str()), (&WeightSource::Usual, "serving"));
    assert_eq!(usual.weight.grams, 2.0 * f64::from(usual.food.serving.grams));
}

#[test]
fn products_are_named_by_their_ids() {
    let product = CATALOG.layers()[0].foods().find(|food| food.gtin.is_some()).expect("the catalog has products");
    let named = item(vec![vec![food(&product.id, 40.0, "g")]], 0);
    assert_eq!((named.food.id, named.weight.grams, named.tier), (product.id, 40.0, Tier::Measured));
    assert!(named.alternatives.is_empty() && named.seen.is_none());
}

#[test]
fn parts_are_read_in_order() {
    let (banana, egg) = (id("a banana"), id("an egg"));
    let mixed = vec![food(&banana, 100.0, "g"), text("two eggs"), food("rec_2", None, None)];
    let shown_mixed = shown(vec![mixed]);
    assert_eq!(shown_mixed.len(), 3, "{shown_mixed:?}");
    assert!(shown_mixed[0].ends_with(" 100 g") && shown_mixed[2] == "Power Bowl × 1", "{shown_mixed:?}");
    // Words speak of what was named before them, in the same message and in the next.
    let twice = item(vec![vec![food(&banana, 1.0, "banana"), text("make it two")]], 0);
    assert_eq!((twice.quantity, twice.food.id.as_str()), (2.0, banana.as_str()));
    let removed = shown(vec![vec![food(&banana, 1.0, "banana"), food(&egg, 1.0, "egg")], vec![text("no banana")]]);
    assert_eq!(removed.len(), 1, "{removed:?}");
    let undone = shown(vec![vec![text("two eggs")], vec![food(&banana, 1.0, "banana")], vec![text("scratch that")]]);
    assert_eq!(undone.len(), 1, "{undone:?}");
    // A food beside a photo is one more.
    let beside = shown(vec![vec![dish("hamburger"), text("half of this"), food(&banana, 100.0, "g")]]);
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert_eq!(beside[0], show(&Part::Food(Box::new(estimate("0.5 hamburger").items.remove(0)))));
}

#[test]
fn an_item_gets_another_amount() {
    let said = || vec![text("two eggs and 100 g of rice")];
    let egg = |part: MessagePart| item(vec![said(), vec![part]], 0);
    assert_eq!(egg(correct(1, "", 3.0, "")).quantity, 3.0);
    assert_eq!(egg(correct(1, "", 3.0, "")).weight.grams, estimate("3 eggs").items[0].weight.grams);
    assert_eq!(egg(correct(1, "", 60.0, "g")).weight.grams, 60.0);
    assert_eq!(egg(correct(1, "", 60.0, "g")).tier, Tier::Measured);
    assert_eq!(egg(correct(1, "", None, "large")).unit, "large");
    // A number alone counts in the unit of the item, however small it is.
    let rice = item(vec![said(), vec![correct(2, "", 5.0, "")]], 1);
    assert_eq!((rice.weight.grams, rice.unit.as_str()), (5.0, "g"));
    // The food stays, whatever the measure.
    let name = estimate("a glass of milk").items.remove(0).food.id;
    for unit in ["g", "cup", "tbsp", "bottle", "slice"] {
        let milk = item(vec![vec![text("a glass of milk")], vec![correct(1, "", 2.0, unit)]], 0);
        assert_eq!(milk.food.id, name, "{unit}");
    }
}

#[test]
fn an_item_becomes_another_food() {
    let oats = id("oat milk");
    let milk = item(vec![vec![text("two eggs and a cup of milk"), correct(2, &oats, None, "")]], 1);
    assert_eq!((milk.food.id.as_str(), milk.unit.as_str(), milk.quantity), (oats.as_str(), "cup", 1.0));
    let weighed = item(vec![vec![text("a cup of milk")], vec![correct(1, &oats, 200.0, "g")]], 0);
    assert_eq!((weighed.food.id.as_str(), weighed.weight.grams, weighed.tier), (oats.as_str(), 200.0, Tier::Measured));
    // Later corrections and words find it.
    let twice =
        item(vec![vec![text("a cup of milk")], vec![correct(1, &oats, None, "")], vec![text("make it two")]], 0);
    assert_eq!((twice.food.id.as_str(), twice.quantity), (oats.as_str(), 2.0));
    let seen = item(vec![vec![dish("banana")], vec![correct(1, &oats, 100.0, "g")]], 0);
    assert!(seen.seen.is_none() && seen.tier == Tier::Measured);
}

#[test]
fn zero_removes_that_item_alone() {
    let all = shown(vec![vec![text("two eggs, a slice of toast with butter and a latte")]]);
    for removed in 1..=all.len() {
        let left = shown(vec![
            vec![text("two eggs, a slice of toast with butter and a latte")],
            vec![correct(removed, "", 0.0, "")],
        ]);
        let expected: Vec<&String> = (0..all.len()).filter(|at| at + 1 != removed).map(|at| &all[at]).collect();
        assert_eq!(left.iter().collect::<Vec<_>>(), expected);
    }
    // The numbers move up.
    let both = vec![correct(1, "", 0.0, ""), correct(1, "", 0.0, "")];
    assert!(shown(vec![vec![text("two eggs and a banana")], both]).is_empty());
    // Words that are not resolved have no number.
    let banana = shown(vec![vec![text("3 flurbnagles and a banana")], vec![correct(1, "", 100.0, "g")]]);
    assert!(banana.iter().any(|part| part.ends_with(" 100 g")), "{banana:?}");
}

#[test]
fn recipes_keep_their_numbers() {
    assert_eq!(shown(vec![vec![food("rec_1", 2.0, "slices")]]), ["Mom's Lasagna × 2"]);
    assert_eq!(shown(vec![vec![food("rec_1", 175.0, "g")]]), ["Mom's Lasagna × 0.5"]);
    assert_eq!(shown(vec![vec![food("rec_1", 1.5, None)]]), ["Mom's Lasagna × 1.5"]);
    assert_eq!(shown(vec![vec![food("rec_3", 3.0, "cookies")]]), ["Ginger Cookies × 1.5"]);
    assert_eq!(shown(vec![vec![food("rec_3", 3.0, None)]]), ["Ginger Cookies × 3"]);
    // A unit that the recipe does not have would only be a guess.
    assert_eq!(refusal(vec![vec![food("rec_2", 200.0, "g")]]).2, PartRefusal::UnknownUnit);
    assert_eq!(refusal(vec![vec![food("rec_2", 1.0, "cup")]]).2, PartRefusal::UnknownUnit);
    let said = || vec![text("a power bowl and 2 slices of mom's lasagna")];
    assert_eq!(shown(vec![said(), vec![correct(2, "", 3.0, "")]]), ["Power Bowl × 1", "Mom's Lasagna × 3"]);
    assert_eq!(shown(vec![said(), vec![correct(2, "", 350.0, "g")]]), ["Power Bowl × 1", "Mom's Lasagna × 1"]);
    assert_eq!(shown(vec![said(), vec![correct(1, "rec_1", None, "")]])[0], "Mom's Lasagna × 1");
    assert_eq!(refusal(vec![said(), vec![correct(1, "", 2.0, "g")]]), (1, 0, PartRefusal::UnknownUnit));
    // From a recipe to a food and back.
    let banana = id("a banana");
    let swapped = item(vec![said(), vec![correct(1, &banana, 100.0, "g")]], 0);
    assert_eq!((swapped.food.id, swapped.weight.grams), (banana.clone(), 100.0));
    let kept = item(vec![said(), vec![correct(2, &banana, None, "")]], 1);
    assert_eq!((kept.food.id, kept.quantity), (banana, 2.0));
    assert_eq!(shown(vec![vec![text("two bananas")], vec![correct(1, "rec_2", None, "")]]), ["Power Bowl × 2"]);
}

#[test]
fn a_label_keeps_its_numbers() {
    let label = |grams: Option<f64>| {
        let serving = Some(LabelServing { text: "1 bar".to_owned(), grams, milliliters: None });
        let macros = Macros { calories: Some(200.0), protein: Some(2.0), carbs: Some(30.0), fat: Some(8.0) };
        let facts = NutritionFacts { macros, ..NutritionFacts::default() };
        MessagePart::Photo(vec![Sighting::Label { label: Label { per: Per::Serving, serving, facts }, region: None }])
    };
    let twice = item(vec![vec![label(Some(50.0))], vec![correct(1, "", 2.0, "")]], 0);
    assert_eq!((twice.macros.calories, twice.weight.grams), (400.0, 100.0));
    assert_eq!(item(vec![vec![label(Some(50.0))], vec![correct(1, "", 25.0, "g")]], 0).macros.calories, 100.0);
    assert_eq!(refusal(vec![vec![label(None)], vec![correct(1, "", 25.0, "g")]]).2, PartRefusal::UnknownUnit);
}

#[test]
fn what_cannot_be_read_is_reported_where_it_is_and_skipped_by_the_lenient_entry() {
    let banana = id("a banana");
    let eggs = || vec![text("two eggs")];
    assert_eq!(refusal(vec![vec![text("an egg"), food("sr_0", None, None)]]), (0, 1, PartRefusal::UnknownFood));
    assert_eq!(refusal(vec![eggs(), vec![food("label", None, None)]]), (1, 0, PartRefusal::UnknownFood));
    assert_eq!(refusal(vec![vec![food("", None, None)]]).2, PartRefusal::UnknownFood);
    assert_eq!(refusal(vec![vec![food(&banana, 0.0, None)]]).2, PartRefusal::BadQuantity);
    assert_eq!(refusal(vec![vec![food(&banana, f64::NAN, None)]]).2, PartRefusal::BadQuantity);
    assert_eq!(refusal(vec![vec![food(&banana, 1.0, "flurb")]]).2, PartRefusal::UnknownUnit);
    assert_eq!(refusal(vec![eggs(), vec![correct(2, "", 1.0, "")]]), (1, 0, PartRefusal::UnknownItem { items: 1 }));
    assert_eq!(refusal(vec![eggs(), vec![correct(0, "", 1.0, "")]]).2, PartRefusal::UnknownItem { items: 1 });
    assert_eq!(refusal(vec![vec![correct(1, "", 1.0, "")]]).2, PartRefusal::UnknownItem { items: 0 });
    assert_eq!(refusal(vec![eggs(), vec![correct(1, "", -1.0, "")]]).2, PartRefusal::BadQuantity);
    assert_eq!(refusal(vec![eggs(), vec![correct(1, "sr_0", None, "")]]).2, PartRefusal::UnknownFood);
    assert_eq!(refusal(vec![eggs(), vec![correct(1, "", 1.0, "flurb")]]).2, PartRefusal::UnknownUnit);
    assert_eq!(refusal(vec![eggs(), vec![correct(1, "", None, "")]]).2, PartRefusal::NoChange);
    let messages = [Message { parts: vec![text("two eggs"), food("sr_0", None, None), correct(9, "", 1.0, "")] }];
    let lenient: Vec<String> = meal::estimate(&ENGINE, &messages, &BOOK).map(|part| show(&part)).collect();
    assert_eq!(lenient, shown(vec![eggs()]));
}

/// A mixture of parts in two messages, most of which cannot be read.
fn any_part() -> impl Strategy<Value = MessagePart> {
    let ids = prop::sample::select(vec!["fndds_11400010", "rec_1", "rec_3", "sr_0", ""]);
    let units =
        prop::sample::select(vec!["g", "cup", "slice", "large", "serving", "3 g", "1/0", "no egg", "\u{0}", "é"]);
    let quantity = prop::sample::select(vec![0.0, 1e-12, 0.5, 3.0, 1e5, 1e6, -1.0, f64::NAN, f64::INFINITY]);
    let words =
        prop::sample::select(vec!["two eggs", "toast with butter", "make it two", "no butter", "scratch that", ""]);
    let amount = (prop::option::of(quantity), prop::option::of(units), prop::option::of(ids));
    (0..3, words, amount, 0..6_usize).prop_map(|(kind, words, (quantity, unit, id), item)| {
        let (food_id, unit) = (id.map(str::to_owned), unit.map(str::to_owned));
        match kind {
            0 => text(words),
            1 => MessagePart::Food(FoodPart { food_id: food_id.unwrap_or_default(), quantity, unit }),
            _ => MessagePart::Correction(CorrectionPart { item, food_id, quantity, unit }),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_mixture_of_parts_is_harmless(
        first in prop::collection::vec(any_part(), 0..6),
        second in prop::collection::vec(any_part(), 0..6),
    ) {
        let messages = [Message { parts: first }, Message { parts: second }];
        let lenient: Vec<Part> = meal::estimate(&ENGINE, &messages, &BOOK).collect();
        for part in &lenient {
            let calories = match part {
                Part::Food(item) => item.macros.calories.min(item.weight.grams),
                Part::Recipe(item) => item.macros.calories.min(item.servings),
                Part::Unresolved(_) => 0.0,
            };
            prop_assert!(calories.is_finite() && calories >= 0.0, "{part:?}");
        }
        if let Ok(strict) = meal::try_estimate(&ENGINE, &messages, &BOOK, &Speaker::default()) {
            prop_assert_eq!(strict.map(|part| show(&part)).collect::<Vec<_>>(), lenient.iter().map(show).collect::<Vec<_>>());
        }
    }
}
