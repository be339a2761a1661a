//! Creates an account with a key and a recipe in a new SQLite file, then finds them again and revokes the key:
//! `cargo run -p store --example accounts`.

#![expect(clippy::print_stdout, reason = "a command-line program")]

use std::error::Error;

use jiff::Timestamp;
use nutrition::Macros;
use store::{Email, Location, NewAccount, NewKey, NewRecipe, Plan, Rng, Store};

/// The most recipes that the account may have.
const MAX_RECIPES: u64 = 100;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let location = Location::Sqlite(folder.path().join("morsel.db"));
    let store = Store::open(&location).await?;
    let (now, rng) = (Timestamp::now(), &mut Rng::system());

    let email = Email::parse("Ada@Example.org").ok_or("not an address")?;
    let new = NewAccount { plan: Plan::Pro, ..NewAccount::new(email) };
    let account = store.accounts().create(new, now, rng).await?;
    println!("created {} on the plan {} for {}", account.id, account.plan, account.email);

    let new = NewKey { label: Some("kitchen scale".to_owned()), ..NewKey::live() };
    let (key, text) = store.keys().create(&account.id, new, now, rng).await?;
    println!("created the key {}, shown only once: {}", key.id, text.as_str());

    let new = NewRecipe {
        name: "Lentil soup".to_owned(),
        macros: Macros { calories: 320.0, protein: 18.0, carbs: 48.0, fat: 5.5 },
        serving_description: Some("1 bowl (370 g)".to_owned()),
        aliases: vec!["dal".to_owned()],
        ingredients: None,
    };
    let recipe = store.recipes().create(&account.id, new, MAX_RECIPES, now, rng, None).await?;
    println!("saved the recipe {}: {} kcal", recipe.name, recipe.macros.calories);

    // A server compares this number on every request to know whether its cache is current.
    let before = store.latest_change().await?;
    store.keys().revoke(&account.id, &key.id, now).await?;
    let changes = store.changed_accounts(before).await?;
    println!("changed since: {:?}", changes.accounts.unwrap_or_default());

    let (key, _) = store.keys().by_hash(&text.hash()).await?.ok_or("not found")?;
    println!("the key is {}", key.state(now).name());
    store.close().await;
    Ok(())
}
