//! What a key may do.

use std::fmt;

/// One permission.
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

    /// The name as callers write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::Upload => "upload",
            Self::FoodsRead => "foods:read",
            Self::RecipesRead => "recipes:read",
            Self::RecipesWrite => "recipes:write",
        }
    }

    /// The scope of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Stored in databases: the numbers never change.
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

impl Scopes {
    /// Every permission.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Whether this permission is in the set.
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// The set of these names; the first name that is none is the error.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        names.into_iter().map(|name| Scope::from_name(name).ok_or_else(|| name.to_owned())).collect()
    }

    /// The names in the set, in their usual order.
    pub fn names(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.contains(*scope)).map(Scope::name).collect()
    }

    /// Whether the set holds nothing.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn bits(self) -> i64 {
        i64::from(self.0)
    }

    /// Bits that this program does not know are permissions it cannot grant.
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
