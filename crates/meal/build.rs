//! Lists the languages of `lexicon/`: every folder with a `language.tsv` is one, so that adding a language needs no code; and
//! the words and letters of all of them, so that the language of a text is found without reading all tables.

#[path = "src/translate/table_rows.rs"]
mod table_rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use table_rows::{FOREIGN_FOOD, FUNCTION_WORD, LAST_LATIN, folded, food_names, rows, words_of};

/// What function words stand for.
const ENGLISH_FUNCTION_WORDS: [&str; 8] = ["-", "a", "and", "in", "of", "on", "the", "with"];

/// The tables of a language, as fields of `LanguageTables`.
const TABLES: [&str; 4] = ["language", "words", "foods", "endings"];

fn main() {
    let lexicon = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("lexicon");
    println!("cargo::rerun-if-changed={}", lexicon.display());
    let mut folders: Vec<PathBuf> = fs::read_dir(&lexicon)
        .expect("the lexicon can be listed")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|folder| folder.join("language.tsv").is_file())
        .collect();
    folders.sort();
    let mut list = String::from("&[\n");
    for folder in &folders {
        let code = folder.file_name().and_then(|name| name.to_str()).expect("a language has a code");
        write!(list, "    LanguageTables {{ code: {code:?}").expect("memory can be written");
        for table in TABLES {
            write!(list, ", {table}: {}", included(&folder.join(format!("{table}.tsv"))))
                .expect("memory can be written");
        }
        list.push_str(" },\n");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("languages.rs"), list).expect("the list can be written");
    let Words { by_word, by_letter } = Words::of(&folders);
    for (name, bits) in [("words.fst", by_word), ("letters.fst", by_letter)] {
        let map = fst::Map::from_iter(bits).expect("a sorted map");
        fs::write(out.join(name), map.as_fst().as_bytes()).expect("the map can be written");
    }
}

/// The words of all languages: which languages have each, as bits.
#[derive(Default)]
struct Words {
    by_word: BTreeMap<String, u64>,
    by_letter: BTreeMap<String, u64>,
}

impl Words {
    fn of(folders: &[PathBuf]) -> Self {
        let mut all = Self::default();
        for (at, folder) in folders.iter().enumerate() {
            let table = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
            let is_unspaced = table("language.tsv").lines().any(|row| row == "spaces\tno");
            let column = |row: &str| row.split('\t').next().unwrap_or_default().to_owned();
            let words = table("words.tsv");
            for word in rows(&words).filter_map(|(_, row)| function_word(row)) {
                *all.by_word.entry(folded(word)).or_default() |= FUNCTION_WORD;
            }
            let words = rows(&words).map(|(_, row)| column(row)).filter(|word| !word.ends_with(['\'', '’']));
            let foods = table("foods.tsv");
            for word in rows(&foods).flat_map(|(_, row)| foreign_foods(row)) {
                *all.by_word.entry(word).or_default() |= FOREIGN_FOOD;
            }
            let foods =
                rows(&foods).flat_map(|(_, row)| food_names(&column(row)).map(str::to_owned).collect::<Vec<_>>());
            for name in words.chain(foods) {
                for word in words_of(&name, is_unspaced) {
                    all.add(word, at, is_unspaced);
                }
            }
        }
        all
    }

    fn add(&mut self, word: String, language: usize, is_unspaced: bool) {
        for letter in word.chars().filter(|letter| *letter > LAST_LATIN) {
            *self.by_letter.entry(letter.to_string()).or_default() |= 1 << language;
        }
        if !is_unspaced {
            *self.by_word.entry(word).or_default() |= 1 << language;
        }
    }
}

/// Returns the word of a row if it is one that only holds others together.
fn function_word(row: &str) -> Option<&str> {
    let mut columns = row.split('\t');
    let (word, english) = (columns.next()?, columns.next()?);
    (!word.contains([' ', '\'', '’']) && ENGLISH_FUNCTION_WORDS.contains(&english)).then_some(word)
}

/// Returns the names of a row that are one word, which its English name does not have.
fn foreign_foods(row: &str) -> Vec<String> {
    let mut columns = row.split('\t');
    let (Some(names), Some(english)) = (columns.next(), columns.next()) else { return Vec::new() };
    let english = folded(english);
    let names = food_names(names).map(folded).filter(|name| !name.is_empty() && !name.contains(' '));
    names.filter(|name| !english.split(' ').any(|word| word == name)).collect()
}

/// Returns the expression for a table, which not every language has.
fn included(table: &Path) -> String {
    if table.is_file() { format!("include_str!({:?})", table.display().to_string()) } else { "\"\"".to_owned() }
}
