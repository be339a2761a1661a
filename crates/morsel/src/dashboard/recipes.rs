//! `/recipes`: the account's own recipes, and which of them a text would match.

mod matching;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use jiff::Timestamp;
use serde_json::{Map, Value};
use store::{AccountId, CreateRecipeError, NewRecipe, RecipeChange, RecipeId, Rng};

use super::done::done;
use super::field::{Field, Kind};
use super::form::{Form, Problems};
use super::layout::{Layout, Section};
use super::page;
use super::visitor::SignedIn;
use crate::api::query::Query;
use crate::api::recipes::MAX_RECIPES;
use crate::api::recipes::fields::{MAX_NAME, MAX_SERVING, new_recipe};
use crate::app::App;
use crate::error::ApiError;
use matching::Verdict;

/// Longest text that is looked through for recipes here.
const LONGEST_TEXT: usize = 500;

#[derive(Template)]
#[template(path = "recipes.html")]
struct RecipesPage {
    layout: Layout,
    recipes: Vec<Line>,
    /// How many there are in all.
    total: usize,
    query: String,
    text: String,
    verdict: Option<Verdict>,
}

/// A recipe in the list.
struct Line {
    id: String,
    name: String,
    aliases: String,
    serving: String,
    calories: f64,
    protein: f64,
    carbs: f64,
    fat: f64,
}

#[derive(Template)]
#[template(path = "recipe.html")]
struct RecipePage {
    layout: Layout,
    /// Of a recipe that is there already.
    id: Option<String>,
    name: String,
    problem: Option<String>,
    fields: Vec<Field>,
}

/// The addresses of the recipes' pages.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/recipes", get(list).post(create))
        .route("/recipes/new", get(blank))
        .route("/recipes/{id}", get(edit).post(change))
        .route("/recipes/{id}/delete", post(delete))
}

async fn list(State(app): State<Arc<App>>, visitor: SignedIn, uri: Uri) -> Result<Response, ApiError> {
    let asked = Query::of(&uri);
    let query = asked.get("q").unwrap_or_default().trim().to_owned();
    let text: String = asked.get("text").unwrap_or_default().trim().chars().take(LONGEST_TEXT).collect();
    let all = app.store.recipes().list(&visitor.account.id).await?;
    let total = all.len();
    let sought = query.to_lowercase();
    let is_sought = |recipe: &store::Recipe| {
        let mut names = std::iter::once(&recipe.name).chain(&recipe.aliases);
        names.any(|name| name.to_lowercase().contains(&sought))
    };
    let recipes = all.into_iter().filter(is_sought).map(Line::from).collect();
    let verdict = if text.is_empty() { None } else { Some(explain(&app, &visitor.account.id, &text).await?) };
    page(
        StatusCode::OK,
        &RecipesPage { layout: visitor.layout(Section::Recipes), recipes, total, query, text, verdict },
    )
}

impl From<store::Recipe> for Line {
    fn from(recipe: store::Recipe) -> Self {
        Self {
            id: recipe.id.to_string(),
            name: recipe.name,
            aliases: recipe.aliases.join(", "),
            serving: recipe.serving_description.unwrap_or_default(),
            calories: recipe.calories,
            protein: recipe.protein,
            carbs: recipe.carbs,
            fat: recipe.fat,
        }
    }
}

async fn explain(app: &App, account: &AccountId, text: &str) -> Result<Verdict, ApiError> {
    let book = app.mirror.book(account).await?;
    let menu = app.kitchen.menu();
    let text = text.to_owned();
    app.thinking.run(move || Verdict::new(&book.recipes.explain(&text, menu.engine.lexicon()), &book.recipes)).await
}

async fn blank(visitor: SignedIn, uri: Uri) -> Result<Response, ApiError> {
    let mut form = Form::default();
    if let Some(name) = Query::of(&uri).get("name") {
        form.set("name", name.chars().take(MAX_NAME).collect());
    }
    let shown = RecipePage::new(&visitor, None, String::new(), fields(&form, &Problems::default()), None);
    page(StatusCode::OK, &shown)
}

async fn create(State(app): State<Arc<App>>, visitor: SignedIn, form: Form) -> Result<Response, ApiError> {
    let new = match read(&form) {
        Ok(new) => new,
        Err(problems) => return again(&visitor, None, &form, &problems, None),
    };
    let account = &visitor.account.id;
    let recipes = app.store.recipes();
    let saved = recipes.create(account, new, MAX_RECIPES, Timestamp::now(), &mut Rng::system(), None).await;
    match saved {
        Ok(_) => Ok(done("/recipes", "recipe-created")),
        Err(CreateRecipeError::LimitReached) => {
            let problem = format!("An account has at most {MAX_RECIPES} recipes. Delete one first.");
            again(&visitor, None, &form, &Problems::default(), Some(problem))
        }
        Err(CreateRecipeError::ClaimLost) => Err(ApiError::internal("a claim was lost that was never made")),
        Err(CreateRecipeError::Store(error)) => Err(error.into()),
    }
}

async fn edit(State(app): State<Arc<App>>, visitor: SignedIn, Path(id): Path<String>) -> Result<Response, ApiError> {
    let recipe = own(&app, &visitor, &id).await?;
    let mut form = Form::default();
    let number = |value: f64| if value == 0.0 { String::new() } else { value.to_string() };
    let numbers = [recipe.calories, recipe.protein, recipe.carbs, recipe.fat].map(number);
    for (name, value) in ["calories", "protein", "carbs", "fat"].into_iter().zip(numbers) {
        form.set(name, value);
    }
    form.set("name", recipe.name.clone());
    form.set("serving_description", recipe.serving_description.unwrap_or_default());
    form.set("aliases", recipe.aliases.join("\n"));
    let fields = fields(&form, &Problems::default());
    page(StatusCode::OK, &RecipePage::new(&visitor, Some(id), recipe.name, fields, None))
}

async fn change(
    State(app): State<Arc<App>>,
    visitor: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let recipe = own(&app, &visitor, &id).await?;
    let NewRecipe { name, calories, protein, carbs, fat, serving_description, aliases } = match read(&form) {
        Ok(new) => new,
        Err(problems) => return again(&visitor, Some((id, recipe.name)), &form, &problems, None),
    };
    let change = RecipeChange {
        name: Some(name),
        calories: Some(calories),
        protein: Some(protein),
        carbs: Some(carbs),
        fat: Some(fat),
        serving_description: Some(serving_description),
        aliases: Some(aliases),
    };
    let changed = app.store.recipes().update(&visitor.account.id, &recipe.id, change, Timestamp::now()).await?;
    changed.ok_or_else(unknown)?;
    Ok(done("/recipes", "recipe-changed"))
}

async fn delete(State(app): State<Arc<App>>, visitor: SignedIn, Path(id): Path<String>) -> Result<Response, ApiError> {
    let recipe = own(&app, &visitor, &id).await?;
    app.store.recipes().delete(&visitor.account.id, &recipe.id).await?;
    Ok(done("/recipes", "recipe-deleted"))
}

/// The recipe of this id, if it is the visitor's. Another account's is as unknown as one that was never there.
async fn own(app: &App, visitor: &SignedIn, id: &str) -> Result<store::Recipe, ApiError> {
    let id = RecipeId::parse(id).ok_or_else(unknown)?;
    let found = app.store.recipes().by_id(&id).await?;
    let own = found.filter(|(account, _)| *account == visitor.account.id);
    own.map(|(_, recipe)| recipe).ok_or_else(unknown)
}

fn unknown() -> ApiError {
    ApiError::not_found("There is no recipe with this id, or no longer.")
}

/// What a form says, by the rules of the API, or what is wrong at which field.
fn read(form: &Form) -> Result<NewRecipe, Problems> {
    let mut problems = Problems::default();
    let mut fields = Map::new();
    fields.insert("name".to_owned(), Value::from(form.text("name")));
    for field in ["calories", "protein", "carbs", "fat"] {
        // A comma is how half the world writes a decimal point.
        let text = form.text(field).replace(',', ".");
        match text.parse::<f64>() {
            _ if text.is_empty() => {}
            Ok(number) => drop(fields.insert(field.to_owned(), Value::from(number))),
            Err(_) => problems.add(field, "This must be a number."),
        }
    }
    fields.insert("serving_description".to_owned(), Value::from(form.text("serving_description")));
    let aliases = form.raw("aliases").lines().map(str::trim).filter(|line| !line.is_empty());
    fields.insert("aliases".to_owned(), aliases.map(Value::from).collect());
    if !problems.is_empty() {
        return Err(problems);
    }
    new_recipe(fields).map_err(|error| {
        let param = error.param.unwrap_or_default();
        let known = ["name", "calories", "protein", "carbs", "fat", "serving_description", "aliases"];
        let field = known.into_iter().find(|field| param.starts_with(field)).unwrap_or("name");
        let at = param.strip_prefix("aliases[").and_then(|at| at.strip_suffix(']')?.parse::<usize>().ok());
        let message = match at {
            Some(at) => error.message.replace(&format!("“{param}”"), &format!("Alias {}", at + 1)),
            None => error.message.replace(&format!("“{param}”"), "This"),
        };
        problems.add(field, message);
        problems
    })
}

fn again(
    visitor: &SignedIn,
    of: Option<(String, String)>,
    form: &Form,
    problems: &Problems,
    problem: Option<String>,
) -> Result<Response, ApiError> {
    let (id, name) = of.map_or((None, String::new()), |(id, name)| (Some(id), name));
    page(StatusCode::UNPROCESSABLE_ENTITY, &RecipePage::new(visitor, id, name, fields(form, problems), problem))
}

impl RecipePage {
    fn new(visitor: &SignedIn, id: Option<String>, name: String, fields: Vec<Field>, problem: Option<String>) -> Self {
        Self { layout: visitor.layout(Section::Recipes), id, name, problem, fields }
    }
}

fn fields(form: &Form, problems: &Problems) -> Vec<Field> {
    let number = |name, label| Field::new(Kind::Number, name, label).placeholder("0");
    let fields = vec![
        Field::new(Kind::Text, "name", "Name").required().longest(MAX_NAME).placeholder("Mom's Lasagna").focused(),
        number("calories", "Calories of one serving, kcal"),
        number("protein", "Protein, g"),
        number("carbs", "Carbs, g"),
        number("fat", "Fat, g"),
        Field::new(Kind::Text, "serving_description", "One serving is")
            .longest(MAX_SERVING)
            .placeholder("1 slice (350 g)")
            .hint("With a unit or a weight, “2 slices” and “175 g” are converted."),
        Field::new(Kind::Lines, "aliases", "Other names").hint("One a line, up to 50. Each matches like the name."),
    ];
    fields.into_iter().map(|field| field.again(form, problems)).collect()
}
