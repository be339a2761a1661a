//! How fast the machine itself runs, moment by moment.
//!
//! Some virtual machines slow down to a tenth for tens of milliseconds, several times a minute or even a second, and their
//! hosts do not always admit it as stolen time. A fixed piece of arithmetic shows it: it touches no memory, makes no call,
//! and its time is counted on the core, so that neither the server nor the load can make it slower. What was asked
//! while it took several times as long as usual tells of the machine and not of the server.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Steps of the piece of arithmetic: about three microseconds.
const STEPS: u64 = 2_000;
/// Pieces that tell what is usual.
const PIECES: usize = 1_001;
/// A piece that takes this many times as long as usual is slow. Two threads that share a core can take twice as long.
const SLOW: u32 = 3;
/// As many slow pieces, one after the other, make a slow moment.
const IN_A_ROW: usize = 3;
/// What waits because of a slow moment is still being answered this long after it.
const AFTER: Duration = Duration::from_millis(100);

/// Watches the pace of the machine.
pub struct Pace {
    usual: Duration,
    slow: Vec<Instant>,
}

impl Pace {
    /// Finds out what is usual here.
    pub fn new() -> Self {
        let mut pieces: Vec<Duration> = (0..PIECES).map(|_| piece()).collect();
        pieces.sort_unstable();
        Self { usual: pieces[PIECES / 2], slow: Vec::new() }
    }

    /// To be called often. An interrupt makes one piece slow; a slow machine, one after the other.
    pub fn check(&mut self) {
        if (0..IN_A_ROW).all(|_| piece() > self.usual * SLOW) {
            self.slow.push(Instant::now());
        }
    }

    /// Whether the machine was slow at any moment of this time, or shortly before.
    pub fn was_slow(&self, from: Instant, to: Instant) -> bool {
        let first = self.slow.partition_point(|at| *at + AFTER < from);
        self.slow.get(first).is_some_and(|at| *at <= to)
    }
}

/// How long a piece of arithmetic is on the core.
fn piece() -> Duration {
    let start = time_on_core();
    let mut number = 1_u64;
    for _ in 0..STEPS {
        // Each step needs the last, so that none can be left out or done beside another.
        number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
    time_on_core().saturating_sub(start)
}

/// Of this thread.
fn time_on_core() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}
