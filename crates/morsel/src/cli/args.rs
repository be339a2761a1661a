//! Arguments that several commands share, and the error for a command that makes no sense as typed.

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use store::Email;

/// The data directory, for commands that need only the food catalog.
#[derive(Debug, Args)]
pub(super) struct DataDirArgs {
    /// Data directory with imported foods
    #[arg(long, value_name = "DIR", env = "MORSEL_DATA_DIR", default_value = "./morsel-data")]
    pub data_dir: PathBuf,
}

/// A command that makes no sense as typed. Ends the program with exit code 2.
#[derive(Debug)]
pub(super) struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Reads an email address.
pub(super) fn parse_email(text: &str) -> Result<Email> {
    let wrong = || UsageError(format!("“{text}” is not an email address"));
    Ok(Email::parse(text).ok_or_else(wrong)?)
}
