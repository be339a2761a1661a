//! Lines are formed where they arise and written together, by a thread of their own.
//!
//! A line for every request, each with a write and a thread that wakes up for it, would cost a fifth of what a request
//! costs and stand in the way of those that wait. So the thread lets lines gather for a moment and writes them at once.
//! Without requests it sleeps. No request ever waits for whoever reads the log: lines that are not taken are dropped,
//! and after the next ones stands how many.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fmt, mem};

use tracing_subscriber::fmt::MakeWriter;

/// Lines gather for this long before they are written.
const GATHERED: Duration = Duration::from_millis(20);
/// Bytes that wait to be written at most.
const MOST_WAITING: usize = 8 << 20;

/// Says in a line how many were dropped.
pub(super) type Dropped = fn(usize) -> String;

/// Where lines gather, and the thread that writes them to `out`.
pub(super) fn lines(out: impl Write + Send + 'static, dropped: Dropped) -> (Lines, Writing) {
    let lines = Lines(Arc::default());
    let writer = lines.clone();
    let thread = thread::Builder::new().name("log".to_owned()).spawn(move || writer.write_all_to(out, dropped));
    // Without a thread nothing is logged, and that is no reason not to serve.
    (lines.clone(), Writing { lines, thread: thread.ok() })
}

/// Lines that wait to be written.
#[derive(Clone)]
pub(super) struct Lines(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    /// Told when the first line comes, and when it is the end.
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
        if waiting.bytes.len() + line.len() > MOST_WAITING {
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

    /// Writes what gathers, until it is over and nothing is left.
    fn write_all_to(&self, mut out: impl Write, told: Dropped) {
        let mut batch = Vec::new();
        loop {
            let has_nothing = |waiting: &mut Waiting| waiting.bytes.is_empty() && !waiting.is_over;
            let waiting = self.0.changed.wait_while(self.waiting(), has_nothing);
            let waiting = waiting.unwrap_or_else(PoisonError::into_inner);
            let gathering = |waiting: &mut Waiting| !waiting.is_over;
            let waited = self.0.changed.wait_timeout_while(waiting, GATHERED, gathering);
            let mut waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
            mem::swap(&mut batch, &mut waiting.bytes);
            let (dropped, is_over) = (mem::take(&mut waiting.dropped), waiting.is_over);
            drop(waiting);
            // There is nobody to tell that the log cannot be written.
            let _ = out.write_all(&batch);
            if dropped > 0 {
                let _ = writeln!(out, "{}", told(dropped));
            }
            let _ = out.flush();
            if is_over {
                return;
            }
            batch.clear();
            batch.shrink_to(MOST_WAITING / 8);
        }
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        Line(self)
    }
}

/// One line on its way; it comes as a whole.
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

/// The log is being written; what waits when this is dropped is written first.
#[must_use]
pub struct Writing {
    lines: Lines,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").finish_non_exhaustive()
    }
}

impl Drop for Writing {
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

    /// Shows every write, and takes none until it is let.
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

    fn slow() -> (Lines, Writing, Sender<()>, Receiver<Vec<u8>>) {
        let (writes, written) = channel();
        let (allow, may_write) = channel();
        let (lines, writing) = lines(Slow { writes, may_write }, |dropped| format!("dropped {dropped}"));
        (lines, writing, allow, written)
    }

    #[test]
    fn lines_are_written_together_and_none_is_lost_at_the_end() {
        let (lines, writing, allow, written) = slow();
        for _ in 0..8 {
            allow.send(()).expect("read");
        }
        for line in [b"one\n".as_slice(), b"two\n", b"three\n"] {
            lines.add(line);
        }
        drop(writing);
        let writes: Vec<Vec<u8>> = written.try_iter().collect();
        assert_eq!(writes.concat(), b"one\ntwo\nthree\n");
        assert!(writes.len() < 3, "they gathered");
    }

    #[test]
    fn who_reads_slowly_loses_lines_and_is_told_how_many() {
        let (lines, writing, allow, written) = slow();
        let line = [&[b'x'; 1023][..], b"\n"].concat();
        // More than may wait, twice over: what is being written counts no longer as waiting.
        let count = 3 * MOST_WAITING / line.len();
        for _ in 0..count {
            lines.add(&line);
        }
        for _ in 0..count {
            allow.send(()).expect("read");
        }
        drop(writing);
        let text = String::from_utf8(written.try_iter().flatten().collect()).expect("text");
        let kept = text.lines().filter(|line| line.starts_with('x')).count();
        let told: usize = text.lines().filter_map(|line| line.strip_prefix("dropped ")?.parse::<usize>().ok()).sum();
        assert!(kept < count, "some were dropped");
        assert_eq!(kept + told, count, "every line was written or told of");
    }
}
