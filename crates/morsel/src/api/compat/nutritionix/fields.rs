//! The fields of a request: from JSON, from a form, or from the query string, all alike.

use axum::http::{HeaderMap, header};
use serde_json::{Map, Value};

use crate::api::json;
use crate::error::ApiError;

/// The fields by name. Numbers and flags may be texts.
#[derive(Debug, Default)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body: a form if the header says so, else JSON.
    pub fn of_body(headers: &HeaderMap, body: &[u8]) -> Result<Self, ApiError> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.starts_with("application/x-www-form-urlencoded") && !body.starts_with(b"{") {
            return Ok(Self::of_form(body));
        }
        json::read(body).map(Self)
    }

    /// Reads a form or a query string.
    pub fn of_form(form: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(form);
        Self(pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect())
    }

    /// Returns a text that is not blank.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// Returns a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        let value = self.0.get(name)?;
        value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|number| number.is_finite())
    }

    /// Returns a flag.
    pub fn flag(&self, name: &str) -> Option<bool> {
        let value = self.0.get(name)?;
        value.as_bool().or_else(|| match value.as_str()?.trim() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn json_and_forms_are_read_alike() {
        let form = HeaderValue::from_static("application/x-www-form-urlencoded; charset=UTF-8");
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, form)]);
        let of_form = Fields::of_body(&headers, b"query=two+eggs&num_servings=2&line_delimited=true").expect("a form");
        let of_json = br#"{"query": " two eggs ", "num_servings": 2, "line_delimited": true}"#;
        let of_json = Fields::of_body(&HeaderMap::new(), of_json).expect("JSON");
        // Some clients send JSON and call it a form.
        let mislabeled = Fields::of_body(&headers, br#"{"query":"two eggs","num_servings":2,"line_delimited":true}"#);
        for fields in [of_form, of_json, mislabeled.expect("JSON")] {
            assert_eq!(fields.text("query"), Some("two eggs"));
            assert_eq!(fields.number("num_servings"), Some(2.0));
            assert_eq!(fields.flag("line_delimited"), Some(true));
            assert_eq!((fields.text("aggregate"), fields.flag("query")), (None, None));
        }
        assert!(Fields::of_body(&HeaderMap::new(), b"query=egg").is_err());
    }
}
