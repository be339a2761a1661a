//! Products of makers and restaurants, as people say them: with flavors, numbers, measures, and parts left out.

use meal::Estimate;

use crate::{assert_same, estimate, foods};

/// Checks that each text is one food with an id.
fn assert_foods(expected: &[(&str, &str)]) {
    let id = |text: &str| foods(&estimate(text)).into_iter().map(|(id, _)| id).collect::<Vec<_>>().join(" ");
    let wrong: Vec<String> = expected
        .iter()
        .map(|(text, food)| (text, food, id(text)))
        .filter(|(_, food, id)| *food != id)
        .map(|(text, food, id)| format!("{text}: {id}, not {food}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn calories(text: &str) -> f64 {
    let Estimate { items, .. } = estimate(text);
    items.iter().map(|item| item.macros.calories).sum()
}

/// Checks that each text is one food of so many grams.
fn assert_grams(expected: &[(&str, f64)]) {
    let grams = |text: &str| foods(&estimate(text)).into_iter().map(|(_, grams)| grams).collect::<Vec<_>>();
    let wrong: Vec<String> = expected
        .iter()
        .filter(|(text, food)| grams(text) != [*food])
        .map(|(text, food)| format!("{text}: {:?}, not {food}", grams(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn flavors_before_a_product_belong_to_it() {
    assert_same(&[
        ("chocolate premier protein", "premier protein"),
        ("apple pie larabar", "larabar"),
        ("strawberry kiwi celsius", "celsius"),
        ("2 orange celsius", "2 celsius"),
    ]);
    assert_foods(&[("a sea salt caramel talenti", "maker_talenti_gelato")]);
    for text in ["an orange, celsius", "orange and celsius", "apple pie with a larabar"] {
        assert_eq!(foods(&estimate(text)).len(), 2, "{text}");
    }
}

#[test]
fn a_number_of_a_name_is_no_amount() {
    assert_foods(&[
        ("texas roadhouse 6 oz sirloin", "maker_texas_roadhouse_6_oz_sirloin"),
        ("kfc 2 piece meal", "maker_kfc_2_piece_meal"),
        ("popeyes 6 piece wings", "maker_popeyes_6_piece_wings"),
        ("dq 6 piece chicken strip basket", "maker_dairy_queen_6_piece_chicken_strip_basket"),
        ("skyline 3 way", "maker_skyline_chili_3_way"),
        ("jimmy johns slim 4", "maker_jimmy_johns_slim_4"),
    ]);
    for (text, at_most) in [("kfc 2 piece meal", 1_000.0), ("skyline 3 way", 900.0), ("jimmy johns slim 4", 500.0)] {
        assert!(calories(text) < at_most, "{text}: {}", calories(text));
    }
    // Others count what is behind them.
    assert_same(&[("2 popeyes biscuits", "popeyes 2 biscuits")]);
}

#[test]
fn a_product_with_the_said_words_is_meant_rather_than_a_plainer_one_of_the_tables() {
    assert_foods(&[
        ("whopper no mayo", "maker_burger_king_whopper_without_mayo"),
        ("whopper without mayo", "maker_burger_king_whopper_without_mayo"),
        ("quarter pounder deluxe", "maker_mcdonalds_quarter_pounder_with_cheese_deluxe"),
        ("oreo thins", "maker_oreo_oreo_thins"),
        ("mini oreos", "maker_oreo_mini_oreo"),
    ]);
}

#[test]
fn what_is_left_out_of_a_product_is_taken_off() {
    for (text, whole, low, high) in [
        ("big mac no bun", "big mac", 130.0, 210.0),
        ("quarter pounder with cheese no bun", "quarter pounder with cheese", 130.0, 210.0),
        ("chick fil a chicken sandwich no bun", "chick fil a chicken sandwich", 130.0, 240.0),
        ("mcchicken no mayo", "mcchicken", 80.0, 160.0),
    ] {
        let less = calories(whole) - calories(text);
        assert!((low..=high).contains(&less), "{text}: {less} less than {whole}");
    }
}

#[test]
fn a_measure_behind_a_product_is_its_measure() {
    assert_foods(&[
        ("panera broccoli cheddar soup bowl", "maker_panera_bowl_of_broccoli_cheddar_soup"),
        ("panera mac and cheese bowl", "maker_panera_bowl_of_mac_and_cheese"),
    ]);
    assert_grams(&[("pizza hut meat lovers slice", 125.0), ("costco pepperoni slice", 255.0)]);
    assert_same(&[("pizza hut pepperoni 2 slices", "2 slices of pizza hut pepperoni pizza")]);
}

#[test]
fn the_singular_of_what_is_said_in_the_plural_is_one_piece() {
    assert_grams(&[("popeyes tender", 52.0), ("thin mint", 8.0), ("thin mints", 32.0), ("3 thin mints", 24.0)]);
}

#[test]
fn a_maker_without_a_known_product_is_reported() {
    for text in ["qdoba", "a qdoba", "qdoba zibbelgrutz"] {
        let estimate = estimate(text);
        assert!(!estimate.unresolved.is_empty() || !estimate.items.is_empty(), "{text}: {estimate:?}");
    }
}
