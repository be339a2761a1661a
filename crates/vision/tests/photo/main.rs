//! Photos of every kind that people send, and of the kinds that people send to break something.

#![allow(clippy::unwrap_used)]

mod accepted;
mod draw;
mod exif;
mod hostile;
mod metadata;
mod png;
mod refused;
