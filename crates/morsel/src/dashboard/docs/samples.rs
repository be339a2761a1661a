//! Renders a request as code in several languages.

use std::fmt::Write as _;

use serde_json::Value;

use super::highlight::Language;

/// The URL in samples; pages replace it with the service's own.
pub(super) const DEFAULT_BASE: &str = "http://127.0.0.1:8080";

/// The samples of the SDKs, whose tests run them. A comment starts each section: `[setup]`, then one for every route that the
/// SDKs have.
const PYTHON: &str = include_str!("../../../../../sdk/python/samples.py");
const SCRIPT: &str = include_str!("../../../../../sdk/typescript/samples.js");

/// A request of the API.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'a> {
    /// The route, as [`crate::routes`] names it.
    pub route: &'a str,
    pub method: &'a str,
    pub path: &'a str,
    pub body: Option<&'a str>,
}

impl Sample<'_> {
    /// Renders the request in a language: with its SDK, if that has the route.
    pub fn in_language(&self, language: Language) -> String {
        match language {
            Language::Python => with_sdk(PYTHON, self.route).unwrap_or_else(|| self.python()),
            Language::JavaScript => with_sdk(SCRIPT, self.route).unwrap_or_else(|| self.script()),
            _ => self.curl(),
        }
    }

    fn curl(&self) -> String {
        let url = format!("{DEFAULT_BASE}{}", self.path);
        let url = if url.contains(['?', '&']) { format!("'{url}'") } else { url };
        let method = match (self.method, self.body) {
            ("GET", None) | ("POST", Some(_)) => String::new(),
            (method, _) => format!("-X {method} "),
        };
        let mut text = format!("curl {method}{url} -H \"Authorization: Bearer $KEY\"");
        if let Some(body) = self.body {
            // Writing to a string does not fail, here and below.
            let _ = write!(text, " \\\n  -d '{}'", body.replace('\'', r"'\''"));
        }
        text
    }

    fn python(&self) -> String {
        let mut text = format!(
            "import os, requests\n\nresponse = requests.{}(\n    \"{DEFAULT_BASE}{}\",\n    headers={{\"Authorization\": f\"Bearer {{os.environ['KEY']}}\"}},\n",
            self.method.to_lowercase(),
            self.path
        );
        if let Some(body) = self.body.and_then(|body| serde_json::from_str(body).ok()) {
            let _ = writeln!(text, "    json={},", python_literal(&body));
        }
        text.push_str(")\nresponse.raise_for_status()\nprint(response.json())");
        text
    }

    fn script(&self) -> String {
        let mut text = format!("const response = await fetch(\"{DEFAULT_BASE}{}\", {{\n", self.path);
        if self.method != "GET" {
            let _ = writeln!(text, "  method: \"{}\",", self.method);
        }
        text.push_str("  headers: { Authorization: `Bearer ${process.env.KEY}` },\n");
        if let Some(body) = self.body {
            let _ = writeln!(text, "  body: JSON.stringify({}),", body.replace('\n', "\n  "));
        }
        text.push_str(
            "});\nif (!response.ok) throw new Error((await response.json()).error);\nconsole.log(await response.json());",
        );
        text
    }
}

/// Returns the program that sends a request with an SDK.
fn with_sdk(samples: &str, route: &str) -> Option<String> {
    Some(format!("{}\n\n{}", section(samples, "setup")?, section(samples, route)?))
}

/// Returns a section of an SDK's samples.
fn section<'a>(samples: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = samples.split_once(&format!(" [{name}]\n"))?;
    let end = ["\n# [", "\n// ["].iter().filter_map(|start| rest.find(start)).min();
    Some(rest[..end.unwrap_or(rest.len())].trim())
}

/// Renders JSON as a Python literal.
fn python_literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(list) => format!("[{}]", list.iter().map(python_literal).collect::<Vec<_>>().join(", ")),
        Value::Object(object) => {
            let field =
                |(name, value): (&String, &Value)| format!("{}: {}", Value::from(name.as_str()), python_literal(value));
            format!("{{{}}}", object.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_quoted_for_each_language() {
        let body = Some(r#"{"it's": [true, null]}"#);
        let sample = Sample { route: "PUT /v1/x", method: "PUT", path: "/v1/x?a=b", body };
        let curl = sample.in_language(Language::Shell);
        assert!(
            curl.starts_with("curl -X PUT 'http://") && curl.ends_with(r#"-d '{"it'\''s": [true, null]}'"#),
            "{curl}"
        );
        let python = sample.in_language(Language::Python);
        assert!(python.contains("requests.put(") && python.contains(r#"json={"it's": [True, None]},"#), "{python}");
        let script = sample.in_language(Language::JavaScript);
        assert!(script.contains(r#"method: "PUT""#) && script.contains("JSON.stringify({"), "{script}");
    }

    #[test]
    fn a_route_of_the_sdks_is_shown_with_them() {
        let sample =
            Sample { route: "DELETE /v1/recipes/{id}", method: "DELETE", path: "/v1/recipes/rcp_1", body: None };
        assert!(sample.in_language(Language::Shell).starts_with("curl -X DELETE"));
        assert_eq!(
            sample.in_language(Language::Python),
            "from morsel_client import Morsel\n\n\
             client = Morsel(\"http://127.0.0.1:8080\")  # the key is in MORSEL_API_KEY\n\n\
             client.recipes.delete(\"rcp_i946uhP4tcPKhoS6MTkoE5\")"
        );
        let script = sample.in_language(Language::JavaScript);
        assert!(script.starts_with("import { Morsel } from \"morsel-client\";\n\nconst client = "), "{script}");
        assert!(script.ends_with("\n\nawait client.recipes.delete(\"rcp_i946uhP4tcPKhoS6MTkoE5\");"), "{script}");
    }
}
