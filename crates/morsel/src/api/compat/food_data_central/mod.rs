//! USDA FoodData Central, read only: searches, and foods by their ids.
//!
//! Energy is always sent under the id 1008: the original has other ids for it in some foods, and programs then show none. Which
//! number a food has is in [`food_codes`](super::food_codes).

pub mod by_id;
pub mod search;
mod rows;
mod data_type;
mod nutrients;
