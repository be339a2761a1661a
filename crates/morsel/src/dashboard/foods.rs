//! `/foods`: the food database for people. Search as one types, a food with its portions and everything known of it.

use std::sync::Arc;

use ::foods::dishes::PLUS;
use ::foods::{Food, Nutrient, Origin, Source};
use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;

use super::assets::{Asset, FOODS_SCRIPT};
use super::layout::{Layout, Section};
use super::page;
use super::visitor::SignedIn;
use crate::api::foods::rows::FoodRow;
use crate::api::query::Query;
use crate::app::App;
use crate::error::ApiError;

const LIMIT: usize = 30;
const LONGEST_QUERY: usize = 200;
/// More than this of a food is nobody's portion.
const MOST_GRAMS: f64 = 10_000.0;

#[derive(Template)]
#[template(path = "foods.html")]
struct FoodsPage {
    layout: Layout,
    script: Asset,
    query: String,
    source: &'static str,
    outcome: Outcome,
}

/// What a search came to.
enum Outcome {
    /// Nothing was asked for.
    Nothing,
    TooShort,
    /// The digits of a barcode that no product has.
    NoBarcode,
    Found(Vec<FoodRow>),
}

#[derive(Template)]
#[template(path = "food.html")]
struct FoodPage {
    layout: Layout,
    name: String,
    brand: Option<String>,
    /// The publisher's own words, where they differ.
    description: Option<String>,
    /// The foods in one serving of a dish.
    made_of: Vec<String>,
    category: Option<String>,
    gtin: Option<String>,
    id: String,
    source: &'static str,
    origin: &'static str,
    portions: Vec<Choice>,
    grams: String,
    /// What was wrong with the grams that were typed.
    problem: Option<&'static str>,
    sums: [Value; 4],
    nutrients: Vec<Value>,
}

/// A portion that can be chosen.
struct Choice {
    label: String,
    grams: String,
    is_chosen: bool,
}

/// A nutrient of the chosen portion.
struct Value {
    name: String,
    amount: String,
    per_100: String,
    unit: &'static str,
}

/// The addresses of the food database.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/foods", get(search)).route("/foods/{id}", get(show))
}

async fn search(State(app): State<Arc<App>>, visitor: SignedIn, uri: Uri) -> Result<Response, ApiError> {
    let asked = Query::of(&uri);
    let query: String = asked.get("q").unwrap_or_default().trim().chars().take(LONGEST_QUERY).collect();
    let source = asked.get("source").as_deref().and_then(Source::from_name);
    let outcome = find(&app, &query, source).await?;
    let shown = FoodsPage {
        layout: visitor.layout(Section::Foods),
        script: FOODS_SCRIPT,
        query,
        source: source.map_or("", Source::name),
        outcome,
    };
    page(StatusCode::OK, &shown)
}

async fn find(app: &App, query: &str, source: Option<Source>) -> Result<Outcome, ApiError> {
    if query.is_empty() {
        return Ok(Outcome::Nothing);
    }
    if query.chars().count() < 2 {
        return Ok(Outcome::TooShort);
    }
    let menu = app.kitchen.menu();
    let digits: String = query.chars().filter(|character| *character != ' ').collect();
    if (8..=14).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let product = digits.parse().ok().and_then(|gtin| menu.catalog.by_gtin(gtin));
        return Ok(product.map_or(Outcome::NoBarcode, |food| Outcome::Found(vec![FoodRow::from(&food)])));
    }
    let query = query.to_owned();
    let found = app.thinking.run(move || menu.searcher.search(&menu.catalog, &query, LIMIT, source)).await?;
    Ok(Outcome::Found(found.iter().map(FoodRow::from).collect()))
}

async fn show(
    State(app): State<Arc<App>>,
    visitor: SignedIn,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let food = app.kitchen.menu().catalog.by_id(&id);
    let food = food.ok_or_else(|| ApiError::not_found("There is no food with this id."))?;
    let asked = Query::of(&uri);
    // Grams that were typed count before a portion that was chosen.
    let typed = asked.get("grams").filter(|typed| !typed.trim().is_empty());
    let chosen = typed.or_else(|| asked.get("portion"));
    let number = chosen.as_deref().map(|text| text.trim().replace(',', ".").parse::<f64>());
    let (grams, problem) = match number {
        Some(Ok(grams)) if grams > 0.0 && grams <= MOST_GRAMS => (grams, None),
        Some(_) => (f64::from(food.serving.grams), Some("Grams are a number up to 10,000.")),
        None => (f64::from(food.serving.grams), None),
    };
    page(StatusCode::OK, &FoodPage::new(visitor.layout(Section::Foods), &food, grams, problem))
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
            let label = if text.ends_with(" g") { text } else { format!("{text} · {} g", shown(weight, 1)) };
            Choice { label, grams: shown(weight, 2), is_chosen: is_first }
        });
        let value = |nutrient: Nutrient| {
            let per_100 = food.nutrients.get(nutrient).map(f64::from)?;
            let (name, unit) = words(nutrient);
            let amount = per_100 * grams / 100.0;
            Some(Value {
                name,
                amount: shown(amount, decimals(amount)),
                per_100: shown(per_100, decimals(per_100)),
                unit,
            })
        };
        let sum = |nutrient| {
            let decimals = usize::from(nutrient != Nutrient::Calories);
            let known = value(nutrient);
            let amount = food.nutrients.get(nutrient).map_or(0.0, |per_100| f64::from(per_100) * grams / 100.0);
            let (name, unit) = words(nutrient);
            let per_100 = known.map(|value| value.per_100).unwrap_or_default();
            Value { name, amount: shown(amount, decimals), per_100, unit }
        };
        Self {
            layout,
            name: food.name.clone(),
            brand: food.brand.clone(),
            description: food.description.clone().filter(|_| food.origin != Origin::Dish),
            made_of: made_of(food),
            category: food.category.clone(),
            gtin: food.gtin.map(|gtin| format!("{gtin:014}")),
            id: food.id.clone(),
            source: food.origin.source().name(),
            origin: publication(food),
            portions: portions.collect(),
            grams: shown(grams, 2),
            problem,
            sums: [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat].map(sum),
            nutrients: Nutrient::ALL.iter().filter_map(|nutrient| value(*nutrient)).collect(),
        }
    }
}

/// The foods in one serving of a dish that no table has; their list is its description.
fn made_of(food: &Food) -> Vec<String> {
    let list = food.description.as_deref().filter(|_| food.origin == Origin::Dish);
    list.into_iter().flat_map(|list| list.split(PLUS)).map(str::to_owned).collect()
}

/// The publication that a food comes from, in words.
fn publication(food: &Food) -> &'static str {
    match food.origin {
        Origin::Fndds2021 => "USDA FNDDS 2021–2023",
        Origin::Fndds2017 => "USDA FNDDS 2017–2018",
        Origin::Foundation => "USDA Foundation Foods",
        Origin::StandardReference => "USDA Standard Reference",
        Origin::FdcBranded => "USDA Branded Foods, from the label",
        Origin::OpenFoodFacts => "Open Food Facts, from the label",
        Origin::FnddsOther => "USDA FNDDS",
        Origin::Label => "The label in a photo",
        Origin::Dish => "A dish made of USDA foods",
    }
}

/// The name of a nutrient as people read it, and its unit.
fn words(nutrient: Nutrient) -> (String, &'static str) {
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

/// Small amounts need their digits, large ones do not.
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
        assert_eq!(words(Nutrient::Calories), ("Calories".to_owned(), "kcal"));
        assert_eq!(words(Nutrient::VitaminB12), ("Vitamin B12".to_owned(), "µg"));
        assert_eq!(words(Nutrient::SaturatedFat), ("Saturated fat".to_owned(), "g"));
        assert_eq!((shown(12.50, 2).as_str(), shown(100.0, 0).as_str()), ("12.5", "100"));
    }
}
