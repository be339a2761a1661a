//! The account of the person who is signed in: password, second factor and sessions, export, deletion.

pub(super) mod delete;
pub(super) mod export;
pub(super) mod page;
pub(super) mod second_factor;
mod qr_code;
mod user_agent;
