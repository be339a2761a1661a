//! Signing in: which passwords are good enough and how they are kept ([`password`], `common_passwords`), codes of
//! authenticator apps (`totp`), and how often both may be tried ([`limiter`]).

pub mod limiter;
pub mod password;
pub(crate) mod totp;
mod common_passwords;

pub use limiter::SignInLimiter;
pub use password::Passwords;
