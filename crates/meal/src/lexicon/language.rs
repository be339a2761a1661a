//! The languages: each is a folder of data files.

use std::sync::LazyLock;

use super::grammar::Grammar;
use super::role::Roles;

/// The data files of a language.
#[derive(Debug)]
pub struct LexiconFiles {
    pub(super) grammar: &'static str,
    pub(super) units: &'static str,
    pub(super) chains: &'static str,
    pub(super) implied: &'static str,
    pub(super) seen: &'static str,
    pub(super) plates: &'static str,
    pub(super) usual: &'static str,
    pub(super) spellings: &'static str,
    pub(super) parts: &'static str,
    pub(super) bases: &'static str,
    pub(super) beside: &'static str,
    pub(super) derived: &'static str,
}

/// English.
pub const ENGLISH: LexiconFiles = LexiconFiles {
    grammar: include_str!("../../lexicon/en/grammar.tsv"),
    units: include_str!("../../lexicon/en/units.tsv"),
    chains: include_str!("../../lexicon/en/chains.txt"),
    implied: include_str!("../../lexicon/en/implied.tsv"),
    seen: include_str!("../../lexicon/en/seen.tsv"),
    plates: include_str!("../../lexicon/en/plates.tsv"),
    usual: include_str!("../../lexicon/en/usual.tsv"),
    spellings: include_str!("../../lexicon/en/spellings.tsv"),
    parts: include_str!("../../lexicon/en/parts.tsv"),
    bases: include_str!("../../lexicon/en/bases.tsv"),
    beside: include_str!("../../lexicon/en/beside.tsv"),
    derived: include_str!("../../lexicon/en/derived.txt"),
};

static ENGLISH_GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::parse(ENGLISH.grammar).expect("a test reads the table of every language"));

/// Returns what English words do in sentences.
pub fn english_grammar() -> &'static Grammar {
    &ENGLISH_GRAMMAR
}

/// Returns what a word does in any of the languages: a text is cut into tokens, and a recipe is named, before anybody knows
/// the language, and the words of the catalog are the same in all.
pub fn roles_in_any_language(word: &str) -> Roles {
    ENGLISH_GRAMMAR.roles(word)
}

/// Returns the rows of a data file.
pub(super) fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::role::Role;

    #[test]
    fn the_tables_can_be_read_and_are_in_order() {
        if let Err(problem) = Grammar::parse(ENGLISH.grammar) {
            panic!("{problem}");
        }
        let words: Vec<&str> = rows(ENGLISH.grammar).filter_map(|row| row.split('\t').next()).collect();
        let key = |word: &str| (word.trim_start_matches('-').to_owned(), word.to_owned());
        for two in words.windows(2) {
            assert!(key(two[0]) < key(two[1]), "{:?} is out of order behind {:?}", two[1], two[0]);
        }
    }

    #[test]
    fn words_are_written_as_tokens_are() {
        for row in rows(ENGLISH.grammar) {
            let word = row.split('\t').next().unwrap_or_default().trim_start_matches('-');
            assert_eq!(foods::text::raw_words(word, usize::MAX).join(" "), word);
        }
    }

    #[test]
    fn every_role_is_explained_and_used() {
        let readme = include_str!("../../lexicon/README.md");
        let used: Vec<&str> = rows(ENGLISH.grammar)
            .filter_map(|row| row.split('\t').nth(1))
            .flat_map(|roles| roles.split(' '))
            .map(|role| role.split('=').next().unwrap_or(role))
            .collect();
        for name in Role::names() {
            let is_explained = readme.contains(&format!("`{name}`")) || readme.contains(&format!("`{name}=`"));
            assert!(is_explained, "lexicon/README.md does not explain {name}");
            assert!(used.contains(&name), "no word has the role {name}");
        }
    }
}
