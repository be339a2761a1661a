//! Units of measure, as people and labels write them.

mod measure;
mod serving;
mod units;

pub use measure::{Measure, measure};
pub use serving::serving_text;
pub use units::Unit;
