//! Images drawn by code, for tests and benchmarks: no real photos are needed, and what they show is known.

#![allow(dead_code, reason = "each test and example uses a part of it")]

pub mod canvas;
pub mod random;
pub mod clutter;
pub mod code;
pub mod fruit;
pub mod label;
pub mod shot;
