//! Names of products, from labels in capitals.

use super::brands::BrandHeads;
use super::case;
use super::lists::{segments, single_spaced};

/// A product's name, and its brand if the raw name has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branded {
    /// "Greek Yogurt, Vanilla"; empty only if the raw name is.
    pub name: String,
    /// "Chobani".
    pub brand: Option<String>,
}

/// Endings of company names that only state their legal form.
const COMPANY_FORMS: &[&str] = &[
    "inc",
    "incorporated",
    "llc",
    "l.l.c",
    "ltd",
    "limited",
    "co",
    "company",
    "companies",
    "corp",
    "corporation",
    "lp",
    "l.p",
    "plc",
    "gmbh",
    "sa",
    "s.a",
    "spa",
    "s.p.a",
    "srl",
    "s.r.l",
    "llp",
    "nv",
    "n.v",
    "bv",
    "b.v",
    "ag",
    "pty",
    "sas",
    "s.a.s",
    "usa",
    "(usa)",
    "de c.v",
    "s.a. de c.v",
    "kg",
    "& co",
    "u.s.a",
    "s de rl",
    "the",
];

/// Units at the end of names that only state the size of the package.
const SIZES: &[&str] = &[
    "oz", "oz.", "ounce", "ounces", "lb", "lb.", "lbs", "lbs.", "pound", "g", "gr", "gram", "grams", "kg", "ml", "l",
    "lt", "ltr", "liter", "liters", "ct", "ct.", "count", "pk", "pack", "pt", "qt", "gal", "gallon", "fl", "fl.",
    "floz", "pint", "quart", "bag", "bottle", "can", "box", "carton", "jar", "tub",
];

/// Splits a raw name that may have both into name and brand.
pub fn branded(raw: &str, heads: &BrandHeads) -> Branded {
    let tidy = tidied(raw);
    let mut parts = segments(&tidy);
    let mut brand = None;
    if parts.len() > 1 && heads.is_head(parts[0]) {
        brand = Some(case::natural_title(parts[0]));
        parts.remove(0);
    }
    Branded { name: name_of(parts, raw), brand }
}

/// Returns the brand from the columns of a product table: the brand's name, or the owner's without its legal form.
pub fn brand(owner: &str, brand_name: &str) -> Option<String> {
    let named = tidied(brand_name);
    if is_brand_text(&named) {
        return Some(case::natural_title(&named));
    }
    let owner = tidied(owner);
    let short = without_company_form(&owner);
    is_brand_text(short).then(|| case::natural_title(short))
}

/// Returns a product's name in natural case, without the brand at its head, which is shown separately.
pub fn product(raw: &str, brand: Option<&str>) -> String {
    let tidy = tidied(raw);
    let rest = brand.and_then(|brand| without_prefix(&tidy, brand)).unwrap_or(&tidy);
    name_of(segments(rest), raw)
}

/// Tidies a raw name: single spaces, no quotes, no space before a comma.
fn tidied(raw: &str) -> String {
    let plain: String =
        raw.chars().map(|sign| if matches!(sign, '"' | '“' | '”' | '\t') { ' ' } else { sign }).collect();
    let mut text = single_spaced(&plain);
    if text.contains(" ,") {
        text = text.replace(" ,", ",");
    }
    text.trim_matches([',', ';', '*', ' ']).to_owned()
}

/// Joins the parts of a name; returns the raw text if no part is left.
fn name_of(mut parts: Vec<&str>, raw: &str) -> String {
    while parts.len() > 1 && parts.last().is_some_and(|part| is_size(part)) {
        parts.pop();
    }
    if let Some(last) = parts.last_mut() {
        *last = without_size(last);
    }
    let mut kept: Vec<&str> = Vec::with_capacity(parts.len());
    for part in parts {
        if kept.is_empty() || !repeats(&kept, part) {
            kept.push(part);
        }
    }
    let name = case::natural_title(&kept.join(", "));
    if name.is_empty() { fallback(raw) } else { name }
}

fn fallback(raw: &str) -> String {
    let tidy = single_spaced(raw);
    if tidy.is_empty() { raw.to_owned() } else { tidy }
}

/// Returns whether every word of the part is already in the parts before it.
fn repeats(kept: &[&str], part: &str) -> bool {
    let mut words = part.split([' ', '-', '&']).filter(|word| !word.is_empty());
    words.all(|word| kept.iter().any(|before| before.split([' ', '-', '&']).any(|known| same_word(known, word))))
}

/// Compares words, ignoring case and a plural ending.
fn same_word(left: &str, right: &str) -> bool {
    let plural = |long: &str, short: &str| {
        long.len() == short.len() + 1
            && long.ends_with(['s', 'S'])
            && long.get(..short.len()).is_some_and(|start| start.eq_ignore_ascii_case(short))
    };
    left.eq_ignore_ascii_case(right) || plural(left, right) || plural(right, left)
}

/// Returns whether the part is only a size: "2.9 OZ", "12 FL OZ", "36 Count".
fn is_size(part: &str) -> bool {
    part.starts_with(|digit: char| digit.is_ascii_digit()) && without_size(part).is_empty()
        || size_start(part).is_some_and(|start| start == 0)
}

/// Strips a size from the end of a part, unless nothing else would be left.
fn without_size(part: &str) -> &str {
    match size_start(part) {
        Some(start) if start > 0 => part[..start].trim_end_matches([' ', '-', ',', ';', '(']),
        _ => part,
    }
}

/// Finds the start of a size at the end of the part: a number followed only by units.
fn size_start(part: &str) -> Option<usize> {
    let mut end = part.len();
    let mut units = 0;
    loop {
        let start = part[..end].trim_end().rfind(' ').map_or(0, |space| space + 1);
        let word = part[start..end].trim();
        if is_number(word) && units > 0 || is_number_with_unit(word) {
            return Some(start);
        }
        if units == 3 || start == 0 || !SIZES.contains(&word.to_ascii_lowercase().as_str()) {
            return None;
        }
        units += 1;
        end = start - 1;
    }
}

/// Returns whether a word is a number: "12", "2.9", "1X13.1", "6/5".
fn is_number(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'x' | b'X' | b'/'))
}

/// Returns whether a word is a number with a unit: "15.5oz.", "1.5L", "24ct".
fn is_number_with_unit(word: &str) -> bool {
    let split = word.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(word.len());
    let (number, unit) = word.split_at(split);
    is_number(number) && SIZES.contains(&unit.trim_start_matches('-').to_ascii_lowercase().as_str())
}

/// Returns whether a brand column names a brand at all.
fn is_brand_text(text: &str) -> bool {
    let lower = text.to_lowercase();
    let nothing = [
        "not a branded item",
        "n/a",
        "na",
        "none",
        "null",
        "unknown",
        "unbranded",
        "no brand",
        "-",
        "generic",
        "unspecified",
    ];
    text.chars().any(char::is_alphanumeric) && !nothing.contains(&lower.as_str())
}

/// Strips the legal form: "Hormel Foods Corporation" is "Hormel Foods". Something is always left.
fn without_company_form(owner: &str) -> &str {
    let mut name = owner.trim();
    loop {
        let trimmed = name.trim_end_matches([' ', ',', '.', ';']);
        let Some((rest, last)) = trimmed.rsplit_once([' ', ',']) else { return trimmed };
        let rest = rest.trim_end_matches([' ', ',', '.', '&']);
        if rest.is_empty() || !COMPANY_FORMS.contains(&last.to_lowercase().trim_end_matches('.')) {
            return trimmed;
        }
        name = rest;
    }
}

/// Strips the brand that a name begins with; `None` if it does not, or if nothing would be left.
fn without_prefix<'a>(name: &'a str, brand: &str) -> Option<&'a str> {
    let brand = brand.trim();
    let start = name.get(..brand.len())?;
    if brand.is_empty() || !start.eq_ignore_ascii_case(brand) {
        return None;
    }
    let after = &name[brand.len()..];
    let rest = after.trim_start_matches([' ', ',', '-', ':', '®', '™']);
    let at_word_end = after.starts_with([' ', ',', ':', '®', '™']);
    (at_word_end && rest.chars().filter(|sign| sign.is_alphabetic()).count() > 2).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(raw: &str) -> String {
        branded(raw, &BrandHeads::new()).name
    }

    #[test]
    fn parts_that_repeat_fall_away() {
        assert_eq!(name("SHARP CHEDDAR CHEESE, SHARP CHEDDAR"), "Sharp Cheddar Cheese");
        assert_eq!(name("RASPBERRY FLAVORED SELTZER WATER, RASPBERRY"), "Raspberry Flavored Seltzer Water");
        assert_eq!(name("ICE CREAM, VANILLA"), "Ice Cream, Vanilla");
    }

    #[test]
    fn sizes_fall_away() {
        assert_eq!(name("MARLOW ALMONDS, 2.9 OZ"), "Marlow Almonds");
        assert_eq!(name("OREO THINS COOKIES MINT CREME 1X13.1 OZ"), "Oreo Thins Cookies Mint Creme");
        assert_eq!(name("Fanta Soft Drink Tropical 1.5L"), "Fanta Soft Drink Tropical");
        assert_eq!(name("TEA BAGS, 36 Count"), "Tea Bags");
        assert_eq!(name("7 UP"), "7 Up");
        assert_eq!(name("Jays BBQ Potato Chips, 5.5 Oz Bag"), "Jays BBQ Potato Chips");
    }

    #[test]
    fn never_empty() {
        assert_eq!(name("12 OZ"), "12 Oz");
        assert_eq!(name("\"\""), "\"\"");
        assert_eq!(name(""), "");
    }

    #[test]
    fn brands_of_tables() {
        let owner = |text| brand(text, "");
        assert_eq!(owner("Hormel Foods Corporation ").as_deref(), Some("Hormel Foods"));
        assert_eq!(owner("BRAKEBUSH BROTHERS INC.").as_deref(), Some("Brakebush Brothers"));
        assert_eq!(owner("Kraft Heinz Co., Inc.").as_deref(), Some("Kraft Heinz"));
        assert_eq!(owner("Not A Branded Item"), None);
        assert_eq!(brand("Somebody Inc.", "CHOBANI").as_deref(), Some("Chobani"));
        assert_eq!(brand("", " "), None);
    }

    #[test]
    fn products_lose_the_brand_at_their_head() {
        assert_eq!(product("CHOBANI, GREEK YOGURT, VANILLA", Some("Chobani")), "Greek Yogurt, Vanilla");
        assert_eq!(product("Chobani", Some("Chobani")), "Chobani");
        assert_eq!(product("CHOBANIS BEST", Some("Chobani")), "Chobanis Best");
    }
}
