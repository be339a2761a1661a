//! Ids: a prefix that says what they name, and 131 random bits, so that nobody can guess one.

use std::fmt;

use crate::{Rng, base62};

/// 22 characters of base62 carry 131 bits.
const RANDOM_LENGTH: usize = 22;

fn generate(prefix: &str, rng: &mut Rng) -> String {
    format!("{prefix}{}", base62::random(RANDOM_LENGTH, rng))
}

fn has_form(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| rest.len() == RANDOM_LENGTH && base62::is_base62(rest))
}

/// The five kinds of ids differ in their prefix alone; being types of their own keeps them from being mixed up.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// A new id.
            pub fn generate(rng: &mut Rng) -> Self {
                Self(generate($prefix, rng))
            }

            /// The id in this text, if it has exactly the form of one.
            pub fn parse(text: &str) -> Option<Self> {
                has_form($prefix, text).then(|| Self(text.to_owned()))
            }

            /// The id as text.
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
