//! JSON Schema, as far as a meal can fill it.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::property::Property;
use crate::error::ApiError;

/// Most parts of a schema: properties, elements and alternatives, at any depth.
const MAX_NODES: usize = 1_000;
/// Deepest nesting of a schema.
const MAX_DEPTH: usize = 24;
/// References that are followed one after the other.
const MAX_HOPS: usize = 8;

/// A schema, or a part of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaNode {
    /// The types that a value may have; any, if empty.
    pub types: Vec<ValueType>,
    /// The properties of an object, in order.
    pub properties: Vec<SchemaProperty>,
    /// What the elements of an array are.
    pub items: Option<Box<SchemaNode>>,
    /// The values that are allowed; any, if empty.
    pub values: Vec<Value>,
    /// Schemas one of which must fit.
    pub any_of: Vec<SchemaNode>,
    /// Schemas all of which must fit.
    pub all_of: Vec<SchemaNode>,
    /// Where the schema really is.
    pub reference: Option<String>,
    /// Schemas that others refer to, by name.
    pub definitions: Vec<(String, SchemaNode)>,
    /// The lowest number.
    pub minimum: Option<f64>,
    /// The highest number.
    pub maximum: Option<f64>,
    /// The most characters of a string.
    pub max_length: Option<usize>,
    /// The most elements of an array.
    pub max_items: Option<usize>,
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaProperty {
    /// Its name.
    pub name: String,
    /// What the name asks for.
    pub meaning: Option<Property>,
    /// What its value must be.
    pub node: SchemaNode,
    /// Whether it must be present.
    pub is_required: bool,
}

impl SchemaProperty {
    /// Returns a property that must be present.
    pub fn required(name: String, node: SchemaNode) -> Self {
        Self { meaning: Property::of_name(&name), name, node, is_required: true }
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of JSON Schema")]
pub enum ValueType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl SchemaNode {
    /// Returns a schema of one type.
    pub fn of_type(kind: ValueType) -> Self {
        Self { types: vec![kind], ..Self::default() }
    }

    /// Refuses a schema that is larger or deeper than one can be answered; `param` is where it is in the body.
    pub fn check(&self, param: &str) -> Result<(), ApiError> {
        let mut nodes = 0;
        if self.depth(&mut nodes) > MAX_DEPTH {
            return Err(ApiError::bad_field(
                param,
                format!("“{param}” may be nested at most {MAX_DEPTH} levels deep."),
            ));
        }
        if nodes > MAX_NODES {
            return Err(ApiError::bad_field(
                param,
                format!("“{param}” may have at most {MAX_NODES} properties in all."),
            ));
        }
        Ok(())
    }

    fn depth(&self, nodes: &mut usize) -> usize {
        *nodes += 1;
        let named = self.properties.iter().map(|property| &property.node);
        let defined = self.definitions.iter().map(|(_, node)| node);
        let below = named.chain(defined).chain(self.items.as_deref()).chain(&self.any_of).chain(&self.all_of);
        let mut deepest = 0;
        for node in below {
            deepest = deepest.max(node.depth(nodes));
        }
        deepest + 1
    }

    /// Returns the schema that a reference within this one leads to; `None` if it leads nowhere.
    pub fn follow<'a>(&'a self, node: &'a SchemaNode) -> Option<&'a SchemaNode> {
        let mut node = node;
        for _ in 0..MAX_HOPS {
            if let ([only], true) = (node.all_of.as_slice(), node.properties.is_empty()) {
                node = only;
            }
            let Some(reference) = &node.reference else { return Some(node) };
            node = self.definition(reference)?;
        }
        None
    }

    fn definition(&self, reference: &str) -> Option<&SchemaNode> {
        if reference == "#" {
            return Some(self);
        }
        let name = reference.strip_prefix("#/$defs/").or_else(|| reference.strip_prefix("#/definitions/"))?;
        let name = name.replace("~1", "/").replace("~0", "~");
        self.definitions.iter().find(|(defined, _)| *defined == name).map(|(_, node)| node)
    }

    /// Returns whether a value may have a type.
    pub fn allows(&self, kind: ValueType) -> bool {
        self.types.contains(&kind)
            || self.types.is_empty()
                && match kind {
                    ValueType::Object => !self.properties.is_empty(),
                    ValueType::Array => self.items.is_some(),
                    _ => self.properties.is_empty() && self.items.is_none(),
                }
    }

    /// Returns whether `null` is explicitly allowed.
    pub fn is_nullable(&self) -> bool {
        let is_null = |node: &SchemaNode| node.types == [ValueType::Null];
        self.types.contains(&ValueType::Null) || self.any_of.iter().any(is_null) || self.values.contains(&Value::Null)
    }
}

impl<'de> Deserialize<'de> for SchemaNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SchemaVisitor)
    }
}

struct SchemaVisitor;

impl<'de> Visitor<'de> for SchemaVisitor {
    type Value = SchemaNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON Schema")
    }

    /// `true` allows everything, and `false` cannot be answered anyway.
    fn visit_bool<E: Error>(self, _: bool) -> Result<SchemaNode, E> {
        Ok(SchemaNode::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SchemaNode, A::Error> {
        let mut node = SchemaNode::default();
        let mut required = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "type" => node.types = map.next_value::<TypeNames>()?.0,
                "properties" => {
                    let named = map.next_value::<Named>()?.0.into_iter();
                    node.properties = named.map(|(name, node)| SchemaProperty::required(name, node)).collect();
                }
                "required" => required = map.next_value::<Option<HashSet<String>>>()?.unwrap_or_default(),
                "items" => node.items = Some(Box::new(map.next_value()?)),
                "enum" => node.values = map.next_value()?,
                "const" => node.values = vec![map.next_value()?],
                "anyOf" | "oneOf" => node.any_of = map.next_value()?,
                "allOf" => node.all_of = map.next_value()?,
                "$ref" => node.reference = Some(map.next_value()?),
                "$defs" | "definitions" => node.definitions.extend(map.next_value::<Named>()?.0),
                "nullable" => {
                    if map.next_value::<Option<bool>>()?.unwrap_or_default() {
                        node.types.push(ValueType::Null);
                    }
                }
                "minimum" => node.minimum = map.next_value()?,
                "maximum" => node.maximum = map.next_value()?,
                "maxLength" => node.max_length = map.next_value()?,
                "maxItems" => node.max_items = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        for property in &mut node.properties {
            property.is_required = required.contains(&property.name);
        }
        Ok(node)
    }
}

/// Schemas by name, in order.
struct Named(Vec<(String, SchemaNode)>);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamedVisitor;

        impl<'de> Visitor<'de> for NamedVisitor {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of schemas")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
                let mut named = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    named.push(entry);
                }
                Ok(Named(named))
            }
        }

        deserializer.deserialize_map(NamedVisitor)
    }
}

/// One type or several.
struct TypeNames(Vec<ValueType>);

impl<'de> Deserialize<'de> for TypeNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TypesVisitor;

        impl<'de> Visitor<'de> for TypesVisitor {
            type Value = TypeNames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a type, or an array of such names")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<TypeNames, E> {
                let kind = type_named(name).ok_or_else(|| E::custom("is not a type of JSON Schema"))?;
                Ok(TypeNames(vec![kind]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<TypeNames, A::Error> {
                let mut types = Vec::new();
                while let Some(TypeNames(more)) = seq.next_element()? {
                    types.extend(more);
                }
                Ok(TypeNames(types))
            }
        }

        deserializer.deserialize_any(TypesVisitor)
    }
}

/// Returns a type by its name, in capitals too, as Gemini has it.
fn type_named(name: &str) -> Option<ValueType> {
    Some(match name.to_ascii_lowercase().as_str() {
        "null" => ValueType::Null,
        "boolean" => ValueType::Boolean,
        "integer" => ValueType::Integer,
        "number" => ValueType::Number,
        "string" => ValueType::String,
        "array" => ValueType::Array,
        "object" => ValueType::Object,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(schema: &Value) -> SchemaNode {
        serde_json::from_value(schema.clone()).expect("a schema")
    }

    #[test]
    fn what_matters_is_read_and_the_rest_is_ignored() {
        let node = read(&json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Meal", "type": "object",
            "additionalProperties": false, "required": ["items"],
            "properties": {"items": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Food"}}, "any": true},
            "$defs": {"Food": {"type": "OBJECT", "properties": {"unit": {"enum": ["g", "ml"]}}}},
        }));
        assert_eq!(node.types, [ValueType::Object]);
        let items = node.properties.iter().find(|property| property.name == "items").expect("it is there");
        assert!(items.node.is_nullable() && items.node.allows(ValueType::Array));
        let food = node.follow(items.node.items.as_deref().expect("elements")).expect("it is defined");
        assert_eq!(food.properties[0].node.values, ["g", "ml"]);
        assert!(node.check("schema").is_ok());
    }

    #[test]
    fn references_that_lead_nowhere_are_found_out() {
        let node =
            read(&json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}));
        assert_eq!(node.follow(&node), None);
        let node = read(&json!({"$ref": "https://example.com/schema"}));
        assert_eq!(node.follow(&node), None);
    }

    #[test]
    fn bad_and_huge_schemas_are_refused() {
        for schema in [json!({"type": "meal"}), json!({"properties": []}), json!({"required": "name"}), json!("x")] {
            assert!(serde_json::from_value::<SchemaNode>(schema.clone()).is_err(), "{schema}");
        }
        let deep = (0..40).fold(json!({"type": "string"}), |inner, _| json!({"type": "array", "items": inner}));
        assert_eq!(read(&deep).check("s").expect_err("too deep").param.as_deref(), Some("s"));
        let wide: serde_json::Map<String, Value> =
            (0..1_001).map(|count| (format!("p{count}"), json!({"type": "string"}))).collect();
        assert!(read(&json!({"properties": wide})).check("s").is_err());
    }
}
