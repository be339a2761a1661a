//! Open Food Facts, read only: products by their codes, and searches for them.
//!
//! Our foods are the products. Those without a barcode have a code of ours ([`food_codes`](super::food_codes)), and plain foods come
//! before products of brands, as in every search.

pub mod search;
pub mod by_code;
pub mod sign_in;
mod product;
mod nutriments;
mod fields;
