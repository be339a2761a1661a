//! The program, started as a person would, on a data directory of the test's own.

use std::path::Path;
use std::process::{Command, Output};

/// Runs `morsel` to its end.
pub fn morsel(data_dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_morsel"))
        .args(arguments)
        .env("MORSEL_DATA_DIR", data_dir)
        .output()
        .expect("the program starts")
}
