//! The first request of a new user, in every language, with their own key.

use super::highlight::samples;
use super::html::escape;
use super::samples::{DEFAULT_BASE, Sample};

const BODY: &str = r#"{"messages":[{"role":"user","content":"two eggs and a slice of toast"}]}"#;

/// Renders the request as HTML, for a service at this URL. Without a key the programs read it from their environment.
pub(crate) fn first_request(base: &str, key: Option<&str>) -> String {
    let request = Sample {
        section: Some("first request".to_owned()),
        method: "POST".to_owned(),
        path: "/v1/estimate/sync".to_owned(),
        headers: Vec::new(),
        body: Some(BODY.to_owned()),
        key: key.map(str::to_owned),
    };
    samples("first", &request.in_all_languages()).replace(DEFAULT_BASE, &escape(base))
}
