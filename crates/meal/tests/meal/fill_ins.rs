//! Foods of other countries' tables: they fill what USDA lacks, and never stand in for what it has.

use foods::Source;

use crate::{CATALOG, estimate};

/// The source and the name of the only food of a text.
fn only(text: &str) -> (Source, String) {
    let items = estimate(text).items;
    assert_eq!(items.len(), 1, "{text}");
    (items[0].food.origin.source(), items[0].food.name.clone())
}

#[test]
fn a_food_that_only_another_table_has_is_found() {
    for (text, source) in [
        ("100 g sea buckthorn juice", "fineli"),
        ("100 g quark", "bls"),
        ("a slice of leberkäse", "bls"),
        ("poutine", "cnf"),
        ("2 cumberland sausages", "cofid"),
        ("polenta", "ciqual"),
    ] {
        assert_eq!(only(text).0.name(), source, "{text}: {}", only(text).1);
    }
}

#[test]
fn a_food_of_another_table_never_stands_in_for_one_of_ours() {
    for text in [
        "100 g chicken breast",
        "100 g boiled tomatoes",
        "a slice of rye bread",
        "100 g white bread",
        "rice pudding",
        "200 ml whole milk",
        "a crumpet",
        "natto",
        "coxinha",
        "shepherd's pie",
        "lollipop",
        "100 g pan-fried mushrooms",
    ] {
        // Our own dishes are made of foods of the same tables.
        assert!(matches!(only(text).0, Source::Usda | Source::Dish), "{text}: {}", only(text).1);
    }
}

#[test]
fn a_word_of_another_language_is_not_a_food_of_an_english_text() {
    for text in ["my knee has been in pain", "it was a gift", "an old barn"] {
        assert!(estimate(text).items.is_empty(), "{text}");
    }
}

#[test]
fn names_in_other_languages_lead_to_foods() {
    let layer = &CATALOG.layers()[0];
    let find = |language: &str, name: &str| layer.names_in(language).find(|(known, _)| *known == name);
    let (_, roll) = find("de", "Weizenbrötchen").expect("a name of the BLS");
    assert_eq!(layer.name_in(roll, "de"), Some("Weizenbrötchen"));
    assert_eq!(layer.food(roll).map(|food| food.id).as_deref(), Some("bls_B511000"));
    for (language, least) in [
        ("de", 8_000),
        ("fr", 8_000),
        ("it", 1_000),
        ("sv", 3_700),
        ("fi", 1_400),
        ("pt", 200),
        ("ja", 2_100),
        ("nb", 2_100),
    ] {
        let names = layer.names_in(language).count();
        assert!(names >= least, "{language}: {names}");
    }
    assert_eq!(layer.names_in("tlh").count(), 0);
}
