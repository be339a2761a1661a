//! JSON bodies: read into the types that the OpenAPI document describes, with errors that name the field at fault.
//!
//! serde reports what it expected and [`serde_path_to_error`] where; [`read`] turns both into the contract's error, which
//! never repeats what the caller sent. A type adds its own rules with `serde::de::Error::custom`, as the end of a sentence
//! whose beginning is the field: "may have at most 50 entries".

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::error::ApiError;

/// Reads a body that must be a JSON object, whatever its content type says.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(ApiError::bad_request("invalid_json", "The request has no body; a JSON object is expected."));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let Object(value) = serde_path_to_error::deserialize(&mut json).map_err(refusal)?;
    json.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

fn refusal(error: serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let is_root = error.path().iter().len() == 0;
    let path = if is_root { String::new() } else { error.path().to_string() };
    let error = error.into_inner();
    if !error.is_data() {
        return not_json(&error);
    }
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&position).unwrap_or(&text);
    // serde reports these two of the object, not of the field.
    for (start, problem) in [("missing field `", "is missing"), ("duplicate field `", "is given twice")] {
        if let Some(field) = text.strip_prefix(start).and_then(|rest| rest.strip_suffix('`')) {
            let param = if is_root { field.to_owned() } else { format!("{path}.{field}") };
            let message = format!("“{param}” {problem}.");
            return ApiError::bad_field(param, message);
        }
    }
    if is_root {
        return ApiError::bad_request("invalid_json", "The request body must be a JSON object.");
    }
    let message = match text.rsplit_once(", expected ") {
        Some((_, expected)) => format!("“{path}” must be {}.", in_words(expected)),
        None => format!("“{path}” {text}."),
    };
    ApiError::bad_field(path, message)
}

/// Says where the JSON breaks, never what is there.
fn not_json(error: &serde_json::Error) -> ApiError {
    let (line, column) = (error.line(), error.column());
    let what = if error.is_eof() { "ends too early" } else { "is not valid JSON" };
    ApiError::bad_request("invalid_json", format!("The request body {what} (line {line}, column {column})."))
}

/// Replaces the names of Rust's types.
fn in_words(expected: &str) -> &str {
    match expected {
        "f64" => "a number",
        "a sequence" => "an array",
        other => other,
    }
}

/// A JSON object. What serde derives for a struct would also take an array of its fields.
pub(super) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// An array that is read no further than its longest allowed length.
pub(super) struct Bounded<T, const MAX: usize>(pub Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Bounded<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BoundedVisitor<T, const MAX: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for BoundedVisitor<T, MAX> {
            type Value = Bounded<T, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while list.len() < MAX {
                    let Some(value) = seq.next_element()? else { return Ok(Bounded(list)) };
                    list.push(value);
                }
                match seq.next_element::<IgnoredAny>()? {
                    Some(_) => Err(A::Error::custom(format_args!("may have at most {MAX} entries"))),
                    None => Ok(Bounded(list)),
                }
            }
        }

        deserializer.deserialize_seq(BoundedVisitor(PhantomData))
    }
}

/// Reads an array of at most `MAX` objects.
pub(super) fn objects<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let Bounded(list) = Bounded::<Object<T>, MAX>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|Object(value)| value).collect())
}

/// Reads an array of at most `MAX` objects; `null` is none.
pub(super) fn optional_objects<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list: Option<Bounded<Object<T>, MAX>> = Option::deserialize(deserializer)?;
    Ok(list.map(|Bounded(list)| list.into_iter().map(|Object(value)| value).collect()))
}

/// Reads one of a few values by its name.
pub(super) fn named<'de, D, T, const N: usize>(deserializer: D, values: [(&'static str, T); N]) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    struct NameVisitor<T, const N: usize>([(&'static str, T); N]);

    impl<T, const N: usize> Visitor<'_> for NameVisitor<T, N> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (at, (name, _)) in self.0.iter().enumerate() {
                let joint = if at == 0 {
                    ""
                } else if at + 1 == N {
                    " or "
                } else {
                    ", "
                };
                write!(f, "{joint}“{name}”")?;
            }
            Ok(())
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            match self.0.iter().position(|(name, _)| *name == text) {
                Some(at) => Ok(self.0.into_iter().nth(at).map(|(_, value)| value).expect("a position in the list")),
                None => Err(E::invalid_value(Unexpected::Str(text), &self)),
            }
        }
    }

    deserializer.deserialize_str(NameVisitor(values))
}

/// Reads a whole number, or `null`. In JSON `2` and `2.0` are the same number.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    struct WholeNumberVisitor;

    impl Visitor<'_> for WholeNumberVisitor {
        type Value = Option<usize>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number")
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
            Ok(Some(usize::try_from(number).unwrap_or(usize::MAX)))
        }

        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, and a larger one becomes the largest"
        )]
        fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
            if number.fract() == 0.0 && number >= 0.0 {
                Ok(Some(number as usize))
            } else {
                Err(E::invalid_value(Unexpected::Float(number), &self))
            }
        }
    }

    deserializer.deserialize_any(WholeNumberVisitor)
}

/// Reads an array of names, or `null`, one after the other into a set; `add` returns what is wrong with a name.
pub(super) fn names<'de, D, S>(deserializer: D, add: fn(&mut S, &str) -> Result<(), String>) -> Result<S, D::Error>
where
    D: Deserializer<'de>,
    S: Default,
{
    struct NamesVisitor<S>(fn(&mut S, &str) -> Result<(), String>);

    impl<'de, S: Default> Visitor<'de> for NamesVisitor<S> {
        type Value = S;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of names")
        }

        fn visit_unit<E: Error>(self) -> Result<S, E> {
            Ok(S::default())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<S, A::Error> {
            let mut set = S::default();
            while let Some(name) = seq.next_element::<String>()? {
                self.0(&mut set, &name).map_err(A::Error::custom)?;
            }
            Ok(set)
        }
    }

    deserializer.deserialize_any(NamesVisitor(add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Parcel {
        #[serde(deserialize_with = "objects::<_, _, 3>")]
        boxes: Vec<Content>,
        weight: Option<f64>,
    }

    #[derive(Debug, Deserialize)]
    struct Content {
        name: String,
        #[serde(default, deserialize_with = "tags")]
        tags: Vec<String>,
    }

    fn tags<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        names(deserializer, |tags: &mut Vec<String>, name| {
            tags.push(name.to_owned());
            if name == "lost" { Err("cannot have “lost”".to_owned()) } else { Ok(()) }
        })
    }

    fn error(body: &str) -> (&'static str, Option<String>, String) {
        let error = read::<Parcel>(body.as_bytes()).expect_err(body);
        (error.code, error.param, error.message)
    }

    #[test]
    fn good_bodies_are_read_and_unknown_fields_are_ignored() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let body = format!(r#" {{"boxes": [{{"name": "a", "tags": null}}], "weight": null, "note": {deep}}} "#);
        let parcel: Parcel = read(body.as_bytes()).expect("good");
        assert_eq!((parcel.boxes[0].name.as_str(), parcel.boxes[0].tags.len(), parcel.weight), ("a", 0, None));
    }

    #[test]
    fn the_field_at_fault_is_named_and_what_was_sent_is_not_repeated() {
        for (body, param, message) in [
            ("{}", "boxes", "“boxes” is missing."),
            (r#"{"boxes": "secret, expected"}"#, "boxes", "“boxes” must be an array."),
            (r#"{"boxes": null}"#, "boxes", "“boxes” must be an array."),
            (r#"{"boxes": [], "boxes": []}"#, "boxes", "“boxes” is given twice."),
            (r#"{"boxes": [], "weight": "5"}"#, "weight", "“weight” must be a number."),
            (r#"{"boxes": [["a", []]]}"#, "boxes[0]", "“boxes[0]” must be an object."),
            (r#"{"boxes": [{"name": "a"}, {}]}"#, "boxes[1].name", "“boxes[1].name” is missing."),
            (r#"{"boxes": [{"name": 5}]}"#, "boxes[0].name", "“boxes[0].name” must be a string."),
            (r#"{"boxes": [{}, {}, {}, {}]}"#, "boxes[0].name", "“boxes[0].name” is missing."),
            (
                r#"{"boxes": [{"name": "a"}, {"name": "a"}, {"name": "a"}, 4, 5]}"#,
                "boxes",
                "“boxes” may have at most 3 entries.",
            ),
            (
                r#"{"boxes": [{"name": "a", "tags": ["x", "lost"]}]}"#,
                "boxes[0].tags",
                "“boxes[0].tags” cannot have “lost”.",
            ),
        ] {
            assert_eq!(error(body), ("invalid_request", Some(param.to_owned()), message.to_owned()), "{body}");
        }
    }

    #[test]
    fn what_is_not_a_json_object_is_refused() {
        for (body, message) in [
            ("", "The request has no body; a JSON object is expected."),
            ("[]", "The request body must be a JSON object."),
            ("null", "The request body must be a JSON object."),
            ("{", "The request body ends too early (line 1, column 1)."),
            ("{\"boxes\": [}", "The request body is not valid JSON (line 1, column 12)."),
            ("{\"boxes\": []} x", "The request body is not valid JSON (line 1, column 15)."),
        ] {
            assert_eq!(error(body), ("invalid_json", None, message.to_owned()), "{body}");
        }
    }
}
