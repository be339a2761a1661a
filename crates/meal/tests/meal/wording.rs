//! How people name foods in a note: fillings and seasonings before a dish, kinds behind commas, sizes of shops, foods in a row.

use crate::{assert_same, assert_share, estimate};

fn count(text: &str) -> usize {
    estimate(text).items.len()
}

fn assert_grams(text: &str, low: f64, high: f64) {
    let grams: f64 = estimate(text).items.iter().map(|item| item.weight.grams).sum();
    assert!((low..=high).contains(&grams), "{text:?}: {grams} g");
}

fn ids(text: &str) -> Vec<String> {
    estimate(text).items.into_iter().map(|item| item.food.id).collect()
}

#[test]
fn fillings_before_a_dish_are_in_it() {
    for text in [
        "kale and tofu scramble",
        "pork and leek frittata",
        "lamb and spinach lasagna",
        "2 crab and corn empanadas",
        "3 slices venison and mushroom pizza",
        "a cheddar and asparagus quiche",
    ] {
        assert_eq!(count(text), 1, "{text}: {:?}", ids(text));
    }
    assert_eq!(estimate("2 crab and corn empanadas").items[0].quantity.round() as i32, 2);
    for text in [
        "soup and mushroom omelette",
        "chips and turkey wrap",
        "a pancake and turkey wrap",
        "2 eggs and ham omelette",
        "milk and cheese quesadilla",
    ] {
        assert_eq!(count(text), 2, "{text}: {:?}", ids(text));
    }
}

#[test]
fn seasonings_before_a_dish_are_no_foods() {
    assert_same(&[
        ("zesty thyme chicken casserole", "chicken casserole"),
        ("zesty thyme salmon burger", "salmon burger"),
        ("persian turkey meatballs", "turkey meatballs"),
    ]);
    assert_ne!(ids("garlic bread"), ids("bread"), "which is called so");
}

#[test]
fn what_is_behind_a_comma_may_say_the_kind() {
    assert_same(&[
        ("sausage, turkey", "turkey sausage"),
        ("burger, turkey", "turkey burger"),
        ("tortilla chips, nacho cheese flavored", "nacho cheese flavored tortilla chips"),
        ("40 g potato chips, salt and vinegar flavored", "40 g salt and vinegar flavored potato chips"),
    ]);
    assert_eq!(count("sausage, turkey, toast"), 3, "a list");
    assert_eq!(count("milk, banana"), 2);
    assert_eq!(count("cereal with milk, banana"), 3);
}

#[test]
fn inches_size_what_is_long_or_round() {
    assert_share("a 12 inch turkey sub", "a 6 inch turkey sub", 2.0);
    assert_share("half of a 12 inch pizza", "a 12 inch pizza", 0.5);
    assert_share("two 6 inch tortillas", "a 6 inch tortilla", 2.0);
    assert_share("an eighth of a nine inch pie", "1/8 of a 9 inch pie", 1.0);
    assert_same(&[("foot long turkey sub", "footlong turkey sub")]);
    let none = estimate("0 6 inch subs, 0 inch pizza").totals().calories;
    assert!(none.is_finite(), "{none}");
}

#[test]
fn a_pizza_of_a_size_is_no_slice() {
    assert_grams("a medium cheese pizza", 400.0, 900.0);
    assert_grams("2 slices of a cheese pizza", 140.0, 320.0);
}

#[test]
fn sizes_and_packs_are_as_shops_call_them() {
    assert_same(&[
        ("twix bar fun size", "fun size twix bar"),
        ("snickers king size", "king size snickers"),
        ("a 6 pack of oreos", "6 oreos"),
    ]);
    assert_share("a mini violet crumble", "a violet crumble", 0.4);
    assert_share("a small power bowl", "a power bowl", 0.7);
}

#[test]
fn pieces_of_a_chicken_are_counted_by_their_name() {
    assert_grams("1 chicken tender", 25.0, 70.0);
    assert_grams("2 chicken strips", 50.0, 140.0);
    assert_grams("fried chicken tender x2", 50.0, 140.0);
}

#[test]
fn foods_in_a_row_are_several() {
    for (text, foods) in [
        ("pork quinoa and asparagus", 3),
        ("1 paratha chicken curry pickle", 3),
        ("3 rotis mutton curry raita", 3),
        ("2 eggs 2 toast coffee", 3),
        ("toast cream cheese coffee", 3),
        ("a handful of almonds and a granola bar", 2),
        ("a diet coke and trail mix", 2),
        ("2 pancakes with syrup", 2),
        ("3 bean salad", 1),
        ("6 chicken nuggets", 1),
    ] {
        assert_eq!(count(text), foods, "{text}: {:?}", ids(text));
    }
}

#[test]
fn measures_behind_a_comma_are_of_the_food_before() {
    assert_same(&[("brie, 3 wedges", "3 wedges of brie"), ("lager, 2 pints", "2 pints of lager")]);
    assert_eq!(count("lime, 2 wedges"), 1);
    assert_eq!(count("lasagna with meat, 1 piece"), 1);
}

#[test]
fn small_measures_are_no_foods() {
    assert_grams("a dab of butter", 2.0, 10.0);
    assert_grams("a squirt of sriracha", 2.0, 15.0);
    assert_grams("a glug of cream", 8.0, 30.0);
    assert_eq!(count("2 pot noodles"), 1);
}

#[test]
fn plurals_that_no_rule_takes_back_are_found() {
    for text in ["2 bridies", "3 mai tais", "two adais"] {
        assert_eq!(count(text), 1, "{text}");
    }
    assert_eq!(count("2 mai tais and nachos"), 2);
}

#[test]
fn a_product_is_one_in_any_language() {
    for text in ["lion bar chocolate", "kinder bueno bar", "james squire 150 lashes"] {
        assert_eq!(count(text), 1, "{text}: {:?}", ids(text));
    }
    assert!(estimate("james squire 150 lashes").totals().calories < 500.0, "the number is of its name");
}

#[test]
fn what_is_said_of_a_pack_or_a_low_is_understood() {
    assert_eq!(estimate("a 90 calorie yogurt").totals().calories.round() as i32, 90);
    assert_grams("a 0 calorie soda", 200.0, 600.0);
    assert_same(&[("4 oz juice to treat a low", "4 oz juice"), ("15 skittles for a hypo", "15 skittles")]);
    assert_same(&[("a B.L.T.", "a blt")]);
}

#[test]
fn dishes_are_called_as_they_were_told() {
    let called = |text: &str| estimate(text).items.first().and_then(|item| item.local_name.clone());
    assert_eq!(called("red lentil soup").as_deref(), Some("Red lentil soup"));
    assert_eq!(called("shakshouka"), None, "another spelling");
}

#[test]
fn what_says_nothing_of_a_food_leaves_its_name() {
    for name in ["egg foo young", "capri sun", "trail mix", "low fat spread", "corn dog", "lo mein", "dal"] {
        for text in [
            format!("{name} for lunch"),
            format!("just {name}"),
            format!("the {name}"),
            format!("had {name} and felt full"),
            format!("{name} again"),
            format!("Snack - {name}"),
            format!("{name} x 1"),
        ] {
            assert_eq!(ids(&text), ids(name), "{text}");
        }
    }
}

#[test]
fn a_meal_before_a_dash_is_no_food() {
    assert_same(&[("snack - rice cake", "rice cake"), ("Dinner - 2 tacos", "2 tacos")]);
}

#[test]
fn a_share_of_what_is_counted_in_handfuls_is_one_of_the_serving() {
    assert_share("half of the popcorn", "popcorn", 0.5);
    assert_share("half of the fries", "fries", 0.5);
    assert_grams("10 chickpeas", 3.0, 15.0);
}

#[test]
fn a_single_tiny_piece_is_seldom_meant() {
    assert_grams("1 fries", 60.0, 200.0);
    assert_grams("2 popcorn", 30.0, 120.0);
    assert_grams("1 baked beans", 100.0, 250.0);
    assert_grams("1 raisin", 0.2, 1.0);
    assert_grams("2 raisins", 0.4, 2.0);
    assert_grams("1 skittles", 20.0, 70.0);
    assert_grams("3 skittles", 2.0, 5.0);
    assert_grams("zwei Salzstangen", 2.0, 6.0);
    assert_grams("20 peas", 4.0, 20.0);
    assert_grams("1 bacon", 5.0, 20.0);
}

#[test]
fn the_kind_of_takeaway_before_a_food_is_no_takeaway() {
    assert_eq!(ids("leftover chinese egg tart"), ids("chinese egg tart"));
    assert_ne!(ids("leftover chinese"), ids("chinese egg tart"));
}

#[test]
fn a_maker_has_other_foods_than_its_product() {
    let is = |text: &str, other: &str| assert_eq!(ids(text), ids(other), "{text}");
    is("oatly yogurt for breakfast", "oatly yogurt");
    assert_ne!(ids("oatly yogurt"), ids("oatly"));
    assert_ne!(ids("redbull vodka"), ids("redbull"));
    is("a pint of guinness", "guinness");
}

#[test]
fn a_place_before_a_colon_is_no_food() {
    assert_same(&[("subway: tuna sandwich and cookie", "tuna sandwich and cookie"), ("subway: cola", "cola")]);
    assert_eq!(count("McDonald's: Big Mac, mittlere Pommes und Cola"), 3, "in any language");
    assert_eq!((count("subway:"), count("subway: .")), (1, 1), "nothing is behind it");
}

/// A number counts what it is before, and not the dish that is made of it and what stands beside it.
#[test]
fn a_number_counts_pieces_and_no_plates() {
    for (text, pieces) in
        [("3 hot wings and fries", 3.0), ("2 large hot wings and chips", 2.0), ("6 nuggets and chips", 6.0)]
    {
        let found = estimate(text);
        let counts: Vec<f64> = found.items.iter().map(|item| item.quantity).collect();
        assert_eq!(counts, [pieces, 1.0], "{text}: {:?}", ids(text));
    }
    assert_eq!(count("3 fish and chips"), 1, "three plates");
}
