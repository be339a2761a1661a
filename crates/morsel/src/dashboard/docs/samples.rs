//! Renders a request as code in several languages.

use std::fmt::Write as _;

use serde_json::Value;

use super::highlight::Language;

/// The URL in samples; pages replace it with the service's own.
pub(super) const DEFAULT_BASE: &str = "http://127.0.0.1:8080";

/// A request of the API.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub body: Option<&'a str>,
}

impl Sample<'_> {
    /// Renders the request in a language.
    pub fn in_language(&self, language: Language) -> String {
        match language {
            Language::Python => self.python(),
            Language::JavaScript => self.script(),
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
        let sample = Sample { method: "PUT", path: "/v1/x?a=b", body: Some(r#"{"it's": [true, null]}"#) };
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
}
