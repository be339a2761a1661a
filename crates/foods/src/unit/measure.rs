//! Amount and unit in the words of a portion.

use super::units::Unit;
use crate::plural;

/// An amount and a unit, parsed from the beginning of a portion's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The amount; 1 if the words have no number.
    pub amount: f32,
    /// The unit's words; may be empty.
    pub unit: String,
}

/// Parses amount and unit from a portion's words: "1 1/2 cups, diced" is 1.5 and "cup".
///
/// Words that describe no unit ("Quantity not specified") are an amount of 1 without a unit.
pub fn measure(text: &str) -> Measure {
    let (amount, rest) = leading_amount(text.trim());
    let words = rest.split([',', '(', '[', ';', ':', '|', ')']).next().unwrap_or_default().trim();
    let opening = words.get(..9).unwrap_or(words);
    let is_remark = opening.eq_ignore_ascii_case("quantity")
        || opening.eq_ignore_ascii_case("quantity ")
        || opening.eq_ignore_ascii_case("guideline");
    if amount.is_none() && is_remark {
        return Measure { amount: 1.0, unit: String::new() };
    }
    Measure { amount: amount.unwrap_or(1.0) as f32, unit: unit_words(words) }
}

/// Splits off the number at the beginning: "2", "0.25", "1/2", "1 1/2", "½".
fn leading_amount(text: &str) -> (Option<f64>, &str) {
    let Some((first, rest)) = number(text) else { return (None, text) };
    let after = rest.trim_start();
    let is_whole = first.fract() == 0.0 && !text[..text.len() - rest.len()].contains(['/', '.']);
    if let (true, Some((fraction, behind))) = (is_whole, number(after)) {
        let written = &after[..after.len() - behind.len()];
        if fraction < 1.0 && (written.contains('/') || !written.is_ascii()) {
            return (Some(first + fraction), behind.trim_start());
        }
    }
    (Some(first), after)
}

/// Splits off one number: digits with a point, a fraction of digits, or a character such as "½".
fn number(text: &str) -> Option<(f64, &str)> {
    let sign = text.chars().next()?;
    if let Some((_, value)) = FRACTION_SIGNS.iter().find(|(known, _)| *known == sign) {
        return Some((*value, &text[sign.len_utf8()..]));
    }
    let (value, rest) = decimal(text)?;
    if let Some((below, behind)) = rest.strip_prefix('/').and_then(decimal).filter(|(below, _)| *below > 0.0) {
        return Some((value / below, behind));
    }
    Some((value, rest))
}

const FRACTION_SIGNS: &[(char, f64)] =
    &[('½', 0.5), ('¼', 0.25), ('¾', 0.75), ('⅓', 1.0 / 3.0), ('⅔', 2.0 / 3.0), ('⅛', 0.125)];

fn decimal(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|sign: char| !(sign.is_ascii_digit() || sign == '.')).unwrap_or(text.len());
    let value = text[..end].trim_end_matches('.').parse::<f64>().ok().filter(|value| *value < 1.0e6)?;
    Some((value, &text[end..]))
}

/// Normalizes the words of a unit: the name of a known unit, otherwise each word in lowercase and singular.
fn unit_words(words: &str) -> String {
    if let Some(unit) = Unit::parse(words) {
        return unit.name().to_owned();
    }
    let mut result = String::with_capacity(words.len());
    let mut fluid = false;
    for word in words.split_whitespace() {
        if result.is_empty() && matches!(word, "of" | "OF" | "th" | "TH") {
            continue;
        }
        let known = Unit::parse(word);
        if fluid && known == Some(Unit::Ounce) {
            result.truncate(result.rfind(' ').map_or(0, |space| space + 1));
            result.push_str(Unit::FluidOunce.name());
            fluid = false;
            continue;
        }
        fluid = matches!(word.trim_end_matches('.').to_ascii_lowercase().as_str(), "fl" | "fluid");
        if !result.is_empty() {
            result.push(' ');
        }
        match known {
            Some(unit) => result.push_str(unit.name()),
            None => result.push_str(&singular(&word.to_lowercase())),
        }
    }
    result
}

/// Returns the singular of a lower-case unit word, with abbreviations written out: "pieces" and "pcs." are "piece".
fn singular(word: &str) -> String {
    match word.trim_end_matches('.') {
        "pcs" => "piece".to_owned(),
        "pkg" | "pkgs" => "package".to_owned(),
        "molasses" => word.to_owned(),
        _ => plural::singular(word).unwrap_or_else(|| word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (f32, String) {
        let measure = measure(text);
        (measure.amount, measure.unit)
    }

    #[test]
    fn measures() {
        for (text, amount, unit) in [
            ("1 cup, diced", 1.0, "cup"),
            ("1/2 bagel", 0.5, "bagel"),
            ("1 1/2 cups", 1.5, "cup"),
            ("0.25 cup", 0.25, "cup"),
            ("1 fl oz (no ice)", 1.0, "fl oz"),
            ("1 large", 1.0, "large"),
            ("1 medium slice", 1.0, "medium slice"),
            ("Quantity not specified", 1.0, ""),
            ("Guideline amount per fl oz of beverage", 1.0, ""),
            ("1 6 oz container", 1.0, "6 oz container"),
            ("2 PIECES", 2.0, "piece"),
            ("½ cup", 0.5, "cup"),
            ("3 Tbsp. (45 g)", 3.0, "tbsp"),
            ("1 fluid ounce", 1.0, "fl oz"),
            ("", 1.0, ""),
            ("1/0 cup", 1.0, "/0 cup"),
        ] {
            assert_eq!(read(text), (amount, unit.to_owned()), "{text}");
        }
    }
}
