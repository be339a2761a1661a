//! Creating, changing and deleting a recipe.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use store::{NewRecipe, RecipeChange, RecipeId, SaveRecipeError};

use super::builder::{self, RecipeBuilder};
use super::ingredients::submitted;
use crate::api::recipes::fields::{MAX_NAME, MAX_SERVING, RecipeFields};
use crate::api::recipes::ingredients::IngredientList;
use crate::api::recipes::{MAX_RECIPES, not_saved};
use crate::app::App;
use crate::dashboard::assets::{Asset, RECIPE_SCRIPT, RECIPE_STYLE};
use crate::dashboard::field::{Field, FieldKind};
use crate::dashboard::flash;
use crate::dashboard::form::{Form, Problems};
use crate::dashboard::layout::{Layout, Section, page};
use crate::dashboard::query::PageQuery;
use crate::dashboard::visitor::SignedIn;
use crate::error::ApiError;
use crate::path::Path;

/// The fields of the numbers.
const NUMBERS: [&str; 4] = ["calories", "protein", "carbs", "fat"];
/// The longest list of ingredients that a link may carry.
const MAX_PASTED: usize = 4_000;

#[derive(Template)]
#[template(path = "recipes/recipe.html")]
struct RecipePage {
    layout: Layout,
    /// `None` for a new recipe.
    id: Option<String>,
    name: String,
    problem: Option<String>,
    name_field: Field,
    /// The numbers of one serving or of 100 g.
    numbers: Vec<Field>,
    others: Vec<Field>,
    builder: RecipeBuilder,
    style: Asset,
    script: Asset,
}

/// The recipe that a form is about; `None` for a new one: its id and name.
type EditedRecipe = Option<(String, String)>;

#[derive(Deserialize)]
pub(crate) struct NewRecipeQuery {
    /// The name to start with.
    name: Option<String>,
    /// A list of ingredients to start with.
    text: Option<String>,
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
    let pasted = query.text.unwrap_or_default().chars().take(MAX_PASTED).collect();
    let builder = RecipeBuilder { pasted, servings: "1".to_owned(), ..RecipeBuilder::default() };
    page(StatusCode::OK, &RecipePage::new(&user, None, &form, &Problems::default(), builder))
}

pub(crate) async fn create(State(app): State<Arc<App>>, user: SignedIn, form: Form) -> Result<Response, ApiError> {
    if let Some(builder) = builder::act(&app, &user, &form).await? {
        return page(StatusCode::OK, &RecipePage::new(&user, None, &form, &Problems::default(), builder));
    }
    let ingredients = submitted(&form);
    let new = match read(&app, &form, &ingredients) {
        Ok(new) => new,
        Err(problems) => return render_invalid(&app, &user, None, &form, &problems, None),
    };
    let recipes = app.store.recipes();
    match recipes.create(&user.account.id, new, MAX_RECIPES, app.now(), &mut app.rng(), None).await {
        Ok(_) => Ok(flash::redirect("/recipes", "recipe-created")),
        Err(error) => render_not_saved(&app, &user, None, &form, error),
    }
}

/// Shows the form again if a limit is the reason why a recipe was not saved.
fn render_not_saved(
    app: &App,
    user: &SignedIn,
    of: EditedRecipe,
    form: &Form,
    error: SaveRecipeError,
) -> Result<Response, ApiError> {
    let is_limit = matches!(error, SaveRecipeError::LimitReached | SaveRecipeError::NamesTooLong);
    let error = not_saved(error);
    if is_limit { render_invalid(app, user, of, form, &Problems::default(), Some(error.message)) } else { Err(error) }
}

pub(crate) async fn show_recipe(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let recipe = find(&app, &user, &id).await?;
    let stored = app.store.recipes().ingredients(&recipe.id).await?;
    let ingredients = stored.as_deref().and_then(IngredientList::from_json).unwrap_or_default();
    let snapshot = app.engine.snapshot();
    let builder = RecipeBuilder::new(&ingredients, &snapshot.catalog);
    let mut form = Form::default();
    // A number that follows from the ingredients is left to them; any other was entered.
    let follows = builder.numbers.unwrap_or_default();
    let shown = recipe
        .macros
        .zip_with(follows, |is, follows: f64| if (is - follows).abs() < 0.05 { String::new() } else { is.to_string() });
    for (name, value) in NUMBERS.into_iter().zip([shown.calories, shown.protein, shown.carbs, shown.fat]) {
        form.set(name, value);
    }
    form.set("name", recipe.name.clone());
    form.set("serving_description", recipe.serving_description.unwrap_or_default());
    form.set("aliases", recipe.aliases.join("\n"));
    page(StatusCode::OK, &RecipePage::new(&user, Some((id, recipe.name)), &form, &Problems::default(), builder))
}

pub(crate) async fn update(
    State(app): State<Arc<App>>,
    user: SignedIn,
    Path(id): Path<String>,
    form: Form,
) -> Result<Response, ApiError> {
    let recipe = find(&app, &user, &id).await?;
    let of = Some((id, recipe.name));
    if let Some(builder) = builder::act(&app, &user, &form).await? {
        return page(StatusCode::OK, &RecipePage::new(&user, of, &form, &Problems::default(), builder));
    }
    let ingredients = submitted(&form);
    let new = match read(&app, &form, &ingredients) {
        Ok(new) => new,
        Err(problems) => return render_invalid(&app, &user, of, &form, &problems, None),
    };
    let change = RecipeChange {
        name: Some(new.name),
        macros: new.macros.map(Some),
        serving_description: Some(new.serving_description),
        aliases: Some(new.aliases),
        ingredients: Some(new.ingredients),
    };
    match app.store.recipes().update(&user.account.id, &recipe.id, change, app.now()).await {
        Ok(Some(_)) => Ok(flash::redirect("/recipes", "recipe-changed")),
        Ok(None) => Err(not_found()),
        Err(error) => render_not_saved(&app, &user, of, &form, error),
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

/// Reads the form by the rules of the API. Numbers and a serving that are not entered follow from the ingredients.
fn read(app: &App, form: &Form, ingredients: &IngredientList) -> Result<NewRecipe, Problems> {
    let mut problems = Problems::default();
    let snapshot = app.engine.snapshot();
    let follows = ingredients.numbers(&snapshot.catalog);
    let mut number = |field: &'static str, follows: Option<f64>| {
        // Half the world writes a decimal comma.
        let text = form.text(field).replace(',', ".");
        if text.is_empty() {
            return follows;
        }
        text.parse().inspect_err(|_| problems.add(field, "Enter a number.")).ok()
    };
    let calories = number("calories", follows.map(|numbers| numbers.calories));
    let protein = number("protein", follows.map(|numbers| numbers.protein));
    let carbs = number("carbs", follows.map(|numbers| numbers.carbs));
    let fat = number("fat", follows.map(|numbers| numbers.fat));
    if !problems.is_empty() {
        return Err(problems);
    }
    let serving = form.text("serving_description");
    let serving = match follows {
        Some(_) if serving.is_empty() => ingredients.serving(&snapshot.catalog),
        _ => serving.to_owned(),
    };
    let aliases = form.raw("aliases").lines().map(str::trim).filter(|line| !line.is_empty());
    let fields = RecipeFields {
        name: Some(form.text("name").to_owned()),
        calories,
        protein,
        carbs,
        fat,
        serving_description: Some(Some(serving)),
        aliases: Some(aliases.map(str::to_owned).collect()),
        ingredients: None,
    };
    match fields.into_new(&snapshot.catalog) {
        Ok(new) => Ok(NewRecipe { ingredients: ingredients.to_json(), ..new }),
        Err(error) => {
            add_problem(&mut problems, error);
            Err(problems)
        }
    }
}

/// Puts an error of the API next to the field that it is about.
fn add_problem(problems: &mut Problems, error: ApiError) {
    let param = error.param.unwrap_or_default();
    let known = ["name", "calories", "protein", "carbs", "fat", "serving_description", "aliases"];
    let field = known.into_iter().find(|field| param.starts_with(field)).unwrap_or("name");
    let at = param.strip_prefix("aliases[").and_then(|at| at.strip_suffix(']')?.parse::<usize>().ok());
    let message = match at {
        Some(at) => error.message.replace(&format!("“{param}”"), &format!("Alias {}", at + 1)),
        None => error.message.replace(&format!("“{param}”"), "This"),
    };
    problems.add(field, message);
}

fn render_invalid(
    app: &App,
    user: &SignedIn,
    of: EditedRecipe,
    form: &Form,
    problems: &Problems,
    problem: Option<String>,
) -> Result<Response, ApiError> {
    let snapshot = app.engine.snapshot();
    let builder = RecipeBuilder::new(&submitted(form), &snapshot.catalog);
    let shown = RecipePage { problem, ..RecipePage::new(user, of, form, problems, builder) };
    page(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

impl RecipePage {
    fn new(user: &SignedIn, of: EditedRecipe, form: &Form, problems: &Problems, builder: RecipeBuilder) -> Self {
        let (id, name) = of.map_or((None, String::new()), |(id, name)| (Some(id), name));
        let number =
            |name, label| Field::new(FieldKind::Number, name, label).placeholder("0").resubmitted(form, problems);
        let name_field =
            Field::new(FieldKind::Text, "name", "Name").required().max_length(MAX_NAME).placeholder("Mom's Lasagna");
        let serving = Field::new(FieldKind::Text, "serving_description", "Serving size")
            .max_length(MAX_SERVING)
            .placeholder("1 slice (350 g)")
            .hint("With a unit or a weight here, amounts such as “2 slices” or “175 g” are converted to servings.");
        let aliases = Field::new(FieldKind::Lines, "aliases", "Aliases")
            .hint("One per line, up to 50. An alias matches just like the name.");
        let has_rows = !builder.rows.is_empty();
        let name_field = if has_rows || id.is_some() { name_field } else { name_field.focused() };
        Self {
            layout: user.layout(Section::Recipes),
            id,
            name,
            problem: None,
            name_field: name_field.resubmitted(form, problems),
            numbers: vec![
                number("calories", "Calories (kcal)"),
                number("protein", "Protein (g)"),
                number("carbs", "Carbs (g)"),
                number("fat", "Fat (g)"),
            ],
            others: [serving, aliases].into_iter().map(|field| field.resubmitted(form, problems)).collect(),
            builder,
            style: RECIPE_STYLE,
            script: RECIPE_SCRIPT,
        }
    }
}
