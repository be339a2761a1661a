//! Mentions become items: the food that is meant, what it weighs, its numbers and how far off they may be.

pub(crate) mod weigh_item;

pub(crate) mod range;
pub(crate) mod resolve;
pub(crate) mod seen_item;
pub(crate) mod stated;
pub(crate) mod without;

pub(crate) mod item;
