//! The parameters of a request that may have them in its query or in a JSON body.

use std::fmt::Write as _;

use axum::http::Uri;
use serde_json::{Map, Value};

use crate::api::json;
use crate::error::ApiError;
use crate::query::Query;

/// Names and values, in the order of the request.
#[derive(Debug)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the query of a URI.
    pub fn of_query(uri: &Uri) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self(Query::of(uri).pairs().map(owned).collect())
    }

    /// Reads a JSON object. A list is a parameter that occurs several times; what is neither text, number nor boolean is ignored.
    ///
    /// # Errors
    ///
    /// Refuses what is not a JSON object.
    pub fn of_json(body: &[u8]) -> Result<Self, ApiError> {
        let object: Map<String, Value> = json::read(body)?;
        let mut pairs = Vec::new();
        for (name, value) in object {
            let values = if let Value::Array(values) = value { values } else { vec![value] };
            pairs.extend(values.iter().filter_map(text).map(|value| (name.clone(), value)));
        }
        Ok(Self(pairs))
    }

    /// Returns the value of a parameter; if it occurs more than once, the last one.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the values of a parameter that occurs several times or has a list, separated by commas.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let values = self.0.iter().filter(move |(key, _)| key == name);
        values.flat_map(|(_, value)| value.split(',')).map(str::trim).filter(|value| !value.is_empty())
    }

    /// Returns the values of the parameters whose name starts so.
    pub fn starting_with(&self, start: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(key, _)| key.starts_with(start)).map(|(_, value)| value.as_str())
    }

    /// Returns a text that is the same for requests with the same parameters, those with a secret aside.
    pub fn identity(&self, secret: &str) -> String {
        let mut identity = String::new();
        for (name, value) in self.0.iter().filter(|(name, _)| name != secret) {
            // The lengths tell where a name ends and its value begins, whatever they consist of. Writing to a string does not fail.
            let _ = write!(identity, "{}:{name}{}:{value}", name.len(), value.len());
        }
        identity
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(bool) => Some(bool.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_and_a_body_say_the_same() {
        let query = Parameters::of_query(&Uri::from_static("/x?a=1&list=b,c&list=d&flag=true&api_key=secret"));
        let body = br#"{"a": 1, "list": ["b,c", "d"], "flag": true, "nothing": null, "other": {"a": 2}}"#;
        let body = Parameters::of_json(body).expect("an object");
        for parameters in [&query, &body] {
            assert_eq!(
                (parameters.get("a"), parameters.get("flag"), parameters.get("x")),
                (Some("1"), Some("true"), None)
            );
            assert_eq!(parameters.list("list").collect::<Vec<_>>(), ["b", "c", "d"]);
        }
        assert_eq!(query.identity("api_key"), "1:a1:14:list3:b,c4:list1:d4:flag4:true");
        for wrong in [&b"[]"[..], b"", b"{", b"\"a\""] {
            assert_eq!(Parameters::of_json(wrong).expect_err("not an object").status, 400);
        }
    }
}
