//! The request log: the last requests of an account, and a page for each.

pub(super) mod list;
pub(super) mod live;
pub(super) mod request_page;
pub(super) mod scan;
pub(super) mod settings;
pub(super) mod filter;
pub(super) mod row;
