//! The index over the names of foods: its terms and its entries.
//!
//! An entry is a name under which a food is found; its score is known before any query. The catalog stores both, and
//! [`crate::search`] walks them.

mod dictionary;
mod entry;
mod nearby;
mod one_edit;

pub(crate) use dictionary::Dictionary;
pub(crate) use entry::{
    BRAND_COST, DETAIL_COST, Role, SHAPE_BRAND, SHAPE_MAIN, SHAPE_PRODUCT, SHAPE_TABLE, is_everyday_form, names,
};
pub use entry::{MAIN_COST, Zone};
