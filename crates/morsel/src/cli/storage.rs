//! The database, opened for one command. It may be in use by a running server.

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use store::{Account, AccountId, AuditEvent, AuditKind, Email, Location, Store};

use super::args::UsageError;
use crate::config::StorageArgs;

/// Opens the store, runs `work` and closes it.
pub(super) fn with_store<T>(storage: &StorageArgs, work: impl AsyncFnOnce(&Store) -> Result<T>) -> Result<T> {
    let storage = storage.add_secrets_from_env().map_err(UsageError)?;
    let location = storage.location().map_err(UsageError)?;
    if let Location::Sqlite(_) = location {
        let folder = storage.data_dir();
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open(&location).await?;
        let result = work(&store).await;
        store.close().await;
        result
    })
}

/// Records in the audit trail what a command did.
pub(super) async fn record(store: &Store, kind: AuditKind, account: &AccountId, detail: &str) -> Result<()> {
    let separator = if detail.is_empty() { "" } else { ", " };
    let event = AuditEvent::new(kind, Timestamp::now()).of(account);
    Ok(store.audit().append(&[event.detail(format!("{detail}{separator}on the command line"))]).await?)
}

/// Returns the account with this address.
pub(super) async fn account(store: &Store, email: &Email) -> Result<Account> {
    store.accounts().by_email(email).await?.with_context(|| format!("no account {email}"))
}
