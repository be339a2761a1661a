//! Text becomes tokens, and tokens become segments: runs of words with their amount.

pub(crate) mod split;

pub(crate) mod common_words;
pub(crate) mod composed_dishes;
mod compounds;
pub(crate) mod dish_words;
mod emoji;
pub(crate) mod everyday_names;
mod flavors;
mod maker_index;
pub(crate) mod maker_names;
mod maker_reading;
mod maker_words;
pub(crate) mod named_foods;
pub(crate) mod names_in_rows;
mod plurals;
mod product_fit;
pub(crate) mod segment;
pub(crate) mod short_forms;
pub(crate) mod survey_names;
pub(crate) mod trailing_measures;

pub(crate) mod amount;
pub(crate) mod retell;
pub(crate) mod spellings;
pub(crate) mod text;
pub(crate) mod token;
