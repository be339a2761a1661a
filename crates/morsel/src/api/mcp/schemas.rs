//! JSON schemas of what tools return: those of the OpenAPI document, made self-contained.

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// Where the OpenAPI document has its schemas.
const COMPONENTS: &str = "#/components/schemas/";
/// Where a schema of its own has them.
const DEFINITIONS: &str = "#/$defs/";

/// Returns the schema of a type with all that it refers to.
pub fn schema_of<T: ToSchema>() -> Value {
    let mut referenced = Vec::new();
    T::schemas(&mut referenced);
    let mut schema = to_json(&T::schema());
    let definitions: Map<String, Value> =
        referenced.iter().map(|(name, schema)| (name.clone(), to_json(schema))).collect();
    if !definitions.is_empty() {
        schema["$defs"] = Value::Object(definitions);
    }
    // Clients expect an object at the top, which a type that is composed of others does not say.
    schema["type"] = json!("object");
    schema
}

fn to_json(schema: &impl serde::Serialize) -> Value {
    let mut schema = serde_json::to_value(schema).unwrap_or_default();
    localize(&mut schema);
    schema
}

/// Lets all references point into the schema itself.
fn localize(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref") {
                *reference = reference.replace(COMPONENTS, DEFINITIONS);
            }
            fields.values_mut().for_each(localize);
        }
        Value::Array(entries) => entries.iter_mut().for_each(localize),
        _ => {}
    }
}
