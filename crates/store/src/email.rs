//! Email addresses, in the one form in which they are stored and compared.

use std::fmt;

/// A trimmed, lowercased address. Whether it exists only a mail can tell; this much is checked that it can be one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// Reads an address: one `@` with something on both sides, at most 254 characters, no spaces or control characters.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let (user, host) = text.split_once('@')?;
        let is_possible = !user.is_empty()
            && !host.is_empty()
            && !host.contains('@')
            && text.chars().count() <= 254
            && !text.chars().any(|c| c.is_whitespace() || c.is_control());
        is_possible.then_some(Self(text))
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
