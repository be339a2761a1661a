//! The secret text of a key: `svc_live_` or `svc_test_`, 30 random characters, 6 characters of checksum.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::base62;
use crate::names::{self, UnknownName};
use crate::random::Rng;

const RANDOM_LENGTH: usize = 30;
const CHECKSUM_LENGTH: usize = 6;
/// How much of a key may be shown: the mode and four characters.
const SHOWN_LENGTH: usize = 13;

/// Whether a key is for production or for testing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `svc_live_…`
    Live,
    /// `svc_test_…`
    Test,
}

/// The whole key, which only its owner has. The store holds its hash; `Debug` shows no more than the dashboard does.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyText(String);

impl Mode {
    /// Returns the name: `live` or `test`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Live => "svc_live_",
            Self::Test => "svc_test_",
        }
    }
}

impl FromStr for Mode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        names::parse("mode", name, &[Self::Live, Self::Test], Self::name)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl KeyText {
    /// Generates a key with 178 random bits.
    pub fn generate(mode: Mode, rng: &mut Rng) -> Self {
        let mut text = format!("{}{}", mode.prefix(), base62::random(RANDOM_LENGTH, rng));
        text += &checksum(&text);
        Self(text)
    }

    /// Parses a key; `None` if its form or checksum is wrong, so that a mistyped key is rejected without a look-up.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(Mode::Live.prefix()).or_else(|| text.strip_prefix(Mode::Test.prefix()))?;
        if rest.len() != RANDOM_LENGTH + CHECKSUM_LENGTH || !base62::is_base62(rest) {
            return None;
        }
        let (before, given) = text.split_at(text.len() - CHECKSUM_LENGTH);
        (checksum(before) == given).then(|| Self(text.to_owned()))
    }

    /// Returns the secret.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash that is stored and looked up. No salt and no slow hash: 178 random bits cannot be guessed.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// Returns whether the key is live or for tests.
    pub fn mode(&self) -> Mode {
        if self.0.starts_with(Mode::Live.prefix()) { Mode::Live } else { Mode::Test }
    }

    pub(crate) fn shown_prefix(&self) -> &str {
        &self.0[..SHOWN_LENGTH]
    }

    pub(crate) fn last_four(&self) -> &str {
        &self.0[self.0.len() - 4..]
    }
}

impl fmt::Debug for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyText({}…{})", self.shown_prefix(), self.last_four())
    }
}

fn checksum(text: &str) -> String {
    base62::number(crc32fast::hash(text.as_bytes()), CHECKSUM_LENGTH)
}
