//! Nutrition labels: from lines of text, and from pictures drawn and photographed by code.

#![allow(clippy::unwrap_used)]

#[path = "../drawn/mod.rs"]
mod drawn;

mod american;
mod european;
mod hostile;
mod layout;
mod pictures;
