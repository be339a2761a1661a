//! Nutrition labels: from lines of text, and from images that code draws and photographs.

#![allow(clippy::unwrap_used)]

#[path = "../drawn/mod.rs"]
mod drawn;

mod american;
mod european;
mod hostile;
mod layout;
mod pictures;
