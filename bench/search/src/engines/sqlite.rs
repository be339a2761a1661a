//! SQLite FTS5 with the trigram tokenizer: all words as substrings; if no row has them, the rows with most of their
//! trigrams, so that typos can be found.

use std::path::Path;

use anyhow::Result;
use rusqlite::{Connection, params};

use super::{Engine, RESULTS, split};
use crate::docs::{Doc, Foods};

const FILE: &str = "foods.db";

pub fn build(foods: &Foods, folder: &Path) -> Result<()> {
    let mut db = Connection::open(folder.join(FILE))?;
    // If the build is interrupted, it starts over.
    db.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;")?;
    // Without content: only the index is searched.
    db.execute_batch(
        "CREATE VIRTUAL TABLE foods USING fts5(text, tokenize = 'trigram remove_diacritics 1', content = '')",
    )?;
    let transaction = db.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO foods (rowid, text) VALUES (?1, ?2)")?;
        for (at, food) in foods.layer()?.foods().enumerate() {
            insert.execute(params![at as i64 + 1, Doc::new(food).all_text()])?;
        }
    }
    transaction.commit()?;
    db.execute_batch("INSERT INTO foods (foods) VALUES ('optimize')")?;
    Ok(())
}

pub struct Sqlite {
    db: Connection,
}

impl Sqlite {
    pub fn open(folder: &Path) -> Result<Self> {
        let db = Connection::open(folder.join(FILE))?;
        db.execute_batch("PRAGMA query_only = ON; PRAGMA mmap_size = 4294967296; PRAGMA cache_size = -65536;")?;
        Ok(Self { db })
    }

    fn rows(&self, expression: &str) -> Result<Vec<u32>> {
        let mut statement =
            self.db.prepare_cached("SELECT rowid FROM foods WHERE foods MATCH ?1 ORDER BY rank LIMIT ?2")?;
        let rows = statement.query_map(params![expression, RESULTS as i64], |row| row.get::<_, i64>(0))?;
        Ok(rows.map(|row| row.map(|rowid| (rowid - 1) as u32)).collect::<Result<_, _>>()?)
    }
}

impl Engine for Sqlite {
    fn search(&mut self, query: &str) -> Result<Vec<u32>> {
        // The index has nothing shorter than three letters.
        let words: Vec<String> = split(query).into_iter().filter(|word| word.chars().count() >= 3).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let mut rows = self.rows(&quoted.join(" AND "))?;
        if rows.is_empty() {
            rows = self.rows(&trigrams(&words).join(" OR "))?;
        }
        Ok(rows)
    }
}

/// Returns the distinct trigrams of all words, quoted.
fn trigrams(words: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        for three in letters.windows(3) {
            let quoted = format!("\"{}\"", three.iter().collect::<String>());
            if !all.contains(&quoted) {
                all.push(quoted);
            }
        }
    }
    all
}
