//! Why somebody could not be identified.

/// Why somebody could not be identified. No message contains a token, a code or a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OidcError {
    /// The provider did not answer.
    #[error("the provider cannot be reached: {0}")]
    Unreachable(String),
    /// Too many people sign in at the same moment.
    #[error("too many people sign in at the moment")]
    Busy,
    /// The provider answered with an error: the status, and its own code if it gave one.
    #[error("the provider answered {0} {1}")]
    Status(u16, String),
    /// The token is signed with a key that the provider does not publish.
    #[error("the token is signed with an unknown key")]
    UnknownKey,
    /// The provider's answer breaks a rule of the protocol.
    #[error("the provider's answer is invalid: {0}")]
    Invalid(&'static str),
    /// The provider does not say the address.
    #[error("the provider does not say an email address")]
    NoEmail,
    /// The provider has not verified the address.
    #[error("the provider has not verified the email address")]
    UnverifiedEmail,
}
