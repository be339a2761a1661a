//! What a property of a schema asks for, by its name: `estimatedProteinG` is the protein, in grams.

use std::collections::HashMap;
use std::sync::LazyLock;

use foods::Nutrient;

/// A fact about a meal or one of its foods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// What it is.
    Name,
    /// What it is, in the few words that a search needs.
    ShortName,
    /// The maker.
    Brand,
    /// The category of the food's publisher.
    Category,
    /// The number of the barcode.
    Barcode,
    /// The food's id in the catalog.
    FoodId,
    /// Where the numbers come from.
    Source,
    /// The number of units.
    Quantity,
    /// The number of servings, of which the numbers describe the whole: always one.
    Servings,
    /// The unit.
    Unit,
    /// The amount in words, or a weight.
    Portion,
    /// A word for the portion, which is said instead of a unit; or the amount.
    PortionWord,
    /// The weight.
    Grams,
    /// The volume.
    Milliliters,
    /// How sure the numbers are.
    Confidence,
    /// Whether there is a food at all.
    IsFood,
    /// The number of foods.
    ItemCount,
    /// The foods, in words.
    Items,
    /// The answer in words.
    Reply,
    /// A nutrient.
    Nutrient(Nutrient),
    /// Table salt, which follows from sodium.
    Salt,
    /// Carbs without fiber.
    NetCarbs,
}

/// A unit that a name may end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUnit {
    /// A mass, of so many grams.
    Mass(&'static str),
    /// Kilocalories.
    Kilocalories,
    /// Kilojoules.
    Kilojoules,
    /// Milliliters.
    Milliliters,
}

/// The amount that a number describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// All that was eaten.
    Whole,
    /// 100 g.
    Hundred,
    /// One unit.
    Unit,
}

/// What a property asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// The fact.
    pub fact: Fact,
    /// The unit, if the name has one.
    pub unit: Option<NameUnit>,
    /// The amount that a number describes.
    pub basis: Basis,
}

/// Longest name that is looked up.
const MAX_NAME: usize = 64;
/// Words before a name that change nothing.
const PREFIXES: [&str; 14] = [
    "total",
    "totals",
    "estimated",
    "estimate",
    "est",
    "approx",
    "approximate",
    "overall",
    "meal",
    "food",
    "item",
    "nf",
    "sum",
    "consumed",
];
/// Words behind a name that change nothing.
const SUFFIXES: [&str; 8] = ["total", "estimate", "estimated", "amount", "value", "content", "intake", "consumed"];

/// The names of all facts.
static NAMES: LazyLock<HashMap<&'static str, Fact>> = LazyLock::new(|| {
    let rows = include_str!("properties.tsv").lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| line.split_once('\t'));
    rows.filter_map(|(fact, names)| Some((fact_named(fact)?, names)))
        .flat_map(|(fact, names)| names.split('|').map(move |name| (name, fact)))
        .collect()
});

impl Property {
    /// Returns what a name asks for; `None` if nothing known.
    pub fn of_name(name: &str) -> Option<Self> {
        if name.len() > MAX_NAME {
            return None;
        }
        let words = words_of(name);
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let basis = take_basis(&mut words);
        loop {
            if let Some((fact, unit)) = look_up(&words) {
                return Some(Self { fact, unit, basis });
            }
            if words.len() < 2 {
                return None;
            }
            if PREFIXES.contains(&words[0]) {
                words.remove(0);
            } else if SUFFIXES.contains(&words[words.len() - 1]) {
                words.pop();
            } else {
                return None;
            }
        }
    }
}

/// Returns the fact that a row of the table is about.
fn fact_named(name: &str) -> Option<Fact> {
    Some(match name {
        "name" => Fact::Name,
        "short_name" => Fact::ShortName,
        "brand" => Fact::Brand,
        "category" => Fact::Category,
        "barcode" => Fact::Barcode,
        "food_id" => Fact::FoodId,
        "source" => Fact::Source,
        "quantity" => Fact::Quantity,
        "servings" => Fact::Servings,
        "unit" => Fact::Unit,
        "portion" => Fact::Portion,
        "portion_word" => Fact::PortionWord,
        "grams" => Fact::Grams,
        "milliliters" => Fact::Milliliters,
        "confidence" => Fact::Confidence,
        "is_food" => Fact::IsFood,
        "item_count" => Fact::ItemCount,
        "items" => Fact::Items,
        "reply" => Fact::Reply,
        "salt" => Fact::Salt,
        "net_carbs" => Fact::NetCarbs,
        nutrient => Fact::Nutrient(*Nutrient::ALL.iter().find(|known| known.name() == nutrient)?),
    })
}

/// Splits a name at underscores, hyphens, spaces and capitals, into small letters.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        // A kilojoule is one word.
        let is_start = letter.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        let is_start = is_start && (before, letter) != ('k', 'J');
        if !letter.is_alphanumeric() || is_start {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().expect("there is one").extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Takes the words about the described amount off the end.
fn take_basis(words: &mut Vec<&str>) -> Basis {
    const ENDS: [(&[&str], Basis); 11] = [
        (&["per", "100", "g"], Basis::Hundred),
        (&["per", "100", "grams"], Basis::Hundred),
        (&["per", "100g"], Basis::Hundred),
        (&["per100g"], Basis::Hundred),
        (&["per100", "g"], Basis::Hundred),
        (&["100", "g"], Basis::Hundred),
        (&["100g"], Basis::Hundred),
        (&["per", "serving"], Basis::Unit),
        (&["per", "unit"], Basis::Unit),
        (&["per", "portion"], Basis::Unit),
        (&["per", "piece"], Basis::Unit),
    ];
    let found = ENDS.iter().find(|(end, _)| words.len() > end.len() && words.ends_with(end));
    let Some((end, basis)) = found else { return Basis::Whole };
    words.truncate(words.len() - end.len());
    *basis
}

/// Looks words up as they are, then without the unit at their end.
fn look_up(words: &[&str]) -> Option<(Fact, Option<NameUnit>)> {
    if let Some(fact) = NAMES.get(words.join(" ").as_str()) {
        return Some((*fact, None));
    }
    let (last, before) = words.split_last()?;
    let unit = unit_named(last)?;
    let before = before.strip_suffix(&["in"]).unwrap_or(before);
    let fact = match (before, unit) {
        ([], NameUnit::Kilocalories | NameUnit::Kilojoules) => Fact::Nutrient(Nutrient::Calories),
        ([], NameUnit::Mass("g" | "kg" | "oz" | "lb")) => Fact::Grams,
        ([], NameUnit::Milliliters) => Fact::Milliliters,
        (words, unit) => match (*NAMES.get(words.join(" ").as_str())?, unit) {
            (Fact::Portion | Fact::PortionWord | Fact::Quantity, NameUnit::Mass(_)) => Fact::Grams,
            (Fact::Portion | Fact::PortionWord | Fact::Quantity, NameUnit::Milliliters) => Fact::Milliliters,
            (fact, _) => fact,
        },
    };
    let fits = match (fact, unit) {
        (Fact::Nutrient(Nutrient::Calories), unit) => matches!(unit, NameUnit::Kilocalories | NameUnit::Kilojoules),
        (Fact::Nutrient(_) | Fact::Salt | Fact::NetCarbs | Fact::Grams, unit) => matches!(unit, NameUnit::Mass(_)),
        (Fact::Milliliters, unit) => unit == NameUnit::Milliliters,
        _ => false,
    };
    fits.then_some((fact, Some(unit)))
}

fn unit_named(word: &str) -> Option<NameUnit> {
    Some(match word {
        "g" | "gr" | "gram" | "grams" => NameUnit::Mass("g"),
        "mg" | "milligram" | "milligrams" => NameUnit::Mass("mg"),
        "mcg" | "ug" | "µg" | "μg" | "microgram" | "micrograms" => NameUnit::Mass("mcg"),
        "kg" | "kilograms" => NameUnit::Mass("kg"),
        "oz" | "ounces" => NameUnit::Mass("oz"),
        "lb" | "lbs" | "pounds" => NameUnit::Mass("lb"),
        "kcal" | "cal" | "kcals" => NameUnit::Kilocalories,
        "kj" | "kilojoules" => NameUnit::Kilojoules,
        "ml" | "milliliters" | "millilitres" => NameUnit::Milliliters,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_a_known_fact() {
        for line in include_str!("properties.tsv").lines().filter(|line| !line.starts_with('#')) {
            let (fact, names) = line.split_once('\t').expect("a fact and names");
            assert!(fact_named(fact).is_some(), "{fact}");
            for name in names.split('|') {
                assert_eq!(NAMES.get(name), fact_named(fact).as_ref(), "“{name}” is in two rows");
            }
        }
    }

    #[test]
    fn names_are_understood_however_they_are_spelled() {
        let calories = Fact::Nutrient(Nutrient::Calories);
        let protein = Fact::Nutrient(Nutrient::Protein);
        let saturated = Fact::Nutrient(Nutrient::SaturatedFat);
        let grams = Some(NameUnit::Mass("g"));
        for (name, fact, unit, basis) in [
            ("query", Fact::ShortName, None, Basis::Whole),
            ("foodName", Fact::Name, None, Basis::Whole),
            ("food_name", Fact::Name, None, Basis::Whole),
            ("meal_summary", Fact::Name, None, Basis::Whole),
            ("estimated_grams", Fact::Grams, None, Basis::Whole),
            ("portionGrams", Fact::Grams, None, Basis::Whole),
            ("servingG", Fact::Grams, grams, Basis::Whole),
            ("weight_g", Fact::Grams, grams, Basis::Whole),
            ("total_grams", Fact::Grams, None, Basis::Whole),
            ("serving_size_grams", Fact::Grams, None, Basis::Whole),
            ("calories_kcal", calories, None, Basis::Whole),
            ("total_calories", calories, None, Basis::Whole),
            ("energy_kj", calories, Some(NameUnit::Kilojoules), Basis::Whole),
            ("kJ", calories, Some(NameUnit::Kilojoules), Basis::Whole),
            ("proteinG", protein, grams, Basis::Whole),
            ("protein_grams", protein, grams, Basis::Whole),
            ("protein_per_100g", protein, None, Basis::Hundred),
            ("caloriesPer100g", calories, None, Basis::Hundred),
            ("calories_per_serving", calories, None, Basis::Unit),
            ("saturatedFatG", saturated, grams, Basis::Whole),
            ("nf_saturated_fat", saturated, None, Basis::Whole),
            ("fat_total_g", Fact::Nutrient(Nutrient::Fat), grams, Basis::Whole),
            ("sodium_g", Fact::Nutrient(Nutrient::Sodium), grams, Basis::Whole),
            ("overall_confidence", Fact::Confidence, None, Basis::Whole),
            ("portion_description", Fact::Portion, None, Basis::Whole),
        ] {
            assert_eq!(Property::of_name(name), Some(Property { fact, unit, basis }), "{name}");
        }
        for name in [
            "",
            "fat_kcal",
            "target_calories",
            "calories_from_fat",
            "mealType",
            "date",
            "emoji",
            "health_score",
            "notes",
        ] {
            assert_eq!(Property::of_name(name), None, "{name}");
        }
    }
}
