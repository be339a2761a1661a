//! Signing in with a password: how passwords are kept ([`password`]) and how often they may be tried ([`limiter`]).

pub mod limiter;
pub mod password;

pub use limiter::SignInLimiter;
pub use password::Passwords;
