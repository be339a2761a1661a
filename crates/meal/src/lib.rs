//! Words become food items.
//!
//! The modules are a stack, in the order that the data takes from the bottom up; each uses only those below it:
//!
//! - `lexicon`: the words that are not foods.
//! - `read`: text becomes tokens and segments with amounts.
//! - `recipes`: the caller's own recipes, looked for in the tokens.
//! - `portion`: what an amount of a food weighs.
//! - `link`: segments become mentions with the foods they may be.
//! - `engine`: a catalog, prepared for all this.
//! - `weigh`: mentions become items with numbers.
//! - `converse`: the whole way, for texts, photos and later messages that amend earlier ones.

mod converse;
mod weigh;

mod engine;

mod link;
mod portion;
mod recipes;

mod read;

mod lexicon;

pub use converse::estimate::{Estimate, MAX_MESSAGES, Message, estimate};
pub use converse::part::{Part, RecipeItem};
pub use converse::parts::MAX_CHARS;
pub use engine::Engine;
pub use lexicon::Lexicon;
pub use link::seen::Seen;
pub use portion::{Weight, WeightSource};
pub use recipes::book::{RecipeBook, RecipeMatch};
pub use recipes::explain::{Counting, ExplainedMatch, Explanation, Miss, NearMiss};
pub use recipes::recipe::Recipe;
pub use weigh::item::{Item, Range, Tier, Values};
