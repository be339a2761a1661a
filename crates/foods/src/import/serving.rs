//! One serving of a food: the portion that is meant when no amount is given.

use super::check;
use crate::food::{Portion, Serving};
use crate::unit;

/// FNDDS's name for the amount used when people did not say how much they had.
const UNSPECIFIED: &str = "Quantity not specified";

/// Chooses the serving among a food's portions.
///
/// FNDDS has a weight for people who do not say how much; that is best, in the words of a portion of the same weight.
/// Otherwise it is the first portion that is an amount to eat, or 100 g without any.
pub fn choose(portions: &[Portion]) -> Serving {
    let usable = || portions.iter().filter(|portion| check::is_weight(portion.grams));
    let eaten = || usable().filter(|portion| !is_unspecified(portion) && !is_guideline(portion));
    if let Some(unspecified) = usable().find(|portion| is_unspecified(portion)) {
        let same = eaten().find(|portion| (portion.grams - unspecified.grams).abs() < 0.005);
        let description = same.map_or_else(|| "1 serving".to_owned(), |portion| portion.text.clone());
        return Serving { description, grams: unspecified.grams };
    }
    eaten().next().map_or_else(Serving::hundred_grams, |portion| Serving {
        description: portion.text.clone(),
        grams: portion.grams,
    })
}

/// The unit of a label's serving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelUnit {
    /// Grams.
    Gram,
    /// Milliliters, which count as grams: labels give the values of 100 ml as those of 100 g.
    Milliliter,
}

impl LabelUnit {
    /// Parses a table's word for a unit, which may be a GS1 code.
    pub fn from_word(word: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
        if is(&["g", "grm", "gm", "gram", "grams"]) {
            Some(Self::Gram)
        } else if is(&["ml", "mlt", "milliliter", "milliliters"]) {
            Some(Self::Milliliter)
        } else {
            None
        }
    }

    const fn symbol(self) -> &'static str {
        match self {
            Self::Gram => "g",
            Self::Milliliter => "ml",
        }
    }
}

/// Returns the serving of a label: its household words and its weight, "2 tbsp (30 g)". `None` without a weight.
pub fn labeled(household: &str, amount: f32, label_unit: LabelUnit) -> Option<Serving> {
    let grams = check::round3(amount);
    if !check::is_weight(grams) {
        return None;
    }
    let weight = format!("{grams} {}", label_unit.symbol());
    let words = unit::serving_text(household);
    let repeats = words.is_empty() || names_a_weight_alone(&words);
    let description = if repeats {
        weight
    } else if words.contains(&weight) {
        words
    } else {
        format!("{words} ({weight})")
    };
    Some(Serving { description, grams })
}

/// Returns whether words are only a number of grams or milliliters: "30 g", "30g", "240 ml".
fn names_a_weight_alone(words: &str) -> bool {
    let rest = words.trim_start_matches(|character: char| character.is_ascii_digit() || ".,".contains(character));
    rest.len() < words.len() && LabelUnit::from_word(rest.trim()).is_some()
}

/// Returns the portion that equals a label's serving, so that "2 tbsp" of the product can be weighed.
pub fn portion_of(household: &str, serving: &Serving) -> Option<Portion> {
    let words = unit::serving_text(household);
    (!words.is_empty() && !names_a_weight_alone(&words)).then(|| Portion::new(words, serving.grams))
}

/// Returns whether a portion is the weight for people who did not say how much. Rows of a sub-code have more words.
fn is_unspecified(portion: &Portion) -> bool {
    portion.text.eq_ignore_ascii_case(UNSPECIFIED)
}

/// Returns whether a portion is not an amount to eat but help for interviewers, or the default of a single brand.
fn is_guideline(portion: &Portion) -> bool {
    let starts = |start: &str| portion.text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    starts("guideline") || starts(UNSPECIFIED)
}

/// Builds a portion's words from the parts that SR and Foundation tables give: "1 cup, diced", "2 tablespoons".
pub fn portion_words(amount: f32, measure: &str, modifier: &str) -> String {
    let measure = measure.trim();
    let modifier = modifier.trim().trim_start_matches(',').trim();
    let named = !measure.is_empty() && !measure.eq_ignore_ascii_case("undetermined");
    let words = match (named, modifier.is_empty()) {
        (true, true) => measure.to_owned(),
        (true, false) => format!("{measure}, {modifier}"),
        (false, _) => modifier.to_owned(),
    };
    if words.is_empty() {
        return String::new();
    }
    let amount = if amount.is_finite() && amount > 0.0 { check::round3(amount) } else { 1.0 };
    format!("{amount} {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portions(rows: &[(&str, f32)]) -> Vec<Portion> {
        rows.iter().map(|(text, grams)| Portion::new((*text).to_owned(), *grams)).collect()
    }

    #[test]
    fn unspecified_quantity_in_the_words_of_its_weight() {
        let rows = [("1 fl oz", 30.5), ("Guideline amount per fl oz of beverage", 244.0), ("1 cup", 244.0)];
        let mut milk = portions(&rows);
        milk.push(Portion::new(UNSPECIFIED.to_owned(), 244.0));
        assert_eq!(choose(&milk), Serving { description: "1 cup".to_owned(), grams: 244.0 });
        let odd = portions(&[("1 cup", 100.0), (UNSPECIFIED, 150.0)]);
        assert_eq!(choose(&odd), Serving { description: "1 serving".to_owned(), grams: 150.0 });
    }

    #[test]
    fn first_real_portion_or_a_hundred_grams() {
        let rows = portions(&[("Guideline amount per cup", 5.0), (UNSPECIFIED, 0.0), ("1 slice", 25.0)]);
        assert_eq!(choose(&rows).description, "1 slice");
        assert_eq!(choose(&[]), Serving::hundred_grams());
    }

    #[test]
    fn words_from_parts() {
        assert_eq!(portion_words(2.0, "tablespoon", ""), "2 tablespoon");
        assert_eq!(portion_words(1.0, "cup", "diced"), "1 cup, diced");
        assert_eq!(portion_words(0.25, "undetermined", "pizza"), "0.25 pizza");
        assert_eq!(portion_words(f32::NAN, "", ""), "");
    }

    #[test]
    fn labels_without_weight_or_words() {
        assert_eq!(labeled("", 0.0, LabelUnit::Gram), None);
        assert_eq!(labeled("", f32::NAN, LabelUnit::Gram), None);
        assert_eq!(
            labeled("", 240.0, LabelUnit::Milliliter).map(|serving| serving.description).as_deref(),
            Some("240 ml")
        );
    }
}
