//! The program: its command line, and the service around the food catalog and the estimator.
//!
//! The list of modules below is a stack, the highest first: a module uses only modules further down.
//!
//! - [`cli`]: the commands. [`log`]: lines on stderr.
//! - [`server`] accepts connections and [`router`] knows every URL; [`base_path`] puts them below a path. Around each request
//!   are [`observe`] (ids, logs, counts, errors) and [`guard`] (key, rate limit, permission); [`routes`] says which permission a
//!   URL needs, [`dialect`] in whose protocol it speaks. [`api`] has the handlers, [`dashboard`] the pages, [`background`] what
//!   runs without a request.
//! - [`app`]: everything that a request may need: [`environment`] (clock, randomness, timeouts), [`live_engine`] (catalog and estimator), [`published_catalog`] (imported foods that servers share), [`account_cache`] (keys and recipes
//!   in memory), [`photo_reader`] (what photos show), [`response_cache`] (responses given before), [`usage`] (requests by
//!   key), [`request_log`] (the last requests of each account), [`live_limits`] (what plans allow), [`trail`] (what happened to accounts), [`readiness`] (whether the database can be written), [`work_queue`]
//!   (processor time, shared fairly by accounts), [`budget`] (memory, shared likewise), [`fair_cache`], [`doorkeeper`] (what is worth caching), [`single_flight`],
//!   [`sign_in`] (passwords), [`demo`] (limits of the demo for visitors), [`oidc`] (a sign-in provider), [`metrics`] (counts for Prometheus), [`traffic`] (those of the last hour).

pub mod cli;
pub mod log;
pub mod server;
pub mod router;
pub mod openapi;
pub mod base_path;
pub mod observe;
pub mod dashboard;
pub mod background;
pub mod api;
pub mod guard;
pub mod request_body;
pub mod app;
pub mod oidc;
pub mod sign_in;
pub mod demo;
pub mod trail;
pub mod readiness;
pub mod refusal_pause;
pub mod usage;
pub mod request_log;
pub mod live_limits;
pub mod account_cache;
pub mod response_cache;
pub mod photo_reader;
pub mod published_catalog;
pub mod live_engine;
pub mod work_queue;
pub mod single_flight;
pub mod fair_cache;
pub mod doorkeeper;
pub mod budget;
pub mod traffic;
pub mod metrics;
pub mod routes;
mod host;
pub mod dialect;
pub mod request;
pub mod query;
pub mod speaker;
pub mod path;
pub mod environment;
pub mod error;
pub mod error_codes;
pub mod config;
