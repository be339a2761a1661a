//! Detects moments in which the machine itself is slow.
//!
//! Some virtual machines slow down to a tenth for tens of milliseconds, several times a minute or even a second, and
//! their hosts do not always report it as stolen time. A fixed piece of arithmetic shows it: it uses no memory, makes
//! no call, and is timed by CPU time, so that neither the server nor the load can make it slower. Responses during the
//! time in which it took several times as long as usual say something about the machine and not about the server.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Steps of the piece of arithmetic: about three microseconds.
const STEPS: u64 = 2_000;
/// Pieces that determine the usual time.
const PIECES: usize = 1_001;
/// A piece that takes this many times as long as usual is slow. Two threads that share a core can take twice as long.
const SLOW: u32 = 3;
/// Slow pieces in a row that make a slow moment.
const IN_A_ROW: usize = 3;
/// How long after a slow moment responses may still be delayed by it.
const AFTER: Duration = Duration::from_millis(100);

/// Watches the speed of the machine.
pub struct Pace {
    usual: Duration,
    slow: Vec<Instant>,
}

impl Pace {
    /// Measures the usual time on this machine.
    pub fn new() -> Self {
        let mut pieces: Vec<Duration> = (0..PIECES).map(|_| piece()).collect();
        pieces.sort_unstable();
        Self { usual: pieces[PIECES / 2], slow: Vec::new() }
    }

    /// Takes a sample; call it often. An interrupt makes one piece slow, a slow machine several in a row.
    pub fn check(&mut self) {
        if (0..IN_A_ROW).all(|_| piece() > self.usual * SLOW) {
            self.slow.push(Instant::now());
        }
    }

    /// Checks whether the machine was slow during this time, or shortly before.
    pub fn was_slow(&self, from: Instant, to: Instant) -> bool {
        let first = self.slow.partition_point(|at| *at + AFTER < from);
        self.slow.get(first).is_some_and(|at| *at <= to)
    }
}

/// Returns the CPU time of one piece of arithmetic.
fn piece() -> Duration {
    let start = time_on_core();
    let mut number = 1_u64;
    for _ in 0..STEPS {
        // Each step depends on the last, so that none can be removed or run in parallel.
        number = black_box(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
    time_on_core().saturating_sub(start)
}

/// Returns the CPU time of this thread.
fn time_on_core() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}
