//! Signing up, in and out.

pub(super) mod first_run;
pub(super) mod sign_up;
pub(super) mod with_link;
pub(super) mod with_provider;
pub(super) mod with_password;
pub(super) mod with_code;
pub(super) mod start_session;
