//! Proof that a user is who they claim to be: a password or a code. Attempts are counted before they are compared.

use std::net::IpAddr;

use store::{Account, AccountId, AuditEvent, AuditKind};

use crate::app::App;
use crate::error::ApiError;
use crate::sign_in::{password, totp};

/// Reports whether this is the password of an account.
pub(super) async fn is_password(app: &App, account: &Account, from: IpAddr, given: &str) -> Result<bool, ApiError> {
    app.sign_in_limiter.attempt(account.email.as_str(), from, app.now()).await?;
    // A longer password was never set, and hashing it would waste time.
    let given = if given.chars().count() > password::MAX_LENGTH { "" } else { given };
    let is_right = app.passwords.verify(given, account.password_hash.as_deref()).await?;
    if is_right {
        app.sign_in_limiter.succeeded(&account.email, from, app.now()).await;
    } else {
        app.trail.record(AuditEvent::new(AuditKind::WrongPassword, app.now()).of(&account.id).from(from));
    }
    Ok(is_right)
}

/// Reports whether this is a code of the account's second factor, from the app or a recovery code, and spends it: a code
/// works once.
pub(super) async fn spend_code(app: &App, account: &AccountId, from: IpAddr, given: &str) -> Result<bool, ApiError> {
    let (factors, now) = (app.store.second_factors(), app.now());
    let Some(factor) = factors.of(account).await? else { return Ok(false) };
    app.sign_in_limiter.code(account, now).await?;
    let event = |kind| AuditEvent::new(kind, now).of(account).from(from);
    let step = totp::matching_step(&factor.secret, given, now);
    let is_right = match step {
        Some(step) => factors.spend_step(account, step).await?,
        None => factors.spend_recovery_code(account, given).await?,
    };
    if is_right && step.is_none() {
        app.trail.record(event(AuditKind::RecoveryCodeUsed));
    }
    if is_right {
        app.sign_in_limiter.code_succeeded(account).await;
    } else {
        app.trail.record(event(AuditKind::WrongCode));
    }
    Ok(is_right)
}
