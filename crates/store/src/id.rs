//! Ids: a prefix for the kind, and 131 random bits, so that they cannot be guessed.

use std::fmt;

use crate::base62;
use crate::random::Rng;

/// 22 characters of base62 carry 131 bits.
const RANDOM_LENGTH: usize = 22;

fn generate(prefix: &str, rng: &mut Rng) -> String {
    format!("{prefix}{}", base62::random(RANDOM_LENGTH, rng))
}

fn has_form(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| rest.len() == RANDOM_LENGTH && base62::is_base62(rest))
}

/// Defines a kind of id. The kinds differ only in their prefix; separate types keep them from being mixed up.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Generates an id.
            pub fn generate(rng: &mut Rng) -> Self {
                Self(generate($prefix, rng))
            }

            /// Parses an id; `None` if the text does not have exactly its form.
            pub fn parse(text: &str) -> Option<Self> {
                has_form($prefix, text).then(|| Self(text.to_owned()))
            }

            /// Returns the id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// An account, `acc_…`.
    AccountId,
    "acc_"
);
id!(
    /// A key (the row, not the secret), `key_…`.
    KeyId,
    "key_"
);
id!(
    /// A recipe, `rcp_…`.
    RecipeId,
    "rcp_"
);
id!(
    /// An image, `img_…`.
    ImageId,
    "img_"
);
id!(
    /// A session of the dashboard, `ses_…`. Not the secret in the cookie.
    SessionId,
    "ses_"
);
