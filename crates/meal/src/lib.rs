//! Words become food items: the files read in the order the data takes.
//!
//! - [`token`]: words, numbers, marks.
//! - [`segment`]: runs of words with the amount that was said for them ([`amount`], [`lexicon`]).
//! - [`compose`]: which neighbouring segments are one food, by the foods they [`link`] to.
//! - [`portion`]: what the amount weighs; [`range`]: how far off that may be.
//! - [`recipe`]: the caller's own recipes, looked for in the tokens.
//! - [`estimate`], [`parts`]: the whole way, at once or part by part.

pub mod amount;
pub mod compose;
pub mod estimate;
pub mod lexicon;
pub mod link;
pub mod parts;
pub mod portion;
pub mod range;
pub mod recipe;
pub mod segment;
pub mod token;
