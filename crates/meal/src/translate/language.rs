//! A language: its settings, and its words, which are read when the first text may be in it.

use std::sync::{Arc, OnceLock};

use super::settings::{LanguageSettings, LanguageTables};
use super::words::LanguageWords;
use crate::lexicon::Lexicon;

/// A language.
#[derive(Debug)]
pub struct Language {
    tables: &'static LanguageTables,
    settings: LanguageSettings,
    lexicon: Arc<Lexicon>,
    words: OnceLock<LanguageWords>,
}

impl Language {
    /// Reads the settings of a language.
    ///
    /// # Panics
    ///
    /// If a setting is unknown, which a test would show.
    pub(super) fn new(tables: &'static LanguageTables, lexicon: Arc<Lexicon>) -> Self {
        let settings = LanguageSettings::parse(tables.language).expect("a test reads the tables of every language");
        Self { tables, settings, lexicon, words: OnceLock::new() }
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
    pub(super) fn words(&self) -> &LanguageWords {
        self.words.get_or_init(|| {
            let parsed = LanguageWords::parse(self.tables, self.settings.clone(), &self.lexicon);
            parsed.expect("a test reads the tables of every language")
        })
    }
}
