//! `morsel foods` and `morsel catalog`, run as a person or a script runs them, on the embedded catalog.

mod program;

use program::morsel;
use serde_json::Value;

fn foods(query: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("folder");
    let output = morsel(folder.path(), &["foods", query, "--json"]);
    assert!(output.status.success(), "{query}: {}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["query"], query.trim());
    answer["foods"].as_array().expect("an array").clone()
}

fn first(query: &str) -> String {
    let all = foods(query);
    let food = all.first().unwrap_or_else(|| panic!("nothing found for {query:?}"));
    match food["brand"].as_str() {
        Some(brand) => format!("{} · {brand}", food["name"].as_str().expect("a name")),
        None => food["name"].as_str().expect("a name").to_owned(),
    }
}

#[test]
fn plain_everyday_foods_come_first() {
    for (query, name) in [
        ("egg", "Whole egg, boiled or poached"),
        ("banana", "Banana, raw"),
        ("milk", "Milk"),
        ("rice", "White rice, cooked, no added fat"),
        ("coffee", "Coffee"),
        ("bread", "Bread"),
        ("apple", "Apples, raw, with skin"),
        ("latte", "Latte"),
        ("orange juice", "Orange juice, 100%"),
        ("peanut butter", "Peanut butter"),
        // What people call so, although many other foods have the word in their names.
        ("cheddar", "Cheddar cheese"),
        ("lager", "Beer"),
        ("peas", "Green peas, frozen, cooked, boiled, drained, without salt"),
    ] {
        assert_eq!(first(query), name, "{query}");
        assert_eq!(foods(query)[0]["source"], "usda");
    }
    assert!(first("chicken breast").starts_with("Chicken breast"));
}

#[test]
fn typos_are_forgiven() {
    for (typed, meant) in [
        ("bannana", "banana"),
        ("choclate milk", "chocolate milk"),
        ("greek yogart", "greek yogurt"),
        ("brocoli", "broccoli"),
        ("peanutbutter", "peanut butter"),
    ] {
        assert_eq!(first(typed), first(meant), "{typed}");
    }
}

#[test]
fn plurals_order_and_half_typed_words_do_not_matter() {
    assert_eq!(first("bananas"), first("banana"));
    assert_eq!(first("butter peanut"), first("peanut butter"));
    assert_eq!(first("chocolate chip coo"), first("chocolate chip cookie"));
    assert_eq!(first("CHEDDAR Cheese"), first("cheddar cheese"));
}

#[test]
fn british_and_american_words_are_the_same_foods() {
    assert!(first("aubergine").starts_with("Eggplant"));
    assert!(first("crisps").starts_with("Potato chips"));
    assert!(first("mince").starts_with("Ground beef"));
    assert!(first("courgette").contains("squash"), "not pickled ones: {}", first("courgette"));
}

#[test]
fn accents_do_not_matter() {
    assert_eq!(first("crème fraîche"), first("creme fraiche"));
    assert_eq!(first("jalapeño"), first("jalapeno"));
}

#[test]
fn brands_percentages_and_ratios_are_understood() {
    assert!(first("big mac").contains("Big Mac"));
    assert!(first("coke zero").to_lowercase().contains("diet"));
    assert!(first("chobani vanilla").to_lowercase().contains("chobani"));
    assert_eq!(first("2% milk"), "Reduced fat milk (2%)");
    assert!(first("80/20 beef").starts_with("Ground beef, 80% lean"));
}

#[test]
fn nonsense_finds_nothing_and_breaks_nothing() {
    for query in ["🍕🍕", "!!", "zzzzqqqq", "\u{301}\u{301}", "%%%"] {
        assert!(foods(query).is_empty(), "{query:?}");
    }
    foods(&"chocolate ".repeat(1_000));
    foods(&"x".repeat(10_000));
    let folder = tempfile::tempdir().expect("folder");
    for query in ["", " ", "a"] {
        let output = morsel(folder.path(), &["foods", query]);
        assert_eq!(output.status.code(), Some(2), "{query:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("at least 2 characters"));
    }
}

#[test]
fn rows_have_the_fields_of_the_contract_and_no_others() {
    let mut expected = vec![
        "brand",
        "calories",
        "carbs",
        "fat",
        "fiber",
        "id",
        "name",
        "protein",
        "serving_description",
        "serving_grams",
        "source",
    ];
    expected.sort_unstable();
    for food in foods("milk") {
        let mut fields: Vec<&str> = food.as_object().expect("an object").keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, expected);
        assert_eq!(food["calories"].as_f64().map(f64::fract), Some(0.0), "calories are whole");
    }
    let milk = &foods("milk")[0];
    assert_eq!((&milk["id"], &milk["serving_grams"]), (&Value::from("fndds_11100000"), &Value::from(244.0)));
    assert_eq!((&milk["calories"], &milk["serving_description"]), (&Value::from(127.0), &Value::from("1 cup")));
}

#[test]
fn no_row_appears_twice() {
    for query in ["cola", "greek yogurt", "pizza", "vanilla ice cream"] {
        let mut ids: Vec<String> = foods(query).iter().map(|food| food["id"].to_string()).collect();
        let shown = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), shown, "{query}");
    }
}

#[test]
fn limits_and_sources_are_kept() {
    let folder = tempfile::tempdir().expect("folder");
    let count = |arguments: &[&str]| {
        let output = morsel(folder.path(), arguments);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answer["foods"].as_array().expect("an array").len()
    };
    assert_eq!(count(&["foods", "cheese", "--json"]), 20);
    assert_eq!(count(&["foods", "cheese", "--json", "--limit", "3"]), 3);
    assert_eq!(count(&["foods", "cheese", "--json", "--limit", "1000"]), 100);
    assert_eq!(morsel(folder.path(), &["foods", "cheese", "--limit", "0"]).status.code(), Some(2));
    let output = morsel(folder.path(), &["foods", "cheese", "--source", "branded", "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["foods"].as_array().expect("an array").iter().all(|food| food["source"] == "branded"));
}

#[test]
fn a_person_gets_a_table_and_an_overview() {
    let folder = tempfile::tempdir().expect("folder");
    let output = morsel(folder.path(), &["foods", "greek yogurt", "--limit", "5"]);
    let table = String::from_utf8(output.stdout).expect("text");
    assert_eq!(table.lines().count(), 7, "{table}");
    assert!(table.lines().next().is_some_and(|heading| heading.starts_with("Food") && heading.contains("kcal")));
    let info = String::from_utf8(morsel(folder.path(), &["catalog", "info"]).stdout).expect("text");
    assert!(info.contains("FNDDS 2021-2023") && info.contains("Branded"), "{info}");
}
