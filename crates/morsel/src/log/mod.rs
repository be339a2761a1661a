//! The log: lines on stderr, for people (`human`) or as JSON. It never contains a key or a body.

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
pub use lines::LogGuard;

/// Logs to stderr until the guard is dropped, which writes everything that is left.
pub fn start(format: LogFormat, level: LogLevel) -> LogGuard {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    // Of libraries only warnings and errors: their details may hold what must not be logged.
    let filter = Targets::new().with_default(level.min(LevelFilter::WARN)).with_target("morsel", level);
    let dropped: lines::DroppedMessage = match format {
        LogFormat::Human => |count| format!("morsel: dropped {count} log lines: stderr is not being read"),
        LogFormat::Json => |count| {
            let message = "dropped log lines: stderr is not being read";
            json!({"timestamp": Timestamp::now(), "level": "WARN", "message": message, "dropped": count}).to_string()
        },
    };
    let (lines, guard) = lines::start(io::stderr(), dropped);
    let layer = tracing_subscriber::fmt::layer().with_writer(lines).with_target(false);
    let registry = tracing_subscriber::registry();
    match format {
        LogFormat::Human => {
            let human = Human { is_colored: io::stderr().is_terminal() };
            registry.with(layer.event_format(human).with_filter(filter)).init();
        }
        LogFormat::Json => registry.with(layer.json().flatten_event(true).with_filter(filter)).init(),
    }
    guard
}
