//! The section of names in languages other than English.
//!
//! ```text
//! languages u32 · [code, 8 bytes · first row u32 · rows u32]… · [food u32 · start of the name u32]… · end u32 · names
//! ```
//!
//! The rows of a language are in the order of the foods, and a food's own name is before its synonyms. Nothing is parsed when a
//! catalog is opened: a look-up is a binary search, and the names of a language are one run of bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::error::CatalogError;
use crate::codec::u32_at;
use crate::food::LocalName;

/// The bytes of a language's code.
const MAX_CODE: usize = LocalName::MAX_LANGUAGE;
const HEAD: usize = 4;
const LANGUAGE_BYTES: usize = MAX_CODE + 8;
const ROW_BYTES: usize = 8;

/// The names of the foods of a catalog that is being written, by language.
#[derive(Debug, Default)]
pub(super) struct LocalNamesWriter {
    languages: BTreeMap<String, Vec<(u32, String)>>,
}

impl LocalNamesWriter {
    /// Adds the names of a food.
    pub fn add(&mut self, food: u32, names: &[LocalName]) {
        for LocalName { language, name } in names {
            if !language.is_empty() && language.len() <= MAX_CODE {
                self.languages.entry(language.clone()).or_default().push((food, name.clone()));
            }
        }
    }

    /// Returns the section; `renumbered` has the final number of every food, `u32::MAX` for those that were replaced.
    pub fn section(&self, renumbered: &[u32]) -> Result<Vec<u8>, CatalogError> {
        let mut languages = Vec::new();
        let (mut rows, mut names) = (Vec::new(), Vec::new());
        for (code, all) in &self.languages {
            let first = (rows.len() / ROW_BYTES) as u32;
            // Foods come in ascending order and are renumbered in the same.
            for (food, name) in all.iter().filter(|(food, _)| renumbered[*food as usize] != u32::MAX) {
                let start = u32::try_from(names.len()).map_err(|_| CatalogError::TooLarge)?;
                rows.extend_from_slice(&renumbered[*food as usize].to_le_bytes());
                rows.extend_from_slice(&start.to_le_bytes());
                names.extend_from_slice(name.as_bytes());
            }
            let mut padded = [0; MAX_CODE];
            padded[..code.len()].copy_from_slice(code.as_bytes());
            languages.extend_from_slice(&padded);
            languages.extend_from_slice(&first.to_le_bytes());
            languages.extend_from_slice(&((rows.len() / ROW_BYTES) as u32 - first).to_le_bytes());
        }
        let end = u32::try_from(names.len()).map_err(|_| CatalogError::TooLarge)?;
        let mut section = (self.languages.len() as u32).to_le_bytes().to_vec();
        section.extend(languages);
        section.extend(rows);
        section.extend_from_slice(&u32::MAX.to_le_bytes());
        section.extend_from_slice(&end.to_le_bytes());
        section.extend(names);
        Ok(section)
    }
}

/// The names in an opened catalog. Invalid bytes give no names, never a panic.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalNames<'a>(pub &'a [u8]);

impl<'a> LocalNames<'a> {
    /// Iterates over the codes of the languages, in the order of the alphabet.
    pub fn languages(self) -> impl Iterator<Item = &'a str> {
        (0..self.language_count()).filter_map(move |at| self.language(at)).map(|(code, _)| code)
    }

    /// Iterates over the names in a language with their foods, in the order of the foods.
    pub fn names_in(self, language: &str) -> impl Iterator<Item = (&'a str, u32)> + use<'a> {
        let rows = self.rows_of(language);
        rows.filter_map(move |row| Some((self.name(row)?, self.food(row)?)))
    }

    /// Iterates over the names of a food in a language, its own first.
    pub fn of_food(self, food: u32, language: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let rows = self.rows_of(language);
        let (mut low, mut high) = (rows.start, rows.end);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.food(middle).is_some_and(|known| known < food) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..rows.end).take_while(move |row| self.food(*row) == Some(food)).filter_map(move |row| self.name(row))
    }

    fn language_count(self) -> usize {
        let count = u32_at(self.0, 0).unwrap_or(0) as usize;
        count.min(self.0.len() / LANGUAGE_BYTES)
    }

    fn language(self, at: usize) -> Option<(&'a str, Range<usize>)> {
        let start = HEAD + at * LANGUAGE_BYTES;
        let code = self.0.get(start..start + MAX_CODE)?;
        let code = std::str::from_utf8(code).ok()?.trim_end_matches('\0');
        let first = u32_at(self.0, start + MAX_CODE)? as usize;
        let count = u32_at(self.0, start + MAX_CODE + 4)? as usize;
        let most = self.0.len() / ROW_BYTES;
        Some((code, first.min(most)..first.saturating_add(count).min(most)))
    }

    fn rows_of(self, language: &str) -> Range<usize> {
        let found = (0..self.language_count()).filter_map(|at| self.language(at)).find(|(code, _)| *code == language);
        found.map_or(0..0, |(_, rows)| rows)
    }

    fn row_at(self, row: usize) -> usize {
        HEAD + self.language_count() * LANGUAGE_BYTES + row * ROW_BYTES
    }

    fn food(self, row: usize) -> Option<u32> {
        u32_at(self.0, self.row_at(row))
    }

    fn name(self, row: usize) -> Option<&'a str> {
        let at = self.row_at(row);
        let (start, stop) = (u32_at(self.0, at + 4)? as usize, u32_at(self.0, at + ROW_BYTES + 4)? as usize);
        let last = self.language_count().checked_sub(1).and_then(|at| self.language(at));
        let names = self.row_at(last.map_or(0, |(_, rows)| rows.end) + 1);
        std::str::from_utf8(self.0.get(names.checked_add(start)?..names.checked_add(stop)?)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(language: &str, name: &str) -> LocalName {
        LocalName { language: language.to_owned(), name: name.to_owned() }
    }

    fn section() -> Vec<u8> {
        let mut writer = LocalNamesWriter::default();
        writer.add(0, &[local("de", "Brötchen"), local("de", "Semmel"), local("fr", "petit pain")]);
        writer.add(1, &[local("de", "replaced")]);
        writer.add(2, &[local("fr", "lait"), local("a_language", "too long a code")]);
        writer.section(&[0, u32::MAX, 1]).expect("small")
    }

    #[test]
    fn names_come_back_by_language_and_by_food() {
        let section = section();
        let names = LocalNames(&section);
        assert_eq!(names.languages().collect::<Vec<_>>(), ["de", "fr"]);
        assert_eq!(names.names_in("de").collect::<Vec<_>>(), [("Brötchen", 0), ("Semmel", 0)]);
        assert_eq!(names.names_in("fr").collect::<Vec<_>>(), [("petit pain", 0), ("lait", 1)]);
        assert_eq!(names.names_in("it").count(), 0);
        assert_eq!(names.of_food(1, "fr").collect::<Vec<_>>(), ["lait"]);
        assert_eq!(names.of_food(1, "de").count(), 0);
    }

    #[test]
    fn damaged_bytes_give_fewer_names() {
        let whole = section();
        for cut in 0..whole.len() {
            let names = LocalNames(&whole[..cut]);
            let languages: Vec<&str> = names.languages().collect();
            assert!(languages.iter().map(|code| names.names_in(code).count()).sum::<usize>() <= 4);
        }
        let mut wrong = whole;
        for at in 0..wrong.len() {
            wrong[at] = 0xff;
            let names = LocalNames(&wrong);
            assert!(names.languages().count() <= wrong.len() && names.of_food(0, "de").count() <= wrong.len());
        }
    }
}
