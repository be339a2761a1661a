//! Keys, accounts and recipes of the store, cached in memory for as long as they are up to date.
//!
//! Every request needs the row of its key and the caller's recipes, and neither may cost a query. The store numbers every
//! change of an account, its keys and its recipes, whichever process makes it. Before anything cached is used, the number
//! of the latest change is compared with the last one seen (about a microsecond with SQLite), and accounts that have
//! changed since are dropped from the cache. So a revoked key fails on the very next request, even if another process
//! revoked it.
//!
//! Futures that wait for the database are boxed: they are large, rarely needed, and would be moved with every request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};

use bytes::Bytes;
use meal::{Recipe, RecipeBook};
use store::{Account, AccountId, Key, KeyText, Store};

/// Cached keys, at most.
const MAX_KEYS: usize = 100_000;
/// Cached recipes over all accounts, at most.
const MAX_RECIPES: usize = 200_000;
/// This many recipes are prepared in a fraction of a millisecond.
const FEW_RECIPES: usize = 10;

/// A key and its account.
#[derive(Debug)]
pub struct KeyAndAccount {
    /// The key.
    pub key: Key,
    /// Its account.
    pub account: Account,
}

/// An account's recipes, ready for matching and for listing.
#[derive(Debug, Default)]
pub struct Recipes {
    /// The recipes, ready for matching.
    pub book: RecipeBook,
    /// Identifies this state of the recipes: no two with recipes have the same number; 0 means that there are none.
    pub edition: u64,
    rows: Vec<store::Recipe>,
    listed: OnceLock<Bytes>,
}

impl Recipes {
    fn new(rows: Vec<store::Recipe>, edition: u64) -> Self {
        let book = RecipeBook::new(rows.iter().map(to_meal).collect());
        Self { book, edition, rows, listed: OnceLock::new() }
    }

    /// Returns the body that lists the recipes; `write` writes it the first time.
    pub async fn listed(self: &Arc<Self>, write: fn(&[store::Recipe]) -> Bytes) -> Bytes {
        if let Some(listed) = self.listed.get() {
            return listed.clone();
        }
        let recipes = Arc::clone(self);
        let write = move || recipes.listed.get_or_init(|| write(&recipes.rows)).clone();
        run_off_thread_if_many(self.rows.len(), write).await
    }
}

/// The cache in front of a store.
#[derive(Debug)]
pub struct AccountCache {
    store: Store,
    cached: RwLock<Cached>,
    next_edition: AtomicU64,
}

#[derive(Debug, Default)]
struct Cached {
    /// The number of the change up to which everything here is up to date.
    change: u64,
    keys: HashMap<[u8; 32], Arc<KeyAndAccount>>,
    /// The hashes of each account's keys, so that a change of one account leaves the others alone.
    hashes: HashMap<AccountId, Vec<[u8; 32]>>,
    recipes: HashMap<AccountId, Arc<Recipes>>,
    recipe_count: usize,
}

impl Cached {
    fn forget(&mut self, account: &AccountId) {
        for hash in self.hashes.remove(account).unwrap_or_default() {
            self.keys.remove(&hash);
        }
        if let Some(recipes) = self.recipes.remove(account) {
            self.recipe_count -= recipes.rows.len();
        }
    }
}

impl AccountCache {
    /// Creates an empty cache.
    pub fn new(store: Store) -> Self {
        Self { store, cached: RwLock::default(), next_edition: AtomicU64::new(1) }
    }

    /// Returns the key with this text, or `None` if there is none.
    pub async fn key(&self, text: &KeyText) -> Result<Option<Arc<KeyAndAccount>>, store::Error> {
        let hash = text.hash();
        let change = self.catch_up().await?;
        if let Some(found) = self.read().keys.get(&hash) {
            return Ok(Some(Arc::clone(found)));
        }
        let Some((key, account)) = Box::pin(self.store.keys().by_hash(&hash)).await? else { return Ok(None) };
        let found = Arc::new(KeyAndAccount { key, account });
        let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
        // Unless something changed while the row was read: then it may already be out of date.
        if cached.change == change {
            if cached.keys.len() >= MAX_KEYS {
                cached.keys.clear();
                cached.hashes.clear();
            }
            if cached.keys.insert(hash, Arc::clone(&found)).is_none() {
                cached.hashes.entry(found.account.id.clone()).or_default().push(hash);
            }
        }
        Ok(Some(found))
    }

    /// Returns the recipes of an account.
    pub async fn recipes(&self, account: &AccountId) -> Result<Arc<Recipes>, store::Error> {
        let change = self.catch_up().await?;
        self.recipes_at(change, account).await
    }

    /// Returns the recipes of an account whose key was just looked up, so that the cache is already up to date.
    pub async fn recipes_of_caller(&self, account: &AccountId) -> Result<Arc<Recipes>, store::Error> {
        let change = self.read().change;
        self.recipes_at(change, account).await
    }

    async fn recipes_at(&self, change: u64, account: &AccountId) -> Result<Arc<Recipes>, store::Error> {
        if let Some(recipes) = self.read().recipes.get(account) {
            return Ok(Arc::clone(recipes));
        }
        let rows = Box::pin(self.store.recipes().list(account)).await?;
        let count = rows.len();
        let edition = if count == 0 { 0 } else { self.next_edition.fetch_add(1, Ordering::Relaxed) };
        let recipes = run_off_thread_if_many(count, move || Arc::new(Recipes::new(rows, edition))).await;
        let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
        if cached.change == change {
            if cached.recipe_count + count > MAX_RECIPES || cached.recipes.len() >= MAX_KEYS {
                cached.recipes.clear();
                cached.recipe_count = 0;
            }
            if cached.recipes.insert(account.clone(), Arc::clone(&recipes)).is_none() {
                cached.recipe_count += count;
            }
        }
        Ok(recipes)
    }

    /// Drops the accounts that have changed, and returns the number of the change up to which the rest is up to date.
    async fn catch_up(&self) -> Result<u64, store::Error> {
        let latest = self.store.latest_change().await?;
        let change = self.read().change;
        if change == latest {
            return Ok(change);
        }
        let changes = Box::pin(self.store.changed_accounts(change)).await?;
        let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
        match changes.accounts {
            // The numbers do not fit together: a backup was restored, or the last request is too long ago. Nothing can be
            // trusted.
            None => *cached = Cached { change: changes.latest, ..Cached::default() },
            // Another request may have caught up meanwhile, and further than this one. If it got less far, the accounts
            // that changed since then are among those that changed since we looked.
            Some(accounts) if cached.change < changes.latest => {
                for account in &accounts {
                    cached.forget(account);
                }
                cached.change = changes.latest;
            }
            Some(_) => {}
        }
        Ok(cached.change)
    }

    fn read(&self) -> RwLockReadGuard<'_, Cached> {
        self.cached.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a job on this many recipes, off the async threads if there are many: a thousand with fifty names each take tens of
/// milliseconds.
async fn run_off_thread_if_many<T: Send + 'static>(recipes: usize, job: impl FnOnce() -> T + Send + 'static) -> T {
    if recipes <= FEW_RECIPES {
        return job();
    }
    tokio::task::spawn_blocking(job).await.expect("the job does not panic, and nobody cancels it")
}

/// Converts a stored recipe into one that the estimator can match.
fn to_meal(recipe: &store::Recipe) -> Recipe {
    Recipe {
        id: recipe.id.to_string(),
        name: recipe.name.clone(),
        aliases: recipe.aliases.clone(),
        macros: recipe.macros,
        serving_description: recipe.serving_description.clone(),
        updated_at: recipe.updated_at.as_microsecond(),
    }
}
