//! The service, through its router and over real sockets, on SQLite and on PostgreSQL.

mod harness;
mod authenticator;
mod visitor;

mod access;
mod admission;
mod batch;
mod confirm;
mod dashboard;
mod engine_version;
mod errors;
mod estimates;
mod explore;
mod food_parts;
mod foods;
mod fuzz;
mod guide;
mod hosts;
mod idempotency;
mod images;
mod isolation;
mod languages;
mod keys_pages;
mod limits;
mod mcp;
mod model;
mod openapi;
mod owner_pages;
mod passwords;
mod recipes;
mod second_factor;
mod sign_in;
mod sockets;
mod trail;
mod usage;
mod usage_pages;
