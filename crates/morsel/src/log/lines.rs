//! Lines are formatted by the thread that logs them and written in batches by a thread of their own.
//!
//! A line for every request, each with a write and a thread that wakes up for it, would cost a fifth of what a request
//! costs and hold up those that wait. So the thread lets lines gather for a moment and writes them together. Without
//! requests it sleeps. No request ever waits for a slow reader of stderr: lines beyond [`MAX_WAITING_BYTES`] are dropped, and
//! their number is written after the next batch.
//!
//! `tracing-appender` does the same with a channel: one message and one write per line, and a lost line is counted but not
//! reported in the log.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, mem};

use tracing_subscriber::fmt::MakeWriter;

/// Lines gather for this long before they are written.
const BATCH_DELAY: Duration = Duration::from_millis(20);
/// Bytes that wait to be written, at most.
const MAX_WAITING_BYTES: usize = 8 << 20;

/// Formats a line that says how many were dropped.
pub(super) type DroppedMessage = fn(usize) -> String;

/// Starts the thread that writes lines to `out`.
pub(super) fn start(out: impl Write + Send + 'static, message: DroppedMessage) -> (Lines, LogGuard) {
    let lines = Lines(Arc::default());
    let writer = lines.clone();
    let thread = thread::Builder::new().name("log".to_owned()).spawn(move || writer.write_all_to(out, message));
    // Without the thread nothing is logged, which is not a reason not to serve.
    (lines.clone(), LogGuard { lines, thread: thread.ok() })
}

/// Lines that wait to be written.
#[derive(Clone)]
pub(super) struct Lines(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    /// Notified when the first line comes, and at the end.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    dropped: usize,
    is_over: bool,
}

impl Lines {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, line: &[u8]) {
        let mut waiting = self.waiting();
        if waiting.bytes.len() + line.len() > MAX_WAITING_BYTES {
            waiting.dropped += 1;
            return;
        }
        let is_first = waiting.bytes.is_empty();
        waiting.bytes.extend_from_slice(line);
        drop(waiting);
        if is_first {
            self.0.changed.notify_one();
        }
    }

    /// Writes lines as they come, until the end.
    fn write_all_to(&self, mut out: impl Write, message: DroppedMessage) {
        let mut batch = Vec::new();
        loop {
            let has_nothing = |waiting: &mut Waiting| waiting.bytes.is_empty() && !waiting.is_over;
            let waiting = self.0.changed.wait_while(self.waiting(), has_nothing);
            let waiting = waiting.unwrap_or_else(PoisonError::into_inner);
            let gathering = |waiting: &mut Waiting| !waiting.is_over;
            let waited = self.0.changed.wait_timeout_while(waiting, BATCH_DELAY, gathering);
            let mut waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
            mem::swap(&mut batch, &mut waiting.bytes);
            let (dropped, is_over) = (mem::take(&mut waiting.dropped), waiting.is_over);
            drop(waiting);
            // There is no place to report that the log cannot be written.
            let _ = out.write_all(&batch);
            if dropped > 0 {
                let _ = writeln!(out, "{}", message(dropped));
            }
            let _ = out.flush();
            if is_over {
                return;
            }
            batch.clear();
            batch.shrink_to(MAX_WAITING_BYTES / 8);
        }
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        Line(self)
    }
}

/// Writes one line, which comes as a whole.
pub(super) struct Line<'a>(&'a Lines);

impl Write for Line<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.add(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps the log going; dropping it writes what is left.
#[must_use]
pub struct LogGuard {
    lines: Lines,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for LogGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogGuard").finish_non_exhaustive()
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.lines.waiting().is_over = true;
        self.lines.0.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Reports every write, and blocks until it is allowed.
    struct Slow {
        writes: Sender<Vec<u8>>,
        may_write: Receiver<()>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.may_write.recv().map_err(io::Error::other)?;
            self.writes.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow() -> (Lines, LogGuard, Sender<()>, Receiver<Vec<u8>>) {
        let (writes, written) = channel();
        let (allow, may_write) = channel();
        let (lines, guard) = start(Slow { writes, may_write }, |dropped| format!("dropped {dropped}"));
        (lines, guard, allow, written)
    }

    #[test]
    fn lines_are_written_together_and_none_is_lost_at_the_end() {
        let (lines, guard, allow, written) = slow();
        for _ in 0..8 {
            allow.send(()).expect("read");
        }
        for line in [b"one\n".as_slice(), b"two\n", b"three\n"] {
            lines.add(line);
        }
        drop(guard);
        let writes: Vec<Vec<u8>> = written.try_iter().collect();
        assert_eq!(writes.concat(), b"one\ntwo\nthree\n");
        assert!(writes.len() < 3, "they gathered");
    }

    #[test]
    fn a_slow_reader_loses_lines_and_sees_how_many() {
        let (lines, guard, allow, written) = slow();
        let line = [&[b'x'; 1023][..], b"\n"].concat();
        // More than may wait, twice over: what is being written no longer counts as waiting.
        let count = 3 * MAX_WAITING_BYTES / line.len();
        for _ in 0..count {
            lines.add(&line);
        }
        for _ in 0..count {
            allow.send(()).expect("read");
        }
        drop(guard);
        let text = String::from_utf8(written.try_iter().flatten().collect()).expect("text");
        let kept = text.lines().filter(|line| line.starts_with('x')).count();
        let dropped: usize = text.lines().filter_map(|line| line.strip_prefix("dropped ")?.parse::<usize>().ok()).sum();
        assert!(kept < count, "some were dropped");
        assert_eq!(kept + dropped, count, "every line was written or counted");
    }
}
