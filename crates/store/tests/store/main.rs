//! The store on real databases: every test body runs on a SQLite file and on a PostgreSQL server, without mocks.

mod accounts;
mod audit;
mod backup;
mod changes;
mod crash;
mod faults;
mod fuzz;
mod idempotency;
mod images;
mod keys;
mod latency;
mod limits;
mod opening;
mod owners;
mod recipes;
mod second_factor;
mod sessions;
mod stored;
mod texts;
mod usage;
#[cfg(unix)]
mod vanishing;
