//! Several messages about one meal: later ones amend the earlier.
//!
//! Every part of the meal keeps what it came from (`Entry`): the words and the amount of a food, or the recipe. A
//! later message is split into clauses and each is understood as a request (`clause`). It finds the part it speaks of
//! (`target`), changes the words or the amount that the part came from, and the part is made anew (`change`,
//! `wording`, `removal`). So an amended part is what the same words would have given at once.

pub(crate) mod photo_message;

mod requests;

mod removal;

mod change;

pub(crate) mod meal;

mod rewording;
mod target;

mod clause;
mod description;
