//! What words mean beside other foods.

/// What a word means beside certain foods.
#[derive(Debug, PartialEq)]
pub struct BesideRow {
    /// The word.
    pub word: &'static str,
    /// Words of the names and categories of the foods beside it.
    with: Vec<&'static str>,
    /// Words of those that are not meant although they have one of these.
    except: Vec<&'static str>,
    /// The everyday name to read instead.
    pub name: &'static str,
}

impl BesideRow {
    /// Reads a row: the word, words of what is beside it, words of what is not meant, and the name.
    pub fn parse(row: &'static str) -> Option<Self> {
        let mut columns = row.split('\t');
        let word = columns.next()?;
        let mut words = || columns.next().map(|words| words.split(' ').collect());
        let (with, except) = (words()?, words()?);
        Some(Self { word, with, except, name: columns.next()? })
    }

    /// Checks whether a food is one of those, by the words of its name and its category.
    pub fn is_beside(&self, words: &[String]) -> bool {
        let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
        has(&self.with) && !has(&self.except)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::language::{ENGLISH, rows};

    #[test]
    fn every_row_is_read() {
        for row in rows(ENGLISH.beside) {
            assert!(BesideRow::parse(row).is_some(), "expected a word, two lists of words and a name in {row:?}");
        }
    }

    #[test]
    fn what_is_not_meant_wins() {
        let row = BesideRow::parse("chips\tbeef fish\tsandwich\thot chips").expect("a row");
        let is_beside = |words: &[&str]| row.is_beside(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(is_beside(&["beef", "stew"]));
        assert!(!is_beside(&["beef", "sandwich"]) && !is_beside(&["apple"]));
    }
}
