//! Several servers that behave as one: real processes with PostgreSQL, Redis and a bucket, and what happens when one of them goes away.

#[path = "../program/server.rs"]
#[expect(dead_code, reason = "these servers are not started with a folder alone")]
mod server;

mod backup;
mod catalog;
mod cluster;
mod faults;
mod load;
mod soak;
mod together;
mod versions;
