//! Log lines for people: time, level, message, and the fields by name.
//!
//! `2026-05-04T10:20:30.123456Z  INFO answered request_id="req_1" route="GET /v1/foods" status=200 ms=0.4`

use std::fmt;

use jiff::Timestamp;
use jiff::fmt::StdFmtWrite;
use jiff::fmt::temporal::DateTimePrinter;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;

const TIME: DateTimePrinter = DateTimePrinter::new().precision(Some(6));

/// The format for people. Every request writes a line, so this does not use the general format of the library, which takes
/// four times as long.
#[derive(Debug)]
pub(super) struct Human {
    /// Whether stderr is a terminal.
    pub is_colored: bool,
}

impl<S, N> FormatEvent<S, N> for Human
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        TIME.print_timestamp(&Timestamp::now(), StdFmtWrite(&mut writer)).map_err(|_| fmt::Error)?;
        writer.write_str(level(*event.metadata().level(), self.is_colored))?;
        let mut fields = Fields { writer, outcome: Ok(()) };
        event.record(&mut fields);
        fields.outcome?;
        fields.writer.write_char('\n')
    }
}

fn level(level: Level, is_colored: bool) -> &'static str {
    match (level, is_colored) {
        (Level::ERROR, false) => " ERROR",
        (Level::WARN, false) => "  WARN",
        (Level::INFO, false) => "  INFO",
        (_, false) => " DEBUG",
        (Level::ERROR, true) => " \x1b[31mERROR\x1b[0m",
        (Level::WARN, true) => "  \x1b[33mWARN\x1b[0m",
        (Level::INFO, true) => "  \x1b[32mINFO\x1b[0m",
        (_, true) => " \x1b[34mDEBUG\x1b[0m",
    }
}

/// Writes fields, each after a space.
struct Fields<'a> {
    writer: Writer<'a>,
    outcome: fmt::Result,
}

impl Fields<'_> {
    fn write(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        self.outcome = self.outcome.and_then(|()| {
            self.writer.write_char(' ')?;
            if field.name() != "message" {
                self.writer.write_str(field.name())?;
                self.writer.write_char('=')?;
            }
            self.writer.write_fmt(value)
        });
    }
}

impl Visit for Fields<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.write(field, format_args!("{value}"));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.write(field, format_args!("{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.write(field, format_args!("{value}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        // Whatever could end the line, move the cursor or end the quotes is escaped; nothing else needs the slow path.
        if value.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
            self.write(field, format_args!("\"{value}\""));
        } else {
            self.write(field, format_args!("{value:?}"));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.write(field, format_args!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns what is logged, without the time.
    fn logged(log: impl FnOnce()) -> String {
        let written = Written::default();
        let writer = written.clone();
        let layer = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
        let layer = layer.event_format(Human { is_colored: false });
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), log);
        let text = String::from_utf8(written.0.lock().expect("no panic").clone()).expect("text");
        let (time, rest) = text.split_once(' ').expect("a time and the rest");
        time.parse::<Timestamp>().expect("a time");
        rest.to_owned()
    }

    #[test]
    fn fields_follow_the_message() {
        let line = logged(|| tracing::info!(route = "GET /v1/foods", status = 200_u16, ms = 0.25, "answered"));
        assert_eq!(line, " INFO answered route=\"GET /v1/foods\" status=200 ms=0.25\n");
        let line = logged(|| tracing::warn!(key = None::<&str>, is_late = true, count = -3, "a {} thing", "strange"));
        assert_eq!(line, " WARN a strange thing is_late=true count=-3\n");
    }

    #[test]
    fn nothing_ends_a_line_early() {
        let line = logged(|| tracing::error!(cause = "first\nsecond \"quoted\" \u{1b}[2J ü", "failed"));
        assert_eq!(line, "ERROR failed cause=\"first\\nsecond \\\"quoted\\\" \\u{1b}[2J ü\"\n");
    }
}
