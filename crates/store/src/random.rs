//! Randomness as a parameter: the operating system's in production, a seeded one in tests.

use sha2::{Digest, Sha256};

/// A source of random bytes for ids, keys and tokens.
#[derive(Debug)]
pub struct Rng(RandomSource);

#[derive(Debug)]
enum RandomSource {
    System,
    Seeded { seed: u64, drawn: u64 },
}

impl Rng {
    /// Returns the operating system's generator, the only one for real keys. Creating it costs nothing: write
    /// `&mut Rng::system()` wherever one is needed.
    pub fn system() -> Self {
        Self(RandomSource::System)
    }

    /// Returns a generator with the same sequence for the same seed, for tests.
    pub fn seeded(seed: u64) -> Self {
        Self(RandomSource::Seeded { seed, drawn: 0 })
    }

    /// Draws 32 random bytes.
    pub fn bytes(&mut self) -> [u8; 32] {
        match &mut self.0 {
            RandomSource::System => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).expect("the operating system has randomness once it has started");
                bytes
            }
            RandomSource::Seeded { seed, drawn } => {
                *drawn += 1;
                Sha256::new().chain_update(seed.to_le_bytes()).chain_update(drawn.to_le_bytes()).finalize().into()
            }
        }
    }
}
