//! Pictures drawn by code, for tests and for measuring: no photo of anybody's is needed, and what they show is known.

#![allow(dead_code, reason = "every test and example uses a part of it")]

pub mod canvas;
pub mod chance;
pub mod clutter;
pub mod code;
pub mod label;
pub mod shot;
