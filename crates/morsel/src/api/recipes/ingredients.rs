//! What a recipe is made of: foods with amounts, from which its numbers follow.

use foods::Food;
use foods::catalog::Catalog;
use nutrition::Macros;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::json;
use crate::error::ApiError;

/// Ingredients that a recipe may have.
pub(crate) const MAX_INGREDIENTS: usize = 50;
/// The largest amount of an ingredient, and the most servings.
pub(crate) const MAX_AMOUNT: f64 = 100_000.0;
/// The unit that every food has.
pub(crate) const GRAMS: &str = "g";

/// What the numbers of a recipe are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum RecipeBasis {
    /// One serving.
    #[default]
    #[serde(rename = "serving")]
    Serving,
    /// 100 g.
    #[serde(rename = "100g")]
    HundredGrams,
}

/// An amount of a food.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ingredient {
    pub food_id: String,
    /// The name when it was added, in case the food is gone.
    pub name: String,
    pub quantity: f64,
    /// `g`, or a portion of the food as its table describes it.
    pub unit: String,
}

/// The ingredients of a recipe, as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct IngredientList {
    pub basis: RecipeBasis,
    /// Into how many servings the whole is divided.
    pub servings: f64,
    pub list: Vec<Ingredient>,
}

impl Default for IngredientList {
    fn default() -> Self {
        Self { basis: RecipeBasis::default(), servings: 1.0, list: Vec::new() }
    }
}

impl Ingredient {
    /// Returns an amount of a food in grams.
    pub fn grams_of(food: &Food, grams: f64) -> Self {
        let quantity = (grams * 10.0).round() / 10.0;
        Self { food_id: food.id.clone(), name: food.name.clone(), quantity, unit: GRAMS.to_owned() }
    }

    /// Returns the weight, or `None` if the food does not have the unit.
    pub fn grams(&self, food: &Food) -> Option<f64> {
        if self.unit == GRAMS {
            return Some(self.quantity);
        }
        let portion = food.portions.iter().find(|portion| portion.text == self.unit)?;
        Some(self.quantity * f64::from(portion.grams))
    }
}

impl IngredientList {
    /// Reads what was stored; a form that this version does not know is as good as none.
    pub fn from_json(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns the form to store, or `None` if there are no ingredients.
    pub fn to_json(&self) -> Option<String> {
        if self.list.is_empty() { None } else { serde_json::to_string(self).ok() }
    }

    /// Returns the weight and the numbers of everything together.
    pub fn total(&self, catalog: &Catalog) -> (f64, Macros) {
        let mut sum = (0.0, Macros::default());
        for ingredient in &self.list {
            let food = catalog.by_id(&ingredient.food_id);
            let Some((food, grams)) = food.and_then(|food| ingredient.grams(&food).map(|grams| (food, grams))) else {
                continue;
            };
            sum.0 += grams;
            sum.1 = sum.1.zip_with(food.macros(grams), |all, one| all + one);
        }
        sum
    }

    /// Returns the numbers that the recipe gets: of one serving or of 100 g; `None` without ingredients.
    pub fn numbers(&self, catalog: &Catalog) -> Option<Macros> {
        let (grams, total) = self.total(catalog);
        if self.list.is_empty() || grams <= 0.0 {
            return None;
        }
        let share = match self.basis {
            RecipeBasis::Serving => 1.0 / self.servings,
            RecipeBasis::HundredGrams => 100.0 / grams,
        };
        let rounded = |value: f64, by: f64| (value * share * by).round() / by;
        Some(Macros {
            calories: rounded(total.calories, 1.0),
            protein: rounded(total.protein, 10.0),
            carbs: rounded(total.carbs, 10.0),
            fat: rounded(total.fat, 10.0),
        })
    }

    /// Describes one serving, for recipes that do not.
    pub fn serving(&self, catalog: &Catalog) -> String {
        match self.basis {
            RecipeBasis::Serving => format!("1 serving ({:.0} g)", self.total(catalog).0 / self.servings),
            RecipeBasis::HundredGrams => "100 g".to_owned(),
        }
    }
}

/// What a recipe is made of, as callers send it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct IngredientsFields {
    /// What the numbers of the recipe are for.
    #[serde(default)]
    pub per: RecipeBasis,
    /// Into how many servings the whole is divided.
    #[serde(default = "one")]
    #[schema(default = 1, exclusive_minimum = 0, maximum = 100_000)]
    pub servings: f64,
    /// Up to 50 foods.
    #[serde(deserialize_with = "json::objects::<_, _, MAX_INGREDIENTS>")]
    #[schema(max_items = 50)]
    pub foods: Vec<IngredientFields>,
}

/// A food of a recipe, as callers send it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct IngredientFields {
    /// The id of the food.
    pub food_id: String,
    /// How many of the unit.
    #[schema(minimum = 0, maximum = 100_000)]
    pub quantity: f64,
    /// `g`, or a portion of the food in the words of its table: `1 cup`.
    #[serde(default = "grams")]
    #[schema(default = "g")]
    pub unit: String,
}

/// What a recipe is made of.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeIngredients {
    /// What the numbers of the recipe are for.
    pub per: RecipeBasis,
    /// Into how many servings the whole is divided.
    pub servings: f64,
    /// The foods.
    pub foods: Vec<RecipeIngredient>,
}

/// A food of a recipe.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecipeIngredient {
    /// The id of the food.
    pub food_id: String,
    /// Its name.
    pub name: String,
    /// How many of the unit.
    pub quantity: f64,
    /// `g`, or a portion of the food in the words of its table.
    pub unit: String,
    /// The weight; `null` if the food is no longer known.
    pub grams: Option<f64>,
    /// The numbers of this amount; 0 if the food is no longer known.
    #[serde(flatten)]
    pub macros: Macros,
}

fn one() -> f64 {
    1.0
}

fn grams() -> String {
    GRAMS.to_owned()
}

impl IngredientsFields {
    /// Checks that foods, units and amounts are known ones.
    pub(super) fn checked(self, catalog: &Catalog) -> Result<IngredientList, ApiError> {
        if !(self.servings > 0.0 && self.servings <= MAX_AMOUNT) {
            let message = format!("“ingredients.servings” must be a number above 0 and up to {MAX_AMOUNT}.");
            return Err(ApiError::bad_field("ingredients.servings", message));
        }
        let checked = |(at, field): (usize, IngredientFields)| {
            let path = format!("ingredients.foods[{at}]");
            let Some(food) = catalog.by_id(&field.food_id) else {
                let message = "This food was not found. Use the id of a food from the search.";
                return Err(ApiError::bad_request("food_not_found", message).of(format!("{path}.food_id")));
            };
            if !(0.0..=MAX_AMOUNT).contains(&field.quantity) {
                let message = format!("“{path}.quantity” must be a number from 0 to {MAX_AMOUNT}.");
                return Err(ApiError::bad_field(format!("{path}.quantity"), message));
            }
            let IngredientFields { food_id, quantity, unit } = field;
            let ingredient = Ingredient { food_id, name: food.name.clone(), quantity, unit };
            if ingredient.grams(&food).is_none() {
                let message = format!("“{path}.unit” must be “g” or a portion of the food, such as “1 cup”.");
                return Err(ApiError::bad_field(format!("{path}.unit"), message));
            }
            Ok(ingredient)
        };
        let list = self.foods.into_iter().enumerate().map(checked).collect::<Result<_, _>>()?;
        Ok(IngredientList { basis: self.per, servings: self.servings, list })
    }
}

impl RecipeIngredients {
    /// Shows what was stored.
    pub(super) fn new(stored: IngredientList, catalog: &Catalog) -> Self {
        let shown = |ingredient: Ingredient| {
            let food = catalog.by_id(&ingredient.food_id);
            let grams = food.as_ref().and_then(|food| ingredient.grams(food));
            let macros = food.as_ref().zip(grams).map(|(food, grams)| food.macros(grams).shown());
            RecipeIngredient {
                food_id: ingredient.food_id,
                name: food.map_or(ingredient.name, |food| food.name),
                quantity: ingredient.quantity,
                unit: ingredient.unit,
                grams: grams.map(|grams| (grams * 10.0).round() / 10.0),
                macros: macros.unwrap_or_default(),
            }
        };
        Self { per: stored.basis, servings: stored.servings, foods: stored.list.into_iter().map(shown).collect() }
    }
}
