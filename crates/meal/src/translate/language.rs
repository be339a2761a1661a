//! A language: its settings, and its vocabulary, which is read when the first text may be in it.

use std::sync::{Arc, OnceLock};

use super::table_rows;
use super::vocabulary::Vocabulary;
use crate::lexicon::Lexicon;

/// The tables of a language, as they are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanguageTables {
    /// Its code in ISO 639-1.
    pub code: &'static str,
    /// Settings: key, value.
    pub language: &'static str,
    /// Words that are not foods: word or phrase, English words, flags.
    pub words: &'static str,
    /// Foods: names, English everyday name, usual portions.
    pub foods: &'static str,
    /// Endings that a word may have: ending, what stands there in the tables.
    pub endings: &'static str,
}

/// The tables of all languages but English.
pub(super) const ALL: &[LanguageTables] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// A language.
#[derive(Debug)]
pub struct Language {
    tables: &'static LanguageTables,
    settings: LanguageSettings,
    lexicon: Arc<Lexicon>,
    vocabulary: OnceLock<Vocabulary>,
}

/// The settings of a language.
#[derive(Clone, Debug, Default)]
pub(super) struct LanguageSettings {
    name: &'static str,
    english: &'static str,
    /// Words are written without spaces.
    pub is_unspaced: bool,
    /// Letters that may stand between the parts of a compound word; none if there are no compounds.
    pub links: Vec<&'static str>,
    /// Letters that people type for others: "ae" for "ä".
    pub digraphs: Vec<(&'static str, &'static str)>,
}

impl Language {
    /// Reads the settings of a language.
    ///
    /// # Panics
    ///
    /// If a setting is unknown, which a test would show.
    pub(super) fn new(tables: &'static LanguageTables, lexicon: Arc<Lexicon>) -> Self {
        let settings = LanguageSettings::parse(tables.language).expect("a test reads the tables of every language");
        Self { tables, settings, lexicon, vocabulary: OnceLock::new() }
    }

    /// Returns the code: "de".
    pub fn code(&self) -> &'static str {
        self.tables.code
    }

    /// Returns its name in the language itself: "Deutsch".
    pub fn name(&self) -> &'static str {
        self.settings.name
    }

    /// Returns its English name.
    pub fn english_name(&self) -> &'static str {
        self.settings.english
    }

    /// Returns the settings.
    pub(super) fn settings(&self) -> &LanguageSettings {
        &self.settings
    }

    /// Returns the words and foods.
    ///
    /// # Panics
    ///
    /// If a table has a mistake, which a test would show.
    pub(super) fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| {
            let parsed = Vocabulary::parse(self.tables, self.settings.clone(), &self.lexicon);
            parsed.expect("a test reads the tables of every language")
        })
    }
}

impl LanguageSettings {
    fn parse(table: &'static str) -> Result<Self, String> {
        let mut settings = Self::default();
        table_rows::rows(table).try_for_each(|(_, row)| settings.set(row))?;
        Ok(settings)
    }

    fn set(&mut self, row: &'static str) -> Result<(), String> {
        let Some((key, value)) = row.split_once('\t') else {
            return Err(format!("expected a key, a tab and a value in {row:?}"));
        };
        match key {
            "name" => self.name = value,
            "english" => self.english = value,
            "spaces" => self.is_unspaced = value == "no",
            "links" => self.links = value.split(' ').collect(),
            "digraphs" => self.digraphs = value.split(' ').filter_map(|pair| pair.split_once('=')).collect(),
            _ => return Err(format!("unknown key {key:?}; the keys are: name, english, spaces, links, digraphs")),
        }
        Ok(())
    }
}
