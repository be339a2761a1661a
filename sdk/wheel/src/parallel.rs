//! Work on many texts, on several threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than this help nobody.
pub const MAX_THREADS: usize = 1_024;

/// How many texts a thread takes at a time: few enough that all threads finish at about the same time.
const CHUNK: usize = 32;

/// Applies a function to every text that is there, on so many threads. The results are in the order of the texts.
pub fn map<T: Send>(texts: &[Option<String>], threads: usize, work: impl Fn(&str) -> T + Sync) -> Vec<Option<T>> {
    let work_on =
        |chunk: &[Option<String>]| -> Vec<Option<T>> { chunk.iter().map(|text| text.as_deref().map(&work)).collect() };
    let threads = threads.min(texts.len().div_ceil(CHUNK));
    if threads <= 1 {
        return work_on(texts);
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = texts.chunks(CHUNK).nth(number) else { return done };
            done.push((number, work_on(chunk)));
        }
    };
    let mut done = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}
