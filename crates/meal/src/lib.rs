//! Turns what a person ate, in words or in photos, into foods with amounts and nutrition.
//!
//! An [`Engine`] is prepared once from a food catalog. [`estimate`] then reads any number of messages, finds the caller's
//! own recipes in them, and returns the parts of the meal one by one.
//!
//! ```
//! use std::sync::Arc;
//!
//! use foods::catalog::{Catalog, Layer};
//! use meal::{Engine, Estimate, RecipeBook};
//!
//! let catalog = Catalog::new(Layer::from_static(embedded::CATALOG)?, None);
//! let engine = Engine::new(Arc::new(catalog));
//!
//! // Later messages amend the earlier ones.
//! let messages = ["an egg and 100 g of white rice".into(), "make it two eggs".into()];
//! let meal: Estimate = meal::estimate(&engine, &messages, &RecipeBook::default()).collect();
//!
//! assert_eq!(meal.items.len(), 2);
//! assert!(meal.items[0].food.name.to_lowercase().contains("egg"));
//! assert_eq!(meal.items[0].quantity, 2.0);
//! assert_eq!(meal.items[1].weight.grams, 100.0);
//! assert!(meal.totals().calories > 200.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! The modules are a stack: each uses only those below it, and the data takes the opposite way, from the bottom up.
//!
//! - `converse`: messages, photos and corrections become the parts of a meal.
//! - `weigh`: mentions become items: a food, its mass and its numbers.
//! - `run`: an engine during one estimate, with its budget.
//! - `engine`: a catalog, prepared for estimates.
//! - `link`: segments become mentions with the foods they may mean.
//! - `portion`: what an amount of a food weighs.
//! - `recipes`: the caller's own recipes, found in the tokens of a text.
//! - `translate`: tokens of other languages become English ones.
//! - `read`: text becomes tokens, and tokens become segments with amounts.
//! - `lexicon`: words that are not foods, as data files for each language.
//! - `budget`: how much work one estimate may cause.

mod converse;
mod weigh;

mod run;

mod engine;

mod link;
mod portion;
mod recipes;

mod translate;

mod read;

mod lexicon;

mod budget;

pub use converse::estimate::{Estimate, Parts, estimate, estimate_for, language_of, try_estimate};
pub use converse::message::{
    CorrectionPart, FoodPart, MAX_QUANTITY, MAX_UNIT_CHARS, Message, MessagePart, PartRefusal, RefusedPart,
};
pub use converse::part::{Part, RecipeItem};
pub use converse::parts::MAX_CHARS;
pub use converse::passage::{MAX_FOOD_PARTS, MAX_MESSAGES};
pub use engine::{Engine, QueryInEnglish};
pub use lexicon::Lexicon;
pub use link::seen::Seen;
pub use portion::{Weight, WeightSource};
pub use recipes::book::{RecipeBook, RecipeMatch};
pub use recipes::explain::{Counting, ExplainedMatch, Explanation, Miss, NearMiss};
pub use recipes::recipe::Recipe;
pub use translate::{Language, Speaker, Translator};
pub use weigh::item::{Item, Range, Tier};
