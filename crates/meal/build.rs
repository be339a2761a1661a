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
const ENGLISH_FUNCTION_WORDS: [&str; 16] =
    ["-", "a", "and", "in", "of", "on", "the", "with", "2", "3", "4", "5", "6", "8", "10", "half"];

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
    let Words { by_word, by_letter, pairs } = Words::of(&folders);
    fs::write(out.join("pairs.bin"), pairs.concat()).expect("the table can be written");
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
    /// How rare each pair of letters is in each language.
    pairs: Vec<Vec<u8>>,
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
            let mut pairs = Pairs::default();
            for word in words.chain(foods).flat_map(|name| words_of(&name, is_unspaced)) {
                pairs.add(&word);
                all.add(word, at, is_unspaced);
            }
            all.pairs.push(pairs.rarity());
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

/// The letters of the table of pairs: the ends of words, and those from a to z.
const PAIR_LETTERS: usize = 27;

/// How often letters follow each other in the words of a language.
struct Pairs(Vec<u32>);

impl Default for Pairs {
    fn default() -> Self {
        Self(vec![0; PAIR_LETTERS * PAIR_LETTERS])
    }
}

impl Pairs {
    fn add(&mut self, word: &str) {
        if !word.is_ascii() {
            return;
        }
        let place = |letter: u8| if letter.is_ascii_lowercase() { usize::from(letter - b'a') + 1 } else { 0 };
        let letters = std::iter::once(0).chain(word.bytes().map(place)).chain([0]);
        for (one, next) in letters.clone().zip(letters.skip(1)) {
            self.0[one * PAIR_LETTERS + next] += 1;
        }
    }

    /// Returns for each pair how unlikely its second letter is behind the first one, in sixteenths of a bit.
    fn rarity(&self) -> Vec<u8> {
        let rows = self.0.chunks(PAIR_LETTERS);
        let rarity = |row: &[u32]| {
            let all = f64::from(row.iter().sum::<u32>()) + PAIR_LETTERS as f64;
            row.iter().map(|count| (16.0 * (all / f64::from(count + 1)).log2()).min(255.0) as u8).collect::<Vec<u8>>()
        };
        rows.flat_map(rarity).collect()
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
