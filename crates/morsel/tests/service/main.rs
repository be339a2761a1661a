//! The service, through its router and over real sockets, on SQLite and on PostgreSQL.

mod harness;
mod authenticator;
mod issuer;
#[path = "../../../vision/tests/drawn/fruit.rs"]
#[allow(dead_code, reason = "several tests share it")]
mod fruit;
mod visitor;

mod access;
mod admission;
mod base_path;
mod batch;
mod chat_clients;
mod compat_chat;
mod compat_chat_limits;
mod compat_food_data_central;
mod compat_ninjas;
mod compat_nutritionix;
mod compat_open_food_facts;
mod compat_routes;
mod confirm;
mod dashboard;
mod docs_pages;
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
mod oidc;
mod openapi;
mod owner_pages;
mod passwords;
mod recipes;
mod request_log;
mod second_factor;
mod sign_in;
mod sockets;
mod trail;
mod usage;
mod usage_pages;
