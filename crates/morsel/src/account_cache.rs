//! Keys, accounts and recipes of the store, cached in memory for as long as they are up to date.
//!
//! Every request needs the row of its key and the caller's recipes, and neither may cost a query. The store numbers every
//! change of an account, its keys and its recipes, whichever process makes it. Before anything cached is used, the number
//! of the latest change is compared with the last one seen (about a microsecond with SQLite), and accounts that have
//! changed since are dropped from the cache. So a revoked key fails on the very next request, even if another process
//! revoked it.
//!
//! Futures that wait for the database are boxed: they are large, rarely needed, and would be moved with every request.
//!
//! **An outage of PostgreSQL** is bridged: keys and recipes that are cached go on working for a while (`Freshness`). Then one
//! request every half second finds out whether the database is back, and the others do not wait for it.
//!
//! **Recipes are prepared once.** Preparing a thousand recipes with many names takes a good part of a second, so whoever
//! needs them while that is under way waits for the one result. It is done in the queue of the account, like every other
//! work, and what is kept is limited in bytes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

use bytes::Bytes;
use meal::{Recipe, RecipeBook};
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use store::{Account, AccountId, Key, KeyText, Store};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use crate::config::Networks;
use crate::error::ApiError;
use crate::work_queue::WorkQueue;

/// Cached keys, at most.
const MAX_KEYS: usize = 100_000;
/// Memory for the recipes of all accounts.
const MAX_RECIPES_BYTES: u64 = 256 << 20;
/// Recipes with fewer bytes of names than this are handled in a fraction of a millisecond.
const FEW_BYTES: usize = 1_024;
/// Recipes with more bytes of names than this take longer than a text may.
const MANY_BYTES: usize = 32 * 1_024;
/// What a byte of a name takes in memory once it is ready for matching.
const BYTES_PER_NAME_BYTE: usize = 24;

/// How long a request waits to learn whether something has changed. A database that takes longer is as good as gone.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a database that was gone is asked again.
const ASK_EVERY: Duration = Duration::from_millis(500);

/// A key and its account.
#[derive(Debug)]
pub struct KeyAndAccount {
    /// The key.
    pub key: Key,
    /// Its account.
    pub account: Account,
    /// The networks that the key may be used from; `None` for all.
    pub networks: Option<Networks>,
}

impl KeyAndAccount {
    fn new(key: Key, account: Account) -> Self {
        let is_restricted = !key.networks.is_empty();
        // Networks that cannot be read permit nobody: they were checked when they were saved.
        let networks = is_restricted.then(|| Networks::parse(&key.networks).unwrap_or_default());
        Self { key, account, networks }
    }
}

/// An account's recipes, ready for matching and for listing.
#[derive(Debug, Default)]
pub struct Recipes {
    /// The recipes, ready for matching.
    pub book: RecipeBook,
    /// Identifies this state of the recipes: no two with recipes have the same number; 0 means that there are none.
    pub edition: u64,
    /// The recipes, newest first.
    pub rows: Vec<store::Recipe>,
    /// The body that lists the recipes, once it was requested.
    pub listed: OnceLock<Bytes>,
    /// The same, compressed.
    pub listed_compressed: OnceLock<Bytes>,
    name_bytes: usize,
}

impl Recipes {
    fn new(rows: Vec<store::Recipe>, name_bytes: usize, edition: u64) -> Self {
        let book = RecipeBook::new(rows.iter().map(to_meal).collect());
        Self { book, edition, rows, name_bytes, ..Self::default() }
    }

    /// Returns about how many bytes it takes in memory.
    fn weight(&self) -> u32 {
        const FIXED: usize = 512;
        let serving = |row: &store::Recipe| row.serving_description.as_ref().map_or(0, String::len);
        let described: usize = self.rows.iter().map(|row| FIXED + 2 * serving(row)).sum();
        u32::try_from(FIXED + described + self.name_bytes * BYTES_PER_NAME_BYTE).unwrap_or(u32::MAX)
    }
}

/// The cache in front of a store.
#[derive(Debug)]
pub struct AccountCache {
    store: Store,
    cached: RwLock<Cached>,
    next_edition: AtomicU64,
    texts: WorkQueue,
    bulk: WorkQueue,
    freshness: Mutex<Freshness>,
    /// How long what is cached may be used while the database is gone.
    grace: Duration,
}

/// Whether what is cached is known to be up to date.
#[derive(Debug)]
struct Freshness {
    /// When the database last answered.
    confirmed: Instant,
    /// Since it is gone: why, and when it is asked again.
    outage: Option<(store::Error, Instant)>,
}

#[derive(Debug)]
struct Cached {
    /// The number of the change up to which everything here is up to date.
    change: u64,
    keys: HashMap<[u8; 32], Arc<KeyAndAccount>>,
    /// The hashes of each account's keys, so that a change of one account leaves the others alone.
    hashes: HashMap<AccountId, Vec<[u8; 32]>>,
    recipes: Cache<AccountId, Arc<Recipes>>,
    /// Recipes that are being prepared. A change of the account removes them from here, so that they are not cached.
    preparing: HashMap<AccountId, Arc<OnceCell<Arc<Recipes>>>>,
}

impl Default for Cached {
    fn default() -> Self {
        let recipes = Cache::builder()
            .max_capacity(MAX_RECIPES_BYTES)
            .weigher(|_: &AccountId, recipes: &Arc<Recipes>| recipes.weight())
            .eviction_policy(EvictionPolicy::lru())
            .build();
        let (keys, hashes, preparing) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { change: 0, keys, hashes, recipes, preparing }
    }
}

impl Cached {
    fn forget(&mut self, account: &AccountId) {
        for hash in self.hashes.remove(account).unwrap_or_default() {
            self.keys.remove(&hash);
        }
        self.recipes.invalidate(account);
        self.preparing.remove(account);
    }
}

impl AccountCache {
    /// Creates an empty cache. Recipes are prepared in the queue of texts, or of bulk work if there are many.
    /// What is cached in front of PostgreSQL is used for the time of `grace` while it cannot be reached.
    pub fn new(store: Store, texts: WorkQueue, bulk: WorkQueue, grace: Duration) -> Self {
        let freshness = Mutex::new(Freshness { confirmed: Instant::now(), outage: None });
        // A SQLite file does not go away for a while, and other programs may write to one that this one cannot read.
        let grace = if store.is_postgres() { grace } else { Duration::ZERO };
        Self { store, cached: RwLock::default(), next_edition: AtomicU64::new(1), texts, bulk, freshness, grace }
    }

    /// Reports whether the database answered when it was last asked.
    pub fn is_current(&self) -> bool {
        self.freshness.lock().unwrap_or_else(PoisonError::into_inner).outage.is_none()
    }

    /// Returns the key with this text, or `None` if there is none.
    pub async fn key(&self, text: &KeyText) -> Result<Option<Arc<KeyAndAccount>>, store::Error> {
        self.key_with_hash(&text.hash()).await
    }

    /// Returns the key whose text has this hash, or `None` if there is none.
    pub async fn key_with_hash(&self, hash: &[u8; 32]) -> Result<Option<Arc<KeyAndAccount>>, store::Error> {
        let change = self.catch_up().await?;
        if let Some(found) = self.read().keys.get(hash) {
            return Ok(Some(Arc::clone(found)));
        }
        let Some((key, account)) = Box::pin(self.store.keys().by_hash(hash)).await? else { return Ok(None) };
        let found = Arc::new(KeyAndAccount::new(key, account));
        let mut cached = self.write();
        // Unless something changed while the row was read: then it may already be out of date.
        if cached.change == change {
            if cached.keys.len() >= MAX_KEYS {
                cached.keys.clear();
                cached.hashes.clear();
            }
            if cached.keys.insert(*hash, Arc::clone(&found)).is_none() {
                cached.hashes.entry(found.account.id.clone()).or_default().push(*hash);
            }
        }
        Ok(Some(found))
    }

    /// Returns the recipes of an account.
    pub async fn recipes(&self, account: &AccountId) -> Result<Arc<Recipes>, ApiError> {
        self.catch_up().await?;
        self.recipes_of_caller(account).await
    }

    /// Returns the recipes of an account whose key was just looked up, so that the cache is already up to date.
    pub async fn recipes_of_caller(&self, account: &AccountId) -> Result<Arc<Recipes>, ApiError> {
        if let Some(recipes) = self.read().recipes.get(account) {
            return Ok(recipes);
        }
        let preparing = Arc::clone(self.write().preparing.entry(account.clone()).or_default());
        let recipes = preparing.get_or_try_init(|| Box::pin(self.prepare(account))).await?;
        let mut cached = self.write();
        // Unless the account changed meanwhile.
        if cached.preparing.get(account).is_some_and(|current| Arc::ptr_eq(current, &preparing)) {
            cached.preparing.remove(account);
            cached.recipes.insert(account.clone(), Arc::clone(recipes));
        }
        Ok(Arc::clone(recipes))
    }

    /// Reads the recipes of an account and makes them ready for matching.
    async fn prepare(&self, account: &AccountId) -> Result<Arc<Recipes>, ApiError> {
        let rows = self.store.recipes().list(account).await?;
        let edition = if rows.is_empty() { 0 } else { self.next_edition.fetch_add(1, Ordering::Relaxed) };
        let names = |row: &store::Recipe| row.name.len() + row.aliases.iter().map(String::len).sum::<usize>();
        let name_bytes = rows.iter().map(names).sum();
        self.run(account, name_bytes, move || Arc::new(Recipes::new(rows, name_bytes, edition))).await
    }

    /// Runs a job on an account's recipes, in the queue that fits their size.
    pub async fn run_on<T: Send + 'static>(
        &self,
        account: &AccountId,
        recipes: &Arc<Recipes>,
        job: impl FnOnce(&Recipes) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let recipes = Arc::clone(recipes);
        self.run(account, recipes.name_bytes, move || job(&recipes)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        account: &AccountId,
        name_bytes: usize,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        match name_bytes {
            0..FEW_BYTES => Ok(job()),
            FEW_BYTES..MANY_BYTES => self.texts.run(account, job).await,
            _ => self.bulk.run(account, job).await,
        }
    }

    /// Drops the accounts that have changed, and returns the number of the change up to which the rest is up to date.
    async fn catch_up(&self) -> Result<u64, store::Error> {
        let Some(latest) = self.latest_change().await? else { return Ok(self.read().change) };
        let change = self.read().change;
        if change == latest {
            return Ok(change);
        }
        let changes = Box::pin(self.store.changed_accounts(change)).await?;
        let mut cached = self.write();
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

    /// Returns the number of the latest change, or `None` if the database is gone and what is cached may still be used.
    async fn latest_change(&self) -> Result<Option<u64>, store::Error> {
        if self.grace.is_zero() {
            return self.store.latest_change().await.map(Some);
        }
        if let Some(outcome) = self.during_outage() {
            return outcome;
        }
        let asked = timeout(PATIENCE, self.store.latest_change()).await.unwrap_or(Err(store::Error::TimedOut));
        let mut freshness = self.freshness.lock().unwrap_or_else(PoisonError::into_inner);
        match asked {
            Ok(latest) => {
                *freshness = Freshness { confirmed: Instant::now(), outage: None };
                Ok(Some(latest))
            }
            Err(error) if error.is_unavailable() => {
                freshness.outage = Some((error.clone(), Instant::now() + ASK_EVERY));
                self.unless_too_long(&freshness, error)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns what requests get without asking the database, if it is gone and another request has just asked.
    fn during_outage(&self) -> Option<Result<Option<u64>, store::Error>> {
        let mut freshness = self.freshness.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let (error, next) = freshness.outage.as_mut()?;
        if now >= *next {
            // This request asks; the others do not wait for it.
            *next = now + PATIENCE + ASK_EVERY;
            return None;
        }
        let error = error.clone();
        Some(self.unless_too_long(&freshness, error))
    }

    fn unless_too_long(&self, freshness: &Freshness, error: store::Error) -> Result<Option<u64>, store::Error> {
        if freshness.confirmed.elapsed() < self.grace { Ok(None) } else { Err(error) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Cached> {
        self.cached.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Cached> {
        self.cached.write().unwrap_or_else(PoisonError::into_inner)
    }
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
