//! Texts in other languages, read into English.
//!
//! The engine thinks in English: the food tables are English, and so are its rules. A text in another language is read by
//! tables ([`language`], [`words`]): its words and phrases are replaced by English ones ([`reading`], [`cover`]) and put into the order of
//! English ([`order`]), and what they mean is kept ([`meant_foods`]). What nothing explains is marked, so that no rule for misspelled English makes a food of it
//! ([`foreign_words`]). The language is said by the caller or found by comparing how much of the text each language
//! explains ([`detect`]).

mod detect;

mod reading;

mod spoken;

mod meant_foods;

mod order;

mod amounts;

mod bound;
mod cover;

mod table_names;

mod piece;

pub mod foreign_words;

mod language;

mod words;

mod entry;

mod settings;

mod table_rows;

use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashMapExt as _};
use foods::catalog::Layer;
use foods::common::{CommonFood, CommonPortion};

pub use language::Language;
pub(crate) use piece::English;
pub(crate) use spoken::Spoken;

use detect::Detector;
use piece::Piece;
use table_names::TableNames;
use table_rows::LAST_LATIN;

use crate::lexicon::Lexicon;
use crate::read::token::Token;

/// What is known of the language that a person speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Speaker {
    /// The code of the language that the text is in: "es". Without it, the language is detected.
    pub language: Option<String>,
    /// The codes of languages that the person understands, best first. They decide where a text could be of several.
    pub understands: Vec<String>,
}

impl Speaker {
    /// Checks whether the person has said that they understand a language.
    pub(crate) fn understands(&self, code: &str) -> bool {
        self.language.iter().chain(&self.understands).any(|understood| understood == code)
    }
}

/// All languages but English.
#[derive(Debug)]
pub struct Translator {
    languages: Vec<Language>,
    detector: Detector,
    /// The names of national tables in each language, listed when the first text is in it.
    table_names: Vec<OnceLock<TableNames>>,
    /// What is known of the foods of each language, listed when first asked for.
    foods: Vec<OnceLock<KnownFoods>>,
}

impl Translator {
    /// Prepares all languages. Their words are read when the first text may be in them.
    pub fn new(lexicon: &Arc<Lexicon>) -> Self {
        let languages: Vec<Language> =
            settings::ALL.iter().map(|tables| Language::new(tables, Arc::clone(lexicon))).collect();
        let detector = Detector::new();
        let table_names = languages.iter().map(|_| OnceLock::new()).collect();
        let foods = languages.iter().map(|_| OnceLock::new()).collect();
        Self { languages, detector, table_names, foods }
    }

    /// Returns all languages but English, in the order of their codes.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Returns the language with a code.
    pub fn language(&self, code: &str) -> Option<&Language> {
        self.languages.iter().find(|language| language.code() == code)
    }

    /// Returns the language of a text.
    pub(crate) fn language_of(
        &self,
        text: &str,
        tokens: &[Token],
        speaker: &Speaker,
        english: &impl English,
    ) -> Spoken<'_> {
        match &speaker.language {
            Some(code) => self.language(code).map_or(Spoken::English, Spoken::Other),
            None => self.detector.detect(&self.languages, text, tokens, &speaker.understands, english),
        }
    }

    /// Returns the name of a food in a language, if the list has one.
    pub fn name_of(&self, food_id: &str, language: &Language) -> Option<String> {
        Some(capitalized(self.known_as(food_id, language)?.name))
    }

    /// Returns the usual portions of a food where a language is spoken, if they differ from those elsewhere.
    /// Those of the country come first; the second value says how many they are.
    pub(crate) fn portions_of(&self, food_id: &str, language: &Language) -> Option<(&[CommonPortion], usize)> {
        let known = self.known_as(food_id, language).filter(|known| !known.portions.is_empty())?;
        Some((known.portions.as_slice(), known.local))
    }

    /// Returns a row of a language's list, if it has portions of its own.
    pub(crate) fn portioned_row(&self, row: u32, language: &Language) -> Option<&PortionedRow> {
        self.foods_of(self.place_of(language)?, language).by_row.get(row as usize)?.as_ref()
    }

    /// Reads a text of a language into English. Foods of its list are the foods that the list means, whatever stands beside
    /// them.
    pub(crate) fn read(&self, text: &[Token], spoken: Spoken<'_>, layer: &Layer, english: &impl English) -> Translated {
        self.read_as(text, spoken, layer, english, |pieces| meant_foods::name_foods(pieces, english))
    }

    /// Reads a search query of a language into English words.
    pub(crate) fn read_query(
        &self,
        text: &[Token],
        spoken: Spoken<'_>,
        layer: &Layer,
        english: &impl English,
    ) -> Translated {
        self.read_as(text, spoken, layer, english, |pieces| pieces)
    }

    fn read_as(
        &self,
        text: &[Token],
        spoken: Spoken<'_>,
        layer: &Layer,
        english: &impl English,
        finish: impl Fn(Vec<Piece>) -> Vec<Piece>,
    ) -> Translated {
        let language = match spoken {
            Spoken::English => return Translated { tokens: text.to_vec(), foods: Vec::new() },
            Spoken::Unknown => {
                let tokens = text.iter().map(|token| marked(token, english)).collect();
                return Translated { tokens, foods: Vec::new() };
            }
            Spoken::Other(language) => language,
        };
        let names = self.place_of(language).map(|at| self.table_names_of(at, layer));
        let pieces = reading::pieces_of(text, language, names, english);
        let said = |piece: &Piece| {
            let row = piece.food?;
            language.words().food(row).map(|food| SaidFood { english: food.english, name: food.name, row })
        };
        let foods = pieces.iter().filter_map(said).collect();
        let pieces = finish(order::in_order(&pieces, language, english));
        Translated { foods, tokens: pieces.into_iter().flat_map(|piece| piece.tokens).collect() }
    }

    /// Reads now what would be read when the first text is in each language, so that no text waits for it.
    pub(crate) fn prepare(&self, layer: &Layer) {
        for (at, language) in self.languages.iter().enumerate() {
            language.words();
            self.table_names_of(at, layer);
            self.foods_of(at, language);
        }
    }

    fn table_names_of(&self, at: usize, layer: &Layer) -> &TableNames {
        self.table_names[at].get_or_init(|| TableNames::new(layer, self.languages[at].code()))
    }

    fn foods_of(&self, at: usize, language: &Language) -> &KnownFoods {
        self.foods[at].get_or_init(|| KnownFoods::of(language))
    }

    fn place_of(&self, language: &Language) -> Option<usize> {
        self.languages.iter().position(|known| std::ptr::eq(known, language))
    }

    fn known_as(&self, food_id: &str, language: &Language) -> Option<&KnownFood> {
        let at = self.place_of(language)?;
        self.foods_of(at, language).by_id.get(food_id)
    }
}

/// What a common food is called in a language, and how much of it is usual.
#[derive(Debug)]
struct KnownFood {
    name: &'static str,
    /// The portions of the language before those of the common food; empty if they are the same.
    portions: Vec<CommonPortion>,
    /// How many of them are those of the language.
    local: usize,
}

/// A text, read into English.
#[derive(Debug)]
pub(crate) struct Translated {
    pub tokens: Vec<Token>,
    /// The foods of the list that it names.
    pub foods: Vec<SaidFood>,
}

/// A food of a language's list that a text names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SaidFood {
    /// Its English name.
    pub english: &'static str,
    /// Its name in the language.
    pub name: &'static str,
    /// The number of its row.
    pub row: u32,
}

/// Checks whether a text has only letters of the Latin alphabet.
pub(crate) fn is_in_latin(text: &str) -> bool {
    text.chars().all(|letter| letter <= LAST_LATIN || !letter.is_alphabetic())
}

/// Returns a name with a capital letter, as the tables have them.
pub(crate) fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// Marks a word that is not known.
fn marked(token: &Token, english: &impl English) -> Token {
    match token {
        Token::Word(word) if !english.knows(word) => Token::Word(foreign_words::word(word)),
        _ => token.clone(),
    }
}

/// What is known of the foods of a language.
#[derive(Debug)]
struct KnownFoods {
    /// The common foods by their ids; of several names for a food the first is shown.
    by_id: HashMap<&'static str, KnownFood>,
    /// The rows of the list; none for those without portions.
    by_row: Vec<Option<PortionedRow>>,
}

/// A row of a language's list that has portions of its own.
#[derive(Debug)]
pub(crate) struct PortionedRow {
    /// The portions of the row before those of the common food it stands for.
    pub portions: Vec<CommonPortion>,
    /// How many of them are those of the row.
    pub own: usize,
    /// The number of the food that its English name leads to, found out when the row is first said.
    pub food: OnceLock<Option<u32>>,
}

impl KnownFoods {
    fn of(language: &Language) -> Self {
        let common: Vec<CommonFood> = foods::common::all().collect();
        let by_name: HashMap<&str, &CommonFood> =
            common.iter().flat_map(|food| food.names.iter().map(move |name| (*name, food))).collect();
        let mut by_id: HashMap<&'static str, KnownFood> = HashMap::new();
        let mut by_row = Vec::new();
        // A dish without portions has those of its first row. Later ones are for a kind of it: a small one.
        let mut of_dishes: HashMap<&str, &[CommonPortion]> = HashMap::new();
        for local in language.words().foods() {
            of_dishes.entry(local.english).or_insert(&local.portions);
        }
        for local in language.words().foods() {
            let common = by_name.get(local.english);
            let is_bare_dish = common.is_none() && local.portions.is_empty();
            let of_dish = of_dishes.get(local.english).filter(|_| is_bare_dish);
            let own = of_dish.copied().unwrap_or(&local.portions);
            let portions = portions_before(own, common.map_or(&[], |food| food.portions.as_slice()));
            if let Some(food) = common {
                let known =
                    by_id.entry(food.id).or_insert(KnownFood { name: local.name, portions: Vec::new(), local: 0 });
                if known.portions.is_empty() {
                    known.local = local.portions.len();
                    known.portions.clone_from(&portions);
                }
            }
            let own = own.len();
            by_row.push((own > 0).then(|| PortionedRow { portions, own, food: OnceLock::new() }));
        }
        Self { by_id, by_row }
    }
}

/// Returns a language's portions of a food before the other ones that it has elsewhere; none if the language has none.
fn portions_before(own: &[CommonPortion], elsewhere: &[CommonPortion]) -> Vec<CommonPortion> {
    if own.is_empty() {
        return Vec::new();
    }
    let is_other = |portion: &&CommonPortion| !own.iter().any(|own| own.measure == portion.measure);
    own.iter().chain(elsewhere.iter().filter(is_other)).copied().collect()
}
