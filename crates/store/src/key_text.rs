//! The secret text of a key: `svc_live_` or `svc_test_`, 30 random characters, 6 of checksum.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::{Rng, base62};

const RANDOM_LENGTH: usize = 30;
const CHECKSUM_LENGTH: usize = 6;
/// How much of a key may be shown: the mode and four characters.
const SHOWN_LENGTH: usize = 13;

/// Whether a key is for real use or for trying out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `svc_live_…`
    Live,
    /// `svc_test_…`
    Test,
}

/// The whole key, as only its owner has it. The store keeps its hash; `Debug` shows no more than the dashboard does.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyText(String);

impl Mode {
    /// The name: `live` or `test`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Live, Self::Test].into_iter().find(|mode| mode.name() == name)
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Live => "svc_live_",
            Self::Test => "svc_test_",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl KeyText {
    /// A new key with 178 random bits.
    pub fn generate(mode: Mode, rng: &mut Rng) -> Self {
        let mut text = format!("{}{}", mode.prefix(), base62::random(RANDOM_LENGTH, rng));
        text += &checksum(&text);
        Self(text)
    }

    /// The key in this text, if form and checksum are right: a mistyped key is refused without a look-up.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(Mode::Live.prefix()).or_else(|| text.strip_prefix(Mode::Test.prefix()))?;
        if rest.len() != RANDOM_LENGTH + CHECKSUM_LENGTH || !base62::is_base62(rest) {
            return None;
        }
        let (before, given) = text.split_at(text.len() - CHECKSUM_LENGTH);
        (checksum(before) == given).then(|| Self(text.to_owned()))
    }

    /// The secret itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored and looked up. No salt and no slow hash: the text has 178 random bits, nothing can be guessed.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// Whether the key is live or for tests.
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
