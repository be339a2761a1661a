//! Recipes from a file, in the form that `GET /v1/recipes` returns.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use meal::{Recipe, RecipeBook};
use nutrition::Macros;
use serde::Deserialize;

/// The response of `GET /v1/recipes`, or only its array.
#[derive(Deserialize)]
#[serde(untagged)]
enum RecipeFile {
    Response { recipes: Vec<RecipeEntry> },
    Array(Vec<RecipeEntry>),
}

/// A recipe of the file. As in the API, only the name is required.
#[derive(Deserialize)]
struct RecipeEntry {
    #[serde(default)]
    id: String,
    name: String,
    #[serde(default)]
    calories: f64,
    #[serde(default)]
    protein: f64,
    #[serde(default)]
    carbs: f64,
    #[serde(default)]
    fat: f64,
    #[serde(default)]
    serving_description: Option<String>,
    #[serde(default)]
    aliases: Option<Vec<String>>,
    #[serde(default)]
    updated_at: Option<String>,
}

/// Reads a file of recipes.
pub(super) fn read(path: &Path) -> Result<RecipeBook> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
    let rows = match serde_json::from_slice(&bytes) {
        Ok(RecipeFile::Response { recipes } | RecipeFile::Array(recipes)) => recipes,
        // The error of an untagged enum does not say what is wrong; that of the array does.
        Err(_) => match serde_json::from_slice::<Vec<RecipeEntry>>(&bytes) {
            Ok(rows) => rows,
            Err(error) => bail!("{}: expected an array of recipes or an object with “recipes”: {error}", name()),
        },
    };
    let recipes: Result<Vec<Recipe>> = rows.into_iter().enumerate().map(|(at, row)| recipe(at, row)).collect();
    Ok(RecipeBook::new(recipes.with_context(name)?))
}

fn recipe(at: usize, row: RecipeEntry) -> Result<Recipe> {
    if row.name.trim().is_empty() {
        bail!("recipe {} has no name", at + 1);
    }
    if [row.calories, row.protein, row.carbs, row.fat].iter().any(|value| *value < 0.0) {
        bail!("recipe {} (“{}”) has a negative number", at + 1, row.name);
    }
    Ok(Recipe {
        id: row.id,
        name: row.name,
        aliases: row.aliases.unwrap_or_default(),
        macros: Macros { calories: row.calories, protein: row.protein, carbs: row.carbs, fat: row.fat },
        serving_description: row.serving_description,
        // Decides which of two recipes with the same name is used.
        updated_at: row.updated_at.and_then(|time| time.parse().ok()).map_or(0, Timestamp::as_millisecond),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<RecipeBook> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("recipes.json");
        fs::write(&path, text).expect("written");
        read(&path)
    }

    #[test]
    fn a_response_and_its_array_are_read_alike() {
        let row = r#"{"id":"rcp_1","name":"Shake","calories":1.5,"aliases":[],"serving_description":null,
            "created_at":"2026-01-02T03:04:05.678Z","updated_at":"2026-01-02T03:04:05.678Z"}"#;
        for text in [format!("[{row}]"), format!("{{\"recipes\":[{row}]}}")] {
            let book = read_text(&text).expect("read");
            let recipe = book.get(0).expect("one");
            assert_eq!((recipe.id.as_str(), recipe.name.as_str(), recipe.macros.calories), ("rcp_1", "Shake", 1.5));
            assert!(recipe.updated_at > 0 && book.get(1).is_none());
        }
        assert!(read_text(r#"[{"name":"Bare"}]"#).expect("only a name").get(0).is_some());
        assert!(read_text("[]").expect("none").is_empty());
    }

    #[test]
    fn errors_say_what_is_wrong_with_the_file() {
        for (text, part) in [
            ("{}", "expected an array of recipes"),
            (r#"[{"calories":1}]"#, "name"),
            (r#"[{"name":" "}]"#, "recipe 1 has no name"),
            (r#"[{"name":"A"},{"name":"B","fat":-1}]"#, "recipe 2 (“B”) has a negative number"),
        ] {
            let error = format!("{:#}", read_text(text).expect_err(text));
            assert!(error.contains(part), "{error}");
        }
    }
}
