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
mod migrations;
mod opening;
mod owners;
mod recipes;
mod request_log;
mod second_factor;
mod sessions;
mod shared_limits;
mod stored;
mod texts;
mod transfer;
mod usage;
#[cfg(unix)]
mod vanishing;
