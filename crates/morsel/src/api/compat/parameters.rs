//! The parameters of a request that may have them in its query, in a JSON body or in a form.

use std::fmt::Write as _;

use axum::http::{HeaderMap, Uri, header};
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

    /// Reads a body: a form if the header says so, else a JSON object.
    ///
    /// # Errors
    ///
    /// Refuses what is neither.
    pub fn of_body(headers: &HeaderMap, body: &[u8]) -> Result<Self, ApiError> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        // Some clients send JSON and call it a form.
        if !kind.starts_with("application/x-www-form-urlencoded") || body.starts_with(b"{") {
            return Self::of_json(body);
        }
        let pairs = form_urlencoded::parse(body);
        Ok(Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()))
    }

    /// Returns the value of a parameter without blanks around it, unless there is nothing else.
    pub fn words(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|words| !words.is_empty())
    }

    /// Returns the value of a parameter that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.words(name)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Returns the value of a parameter that is true or false.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.words(name)? {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
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
    use axum::http::HeaderValue;

    #[test]
    fn a_form_and_json_say_the_same() {
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded; charset=UTF-8");
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]);
        let json = br#"{"query": " two eggs ", "num_servings": 2, "line_delimited": true}"#;
        for (headers, body) in [
            (&headers, &b"query=two+eggs&num_servings=2&line_delimited=true"[..]),
            (&headers, json),
            (&HeaderMap::new(), json),
        ] {
            let parameters = Parameters::of_body(headers, body).expect("readable");
            assert_eq!(parameters.words("query"), Some("two eggs"));
            assert_eq!((parameters.number("num_servings"), parameters.number("query")), (Some(2.0), None));
            assert_eq!((parameters.flag("line_delimited"), parameters.flag("query")), (Some(true), None));
        }
        assert!(Parameters::of_body(&HeaderMap::new(), b"query=egg").is_err());
    }

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
