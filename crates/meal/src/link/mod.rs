//! Segments become mentions: which neighbours are one food, and which foods of the catalog that may be.

pub(crate) mod compose;
pub(crate) mod composition;
mod amounts;
mod behind_dishes;
mod context;
mod titles;
pub(crate) mod span;
mod own_foods;
mod counted_dishes;
pub(crate) mod listed_parts;
pub(crate) mod own_ingredients;
pub(crate) mod told_dishes;
pub(crate) mod left_out;

pub(crate) mod mention;
pub(crate) mod seen;

pub(crate) mod candidates;
mod rank;
mod word_lookup;
pub(crate) mod linker;

pub(crate) mod bare_words;
pub(crate) mod cache;
pub(crate) mod catalog_dishes;
pub(crate) mod common_names;
pub(crate) mod fill_ins;
mod kinds;
pub(crate) mod name_stats;

pub(crate) mod phrase;
pub(crate) mod states;
pub(crate) mod places;
pub(crate) mod weights;
