//! Turns what a person ate, in words or in photos, into foods with amounts and nutrition.
//!
//! An [`Engine`] is prepared once, from a food catalog, and shared by all threads. [`Estimate::of_text`] reads one text:
//!
//! ```
//! use meal::{Engine, Estimate};
//!
//! let engine = Engine::from_static(embedded::CATALOG)?;
//! let meal = Estimate::of_text(&engine, "two eggs and 100 g of white rice");
//!
//! assert_eq!(meal.items[0].quantity, 2.0);
//! assert_eq!(meal.items[1].weight.grams, 100.0);
//! assert!(meal.totals().calories > 200.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same text always gets the same estimate. Nothing is read from disk or network, and no text makes it panic or take
//! long: its work is counted, and words beyond the limit are [`unresolved`](Estimate::unresolved).
//!
//! # Conversations, recipes, languages
//!
//! [`estimate`] reads the [`Message`]s of a conversation, of which later ones amend the earlier, finds the person's own
//! [`Recipe`]s in them, and returns the [`Part`]s of the meal one by one. [`estimate_for`] does so for a [`Speaker`] whose
//! language is known; otherwise it is detected. [`try_estimate`] reports what cannot be read.
//!
//! ```
//! use meal::{Engine, Estimate, Macros, Recipe, RecipeBook};
//!
//! # let engine = Engine::from_static(embedded::CATALOG)?;
//! let recipes = RecipeBook::new(vec![Recipe {
//!     id: "granola".to_owned(),
//!     name: "My granola".to_owned(),
//!     macros: Macros { calories: 320.0, protein: 9.0, carbs: 41.0, fat: 13.5 },
//!     ..Recipe::default()
//! }]);
//! let messages = ["an egg and my granola".into(), "make it two eggs".into()];
//! let meal: Estimate = meal::estimate(&engine, &messages, &recipes).collect();
//!
//! assert_eq!(meal.items[0].quantity, 2.0);
//! assert_eq!(meal.recipes[0].macros.calories, 320.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Crate `answers` shows estimates as the JSON of Morsel's API.
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

// The engine, and what it returns.
pub use converse::estimate::{Estimate, Parts, estimate, estimate_for, language_of, try_estimate};
pub use converse::part::{Part, RecipeItem};
pub use engine::Engine;
pub use foods::Food;
pub use link::seen::Seen;
pub use nutrition::Macros;
pub use portion::{Weight, WeightSource};
pub use weigh::item::{Item, Range, Tier};

// What it reads.
pub use converse::message::{
    CorrectionPart, FoodPart, MAX_QUANTITY, MAX_UNIT_CHARS, Message, MessagePart, PartRefusal, RefusedPart,
};
pub use converse::parts::MAX_CHARS;
pub use converse::passage::{MAX_FOOD_PARTS, MAX_MESSAGES};
pub use recipes::book::RecipeBook;
pub use recipes::recipe::Recipe;
pub use translate::{Language, Speaker, Translator};

// For programs that explain it: why a text matches a recipe or not, and a search query in English.
pub use engine::QueryInEnglish;
pub use lexicon::Lexicon;
pub use recipes::explain::{Counting, ExplainedMatch, Explanation, Miss, NearMiss};
