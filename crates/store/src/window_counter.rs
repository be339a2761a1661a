//! The one data structure behind all limits in memory.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use jiff::Timestamp;

/// A value per key that is forgotten when the key's window ends. Keys are limited in number, which bounds memory.
///
/// ```
/// use jiff::Timestamp;
/// use store::WindowCounter;
///
/// let mut attempts: WindowCounter<String> = WindowCounter::new(300, 1_000);
/// let now = Timestamp::UNIX_EPOCH;
/// for _ in 0..2 {
///     let (_, count) = attempts.entry("ada", now.as_second(), now).expect("there is room");
///     *count += 1;
/// }
/// assert_eq!(attempts.get("ada", now), Some((0, &2)));
/// let later = Timestamp::from_second(300).expect("a time");
/// assert_eq!(attempts.get("ada", later), None);
/// ```
#[derive(Debug)]
pub struct WindowCounter<K, V = u32> {
    /// The length of a window in seconds.
    seconds: i64,
    max_keys: usize,
    /// By key: when its window began, in unix seconds, and its value.
    windows: HashMap<K, (i64, V)>,
    /// When windows that have ended were last removed.
    swept: i64,
}

impl<K: Hash + Eq, V: Default> WindowCounter<K, V> {
    /// Creates an empty counter with windows of so many seconds.
    pub fn new(seconds: i64, max_keys: usize) -> Self {
        Self { seconds, max_keys, windows: HashMap::new(), swept: i64::MIN }
    }

    /// Returns the number of keys, including those whose windows have ended and were not yet removed.
    pub fn len(&self) -> usize {
        self.windows.len()
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// Returns when the key's current window began and its value; `None` without one.
    pub fn get<Q>(&self, key: &Q, now: Timestamp) -> Option<(i64, &V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let (start, value) = self.windows.get(key).filter(|(start, _)| self.is_current(*start, now))?;
        Some((*start, value))
    }

    /// Returns the key's current window, beginning a new one at `start` (unix seconds) where it has none; `None` if there
    /// is no room for another key.
    pub fn entry<Q>(&mut self, key: &Q, start: i64, now: Timestamp) -> Option<(i64, &mut V)>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        if !self.is_current(self.swept, now) {
            self.sweep(start, now);
        }
        let is_current = self.windows.get(key).map(|(start, _)| self.is_current(*start, now));
        if is_current.is_none() && self.windows.len() >= self.max_keys {
            return None;
        }
        if is_current != Some(true) {
            self.windows.insert(key.to_owned(), (start, V::default()));
        }
        self.windows.get_mut(key).map(|(start, value)| (*start, value))
    }

    /// Begins a key's window again at `start` (unix seconds); `None` if there is no room for another key.
    pub(crate) fn restart<Q>(&mut self, key: &Q, start: i64, now: Timestamp) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        let (since, _) = self.entry(key, start, now)?;
        let window = self.windows.get_mut(key)?;
        if since != start {
            *window = (start, V::default());
        }
        Some(&mut window.1)
    }

    /// Returns every key with its current window.
    pub(crate) fn iter_mut(&mut self, now: Timestamp) -> impl Iterator<Item = (&K, i64, &mut V)> {
        let seconds = self.seconds;
        let current = move |start: i64| is_current(seconds, start, now);
        self.windows
            .iter_mut()
            .filter(move |(_, (start, _))| current(*start))
            .map(|(key, (start, value))| (key, *start, value))
    }

    /// Forgets a key.
    pub fn remove<Q>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.windows.remove(key);
    }

    /// Removes windows that have ended, with the memory they occupied: a minute of attack should not occupy it forever.
    fn sweep(&mut self, start: i64, now: Timestamp) {
        let windows = std::mem::take(&mut self.windows);
        self.windows = windows.into_iter().filter(|(_, (start, _))| self.is_current(*start, now)).collect();
        self.swept = start;
    }

    fn is_current(&self, start: i64, now: Timestamp) -> bool {
        is_current(self.seconds, start, now)
    }
}

/// Returns whether a window that began at `start` has not ended. A thread that read its clock just before a window began, and
/// came late, still counts in that window; a clock that was set back further begins a new one.
fn is_current(seconds: i64, start: i64, now: Timestamp) -> bool {
    let age = now.as_second().saturating_sub(start);
    -seconds <= age && age < seconds
}
