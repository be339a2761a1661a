//! API keys: the list, one key, a new key.

pub(super) mod key_page;
pub(super) mod list;
pub(super) mod new_key;
mod key_shown;
pub(super) mod row;
mod scope_choice;
