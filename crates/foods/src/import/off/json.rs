//! A line of the JSON export. Anyone can fill in its fields, so each may be a number, a string or something else.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::product::{Product, VALUES, category_from_tags};
use crate::import::check;
use crate::import::ranked::Ranked;

/// The fields of a line that are imported.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct JsonFields {
    code: Scalar,
    product_name: Scalar,
    product_name_en: Scalar,
    generic_name: Scalar,
    brands: Scalar,
    categories_tags: Tags,
    serving_size: Scalar,
    serving_quantity: Scalar,
    nutriments: Nutriments,
}

/// Parses a line; `None` if it is not a JSON object.
pub(super) fn parse(line: &[u8]) -> Option<Product> {
    let fields: JsonFields = serde_json::from_slice(line).ok()?;
    Some(Product {
        code: fields.code.text(),
        names: [fields.product_name_en.text(), fields.product_name.text(), fields.generic_name.text()],
        brands: fields.brands.text(),
        category: fields.categories_tags.0,
        serving_size: fields.serving_size.text(),
        serving_quantity: fields.serving_quantity.number(),
        values: fields.nutriments.0,
    })
}

/// A string or a number; anything else is ignored.
#[derive(Default)]
enum Scalar {
    Text(String),
    Number(f64),
    #[default]
    Nothing,
}

impl Scalar {
    fn text(self) -> String {
        match self {
            Scalar::Text(text) => text,
            Scalar::Number(number) => number.to_string(),
            Scalar::Nothing => String::new(),
        }
    }

    fn number(&self) -> Option<f32> {
        match self {
            Scalar::Text(text) => check::number(text),
            Scalar::Number(number) => Some(*number as f32),
            Scalar::Nothing => None,
        }
    }
}

/// Implements the visits that ignore a value, so that no type of value is an error.
macro_rules! nothing_from {
    (bool) => {
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (unit) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (numbers) => {
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (text) => {
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (seq) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
    (map) => {
        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a number")
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(text.trim().to_owned()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number as f64))
    }

    nothing_from!(bool);
    nothing_from!(unit);
    nothing_from!(seq);
    nothing_from!(map);
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// The category in a list of tags.
#[derive(Default)]
struct Tags(Option<String>);

struct TagsVisitor;

impl<'de> Visitor<'de> for TagsVisitor {
    type Value = Tags;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tags")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tags, A::Error> {
        let mut tags = Vec::new();
        while let Some(tag) = items.next_element::<Scalar>()? {
            tags.push(tag.text());
        }
        Ok(Tags(category_from_tags(tags.iter().map(String::as_str))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tags, E> {
        Ok(Tags(category_from_tags(text.split(','))))
    }

    nothing_from!(bool);
    nothing_from!(unit);
    nothing_from!(numbers);
    nothing_from!(map);
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TagsVisitor)
    }
}

/// The values among about a hundred entries, most of which are ignored.
#[derive(Default)]
struct Nutriments(Ranked);

struct NutrimentsVisitor;

impl<'de> Visitor<'de> for NutrimentsVisitor {
    type Value = Nutriments;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Nutriments, A::Error> {
        let mut values = Ranked::default();
        while let Some(ValueKey(place)) = entries.next_key()? {
            match place {
                None => {
                    entries.next_value::<IgnoredAny>()?;
                }
                Some(index) => {
                    if let Some(value) = entries.next_value::<Scalar>()?.number() {
                        Product::add_value(&mut values, index, value);
                    }
                }
            }
        }
        Ok(Nutriments(values))
    }

    nothing_from!(bool);
    nothing_from!(unit);
    nothing_from!(numbers);
    nothing_from!(text);
    nothing_from!(seq);
}

impl<'de> Deserialize<'de> for Nutriments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NutrimentsVisitor)
    }
}

/// The index of a key in [`VALUES`], found without allocating the key.
struct ValueKey(Option<usize>);

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = ValueKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<ValueKey, E> {
        let wanted = key.ends_with("_100g");
        Ok(ValueKey(VALUES.iter().position(|(name, ..)| wanted && *name == key)))
    }
}

impl<'de> Deserialize<'de> for ValueKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(KeyVisitor)
    }
}
