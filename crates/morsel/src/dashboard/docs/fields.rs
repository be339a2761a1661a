//! Flattens schemas of the OpenAPI document into readable rows.

use serde_json::Value;

/// How deep nested objects are shown.
const MAX_DEPTH: usize = 4;

/// A field of a request or response body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SchemaField {
    /// The full path: `items[].name`.
    pub name: String,
    pub kind: String,
    pub is_required: bool,
    pub description: String,
}

/// Returns the fields of a schema; the fields of an object follow it.
pub(super) fn fields(document: &Value, schema: &Value) -> Vec<SchemaField> {
    let mut out = Vec::new();
    collect(document, schema, "", MAX_DEPTH, &mut out);
    // What one part of `allOf` describes, another may require.
    let mut rows: Vec<SchemaField> = Vec::new();
    for row in out {
        match rows.iter_mut().find(|known| known.name == row.name) {
            Some(known) => {
                known.is_required |= row.is_required;
                if row.kind != "any" {
                    known.kind = row.kind;
                }
            }
            None => rows.push(row),
        }
    }
    rows.retain(|row| row.kind != "any" || !row.description.is_empty());
    rows
}

/// Follows a reference.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) else { return schema };
    &document["components"]["schemas"][name]
}

/// Returns the alternatives of a schema, without `null`.
fn alternatives<'a>(document: &'a Value, schema: &'a Value) -> impl DoubleEndedIterator<Item = &'a Value> {
    let schema = resolved(document, schema);
    let all = schema["oneOf"].as_array().or(schema["anyOf"].as_array()).filter(|_| schema["properties"].is_null());
    all.into_iter().flatten().filter(|one| one["type"] != "null")
}

/// Returns the schema of an optional field without its `null`; of several alternatives the last, which has the most fields.
fn present<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = resolved(document, schema);
    alternatives(document, schema).next_back().map_or(schema, |one| resolved(document, one))
}

fn collect(document: &Value, schema: &Value, prefix: &str, depth: usize, out: &mut Vec<SchemaField>) {
    let schema = resolved(document, schema);
    for part in schema["allOf"].as_array().into_iter().flatten() {
        collect(document, part, prefix, depth, out);
    }
    let required = schema["required"].as_array();
    // A field that is required here and described elsewhere.
    let is_described = |name: &str| schema["properties"].get(name).is_some();
    for name in required.into_iter().flatten().filter_map(Value::as_str).filter(|name| !is_described(name)) {
        let (name, kind, description) = (format!("{prefix}{name}"), "any".to_owned(), String::new());
        out.push(SchemaField { name, kind, is_required: true, description });
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let inner = present(document, property);
        let description = property["description"].as_str().or(inner["description"].as_str()).unwrap_or_default();
        out.push(SchemaField {
            name: format!("{prefix}{name}"),
            kind: kind(document, property),
            is_required: required.is_some_and(|all| all.iter().any(|required| required == name)),
            description: description.to_owned(),
        });
        if depth == 0 {
            continue;
        }
        if inner["type"] == "array" || inner["items"].is_object() {
            let items = present(document, &inner["items"]);
            collect(document, items, &format!("{prefix}{name}[]."), depth - 1, out);
        } else {
            collect(document, inner, &format!("{prefix}{name}."), depth - 1, out);
        }
    }
}

/// Returns the type of a schema in words.
pub(super) fn kind(document: &Value, schema: &Value) -> String {
    let is_null = |schema: &Value| {
        schema["type"].as_array().is_some_and(|all| all.iter().any(|one| one == "null"))
            || schema["oneOf"].as_array().is_some_and(|all| all.iter().any(|one| one["type"] == "null"))
    };
    let or_null = if is_null(schema) { " or null" } else { "" };
    let mut kinds: Vec<String> = alternatives(document, schema).map(|one| kind(document, one)).collect();
    kinds.dedup();
    if kinds.len() > 1 {
        return kinds.join(" or ") + or_null;
    }
    let schema = present(document, schema);
    let name = match &schema["type"] {
        Value::String(name) => name.as_str(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("any"),
        _ if schema["properties"].is_object() || schema["allOf"].is_array() => "object",
        _ => "any",
    };
    if name == "array" {
        return format!("array of {}{or_null}", kind(document, &schema["items"]));
    }
    format!("{name}{or_null}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_in_objects_are_rows_of_their_own() {
        let document = json!({"components": {"schemas": {
            "Inner": {"type": "object", "properties": {"size": {"type": ["number", "null"], "description": "The size."}}},
        }}});
        let schema = json!({"type": "object", "required": ["list"], "properties": {
            "list": {"type": "array", "items": {"$ref": "#/components/schemas/Inner"}},
            "one": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Inner"}]},
            "text": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/Inner"}}]},
        }});
        let rows = fields(&document, &schema);
        let shown: Vec<(&str, &str, bool)> =
            rows.iter().map(|row| (row.name.as_str(), row.kind.as_str(), row.is_required)).collect();
        assert_eq!(
            shown,
            [
                ("list", "array of object", true),
                ("list[].size", "number or null", false),
                ("one", "object or null", false),
                ("one.size", "number or null", false),
                ("text", "string or array of object", false),
                ("text[].size", "number or null", false),
            ]
        );
        assert_eq!(rows[1].description, "The size.");
    }

    #[test]
    fn what_a_part_of_a_schema_requires_is_required() {
        let part = json!({"type": "object", "properties": {
            "name": {"type": ["string", "null"], "description": "The name."}, "note": {"type": "string"},
        }});
        let document = json!({"components": {"schemas": {"Part": part}}});
        let schema = json!({"allOf": [
            {"$ref": "#/components/schemas/Part"}, {"required": ["name"], "properties": {"name": {"type": "string"}}},
        ]});
        let bare = json!({"allOf": [{"$ref": "#/components/schemas/Part"}, {"required": ["note"]}]});
        let rows = |schema: &Value| -> Vec<(String, String, bool)> {
            fields(&document, schema).into_iter().map(|row| (row.name, row.kind, row.is_required)).collect()
        };
        let row = |name: &str, kind: &str, is_required| (name.to_owned(), kind.to_owned(), is_required);
        assert_eq!(rows(&schema), [row("name", "string", true), row("note", "string", false)]);
        assert_eq!(rows(&bare), [row("name", "string or null", false), row("note", "string", true)]);
    }
}
