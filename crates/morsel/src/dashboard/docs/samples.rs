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
/// How the samples of the SDKs say where the key is.
const PYTHON_CLIENT: &str = "\")  # the key is in MORSEL_API_KEY";
const SCRIPT_CLIENT: &str = "\" }); // the key is in MORSEL_API_KEY";

/// A request of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    /// The section of the SDKs' samples, if they have one.
    pub section: Option<String>,
    pub method: String,
    /// The path and query.
    pub path: String,
    /// Headers other than the key.
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    /// The key to write into the program; without one it reads the environment variable `KEY`.
    pub key: Option<String>,
}

impl Sample {
    /// Reads a command of curl as the guide has them, or returns `None` if it is more than that.
    pub fn from_curl(command: &str) -> Option<Self> {
        let mut words = shell_words(command)?.into_iter();
        if words.next()? != "curl" {
            return None;
        }
        let (mut path, mut method, mut body, mut headers) = (None, None, None, Vec::new());
        let mut has_key = false;
        while let Some(word) = words.next() {
            match word.as_str() {
                "-H" => {
                    let header = words.next()?;
                    let (name, value) = header.split_once(": ")?;
                    if value.ends_with("$KEY") {
                        has_key = name == "Authorization";
                    } else {
                        headers.push((name.to_owned(), value.to_owned()));
                    }
                }
                "-d" => body = Some(words.next()?),
                "-X" => method = Some(words.next()?),
                "-N" => {}
                url => path = Some(url.strip_prefix(DEFAULT_BASE)?.to_owned()),
            }
        }
        let method = method.unwrap_or_else(|| if body.is_some() { "POST" } else { "GET" }.to_owned());
        let is_plain = has_key && body.as_ref().is_none_or(|body| !body.contains('$'));
        is_plain.then_some(Self { section: None, method, path: path?, headers, body, key: None })
    }

    /// Renders the request in a language: with its SDK, if that has it.
    pub fn in_language(&self, language: Language) -> String {
        match language {
            Language::Python => self.with_sdk(PYTHON).unwrap_or_else(|| self.python()),
            Language::JavaScript | Language::TypeScript => self.with_sdk(SCRIPT).unwrap_or_else(|| self.script()),
            Language::Go => self.go(),
            Language::Rust => self.rust(),
            Language::Php => self.php(),
            Language::Swift => self.swift(),
            Language::Kotlin => self.kotlin(),
            Language::Shell | Language::Json | Language::Plain => self.curl(),
        }
    }

    /// Renders the request in all languages.
    pub fn in_all_languages(&self) -> Vec<(Language, String)> {
        Language::ALL.into_iter().map(|language| (language, self.in_language(language))).collect()
    }

    fn url(&self) -> String {
        format!("{DEFAULT_BASE}{}", self.path)
    }

    /// Returns the program that sends the request with an SDK.
    fn with_sdk(&self, samples: &str) -> Option<String> {
        let program = format!("{}\n\n{}", section(samples, "setup")?, section(samples, self.section.as_deref()?)?);
        let Some(key) = &self.key else { return Some(program) };
        let with_key = program.replace(PYTHON_CLIENT, &format!("\", \"{key}\")"));
        Some(with_key.replace(SCRIPT_CLIENT, &format!("\", apiKey: \"{key}\" }});")))
    }

    fn curl(&self) -> String {
        let url = self.url();
        let url = if url.contains(['?', '&']) { format!("'{url}'") } else { url };
        let method = match (self.method.as_str(), &self.body) {
            ("GET", None) | ("POST", Some(_)) => String::new(),
            (method, _) => format!("-X {method} "),
        };
        let key = self.key.as_deref().unwrap_or("$KEY");
        // Writing to a string does not fail, here and below.
        let mut text = format!("curl {method}{url} \\\n  -H \"Authorization: Bearer {key}\"");
        for (name, value) in &self.headers {
            let _ = write!(text, " -H \"{name}: {value}\"");
        }
        if let Some(body) = &self.body {
            let _ = write!(text, " \\\n  -d '{}'", body.replace('\'', r"'\''"));
        }
        text
    }

    fn python(&self) -> String {
        let (import, key) = match &self.key {
            Some(key) => ("import requests", format!("\"Bearer {key}\"")),
            None => ("import os, requests", "f\"Bearer {os.environ['KEY']}\"".to_owned()),
        };
        let method = self.method.to_lowercase();
        let mut text = format!("{import}\n\nresponse = requests.{method}(\n    \"{}\",\n", self.url());
        let _ = write!(text, "    headers={{\"Authorization\": {key}");
        for (name, value) in &self.headers {
            let _ = write!(text, ", \"{name}\": \"{value}\"");
        }
        text.push_str("},\n");
        if let Some(body) = self.body.as_ref().and_then(|body| serde_json::from_str(body).ok()) {
            let _ = writeln!(text, "    json={},", python_literal(&body));
        }
        text.push_str(")\nresponse.raise_for_status()\nprint(response.json())");
        text
    }

    fn script(&self) -> String {
        let mut text = format!("const response = await fetch(\"{}\", {{\n", self.url());
        if self.method != "GET" {
            let _ = writeln!(text, "  method: \"{}\",", self.method);
        }
        let key = match &self.key {
            Some(key) => format!("\"Bearer {key}\""),
            None => "`Bearer ${process.env.KEY}`".to_owned(),
        };
        let _ = write!(text, "  headers: {{ Authorization: {key}");
        for (name, value) in &self.headers {
            let _ = write!(text, ", \"{name}\": \"{value}\"");
        }
        text.push_str(" },\n");
        if let Some(body) = &self.body {
            let _ = writeln!(text, "  body: JSON.stringify({}),", body.replace('\n', "\n  "));
        }
        text.push_str(
            "});\nif (!response.ok) throw new Error((await response.json()).error);\nconsole.log(await response.json());",
        );
        text
    }

    fn go(&self) -> String {
        let (os, key) = match &self.key {
            Some(key) => ("", format!("\"Bearer {key}\"")),
            None => ("\n\t\"os\"", "\"Bearer \"+os.Getenv(\"KEY\")".to_owned()),
        };
        let (strings, body) = match &self.body {
            Some(body) => ("\n\t\"strings\"", format!("strings.NewReader(`{}`)", body.replace('`', "` + \"`\" + `"))),
            None => ("", "nil".to_owned()),
        };
        let mut text = format!(
            "package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\t\"net/http\"{os}{strings}\n)\n\nfunc main() {{\n\
             \trequest, err := http.NewRequest(\"{}\", \"{}\", {body})\n\tif err != nil {{\n\t\tpanic(err)\n\t}}\n\
             \trequest.Header.Set(\"Authorization\", {key})\n",
            self.method,
            self.url(),
        );
        for (name, value) in &self.headers {
            let _ = writeln!(text, "\trequest.Header.Set(\"{name}\", \"{value}\")");
        }
        text.push_str(
            "\tresponse, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\
             \tdefer response.Body.Close()\n\tanswer, err := io.ReadAll(response.Body)\n\tif err != nil {\n\t\tpanic(err)\n\
             \t}\n\tfmt.Println(response.Status, string(answer))\n}",
        );
        text
    }

    fn rust(&self) -> String {
        let key = match &self.key {
            Some(key) => format!("\"{key}\""),
            None => "std::env::var(\"KEY\").expect(\"KEY is set\")".to_owned(),
        };
        let mut text = format!(
            "// cargo add reqwest --features blocking\nfn main() -> Result<(), reqwest::Error> {{\n    \
             let response = reqwest::blocking::Client::new()\n        .{}(\"{}\")\n        .bearer_auth({key})\n",
            self.method.to_lowercase(),
            self.url(),
        );
        for (name, value) in &self.headers {
            let _ = writeln!(text, "        .header(\"{name}\", \"{value}\")");
        }
        if let Some(body) = &self.body {
            let _ = writeln!(text, "        .body(r#\"{body}\"#)");
        }
        text.push_str("        .send()?;\n    println!(\"{}\", response.text()?);\n    Ok(())\n}");
        text
    }

    fn php(&self) -> String {
        let key = match &self.key {
            Some(key) => format!("\"Authorization: Bearer {key}\""),
            None => "\"Authorization: Bearer \" . getenv(\"KEY\")".to_owned(),
        };
        let mut text = format!("<?php\n$request = curl_init(\"{}\");\ncurl_setopt_array($request, [\n", self.url());
        if self.method != "GET" && (self.method != "POST" || self.body.is_none()) {
            let _ = writeln!(text, "    CURLOPT_CUSTOMREQUEST => \"{}\",", self.method);
        }
        let _ = write!(text, "    CURLOPT_HTTPHEADER => [{key}");
        for (name, value) in &self.headers {
            let _ = write!(text, ", \"{name}: {value}\"");
        }
        text.push_str("],\n");
        if let Some(body) = &self.body {
            let body = body.replace('\\', r"\\").replace('\'', r"\'");
            let _ = writeln!(text, "    CURLOPT_POSTFIELDS => '{body}',");
        }
        text.push_str("    CURLOPT_RETURNTRANSFER => true,\n]);\necho curl_exec($request);");
        text
    }

    fn swift(&self) -> String {
        let key = match &self.key {
            Some(key) => format!("\"{key}\""),
            None => "ProcessInfo.processInfo.environment[\"KEY\"]!".to_owned(),
        };
        let mut text = format!(
            "import Foundation\n\nlet key = {key}\nvar request = URLRequest(url: URL(string: \"{}\")!)\n\
             request.httpMethod = \"{}\"\nrequest.setValue(\"Bearer \\(key)\", forHTTPHeaderField: \"Authorization\")\n",
            self.url(),
            self.method,
        );
        for (name, value) in &self.headers {
            let _ = writeln!(text, "request.setValue(\"{value}\", forHTTPHeaderField: \"{name}\")");
        }
        if let Some(body) = &self.body {
            let _ = writeln!(text, "request.httpBody = Data(#\"\"\"\n{body}\n\"\"\"#.utf8)");
        }
        text.push_str(
            "let (answer, _) = try await URLSession.shared.data(for: request)\n\
             print(String(decoding: answer, as: UTF8.self))",
        );
        text
    }

    fn kotlin(&self) -> String {
        let key = self.key.as_deref().unwrap_or("${System.getenv(\"KEY\")}");
        let publisher = match &self.body {
            Some(body) => format!("ofString(\"\"\"{}\"\"\")", body.replace('$', "${'$'}")),
            None => "noBody()".to_owned(),
        };
        let mut text = format!(
            "import java.net.URI\nimport java.net.http.*\n\nfun main() {{\n    \
             val request = HttpRequest.newBuilder(URI(\"{}\"))\n        .header(\"Authorization\", \"Bearer {key}\")\n",
            self.url(),
        );
        for (name, value) in &self.headers {
            let _ = writeln!(text, "        .header(\"{name}\", \"{value}\")");
        }
        let _ = write!(
            text,
            "        .method(\"{}\", HttpRequest.BodyPublishers.{publisher})\n        .build()\n    \
             val response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())\n    \
             println(response.body())\n}}",
            self.method,
        );
        text
    }
}

/// Returns a section of an SDK's samples.
fn section<'a>(samples: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = samples.split_once(&format!(" [{name}]\n"))?;
    let end = ["\n# [", "\n// ["].iter().filter_map(|start| rest.find(start)).min();
    Some(rest[..end.unwrap_or(rest.len())].trim())
}

/// Splits a command as a shell does, or returns `None` if it uses more than words and quotation marks.
fn shell_words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            (None | Some('"'), '\\') => match characters.next()? {
                '\n' => {}
                escaped => word.push(escaped),
            },
            (None, '|' | '(' | ';') => return None,
            (None, space) if space.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            (_, other) => word.push(other),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    Some(words)
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

    fn sample(method: &str, path: &str, body: Option<&str>) -> Sample {
        let (method, path, body) = (method.to_owned(), path.to_owned(), body.map(str::to_owned));
        Sample { section: None, method, path, headers: Vec::new(), body, key: None }
    }

    #[test]
    fn requests_are_quoted_for_each_language() {
        let put = sample("PUT", "/v1/x?a=b", Some(r#"{"it's": [true, null]}"#));
        let curl = put.in_language(Language::Shell);
        assert!(
            curl.starts_with("curl -X PUT 'http://") && curl.ends_with(r#"-d '{"it'\''s": [true, null]}'"#),
            "{curl}"
        );
        let python = put.in_language(Language::Python);
        assert!(python.contains("requests.put(") && python.contains(r#"json={"it's": [True, None]},"#), "{python}");
        let script = put.in_language(Language::JavaScript);
        assert!(script.contains(r#"method: "PUT""#) && script.contains("JSON.stringify({"), "{script}");
        let php = put.in_language(Language::Php);
        assert!(php.contains(r#"'{"it\'s": [true, null]}'"#) && php.contains("=> \"PUT\""), "{php}");
        let kotlin = sample("POST", "/v1/x", Some(r#"{"price": "$5"}"#)).in_language(Language::Kotlin);
        assert!(kotlin.contains(r#""""{"price": "${'$'}5"}""""#), "{kotlin}");
        for (language, program) in put.in_all_languages() {
            assert!(program.contains("PUT") || program.contains("put("), "{}: {program}", language.name());
            assert!(program.contains("/v1/x?a=b") && program.contains("KEY"), "{}: {program}", language.name());
        }
    }

    #[test]
    fn a_key_is_written_into_every_program() {
        let section = Some("POST /v1/estimate/sync".to_owned());
        let key = Some("svc_test_abc".to_owned());
        let sample = Sample { section, key, ..sample("POST", "/v1/estimate/sync", Some("{}")) };
        for (language, program) in sample.in_all_languages() {
            assert_eq!(program.matches("svc_test_abc").count(), 1, "{}: {program}", language.name());
            assert!(!program.contains("KEY") && !program.contains("os.Getenv"), "{}: {program}", language.name());
        }
    }

    #[test]
    fn a_route_of_the_sdks_is_shown_with_them() {
        let section = Some("DELETE /v1/recipes/{id}".to_owned());
        let sample = Sample { section, ..sample("DELETE", "/v1/recipes/rcp_1", None) };
        assert!(sample.in_language(Language::Shell).starts_with("curl -X DELETE"));
        assert_eq!(
            sample.in_language(Language::Python),
            "from morsel_client import Morsel\n\n\
             client = Morsel(\"http://127.0.0.1:8080\")  # the key is in MORSEL_API_KEY\n\n\
             client.recipes.delete(\"rcp_i946uhP4tcPKhoS6MTkoE5\")"
        );
        let script = sample.in_language(Language::TypeScript);
        assert!(script.starts_with("import { Morsel } from \"morsel-client\";\n\nconst client = "), "{script}");
        assert!(script.ends_with("\n\nawait client.recipes.delete(\"rcp_i946uhP4tcPKhoS6MTkoE5\");"), "{script}");
    }

    #[test]
    fn commands_of_the_guide_are_read() {
        let command = "curl http://127.0.0.1:8080/v1/recipes -H \"Authorization: Bearer $KEY\" -H \"Idempotency-Key: 5f\" \\\n  \
                       -d '{\"name\":\"Mom'\\''s\"}'";
        let read = Sample::from_curl(command).expect("a request");
        let expected = sample("POST", "/v1/recipes", Some("{\"name\":\"Mom's\"}"));
        let headers = vec![("Idempotency-Key".to_owned(), "5f".to_owned())];
        assert_eq!(read, Sample { headers, ..expected });
        assert_eq!(Sample::from_curl("URL=$(curl http://127.0.0.1:8080/v1/x | sed s)"), None);
        assert_eq!(Sample::from_curl("curl \"http://127.0.0.1:8080/compat/x\" -H \"X-Api-Key: $KEY\""), None);
    }
}
