//! A caller's own recipes in a text.
//!
//! They are looked for before the text is split into foods, because a name may hold what separates foods elsewhere:
//! "Mac and Cheese". The files in the order the data takes: `normal` (the form in which names are compared), `matching`
//! and `spelling` (the index of names), `slots` (where a name may be), `search` (which names are there), `scale`
//! (how many servings it is); [`explain`] says why.

pub(crate) mod explain;

#[cfg(test)]
mod tests;

mod verbatim;

pub(crate) mod book;
mod search;

mod scale;

mod matching;
mod multi_map;
mod slots;

mod normal;
pub(crate) mod recipe;
mod spelling;
