//! What the service takes from its surroundings: the time, randomness, and how long it waits for others. The program
//! uses the system's; tests hand in their own, so that they need not wait and always see the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use store::Rng;

/// What the service takes from its surroundings.
#[derive(Debug, Default)]
pub struct Environment {
    /// Tells the time.
    pub clock: Clock,
    /// Makes ids, keys and tokens.
    pub randomness: Randomness,
    /// How long to wait for others.
    pub timeouts: Timeouts,
}

/// A clock. Expiry, rate limits and quotas follow it; the durations that are logged are measured by the system's own.
#[derive(Debug, Default)]
pub enum Clock {
    /// The system's clock.
    #[default]
    System,
    /// A clock that stands still until it is moved.
    Fixed(Mutex<Timestamp>),
}

impl Clock {
    /// Creates a clock that stands still.
    pub fn fixed(now: Timestamp) -> Self {
        Self::Fixed(Mutex::new(now))
    }

    /// Returns the time.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Fixed(now) => *now.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Moves a fixed clock forward.
    ///
    /// # Panics
    ///
    /// If this is the system's clock, which nobody can move.
    pub fn advance(&self, by: Duration) {
        match self {
            Self::System => panic!("the system's clock cannot be moved"),
            Self::Fixed(now) => {
                let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
                *now = now.saturating_add(by).unwrap_or(Timestamp::MAX);
            }
        }
    }
}

/// A source of random generators.
#[derive(Debug, Default)]
pub enum Randomness {
    /// The operating system's, the only one for real keys.
    #[default]
    System,
    /// Generators with seeds counted from this one on.
    Seeded(AtomicU64),
}

impl Randomness {
    /// Returns a generator.
    pub fn rng(&self) -> Rng {
        match self {
            Self::System => Rng::system(),
            Self::Seeded(next) => Rng::seeded(next.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

/// How long the service waits for others.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// The head of a request must arrive within this time; an idle connection is closed after it.
    pub head: Duration,
    /// A client that sends nothing of its body for this long is given up.
    pub body: Duration,
    /// A client that reads nothing of its response for this long is cut off.
    pub stalled: Duration,
    /// When the program is asked to stop, running requests and streams get this long to finish.
    pub drain: Duration,
    /// A response must begin within this time.
    pub response: Duration,
    /// A text or a search waits this long for a processor at most.
    pub text_queue: Duration,
    /// A photo waits this long at most.
    pub photo_queue: Duration,
    /// Work on all that an account has stored waits this long at most.
    pub bulk_queue: Duration,
    /// The pause before a vision model is asked again; it doubles each time.
    pub model_retry: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(20),
            body: Duration::from_secs(15),
            stalled: Duration::from_secs(30),
            drain: Duration::from_secs(10),
            response: Duration::from_mins(3),
            text_queue: Duration::from_millis(200),
            photo_queue: Duration::from_secs(10),
            bulk_queue: Duration::from_secs(30),
            model_retry: Duration::from_millis(250),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_moves_only_when_it_is_advanced() {
        let start = Timestamp::from_second(1_700_000_000).expect("a time");
        let clock = Clock::fixed(start);
        assert_eq!((clock.now(), clock.now()), (start, start));
        clock.advance(Duration::from_secs(61));
        assert_eq!(clock.now().as_second(), 1_700_000_061);
    }

    #[test]
    fn the_system_clock_is_the_time_now() {
        let before = Timestamp::now();
        let now = Clock::System.now();
        assert!(before <= now && now <= Timestamp::now());
    }
}
