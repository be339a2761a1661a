//! An event of the audit trail as a row of a table.

use store::{AuditEntry, AuditKind};

use super::human_time::HumanTime;

/// A row of the table of events.
pub(super) struct EventRow {
    pub at: HumanTime,
    pub label: &'static str,
    pub is_failure: bool,
    /// The id of the account, if the event has one.
    pub account: Option<String>,
    /// What the account is called, or its id once it is deleted.
    pub account_name: String,
    /// The account that did it, if it is another one.
    pub by: Option<String>,
    pub address: String,
    pub detail: String,
}

impl From<AuditEntry> for EventRow {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { event, email, actor_email } = entry;
        let account = event.account.map(|id| id.to_string());
        Self {
            at: HumanTime::exactly(event.at),
            label: label(event.kind),
            is_failure: event.kind.is_failure(),
            account_name: email.clone().or_else(|| account.clone()).unwrap_or_default(),
            // The page of a deleted account cannot be opened.
            account: account.filter(|_| email.is_some()),
            by: event.actor.map(|id| actor_email.unwrap_or_else(|| id.to_string())),
            address: event.address.unwrap_or_default(),
            detail: event.detail.unwrap_or_default(),
        }
    }
}

/// Returns what people call an event.
pub(super) fn label(kind: AuditKind) -> &'static str {
    match kind {
        AuditKind::SignedIn => "Signed in",
        AuditKind::WrongPassword => "Wrong password",
        AuditKind::WrongCode => "Wrong code",
        AuditKind::WrongLink => "Invalid sign-in link",
        AuditKind::ProviderRefused => "Refused sign-in from the provider",
        AuditKind::WrongKey => "Wrong API key",
        AuditKind::SignedUp => "Signed up",
        AuditKind::PasswordChanged => "Password changed",
        AuditKind::SecondFactorOn => "Second factor turned on",
        AuditKind::SecondFactorOff => "Second factor turned off",
        AuditKind::RecoveryCodeUsed => "Recovery code used",
        AuditKind::RecoveryCodesReplaced => "Recovery codes replaced",
        AuditKind::SessionsEnded => "Sessions ended",
        AuditKind::KeyCreated => "Key created",
        AuditKind::KeyRotated => "Key rotated",
        AuditKind::KeyRestricted => "Key permissions changed",
        AuditKind::KeyRevoked => "Key revoked",
        AuditKind::RequestLogChanged => "Request log changed",
        AuditKind::DataExported => "Data exported",
        AuditKind::AccountCreated => "Account created",
        AuditKind::LinkCreated => "Sign-in link created",
        AuditKind::PlanChanged => "Plan changed",
        AuditKind::PlanLimitsChanged => "Plan limits changed",
        AuditKind::OwnerAdded => "Made owner",
        AuditKind::OwnerRemoved => "Owner rights removed",
        AuditKind::AccountDisabled => "Account disabled",
        AuditKind::AccountEnabled => "Account enabled",
        AuditKind::AccountDeleted => "Account deleted",
    }
}
