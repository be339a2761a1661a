//! What the engine makes of texts in other languages.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use meal::{Estimate, Language, Message, Part, Recipe, RecipeBook, Speaker};

use crate::{ENGINE, estimate};

/// How far the calories of a sentence may be from those of the English one: portions differ from country to country.
const TOLERANCE: f64 = 0.35;
/// The English sentences.
const ENGLISH: &str = "en";

fn lexicon() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lexicon")
}

/// Returns the sentences of a language; all languages say the same.
fn sentences(code: &str) -> Vec<String> {
    let text = fs::read_to_string(lexicon().join(code).join("sentences.txt"));
    text.unwrap_or_else(|error| panic!("{code}/sentences.txt: {error}")).lines().map(str::to_owned).collect()
}

fn codes() -> impl Iterator<Item = &'static str> {
    ENGINE.translator().languages().iter().map(Language::code)
}

fn language_of(text: &str) -> Option<&'static str> {
    meal::language_of(&ENGINE, &[text.into()], &Speaker::default()).map(Language::code)
}

fn names(text: &str) -> Vec<String> {
    estimate(text).items.into_iter().map(|item| item.local_name.unwrap_or(item.food.name)).collect()
}

#[test]
fn every_language_says_the_same_sentences() {
    let english: Vec<Estimate> = sentences(ENGLISH).iter().map(|text| estimate(text)).collect();
    let mut wrong = Vec::new();
    for code in codes() {
        let texts = sentences(code);
        assert_eq!(texts.len(), english.len(), "{code}");
        for (text, expected) in texts.iter().zip(&english) {
            let meal = estimate(text);
            let (calories, wanted) = (meal.totals().calories, expected.totals().calories);
            let is_near = (calories - wanted).abs() <= TOLERANCE * wanted.max(10.0);
            if meal.items.len().abs_diff(expected.items.len()) > 1 || !is_near || language_of(text) != Some(code) {
                wrong.push(format!("{code}: {text}: {:?}, {calories} instead of {wanted} kcal", names(text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn answers_have_names_in_the_language() {
    assert_eq!(names("100 g Hähnchenbrust und ein Apfel"), ["Hähnchenbrust", "Apfel"]);
    assert_eq!(names("dos plátanos"), ["Plátano"]);
    assert_eq!(names("two bananas"), ["Banana, raw"]);
}

#[test]
fn a_language_that_is_said_is_believed() {
    let speaker = |code: &str| Speaker { language: Some(code.to_owned()), ..Speaker::default() };
    let first = |text: &str, code: &str| {
        let messages = [Message::from(text)];
        let meal: Estimate = meal::estimate_for(&ENGINE, &messages, &RecipeBook::default(), &speaker(code)).collect();
        meal.items.first().map(|item| item.food.name.clone())
    };
    assert!(first("pan", "es").is_some_and(|name| name.contains("read")));
    let understands = Speaker { understands: vec!["fr".to_owned()], ..Speaker::default() };
    let spoken =
        |text: &str, speaker: &Speaker| meal::language_of(&ENGINE, &[text.into()], speaker).map(Language::code);
    assert_eq!(spoken("pain", &understands), Some("fr"));
    assert_eq!(spoken("two eggs and toast", &understands), None);
}

#[test]
fn english_stays_english() {
    for text in [
        "chili con carne and rice",
        "café au lait",
        "pizza",
        "2 tacos",
        "spagetti and meatbals",
        "chkn brest w rice",
        "2 tacos, pepsi max",
        "bondi burger, chips, pepsi max",
    ] {
        assert_eq!(language_of(text), None, "{text}");
    }
}

/// A sign between foods is no English word.
#[test]
fn signs_are_of_every_language() {
    for (text, code) in [
        ("raisin + café + pâtes", "fr"),
        ("salmón + tomate + arroz", "es"),
        ("vino & miele & pasta", "it"),
        ("teh + telur + kopi", "id"),
    ] {
        assert_eq!(language_of(text), Some(code), "{text}");
    }
    assert_eq!(language_of("mac & cheese + coffee"), None);
}

/// Little words that American names have borrowed do not make a text English, and a slip does not hide its language.
#[test]
fn short_texts_and_slips_show_their_language() {
    for (text, code, name) in [
        ("puré de calabaza", "es", "Puré de verduras"),
        ("gallo pinto con huevo", "es", "Gallo pinto, Huevo"),
        ("zumo de narnaja", "es", "Zumo de naranja"),
        ("cafe con lecha", "es", "Café con leche"),
        ("suco de laranga", "pt", "Suco de laranja"),
        ("pao de keijo", "pt", "Pão de queijo"),
        ("une salde de tomates", "fr", "Salade de tomates"),
        ("kartofelpüree", "de", "Kartoffelpüree"),
    ] {
        assert_eq!((language_of(text), names(text).join(", ").as_str()), (Some(code), name), "{text}");
    }
    assert_eq!(names("una mansana"), ["Manzana"], "letters that sound alike");
    assert_eq!(names("rürei mit speck").len(), 1, "a silent letter is missing");
}

/// A name that a language lists speaks for that language, although English borrows it.
#[test]
fn listed_names_show_their_language() {
    for (text, code) in [
        ("un plato de lentejas estofadas con chorizo", "es"),
        ("zupa ogórkowa i naleśniki z serem", "pl"),
        ("schabowy z ziemniakami i mizerią", "pl"),
        ("Königsberger Klopse mit Reis", "de"),
        ("bife acebolado com arroz e batata frita", "pt"),
    ] {
        assert_eq!(language_of(text), Some(code), "{text}");
    }
    assert_ne!(language_of("una mozzarella"), Some("tr"), "\"un\" is Turkish flour, \"una\" is not");
}

/// Two foods with a joint between them are two, even if a list has both as one dish; a dish with a name of its own is one.
#[test]
fn foods_with_a_joint_between_them_are_two() {
    for (text, foods) in [
        ("heute Kartoffelpuffer mit Apfelmus", 2),
        ("köttbullar med potatismos och lingonsylt", 3),
        ("schabowy z ziemniakami i mizerią", 3),
        ("chili con carne", 1),
        ("un plato de arroz con leche", 1),
    ] {
        assert_eq!(names(text).len(), foods, "{text}: {:?}", names(text));
    }
}

/// A food of a list is what the list means, whatever stands beside it: English dishes are made of English names.
#[test]
fn foods_keep_their_meaning_beside_others() {
    assert_eq!(names("Hähnchenschenkel mit Reis und Erbsen"), ["Hähnchenschenkel", "Reis", "Erbsen"]);
    assert_eq!(names("havermout met melk en banaan"), ["Havermout", "Melk", "Banaan"]);
    assert_eq!(names("Frikandel und Pommes")[1], "Pommes");
    let grams = |text: &str| estimate(text).items.iter().map(|item| item.weight.grams).collect::<Vec<_>>();
    assert_eq!(grams("80 g Nudeln (roh)"), [80.0]);
    let calories = estimate("80 g Nudeln (roh)").totals().calories;
    assert!(calories > 250.0, "a state in brackets still says which food it is: {calories}");
    assert_eq!(grams("3 colheres de sopa de arroz"), [75.0], "a spoon as it is filled in that country");
}

/// A word that American tables have only in borrowed names speaks for the language that it is a food in; one that is common in
/// English does not.
#[test]
fn borrowed_names_show_their_language() {
    for text in ["pollo 150 g, arroz 100 g", "pollo", "harina 50 g"] {
        assert_eq!(language_of(text), Some("es"), "{text}: {:?}", names(text));
    }
    for text in ["lion bar", "caramel sauce", "50 g halva", "peperoni piza 2 slices", "spagetti bolognaise 1 plate"] {
        assert_eq!(language_of(text), None, "{text}: {:?}", names(text));
    }
}

/// A product keeps its name in any language; the words beside it show which one the text is in.
#[test]
fn products_do_not_hide_the_language() {
    for (text, code) in [
        ("corn flakes et un café", "fr"),
        ("yakult et un café", "fr"),
        ("red bull y café", "es"),
        ("capri sun und Kaffee", "de"),
    ] {
        assert_eq!(language_of(text), Some(code), "{text}");
        assert_eq!(names(text).len(), 2, "{text}: {:?}", names(text));
    }
    for text in ["james squire 150 lashes", "kinder bueno bar", "california roll 8 pieces", "2 cup soda"] {
        assert_eq!(language_of(text), None, "{text}: {:?}", names(text));
    }
}

/// A name that is listed shows its language with an amount before or behind it, as it does alone.
#[test]
fn amounts_do_not_hide_the_language() {
    let foods = |text: &str| estimate(text).items.into_iter().map(|item| item.food.id).collect::<Vec<_>>();
    for name in ["queso brie", "tofu frito", "pasta fresca", "arroz frito"] {
        let alone = foods(name);
        assert_eq!(alone.len(), 1, "{name}: {alone:?}");
        for text in [format!("{name}, 200 g"), format!("200 g {name}"), format!("2 {name}")] {
            assert_eq!(foods(&text), alone, "{text}");
        }
    }
}

/// Portions of a row are those of its names, even if other names of the same food have others.
#[test]
fn names_have_portions_of_their_own() {
    let grams = |text: &str| estimate(text).items.iter().map(|item| item.weight.grams).collect::<Vec<_>>();
    assert_eq!(grams("een krentenbol"), [60.0]);
    assert_eq!(grams("een krentenbol met een glas melk").len(), 2);
    let calories = |text: &str| estimate(text).totals().calories;
    assert!(calories("un quart de camembert") > 150.0, "it is of a whole one: {}", calories("un quart de camembert"));
    assert_eq!(grams("餃子1個"), [24.0], "one of them, and not a plate");
    assert!(grams("りんご1/4")[0] < 80.0, "a fraction of an apple, and no liters");
}

#[test]
fn states_and_sides_are_understood() {
    let calories = |text: &str| estimate(text).totals().calories;
    for text in ["Nudeln 100g roh", "riz 100g cru", "rijst 100 gram droog"] {
        assert!(calories(text) > 320.0, "{text}: the state behind the amount: {:?}", names(text));
    }
    assert_eq!(names("Nudeln 100g, roher Schinken 50g").len(), 2, "this one is of the next food");
    assert!((calories("Chips, ca. 70 g") - calories("70 g Chips")).abs() < 1.0, "the stop of a short form");
    let grams = |text: &str| estimate(text).items.last().map_or(0.0, |item| item.weight.grams);
    assert!(grams("Lachs mit Spinat") >= 60.0, "a side, and not a garnish");
    // Names of national tables have commas in them, but begin with a word.
    for (text, foods) in [("insalata di riso, mozzarella con purè", 3), ("pane, polenta e frittata", 3)] {
        assert_eq!(names(text).len(), foods, "{text}: {:?}", names(text));
    }
}

/// Of languages that share their borrowed words, the letters tell, and which of them calls the food so.
#[test]
fn letters_tell_languages_apart() {
    for (text, code) in [
        ("Käsebrötchen und Cappuccino", "de"),
        ("un cappuccino e un cornetto", "it"),
        ("una mozzarella", "it"),
        ("tres mandarinas", "es"),
        ("en cappuccino", "sv"),
        ("o 8 owsianka", "pl"),
        ("葡萄一串", "zh"),
        ("湯豆腐", "ja"),
        ("牛乳200ml", "ja"),
        ("halve avocado", "nl"),
    ] {
        assert_eq!(language_of(text), Some(code), "{text}");
    }
    assert_eq!(language_of("halve the rice"), None);
    // English endings, a place, and a name that is nothing else.
    for (text, code) in [("kyckling", "sv"), ("brokuły", "pl"), ("queso cheddar", "es"), ("豬肉白菜燉粉條", "zh")]
    {
        assert_eq!((language_of(text), names(text).len()), (Some(code), 1), "{text}: {:?}", names(text));
    }
}

/// What the engine makes of a text: the amount, unit and name of each food.
fn amounts(text: &str) -> Vec<(f64, String, String)> {
    let items = estimate(text).items.into_iter();
    items.map(|item| (item.quantity, item.unit, item.local_name.unwrap_or(item.food.name))).collect()
}

#[test]
fn amounts_behind_a_comma_are_of_the_dish() {
    for (text, amount, unit) in [
        ("wraps met kip en groenten, 2 stuks", 2.0, "piece"),
        ("Vollkornbrot mit Käse, 2 Scheiben", 2.0, "slice"),
        ("smörgås med ost, 2 st", 2.0, "piece slice"),
        ("Nudeln mit Pesto und Tomaten, 300 g", 300.0, "g"),
    ] {
        let found = amounts(text);
        let first = &found[0];
        assert_eq!((first.0, first.1.as_str(), found.len()), (amount, unit, 2), "{text}: {found:?}");
    }
    assert_eq!(amounts("liten skål yoghurt").len(), 1, "a size begins an amount");
    assert!(amounts("2 plakken 48+ kaas")[0].0 < 3.0, "how fat a cheese is counts nothing");
    assert_eq!(amounts("番茄炒蛋 青菜").len(), 2, "a space is a comma where words have none");
}

#[test]
fn units_are_beside_their_numbers() {
    for (text, amount, unit) in [
        ("醤油小さじ2", 2.0, "tsp"),
        ("マヨネーズ大さじ1杯", 1.0, "tbsp"),
        ("生クリーム50cc", 50.0, "ml"),
        ("日本酒1合", 180.0, "ml"),
        ("2EL Öl", 2.0, "tbsp"),
        ("2cs huile", 2.0, "tbsp"),
    ] {
        let found = amounts(text);
        assert_eq!((found[0].0, found[0].1.as_str()), (amount, unit), "{text}: {found:?}");
    }
}

#[test]
fn times_of_day_count_nothing() {
    for text in ["kl 9.15 kaffe", "um 8 Uhr Kaffee", "a las 9 café", "alle ore 9 caffè", "à 8h30 un café", "o 8 kawa"]
    {
        let found = amounts(text);
        assert!(found.len() == 1 && found[0].0 <= 1.0, "{text}: {found:?}");
    }
}

/// The name of a meal is no word of a dish: "breakfast fried" is a plate of eggs and bacon.
#[test]
fn meals_are_no_part_of_what_is_eaten() {
    for text in [
        "zum Frühstück gebratene Champignons",
        "au petit déjeuner champignons à la poêle",
        "till frukost stekta champinjoner",
        "als ontbijt gebakken champignons",
    ] {
        let found = amounts(text);
        assert!(found.len() == 1 && found[0].0 <= 150.0, "{text}: {found:?}");
    }
    assert_eq!(names("Frühstück 2 Eier").len(), 1);
    assert_eq!(names("Frühstückscerealien mit Milch").len(), 2);
}

#[test]
fn what_is_shared_is_a_half() {
    for text in [
        "delade en pizza med min fru",
        "compartí una pizza con mi mujer",
        "Pizza mit meiner Frau geteilt",
        "pizza gedeeld met mijn vriendin",
        "j'ai partagé une pizza avec mon copain",
        "pizza divisa con mio marito",
        "dividi uma pizza com meu marido",
        "podzieliłem się pizzą z żoną",
        "ピザを友達と半分こ",
        "和朋友分一个披萨",
    ] {
        let found = amounts(text);
        assert!(found.len() == 1 && (found[0].0 - 0.5).abs() < 0.1, "{text}: {found:?}");
    }
}

#[test]
fn what_was_replaced_is_not_eaten() {
    for (text, eaten) in [
        ("Schnitzel mit Reis anstatt Pommes", "Reis"),
        ("steak avec haricots verts au lieu de frites", "Haricots verts"),
        ("パンの代わりにご飯", "ご飯"),
        ("米饭换成红薯", "红薯"),
    ] {
        assert_eq!(names(text).last().map(String::as_str), Some(eaten), "{text}");
    }
}

/// Parts in brackets and behind a colon are those of the dish; a meal before a colon is none.
#[test]
fn listed_parts_are_counted_once() {
    for (text, foods) in [
        ("owsianka (płatki, mleko, banan)", 1),
        ("お弁当（ご飯、唐揚げ、卵焼き）", 1),
        ("smoothie: banan, mjölk och bär", 1),
        ("bocadillo (jamón y queso)", 1),
        ("Salat (Tomaten, Gurken, Feta)", 3),
        ("Frühstück: zwei Brötchen mit Marmelade, Kaffee", 3),
    ] {
        assert_eq!(names(text).len(), foods, "{text}: {:?}", names(text));
    }
}

#[test]
fn unknown_languages_find_nothing() {
    for text in
        ["kaksi kananmunaa ja paahtoleipä", "két tojás és egy szelet kenyér", "δύο αυγά και ψωμί", "שתי ביצים וטוסט"]
    {
        let meal = estimate(text);
        assert!(meal.items.is_empty(), "{text}: {:?}", names(text));
        assert!(!meal.unresolved.is_empty(), "{text}");
    }
}

#[test]
fn mixed_languages_find_what_they_can() {
    assert_eq!(estimate("200g grilled chicken ve 1 kase pirinç").items.len(), 2);
    assert_eq!(estimate("eine Banane und a glass of milk").items.len(), 2);
}

#[test]
fn unknown_words_are_shown_as_they_were_typed() {
    assert_eq!(estimate("dos huevos y un plato de xyzqwert").unresolved, ["xyzqwert"]);
}

#[test]
fn korean_is_read_without_its_spaces() {
    for (apart, together) in [
        ("김치찌개랑 밥 한 공기", "김치찌개랑밥한공기"),
        ("떡볶이 하고 튀김 먹었어요", "떡볶이하고튀김먹었어요"),
        ("된장 찌개 와 두부", "된장찌개와 두부"),
    ] {
        let amounts = |text: &str| {
            let items = estimate(text).items;
            items.into_iter().map(|item| (item.food.name.clone(), item.quantity)).collect::<Vec<_>>()
        };
        assert_eq!(amounts(together), amounts(apart), "{together}");
        assert_eq!(amounts(together).len(), 2, "{together}");
    }
}

#[test]
fn corrections_work_in_every_language() {
    let totals = |texts: &[&str]| {
        let messages: Vec<Message> = texts.iter().map(|text| Message::from(*text)).collect();
        let meal: Estimate = meal::estimate(&ENGINE, &messages, &RecipeBook::default()).collect();
        meal.items.iter().map(|item| (item.food.name.clone(), item.quantity)).collect::<Vec<_>>()
    };
    let eggs = totals(&["three eggs"]);
    assert_eq!(totals(&["dos huevos", "en realidad tres huevos"]), eggs);
    assert_eq!(totals(&["zwei Eier", "eigentlich drei Eier"]), eggs);
    assert_eq!(totals(&["deux œufs et du pain", "sans pain"]), totals(&["two eggs and bread", "no bread"]));
}

#[test]
fn recipes_keep_their_names_in_any_language() {
    let recipe = |id: &str, name: &str| Recipe { id: id.to_owned(), name: name.to_owned(), ..Recipe::default() };
    let book = RecipeBook::new(vec![recipe("1", "Ensalada de la abuela"), recipe("2", "鸡肉沙拉")]);
    for (text, id) in [("ayer comí ensalada de la abuela y una manzana", "1"), ("鸡肉沙拉和一个苹果", "2")] {
        let parts: Vec<Part> = meal::estimate(&ENGINE, &[text.into()], &book).collect();
        let found = parts.iter().any(|part| matches!(part, Part::Recipe(recipe) if recipe.id == id));
        assert!(found && parts.len() == 2, "{text}: {parts:?}");
    }
}

#[test]
fn the_tables_name_foods_that_are_known() {
    let everyday: HashMap<&str, &str> =
        foods::common::all().flat_map(|food| food.names.into_iter().map(move |name| (name, food.id))).collect();
    for code in codes() {
        let table = fs::read_to_string(lexicon().join(code).join("foods.tsv")).expect("a table of foods");
        let rows: Vec<&str> = table.lines().filter(|row| !row.is_empty() && !row.starts_with('#')).collect();
        let known = rows.iter().filter(|row| row.split('\t').nth(1).is_some_and(|name| everyday.contains_key(name)));
        // The others are dishes and descriptions.
        assert!(known.count() * 10 >= rows.len() * 7, "{code}");
    }
}
