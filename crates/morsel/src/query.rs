//! The parameters in a query string.

use std::borrow::Cow;

use axum::http::Uri;

/// Decoded parameters.
#[derive(Debug)]
pub struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Parses the query of a URI. Nothing is rejected: what cannot be decoded is kept with replacement characters.
    pub fn of(uri: &'a Uri) -> Self {
        Self(form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).collect())
    }

    /// Returns the value of a parameter; if it occurs more than once, the last one.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone().into_owned())
    }

    /// Returns all parameters, in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value.as_ref()))
    }
}
