//! The food database: search, and a page for each food.

pub(super) mod food_page;
pub(super) mod search;
mod doubt;
mod portion;
