//! The tables of all languages as they are written, and the settings of each.

use super::table_rows;

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

/// The settings of a language.
#[derive(Clone, Debug, Default)]
pub(super) struct LanguageSettings {
    /// Its name in the language itself.
    pub name: &'static str,
    /// Its English name.
    pub english: &'static str,
    /// Words are written without spaces.
    pub is_unspaced: bool,
    /// Words are often written without the spaces between them, and particles stick to them.
    pub is_glued: bool,
    /// Letters that may stand between the parts of a compound word; none if there are no compounds.
    pub links: Vec<&'static str>,
    /// Letters that people type for others: "ae" for "ä".
    pub digraphs: Vec<(&'static str, &'static str)>,
    /// Letters that sound like others, so that people confuse them: "v" like "b".
    pub sounds: Vec<(&'static str, &'static str)>,
    /// Letters by which texts in it are known, beside those of English: "äöüß". Nobody has to type them.
    pub letters: &'static str,
}

impl LanguageSettings {
    /// Reads the settings.
    pub fn parse(table: &'static str) -> Result<Self, String> {
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
            "spaces" => (self.is_unspaced, self.is_glued) = (value == "no", value == "some"),
            "links" => self.links = value.split(' ').collect(),
            "digraphs" => self.digraphs = pairs(value),
            "sounds" => self.sounds = pairs(value),
            "letters" => self.letters = value,
            _ => {
                let keys = "name, english, spaces, links, digraphs, sounds, letters";
                return Err(format!("unknown key {key:?}; the keys are: {keys}"));
            }
        }
        Ok(())
    }
}

/// Reads pairs of letters: "v=b z=s".
fn pairs(value: &'static str) -> Vec<(&'static str, &'static str)> {
    value.split(' ').filter_map(|pair| pair.split_once('=')).collect()
}
