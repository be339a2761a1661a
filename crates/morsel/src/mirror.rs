//! What the store holds, kept in memory for as long as it is true.
//!
//! Every request needs its key's row and the caller's recipes, and neither may cost a query. The store numbers every
//! change of an account, its keys and its recipes, by whichever process. Before anything here is used, the number of the
//! latest change is compared with the one that was seen last (about a microsecond with SQLite); what belongs to accounts
//! that changed since is forgotten. So a revoked key fails on the very next request, also when another process revoked it.
//!
//! What waits for the database stands on the heap: it is large, seldom needed, and would be moved with every request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use meal::{Recipe, RecipeBook};
use store::{Account, AccountId, Key, KeyText, Store};

use crate::api::recipes::rows::RecipesAnswer;

/// Keys that are remembered at most.
const MAX_KEYS: usize = 100_000;
/// Recipes that are remembered at most, over all accounts.
const MAX_RECIPES: usize = 200_000;

/// As many recipes are prepared in a fraction of a millisecond.
const FEW_RECIPES: usize = 10;

/// A key and whose it is.
#[derive(Debug)]
pub struct Known {
    /// The key.
    pub key: Key,
    /// Its account.
    pub account: Account,
}

/// An account's recipes, ready to be looked for and to be shown.
#[derive(Debug, Default)]
pub struct Book {
    /// The recipes.
    pub recipes: RecipeBook,
    /// The answer to who asks for the list.
    pub listed: Bytes,
    /// No two books with recipes have the same number; an empty one has 0.
    pub edition: u64,
    count: usize,
}

/// The memory of a store.
#[derive(Debug)]
pub struct Mirror {
    store: Store,
    held: RwLock<Held>,
    editions: AtomicU64,
}

#[derive(Debug, Default)]
struct Held {
    /// The change up to which everything here is true.
    seen: u64,
    keys: HashMap<[u8; 32], Arc<Known>>,
    /// Which of the keys are an account's, so that a change costs nothing to the others.
    hashes: HashMap<AccountId, Vec<[u8; 32]>>,
    books: HashMap<AccountId, Arc<Book>>,
    recipes: usize,
}

impl Held {
    fn forget(&mut self, account: &AccountId) {
        for hash in self.hashes.remove(account).unwrap_or_default() {
            self.keys.remove(&hash);
        }
        if let Some(book) = self.books.remove(account) {
            self.recipes -= book.count;
        }
    }
}

impl Mirror {
    /// An empty memory.
    pub fn new(store: Store) -> Self {
        Self { store, held: RwLock::default(), editions: AtomicU64::new(1) }
    }

    /// The key of this text, or `None` when there is no such key.
    pub async fn key(&self, text: &KeyText) -> Result<Option<Arc<Known>>, store::Error> {
        let hash = text.hash();
        let seen = self.up_to_date().await?;
        if let Some(known) = self.read().keys.get(&hash) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some((key, account)) = Box::pin(self.store.keys().by_hash(&hash)).await? else { return Ok(None) };
        let known = Arc::new(Known { key, account });
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        // Unless something changed while the row was read: then it may be old already.
        if held.seen == seen {
            if held.keys.len() >= MAX_KEYS {
                held.keys.clear();
                held.hashes.clear();
            }
            if held.keys.insert(hash, Arc::clone(&known)).is_none() {
                held.hashes.entry(known.account.id.clone()).or_default().push(hash);
            }
        }
        Ok(Some(known))
    }

    /// The recipes of an account.
    pub async fn book(&self, account: &AccountId) -> Result<Arc<Book>, store::Error> {
        let seen = self.up_to_date().await?;
        self.book_since(seen, account).await
    }

    /// The recipes of an account whose key was just looked up, when everything that had changed was forgotten.
    pub async fn book_of_caller(&self, account: &AccountId) -> Result<Arc<Book>, store::Error> {
        let seen = self.read().seen;
        self.book_since(seen, account).await
    }

    async fn book_since(&self, seen: u64, account: &AccountId) -> Result<Arc<Book>, store::Error> {
        if let Some(book) = self.read().books.get(account) {
            return Ok(Arc::clone(book));
        }
        let stored = Box::pin(self.store.recipes().list(account)).await?;
        let count = stored.len();
        let edition = if count == 0 { 0 } else { self.editions.fetch_add(1, Ordering::Relaxed) };
        let bind = move || {
            let listed = RecipesAnswer::of(&stored);
            let recipes = RecipeBook::new(stored.into_iter().map(prepared).collect());
            Arc::new(Book { recipes, listed, edition, count })
        };
        // A thousand recipes with fifty names each take tens of milliseconds: too long for an async thread.
        let book = if count > FEW_RECIPES {
            tokio::task::spawn_blocking(bind).await.expect("binding a book does not panic, and nobody cancels it")
        } else {
            bind()
        };
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        if held.seen == seen {
            if held.recipes + count > MAX_RECIPES || held.books.len() >= MAX_KEYS {
                held.books.clear();
                held.recipes = 0;
            }
            if held.books.insert(account.clone(), Arc::clone(&book)).is_none() {
                held.recipes += count;
            }
        }
        Ok(book)
    }

    /// Forgets what changed, and says up to which change everything that is left is true.
    async fn up_to_date(&self) -> Result<u64, store::Error> {
        let latest = self.store.latest_change().await?;
        let seen = self.read().seen;
        if seen == latest {
            return Ok(seen);
        }
        let changes = Box::pin(self.store.changed_accounts(seen)).await?;
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        match changes.accounts {
            // The numbers do not fit together: a backup was restored, or this was too long ago. Nothing can be trusted.
            None => *held = Held { seen: changes.latest, ..Held::default() },
            // Another request may have been here meanwhile, and further. If it came less far, the accounts that changed
            // since then are among those that changed since we looked.
            Some(accounts) if held.seen < changes.latest => {
                for account in &accounts {
                    held.forget(account);
                }
                held.seen = changes.latest;
            }
            Some(_) => {}
        }
        Ok(held.seen)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stored recipe as the matcher wants it.
fn prepared(recipe: store::Recipe) -> Recipe {
    Recipe {
        id: recipe.id.to_string(),
        name: recipe.name,
        aliases: recipe.aliases,
        calories: recipe.calories,
        protein: recipe.protein,
        carbs: recipe.carbs,
        fat: recipe.fat,
        serving_description: recipe.serving_description,
        updated_at: recipe.updated_at.as_microsecond(),
    }
}
