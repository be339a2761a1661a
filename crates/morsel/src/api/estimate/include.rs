//! What an answer shows beyond the contract's fields, by name.

use std::fmt;
use std::str::FromStr;

/// Something that an answer shows only when it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Extra {
    /// Which food of the catalog the numbers come from.
    Source,
    /// What the amount weighs and how that is known.
    Grams,
    /// Between which values the truth probably lies.
    Range,
    /// How sure the numbers are.
    Tier,
    /// Other foods that may be meant.
    Alternatives,
    /// Everything else that is known of the food.
    Nutrients,
    /// The saved recipe that was used; absent from items that come from the catalog.
    Recipe,
    /// Words that were understood as food but not resolved.
    Unresolved,
}

impl Extra {
    /// Every extra, in the order in which answers show them.
    pub const ALL: [Extra; 8] = [
        Extra::Source,
        Extra::Grams,
        Extra::Range,
        Extra::Tier,
        Extra::Alternatives,
        Extra::Nutrients,
        Extra::Recipe,
        Extra::Unresolved,
    ];

    /// The name by which it is asked for, and the key under which it appears.
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
        }
    }
}

/// What an answer shows beyond the contract's fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include(u8);

impl Include {
    /// The extras of these names, in any order; a name that comes twice counts once.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownInclude> {
        let mut include = Self::default();
        for name in names {
            let known = Extra::ALL.into_iter().find(|extra| extra.name() == name);
            let extra = known.ok_or_else(|| UnknownInclude(name.to_owned()))?;
            include.0 |= 1 << extra as u8;
        }
        Ok(include)
    }

    /// Whether this was asked for.
    pub const fn has(self, extra: Extra) -> bool {
        self.0 & (1 << extra as u8) != 0
    }

    /// What was asked for here or there.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The value, where it was asked for.
    pub(super) fn then<T>(self, extra: Extra, value: impl FnOnce() -> T) -> Option<T> {
        self.has(extra).then(value)
    }
}

impl FromStr for Include {
    type Err = UnknownInclude;

    /// Reads a comma list: "grams,tier".
    fn from_str(list: &str) -> Result<Self, Self::Err> {
        Self::from_names(list.split(',').map(str::trim).filter(|name| !name.is_empty()))
    }
}

/// A name that nothing goes by. The message lists those that exist, since a typo is the usual reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownInclude(pub String);

impl fmt::Display for UnknownInclude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Extra::ALL.map(Extra::name).join(", ");
        write!(f, "“{}” cannot be included; what can be: {known}", self.0)
    }
}

impl std::error::Error for UnknownInclude {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_in_any_order_and_a_typo_is_told() {
        let include: Include = " tier, grams,tier,".parse().expect("known names");
        let asked: Vec<&str> = Extra::ALL.into_iter().filter(|extra| include.has(*extra)).map(Extra::name).collect();
        assert_eq!(asked, ["grams", "tier"]);
        assert_eq!("".parse(), Ok(Include::default()));
        let error = "grams,ranges".parse::<Include>().expect_err("no such name").to_string();
        assert!(error.contains("“ranges”") && error.contains("source, grams, range, tier"), "{error}");
    }
}
