//! Messages become a meal: texts part by part, what was seen in photos, and later messages that amend earlier ones.

pub(crate) mod estimate;

mod amend;

pub(crate) mod photos;

pub(crate) mod passage;

pub(crate) mod parts;

pub(crate) mod message;

pub(crate) mod part;
