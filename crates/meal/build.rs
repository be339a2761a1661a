//! Lists the languages of `lexicon/`: every folder with a `language.tsv` is one, so that adding a language needs no code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

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
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("languages.rs");
    fs::write(out, list).expect("the list can be written");
}

/// Returns the expression for a table, which not every language has.
fn included(table: &Path) -> String {
    if table.is_file() { format!("include_str!({:?})", table.display().to_string()) } else { "\"\"".to_owned() }
}
