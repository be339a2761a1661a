use std::time::{Duration, Instant};

use std::ops::Range;

use super::book::RecipeBook;
use super::normal::normal_form;
use super::recipe::Recipe;
use crate::lexicon::Lexicon;
use crate::read::token::{Token, tokens};

fn recipe(name: &str, aliases: &[&str], serving: &str) -> Recipe {
    Recipe {
        id: name.to_owned(),
        name: name.to_owned(),
        aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
        serving_description: (!serving.is_empty()).then(|| serving.to_owned()),
        ..Recipe::default()
    }
}

fn book() -> RecipeBook {
    RecipeBook::new(vec![
        recipe("Mom's Lasagna", &[], "1 slice (350 g)"),
        recipe("Mac and Cheese", &["comfort bowl"], "1 cup"),
        recipe("7-Layer Dip", &[], ""),
        recipe("Green Smoothie", &["smoothie"], "16 oz"),
        recipe("Chicken, Rice and Beans", &[], "2 scoops"),
        recipe("Chili", &["chilli con carne"], "1 bowl"),
        recipe("Oat Cookies", &[], "2 cookies"),
        recipe("Granola", &[], ""),
        recipe("Overnight Oats with Berries", &[], "1 jar"),
    ])
}

/// Each match as "name servings quantity unit", and what it leaves of the text.
fn found_in(book: &RecipeBook, text: &str) -> (Vec<String>, String) {
    let tokens = tokens(text);
    let matches = book.find(&tokens, &Lexicon::default());
    let mut left: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    let mut at = 0;
    let words = |range: Range<usize>| tokens[range].iter().map(shown_token).collect::<Vec<_>>();
    for found in &matches {
        assert!(found.tokens.start >= at && found.tokens.end <= tokens.len(), "{text}: {found:?}");
        left.extend(words(at..found.tokens.start));
        at = found.tokens.end;
        let name = &book.get(found.recipe).expect("a recipe of the book").name;
        shown.push(format!("{name} {} {} {}", found.servings, found.quantity, found.unit));
    }
    left.extend(words(at..tokens.len()));
    (shown, left.join(" "))
}

fn shown_token(token: &Token) -> String {
    match token {
        Token::Word(word) => word.clone(),
        Token::Number(value, _) => value.to_string(),
        Token::Comma => ",".to_owned(),
        Token::Stop | Token::Colon => ".".to_owned(),
        Token::Open => "(".to_owned(),
        Token::Close => ")".to_owned(),
    }
}

fn assert_found(text: &str, expected: &[&str]) {
    assert_eq!(found_in(&book(), text).0, expected, "{text}");
}

fn assert_left(text: &str, expected: &[&str], left: &str) {
    let (found, rest) = found_in(&book(), text);
    assert_eq!(
        (found.iter().map(String::as_str).collect::<Vec<_>>(), rest.as_str()),
        (expected.to_vec(), left),
        "{text}"
    );
}

#[test]
fn normal_form_for_matching() {
    for text in [
        "Mom's Lasagna",
        "moms lasagna",
        "MOM’S LASAGNAS",
        "  my  Mom`s   Lasagna! ",
        "the mom's-lasagna",
        "Ｍｏｍ's Lasagña",
    ] {
        assert_eq!(normal_form(text), "mom lasagna", "{text}");
    }
    assert_eq!(normal_form("Mac & Cheese"), normal_form("mac and cheese"));
    assert_eq!(normal_form("Weißwurst"), normal_form("WEISSWURST"));
    assert_eq!(normal_form("½ Pounder"), normal_form("1/2 pounder"));
    assert_eq!(normal_form("The"), "the");
    assert_eq!(normal_form("7-Layer Dip"), "7 layer dip");
    assert_eq!(normal_form("🍕"), normal_form("pizza"));
    assert_eq!(normal_form("🎉"), "");
    for text in ["moms lasagna", "MOM’S LASAGNAS", "the Mom's Lasagna", "some mom's lasagna", "my mom’s lasagña"] {
        assert_found(text, &["Mom's Lasagna 1 1 slice"]);
    }
}

#[test]
fn when_before_the_text_is_split() {
    assert_left("mac and cheese", &["Mac and Cheese 1 1 cup"], "");
    assert_left("mac & cheese and an egg", &["Mac and Cheese 1 1 cup"], "and an egg");
    assert_left("an egg, mac and cheese, toast", &["Mac and Cheese 1 1 cup"], "an egg , , toast");
    assert_left("7-layer dip", &["7-Layer Dip 1 1 serving"], "");
    assert_left("2 7-layer dips", &["7-Layer Dip 2 2 serving"], "");
    assert_left("2 eggs 7 layer dip", &["7-Layer Dip 1 1 serving"], "2 eggs");
    assert_left("chicken, rice and beans", &["Chicken, Rice and Beans 1 1 serving"], "");
    assert_left("chicken rice and beans", &["Chicken, Rice and Beans 1 1 serving"], "");
    assert_left("chicken, rice, and beans", &[], "chicken , rice , and beans");
    assert_found(
        "overnight oats with berries and mom's lasagna",
        &["Overnight Oats with Berries 1 1 jar", "Mom's Lasagna 1 1 slice"],
    );
    let comma = RecipeBook::new(vec![recipe("Chicken Rice", &[], "")]);
    assert!(found_in(&comma, "chicken, rice").0.is_empty());
}

#[test]
fn what_matches() {
    for text in [
        "I had a big bowl of chili for dinner",
        "chili",
        "Dinner: chili",
        "Last night I ate a bowl of chili at home",
        "for breakfast chili",
        "at 7pm a bowl of chili",
        "at 12:30 chili",
        "2 hours ago I had chili",
        "an hour ago I had chili.",
        "Susan gave me a bowl of chili",
        "chili (leftovers) and 2 eggs",
        "toast and chili",
        "chili over rice",
        "2 eggs 1 chili",
        "chili 2 eggs",
        "I really enjoyed the delicious homemade chili yesterday evening",
    ] {
        let (found, _) = found_in(&book(), text);
        assert_eq!(found, ["Chili 1 1 bowl"], "{text}");
    }
}

#[test]
fn what_does_not() {
    for text in [
        "lasagna",
        "a bowl of lasagna soup",
        "chili soup",
        "chicken chili",
        "apple",
        "granola bar",
        "2 granola bars",
        "smoothie mix",
        "mom's lasagna soup",
        "turkey chili sauce",
        "sauce for the chili",
        "no chili",
        "eggs without chili",
        "I did not have the chili",
        "breakfast chili",
        "chicken, rice",
        "chili a la mode",
        "cream of chili soup",
        "layer dip",
        "rice and beans",
    ] {
        assert_found(text, &[]);
    }
    let pie =
        RecipeBook::new(vec![recipe("Apple Pie", &[], ""), recipe("Lunch", &[], ""), recipe("Cheese", &["mac"], "")]);
    for text in ["apple", "pie", "apple pie filling", "Lunch: two eggs", "mac and cheese", "eggs for lunch"] {
        assert!(found_in(&pie, text).0.is_empty(), "{text}");
    }
    assert_eq!(found_in(&pie, "I had my lunch").0, ["Lunch 1 1 serving"]);
    let alias = RecipeBook::new(vec![recipe("Mom's Lasagna", &["lasagna"], "")]);
    assert!(found_in(&alias, "lasagna soup").0.is_empty());
    assert_eq!(found_in(&alias, "lasagna").0, ["Mom's Lasagna 1 1 serving"]);
}

#[test]
fn spelling() {
    for text in
        ["moms lasgna", "mom's lasagne", "mosm lasanga", "moms lassagnna", "momslasagna", "a slice of moms lasange"]
    {
        assert_found(text, &["Mom's Lasagna 1 1 slice"]);
    }
    assert_found("granolla", &["Granola 1 1 serving"]);
    assert_found("granlo", &[]);
    assert_found("chily", &[]);
    assert_found("mac and chese with 2 eggs", &["Mac and Cheese 1 1 cup"]);
    assert_found("2 smothies", &["Green Smoothie 2 2 serving"]);
    assert_found("chiken, rice and beans", &["Chicken, Rice and Beans 1 1 serving"]);
    let two = RecipeBook::new(vec![recipe("Beef Stew", &[], ""), recipe("Beet Stew", &[], "")]);
    assert!(found_in(&two, "beer stew").0.is_empty());
    assert_eq!(found_in(&two, "beet stew").0, ["Beet Stew 1 1 serving"]);
    let numbered = RecipeBook::new(vec![recipe("Protein Shake 2", &[], "")]);
    assert!(found_in(&numbered, "protein shake 3").0.is_empty());
    assert_eq!(found_in(&numbered, "protien shake 2").0, ["Protein Shake 2 1 1 serving"]);
    let same = RecipeBook::new(vec![recipe("Goulash", &[], ""), recipe("Goulash", &[], "")]);
    assert!(found_in(&same, "gulash").0.is_empty());
    assert_eq!(found_in(&same, "goulash").0.len(), 1);
}

#[test]
fn several_fit() {
    let at = |name: &str, aliases: &[&str], updated_at| Recipe { updated_at, ..recipe(name, aliases, "") };
    let book = RecipeBook::new(vec![
        at("Chili", &[], 1),
        at("Chili and Rice", &[], 2),
        at("Rice and Beans and Corn", &[], 3),
        at("Stew", &[], 1),
        at("Old Pot", &["stew"], 9),
        at("Broth", &[], 5),
        at("Broth", &[], 7),
        at("Broth", &[], 6),
    ]);
    let which =
        |text: &str| book.find(&tokens(text), &Lexicon::default()).iter().map(|found| found.recipe).collect::<Vec<_>>();
    assert_eq!(which("chili and rice"), [1]);
    assert_eq!(which("chili and rice and beans and corn"), [0, 2]);
    assert_eq!(which("stew"), [3]);
    assert_eq!(which("broth"), [6]);
    assert_eq!(which("stew, broth and chili"), [3, 6, 0]);
}

#[test]
fn amount_said() {
    for (text, expected) in [
        ("mom's lasagna", "1 1 slice"),
        ("a mom's lasagna", "1 1 slice"),
        ("2 mom's lasagna", "2 2 slice"),
        ("two mom's lasagnas", "2 2 slice"),
        ("half a mom's lasagna", "0.5 0.5 slice"),
        ("1 1/2 mom's lasagna", "1.5 1.5 slice"),
        ("one and a half mom's lasagnas", "1.5 1.5 slice"),
        ("2x mom's lasagna", "2 2 slice"),
        ("2 slices of mom's lasagna", "2 2 slice"),
        ("a slice of my mom's lasagna", "1 1 slice"),
        ("half a slice of mom's lasagna", "0.5 0.5 slice"),
        ("700 g of mom's lasagna", "2 700 g"),
        ("a 175g portion of mom's lasagna", "0.5 175 g"),
        ("1 slice (700 g) of mom's lasagna", "2 700 g"),
        ("0.35 kg mom's lasagna", "1 0.35 kg"),
        ("2 bowls of mom's lasagna", "2 2 bowl"),
        ("3 servings of mom's lasagna", "3 3 serving"),
        ("a bowl of mom's lasagna", "1 1 bowl"),
        ("slice of mom's lasagna", "1 1 slice"),
        ("500 ml mom's lasagna", "1 500 ml"),
        ("mom's lasagna, 350 g", "1 350 g"),
        ("mom's lasagna, about 700 g", "2 700 g"),
        ("mom's lasagna x2", "2 2 slice"),
        ("mom's lasagna x 2", "2 2 slice"),
        ("mom's lasagna ×2", "2 2 slice"),
        ("mom's lasagna (2 slices)", "2 2 slice"),
        ("mom's lasagna 2 slices", "2 2 slice"),
        ("mom's lasagna: 700g", "2 700 g"),
        ("mom's lasagna twice", "2 2 slice"),
        ("mom's lasagna - 3 slices", "3 3 slice"),
        ("mom's lasagna for lunch, 700 g", "2 700 g"),
        ("2 mom's lasagna (350 g each)", "2 700 g"),
        ("mom's lasagna 2 hours ago", "1 1 slice"),
        ("mom's lasagna at 7 pm", "1 1 slice"),
        ("mom's lasagna for two", "1 1 slice"),
        ("a 12 inch mom's lasagna", "1 1 slice"),
        ("2-3 slices of mom's lasagna", "2.5 2.5 slice"),
    ] {
        assert_left(text, &[&format!("Mom's Lasagna {expected}")], &found_in(&book(), text).1);
    }
    assert_found("8 oz green smoothie", &["Green Smoothie 0.5 8 oz"]);
    assert_found("8 fl oz of green smoothie", &["Green Smoothie 0.5 8 fl oz"]);
    assert_found("1 lb green smoothie", &["Green Smoothie 1 1 lb"]);
    assert_found("4 scoops of chicken, rice and beans", &["Chicken, Rice and Beans 2 4 scoop"]);
    assert_found("a pint of mac and cheese", &["Mac and Cheese 2 1 pint"]);
    assert_found("3 oat cookies", &["Oat Cookies 1.5 3 cookie"]);
    assert_found("oat cookies (3 cookies)", &["Oat Cookies 1.5 3 cookie"]);
    assert_found("an oat cookie", &["Oat Cookies 1 1 serving"]);
    assert_found("200 g granola", &["Granola 1 200 g"]);
    assert_found("2 cups of granola", &["Granola 2 2 cup"]);
}

#[test]
fn the_item_uses_up_what_belongs_to_it() {
    assert_left("I had a big bowl of chili for dinner", &["Chili 1 1 bowl"], "i had for dinner");
    assert_left("2 eggs, mom's lasagna, 350 g, toast", &["Mom's Lasagna 1 350 g"], "2 eggs , , toast");
    assert_left("mom's lasagna, 2 eggs", &["Mom's Lasagna 1 1 slice"], ", 2 eggs");
    assert_left("mom's lasagna, 2 chili", &["Mom's Lasagna 1 1 slice", "Chili 2 2 bowl"], ",");
    assert_left("mom's lasagna x2 and chili (3 bowls)", &["Mom's Lasagna 2 2 slice", "Chili 3 3 bowl"], "and");
    assert_left("1. mom's lasagna\n2. chili", &["Mom's Lasagna 1 1 slice", "Chili 1 1 bowl"], ". . .");
    assert_left("1) chili 2) toast", &["Chili 1 1 bowl"], ". . toast");
}

#[test]
fn with_and_without() {
    assert_left("chili with rice", &["Chili 1 1 bowl"], "with rice");
    assert_left("chili with 2 eggs for dinner", &["Chili 1 1 bowl"], "with 2 eggs for dinner");
    assert_left("chili without beans", &["Chili 1 1 bowl"], "");
    assert_left("chili w/o beans and toast", &["Chili 1 1 bowl"], "and toast");
    assert_left("2 bowls of chili, no cheese, toast", &["Chili 2 2 bowl"], ", toast");
    assert_left("chili (no cheese or cream) and toast", &["Chili 1 1 bowl"], "and toast");
    assert_left("chili but no cheese and no cream", &["Chili 1 1 bowl"], "");
    assert_left("chili without cheese, 2 bowls", &["Chili 2 2 bowl"], "");
    assert_left("salad with chili", &["Chili 1 1 bowl"], "salad with");
}

#[test]
fn other_scripts_match_exactly() {
    let book = RecipeBook::new(vec![
        recipe("日本", &[], ""),
        recipe("Кофе", &["гречневая каша"], ""),
        recipe("김치찌개", &[], ""),
    ]);
    assert_eq!(found_in(&book, "日本").0, ["日本 1 1 serving"]);
    assert!(found_in(&book, "日木").0.is_empty());
    assert_eq!(found_in(&book, "2 кофе").0, ["Кофе 2 2 serving"]);
    assert_eq!(found_in(&book, "ГРЕЧНЕВАЯ каша, 김치찌개").0, ["Кофе 1 1 serving", "김치찌개 1 1 serving"]);
}

#[test]
fn garbage_is_harmless() {
    let names = [
        "",
        " ",
        "🍕",
        "a",
        "my",
        "1/0",
        "and",
        ",,,",
        "2",
        "x2",
        "(",
        "b b b",
        "b, b, b",
        "no",
        "9".repeat(300).as_str(),
    ]
    .map(|name| recipe(name, &[",", "é", "½ x", "a the my"], name));
    let book = RecipeBook::new(names.into());
    let lexicon = Lexicon::default();
    let pieces = [
        "b",
        ",",
        " ",
        "(",
        ")",
        "2",
        "x2",
        "½",
        "and",
        "no ",
        "9999999999999",
        "a ",
        "my",
        ". ",
        "é",
        "🍕",
        "1/",
        "of ",
        "g ",
        "each ",
        "w/o ",
    ];
    let mut state = 7_u32;
    for length in 0..1500 {
        let text: String = (0..length % 40)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                pieces[(state >> 16) as usize % pieces.len()]
            })
            .collect();
        let tokens = tokens(&text);
        let mut at = 0;
        for found in book.find(&tokens, &lexicon) {
            assert!(found.tokens.start >= at && found.tokens.start < found.tokens.end, "{text}: {found:?}");
            assert!(
                found.tokens.end <= tokens.len() && found.servings.is_finite() && found.servings >= 0.0,
                "{text}: {found:?}"
            );
            at = found.tokens.end;
        }
    }
    assert!(RecipeBook::new(Vec::new()).is_empty());
    assert!(RecipeBook::default().find(&tokens("chili"), &lexicon).is_empty());
}

#[test]
fn every_name_is_found_whole_whatever_stands_around_it() {
    let book = book();
    let lexicon = Lexicon::default();
    for index in 0..9 {
        let name = book.get(index).expect("nine recipes").name.clone();
        for (before, behind) in [
            ("", ""),
            ("I had ", " for dinner"),
            ("toast, 2 ", ", milk"),
            ("toast and a ", " with milk"),
            ("3 eggs\n", "\n2 pears"),
        ] {
            let text = format!("{before}{name}{behind}");
            let found = book.find(&tokens(&text), &lexicon);
            assert_eq!(found.iter().map(|found| found.recipe).collect::<Vec<_>>(), [index], "{text}");
        }
    }
}

/// A thousand recipes with fifty aliases each.
fn large_book() -> Vec<Recipe> {
    let foods =
        ["chicken", "beef", "rice", "lentil", "mango", "tofu", "pepper", "salmon", "potato", "spinach", "noodle"];
    let dishes =
        ["soup", "stew", "curry", "bowl", "salad", "casserole", "pie", "wrap", "bake", "stir-fry", "tacos", "gratin"];
    let names: Vec<String> = (0..51_000_usize)
        .map(|n| format!("{} {} {} {}", foods[n % 11], foods[n / 11 % 11], dishes[n / 121 % 12], letters(n / 7)))
        .collect();
    let recipes = names.chunks(51).map(|names| {
        let aliases: Vec<&str> = names[1..].iter().map(String::as_str).collect();
        recipe(&names[0], &aliases, "1 bowl (300 g)")
    });
    recipes.collect()
}

fn letters(number: usize) -> String {
    (0..4).map(|at| char::from(b'a' + (number / 26_usize.pow(at) % 26) as u8)).collect()
}

/// The least time that one of several runs took.
fn least<T>(runs: usize, mut prepare: impl FnMut() -> T, mut task: impl FnMut(&mut T)) -> Duration {
    let run = |_| {
        let mut prepared = prepare();
        let start = Instant::now();
        task(&mut prepared);
        start.elapsed()
    };
    (0..runs).map(run).min().unwrap_or_default()
}

/// Unoptimised builds on a busy machine may take many times as long; the limits are meant for optimised ones.
const SLACK: u32 = if cfg!(debug_assertions) { 20 } else { 3 };

#[test]
fn many_recipes_are_fast() {
    let recipes = large_book();
    let prepared = least(
        5,
        || (recipes.clone(), None),
        |(recipes, book)| {
            *book = Some(RecipeBook::new(std::mem::take(recipes)));
        },
    );
    let book = RecipeBook::new(recipes);
    let lexicon = Lexicon::default();
    let text = tokens(
        "I had a big bowl of chicken mango curry aab for dinner with 2 eggs, a glass of milk and some chiken beef stew",
    );
    let matched = least(500, || (), |()| drop(std::hint::black_box(book.find(&text, &lexicon))));
    let small = RecipeBook::new(large_book().into_iter().take(20).collect());
    let matched_small = least(500, || (), |()| drop(std::hint::black_box(small.find(&text, &lexicon))));
    eprintln!("prepared in {prepared:?}, a text in {matched:?}, among twenty recipes in {matched_small:?}");
    assert!(prepared < Duration::from_millis(20) * SLACK, "{prepared:?}");
    assert!(matched < Duration::from_micros(50) * SLACK, "{matched:?}");
    for unit in [
        "b,",
        "chicken beef soup ",
        "a ",
        "chiken, beaf soup and ",
        "1 ",
        "(",
        "no ",
        "mango tofu rice ",
        "x2 ",
        "日",
        "chicken with rise and ",
    ] {
        let long: String = unit.chars().cycle().take(8_000).collect();
        let long = tokens(&long);
        let took = least(3, || (), |()| drop(std::hint::black_box(book.find(&long, &lexicon))));
        eprintln!("8,000 characters of {unit:?} in {took:?}");
        assert!(took < Duration::from_millis(5) * SLACK, "{unit}: {took:?}");
    }
}

#[test]
fn nested_names_are_fast() {
    let names: Vec<Recipe> = (1..66).map(|words| recipe(&vec!["b"; words].join(", "), &[], "")).collect();
    let wordy: Vec<Recipe> = (1..28).map(|words| recipe(&vec!["cheese"; words].join(", "), &[], "")).collect();
    let book = RecipeBook::new(names.into_iter().chain(wordy).collect());
    let lexicon = Lexicon::default();
    for unit in ["b,", "cheese, ", "chese, ", "b, cheeze, "] {
        let long: String = unit.chars().cycle().take(8_000).collect();
        let long = tokens(&long);
        let took = least(3, || (), |()| drop(std::hint::black_box(book.find(&long, &lexicon))));
        eprintln!("nested {unit:?} in {took:?}");
        assert!(took < Duration::from_millis(5) * SLACK, "{unit}: {took:?}");
    }
}
