//! What an event of the audit trail is about.

use std::fmt;
use std::str::FromStr;

use crate::names::{self, UnknownName};

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditKind {
    /// Signed in, with a password, a link or the sign-in provider.
    SignedIn,
    /// Entered a wrong password, or one for an account that does not exist.
    WrongPassword,
    /// Entered a wrong code of the second factor.
    WrongCode,
    /// Opened a sign-in link that is used, expired or invented.
    WrongLink,
    /// Came from the sign-in provider and was not let in.
    ProviderRefused,
    /// Sent a request with a key that is invented, revoked or expired.
    WrongKey,
    /// Created an account by signing up.
    SignedUp,
    /// Set or changed the password.
    PasswordChanged,
    /// Turned the second factor on.
    SecondFactorOn,
    /// Turned the second factor off.
    SecondFactorOff,
    /// Signed in with a recovery code.
    RecoveryCodeUsed,
    /// Replaced the recovery codes.
    RecoveryCodesReplaced,
    /// Ended sessions in other browsers.
    SessionsEnded,
    /// Created a key.
    KeyCreated,
    /// Replaced a key with a new one.
    KeyRotated,
    /// Changed the permissions or the networks of a key.
    KeyRestricted,
    /// Revoked a key.
    KeyRevoked,
    /// Turned on or off that the request log keeps bodies, or emptied the log.
    RequestLogChanged,
    /// Downloaded all data of the account.
    DataExported,
    /// Created an account for somebody else.
    AccountCreated,
    /// Created a sign-in link for an account.
    LinkCreated,
    /// Changed the plan.
    PlanChanged,
    /// Changed the limits of a plan.
    PlanLimitsChanged,
    /// Made the account an owner.
    OwnerAdded,
    /// Removed the owner's rights.
    OwnerRemoved,
    /// Disabled the account.
    AccountDisabled,
    /// Enabled the account again.
    AccountEnabled,
    /// Deleted the account.
    AccountDeleted,
}

impl AuditKind {
    /// All kinds.
    pub const ALL: [Self; 28] = [
        Self::SignedIn,
        Self::WrongPassword,
        Self::WrongCode,
        Self::WrongLink,
        Self::ProviderRefused,
        Self::WrongKey,
        Self::SignedUp,
        Self::PasswordChanged,
        Self::SecondFactorOn,
        Self::SecondFactorOff,
        Self::RecoveryCodeUsed,
        Self::RecoveryCodesReplaced,
        Self::SessionsEnded,
        Self::KeyCreated,
        Self::KeyRotated,
        Self::KeyRestricted,
        Self::KeyRevoked,
        Self::RequestLogChanged,
        Self::DataExported,
        Self::AccountCreated,
        Self::LinkCreated,
        Self::PlanChanged,
        Self::PlanLimitsChanged,
        Self::OwnerAdded,
        Self::OwnerRemoved,
        Self::AccountDisabled,
        Self::AccountEnabled,
        Self::AccountDeleted,
    ];

    /// Returns the name: `signed_in`, `wrong_key` …
    pub fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "signed_in",
            Self::WrongPassword => "wrong_password",
            Self::WrongCode => "wrong_code",
            Self::WrongLink => "wrong_link",
            Self::ProviderRefused => "provider_refused",
            Self::WrongKey => "wrong_key",
            Self::SignedUp => "signed_up",
            Self::PasswordChanged => "password_changed",
            Self::SecondFactorOn => "second_factor_on",
            Self::SecondFactorOff => "second_factor_off",
            Self::RecoveryCodeUsed => "recovery_code_used",
            Self::RecoveryCodesReplaced => "recovery_codes_replaced",
            Self::SessionsEnded => "sessions_ended",
            Self::KeyCreated => "key_created",
            Self::KeyRotated => "key_rotated",
            Self::KeyRestricted => "key_restricted",
            Self::KeyRevoked => "key_revoked",
            Self::RequestLogChanged => "request_log_changed",
            Self::DataExported => "data_exported",
            Self::AccountCreated => "account_created",
            Self::LinkCreated => "link_created",
            Self::PlanChanged => "plan_changed",
            Self::PlanLimitsChanged => "plan_limits_changed",
            Self::OwnerAdded => "owner_added",
            Self::OwnerRemoved => "owner_removed",
            Self::AccountDisabled => "account_disabled",
            Self::AccountEnabled => "account_enabled",
            Self::AccountDeleted => "account_deleted",
        }
    }

    /// Returns whether somebody tried to get in and failed.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::WrongPassword | Self::WrongCode | Self::WrongLink | Self::ProviderRefused | Self::WrongKey)
    }
}

impl FromStr for AuditKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        names::parse("event", name, &Self::ALL, Self::name)
    }
}

impl fmt::Display for AuditKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
