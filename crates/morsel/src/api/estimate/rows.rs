//! Estimates as the API shows them.
//!
//! By default an answer has exactly the fields of the contract. Whoever wants more names it ([`Include`]), so that a
//! caller who compares fields one by one is never surprised.

use foods::{Food, Nutrients};
use meal::{Item, Part, Range, RecipeItem, Seen, Tier, Values, Weight, WeightSource};
use serde::Serialize;
use utoipa::ToSchema;

use super::include::{Extra, Include};

/// The sums over the items; also the low or high end of something with four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Totals {
    /// Kilocalories, whole.
    pub calories: f64,
    /// Grams, one decimal.
    pub protein: f64,
    /// Grams, one decimal.
    pub carbs: f64,
    /// Grams, one decimal.
    pub fat: f64,
}

impl From<Values> for Totals {
    fn from(values: Values) -> Self {
        Self { calories: values.calories, protein: values.protein, carbs: values.carbs, fat: values.fat }
    }
}

/// Where an item's numbers come from.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SourceRow {
    /// The id under which the catalog has the food.
    pub food_id: String,
    /// `usda` or `branded`.
    pub source: &'static str,
    /// The publication.
    pub origin: &'static str,
    /// The publisher's own name of the food; of a dish that no table has, the foods that it is made of.
    pub name: String,
    /// How it was seen, where it was not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<PhotoRow>,
}

/// How a food was seen.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PhotoRow {
    /// In which of the request's images, counted from 1.
    pub image: usize,
    /// `barcode`, `label`, `dish` (the program's own eyes) or `model` (that of the owner's choice).
    pub by: &'static str,
    /// From 0 to 1.
    pub confidence: f64,
    /// Why the model of the owner's choice did not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl From<&Seen> for PhotoRow {
    fn from(seen: &Seen) -> Self {
        let confidence = round(f64::from(seen.confidence), 2);
        let note = seen.note.as_ref().map(ToString::to_string);
        Self { image: seen.photo, by: seen.by.name(), confidence, note }
    }
}

impl From<&Item> for SourceRow {
    fn from(item: &Item) -> Self {
        let food = &item.food;
        Self {
            food_id: food.id.clone(),
            source: food.origin.source().name(),
            origin: food.origin.name(),
            name: food.description.as_ref().unwrap_or(&food.name).clone(),
            photo: item.seen.as_deref().map(PhotoRow::from),
        }
    }
}

/// The weight of an item.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GramsRow {
    /// Grams, one decimal.
    pub grams: f64,
    /// `mass`, `portion`, `density` or `usual`.
    pub how: &'static str,
    /// The row of the food's portions that was used, in its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub portion: Option<String>,
}

impl From<&Weight> for GramsRow {
    fn from(weight: &Weight) -> Self {
        let (how, portion) = match &weight.source {
            WeightSource::Mass => ("mass", None),
            WeightSource::Portion(text) => ("portion", Some(text.clone())),
            WeightSource::Density => ("density", None),
            WeightSource::Usual => ("usual", None),
        };
        Self { grams: round(weight.grams, 1), how, portion }
    }
}

/// Two ends of one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Ends {
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// Between which values an item's numbers probably lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct RangeRow {
    /// Kilocalories.
    pub calories: Ends,
    /// Grams.
    pub protein: Ends,
    /// Grams.
    pub carbs: Ends,
    /// Grams.
    pub fat: Ends,
}

impl From<Range> for RangeRow {
    fn from(Range { low, high }: Range) -> Self {
        Self {
            calories: Ends { low: low.calories, high: high.calories },
            protein: Ends { low: low.protein, high: high.protein },
            carbs: Ends { low: low.carbs, high: high.carbs },
            fat: Ends { low: low.fat, high: high.fat },
        }
    }
}

/// Another food that may be meant.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AlternativeRow {
    /// The id under which the catalog has it.
    pub food_id: String,
    /// Its name.
    pub name: String,
    /// The kilocalories of as many grams of it, so that the two can be compared.
    pub calories: f64,
}

/// The saved recipe that an item comes from.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RecipeUse {
    /// The recipe's id.
    pub id: String,
    /// The words that named it.
    pub matched: String,
    /// How many servings were counted.
    pub servings: f64,
}

impl From<&RecipeItem> for RecipeUse {
    fn from(item: &RecipeItem) -> Self {
        Self { id: item.id.clone(), matched: item.text.clone(), servings: round(item.servings, 4) }
    }
}

/// A message, in the common chat format.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "describes the body in the OpenAPI document; it is read field by field, for better errors")]
pub struct MessageBody {
    /// `user`, `assistant` or `system`; only what the user says is estimated.
    role: String,
    /// What was eaten, in words; or an array of parts.
    #[schema(value_type = Object)]
    content: String,
}

/// A request for an estimate.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "describes the body in the OpenAPI document; it is read field by field, for better errors")]
pub struct EstimateBody {
    /// 1 to 50 messages with at most 8,000 characters and 5 images; later ones amend the earlier.
    messages: Vec<MessageBody>,
    /// What to show beyond the usual: source, grams, range, tier, alternatives, nutrients, recipe, unresolved.
    include: Option<Vec<String>>,
}

/// One food of a meal.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ItemRow {
    /// The food, with its brand where it has one.
    pub name: String,
    /// The amount of the unit.
    pub quantity: f64,
    /// The unit, in words.
    pub unit: String,
    /// Kilocalories, whole.
    pub calories: f64,
    /// Grams, one decimal.
    pub protein: f64,
    /// Grams, one decimal.
    pub carbs: f64,
    /// Grams, one decimal.
    pub fat: f64,
    /// Asked for with `source`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceRow>,
    /// Asked for with `grams`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grams: Option<GramsRow>,
    /// Asked for with `range`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeRow>,
    /// Asked for with `tier`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<&'static str>,
    /// Asked for with `alternatives`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<Vec<AlternativeRow>>,
    /// Asked for with `nutrients`: those of the whole amount that are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, f64>>)]
    pub nutrients: Option<Nutrients>,
    /// Asked for with `recipe`: absent from items that come from the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<RecipeUse>,
}

impl ItemRow {
    /// The item that a part is, with what was asked for; `None` for words that nothing explains.
    pub fn from_part(part: &Part, include: Include) -> Option<Self> {
        match part {
            Part::Food(item) => Some(Self::from_food(item, include)),
            Part::Recipe(item) => Some(Self::from_recipe(item, include)),
            Part::Unresolved(_) => None,
        }
    }

    /// A recipe is what its owner says it is: there is no range around it and nothing else that it could be.
    fn from_recipe(item: &RecipeItem, include: Include) -> Self {
        Self {
            name: item.name.clone(),
            quantity: round(item.quantity, 2),
            unit: item.unit.clone(),
            calories: item.values.calories,
            protein: item.values.protein,
            carbs: item.values.carbs,
            fat: item.values.fat,
            source: None,
            grams: None,
            range: None,
            tier: include.then(Extra::Tier, || Tier::Recipe.name()),
            alternatives: None,
            nutrients: None,
            recipe: include.then(Extra::Recipe, || RecipeUse::from(item)),
        }
    }

    fn from_food(item: &Item, include: Include) -> Self {
        let grams = item.weight.grams;
        let knows_mass = item.seen.as_ref().is_none_or(|seen| seen.knows_mass());
        let alternative = |food: &Food| AlternativeRow {
            food_id: food.id.clone(),
            name: shown_name(food),
            calories: Values::of(food, grams).calories,
        };
        Self {
            name: shown_name(&item.food),
            quantity: round(item.quantity, 2),
            unit: item.unit.clone(),
            calories: item.values.calories,
            protein: item.values.protein,
            carbs: item.values.carbs,
            fat: item.values.fat,
            source: include.then(Extra::Source, || SourceRow::from(item)),
            grams: include.then(Extra::Grams, || GramsRow::from(&item.weight)).filter(|_| knows_mass),
            range: include.then(Extra::Range, || RangeRow::from(item.range)),
            tier: include.then(Extra::Tier, || item.tier.name()),
            alternatives: include.then(Extra::Alternatives, || item.alternatives.iter().map(alternative).collect()),
            nutrients: include.then(Extra::Nutrients, || nutrients_of(&item.food, grams)),
            recipe: None,
        }
    }
}

/// The answer to an estimate.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EstimateAnswer {
    /// The foods, in the order of the text.
    pub items: Vec<ItemRow>,
    /// The sums of the shown items.
    pub totals: Totals,
    /// Asked for with `unresolved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<Vec<String>>,
}

impl EstimateAnswer {
    /// An answer with what was asked for.
    pub fn from_parts(parts: &[Part], include: Include) -> Self {
        let words = |part: &Part| match part {
            Part::Unresolved(words) => Some(words.clone()),
            _ => None,
        };
        let values = parts.iter().filter_map(|part| match part {
            Part::Food(item) => Some(&item.values),
            Part::Recipe(item) => Some(&item.values),
            Part::Unresolved(_) => None,
        });
        Self {
            items: parts.iter().filter_map(|part| ItemRow::from_part(part, include)).collect(),
            totals: Values::sum(values).into(),
            unresolved: include.then(Extra::Unresolved, || parts.iter().filter_map(words).collect()),
        }
    }
}

/// A food's name with its brand: "Greek Yogurt, Vanilla (Chobani)".
fn shown_name(food: &Food) -> String {
    match &food.brand {
        Some(brand) => format!("{} ({brand})", food.name),
        None => food.name.clone(),
    }
}

/// What so many grams of a food hold, as far as it is known.
fn nutrients_of(food: &Food, grams: f64) -> Nutrients {
    let mut out = Nutrients::default();
    for (nutrient, per_100) in food.nutrients.iter() {
        out.set(nutrient, (f64::from(per_100) * grams / 100.0) as f32);
    }
    out
}

fn round(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_keep_two_decimals() {
        assert!((round(1.0 / 3.0, 2) - 0.33).abs() < 1e-12);
    }
}
