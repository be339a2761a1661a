//! Any text, conversation, query and recipe: no panic, bounded work, totals that add up, the same result every time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use foods::catalog::{Catalog, Layer};
use foods::search::Searcher;
use fuzz_corpus::Corpus;
use meal::{Engine, Explanation, Message, Part, Recipe, RecipeBook};
use nutrition::Macros;

/// More steps than any messages may take.
const MAX_STEPS: usize = 9_000_000;

const WORDS: &[&str] = &[
    "egg",
    "coffee ",
    "milk",
    "with ",
    "and ",
    "no ",
    "not ",
    "make it ",
    "the ",
    "was ",
    "half ",
    "double ",
    "instead of ",
    "two ",
    "1/2",
    "100 g",
    "cup of ",
    "slice",
    "lasagna",
    "mom's lasagna",
    "mac and cheese",
    "scratch that",
    "add ",
    "remove ",
    "it ",
    "of them",
    "without ",
    "\n",
    ", ",
    "a ",
    "½",
    "(",
    ")",
    "one more",
    "chickn",
    "doritos",
];

static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let layer = Layer::from_static(embedded::CATALOG).expect("the embedded catalog opens");
    Arc::new(Catalog::new(layer, None))
});
static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(Arc::clone(&CATALOG)));
static BOOK: LazyLock<RecipeBook> = LazyLock::new(|| {
    let recipe = |name: &str, serving: Option<&str>| Recipe {
        id: name.to_owned(),
        name: name.to_owned(),
        macros: Macros { calories: 400.5, protein: 20.25, carbs: 35.0, fat: 18.0 },
        serving_description: serving.map(str::to_owned),
        ..Recipe::default()
    };
    RecipeBook::new(vec![
        recipe("Mom's Lasagna", Some("1 slice (350 g)")),
        recipe("Mac and Cheese", None),
        recipe("x", Some("0 g")),
    ])
});

fn corpus(target: &str) -> Corpus {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    Corpus::new(folder).words(WORDS.iter().copied()).max_bytes(9_000)
}

/// Estimates messages twice and checks the parts: every number is finite and not negative, and totals are sums. Returns what kind
/// of result it is.
fn checked(messages: &[Message], book: &RecipeBook) -> String {
    let mut parts = meal::estimate(&ENGINE, messages, book);
    let found: Vec<Part> = parts.by_ref().collect();
    assert!(parts.steps() < MAX_STEPS, "{} steps", parts.steps());
    let mut kinds = String::new();
    let mut shown = Vec::new();
    for part in &found {
        match part {
            Part::Food(item) => {
                assert!(item.weight.grams.is_finite() && item.weight.grams >= 0.0, "{item:?}");
                assert!(item.quantity.is_finite() && !item.unit.is_empty(), "{item:?}");
                let (low, high) = (item.range.low.calories, item.range.high.calories);
                assert!(low <= item.macros.calories + 1.0 && item.macros.calories <= high + 1.0, "{item:?}");
                shown.push(item.macros);
                kinds += item.tier.name();
            }
            Part::Recipe(item) => {
                assert!(item.servings.is_finite() && item.servings >= 0.0, "{item:?}");
                shown.push(item.macros);
                kinds.push('r');
            }
            Part::Unresolved(words) => {
                assert!(!words.is_empty(), "an unresolved part without words");
                kinds.push('?');
            }
        }
    }
    let totals = shown.iter().sum::<Macros>().shown();
    let sum: f64 = shown.iter().map(|macros| macros.calories).sum();
    assert!((totals.calories - sum).abs() <= 1e-6 * sum.abs().max(1.0) + 0.51, "{} is not {sum}", totals.calories);
    let again: Vec<Part> = meal::estimate(&ENGINE, messages, book).collect();
    assert_eq!(format!("{found:?}"), format!("{again:?}"));
    kinds
}

#[test]
fn text() {
    let mut inputs = corpus("text").inputs();
    while let Some(input) = inputs.next() {
        let kinds = checked(&[String::from_utf8_lossy(&input).as_ref().into()], &BOOK);
        inputs.led_to(kinds);
    }
}

#[test]
fn conversation() {
    let mut inputs = corpus("conversation").inputs();
    while let Some(input) = inputs.next() {
        let text = String::from_utf8_lossy(&input);
        let messages: Vec<Message> = text.split('\n').map(Message::from).collect();
        let kinds = checked(&messages, &BOOK);
        inputs.led_to(kinds);
    }
}

#[test]
fn search() {
    let searcher = Searcher::default();
    let mut inputs = corpus("search").max_bytes(600).inputs();
    while let Some(input) = inputs.next() {
        let query = String::from_utf8_lossy(&input);
        let (hits, steps) = searcher.find_counted(&CATALOG, &query, 20, None);
        assert!(steps < MAX_STEPS && hits.len() <= 20, "{steps} steps");
        assert!(hits.windows(2).all(|two| two[0].score >= two[1].score));
        inputs.led_to((hits.len(), hits.first().map(|hit| hit.food)));
    }
}

/// The first line is a text, the others are recipes: a name, and its serving behind a tab.
#[test]
fn recipes() {
    let mut inputs = corpus("recipes").inputs();
    while let Some(input) = inputs.next() {
        let input = String::from_utf8_lossy(&input);
        let (text, recipes) = input.split_once('\n').unwrap_or((&input, "lasagna"));
        let recipe = |line: &str| {
            let (name, serving) = line.split_once('\t').unwrap_or((line, ""));
            Recipe {
                id: name.to_owned(),
                name: name.to_owned(),
                serving_description: (!serving.is_empty()).then(|| serving.to_owned()),
                macros: Macros { calories: 100.0, protein: 5.0, carbs: 10.0, fat: 4.0 },
                ..Recipe::default()
            }
        };
        let book = RecipeBook::new(recipes.lines().map(recipe).collect());
        let kinds = checked(&[text.into()], &book);
        let explained = Explanation::new(&book, text, ENGINE.lexicon());
        assert!(explained.matches.is_empty() || explained.nearest.is_none());
        inputs.led_to((kinds, explained.matches.len(), explained.nearest.is_some()));
    }
}
