//! The request and the response of an estimate as code.

use std::fmt::Write as _;

use askama::Template;
use askama::filters::HtmlSafe;
use serde_json::{Map, Value};

use crate::dashboard::docs::highlight::{Language, highlight};

/// What fits on a line stays on one.
const MAX_LINE: usize = 76;

/// Fields that come first in their object, in the order of the documentation; the others follow by name.
const FIRST: [&str; 12] =
    ["role", "type", "items", "totals", "name", "quantity", "unit", "calories", "protein", "carbs", "fat", "content"];

/// The code of an estimate, in tabs. It is escaped when it is highlighted.
#[derive(Debug, Template)]
#[template(path = "meal/code.html")]
pub struct CodeView {
    samples: Vec<(&'static str, String)>,
}

impl HtmlSafe for CodeView {}

impl CodeView {
    /// Shows the response alone.
    pub fn of_answer(answer: &impl serde::Serialize) -> Self {
        let answer = serde_json::to_value(answer).unwrap_or_default();
        Self { samples: vec![("Response", highlight(Language::Json, &pretty(&answer)))] }
    }

    /// Adds the request that gets it from the service at this URL.
    pub fn with_request(mut self, base: &str, request: &Value) -> Self {
        let samples = [
            ("curl", Language::Shell, curl(base, request)),
            ("Python", Language::Python, python(base, request)),
            ("JavaScript", Language::JavaScript, script(base, request)),
        ];
        self.samples.extend(samples.map(|(name, language, code)| (name, highlight(language, &code))));
        self
    }
}

/// Returns the body of a request in short: a meal in one text as the text.
fn messages(request: &Value) -> Value {
    let messages = &request["messages"];
    match messages.as_array().map(Vec::as_slice) {
        Some([only]) if only["content"].is_string() => only["content"].clone(),
        _ => messages.clone(),
    }
}

fn curl(base: &str, request: &Value) -> String {
    let mut body = Map::new();
    for name in ["messages", "include"] {
        if request[name].as_array().is_some_and(|list| !list.is_empty()) {
            body.insert(name.to_owned(), request[name].clone());
        }
    }
    let body = pretty(&Value::Object(body)).replace('\'', r"'\''");
    format!("curl {base}/v1/estimate/sync -H \"Authorization: Bearer $KEY\" \\\n  -d '{body}'")
}

fn python(base: &str, request: &Value) -> String {
    let said = pretty(&messages(request)).replace('\n', "\n    ");
    let mut call = format!("meal = client.estimate(\n    {said},\n");
    if request["include"].as_array().is_some_and(|list| !list.is_empty()) {
        // Writing to a string does not fail, here and below.
        let _ = writeln!(call, "    include={},", pretty(&request["include"]).replace('\n', "\n    "));
    }
    format!(
        "from morsel_client import Morsel\n\nclient = Morsel(\"{base}\")  # the key is in MORSEL_API_KEY\n{call})\nprint(meal[\"totals\"])"
    )
}

fn script(base: &str, request: &Value) -> String {
    let mut call = pretty(&messages(request));
    if request["include"].as_array().is_some_and(|list| !list.is_empty()) {
        let _ = write!(call, ", {{\n  include: {},\n}}", pretty(&request["include"]).replace('\n', "\n  "));
    }
    format!(
        "import {{ Morsel }} from \"morsel-client\";\n\nconst client = new Morsel({{ baseUrl: \"{base}\" }}); // the key is in MORSEL_API_KEY\nconst meal = await client.estimate({call});\nconsole.log(meal.totals);"
    )
}

/// Formats JSON: what is short on one line, everything else indented.
fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write_pretty(&mut out, value, 0);
    out
}

fn write_pretty(out: &mut String, value: &Value, indent: usize) {
    let short = spaced(value);
    if short.chars().count() + indent <= MAX_LINE {
        out.push_str(&short);
        return;
    }
    let (open, close, parts): (_, _, Vec<(Option<&String>, &Value)>) = match value {
        Value::Array(list) => ('[', ']', list.iter().map(|part| (None, part)).collect()),
        Value::Object(map) => ('{', '}', ordered(map).into_iter().map(|(name, part)| (Some(name), part)).collect()),
        _ => return out.push_str(&short),
    };
    out.push(open);
    let inner = indent + 2;
    for (n, (name, part)) in parts.into_iter().enumerate() {
        let _ = write!(out, "{}\n{:inner$}", if n > 0 { "," } else { "" }, "");
        if let Some(name) = name {
            let _ = write!(out, "{}: ", Value::from(name.as_str()));
        }
        write_pretty(out, part, inner);
    }
    let _ = write!(out, "\n{:indent$}{close}", "");
}

/// Returns the fields of an object as the documentation shows them.
fn ordered(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut fields: Vec<_> = map.iter().collect();
    let place = |name: &str| FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len());
    fields.sort_by_key(|(name, _)| place(name));
    fields
}

/// Formats JSON on one line, with spaces.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let field = |(name, part): (&String, &Value)| format!("{}: {}", Value::from(name.as_str()), spaced(part));
            format!("{{ {} }}", ordered(map).into_iter().map(field).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_short_in_every_language() {
        let request = json!({"messages": [{"role": "user", "content": "an egg, mom's way"}], "include": []});
        assert_eq!(
            curl("http://food.test", &request),
            "curl http://food.test/v1/estimate/sync -H \"Authorization: Bearer $KEY\" \\\n  -d '{ \"messages\": [{ \"role\": \"user\", \"content\": \"an egg, mom'\\''s way\" }] }'"
        );
        let code = python("http://food.test", &request);
        assert!(code.contains("client.estimate(\n    \"an egg, mom's way\",\n)"), "{code}");
        let code = script("http://food.test", &json!({"messages": request["messages"], "include": ["grams"]}));
        assert!(code.contains("client.estimate(\"an egg, mom's way\", {\n  include: [\"grams\"],\n})"), "{code}");
    }

    #[test]
    fn fields_are_in_the_order_of_the_documentation() {
        let value = json!({"calories": 1, "name": "Egg", "fat": 2, "unit": "egg", "grams": 3});
        assert_eq!(pretty(&value), r#"{ "name": "Egg", "unit": "egg", "calories": 1, "fat": 2, "grams": 3 }"#);
    }

    #[test]
    fn long_values_are_indented() {
        let value = json!({"a": vec!["x".repeat(30); 3], "b": 1});
        let x = "x".repeat(30);
        assert_eq!(
            pretty(&value),
            format!("{{\n  \"a\": [\n    \"{x}\",\n    \"{x}\",\n    \"{x}\"\n  ],\n  \"b\": 1\n}}")
        );
    }
}
