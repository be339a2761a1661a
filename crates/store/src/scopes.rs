//! The permissions of a key.

use std::fmt;
use std::str::FromStr;

use crate::names::{self, UnknownName};

/// A permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `estimate`
    Estimate,
    /// `upload`
    Upload,
    /// `foods:read`
    FoodsRead,
    /// `recipes:read`
    RecipesRead,
    /// `recipes:write`
    RecipesWrite,
}

/// A set of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scopes(u8);

impl Scope {
    /// Every scope, in the order in which they are listed.
    pub const ALL: [Self; 5] = [Self::Estimate, Self::Upload, Self::FoodsRead, Self::RecipesRead, Self::RecipesWrite];

    /// Returns the name as callers write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::Upload => "upload",
            Self::FoodsRead => "foods:read",
            Self::RecipesRead => "recipes:read",
            Self::RecipesWrite => "recipes:write",
        }
    }

    /// Returns the bit under which the scope is stored; the numbers never change.
    fn bit(self) -> u8 {
        match self {
            Self::Estimate => 1,
            Self::Upload => 2,
            Self::FoodsRead => 4,
            Self::RecipesRead => 8,
            Self::RecipesWrite => 16,
        }
    }
}

impl FromStr for Scope {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        names::parse("scope", name, &Self::ALL, Self::name)
    }
}

impl Scopes {
    /// Returns the set of all scopes.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Returns whether the scope is in the set.
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Parses names; the error is the first one that is unknown.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        names.into_iter().map(|name| name.parse::<Scope>().map_err(|_| name.to_owned())).collect()
    }

    /// Returns the names in the set, in the order of [`Scope::ALL`].
    pub fn names(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.contains(*scope)).map(Scope::name).collect()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn bits(self) -> i64 {
        i64::from(self.0)
    }

    /// Reads stored bits. Bits of unknown scopes are dropped: this program cannot grant them.
    pub(crate) fn from_bits(bits: i64) -> Self {
        Self((bits & Self::all().bits()) as u8)
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(","))
    }
}
