//! An estimated meal as pages show it: in the playground, and on the home page of visitors.

pub mod meal_view;
pub mod code;
pub mod pictogram;
