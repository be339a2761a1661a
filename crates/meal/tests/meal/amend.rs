//! Later messages amend the earlier ones: what comes of a conversation is what the amended meal would have come to, had
//! it been said at once.

use std::sync::LazyLock;

use meal::{Message, Part, Recipe, RecipeBook};
use nutrition::Macros;
use proptest::prelude::*;

use crate::{ENGINE, show};

static BOOK: LazyLock<RecipeBook> = LazyLock::new(|| {
    let recipe = |id: &str, name: &str, serving: Option<&str>| Recipe {
        id: id.to_owned(),
        name: name.to_owned(),
        macros: Macros { calories: 400.0, protein: 20.5, carbs: 35.0, fat: 18.0 },
        serving_description: serving.map(str::to_owned),
        ..Recipe::default()
    };
    RecipeBook::new(vec![
        recipe("rec_1", "Mom's Lasagna", Some("1 slice (350 g)")),
        recipe("rec_2", "Morning Shake", None),
    ])
});

fn talk(messages: &[&str]) -> Vec<String> {
    let messages: Vec<Message> = messages.iter().map(|text| Message::from(*text)).collect();
    meal::estimate(&ENGINE, &messages, &BOOK).map(|part| show(&part)).collect()
}

/// Every conversation, its messages separated by " / ", comes to what the text beside it comes to.
fn assert_same(cases: &[(&str, &str)]) {
    for (messages, text) in cases {
        let messages: Vec<&str> = messages.split(" / ").collect();
        assert_eq!(talk(&messages), talk(&[text]), "{messages:?} is not {text:?}");
    }
}

#[test]
fn amounts_are_amended() {
    assert_same(&[
        ("an egg / make it two", "two eggs"),
        ("an egg and a slice of toast / make it two eggs", "two eggs and a slice of toast"),
        ("toast / make that three slices of toast", "three slices of toast"),
        ("2 cups of rice / it was only half", "1 cup of rice"),
        ("2 eggs and bacon / actually 3 eggs", "3 eggs and bacon"),
        ("a banana, a cup of rice / double the rice", "a banana, 2 cups of rice"),
        ("a banana / that was 110 g", "110 g banana"),
        ("a coffee and a banana / the banana was 120 g", "a coffee and 120 g banana"),
        ("two slices of bread / I only ate half of the bread", "1 slice of bread"),
        ("a cookie / two of them", "two cookies"),
        ("a cookie / there were 4 of them", "4 cookies"),
        ("three cookies / I ate only one", "one cookie"),
        ("100 g rice / make it 200", "200 g rice"),
        ("100 g rice / make it two", "200 g rice"),
        ("200 g steak / actually 250", "250 g steak"),
        ("a steak / it was 8 oz", "8 oz steak"),
        ("rice / about 200 g", "200 g rice"),
        ("rice / 1.5 cups", "1.5 cups rice"),
        ("a banana / one more", "2 bananas"),
        ("a banana / another one", "2 bananas"),
        ("an apple / sorry, I meant two", "two apples"),
        ("an apple / just half of it", "half an apple"),
        ("2 eggs / 3 eggs, not 2", "3 eggs"),
        ("eggs / there were three eggs", "three eggs"),
        ("an egg / make it two / actually three", "three eggs"),
        (
            "a slice of toast and a banana / make it three slices of toast / it was four",
            "four slices of toast and a banana",
        ),
        ("two slices of toast and a cookie / the toast was one slice", "one slice of toast and a cookie"),
        ("a latte / it was a large", "a large latte"),
        ("a coffee / make it a large", "a large coffee"),
        ("a cup of coffee with milk / make it two", "two cups of coffee with milk"),
    ]);
}

#[test]
fn foods_are_removed() {
    assert_same(&[
        ("a coffee and a banana / remove the banana", "a coffee"),
        ("a banana and a coffee / forget the coffee", "a banana"),
        ("eggs and toast / I didn't have the toast", "eggs"),
        ("eggs and ham / there was no ham", "eggs"),
        ("eggs, bacon and toast / no bacon", "eggs, toast"),
        ("toast with butter / no butter", "toast"),
        ("coffee with milk, an egg / forget the coffee", "an egg"),
        ("eggs / a coffee and a banana / scratch that", "eggs"),
        ("eggs / scratch that", ""),
        ("eggs / a coffee / scratch that / scratch that", ""),
        ("eggs / make it three / scratch that", "eggs"),
        ("eggs / a coffee / scratch that, a tea", "eggs. a tea"),
        ("eggs and toast / remove everything", ""),
        ("eggs / I did not have eggs", ""),
        ("a burrito / remove the banana", "a burrito"),
        ("an egg, a banana, a cookie / no banana or cookie", "an egg"),
    ]);
}

#[test]
fn what_is_left_out_of_a_dish_changes_the_dish() {
    assert_same(&[
        ("a cheeseburger / no cheese", "a burger"),
        ("ham and cheese sandwich / no cheese", "ham sandwich"),
        ("a burger / the burger had no cheese, and add a coffee", "a burger, a coffee"),
        ("a hamburger and a banana / without the bun", "a hamburger and a banana"),
        ("chicken and rice / forget the rice", "chicken"),
    ]);
}

#[test]
fn the_food_is_changed_and_the_amount_stays() {
    assert_same(&[
        ("a glass of whole milk / the milk was skim", "a glass of skim milk"),
        ("a glass of milk / make it soy milk", "a glass of soy milk"),
        ("a slice of white bread / not white bread, whole wheat", "a slice of whole wheat bread"),
        ("a slice of white bread / it wasn't white bread, it was whole wheat", "a slice of whole wheat bread"),
        ("a can of coke / diet coke, not regular", "a can of diet coke"),
        ("a slice of toast and a coke / the coke was diet", "a slice of toast and a diet coke"),
        ("a slice of toast and a coke / make the coke diet", "a slice of toast and a diet coke"),
        ("a turkey sandwich / not turkey, ham", "a ham sandwich"),
        ("a turkey sandwich / ham instead of turkey", "a ham sandwich"),
        ("a sandwich / it was a turkey sandwich", "a turkey sandwich"),
        ("two eggs and toast / the eggs were scrambled", "two scrambled eggs and toast"),
        ("an apple / no, it was a pear", "a pear"),
        ("a coffee / replace the coffee with tea", "a tea"),
        ("a coffee / I meant tea", "a tea"),
        ("a coffee / tea instead", "a tea"),
        ("a coffee with milk / it was oat milk", "a coffee with oat milk"),
        ("a coffee / the milk was skim", "a coffee with skim milk"),
        ("an apple / it was two apples and a pear", "two apples and a pear"),
    ]);
}

#[test]
fn black_coffee_has_no_milk() {
    let found = talk(&["a coffee with milk", "the coffee was black"]);
    assert!(found.len() == 1 && found[0].starts_with("Coffee"), "{found:?}");
}

#[test]
fn one_food_of_several_that_were_one_dish_is_changed_alone() {
    let found = talk(&["chicken and rice", "the chicken was 150 g and the rice was 200 g"]);
    assert!(found.len() == 2 && found[0].ends_with(" 150 g") && found[1].ends_with(" 200 g"), "{found:?}");
}

#[test]
fn foods_are_added() {
    assert_same(&[
        ("an egg / add a banana", "an egg, a banana"),
        ("an egg / plus a coffee", "an egg, a coffee"),
        ("an egg / also had 2 cookies", "an egg, 2 cookies"),
        ("an egg / and a glass of milk", "an egg, a glass of milk"),
        ("an egg / I also had a glass of milk and an apple", "an egg, a glass of milk and an apple"),
        ("oatmeal / I forgot the banana", "oatmeal. banana"),
        ("scrambled eggs / two eggs", "scrambled eggs, two eggs"),
        ("a beer / another beer", "a beer, a beer"),
        ("coffee / add milk and sugar", "coffee with milk and sugar"),
        ("coffee and eggs / add milk to the coffee", "coffee with milk. eggs"),
        ("toast / the toast had butter", "toast with butter"),
        ("eggs, bacon / no bacon, and make it three eggs, and add a coffee", "three eggs, a coffee"),
    ]);
}

#[test]
fn recipes_are_amended_too() {
    assert_same(&[
        ("mom's lasagna / make it two servings", "two servings of mom's lasagna"),
        ("mom's lasagna / make it two", "two mom's lasagna"),
        ("mom's lasagna / that was 175 g", "175 g mom's lasagna"),
        ("mom's lasagna / I only had half", "half a mom's lasagna"),
        ("morning shake and a banana / double the shake", "two morning shakes and a banana"),
        ("morning shake and a banana / remove the shake", "a banana"),
        ("an apple / morning shake", "an apple. morning shake"),
        ("mom's lasagna / no cheese", "mom's lasagna"),
    ]);
}

#[test]
fn small_talk_changes_nothing() {
    let meal = "two eggs, a slice of toast with butter and mom's lasagna";
    for talked in [
        "thanks!",
        "",
        "   ",
        "ok great, thanks a lot",
        "that was delicious",
        "that's all",
        "no thanks",
        "see you tomorrow",
        "never mind",
        "what a day it was",
        "how many calories is that?",
        "is that right?",
        "I was so hungry",
        "no",
        "yes",
        "🙂",
        "?!",
        "it was good",
        "see you at 7",
    ] {
        assert_eq!(talk(&[meal, talked]), talk(&[meal]), "{talked:?}");
    }
}

#[test]
fn no_more_is_read_than_the_limits_allow() {
    let many = vec!["add a banana"; 60];
    assert_eq!(talk(&many).len(), 50);
    let long = "an apple. ".repeat(800);
    assert_eq!(talk(&[&long, "add a banana"]), talk(&[&long]));
    let doubled: Vec<Message> =
        std::iter::once("an egg").chain(std::iter::repeat_n("double it", 49)).map(Message::from).collect();
    let parts: Vec<Part> = meal::estimate(&ENGINE, &doubled, &BOOK).collect();
    assert!(matches!(&parts[..], [Part::Food(item)] if item.weight.grams.is_finite()), "{parts:?}");
}

/// Foods with an amount, which never join what stands before them.
const FOODS: &[&str] =
    &["2 eggs", "100 g white rice", "a glass of milk", "three cookies", "1 banana", "2 slices of bread"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_added_stands_behind_the_meal(
        meal in prop::collection::vec(prop::sample::select(FOODS.to_vec()), 1..4),
        food in prop::sample::select(FOODS.to_vec()),
    ) {
        let meal = meal.join(", ");
        let mut expected = talk(&[&meal]);
        expected.extend(talk(&[food]));
        prop_assert_eq!(talk(&[&meal, &format!("add {food}")]), expected);
    }

    #[test]
    fn any_conversation_is_harmless(messages in prop::collection::vec("\\PC{0,60}", 0..6)) {
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        prop_assert_eq!(talk(&messages), talk(&messages));
    }

    #[test]
    fn any_mixture_of_amending_words_is_harmless(
        messages in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![
            "make", "it", "that", "the", "was", "were", "no", "not", "without", "instead", "of", "half", "double", "two", "2",
            "only", "a", "egg", "eggs", "milk", "coffee", "lasagna", "mom's", "rice", "and", ",", ".", "add", "remove", "scratch",
            "more", "another", "one", "them", "to", "with", "had", "i", "didn't", "g", "100", "cheese", "burger", "black", "free",
        ]), 0..9), 1..6)
    ) {
        let messages: Vec<String> = messages.iter().map(|words| words.join(" ")).collect();
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        prop_assert_eq!(talk(&messages), talk(&messages));
    }
}
