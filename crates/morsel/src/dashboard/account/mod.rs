//! The account of the person who is signed in: password and sessions, export, deletion.

pub(super) mod delete;
pub(super) mod export;
pub(super) mod page;
mod user_agent;
