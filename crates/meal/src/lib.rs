//! Words become food items: the files read in the order the data takes.
//!
//! - [`token`]: words, numbers, marks.
//! - `plates`, `dish`: dishes that no table has, said in foods or known by their whole names.
//! - [`segment`]: runs of words with the amount that was said for them ([`amount`], [`lexicon`]).
//! - [`compose`]: which neighbouring segments are one food (`span`), by the foods they [`link`] to ([`rank`], `names`,
//!   `wording`, `usual`).
//! - [`context`]: what the rest of the text says about a food.
//! - [`portion`]: what the amount weighs; [`range`]: how far off that may be.
//! - [`recipe`]: the caller's own recipes, looked for in the tokens.
//! - [`seen`]: what was seen in photos.
//! - [`scratch`]: what is kept from text to text.
//! - `stand_in`: what is taken where no plain food explains the words.
//! - [`estimate`], [`parts`]: the whole way, at once or part by part.
//! - [`amend`]: later messages change what the earlier ones came to.

pub mod amend;
pub mod amount;
pub mod compose;
pub mod context;
mod dish;
pub mod estimate;
pub mod lexicon;
pub mod link;
mod names;
pub mod parts;
mod plates;
pub mod portion;
pub mod range;
pub mod rank;
pub mod recipe;
pub mod scratch;
pub mod seen;
pub mod segment;
mod span;
mod stand_in;
pub mod token;
mod usual;
mod wording;
