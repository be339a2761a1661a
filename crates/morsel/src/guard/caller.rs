//! The sender of a request to the API.

use std::ops::Deref;
use std::sync::Arc;

use crate::account_cache::KeyAndAccount;

/// The key that a request was sent with, and its account; in the extensions of every request and response with a
/// valid key.
#[derive(Clone, Debug)]
pub struct Caller(pub Arc<KeyAndAccount>);

impl Deref for Caller {
    type Target = KeyAndAccount;

    fn deref(&self) -> &KeyAndAccount {
        &self.0
    }
}
