//! Pages for the owner of the service: its health and all accounts.

pub(super) mod account;
pub(super) mod accounts;
pub(super) mod audit;
pub(super) mod health;
pub(super) mod plans;
mod link_shown;
mod system;
