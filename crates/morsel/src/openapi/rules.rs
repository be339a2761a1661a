//! What the handlers cannot declare of themselves: patterns, limits across fields, fields that depend on each other.
//!
//! `rules.json` is data, so that the document can be compared with it outside of the program too. `scripts/contract-fuzz`
//! sends requests that the completed document allows and some that it forbids, and compares the answers with it.

use serde_json::{Map, Value};

static RULES: &str = include_str!("rules.json");

/// Adds the rules to the document.
///
/// # Panics
///
/// If a rule is about something that the document does not have, which a test would show.
pub(super) fn apply(document: &mut Value) {
    let rules: Map<String, Value> = serde_json::from_str(RULES).expect("rules.json is a JSON object");
    for (place, schema) in entries(&rules, "parameters") {
        let (path, name) = place.split_once(' ').expect("a path and a name");
        let item = document["paths"][path].as_object_mut().expect("a path of the document");
        let parameters = item.values_mut().filter_map(|operation| operation["parameters"].as_array_mut()).flatten();
        let mut count = 0;
        for parameter in parameters.filter(|parameter| parameter["name"] == name) {
            parameter["schema"] = schema.clone();
            count += 1;
        }
        assert!(count > 0, "no parameter {place}");
    }
    for (operation, schema) in entries(&rules, "bodies") {
        let (method, path) = operation.split_once(' ').expect("a method and a path");
        let content = &mut document["paths"][path][method.to_lowercase()]["requestBody"]["content"];
        let body = content.get_mut("application/json").expect("an operation with a body");
        body["schema"] = schema.clone();
    }
    for (place, added) in entries(&rules, "schemas") {
        let schema = document.pointer_mut(&format!("/components/schemas{place}")).and_then(Value::as_object_mut);
        let schema = schema.unwrap_or_else(|| panic!("no schema {place}"));
        schema.extend(added.as_object().expect("an object").clone());
    }
}

fn entries<'a>(rules: &'a Map<String, Value>, kind: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    rules[kind].as_object().expect("an object").iter()
}
