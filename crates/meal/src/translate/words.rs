//! The words and foods of a language with the English words for each.

use std::fmt;

use foldhash::HashMap;
use foods::common::CommonPortion;

use super::entry::TableEntry;
use super::settings::{LanguageSettings, LanguageTables};
use super::table_rows::{folded, food_names, rows, words_of};
use crate::lexicon::Lexicon;
use crate::read::spellings::Spellings;

/// Shorter words are not looked for in other spellings.
const MIN_MISSPELLED: usize = 5;
/// Words from this length on may have two mistakes.
const MIN_MISSPELLED_TWICE: usize = 9;
/// Shorter words are not looked for by how they sound.
const MIN_HEARD: usize = 4;

/// The tables of a language, ready to be searched.
#[derive(Debug, Default)]
pub(super) struct LanguageWords {
    settings: LanguageSettings,
    /// Endings with their replacements.
    endings: Vec<(String, String)>,
    /// Words that lose their vowel and stick to the next one: the "l" of "l'eau".
    elisions: Vec<(String, u32)>,
    /// The number of each word.
    numbers: HashMap<String, u32>,
    /// The phrases that begin with each word, the longest first.
    phrases: Vec<Vec<Phrase>>,
    entries: Vec<TableEntry>,
    /// The words, to find what a misspelled one stands for.
    spellings: Spellings,
    /// The words by how they sound.
    by_sound: HashMap<String, Vec<u32>>,
    /// The foods of the list.
    foods: Vec<LocalFood>,
    /// In a language without spaces, the words with digits or Latin letters in them, by these: what is before and behind them.
    mixed: HashMap<String, Vec<(String, String)>>,
}

/// A food of the list.
#[derive(Debug)]
pub(super) struct LocalFood {
    /// Its name, as it is shown.
    pub name: &'static str,
    /// The words of this name.
    pub words: String,
    /// Its English everyday name.
    pub english: &'static str,
    /// The portions that are usual where the language is spoken, where they differ from those of the common food.
    pub portions: Vec<CommonPortion>,
}

/// A phrase of the tables.
#[derive(Debug)]
struct Phrase {
    words: Vec<u32>,
    entry: u32,
}

/// A mistake in a table.
#[derive(Debug, PartialEq)]
pub struct LanguageError {
    table: &'static str,
    line: usize,
    problem: String,
}

impl fmt::Display for LanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.tsv, line {}: {}", self.table, self.line, self.problem)
    }
}

impl std::error::Error for LanguageError {}

impl LanguageWords {
    /// Reads the tables of a language.
    ///
    /// # Errors
    ///
    /// Returns the first row that cannot be read or repeats a word.
    pub fn parse(
        tables: &LanguageTables,
        settings: LanguageSettings,
        lexicon: &Lexicon,
    ) -> Result<Self, LanguageError> {
        let mut all = Self { settings, ..Self::default() };
        let failed = |table: &'static str, line: usize| move |problem: String| LanguageError { table, line, problem };
        for (line, row) in rows(tables.endings) {
            all.add_ending(row).map_err(failed("endings", line))?;
        }
        for (line, row) in rows(tables.words) {
            all.add_word(row, lexicon).map_err(failed("words", line))?;
        }
        for (line, row) in rows(tables.foods) {
            all.add_food(row).map_err(failed("foods", line))?;
        }
        all.list_spellings();
        Ok(all)
    }

    /// Returns a food of the list.
    pub fn food(&self, number: u32) -> Option<&LocalFood> {
        self.foods.get(number as usize)
    }

    /// Returns the foods of the list.
    pub fn foods(&self) -> &[LocalFood] {
        &self.foods
    }

    fn add_ending(&mut self, row: &str) -> Result<(), String> {
        let Some((ending, replacement)) = row.split_once('\t') else {
            return Err(format!("expected an ending, a tab and its replacement in {row:?}"));
        };
        let replacement = if replacement == "-" { String::new() } else { folded(replacement) };
        self.endings.push((folded(ending), replacement));
        Ok(())
    }

    fn add_word(&mut self, row: &'static str, lexicon: &Lexicon) -> Result<(), String> {
        let mut columns = row.split('\t');
        let (Some(word), Some(english), flags) = (columns.next(), columns.next(), columns.next().unwrap_or_default())
        else {
            return Err(format!("expected a word, a tab and English words in {row:?}"));
        };
        let entry = TableEntry::parse(english, flags, lexicon)?;
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        if let Some(front) = word.strip_suffix(['\'', '’']) {
            self.elisions.push((folded(front), number));
            return Ok(());
        }
        self.add_phrase(word, number)
    }

    fn add_food(&mut self, row: &'static str) -> Result<(), String> {
        let mut columns = row.split('\t');
        let (Some(names), Some(english), portions) = (columns.next(), columns.next(), columns.next()) else {
            return Err(format!("expected names, a tab and an English name in {row:?}"));
        };
        let number = self.entries.len() as u32;
        self.entries.push(TableEntry { food: Some(self.foods.len() as u32), ..TableEntry::food(english) });
        let mut names = food_names(names).peekable();
        if let Some(shown) = names.peek() {
            let portions = portions.into_iter().flat_map(foods::common::portions_of).collect();
            let words = words_of(shown, self.settings.is_unspaced).join(" ");
            self.foods.push(LocalFood { name: shown, words, english, portions });
        }
        names.try_for_each(|name| self.add_phrase(name, number))
    }

    fn add_phrase(&mut self, name: &str, entry: u32) -> Result<(), String> {
        let words: Vec<u32> =
            words_of(name, self.settings.is_unspaced).into_iter().map(|word| self.number_of(word)).collect();
        let Some(&first) = words.first() else { return Err(format!("{name:?} has no letters")) };
        if self.settings.is_unspaced {
            self.note_mixed(&folded(name).replace(' ', ""));
        }
        let phrases = &mut self.phrases[first as usize];
        if let Some(known) = phrases.iter().find(|known| known.words == words) {
            // Plurals and spellings without accents may be equal; another meaning may not.
            let is_same = self.entries[known.entry as usize] == self.entries[entry as usize];
            return if is_same { Ok(()) } else { Err(format!("{name:?} is there already")) };
        }
        let place = phrases.partition_point(|other| other.words.len() >= words.len());
        phrases.insert(place, Phrase { words, entry });
        Ok(())
    }

    /// Notes where a word has digits or Latin letters, which are tokens of their own in a text.
    fn note_mixed(&mut self, word: &str) {
        let Some(start) = word.find(|letter: char| letter.is_ascii_alphanumeric()) else { return };
        let rest = &word[start..];
        let is_digits = rest.starts_with(|letter: char| letter.is_ascii_digit());
        let is_in = |letter: char| letter.is_ascii_alphanumeric() && letter.is_ascii_digit() == is_digits;
        let (middle, behind) = rest.split_at(rest.find(|letter| !is_in(letter)).unwrap_or(rest.len()));
        if (start, behind) != (0, "") && !behind.contains(|letter: char| letter.is_ascii_alphanumeric()) {
            self.mixed.entry(middle.to_owned()).or_default().push((word[..start].to_owned(), behind.to_owned()));
        }
    }

    /// Returns the longest word with a number or Latin letters in it that is in a text, as what is before and behind them.
    pub fn mixed(&self, before: &str, middle: &str, behind: &str) -> Option<(&str, &str)> {
        let words = self.mixed.get(middle)?.iter().map(|(front, end)| (front.as_str(), end.as_str()));
        let fits = words.filter(|(front, end)| before.ends_with(front) && behind.starts_with(end));
        fits.max_by_key(|(front, end)| front.len() + end.len())
    }

    fn number_of(&mut self, word: String) -> u32 {
        let next = self.phrases.len() as u32;
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.phrases.push(Vec::new());
        }
        number
    }

    fn list_spellings(&mut self) {
        let mut spellings = Spellings::default();
        for (word, number) in self.numbers.iter().filter(|(word, _)| word.chars().count() >= MIN_MISSPELLED - 1) {
            spellings.add(*number, word);
        }
        self.spellings = spellings.sorted();
        if !self.settings.sounds.is_empty() {
            for (word, number) in self.numbers.iter().filter(|(word, _)| word.chars().count() >= MIN_HEARD) {
                self.by_sound.entry(self.sound_of(word)).or_default().push(*number);
            }
            self.by_sound.values_mut().for_each(|numbers| numbers.sort_unstable());
        }
    }

    /// Returns a word as it sounds: with one spelling for each sound, and no letter twice in a row.
    fn sound_of(&self, word: &str) -> String {
        let sound = self.settings.sounds.iter().fold(word.to_owned(), |sound, (from, to)| {
            if sound.contains(from) { sound.replace(from, to) } else { sound }
        });
        let mut letters: Vec<char> = sound.chars().collect();
        letters.dedup();
        letters.into_iter().collect()
    }

    /// Returns the words of the tables that a word stands for which nobody knows as it is.
    pub fn misspelled(&self, word: &str) -> Vec<u32> {
        let letters = word.chars().count();
        if self.settings.is_unspaced || letters < MIN_HEARD {
            return Vec::new();
        }
        let mut found = self.by_sound.get(&self.sound_of(word)).cloned().unwrap_or_default();
        if letters >= MIN_MISSPELLED {
            found.extend(self.spellings.near(word, 1));
        }
        if found.is_empty() && letters >= MIN_MISSPELLED_TWICE {
            found = self.spellings.near(word, 2);
        }
        found
    }

    /// Returns the number of a numeral that is part of a name: "pizza 4 fromages".
    pub fn numeral(&self, value: f64) -> Option<u32> {
        self.numbers.get(&value.to_string()).copied()
    }

    /// Returns the words of the tables.
    #[cfg(test)]
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().map(String::as_str)
    }

    /// Returns the words of the tables that a folded word may be: itself, or what it is with another ending.
    pub fn readings(&self, word: &str) -> Vec<u32> {
        let mut found: Vec<u32> = self.numbers.get(word).copied().into_iter().collect();
        let mut add = |number: Option<&u32>| found.extend(number.filter(|number| !found.contains(number)).copied());
        for (typed, meant) in &self.settings.digraphs {
            if word.contains(typed) {
                add(self.numbers.get(&word.replace(typed, meant)));
            }
        }
        let mut other = String::new();
        for (ending, replacement) in &self.endings {
            let stem = word.strip_suffix(ending.as_str()).filter(|stem| stem.chars().nth(1).is_some());
            if let Some(stem) = stem {
                other.clear();
                other.push_str(stem);
                other.push_str(replacement);
                add(self.numbers.get(&other));
            }
        }
        found
    }

    /// Returns the longest phrase that begins a text, given the readings of its words, and how many words it has.
    pub fn longest(&self, text: &[&[u32]]) -> Option<(&TableEntry, usize)> {
        let starts = text.first()?.iter().flat_map(|&first| &self.phrases[first as usize]);
        let fits = |phrase: &&Phrase| {
            let rest = phrase.words.iter().zip(text).skip(1);
            phrase.words.len() <= text.len() && rest.into_iter().all(|(word, readings)| readings.contains(word))
        };
        let usable = |phrase: &&Phrase| !self.entries[phrase.entry as usize].is_front;
        // Of phrases of one length, the one with the words as they were typed comes first.
        let best = starts.filter(usable).filter(fits).fold(None, |best: Option<&Phrase>, phrase| match best {
            Some(best) if best.words.len() >= phrase.words.len() => Some(best),
            _ => Some(phrase),
        })?;
        Some((&self.entries[best.entry as usize], best.words.len()))
    }

    /// Checks whether a word is in the tables, by itself or in a phrase.
    pub fn has(&self, word: &str) -> bool {
        self.numbers.contains_key(word)
    }

    /// Returns what a word is by itself.
    pub fn entry_of(&self, word: &str) -> Option<&TableEntry> {
        self.alone(*self.numbers.get(word)?)
    }

    /// Returns the short word that a word begins with, and the rest, which is in the tables: "leau" is "l'eau".
    pub fn elision<'w>(&self, word: &'w str) -> Option<(&TableEntry, &'w str)> {
        self.elisions.iter().find_map(|(front, entry)| {
            let rest = word
                .strip_prefix(front.as_str())
                .filter(|rest| rest.starts_with(['a', 'e', 'i', 'o', 'u', 'y', 'h']))?;
            if self.readings(rest).is_empty() {
                return None;
            }
            Some((&self.entries[*entry as usize], rest))
        })
    }

    fn alone(&self, number: u32) -> Option<&TableEntry> {
        let single = self.phrases[number as usize].iter().find(|phrase| phrase.words.len() == 1)?;
        Some(&self.entries[single.entry as usize])
    }
}
