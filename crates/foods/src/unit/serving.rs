//! The words for a serving on a label.

use super::units::Unit;

/// Fractions that people read more easily than decimals.
const FRACTIONS: &[(f64, f64, &str)] = &[
    (1.0, 24.0, "1/24"),
    (1.0, 20.0, "1/20"),
    (1.0, 18.0, "1/18"),
    (1.0, 16.0, "1/16"),
    (1.0, 15.0, "1/15"),
    (1.0, 14.0, "1/14"),
    (1.0, 12.0, "1/12"),
    (1.0, 10.0, "1/10"),
    (1.0, 9.0, "1/9"),
    (1.0, 8.0, "1/8"),
    (1.0, 7.0, "1/7"),
    (1.0, 6.0, "1/6"),
    (1.0, 5.0, "1/5"),
    (1.0, 4.0, "1/4"),
    (1.0, 3.0, "1/3"),
    (3.0, 8.0, "3/8"),
    (1.0, 2.0, "1/2"),
    (5.0, 8.0, "5/8"),
    (2.0, 3.0, "2/3"),
    (3.0, 4.0, "3/4"),
    (7.0, 8.0, "7/8"),
];

/// Rewrites a label's household serving in plain words: "0.5 cup" is "1/2 cup", "8 OZA" is "8 fl oz".
///
/// Empty if the label has nothing useful, so that the caller uses the weight instead.
pub fn serving_text(raw: &str) -> String {
    let text = raw.split('|').next().unwrap_or_default().trim();
    let lower = text.to_lowercase();
    if says_nothing(&lower) {
        return String::new();
    }
    let mut words: Vec<String> = Vec::with_capacity(8);
    let is_scale = lower.split_whitespace().nth(1).is_some_and(is_scale_unit);
    for (index, word) in lower.split_whitespace().enumerate() {
        if index == 0 {
            push_amount(word, is_scale, &mut words);
        } else if index > 1 || word != "th" {
            words.push(plain_word(word));
        }
    }
    join_fluid_ounces(&mut words);
    let fraction_of = words.get(1).is_some_and(|word| word == "of") && words[0].contains('/');
    if !fraction_of && words.get(1).is_some_and(|word| word == "of") {
        words.remove(1);
    }
    words.join(" ")
}

fn says_nothing(lower: &str) -> bool {
    let empty = ["undetermined", "null", "none", "n/a", "na", "serving", "1 serving", "about", "not specified"]
        .contains(&lower);
    empty
        || !lower.contains(char::is_alphanumeric)
        || lower.starts_with("amount")
        || lower.starts_with("0 ")
        || lower.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Adds the first word of the label, which may have a unit directly after its number.
fn push_amount(word: &str, is_scale: bool, words: &mut Vec<String>) {
    let split = word.find(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | '/'))).unwrap_or(word.len());
    let (number, rest) = word.split_at(split);
    if number.is_empty() {
        words.push(plain_word(word));
        return;
    }
    words.push(amount_text(number, is_scale || is_scale_unit(rest)));
    if !rest.is_empty() && rest != "th" && rest != "ths" {
        words.push(plain_word(rest));
    }
}

/// Formats a decimal as the fraction it means, or without needless zeros.
fn amount_text(number: &str, is_scale: bool) -> String {
    let Ok(value) = number.trim_end_matches('.').parse::<f64>() else { return number.to_owned() };
    let (whole, part) = (value.trunc(), value.fract());
    let nearest = FRACTIONS.iter().find(|(above, below, _)| {
        let tolerance = if *below > 8.0 { 0.0011 } else { 0.007 };
        (part - above / below).abs() < tolerance && (whole == 0.0 || *below < 5.0)
    });
    match nearest {
        _ if whole > 9999.0 => number.to_owned(),
        Some((_, _, text)) if whole == 0.0 && !is_scale => (*text).to_owned(),
        Some((_, _, text)) if whole < 10.0 && !is_scale => format!("{whole:.0} {text}"),
        _ => format!("{}", (value * 1000.0).round() / 1000.0),
    }
}

/// Returns whether a unit is one that scales and bottles show in decimals.
fn is_scale_unit(word: &str) -> bool {
    matches!(
        Unit::parse(word),
        Some(
            Unit::Gram
                | Unit::Kilogram
                | Unit::Milligram
                | Unit::Ounce
                | Unit::Milliliter
                | Unit::Liter
                | Unit::FluidOunce
        )
    ) || matches!(word, "fl" | "fl." | "fluid")
}

/// Rewrites a word of a label, with its punctuation, in the words people use.
fn plain_word(word: &str) -> String {
    let start = word.find(char::is_alphanumeric).unwrap_or(word.len());
    let core = word[start..].trim_end_matches([',', ')', ';', ':', '.']);
    let tail = word[start + core.len()..].trim_start_matches('.');
    let plain = match core {
        "gr" | "grm" | "gm" | "onz" | "oza" | "mlt" | "tbsp" | "tablespoon" | "tablespoons" | "tbs" | "teaspoon"
        | "teaspoons" | "tsp" | "tsps" | "tbsps" | "ounce" | "ounces" | "lbr" | "grams" | "gram" => {
            Unit::parse(core).map_or(core, |unit| unit.name())
        }
        "pkg" | "pkg." => "package",
        "pkgs" => "packages",
        "pcs" | "pcs." => "pieces",
        "pc" | "pc." => "piece",
        "approx" => "about",
        "ctn" => "container",
        other => other,
    };
    format!("{}{plain}{tail}", &word[..start])
}

/// Joins "fluid ounces" to "fl oz"; `plain_word` has already shortened the ounces.
fn join_fluid_ounces(words: &mut [String]) {
    for index in 1..words.len() {
        if words[index].starts_with("oz") && matches!(words[index - 1].as_str(), "fluid" | "fl.") {
            "fl".clone_into(&mut words[index - 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_plain_words() {
        for (raw, wanted) in [
            ("8 OZA", "8 fl oz"),
            ("2 ONZ", "2 oz"),
            ("30 GRM", "30 g"),
            ("240 MLT", "240 ml"),
            ("0.5 cup", "1/2 cup"),
            ("0.25 cup", "1/4 cup"),
            ("0.333 cup", "1/3 cup"),
            ("0.33 cup", "1/3 cup"),
            ("1.5 ONZ", "1.5 oz"),
            ("2 Tbsp", "2 tbsp"),
            ("1 SLICE", "1 slice"),
            ("0.06TH PKG", "0.06 package"),
            ("24 chips", "24 chips"),
            ("undetermined", ""),
            ("Amount per serving", ""),
            ("", ""),
            ("0.125 PACKET, MAKES 1 CUP", "1/8 packet, makes 1 cup"),
            ("15 PIECES | ABOUT", "15 pieces"),
            ("8 Fluid Ounces", "8 fl oz"),
            ("12.9 g", "12.9 g"),
            ("1.5 CUPS", "1 1/2 cups"),
            ("0.083 TH KIT", "1/12 kit"),
            ("0.16 OF CAKE", "1/6 of cake"),
            ("0.125 OF PACKAGE", "1/8 of package"),
        ] {
            assert_eq!(serving_text(raw), wanted, "{raw}");
        }
    }
}
