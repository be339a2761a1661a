//! Foods that the catalog does not know, products, and sentences without any food.

use std::sync::Arc;

use foods::catalog::{Catalog, Layer, Manifest, Writer};
use foods::{Food, Origin};
use meal::{Engine, Estimate, Item, Tier};

use crate::{embedded_layer, estimate};

#[test]
fn an_unknown_food_is_one_of_its_category_and_says_so() {
    let mut wrong = Vec::new();
    for (text, word) in [
        ("zorblax stew", "stew"),
        ("a bowl of zorblax stew", "stew"),
        ("grandma's borschtovka soup", "soup"),
        ("two slices of plumbus pie", "pie"),
        ("egusi soup", "soup"),
        ("a smashburger", "burger"),
        ("a vegan zorb burger", "burger"),
        ("a zibbelgrutz sandwich", "sandwich"),
    ] {
        let estimate = estimate(text);
        let is_right = match &estimate.items[..] {
            [item] => {
                let (low, shown, high) = (item.range.low.calories, item.macros.calories, item.range.high.calories);
                let is_named = item.food.name.to_lowercase().contains(word);
                let is_wide = low < shown * 0.7 && high > shown * 1.4 && shown > 0.0;
                is_named && is_wide && item.tier == Tier::Estimated && estimate.unresolved.is_empty()
            }
            _ => false,
        };
        if !is_right {
            let shown = |item: &Item| format!("{} {:?} {:?} {:?}", item.food.name, item.tier, item.macros, item.range);
            wrong.push(format!(
                "{text}: {:?} {:?}",
                estimate.items.iter().map(shown).collect::<Vec<_>>(),
                estimate.unresolved
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_made_up_word_is_reported_and_nothing_is_made_of_it() {
    for text in ["flurbnagle", "a flurbnagle", "2 flurbnagles", "a bowl of flurbnax", "100 g of xyzzyq"] {
        let estimate = estimate(text);
        assert!(estimate.items.is_empty() && !estimate.unresolved.is_empty(), "{text}: {estimate:?}");
    }
}

#[test]
fn products_are_found_by_brand_or_name() {
    let mut wrong = Vec::new();
    for (text, word) in [
        ("a premier protein shake", "premier"),
        ("chobani greek yogurt", "chobani"),
        ("chobani greek yogurt for breakfast", "chobani"),
    ] {
        let estimate = estimate(text);
        let shown: Vec<String> = estimate
            .items
            .iter()
            .map(|item| format!("{} {:?}", item.food.name, item.food.brand).to_lowercase())
            .collect();
        if shown.len() != 1 || !shown[0].contains(word) {
            wrong.push(format!("{text}: {shown:?} {:?}", estimate.unresolved));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(estimate("3 oreos").items.len(), 1);
}

#[test]
fn imported_foods_are_reached_by_their_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("imported.morsel");
    let mut writer = Writer::create(&path).expect("created");
    let food = estimate("a banana").items.remove(0).food;
    let own = |id: &str, name: &str, brand: Option<&str>| Food {
        id: id.to_owned(),
        origin: Origin::OpenFoodFacts,
        name: name.to_owned(),
        description: None,
        brand: brand.map(str::to_owned),
        gtin: None,
        synonyms: Vec::new(),
        ..food.clone()
    };
    for food in [own("off_1", "Zorblax", None), own("off_2", "Protein Bar, Lemon", Some("Zibbro"))] {
        writer.add(&food).expect("written");
    }
    writer.finish(&Manifest::default()).expect("finished");
    let catalog = Catalog::new(embedded_layer(), Some(Layer::open(&path).expect("opens")));
    let engine = Engine::new(Arc::new(catalog));
    for (text, id) in [
        ("a zorblax", "off_1"),
        ("zorblax", "off_1"),
        ("two eggs and 100 g zorblax", "off_1"),
        ("a zibbro bar", "off_2"),
        ("zibbro protein bar for breakfast", "off_2"),
    ] {
        let found: Vec<String> = Estimate::of_text(&engine, text).items.into_iter().map(|item| item.food.id).collect();
        assert!(found.last().is_some_and(|last| last == id), "{text}: {found:?}");
    }
}

#[test]
fn greetings_and_questions_leave_no_words_unresolved() {
    for text in ["hello how are you", "how is it going?", "how are you today?", "what is the weather like, and why?"] {
        let estimate = estimate(text);
        let is_question = |words: &String| ["how", "what", "why"].iter().any(|word| words.contains(word));
        assert!(estimate.items.is_empty(), "{text}");
        assert!(!estimate.unresolved.iter().any(is_question), "{text}: {:?}", estimate.unresolved);
    }
}

#[test]
fn sentences_without_food_have_no_items() {
    let mut found = Vec::new();
    for text in [
        "thanks!",
        "hello",
        "how are you today?",
        "see you tomorrow",
        "my sister visited us",
        "breakfast",
        "dinner was late",
        "I went to the gym",
        "what did I eat yesterday?",
        "I was not hungry",
        "nothing today",
        "I skipped lunch",
        "we watched a movie",
        "it was raining all day",
        "call me later",
        "the meeting is at 3 pm",
        "I ran 5 miles",
        "my weight is 80 kg",
        "good morning",
        "please delete my account",
        "how many calories should I eat?",
        "I feel great",
        "it is too late",
        "he drove to work",
        "I slept eight hours",
        "is this app free?",
        "what is the weather like?",
        "I took my medication",
        "my dog is sleeping",
        "let us talk about it",
        "just testing",
        "no idea",
        "I do not know",
        "who are you?",
        "tell me a joke",
        "I love this",
        "the train was delayed",
        "happy birthday",
        "where is my phone",
        "I walked home with my brother",
        "lol",
        "??",
        "2 + 2",
    ] {
        let estimate = estimate(text);
        let names: Vec<&str> = estimate.items.iter().map(|item| item.food.name.as_str()).collect();
        if !names.is_empty() {
            found.push(format!("{text}: {names:?}"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
