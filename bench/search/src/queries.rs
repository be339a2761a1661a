//! The queries: generated from the catalog with a fixed seed, and a list of what people type every day.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::docs::{Doc, key};
use crate::judge::Expected;
use crate::rng::Rng;

const SEED: u64 = 0x6d6f_7273_656c;
/// Queries of each generated kind.
const PER_KIND: usize = 100;
/// Words of the longest main part that people would type.
const MAX_WORDS: usize = 5;
/// Words of the longest brand that people would type.
const MAX_BRAND_WORDS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueryKind {
    Exact,
    Synonym,
    Typo,
    Prefix,
    Reordered,
    BrandAndProduct,
    Everyday,
    Mistake,
    British,
}

impl QueryKind {
    pub const ALL: [QueryKind; 9] = [
        QueryKind::Exact,
        QueryKind::Synonym,
        QueryKind::Typo,
        QueryKind::Prefix,
        QueryKind::Reordered,
        QueryKind::BrandAndProduct,
        QueryKind::Everyday,
        QueryKind::Mistake,
        QueryKind::British,
    ];
    /// Kinds that need only names; generated foods have no synonyms and no everyday names.
    const FROM_NAMES: [QueryKind; 5] =
        [QueryKind::Exact, QueryKind::Typo, QueryKind::Prefix, QueryKind::Reordered, QueryKind::BrandAndProduct];

    pub fn name(self) -> &'static str {
        match self {
            QueryKind::Exact => "exact",
            QueryKind::Synonym => "synonym",
            QueryKind::Typo => "typo",
            QueryKind::Prefix => "prefix",
            QueryKind::Reordered => "reordered",
            QueryKind::BrandAndProduct => "brand+product",
            QueryKind::Everyday => "everyday",
            QueryKind::Mistake => "mistake",
            QueryKind::British => "british",
        }
    }

    fn from_name(name: &str) -> Result<Self> {
        QueryKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .with_context(|| format!("unknown kind of query {name:?}"))
    }
}

#[derive(Clone, Debug)]
pub struct Query {
    pub kind: QueryKind,
    pub text: String,
    pub expected: Expected,
}

/// Generates the query set of a catalog; `everyday` is the text of the list.
pub fn generate(docs: &[Doc], everyday: &str) -> Result<Vec<Query>> {
    let mut rng = Rng::new(SEED);
    let (usda, branded): (Vec<&Doc>, Vec<&Doc>) = docs.iter().partition(|doc| doc.usda);
    let mut all = Vec::new();
    for kind in [
        QueryKind::Exact,
        QueryKind::Synonym,
        QueryKind::Typo,
        QueryKind::Prefix,
        QueryKind::Reordered,
        QueryKind::BrandAndProduct,
    ] {
        match kind {
            QueryKind::Synonym => all.extend(draw(kind, PER_KIND, &usda, &mut rng)),
            QueryKind::BrandAndProduct => all.extend(draw(kind, PER_KIND, &branded, &mut rng)),
            _ => {
                all.extend(draw(kind, PER_KIND / 2, &usda, &mut rng));
                all.extend(draw(kind, PER_KIND / 2, &branded, &mut rng));
            }
        }
    }
    for line in everyday.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, text, codes, phrases] = columns[..] else { bail!("not four columns: {line:?}") };
        let expected = Expected::meant(codes, phrases);
        all.push(Query { kind: QueryKind::from_name(kind)?, text: text.to_owned(), expected });
    }
    Ok(all)
}

/// Generates queries of the kinds that need only names, in random order, so that any prefix is a fair sample.
pub fn from_names(docs: &[Doc], per_kind: usize, seed: u64) -> Vec<Query> {
    let mut rng = Rng::new(seed);
    let docs: Vec<&Doc> = docs.iter().collect();
    let mut all: Vec<Query> =
        QueryKind::FROM_NAMES.into_iter().flat_map(|kind| draw(kind, per_kind, &docs, &mut rng)).collect();
    rng.shuffle(&mut all);
    all
}

/// Draws foods until there are enough queries of the kind.
fn draw(kind: QueryKind, count: usize, docs: &[&Doc], rng: &mut Rng) -> Vec<Query> {
    let mut queries = Vec::new();
    let mut seen = HashSet::new();
    // A small catalog may have fewer.
    for _ in 0..count * 1000 {
        if queries.len() == count {
            break;
        }
        let Some(query) = rng.pick(docs).copied().and_then(|doc| make(kind, doc, rng)) else { continue };
        if seen.insert(query.text.clone()) {
            queries.push(query);
        }
    }
    queries
}

fn make(kind: QueryKind, doc: &Doc, rng: &mut Rng) -> Option<Query> {
    let main = doc.main().to_lowercase();
    let words: Vec<&str> = main.split_whitespace().collect();
    let main_key = key(&main);
    if words.is_empty() || words.len() > MAX_WORDS || !main_key.contains(char::is_alphabetic) {
        return None;
    }
    let by_main = Expected::Main(main_key.clone());
    let (text, expected) = match kind {
        QueryKind::Exact => (doc.name.clone(), Expected::Name(key(&doc.name))),
        QueryKind::Synonym => {
            let synonym = rng.pick(&doc.synonyms)?;
            let words = key(synonym);
            let usable = synonym.split_whitespace().count() <= MAX_WORDS && words.contains(char::is_alphabetic);
            usable.then(|| (synonym.to_lowercase(), Expected::Synonym(words)))?
        }
        QueryKind::Typo => (mistyped(&words, rng)?, by_main),
        QueryKind::Prefix => (cut_short(&words)?, by_main),
        QueryKind::Reordered => (reordered(&words, rng)?, by_main),
        QueryKind::BrandAndProduct => {
            let brand_words = doc.brand.split_whitespace().count();
            let usable = (1..=MAX_BRAND_WORDS).contains(&brand_words) && !key(&doc.brand).is_empty();
            let text = format!("{} {main}", doc.brand.to_lowercase());
            usable.then(|| (text, Expected::MainAndBrand(main_key, key(&doc.brand))))?
        }
        QueryKind::Everyday | QueryKind::Mistake | QueryKind::British => return None,
    };
    // The files are tab-separated.
    (!text.contains(['\t', '\n'])).then_some(Query { kind, text, expected })
}

/// Makes one edit, never in the first letter, in a word of at least five letters.
fn mistyped(words: &[&str], rng: &mut Rng) -> Option<String> {
    let is_long = |word: &str| word.len() >= 5 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    let long: Vec<usize> = (0..words.len()).filter(|&at| is_long(words[at])).collect();
    let chosen = *rng.pick(&long)?;
    let mut letters: Vec<u8> = words[chosen].bytes().collect();
    let at = 1 + rng.below(letters.len() - 1);
    let other = b'a' + rng.below(26) as u8;
    match rng.below(4) {
        0 => letters.insert(at, other),
        1 => drop(letters.remove(at)),
        2 => letters[at] = other,
        _ if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => return None,
    }
    let typo = String::from_utf8(letters).ok().filter(|typo| typo != words[chosen])?;
    let mut out: Vec<&str> = words.to_vec();
    out[chosen] = &typo;
    Some(out.join(" "))
}

/// Cuts the last word to about 60 %, at least three letters.
fn cut_short(words: &[&str]) -> Option<String> {
    let (last, before) = words.split_last()?;
    let letters: Vec<char> = last.chars().collect();
    let keep = ((letters.len() as f32 * 0.6).round() as usize).max(3);
    if keep >= letters.len() || !letters.iter().all(|letter| letter.is_alphabetic()) {
        return None;
    }
    let cut: String = letters[..keep].iter().collect();
    Some(before.iter().copied().chain([&*cut]).collect::<Vec<_>>().join(" "))
}

/// Reorders the words.
fn reordered(words: &[&str], rng: &mut Rng) -> Option<String> {
    let mut out = words.to_vec();
    rng.shuffle(&mut out);
    (out != words).then(|| out.join(" "))
}

pub fn write(path: &Path, queries: &[Query]) -> Result<()> {
    let mut out = String::from("# kind\tquery\trule\texpected\n");
    for query in queries {
        let (rule, expected) = query.expected.to_columns();
        writeln!(out, "{}\t{}\t{rule}\t{expected}", query.kind.name(), query.text)?;
    }
    std::fs::write(path, out).with_context(|| path.display().to_string())
}

pub fn read(path: &Path) -> Result<Vec<Query>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let parse = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, text, rule, expected] = columns[..] else { bail!("not four columns: {line:?}") };
        let expected = Expected::from_columns(rule, expected)?;
        Ok(Query { kind: QueryKind::from_name(kind)?, text: text.to_owned(), expected })
    };
    text.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_spare_the_first_letter_and_short_words() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            if let Some(typo) = mistyped(&["hot", "banana"], &mut rng) {
                assert!(typo.starts_with("hot b") && typo != "hot banana", "{typo}");
            }
        }
        assert_eq!(mistyped(&["egg"], &mut rng), None);
    }

    #[test]
    fn prefixes_are_shorter_but_readable() {
        assert_eq!(cut_short(&["peanut", "butter"]).as_deref(), Some("peanut butt"));
        assert_eq!(cut_short(&["egg"]), None);
    }
}
