//! Hostile inputs for tests: every file of a kept corpus, and then mutations of them.
//!
//! It needs no nightly toolchain and no instrumentation, so it is part of the ordinary tests: they take every file of the corpus
//! and a fixed number of mutations, the same on every run. To search for longer, set `FUZZ_SECONDS`, and `FUZZ_SEED` for other
//! mutations:
//!
//! ```sh
//! FUZZ_SECONDS=600 FUZZ_SEED=7 cargo test -p meal --test fuzz text
//! ```
//!
//! An input that makes a test panic is written to the corpus as `find-…`, so that it is tried first from then on.
//!
//! - `inputs`: the corpus, and the loop over it.
//! - `mutate`: one input made from others.
//! - `random`: numbers that are the same on every run.

mod inputs;
mod mutate;
mod random;

pub use inputs::{Corpus, Inputs};
