//! The parameters of a request's address.

use std::borrow::Cow;

use axum::http::Uri;

/// Parameters, decoded.
#[derive(Debug)]
pub struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Those of an address. Nothing in it is refused: what cannot be decoded is kept with replacement characters.
    pub fn of(uri: &'a Uri) -> Self {
        Self(form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).collect())
    }

    /// The value of a parameter; of one that comes twice, the last.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone().into_owned())
    }
}
