//! The corpus, and the loop over it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::mutate::mutate;
use crate::random::Random;

/// Mutations in an ordinary test run.
const CASES: usize = 150;

/// The inputs that a target is tried with.
#[derive(Clone, Debug)]
pub struct Corpus {
    folder: PathBuf,
    seeds: Vec<Vec<u8>>,
    words: Vec<&'static str>,
    max_bytes: usize,
    cases: usize,
}

impl Corpus {
    /// The files of a folder. It need not exist before the first find.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref().to_owned();
        Self { folder, seeds: Vec::new(), words: Vec::new(), max_bytes: 20_000, cases: CASES }
    }

    /// Adds inputs that a test makes.
    #[must_use]
    pub fn seeds(mut self, seeds: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.seeds.extend(seeds);
        self
    }

    /// Adds words that inputs are made of.
    #[must_use]
    pub fn words(mut self, words: impl IntoIterator<Item = &'static str>) -> Self {
        self.words.extend(words);
        self
    }

    /// Limits the length of an input.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Sets the number of mutations in an ordinary run.
    #[must_use]
    pub fn cases(mut self, cases: usize) -> Self {
        self.cases = cases;
        self
    }

    /// Returns the inputs: the corpus as it is, and then mutations.
    pub fn inputs(self) -> Inputs {
        let mut pool: Vec<Vec<u8>> = files(&self.folder).into_iter().chain(self.seeds.clone()).collect();
        if pool.is_empty() {
            pool.push(Vec::new());
        }
        let number = |name: &str| env::var(name).ok()?.parse::<u64>().ok();
        let until = number("FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let random = Random::new(number("FUZZ_SEED").unwrap_or(1));
        let kept = pool.len();
        Inputs { corpus: self, pool, kept, random, until, tried: 0, current: Vec::new(), features: HashSet::new() }
    }
}

/// Reads the files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// Inputs, one after the other.
#[derive(Debug)]
pub struct Inputs {
    corpus: Corpus,
    /// What mutations are made from: the corpus, and inputs that did something new.
    pool: Vec<Vec<u8>>,
    /// How many of them are from the corpus.
    kept: usize,
    random: Random,
    until: Option<Instant>,
    tried: usize,
    current: Vec<u8>,
    features: HashSet<u64>,
}

impl Inputs {
    /// Says what the last input led to, for example the kinds of items or the code of an error. An input that led to something
    /// new is mutated further.
    pub fn led_to(&mut self, feature: impl Hash) {
        let mut hasher = DefaultHasher::new();
        feature.hash(&mut hasher);
        if self.features.insert(hasher.finish()) && self.tried > self.kept {
            self.pool.push(self.current.clone());
        }
    }
}

impl Iterator for Inputs {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let is_mutation = self.tried >= self.kept;
        let is_over = match self.until {
            Some(until) => Instant::now() > until,
            None => self.tried >= self.kept + self.corpus.cases,
        };
        if is_mutation && is_over {
            return None;
        }
        self.current = if is_mutation {
            let mut input = self.random.pick(&self.pool).cloned().unwrap_or_default();
            mutate(&mut input, &self.pool, &self.corpus.words, self.corpus.max_bytes, &mut self.random);
            input
        } else {
            self.pool[self.tried].clone()
        };
        self.tried += 1;
        Some(self.current.clone())
    }
}

impl Drop for Inputs {
    /// Keeps the input of a test that failed, and says how many there were in a long run.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut hasher = DefaultHasher::new();
            self.current.hash(&mut hasher);
            let path = self.corpus.folder.join(format!("find-{:016x}", hasher.finish()));
            let kept = fs::create_dir_all(&self.corpus.folder).and_then(|()| fs::write(&path, &self.current));
            eprintln!("the input that failed: {} ({kept:?})", path.display());
        } else if self.until.is_some() {
            let (tried, kinds) = (self.tried, self.features.len());
            eprintln!("{}: {tried} inputs, {kinds} kinds of results", self.corpus.folder.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_comes_first_and_finds_are_kept() {
        let folder = env::temp_dir().join(format!("fuzz-{}", std::process::id()));
        let corpus = || Corpus::new(&folder).seeds([b"seed".to_vec()]).cases(20);
        let mut inputs = corpus().inputs();
        assert_eq!(inputs.next(), Some(b"seed".to_vec()));
        assert_eq!(inputs.count(), 20);
        let failed = std::panic::catch_unwind(|| {
            for input in corpus().inputs() {
                assert!(input != b"seed", "as expected");
            }
        });
        assert!(failed.is_err());
        assert_eq!(files(&folder), [b"seed".to_vec()]);
        fs::remove_dir_all(&folder).expect("the folder is there");
    }
}
