//! What must hold for any text whatever: no panic, sums that add up, twice as much for twice as many, the same answer
//! every time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foods::catalog::Catalog;
use meal::{Engine, Estimate, Message, RecipeBook};
use nutrition::Macros;
use proptest::prelude::*;

use crate::{ENGINE, embedded_layer, estimate};

/// Foods whose amount scales whatever is said of them.
const FOODS: &[&str] = &["banana", "boiled egg", "slice of bread", "cup of rice", "apple", "cookie", "glass of milk"];

fn shown(estimate: &Estimate) -> Vec<String> {
    let show = |item: &meal::Item| format!("{} {:.3} {:?}", item.food.id, item.weight.grams, item.macros);
    estimate.items.iter().map(show).collect()
}

fn assert_lawful(text: &str) {
    let estimate = estimate(text);
    for item in &estimate.items {
        assert!(item.weight.grams.is_finite() && item.weight.grams >= 0.0, "{text:?}: {item:?}");
        let (low, high) = (item.range.low, item.range.high);
        assert!(low.calories <= item.macros.calories + 1.0 && item.macros.calories <= high.calories + 1.0, "{text:?}");
    }
    let sum = |value: fn(&Macros) -> f64| estimate.items.iter().map(|item| value(&item.macros)).sum::<f64>();
    let totals = estimate.totals();
    for (total, sum) in [
        (totals.calories, sum(|values| values.calories)),
        (totals.protein, sum(|values| values.protein)),
        (totals.carbs, sum(|values| values.carbs)),
        (totals.fat, sum(|values| values.fat)),
    ] {
        assert!((total - sum).abs() <= 1e-6 * sum.abs().max(1.0) + 0.051, "{text:?}: {total} is not {sum}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_harmless(text in "\\PC{0,200}") {
        assert_lawful(&text);
    }

    #[test]
    fn any_mixture_of_meal_words_is_harmless(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "2", "½", "1/0", "a", "half", "and", "with", "no", "of", "cup", "g", "oz", ",", ".", "(", ")", "x3", "each",
                "egg", "rice", "butter", "milk", "large", "slice", "toast", "without", "for", "breakfast", "1e9", "99999999999",
            ]),
            0..40,
        )
    ) {
        assert_lawful(&words.join(" "));
    }

    #[test]
    fn twice_as_many_is_twice_as_much(food in prop::sample::select(FOODS.to_vec()), count in 1u32..12) {
        let grams = |text: String| {
            let estimate = estimate(&text);
            assert_eq!(estimate.items.len(), 1, "{text}");
            estimate.items[0].weight.grams
        };
        let (one, many) = (grams(format!("1 {food}")), grams(format!("{count} {food}")));
        prop_assert!((many - one * f64::from(count)).abs() < 1e-6 * many, "{food}: {one} and {many}");
    }

    #[test]
    fn the_order_of_items_does_not_change_them(first in 0usize..7, second in 0usize..7) {
        prop_assume!(first != second);
        let (one, other) = (format!("2 {}", FOODS[first]), format!("3 {}", FOODS[second]));
        let mut forwards = shown(&estimate(&format!("{one}, {other}")));
        let mut backwards = shown(&estimate(&format!("{other}, {one}")));
        forwards.sort();
        backwards.sort();
        prop_assert_eq!(forwards, backwards);
    }
}

#[test]
fn the_same_text_gives_the_same_answer_on_every_thread() {
    let text = "two scrambled eggs, a slice of sourdough with butter and a large latte";
    let expected = shown(&estimate(text));
    assert!(expected.len() >= 3, "{expected:?}");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let another = Engine::new(Arc::new(Catalog::new(embedded_layer(), None)));
                assert_eq!(shown(&Estimate::of_text(&another, text)), expected);
            });
        }
    });
}

/// Guards against work that grows out of bounds, on a machine of any speed and load. bench/estimate measures the time.
const LIMIT: Duration = Duration::from_mins(1);

#[test]
fn long_texts_of_anything_end() {
    let soup: String = (0..8_000u32).filter_map(|at| char::from_u32(0xA1 + at * 37 % 0x2_0000)).collect();
    for text in [
        ", ".repeat(4_000),
        "a".repeat(8_000),
        "and ".repeat(1_600),
        "123 ".repeat(2_000),
        soup,
        ",".repeat(8_000),
        "egg,".repeat(2_000),
        "and ".repeat(2_000),
        "1 ".repeat(4_000),
        "a b c d e f g ".repeat(600),
        "chickn brest and ryce, ".repeat(350),
        "(".repeat(8_000),
        "½".repeat(8_000),
        "x".repeat(8_000),
    ] {
        let start = Instant::now();
        assert_lawful(&text);
        assert!(start.elapsed() < LIMIT, "{:?} for {:?}…", start.elapsed(), &text.chars().take(20).collect::<String>());
    }
}

#[test]
fn long_conversations_end() {
    let recipes = RecipeBook::default();
    for (first, later) in [
        ("egg, ", "no cheese, "),
        ("coffee with milk and sugar, ", "it was oat milk. "),
        ("chicken and rice, ", "make it two, "),
        ("a, ", "not a, b. "),
    ] {
        let (first, later) = (first.repeat(40), later.repeat(9));
        let texts = std::iter::once(first.as_str()).chain(std::iter::repeat_n(later.as_str(), 49));
        let messages: Vec<Message> = texts.map(Message::from).collect();
        let start = Instant::now();
        let parts = meal::estimate(&ENGINE, &messages, &recipes).count();
        assert!(start.elapsed() < LIMIT, "{:?} for {parts} parts of {later:?}", start.elapsed());
    }
}
