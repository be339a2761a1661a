//! Words of names, portions and categories in the food tables. They are the tables' own, so they are the same in all languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::language::rows;

/// Something that can be said of a word of the food tables. `lexicon/README.md` explains each with examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableTrait {
    Neutral,
    PlainSize,
    Size,
    Lightest,
    Tiny,
    Heaviest,
    Container,
    Piece,
    Weight,
    CategoryNoise,
    Bread,
    Cereal,
    Sandwich,
    Salad,
    Single,
    Cut,
    Raw,
    Cooked,
    Child,
    Twice,
    Purpose,
    Meat,
    Filled,
    Filling,
    LastFilling,
    Holder,
    Sliced,
    Seasoning,
    MadeOf,
    Inedible,
    Color,
    Cuisine,
    Skinned,
}

const TRAITS: &[(&str, TableTrait)] = &[
    ("neutral", TableTrait::Neutral),
    ("plain-size", TableTrait::PlainSize),
    ("size", TableTrait::Size),
    ("lightest", TableTrait::Lightest),
    ("tiny", TableTrait::Tiny),
    ("heaviest", TableTrait::Heaviest),
    ("container", TableTrait::Container),
    ("piece", TableTrait::Piece),
    ("weight", TableTrait::Weight),
    ("category-noise", TableTrait::CategoryNoise),
    ("bread", TableTrait::Bread),
    ("cereal", TableTrait::Cereal),
    ("sandwich", TableTrait::Sandwich),
    ("salad", TableTrait::Salad),
    ("single", TableTrait::Single),
    ("cut", TableTrait::Cut),
    ("raw", TableTrait::Raw),
    ("cooked", TableTrait::Cooked),
    ("child", TableTrait::Child),
    ("twice", TableTrait::Twice),
    ("purpose", TableTrait::Purpose),
    ("meat", TableTrait::Meat),
    ("filled", TableTrait::Filled),
    ("filling", TableTrait::Filling),
    ("last-filling", TableTrait::LastFilling),
    ("holder", TableTrait::Holder),
    ("sliced", TableTrait::Sliced),
    ("seasoning", TableTrait::Seasoning),
    ("made-of", TableTrait::MadeOf),
    ("inedible", TableTrait::Inedible),
    ("color", TableTrait::Color),
    ("cuisine", TableTrait::Cuisine),
    ("skinned", TableTrait::Skinned),
];

/// What can be said of a word of the food tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableTraits(u64);

impl TableTraits {
    /// Checks for a trait.
    pub const fn has(self, what: TableTrait) -> bool {
        self.0 & (1 << what as u32) != 0
    }
}

/// The table of the words, in the order of its rows.
#[derive(Debug)]
struct TableWords {
    rows: Vec<Row>,
    by_word: HashMap<&'static str, usize>,
}

#[derive(Debug)]
struct Row {
    word: &'static str,
    traits: TableTraits,
    /// The words that the tables may have instead.
    alike: Vec<&'static str>,
}

static TABLE_WORDS: LazyLock<TableWords> = LazyLock::new(|| {
    parse(include_str!("../../lexicon/tables.tsv")).expect("a test reads the table of the food tables' words")
});

/// Returns what can be said of a word of the food tables.
pub fn table_traits(word: &str) -> TableTraits {
    TABLE_WORDS.by_word.get(word).map_or_else(TableTraits::default, |&at| TABLE_WORDS.rows[at].traits)
}

/// Returns the words that the tables may have instead of a measure or size.
pub fn alike(word: &str) -> &'static [&'static str] {
    TABLE_WORDS.by_word.get(word).map_or(&[], |&at| &TABLE_WORDS.rows[at].alike)
}

/// Returns the words of which something can be said, in the order of preference.
pub fn table_words(what: TableTrait) -> impl Iterator<Item = &'static str> {
    TABLE_WORDS.rows.iter().filter(move |row| row.traits.has(what)).map(|row| row.word)
}

fn parse(table: &'static str) -> Result<TableWords, String> {
    let mut portions = TableWords { rows: Vec::new(), by_word: HashMap::new() };
    for row in rows(table) {
        let mut columns = row.split('\t');
        let (Some(word), Some(names)) = (columns.next(), columns.next()) else {
            return Err(format!("tables.tsv: expected a word, a tab and its traits in {row:?}"));
        };
        let mut traits = TableTraits::default();
        for name in names.split_whitespace() {
            let known = TRAITS.iter().find(|(known, _)| *known == name);
            let (_, known) = known.ok_or_else(|| format!("tables.tsv: unknown trait {name:?} in {row:?}"))?;
            traits.0 |= 1 << *known as u32;
        }
        let alike = columns.next().map(|words| words.split(", ").collect()).unwrap_or_default();
        if portions.by_word.insert(word, portions.rows.len()).is_some() {
            return Err(format!("tables.tsv: {word:?} is there twice"));
        }
        portions.rows.push(Row { word, traits, alike });
    }
    Ok(portions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_tables() {
        assert!(table_traits("jumbo").has(TableTrait::Size) && !table_traits("slice").has(TableTrait::Size));
        assert_eq!(alike("grande"), ["medium"]);
        assert!(alike("banana").is_empty());
        assert_eq!(table_words(TableTrait::Single).next(), Some("whole"));
        assert_eq!(table_words(TableTrait::Cut).collect::<Vec<_>>().last(), Some(&"chunk"));
    }

    #[test]
    fn mistakes_are_refused() {
        let refused = |table: &'static str| parse(table).expect_err(table);
        assert!(refused("slice\n").contains("expected a word"));
        assert!(refused("slice\tround\n").contains("unknown trait \"round\""));
        assert!(refused("slice\tcut\nslice\tpiece\n").contains("there twice"));
    }

    #[test]
    fn every_trait_is_explained_and_used() {
        let readme = include_str!("../../lexicon/README.md");
        for (name, what) in TRAITS {
            assert!(readme.contains(&format!("`{name}`")), "lexicon/README.md does not explain {name}");
            assert!(table_words(*what).next().is_some(), "no word is {name}");
        }
    }
}
