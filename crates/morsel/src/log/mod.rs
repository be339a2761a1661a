//! The log: what happens, line by line on stderr, for people (`human`) or as JSON. Never a key, never a body.

mod human;
mod lines;

use std::io::{self, IsTerminal as _};

use jiff::Timestamp;
use serde_json::json;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{LogFormat, LogLevel};
use human::Human;
pub use lines::Writing;

/// Logs to stderr until what is returned is dropped; then everything is written.
pub fn start(format: LogFormat, level: LogLevel) -> Writing {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    // Of libraries only what matters: their details may hold what is none of a log's business.
    let filter = Targets::new().with_default(level.min(LevelFilter::WARN)).with_target("morsel", level);
    let dropped: lines::Dropped = match format {
        LogFormat::Human => |count| format!("morsel: {count} log lines were dropped, because nothing took them"),
        LogFormat::Json => |count| {
            let message = "log lines were dropped, because nothing took them";
            json!({"timestamp": Timestamp::now(), "level": "WARN", "message": message, "dropped": count}).to_string()
        },
    };
    let (lines, writing) = lines::lines(io::stderr(), dropped);
    let layer = tracing_subscriber::fmt::layer().with_writer(lines).with_target(false);
    let registry = tracing_subscriber::registry();
    match format {
        LogFormat::Human => {
            let human = Human { is_coloured: io::stderr().is_terminal() };
            registry.with(layer.event_format(human).with_filter(filter)).init();
        }
        LogFormat::Json => registry.with(layer.json().flatten_event(true).with_filter(filter)).init(),
    }
    writing
}
