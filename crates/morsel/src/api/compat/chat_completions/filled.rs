//! Values that are written as JSON, with the properties of objects in their order.

use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A value that fits a schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Filled {
    /// A number. Whole ones are written without a decimal point.
    Number(f64),
    /// A text.
    Text(String),
    /// The elements of an array.
    List(Vec<Filled>),
    /// The properties of an object.
    Object(Vec<(String, Filled)>),
    /// A value from the schema itself, `null`, `true` or `false`.
    Plain(Value),
}

/// Whole numbers up to this size are written without a decimal point.
const MAX_WHOLE: f64 = 1e15;

impl Serialize for Filled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "whole and small enough")]
            Self::Number(number) if number.fract() == 0.0 && number.abs() < MAX_WHOLE => {
                serializer.serialize_i64(*number as i64)
            }
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(elements) => {
                let mut list = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    list.serialize_element(element)?;
                }
                list.end()
            }
            Self::Object(properties) => {
                let mut object = serializer.serialize_map(Some(properties.len()))?;
                for (name, value) in properties {
                    object.serialize_entry(name, value)?;
                }
                object.end()
            }
            Self::Plain(value) => value.serialize(serializer),
        }
    }
}
