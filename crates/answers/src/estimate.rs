//! Estimates as the API shows them.
//!
//! By default a response has exactly the fields of the contract. Everything else must be requested ([`Include`]), so that
//! a caller who compares fields one by one is never surprised.

use foods::{Food, FoodTable, Nutrients};
use meal::{
    Engine, Item, Language, Message, Part, Range, RecipeBook, RecipeItem, Seen, Speaker, Tier, Weight, WeightSource,
};
use nutrition::Macros;
use nutrition::sighting::Region;
use serde::Serialize;
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema as _, ToSchema};

use crate::include::{Extra, Include};
use crate::language::ENGLISH;

/// Where an item's numbers come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct SourceRow {
    /// The food's id in the catalog.
    pub food_id: String,
    /// `usda`, `branded`, `dish`, or the short name of another food table.
    pub source: &'static str,
    /// The publication.
    pub origin: &'static str,
    /// How the publisher of another food table asks to be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<&'static str>,
    /// The publisher's own name for the food; for a dish composed of other foods, those foods.
    pub name: String,
    /// How the food was recognized, if it comes from a photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<PhotoRow>,
}

/// How a food was recognized in a photo.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct PhotoRow {
    /// Which of the request's images, counted from 1.
    pub image: usize,
    /// `barcode`, `label`, `dish` (built-in recognition) or `model` (an external model, if the server uses one).
    pub by: &'static str,
    /// From 0 to 1.
    pub confidence: f64,
    /// Why the external model did not recognize it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where in the image it is, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionRow>,
}

/// A rectangle of an image, in shares of its width and height: each number is from 0 to 1. The image is upright, as a
/// camera's orientation mark says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct RegionRow {
    /// The distance from the left edge.
    pub left: f64,
    /// The distance from the upper edge.
    pub top: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl From<Region> for RegionRow {
    fn from(region: Region) -> Self {
        let [left, top, width, height] =
            [region.left, region.top, region.width, region.height].map(|share| round(f64::from(share), 3));
        Self { left, top, width, height }
    }
}

impl From<&Seen> for PhotoRow {
    fn from(seen: &Seen) -> Self {
        let confidence = round(f64::from(seen.confidence), 2);
        let note = seen.note.as_ref().map(ToString::to_string);
        let region = seen.region.map(RegionRow::from);
        Self { image: seen.photo, by: seen.by.name(), confidence, note, region }
    }
}

impl From<&Item> for SourceRow {
    fn from(item: &Item) -> Self {
        let food = &item.food;
        Self {
            food_id: food.id.clone(),
            source: food.origin.source().name(),
            origin: food.origin.name(),
            attribution: food.origin.table().map(FoodTable::attribution),
            name: food.description.as_ref().unwrap_or(&food.name).clone(),
            photo: item.seen.as_deref().map(PhotoRow::from),
        }
    }
}

/// The weight of an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct GramsRow {
    /// Grams, one decimal.
    pub grams: f64,
    /// How the amount became grams: `mass`, `portion`, `density` or `usual`.
    pub how: &'static str,
    /// The portion of the food that was used.
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

/// The two ends of a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Ends {
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// Returns the ends between which each of an item's numbers probably is.
fn ends(Range { low, high }: Range) -> Macros<Ends> {
    low.zip_with(high, |low, high| Ends { low, high })
}

/// Another food that may be meant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct AlternativeRow {
    /// Its id in the catalog.
    pub food_id: String,
    /// Its name.
    pub name: String,
    /// The kilocalories of the same weight of it, for comparison.
    pub calories: f64,
}

/// The saved recipe that an item comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct RecipeUse {
    /// The recipe's id.
    pub id: String,
    /// The words that matched it.
    pub matched: String,
    /// The number of servings.
    pub servings: f64,
}

impl From<&RecipeItem> for RecipeUse {
    fn from(item: &RecipeItem) -> Self {
        Self { id: item.id.clone(), matched: item.text.clone(), servings: round(item.servings, 4) }
    }
}

/// One food of a meal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct ItemRow {
    /// The food, with its brand where it has one.
    pub name: String,
    /// The amount of the unit.
    pub quantity: f64,
    /// The unit, as free text.
    pub unit: String,
    /// Calories whole, grams with one decimal.
    #[serde(flatten)]
    pub macros: Macros,
    /// On request (`include`): where the numbers come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceRow>,
    /// On request: the weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grams: Option<GramsRow>,
    /// On request: the ends between which each number probably is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = Macros::<Ends>::schema))]
    pub range: Option<Macros<Ends>>,
    /// On request: how reliable the numbers are: `recipe`, `measured`, `derived` or `estimated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<&'static str>,
    /// On request: other foods that may be meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<Vec<AlternativeRow>>,
    /// On request: the known nutrients of the whole amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<std::collections::BTreeMap<String, f64>>))]
    pub nutrients: Option<Nutrients>,
    /// On request: the saved recipe that was used; absent from items that come from the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<RecipeUse>,
}

impl ItemRow {
    /// Returns the item of a part, with the requested extras; `None` for unresolved words.
    pub fn from_part(part: &Part, include: Include) -> Option<Self> {
        match part {
            Part::Food(item) => Some(Self::from_food(item, include)),
            Part::Recipe(item) => Some(Self::from_recipe(item, include)),
            Part::Unresolved(_) => None,
        }
    }

    /// Shows a recipe, whose numbers are its owner's: it has neither a range nor alternatives.
    fn from_recipe(item: &RecipeItem, include: Include) -> Self {
        Self {
            name: item.name.clone(),
            quantity: round(item.quantity, 2),
            unit: item.unit.clone(),
            macros: item.macros,
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
            calories: food.macros(grams).shown().calories,
        };
        Self {
            name: item.local_name.clone().unwrap_or_else(|| shown_name(&item.food)),
            quantity: round(item.quantity, 2),
            unit: item.unit.clone(),
            macros: item.macros,
            source: include.then(Extra::Source, || SourceRow::from(item)),
            grams: include.then(Extra::Grams, || GramsRow::from(&item.weight)).filter(|_| knows_mass),
            range: include.then(Extra::Range, || ends(item.range)),
            tier: include.then(Extra::Tier, || item.tier.name()),
            alternatives: include.then(Extra::Alternatives, || item.alternatives.iter().map(alternative).collect()),
            nutrients: include.then(Extra::Nutrients, || nutrients_of(&item.food, grams)),
            recipe: None,
        }
    }
}

/// An estimated meal.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct EstimateAnswer {
    /// The foods, in the order of the text.
    pub items: Vec<ItemRow>,
    /// The sums of the shown items.
    pub totals: Macros,
    /// On request: words that look like food but were not resolved, and what is not clear in a photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<Vec<String>>,
    /// On request: the language that the texts were understood in, as a code: `en`, `es`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
}

impl EstimateAnswer {
    /// Estimates messages, with the requested extras.
    pub fn of_messages(
        engine: &Engine,
        messages: &[Message],
        recipes: &RecipeBook,
        speaker: &Speaker,
        include: Include,
    ) -> Self {
        let parts: Vec<Part> = meal::estimate_for(engine, messages, recipes, speaker).collect();
        Self { language: language_of(engine, messages, speaker, include), ..Self::from_parts(&parts, include) }
    }

    /// Shows the parts of a meal, with the requested extras.
    pub fn from_parts(parts: &[Part], include: Include) -> Self {
        let AnswerEnd { totals, unresolved, language } = AnswerEnd::from_parts(parts, include);
        let items = parts.iter().filter_map(|part| ItemRow::from_part(part, include)).collect();
        Self { items, totals, unresolved, language }
    }
}

/// What follows the items of an [`EstimateAnswer`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerEnd {
    /// The sums of the shown items.
    pub totals: Macros,
    /// On request: words that look like food but were not resolved, and what is not clear in a photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<Vec<String>>,
    /// On request: the language that the texts were understood in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
}

impl AnswerEnd {
    /// Sums up the parts of a meal.
    pub fn from_parts(parts: &[Part], include: Include) -> Self {
        let words = |part: &Part| match part {
            Part::Unresolved(words) => Some(words.clone()),
            Part::Food(item) => item.seen.as_deref().and_then(question_about),
            Part::Recipe(_) => None,
        };
        let values = parts.iter().filter_map(|part| match part {
            Part::Food(item) => Some(&item.macros),
            Part::Recipe(item) => Some(&item.macros),
            Part::Unresolved(_) => None,
        });
        Self {
            totals: values.sum::<Macros>().shown(),
            unresolved: include.then(Extra::Unresolved, || {
                let mut unresolved: Vec<String> = parts.iter().filter_map(words).collect();
                // A dish may be several items.
                unresolved.dedup();
                unresolved
            }),
            language: None,
        }
    }
}

/// Returns the question about a dish that was not clear.
fn question_about(seen: &Seen) -> Option<String> {
    seen.question.as_ref().map(|question| format!("image {}: {question}", seen.photo))
}

/// Returns the code of the language that the texts of messages are understood in, if it is requested.
pub fn language_of(engine: &Engine, messages: &[Message], speaker: &Speaker, include: Include) -> Option<&'static str> {
    include.then(Extra::Language, || meal::language_of(engine, messages, speaker).map_or(ENGLISH, Language::code))
}

/// Returns a food's name with its brand: "Greek Yogurt, Vanilla (Chobani)".
fn shown_name(food: &Food) -> String {
    match &food.brand {
        // Some products are called like their maker: "Duvel".
        Some(brand) if brand.to_lowercase() != food.name.to_lowercase() => format!("{} ({brand})", food.name),
        _ => food.name.clone(),
    }
}

/// Returns the known nutrients of an amount of a food.
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
