//! The program: its command line, and the service around the food catalog and the estimator.
//!
//! - [`cli`]: the commands. [`config`]: what the service can be told.
//! - [`server`] accepts connections, [`router`] knows every address; around each request stand [`observe`] (ids, logs,
//!   counts, errors) and [`guard`] (key, limit, permission), [`routes`] says who may call what. [`api`] has the handlers,
//!   [`dashboard`] the pages.
//! - [`app`]: everything a request may need: [`kitchen`] (catalog and engine), [`mirror`] (keys and recipes in memory),
//!   [`sight`] (what photos show), [`answers`] (given before), [`usage`] (counted), [`work`] (processors).
//! - [`background`]: what happens without being asked for. [`log`]: lines on stderr. [`metrics`]: counts for
//!   Prometheus.

pub mod answers;
pub mod api;
pub mod app;
pub mod background;
pub mod body;
pub mod cli;
pub mod config;
pub mod dashboard;
pub mod error;
pub mod guard;
pub mod kitchen;
pub mod log;
pub mod metrics;
pub mod mirror;
pub mod observe;
pub mod openapi;
pub mod router;
pub mod routes;
pub mod server;
pub mod sight;
pub mod usage;
pub mod work;
