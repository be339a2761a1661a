//! Several messages about one meal: later ones amend the earlier.
//!
//! Every part of the meal keeps what it came from (`Entry`): the words and the amount of a food, or the recipe. A later
//! message is split into clauses, and each is read as a request (`clause`). It finds the part that it is about (`target`),
//! changes the words or the amount that the part came from (`change`, `rewording`, `new_amount`, `removal`), and the part
//! is estimated again. So an amended part is what the same words would have been at once. Programs name foods by their ids
//! and items by their numbers instead (`item_parts`, `exact_amount`).

pub(crate) mod photo_message;

mod item_parts;
mod requests;

mod removal;

mod change;
mod new_amount;

pub(crate) mod meal;

mod rewording;
mod target;

mod clause;
mod exact_amount;

mod description;
