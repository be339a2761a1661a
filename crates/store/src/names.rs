//! Reading a value of a small set by its name.

/// The error for a text that names none of a set of values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {name:?}; expected {}", .expected.join(", "))]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    expected: Vec<&'static str>,
}

/// Returns the value of this name.
pub(crate) fn parse<T: Copy>(
    kind: &'static str,
    name: &str,
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> Result<T, UnknownName> {
    let found = all.iter().copied().find(|value| name_of(*value) == name);
    found.ok_or_else(|| UnknownName {
        kind,
        name: name.to_owned(),
        expected: all.iter().map(|value| name_of(*value)).collect(),
    })
}
