//! Other names of a food, from the remarks that FNDDS and SR add to their entries.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lists::{single_spaced, words};
use crate::text;

static QUALIFIERS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("qualifiers.txt")));
static MAKERS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("makers.txt")));
static OPENINGS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("openings.txt")));

const MAX_SYNONYMS: usize = 24;
const MAX_SYNONYM_CHARS: usize = 60;

/// Returns the other names among a table's remarks, which are separated by semicolons.
///
/// Doubtful ones are dropped: a qualifier taken for a name would let "light" find every yogurt.
pub fn synonyms(additional: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for remark in additional.split(';') {
        let Some(name) = name_in(remark) else { continue };
        if names.len() < MAX_SYNONYMS && seen.insert(name.to_lowercase()) {
            names.push(name);
        }
    }
    names
}

/// Returns the other names in SR's list of common names, which is separated by commas. A part that only repeats words of
/// the description is the description reordered ("Beef, Chuck, Short Ribs"), not another name.
pub fn common_names(list: &str, description: &str) -> Vec<String> {
    let known = text::words(description);
    let is_new = |name: &String| text::words(name).iter().any(|word| !known.contains(word));
    synonyms(&list.replace(',', ";")).into_iter().filter(is_new).collect()
}

/// Returns the name in a remark, if it is one.
fn name_in(remark: &str) -> Option<String> {
    let remark = single_spaced(remark);
    let text = without_tail(&remark);
    let is_long = text.chars().count() > MAX_SYNONYM_CHARS || text.split(' ').count() > 7;
    if text.len() < 3 || is_long || text.contains([',', '/', '%', ':', '=', '#', '"', '[']) || !balanced(text) {
        return None;
    }
    if limits(text) || text.starts_with(|digit: char| digit.is_ascii_digit()) && !has_capital(text) {
        return None;
    }
    let lists_only_qualifiers = text.split([' ', '-']).all(|word| QUALIFIERS.contains(word) || is_qualifier(word));
    if lists_only_qualifiers || MAKERS.contains(text) || ends_like_a_state(text) {
        return None;
    }
    Some(text.to_owned())
}

fn is_qualifier(word: &str) -> bool {
    word.is_empty() || QUALIFIERS.contains(word.to_lowercase().as_str())
}

/// Strips a general remark after a product: "V8 Splash, all flavors".
fn without_tail(remark: &str) -> &str {
    let Some((product, tail)) = remark.split_once(", ") else { return remark.trim_end_matches('.') };
    let tail_opens = tail.split(' ').next().unwrap_or_default();
    let general = matches!(tail_opens, "all" | "any" | "NS" | "NFS" | "nfs" | "regular" | "including" | "other");
    if general && has_capital(product) { product } else { remark }
}

fn has_capital(text: &str) -> bool {
    text.starts_with(char::is_uppercase)
}

/// Returns whether the remark qualifies the entry ("NS as to", "with or without", "any source") instead of naming it.
fn limits(text: &str) -> bool {
    let first = text.split([' ', '-']).next().unwrap_or_default();
    let lower = text.to_lowercase();
    let opens = OPENINGS.contains(text.split(' ').next().unwrap_or_default())
        || (OPENINGS.contains(first) && !text.contains(' '));
    let phrases = [
        " or ",
        " and/or ",
        "such as",
        "ns as to",
        "nfs",
        "excluding",
        "including",
        "any ",
        "all ",
        "other ",
        " brand",
        " varieties",
        " only",
        " flavor",
        "made with",
        "made from",
        "with or",
        " type",
        " eaten",
        "style dressing",
        " added",
        " free",
        " based",
        " not ",
        " packet",
    ];
    (opens && !has_capital(text)) || first == "NS" || phrases.iter().any(|phrase| lower.contains(phrase))
}

/// Returns whether the last word makes the remark an ingredient or a preparation: "teriyaki sauce", "flatbread crust".
fn ends_like_a_state(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or_default();
    let numbered_stage = text.contains("Stage ") && last.starts_with(|digit: char| digit.is_ascii_digit());
    numbered_stage || NEVER_LAST.contains(&last) || (STATE_LAST.contains(&last) && !has_capital(text))
}

/// Last words that no name of a food in the tables has, whatever precedes them.
const NEVER_LAST: &[&str] = &["dressing", "water", "patty", "dip", "size", "blends", "blend", "shop", "varieties"];

/// Last words of ingredients and preparations, unless a brand precedes them.
const STATE_LAST: &[&str] = &[
    "sauce",
    "crust",
    "milk",
    "mix",
    "toppings",
    "topping",
    "bun",
    "container",
    "bags",
    "spray",
    "fat",
    "flavored",
    "coating",
    "skinless",
    "filled",
    "covered",
    "calorie",
    "sugar",
    "salt",
    "sodium",
    "marinade",
    "icing",
    "cheese",
    "bread",
    "pack",
    "oil",
    "vegetables",
    "meats",
    "meat",
    "substitute",
    "shape",
    "portion",
    "made",
    "recipe",
    "powder",
    "concentrate",
    "chips",
    "tea",
    "style",
    "pasta",
    "filling",
    "reduced",
    "gratin",
    "replacement",
    "parmesan",
    "salsa",
    "pepperoni",
    "barley",
    "heat",
    "wheat",
    "mayonnaise",
    "sweeteners",
    "noncitrus",
    "base",
    "serve",
    "vinaigrette",
    "goulash",
    "rhubarb",
    "endive",
];

fn balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_and_qualifiers_go() {
        let names = synonyms(
            "leche fresca; NS as to fat; Mac Jr; all types; Go-gurt; with or without nuts; Coke Zero; leche Fresca",
        );
        assert_eq!(names, ["leche fresca", "Mac Jr", "Go-gurt", "Coke Zero"]);
    }

    #[test]
    fn remarks_are_not_names() {
        for remark in [
            "NS as to type of milk",
            "all types",
            "with or without cheese",
            "made with water",
            "any source",
            "1% fat",
            "plain or flavored",
            "over easy, medium, or hard",
            "homemade",
            "fast food",
            "light",
            "McDonald's",
            "0% fat",
            "other flavors",
            "apple, NFS",
            "",
            "sugar free",
            "turkey",
            "fish or shrimp",
            "almond, coconut, rice, or soy milk",
            "NS source",
            "cooking spray",
            "whole wheat pasta",
        ] {
            assert_eq!(synonyms(remark), Vec::<String>::new(), "{remark}");
        }
    }

    #[test]
    fn a_product_loses_its_remark() {
        assert_eq!(synonyms("V8 Splash, all flavors; kiwifruit; flauta"), ["V8 Splash", "kiwifruit", "flauta"]);
    }
}
