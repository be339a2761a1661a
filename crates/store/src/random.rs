//! Randomness as a parameter: the operating system's in the program, a seeded one in tests.

use sha2::{Digest, Sha256};

/// A source of random bytes for ids, keys and tokens.
#[derive(Debug)]
pub struct Rng(Source);

#[derive(Debug)]
enum Source {
    System,
    Seeded { seed: u64, drawn: u64 },
}

impl Rng {
    /// The operating system's generator, the only one for real keys. Costs nothing to make: `&mut Rng::system()` may
    /// stand where it is needed.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// The same sequence for the same seed, for tests.
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded { seed, drawn: 0 })
    }

    /// 32 random bytes.
    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        match &mut self.0 {
            Source::System => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).expect("the operating system has randomness once it has started");
                bytes
            }
            Source::Seeded { seed, drawn } => {
                *drawn += 1;
                Sha256::new().chain_update(seed.to_le_bytes()).chain_update(drawn.to_le_bytes()).finalize().into()
            }
        }
    }
}
