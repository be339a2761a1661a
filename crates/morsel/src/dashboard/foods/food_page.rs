//! One food: portions, nutrients and source.

use std::sync::Arc;

use ::foods::dishes::PLUS;
use ::foods::name::usda;
use ::foods::{Food, FoodTable, LocalName, Nutrient, Origin};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::{doubt, portion};
use crate::app::App;
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::path::Path;

/// The largest portion.
const MAX_GRAMS: f64 = 10_000.0;

#[derive(Template)]
#[template(path = "foods/food.html")]
struct FoodPage {
    layout: Layout,
    name: String,
    brand: Option<String>,
    /// The publisher's name for the food, if it differs.
    description: Option<String>,
    /// The ingredients of one serving of a dish.
    ingredients: Vec<String>,
    category: Option<String>,
    gtin: Option<String>,
    id: String,
    source: &'static str,
    dataset: &'static str,
    /// Why the values are doubtful.
    doubt: Option<&'static str>,
    attribution: Option<&'static str>,
    local_names: Vec<(String, String)>,
    portions: Vec<PortionOption>,
    grams: String,
    /// The error of the grams field.
    problem: Option<&'static str>,
    sums: [NutrientAmount; 4],
    nutrients: Vec<NutrientAmount>,
}

/// An entry of the portion menu.
struct PortionOption {
    label: String,
    grams: String,
    is_selected: bool,
}

/// The amount of a nutrient in the selected portion and in 100 g.
struct NutrientAmount {
    name: String,
    amount: String,
    per_100: String,
    unit: &'static str,
}

#[derive(Deserialize)]
pub(crate) struct FoodQuery {
    /// The grams of the selected portion.
    portion: Option<String>,
    grams: Option<String>,
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
    PageQuery(asked): PageQuery<FoodQuery>,
) -> Result<Response, ApiError> {
    let food = app.engine.snapshot().catalog.by_id(&id);
    let food = food.ok_or_else(|| ApiError::not_found("Food not found."))?;
    // Typed grams take precedence over a selected portion.
    let typed = asked.grams.filter(|typed| !typed.trim().is_empty());
    let chosen = typed.or(asked.portion);
    let number = chosen.map(|text| text.trim().replace(',', ".").parse::<f64>());
    let (grams, problem) = match number {
        Some(Ok(grams)) if grams > 0.0 && grams <= MAX_GRAMS => (grams, None),
        Some(_) => (f64::from(food.serving.grams), Some("Enter a number of grams up to 10,000.")),
        None => (f64::from(food.serving.grams), None),
    };
    page(StatusCode::OK, &FoodPage::new(user.layout(Section::Foods), &food, grams, problem))
}

impl FoodPage {
    fn new(layout: Layout, food: &Food, grams: f64, problem: Option<&'static str>) -> Self {
        let mut portions = vec![(food.serving.description.clone(), f64::from(food.serving.grams))];
        let known = food.portions.iter().map(|portion| (portion.text.clone(), f64::from(portion.grams)));
        portions.extend(known.filter(|(text, _)| *text != food.serving.description));
        portions.push(("100 g".to_owned(), 100.0));
        let mut is_chosen = false;
        let portions = portions.into_iter().map(|(text, weight)| {
            let is_first = !is_chosen && (weight - grams).abs() < 0.05;
            is_chosen |= is_first;
            let label = portion::label(&text, &shown(weight, 1));
            PortionOption { label, grams: shown(weight, 2), is_selected: is_first }
        });
        let value = |nutrient: Nutrient| {
            let per_100 = food.nutrients.get(nutrient).map(f64::from)?;
            let (name, unit) = name_and_unit(nutrient);
            let amount = per_100 * grams / 100.0;
            Some(NutrientAmount {
                name,
                amount: shown(amount, decimals(amount)),
                per_100: shown(per_100, decimals(per_100)),
                unit,
            })
        };
        let sum = |nutrient| {
            let known = value(nutrient);
            // Rounded as the API and the list of foods round.
            let macros = food.macros(grams).shown();
            let (amount, decimals) = match nutrient {
                Nutrient::Calories => (macros.calories, 0),
                Nutrient::Protein => (macros.protein, 1),
                Nutrient::Carbs => (macros.carbs, 1),
                _ => (macros.fat, 1),
            };
            let (name, unit) = name_and_unit(nutrient);
            let per_100 = known.map(|value| value.per_100).unwrap_or_default();
            NutrientAmount { name, amount: shown(amount, decimals), per_100, unit }
        };
        Self {
            layout,
            name: food.name.clone(),
            brand: food.brand.clone(),
            description: food.description.clone().filter(|_| food.origin != Origin::Dish),
            ingredients: ingredients(food),
            category: food.category.clone(),
            gtin: food.gtin.map(|gtin| format!("{gtin:014}")),
            id: food.id.clone(),
            source: food.origin.source().name(),
            dataset: dataset(food),
            doubt: doubt::doubt(food),
            attribution: food.origin.table().map(FoodTable::attribution),
            local_names: local_names(food),
            portions: portions.collect(),
            grams: shown(grams, 2),
            problem,
            sums: [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat].map(sum),
            nutrients: Nutrient::ALL.iter().filter_map(|nutrient| value(*nutrient)).collect(),
        }
    }
}

/// Returns the ingredients of one serving of a dish; its description lists them.
fn ingredients(food: &Food) -> Vec<String> {
    let list = food.description.as_deref().filter(|_| food.origin == Origin::Dish);
    let part = |part: &str| match part.split_once(" g ") {
        Some((grams, name)) => format!("{grams} g {}", usda(name)),
        None => part.to_owned(),
    };
    list.into_iter().flat_map(|list| list.split(PLUS)).map(part).collect()
}

/// Returns the names of a food in other languages, those of one language together.
fn local_names(food: &Food) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for LocalName { language, name } in &food.local_names {
        match all.last_mut().filter(|(known, _)| known == language) {
            Some((_, names)) => {
                names.push_str("; ");
                names.push_str(name);
            }
            None => all.push((language.clone(), name.clone())),
        }
    }
    all
}

/// Returns the name of the dataset that the food comes from.
fn dataset(food: &Food) -> &'static str {
    match food.origin {
        Origin::Fndds2021 => "USDA FNDDS 2021–2023",
        Origin::Fndds2017 => "USDA FNDDS 2017–2018",
        Origin::Foundation => "USDA Foundation Foods",
        Origin::StandardReference => "USDA Standard Reference",
        Origin::FdcBranded => "USDA Branded Foods, from the label",
        Origin::OpenFoodFacts => "Open Food Facts, from the label",
        Origin::FnddsOther => "USDA FNDDS",
        Origin::Label => "The label in a photo",
        Origin::Dish => "Composed by Morsel of USDA foods",
        Origin::Maker => "Published by its maker",
        Origin::Table(table) => table.title(),
    }
}

/// Returns the display name of a nutrient and its unit.
fn name_and_unit(nutrient: Nutrient) -> (String, &'static str) {
    let name = nutrient.name();
    let (name, unit) = match (name.strip_suffix("_mg"), name.strip_suffix("_mcg")) {
        (Some(name), _) => (name, "mg"),
        (_, Some(name)) => (name, "µg"),
        _ if nutrient == Nutrient::Calories => (name, "kcal"),
        _ => (name, "g"),
    };
    let mut name = name.replace('_', " ");
    if let Some(vitamin) = name.strip_prefix("vitamin ") {
        name = format!("vitamin {}", vitamin.to_uppercase());
    }
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    (name, unit)
}

/// Returns the number of decimals: small amounts need them, large ones do not.
fn decimals(amount: f64) -> usize {
    match amount.abs() {
        large if large >= 100.0 => 0,
        usual if usual >= 1.0 => 1,
        0.0 => 0,
        _ => 2,
    }
}

fn shown(amount: f64, decimals: usize) -> String {
    let text = format!("{amount:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nutrients_have_names_and_units() {
        assert_eq!(name_and_unit(Nutrient::Calories), ("Calories".to_owned(), "kcal"));
        assert_eq!(name_and_unit(Nutrient::VitaminB12), ("Vitamin B12".to_owned(), "µg"));
        assert_eq!(name_and_unit(Nutrient::SaturatedFat), ("Saturated fat".to_owned(), "g"));
        assert_eq!((shown(12.50, 2).as_str(), shown(100.0, 0).as_str()), ("12.5", "100"));
    }
}
