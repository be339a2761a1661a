//! Requests without a key, from networks that need none.
//!
//! They are made with a key of their own, which may only read foods. So limits, statistics and the log hold for them as for all
//! others, and revoking the key ends this access. Nobody knows its text. Which key it is says its label: the newest one of an owner
//! that has it and that permission alone, so that the key can be rotated, or made again after it was revoked.

use std::net::IpAddr;
use std::sync::PoisonError;

use jiff::Timestamp;
use store::{AuditEvent, AuditKind, KeyState, Mode, NewKey, Scope, Scopes};

use super::caller::Caller;
use crate::app::App;
use crate::dialect::Dialect;
use crate::error::ApiError;

/// The label of the key.
pub const LABEL: &str = "keyless reads";

/// Returns the sender of a request without a key.
pub(super) async fn caller(
    app: &App,
    dialect: Dialect,
    from: Option<IpAddr>,
    now: Timestamp,
) -> Result<Caller, ApiError> {
    // Nobody guesses with a key that was forgotten: it does not count as a wrong one.
    let missing = || dialect.missing_key();
    if dialect != Dialect::OpenFoodFacts || !from.is_some_and(|from| app.config.keyless_from.contain(from)) {
        return Err(missing());
    }
    let known = *app.keyless_key.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(hash) = known
        && let Some(caller) = active(app, &hash, now).await?
    {
        return Ok(caller);
    }
    let Some(hash) = Box::pin(find_or_create(app, from, now)).await? else { return Err(missing()) };
    *app.keyless_key.write().unwrap_or_else(PoisonError::into_inner) = Some(hash);
    active(app, &hash, now).await?.ok_or_else(missing)
}

/// Returns the caller with the key of this hash, if it is active.
async fn active(app: &App, hash: &[u8; 32], now: Timestamp) -> Result<Option<Caller>, ApiError> {
    let found = app.account_cache.key_with_hash(hash).await?;
    Ok(found.filter(|found| found.key.state(now) == KeyState::Active).map(Caller))
}

/// Returns the hash of the key, which the first request creates; `None` if there is no owner.
async fn find_or_create(app: &App, from: Option<IpAddr>, now: Timestamp) -> Result<Option<[u8; 32]>, ApiError> {
    let scopes: Scopes = [Scope::FoodsRead].into_iter().collect();
    let newest = app.store.keys().newest_of_owners(LABEL, scopes).await?;
    if newest.is_some() {
        return Ok(newest);
    }
    let accounts = app.store.accounts().list().await?;
    let Some(owner) = accounts.into_iter().find(|account| account.is_owner) else { return Ok(None) };
    let new = NewKey { mode: Mode::Live, label: Some(LABEL.to_owned()), scopes, expires_at: None };
    let (key, text) = app.store.keys().create(&owner.id, new, now, &mut app.rng()).await?;
    let event = AuditEvent::new(AuditKind::KeyCreated, now).of(&owner.id).detail(key.id.as_str());
    app.trail.record(from.map_or(event.clone(), |from| event.from(from)));
    Ok(Some(text.hash()))
}
