//! The events of a stream on their way from the thread that estimates to the connection that sends them.
//!
//! The thread never waits for a slow client, so what is not yet sent must be kept. It is kept once: every item as JSON, which
//! `done` repeats from the same bytes. It counts as memory of the account, and nobody may take longer than [`MAX_DURATION`]
//! to read it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use super::events::StreamEvent;
use super::rows::{AnswerEnd, ItemRow};
use crate::app::App;
use crate::budget::Reservation;
use crate::error::ApiError;
use crate::request_body::no_memory;

/// A comment is sent after this time without an event, so that no proxy closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a stream may take from its start to its end.
pub const MAX_DURATION: SignedDuration = SignedDuration::from_secs(120);
/// `done` is sent in pieces of about this size.
const PIECE_BYTES: usize = 16 * 1024;

/// The events of a stream that are known so far.
#[derive(Debug)]
pub(super) struct EventLog {
    start: Bytes,
    known: Mutex<Known>,
    /// Wakes the reader.
    changed: Notify,
    is_abandoned: AtomicBool,
}

#[derive(Debug)]
struct Known {
    /// Every item, as JSON.
    items: Vec<Bytes>,
    ending: Option<Ending>,
    memory: Reservation,
}

/// How a stream ends.
#[derive(Debug)]
enum Ending {
    Done { totals: Bytes, rest: Bytes },
    Failed(Bytes),
}

impl EventLog {
    /// Creates the log of a stream that has only started.
    pub fn new(start: &StreamEvent, memory: Reservation) -> Arc<Self> {
        let known = Mutex::new(Known { items: Vec::new(), ending: None, memory });
        Arc::new(Self { start: event(start), known, changed: Notify::new(), is_abandoned: AtomicBool::new(false) })
    }

    /// Adds an item; breaks if nobody reads any more, or with an error if the account has no memory left.
    pub fn add(&self, item: &ItemRow) -> ControlFlow<Result<(), ApiError>> {
        if self.is_abandoned.load(Ordering::Relaxed) {
            return ControlFlow::Break(Ok(()));
        }
        let json = json(item);
        let mut known = self.lock();
        if let Err(exceeded) = known.memory.grow(json.len()) {
            return ControlFlow::Break(Err(no_memory(exceeded)));
        }
        known.items.push(json);
        drop(known);
        self.changed.notify_one();
        ControlFlow::Continue(())
    }

    /// Ends the stream with the totals and the whole response.
    pub fn finish(&self, end: &AnswerEnd) {
        let mut known = self.lock();
        let sequence = sequence_of(known.items.len());
        let totals = event(&StreamEvent::Totals { sequence, totals: end.totals });
        // The fields after the items, without the brace that opens the object.
        known.ending = Some(Ending::Done { totals, rest: json(end).slice(1..) });
        drop(known);
        self.changed.notify_one();
    }

    /// Ends the stream with an error, unless it has ended.
    pub fn fail(&self, error: &StreamEvent) {
        self.lock().ending.get_or_insert_with(|| Ending::Failed(event(error)));
        self.changed.notify_one();
    }

    /// Returns the event of a failure.
    #[cfg(test)]
    pub fn failure(&self) -> Option<String> {
        match &self.lock().ending {
            Some(Ending::Failed(error)) => Some(String::from_utf8_lossy(error).into_owned()),
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a log at the pace of a client.
#[derive(Debug)]
pub(super) struct EventReader {
    app: Arc<App>,
    log: Arc<EventLog>,
    position: Position,
    until: Timestamp,
    /// What to send when the time is over.
    too_slow: Bytes,
    /// One of the account's streams.
    _stream: Reservation,
    /// Dropped with the reader, which tells the job.
    _is_read: oneshot::Sender<()>,
}

/// What is sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Start,
    Item(usize),
    /// The whole response, from this item on.
    Done(usize),
    End,
}

impl EventReader {
    /// Creates a reader; the receiver hears when it is dropped.
    pub fn new(
        app: &Arc<App>,
        log: &Arc<EventLog>,
        stream: Reservation,
        too_slow: &StreamEvent,
    ) -> (Self, oneshot::Receiver<()>) {
        let (sender, receiver) = oneshot::channel();
        let reader = Self {
            app: Arc::clone(app),
            log: Arc::clone(log),
            position: Position::Start,
            until: app.now().saturating_add(MAX_DURATION).unwrap_or(Timestamp::MAX),
            too_slow: event(too_slow),
            _stream: stream,
            _is_read: sender,
        };
        (reader, receiver)
    }

    /// Waits for the next piece of the response; `None` at its end.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.position != Position::End && self.app.now() >= self.until {
                let is_inside_event = matches!(self.position, Position::Done(1..));
                self.position = Position::End;
                return (!is_inside_event).then(|| self.too_slow.clone());
            }
            if self.position == Position::End {
                return None;
            }
            if let Some((piece, next)) = self.known() {
                self.position = next;
                return Some(piece);
            }
            if timeout(KEEP_ALIVE, self.log.changed.notified()).await.is_err() {
                return Some(Bytes::from_static(b": keep-alive\n\n"));
            }
        }
    }

    /// Returns what can be sent now, and what follows it.
    fn known(&self) -> Option<(Bytes, Position)> {
        let known = self.log.lock();
        match (self.position, &known.ending) {
            (Position::Start, _) => Some((self.log.start.clone(), Position::Item(0))),
            (Position::Item(index), _) if index < known.items.len() => {
                Some((item_event(index, &known.items[index]), Position::Item(index + 1)))
            }
            (Position::Item(_), Some(Ending::Done { totals, .. })) => Some((totals.clone(), Position::Done(0))),
            (Position::Item(_), Some(Ending::Failed(error))) => Some((error.clone(), Position::End)),
            (Position::Done(from), Some(Ending::Done { rest, .. })) => Some(done_piece(&known.items, from, rest)),
            _ => None,
        }
    }
}

impl Drop for EventReader {
    fn drop(&mut self) {
        self.log.is_abandoned.store(true, Ordering::Relaxed);
    }
}

/// Returns the sequence number of what follows so many items: the start is 0.
fn sequence_of(items: usize) -> u32 {
    u32::try_from(items + 1).unwrap_or(u32::MAX)
}

fn json(value: &impl Serialize) -> Bytes {
    // Our objects have only keys that JSON allows.
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// Writes an event as it is sent.
fn event(event: &StreamEvent) -> Bytes {
    [b"event: ", event.name().as_bytes(), b"\ndata: ", &json(event), b"\n\n"].concat().into()
}

/// Writes [`StreamEvent::Item`] around the JSON of an item.
fn item_event(index: usize, item: &[u8]) -> Bytes {
    let sequence = sequence_of(index);
    let head = format!("event: item\ndata: {{\"type\":\"item\",\"sequence\":{sequence},\"index\":{index},\"item\":");
    [head.as_bytes(), item, b"}\n\n"].concat().into()
}

/// Writes a piece of [`StreamEvent::Done`], from an item on.
fn done_piece(items: &[Bytes], from: usize, rest: &[u8]) -> (Bytes, Position) {
    let mut out = BytesMut::with_capacity(PIECE_BYTES);
    if from == 0 {
        let sequence = sequence_of(items.len() + 1);
        let head = format!("event: done\ndata: {{\"type\":\"done\",\"sequence\":{sequence},\"items\":[");
        out.put_slice(head.as_bytes());
    }
    for (index, item) in items.iter().enumerate().skip(from) {
        if index > from && out.len() >= PIECE_BYTES {
            return (out.freeze(), Position::Done(index));
        }
        if index > 0 {
            out.put_u8(b',');
        }
        out.put_slice(item);
    }
    out.put_slice(b"],");
    out.put_slice(rest);
    out.put_slice(b"\n\n");
    (out.freeze(), Position::End)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::estimate::include::{Extra, Include};
    use crate::api::estimate::rows::EstimateAnswer;
    use meal::Part;

    /// What is put together by hand is what the documented types say.
    #[test]
    fn pieces_are_the_events() {
        let answer = EstimateAnswer::from_parts(&[Part::Unresolved("xyzzy".to_owned())], Include::of(Extra::ALL));
        let end = AnswerEnd { totals: answer.totals, unresolved: answer.unresolved.clone(), language: answer.language };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let none = StreamEvent::Done { sequence: 2, answer: answer.clone() };
        let (piece, next) = done_piece(&[], 0, &json(&end)[1..]);
        assert_eq!((text(&piece), next), (text(&event(&none)), Position::End));
    }
}
