//! The service, through its router and over real sockets, on SQLite and on PostgreSQL.

#[path = "../../../store/tests/store/databases.rs"]
#[allow(dead_code, reason = "shared with the store's own tests, which use more of it")]
mod databases;
mod harness;

mod access;
mod dashboard;
mod errors;
mod estimates;
mod foods;
mod idempotency;
mod images;
mod limits;
mod openapi;
mod recipes;
mod sockets;
mod usage;
