//! Photos of every kind that people send, and files that are meant to do harm.

#![allow(clippy::unwrap_used)]

mod accepted;
mod draw;
mod exif;
mod fuzz;
mod hostile;
mod metadata;
mod png;
mod rejected;
