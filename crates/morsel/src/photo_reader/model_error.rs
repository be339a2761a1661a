//! Why a model did not help.

use thiserror::Error;

/// Why a model did not help.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ModelError {
    /// Nothing answers at its URL.
    #[error("the model could not be reached")]
    Unreachable,
    /// It took too long.
    #[error("the model did not answer in time")]
    TimedOut,
    /// It answered with an error.
    #[error("the model answered with status {0}")]
    Status(u16),
    /// Its answer does not have the form that was asked for.
    #[error("the model's answer could not be read")]
    Unreadable,
    /// It declined to answer.
    #[error("the model refused to answer")]
    Refused,
    /// The calls of the day are used up.
    #[error("the model's calls for today are used up")]
    QuotaExceeded,
    /// Too many calls are running.
    #[error("the model is busy")]
    Busy,
}
