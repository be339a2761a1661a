//! What a response shows beyond the contract's fields, by name.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Something that a response shows only on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Extra {
    /// Which food of the catalog the numbers come from.
    Source,
    /// What the amount weighs, and how the weight was found.
    Grams,
    /// Low and high ends between which the true values probably are.
    Range,
    /// How sure the numbers are.
    Tier,
    /// Other foods that may be meant.
    Alternatives,
    /// All known nutrients of the food.
    Nutrients,
    /// The saved recipe that was used; absent from items that come from the catalog.
    Recipe,
    /// Words that were understood as food but not resolved.
    Unresolved,
    /// The language that the texts were understood in.
    Language,
}

impl Extra {
    /// Every extra, in the order in which responses show them.
    pub const ALL: [Extra; 9] = [
        Extra::Source,
        Extra::Grams,
        Extra::Range,
        Extra::Tier,
        Extra::Alternatives,
        Extra::Nutrients,
        Extra::Recipe,
        Extra::Unresolved,
        Extra::Language,
    ];

    /// Returns the name by which it is requested, which is also its key in the response.
    pub const fn name(self) -> &'static str {
        match self {
            Extra::Source => "source",
            Extra::Grams => "grams",
            Extra::Range => "range",
            Extra::Tier => "tier",
            Extra::Alternatives => "alternatives",
            Extra::Nutrients => "nutrients",
            Extra::Recipe => "recipe",
            Extra::Unresolved => "unresolved",
            Extra::Language => "language",
        }
    }
}

/// The extras that a response shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include(u16);

impl Include {
    /// Returns these extras.
    pub fn of(extras: impl IntoIterator<Item = Extra>) -> Self {
        extras.into_iter().fold(Self::default(), Self::with)
    }

    /// Returns whether this extra is shown.
    pub const fn has(self, extra: Extra) -> bool {
        self.0 & (1 << extra as u8) != 0
    }

    /// Returns the extras of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the value if its extra is shown.
    pub(crate) fn then<T>(self, extra: Extra, value: impl FnOnce() -> T) -> Option<T> {
        self.has(extra).then(value)
    }

    const fn with(self, extra: Extra) -> Self {
        Self(self.0 | 1 << extra as u8)
    }

    /// Adds the extra with a name.
    pub fn add(&mut self, name: &str) -> Result<(), UnknownInclude> {
        let extra = Extra::ALL.into_iter().find(|extra| extra.name() == name);
        *self = self.with(extra.ok_or_else(|| UnknownInclude(name.to_owned()))?);
        Ok(())
    }
}

impl FromStr for Include {
    type Err = UnknownInclude;

    /// Reads a list like "grams,tier", in any order.
    fn from_str(list: &str) -> Result<Self, Self::Err> {
        let mut include = Self::default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            include.add(name)?;
        }
        Ok(include)
    }
}

impl<'de> Deserialize<'de> for Include {
    /// Reads an array of names, or `null`. Errors are the end of a sentence that starts with the field.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamesVisitor;

        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = Include;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of names")
            }

            fn visit_unit<E: Error>(self) -> Result<Include, E> {
                Ok(Include::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Include, A::Error> {
                let mut include = Include::default();
                while let Some(name) = names.next_element::<String>()? {
                    include.add(&name).map_err(|unknown| A::Error::custom(format_args!("has an {unknown}")))?;
                }
                Ok(include)
            }
        }

        deserializer.deserialize_any(NamesVisitor)
    }
}

/// A name that no extra has. The message lists the names that exist, since the usual cause is a typo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownInclude(pub String);

impl fmt::Display for UnknownInclude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Extra::ALL.map(Extra::name).join(", ");
        write!(f, "unknown name “{}”; choose from {known}", self.0)
    }
}

impl std::error::Error for UnknownInclude {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_in_any_order_and_a_typo_is_named() {
        let include: Include = " tier, grams,tier,".parse().expect("known names");
        let asked: Vec<&str> = Extra::ALL.into_iter().filter(|extra| include.has(*extra)).map(Extra::name).collect();
        assert_eq!(asked, ["grams", "tier"]);
        assert_eq!("".parse(), Ok(Include::default()));
        let error = "grams,ranges".parse::<Include>().expect_err("no such name").to_string();
        assert!(error.contains("“ranges”") && error.contains("source, grams, range, tier"), "{error}");
    }
}
