//! The program `morsel`.

use std::process::ExitCode;

fn main() -> ExitCode {
    morsel::cli::run()
}
