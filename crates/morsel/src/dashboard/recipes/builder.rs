//! The part of a recipe's form that has the ingredients. It works without scripts: every button sends the form, and the page
//! comes back with the ingredients as they are then.

use std::sync::Arc;

use foods::Food;
use foods::catalog::Catalog;
use meal::Speaker;
use nutrition::Macros;

use super::ingredients::submitted;
use crate::api::estimate::include::{Extra, Include};
use crate::api::estimate::request::EstimateRequest;
use crate::api::estimate::sync;
use crate::api::foods::rows::FoodRow;
use crate::api::recipes::ingredients::{GRAMS, Ingredient, IngredientList, MAX_INGREDIENTS, RecipeBasis};
use crate::app::App;
use crate::dashboard::form::Form;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;

/// Lines of a pasted list.
const MAX_LINES: usize = 50;
/// The longest line.
const MAX_LINE: usize = 200;
/// Foods that a search shows.
const MAX_FOUND: usize = 8;
const MAX_QUERY: usize = 200;

/// A unit to choose from.
#[derive(Debug)]
pub(super) struct UnitOption {
    pub value: String,
    pub label: String,
    pub is_selected: bool,
}

/// An ingredient in the form.
#[derive(Debug)]
pub(super) struct IngredientRow {
    pub food_id: String,
    pub name: String,
    pub amount: String,
    pub units: Vec<UnitOption>,
    pub calories: String,
    /// Whether the food is still in the catalog.
    pub is_known: bool,
}

/// The ingredients as the form shows them.
#[derive(Debug, Default)]
pub(super) struct RecipeBuilder {
    pub rows: Vec<IngredientRow>,
    pub is_per_hundred: bool,
    pub servings: String,
    /// The numbers that follow, for one serving or 100 g.
    pub numbers: Option<Macros>,
    /// The weight of everything.
    pub grams: String,
    /// The query and the foods that were found.
    pub query: String,
    pub found: Vec<FoodRow>,
    /// The list to add, or what was not understood of it.
    pub pasted: String,
    pub message: Option<String>,
}

impl RecipeBuilder {
    /// Shows a list of ingredients.
    pub fn new(list: &IngredientList, catalog: &Catalog) -> Self {
        let (grams, _) = list.total(catalog);
        Self {
            rows: list.list.iter().map(|ingredient| row(ingredient, catalog)).collect(),
            is_per_hundred: list.basis == RecipeBasis::HundredGrams,
            servings: list.servings.to_string(),
            numbers: list.numbers(catalog),
            grams: format!("{grams:.0}"),
            ..Self::default()
        }
    }
}

fn row(ingredient: &Ingredient, catalog: &Catalog) -> IngredientRow {
    let food = catalog.by_id(&ingredient.food_id);
    let grams = food.as_ref().and_then(|food| ingredient.grams(food));
    let calories = food.as_ref().zip(grams).map(|(food, grams)| food.macros(grams).calories);
    let option = |value: &str, label: String| UnitOption {
        value: value.to_owned(),
        label,
        is_selected: value == ingredient.unit,
    };
    let portions = food.iter().flat_map(|food| &food.portions);
    let portions = portions.map(|portion| option(&portion.text, format!("× {} ({} g)", portion.text, portion.grams)));
    IngredientRow {
        food_id: ingredient.food_id.clone(),
        name: food.as_ref().map_or_else(|| ingredient.name.clone(), |food| food.name.clone()),
        amount: ingredient.quantity.to_string(),
        units: std::iter::once(option(GRAMS, "grams".to_owned())).chain(portions).collect(),
        calories: calories.map(|calories| format!("{calories:.0}")).unwrap_or_default(),
        is_known: food.is_some(),
    }
}

/// Does what a button of the form asks for; `None` if it was the button that saves.
pub(super) async fn act(app: &Arc<App>, user: &SignedIn, form: &Form) -> Result<Option<RecipeBuilder>, ApiError> {
    let snapshot = app.engine.snapshot();
    let catalog = &snapshot.catalog;
    let mut list = submitted(form);
    let (picked, removed, action) = (form.text("pick"), form.text("remove"), form.text("do"));
    let query: String = form.text("find").chars().take(MAX_QUERY).collect();
    if !picked.is_empty() {
        if let Some(food) = catalog.by_id(picked).filter(|_| list.list.len() < MAX_INGREDIENTS) {
            list.list.push(usual(&food));
        }
        return Ok(Some(RecipeBuilder::new(&list, catalog)));
    }
    if let Ok(at) = removed.parse::<usize>() {
        if at < list.list.len() {
            list.list.remove(at);
        }
        return Ok(Some(RecipeBuilder::new(&list, catalog)));
    }
    match action {
        "add" => {
            let left = add_pasted(app, user, form.raw("pasted"), &mut list).await?;
            let message = (!left.is_empty()).then(|| "Not understood; change the words or pick the food:".to_owned());
            Ok(Some(RecipeBuilder { pasted: left.join("\n"), message, ..RecipeBuilder::new(&list, catalog) }))
        }
        "find" => {
            let found = if query.chars().count() < 2 { Vec::new() } else { find(app, user, &query).await? };
            let message = found.is_empty().then(|| "No food found.".to_owned());
            Ok(Some(RecipeBuilder { query, found, message, ..RecipeBuilder::new(&list, catalog) }))
        }
        "refresh" => Ok(Some(RecipeBuilder::new(&list, catalog))),
        _ => Ok(None),
    }
}

/// Returns the usual amount of a food: its serving, as one of its portions if it is one.
fn usual(food: &Food) -> Ingredient {
    let serving = &food.serving;
    let in_grams = Ingredient::grams_of(food, f64::from(serving.grams));
    match food.portions.iter().find(|portion| portion.text == serving.description) {
        Some(portion) => Ingredient { quantity: 1.0, unit: portion.text.clone(), ..in_grams },
        None => in_grams,
    }
}

async fn find(app: &App, user: &SignedIn, query: &str) -> Result<Vec<FoodRow>, ApiError> {
    let (snapshot, query) = (app.engine.snapshot(), query.to_owned());
    let search = move || {
        let found = snapshot.search(&query, &Speaker::default(), MAX_FOUND, None);
        found.rows()
    };
    app.texts.run(&user.account.id, search).await
}

/// Adds the foods of a pasted list, one line after the other. Returns the lines that were not understood.
async fn add_pasted(
    app: &Arc<App>,
    user: &SignedIn,
    pasted: &str,
    list: &mut IngredientList,
) -> Result<Vec<String>, ApiError> {
    let mut left = Vec::new();
    let snapshot = app.engine.snapshot();
    let include = Include::of([Extra::Source, Extra::Grams]);
    let lines = pasted.lines().map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim());
    for line in lines.filter(|line| !line.is_empty()).take(MAX_LINES) {
        let text: String = line.chars().take(MAX_LINE).collect();
        let request =
            EstimateRequest::from_texts(app, &user.account.id, vec![text], Speaker::default(), include).await?;
        let answer = sync::answer(app, &Arc::new(request)).await?;
        let mut is_understood = false;
        for item in answer.items {
            // A recipe in a recipe has no source.
            let (Some(source), Some(grams)) = (item.source, item.grams) else { continue };
            let Some(food) = snapshot.catalog.by_id(&source.food_id) else { continue };
            if list.list.len() < MAX_INGREDIENTS {
                list.list.push(Ingredient::grams_of(&food, grams.grams));
                is_understood = true;
            }
        }
        if !is_understood {
            left.push(line.to_owned());
        }
    }
    Ok(left)
}
