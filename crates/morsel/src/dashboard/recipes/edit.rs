//! Creating, changing and deleting a recipe.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::{NewRecipe, RecipeChange, RecipeId, SaveRecipeError};

use crate::api::recipes::fields::{MAX_NAME, MAX_SERVING, RecipeFields};
use crate::api::recipes::{MAX_RECIPES, not_saved};
use crate::app::App;
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::path::Path;

#[derive(Template)]
#[template(path = "recipes/recipe.html")]
struct RecipePage {
    layout: Layout,
    /// `None` for a new recipe.
    id: Option<String>,
    name: String,
    problem: Option<String>,
    fields: Vec<Field>,
}

#[derive(Deserialize)]
pub(crate) struct NewRecipeQuery {
    /// The name to start with.
    name: Option<String>,
}

/// Shows the form of a new recipe.
pub(crate) async fn show_form(
    user: SignedIn,
    PageQuery(query): PageQuery<NewRecipeQuery>,
) -> Result<Response, ApiError> {
    let mut form = Form::default();
    if let Some(name) = query.name {
        form.set("name", name.chars().take(MAX_NAME).collect());
    }
    let shown = RecipePage::new(&user, None, String::new(), fields(&form, &Problems::default()), None);
    page(StatusCode::OK, &shown)
}

pub(crate) async fn create(State(app): State<Arc<App>>, user: SignedIn, form: Form) -> Result<Response, ApiError> {
    let new = match read(&form) {
        Ok(new) => new,
        Err(problems) => return render_invalid(&user, None, &form, &problems, None),
    };
    let account = &user.account.id;
    let recipes = app.store.recipes();
    let saved = recipes.create(account, new, MAX_RECIPES, app.now(), &mut app.rng(), None).await;
    match saved {
        Ok(_) => Ok(flash::redirect("/recipes", "recipe-created")),
        Err(error) => render_not_saved(&user, None, &form, error),
    }
}

/// Shows the form again if a limit is the reason why a recipe was not saved.
fn render_not_saved(
    user: &SignedIn,
    of: Option<(String, String)>,
    form: &Form,
    error: SaveRecipeError,
) -> Result<Response, ApiError> {
    let is_limit = matches!(error, SaveRecipeError::LimitReached | SaveRecipeError::NamesTooLong);
    let error = not_saved(error);
    if is_limit { render_invalid(user, of, form, &Problems::default(), Some(error.message)) } else { Err(error) }
}

pub(crate) async fn show_recipe(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let recipe = find(&app, &user, &id).await?;
    let mut form = Form::default();
    let number = |value: f64| if value == 0.0 { String::new() } else { value.to_string() };
    let numbers = [recipe.macros.calories, recipe.macros.protein, recipe.macros.carbs, recipe.macros.fat].map(number);
    for (name, value) in ["calories", "protein", "carbs", "fat"].into_iter().zip(numbers) {
        form.set(name, value);
    }
    form.set("name", recipe.name.clone());
    form.set("serving_description", recipe.serving_description.unwrap_or_default());
    form.set("aliases", recipe.aliases.join("\n"));
    let fields = fields(&form, &Problems::default());
    page(StatusCode::OK, &RecipePage::new(&user, Some(id), recipe.name, fields, None))
}

pub(crate) async fn update(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let recipe = find(&app, &user, &id).await?;
    let NewRecipe { name, macros, serving_description, aliases } = match read(&form) {
        Ok(new) => new,
        Err(problems) => return render_invalid(&user, Some((id, recipe.name)), &form, &problems, None),
    };
    let change = RecipeChange {
        name: Some(name),
        macros: macros.map(Some),
        serving_description: Some(serving_description),
        aliases: Some(aliases),
    };
    match app.store.recipes().update(&user.account.id, &recipe.id, change, app.now()).await {
        Ok(changed) => {
            changed.ok_or_else(not_found)?;
            Ok(flash::redirect("/recipes", "recipe-changed"))
        }
        Err(error) => render_not_saved(&user, Some((id, recipe.name)), &form, error),
    }
}

pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let recipe = find(&app, &user, &id).await?;
    app.store.recipes().delete(&user.account.id, &recipe.id).await?;
    Ok(flash::redirect("/recipes", "recipe-deleted"))
}

/// Returns the account's recipe with this id. Recipes of other accounts look like missing ones.
async fn find(app: &App, user: &SignedIn, id: &str) -> Result<store::Recipe, ApiError> {
    let id = RecipeId::parse(id).ok_or_else(not_found)?;
    let found = app.store.recipes().by_id(&id).await?;
    let own = found.filter(|(account, _)| *account == user.account.id);
    own.map(|(_, recipe)| recipe).ok_or_else(not_found)
}

fn not_found() -> ApiError {
    ApiError::not_found("Recipe not found; it may have been deleted.")
}

/// Reads the form by the rules of the API.
fn read(form: &Form) -> Result<NewRecipe, Problems> {
    let mut problems = Problems::default();
    let mut number = |field: &'static str| {
        // Half the world writes a decimal comma.
        let text = form.text(field).replace(',', ".");
        if text.is_empty() {
            return None;
        }
        text.parse().inspect_err(|_| problems.add(field, "Enter a number.")).ok()
    };
    let (calories, protein, carbs, fat) = (number("calories"), number("protein"), number("carbs"), number("fat"));
    if !problems.is_empty() {
        return Err(problems);
    }
    let aliases = form.raw("aliases").lines().map(str::trim).filter(|line| !line.is_empty());
    let fields = RecipeFields {
        name: Some(form.text("name").to_owned()),
        calories,
        protein,
        carbs,
        fat,
        serving_description: Some(Some(form.text("serving_description").to_owned())),
        aliases: Some(aliases.map(str::to_owned).collect()),
    };
    fields.into_new().map_err(|error| {
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

fn render_invalid(
    user: &SignedIn,
    of: Option<(String, String)>,
    form: &Form,
    problems: &Problems,
    problem: Option<String>,
) -> Result<Response, ApiError> {
    let (id, name) = of.map_or((None, String::new()), |(id, name)| (Some(id), name));
    page(StatusCode::UNPROCESSABLE_ENTITY, &RecipePage::new(user, id, name, fields(form, problems), problem))
}

impl RecipePage {
    fn new(user: &SignedIn, id: Option<String>, name: String, fields: Vec<Field>, problem: Option<String>) -> Self {
        Self { layout: user.layout(Section::Recipes), id, name, problem, fields }
    }
}

fn fields(form: &Form, problems: &Problems) -> Vec<Field> {
    let number = |name, label| Field::new(FieldKind::Number, name, label).placeholder("0");
    let fields = vec![
        Field::new(FieldKind::Text, "name", "Name")
            .required()
            .max_length(MAX_NAME)
            .placeholder("Mom's Lasagna")
            .focused(),
        number("calories", "Calories (kcal)"),
        number("protein", "Protein (g)"),
        number("carbs", "Carbs (g)"),
        number("fat", "Fat (g)"),
        Field::new(FieldKind::Text, "serving_description", "Serving size")
            .max_length(MAX_SERVING)
            .placeholder("1 slice (350 g)")
            .hint("With a unit or a weight here, amounts such as “2 slices” or “175 g” are converted to servings."),
        Field::new(FieldKind::Lines, "aliases", "Aliases")
            .hint("One per line, up to 50. An alias matches just like the name."),
    ];
    fields.into_iter().map(|field| field.resubmitted(form, problems)).collect()
}
