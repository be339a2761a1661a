//! Decides whether a result is right.

use anyhow::{Result, bail};

use crate::docs::{Doc, key};

/// What a query asks for. Words are folded and sorted ([`key`]).
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// The words of the name.
    Name(String),
    /// The words of the main part.
    Main(String),
    /// The words of the main part, and those of the brand.
    MainAndBrand(String, String),
    /// A USDA food that has this synonym or name.
    Synonym(String),
    /// FNDDS codes by their prefixes, or USDA foods by the start of their name.
    Meant { codes: Vec<String>, phrases: Vec<String> },
}

impl Expected {
    pub fn is_met_by(&self, doc: &Doc) -> bool {
        match self {
            Expected::Name(words) => key(&doc.name) == *words,
            Expected::Main(words) => key(doc.main()) == *words,
            Expected::MainAndBrand(main, brand) => key(doc.main()) == *main && key(&doc.brand) == *brand,
            Expected::Synonym(words) => {
                doc.usda
                    && doc
                        .synonyms
                        .iter()
                        .map(String::as_str)
                        .chain([&*doc.name, doc.main()])
                        .any(|it| key(it) == *words)
            }
            Expected::Meant { codes, phrases } => {
                let code = doc.id.strip_prefix("fndds_");
                let by_code = code.is_some_and(|code| codes.iter().any(|beginning| code.starts_with(beginning)));
                by_code || doc.usda && [doc.main(), doc.main_and_next()].iter().any(|it| phrases.contains(&key(it)))
            }
        }
    }

    /// Formats it as the two last columns of the query file.
    pub fn to_columns(&self) -> (&'static str, String) {
        match self {
            Expected::Name(words) => ("name", words.clone()),
            Expected::Main(words) => ("main", words.clone()),
            Expected::MainAndBrand(main, brand) => ("main+brand", format!("{main}|{brand}")),
            Expected::Synonym(words) => ("synonym", words.clone()),
            Expected::Meant { codes, phrases } => ("meant", format!("{};{}", codes.join(" "), phrases.join("|"))),
        }
    }

    pub fn from_columns(rule: &str, expected: &str) -> Result<Self> {
        Ok(match (rule, expected.split_once('|'), expected.split_once(';')) {
            ("name", _, _) => Expected::Name(expected.to_owned()),
            ("main", _, _) => Expected::Main(expected.to_owned()),
            ("synonym", _, _) => Expected::Synonym(expected.to_owned()),
            ("main+brand", Some((main, brand)), _) => Expected::MainAndBrand(main.to_owned(), brand.to_owned()),
            ("meant", _, Some((codes, phrases))) => Expected::meant(codes, phrases),
            _ => bail!("invalid rule {rule:?} with {expected:?}"),
        })
    }

    /// Parses the columns of the list of everyday foods.
    pub fn meant(codes: &str, phrases: &str) -> Self {
        let mut phrases: Vec<String> = phrases.split('|').map(key).filter(|phrase| !phrase.is_empty()).collect();
        phrases.sort_unstable();
        phrases.dedup();
        Expected::Meant { codes: codes.split_whitespace().map(str::to_owned).collect(), phrases }
    }
}

/// Returns the rank of the first right result, from 0.
pub fn place(expected: &Expected, answers: &[&Doc]) -> Option<usize> {
    answers.iter().position(|doc| expected.is_met_by(doc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(id: &str, name: &str, brand: &str) -> Doc {
        Doc {
            id: id.to_owned(),
            usda: brand.is_empty(),
            name: name.to_owned(),
            brand: brand.to_owned(),
            synonyms: vec!["leche fresca".to_owned()],
        }
    }

    #[test]
    fn order_and_plural_do_not_matter() {
        assert!(Expected::Main(key("noodle chicken soups")).is_met_by(&doc(
            "x",
            "Chicken Noodle Soup, canned",
            "Acme"
        )));
        assert!(!Expected::Main(key("chicken soup")).is_met_by(&doc("x", "Chicken Noodle Soup, canned", "Acme")));
        let both = Expected::MainAndBrand(key("soup"), key("Acme"));
        assert!(both.is_met_by(&doc("x", "Soup (canned)", "ACME")));
        assert!(!both.is_met_by(&doc("x", "Soup (canned)", "Other")));
    }

    #[test]
    fn meant_foods_are_found_by_code_or_phrase() {
        let egg = Expected::meant("31101 31103", "egg whole");
        assert!(egg.is_met_by(&doc("fndds_31103010", "Egg, any way", "")));
        assert!(egg.is_met_by(&doc("sr_01123", "Egg, whole, raw, fresh", "")));
        assert!(!egg.is_met_by(&doc("sr_01124", "Egg, white, raw", "")));
        assert!(!egg.is_met_by(&doc("gtin_1", "Egg, whole", "Acme")));
        assert_eq!(Expected::from_columns("meant", &egg.to_columns().1).ok(), Some(egg));
    }

    #[test]
    fn synonyms_belong_to_usda_foods() {
        let milk = Expected::Synonym(key("Leche fresca"));
        assert!(milk.is_met_by(&doc("fndds_1", "Whole milk", "")));
        assert!(!milk.is_met_by(&doc("gtin_1", "Whole milk", "Acme")));
    }
}
