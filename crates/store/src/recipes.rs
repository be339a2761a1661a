//! Recipes: foods that an account has saved under names of its own.

use jiff::Timestamp;
use nutrition::Macros;

use crate::accounts::lock_account;
use crate::changes::commit_change;
use crate::db::{Db, Row, Tx, whole_micros};
use crate::error::Error;
use crate::id::{AccountId, RecipeId};
use crate::idempotency::{Claim, StoredResponse, finish_in};
use crate::random::Rng;
use crate::store::Store;

/// A saved recipe.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// The id, `rcp_…`.
    pub id: RecipeId,
    /// The name it is matched by.
    pub name: String,
    /// The numbers of one serving.
    pub macros: Macros,
    /// One serving in words.
    pub serving_description: Option<String>,
    /// Other names it is matched by.
    pub aliases: Vec<String>,
    /// When it was saved.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A recipe to be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRecipe {
    /// The name it is matched by.
    pub name: String,
    /// The numbers of one serving.
    pub macros: Macros,
    /// One serving in words.
    pub serving_description: Option<String>,
    /// Other names it is matched by.
    pub aliases: Vec<String>,
    /// What it is made of, in the caller's own form.
    pub ingredients: Option<String>,
}

/// New values for some fields; `None` leaves a field unchanged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecipeChange {
    /// The name.
    pub name: Option<String>,
    /// The numbers of one serving.
    pub macros: Macros<Option<f64>>,
    /// `Some(None)` removes the description.
    pub serving_description: Option<Option<String>>,
    /// All other names, not only new ones.
    pub aliases: Option<Vec<String>>,
    /// What it is made of; `Some(None)` forgets it.
    pub ingredients: Option<Option<String>>,
}

/// Characters that the names and aliases of all recipes of an account may have together, as the database keeps them: an
/// alias takes three more than it has. It bounds what it takes to match a text against them.
pub const MAX_RECIPE_NAMES: u64 = 1_000_000;

/// Why a recipe was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveRecipeError {
    /// The account has reached its limit of recipes.
    #[error("the account has reached its limit of recipes")]
    LimitReached,
    /// The names of the account's recipes are too long.
    #[error("the names of the account's recipes may have {MAX_RECIPE_NAMES} characters together")]
    NamesTooLong,
    /// This request took so long that another one with the same idempotency key took over.
    #[error("another request with the same idempotency key took over")]
    ClaimLost,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// The response to store for an idempotency key, computed from the saved recipe.
pub type ResponseToStore<'a> = (&'a Claim, &'a (dyn Fn(&Recipe) -> StoredResponse + Sync));

/// The columns of a recipe, as [`recipe`] reads them.
macro_rules! columns {
    () => {
        "id, name, calories, protein, carbs, fat, serving_description, aliases, created_at, updated_at"
    };
}

/// What a recipe is made of.
const INGREDIENTS: &str = "SELECT content FROM recipe_ingredients WHERE recipe_id = $1";

/// The recipes of a store.
#[derive(Debug, Clone, Copy)]
pub struct Recipes<'a> {
    db: &'a Db,
}

impl Store {
    /// Returns the recipes.
    pub fn recipes(&self) -> Recipes<'_> {
        Recipes { db: &self.db }
    }
}

impl Recipes<'_> {
    /// Saves a recipe unless the account has `limit` of them. The response for an idempotency key is stored in the same
    /// transaction: after a crash there are both or neither.
    pub async fn create(
        self,
        account: &AccountId,
        new: NewRecipe,
        limit: u64,
        now: Timestamp,
        rng: &mut Rng,
        response: Option<ResponseToStore<'_>>,
    ) -> Result<Recipe, SaveRecipeError> {
        let (recipe, ingredients) = new_recipe(new, now, rng);
        let response = response.map(|(claim, respond)| (claim, respond(&recipe)));
        let mut tx = self.db.begin().await?;
        lock_account(&mut tx, account).await?;
        let (count, names) = counts(&mut tx, account).await?;
        let exceeded = match () {
            () if count >= limit => Some(SaveRecipeError::LimitReached),
            () if names + names_of(&recipe) > MAX_RECIPE_NAMES => Some(SaveRecipeError::NamesTooLong),
            () => None,
        };
        if let Some(exceeded) = exceeded {
            tx.rollback().await?;
            return Err(exceeded);
        }
        insert(&mut tx, account, &recipe).await?;
        if ingredients.is_some() {
            set_ingredients(&mut tx, &recipe.id, ingredients.as_deref()).await?;
        }
        if let Some((claim, response)) = response
            && !finish_in(&mut tx, claim, &response, now).await?
        {
            tx.rollback().await?;
            return Err(SaveRecipeError::ClaimLost);
        }
        commit_change(tx, account).await?;
        Ok(recipe)
    }

    /// Returns the recipe with this id and the account that it belongs to.
    pub async fn by_id(self, id: &RecipeId) -> Result<Option<(AccountId, Recipe)>, Error> {
        let sql = concat!("SELECT account_id, ", columns!(), " FROM recipes WHERE id = $1");
        let row = self.db.read_one(sql, vec![id.as_str().into()]).await?;
        row.map(|row| Ok((row.account_id("account_id")?, recipe(&row)?))).transpose()
    }

    /// Returns all recipes of an account, the newest first.
    pub async fn list(self, account: &AccountId) -> Result<Vec<Recipe>, Error> {
        let sql =
            concat!("SELECT ", columns!(), " FROM recipes WHERE account_id = $1 ORDER BY created_at DESC, seq DESC");
        self.db.read(sql, vec![account.as_str().into()]).await?.iter().map(recipe).collect()
    }

    /// Changes some fields and what the recipe is made of, or nothing at all; returns the recipe as it is afterwards.
    /// `updated_at` moves only if something changed.
    pub async fn update(
        self,
        account: &AccountId,
        id: &RecipeId,
        mut change: RecipeChange,
        now: Timestamp,
    ) -> Result<Option<Recipe>, SaveRecipeError> {
        let ingredients = change.ingredients.take();
        let mut tx = self.db.begin().await?;
        lock_account(&mut tx, account).await?;
        let sql = concat!("SELECT ", columns!(), " FROM recipes WHERE id = $1 AND account_id = $2");
        let Some(row) = tx.fetch_one(sql, vec![id.as_str().into(), account.as_str().into()]).await? else {
            tx.rollback().await?;
            return Ok(None);
        };
        let before = recipe(&row)?;
        let mut after = changed(before.clone(), change);
        let are_other_ingredients = match &ingredients {
            Some(ingredients) => ingredients_in(&mut tx, id).await? != *ingredients,
            None => false,
        };
        if after == before && !are_other_ingredients {
            tx.rollback().await?;
            return Ok(Some(before));
        }
        let (longer, shorter) = (names_of(&after), names_of(&before));
        if longer > shorter && counts(&mut tx, account).await?.1 - shorter + longer > MAX_RECIPE_NAMES {
            tx.rollback().await?;
            return Err(SaveRecipeError::NamesTooLong);
        }
        // A clock that was set back must not make the recipe look older than it was.
        after.updated_at = whole_micros(now).max(before.updated_at);
        save(&mut tx, &after).await?;
        if let Some(ingredients) = ingredients {
            set_ingredients(&mut tx, id, ingredients.as_deref()).await?;
        }
        commit_change(tx, account).await?;
        Ok(Some(after))
    }

    /// Returns what a recipe is made of, if that was saved.
    pub async fn ingredients(self, id: &RecipeId) -> Result<Option<String>, Error> {
        self.db.read_one(INGREDIENTS, vec![id.as_str().into()]).await?.map(|row| row.text("content")).transpose()
    }

    /// Returns what the recipes of an account are made of.
    pub async fn all_ingredients(self, account: &AccountId) -> Result<Vec<(RecipeId, String)>, Error> {
        let sql = "SELECT recipe_id, content FROM recipe_ingredients
                   WHERE recipe_id IN (SELECT id FROM recipes WHERE account_id = $1)";
        let rows = self.db.read(sql, vec![account.as_str().into()]).await?;
        rows.iter().map(|row| Ok((row.parsed("recipe_id", RecipeId::parse)?, row.text("content")?))).collect()
    }

    /// Deletes a recipe; returns `false` if the account has none with this id.
    pub async fn delete(self, account: &AccountId, id: &RecipeId) -> Result<bool, Error> {
        let mut tx = self.db.begin().await?;
        let sql = "DELETE FROM recipes WHERE id = $1 AND account_id = $2";
        if tx.execute(sql, vec![id.as_str().into(), account.as_str().into()]).await? == 0 {
            tx.rollback().await?;
            return Ok(false);
        }
        commit_change(tx, account).await?;
        Ok(true)
    }
}

/// Returns how many recipes an account has, and how many characters their names have.
async fn counts(tx: &mut Tx, account: &AccountId) -> Result<(u64, u64), Error> {
    let sql = "SELECT COUNT(*) AS n, COALESCE(SUM(LENGTH(name) + LENGTH(aliases)), 0) AS names
               FROM recipes WHERE account_id = $1";
    let row = tx.fetch_one(sql, vec![account.as_str().into()]).await?;
    row.map_or(Ok((0, 0)), |row| Ok((row.unsigned("n")?, row.unsigned("names")?)))
}

/// Returns how many characters the names of a recipe have, as [`counts`] does.
fn names_of(recipe: &Recipe) -> u64 {
    (recipe.name.chars().count() + aliases_text(&recipe.aliases).chars().count()) as u64
}

/// Returns the recipe to save, and what it is made of.
fn new_recipe(new: NewRecipe, now: Timestamp, rng: &mut Rng) -> (Recipe, Option<String>) {
    let recipe = Recipe {
        id: RecipeId::generate(rng),
        name: new.name,
        macros: new.macros,
        serving_description: new.serving_description,
        aliases: new.aliases,
        created_at: whole_micros(now),
        updated_at: whole_micros(now),
    };
    (recipe, new.ingredients)
}

fn changed(recipe: Recipe, change: RecipeChange) -> Recipe {
    Recipe {
        name: change.name.unwrap_or(recipe.name),
        macros: change.macros.unwrap_or(recipe.macros),
        serving_description: change.serving_description.unwrap_or(recipe.serving_description),
        aliases: change.aliases.unwrap_or(recipe.aliases),
        ..recipe
    }
}

fn recipe(row: &Row) -> Result<Recipe, Error> {
    Ok(Recipe {
        id: row.parsed("id", RecipeId::parse)?,
        name: row.text("name")?,
        macros: Macros {
            calories: row.real("calories")?,
            protein: row.real("protein")?,
            carbs: row.real("carbs")?,
            fat: row.real("fat")?,
        },
        serving_description: row.opt_text("serving_description")?,
        aliases: row.parsed("aliases", |text| serde_json::from_str(text).ok())?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

/// Writes aliases as one JSON array: they are only ever read and written together with their recipe.
fn aliases_text(aliases: &[String]) -> String {
    serde_json::Value::from(aliases).to_string()
}

async fn insert(tx: &mut Tx, account: &AccountId, recipe: &Recipe) -> Result<(), Error> {
    let sql = "INSERT INTO recipes (id, account_id, name, calories, protein, carbs, fat, serving_description, aliases,
                   created_at, updated_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let values = vec![
        recipe.id.as_str().into(),
        account.as_str().into(),
        recipe.name.as_str().into(),
        recipe.macros.calories.into(),
        recipe.macros.protein.into(),
        recipe.macros.carbs.into(),
        recipe.macros.fat.into(),
        recipe.serving_description.as_deref().into(),
        aliases_text(&recipe.aliases).as_str().into(),
        recipe.created_at.into(),
        recipe.updated_at.into(),
    ];
    tx.execute(sql, values).await.map(drop)
}

async fn save(tx: &mut Tx, recipe: &Recipe) -> Result<(), Error> {
    let sql =
        "UPDATE recipes SET name = $2, calories = $3, protein = $4, carbs = $5, fat = $6, serving_description = $7,
                   aliases = $8, updated_at = $9
               WHERE id = $1";
    let values = vec![
        recipe.id.as_str().into(),
        recipe.name.as_str().into(),
        recipe.macros.calories.into(),
        recipe.macros.protein.into(),
        recipe.macros.carbs.into(),
        recipe.macros.fat.into(),
        recipe.serving_description.as_deref().into(),
        aliases_text(&recipe.aliases).as_str().into(),
        recipe.updated_at.into(),
    ];
    tx.execute(sql, values).await.map(drop)
}

/// Returns what a recipe is made of, as the transaction sees it.
async fn ingredients_in(tx: &mut Tx, id: &RecipeId) -> Result<Option<String>, Error> {
    tx.fetch_one(INGREDIENTS, vec![id.as_str().into()]).await?.map(|row| row.text("content")).transpose()
}

/// Saves what a recipe is made of, or forgets it.
async fn set_ingredients(tx: &mut Tx, id: &RecipeId, content: Option<&str>) -> Result<(), Error> {
    let Some(content) = content else {
        let sql = "DELETE FROM recipe_ingredients WHERE recipe_id = $1";
        return tx.execute(sql, vec![id.as_str().into()]).await.map(drop);
    };
    let sql = "INSERT INTO recipe_ingredients (recipe_id, content) VALUES ($1, $2)
               ON CONFLICT (recipe_id) DO UPDATE SET content = excluded.content";
    tx.execute(sql, vec![id.as_str().into(), content.into()]).await.map(drop)
}
