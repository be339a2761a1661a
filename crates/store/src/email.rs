//! Email addresses, in the form in which they are stored and compared.

use std::fmt;

/// A trimmed, lowercased address of plausible form. Whether it exists is not checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// Parses an address: one `@` with text on both sides, at most 254 characters, no spaces or control characters.
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

    /// Returns the address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
