//! The words that are not foods: what they do in a sentence, units, measures. The lists are data files.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

mod bases;
mod beside;
mod measures;
mod parts;
mod tables;

mod language;

mod grammar;

mod role;

pub use bases::DishBase;
pub use beside::BesideRow;
pub use grammar::{GrammarPhrase, WordUse};
pub use language::roles_in_any_language;
pub use measures::{Measure, MeasureTrait, measure, measure_is, packed_in};
pub use parts::DishPart;
pub use role::{Role, Roles};
pub use tables::{TableTrait, alike, table_traits, table_words};

use foods::catalog::{FoodName, Layer};
use foods::index::Zone;
use foods::text::{raw_words, singular, words};

use grammar::Grammar;
use language::{ENGLISH, english_grammar, rows};

/// Words that join or count foods, and that the name of a restaurant may hold all the same.
const CHAIN_JOINTS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::Or,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Indefinite,
    Role::Definite,
    Role::Number,
]);

/// What is known of words that are not foods, read once.
#[derive(Debug)]
pub struct Lexicon {
    grammar: &'static Grammar,
    /// The names of measures by their words.
    units: HashMap<&'static str, &'static str>,
    /// Units of two words by the first: the second, and the name.
    unit_phrases: HashMap<&'static str, Vec<(&'static str, &'static str)>>,
    /// What a word implies: other words, each stated or denied ("-skin").
    implied: HashMap<&'static str, Vec<&'static str>>,
    /// The words to read for short forms and slips.
    spellings: HashMap<&'static str, &'static str>,
    /// What dishes can be ordered without.
    parts: Vec<DishPart>,
    bases: Vec<DishBase>,
    beside: Vec<BesideRow>,
    /// Heads that are named after the food before them.
    derived: HashSet<&'static str>,
    /// The words to read for what a photo was recognized as.
    seen: HashMap<&'static str, &'static str>,
    /// Names of foods whose two words would each be ignored alone: "energy drink", "snack mix".
    names: HashSet<(String, String)>,
    /// Names of restaurants.
    chains: Vec<Vec<String>>,
    /// Those with a word that joins elsewhere: "Jack in the Box".
    joined_chains: Vec<Vec<String>>,
    /// Names that begin with a number: "3 Musketeers".
    number_names: HashSet<(String, String)>,
    /// Fillers that end the names of foods: the "spread" of "hazelnut spread".
    ends: HashSet<String>,
}

impl Default for Lexicon {
    fn default() -> Self {
        let units: Vec<(&str, &str)> = rows(ENGLISH.units).filter_map(|line| line.split_once('\t')).collect();
        let mut unit_phrases: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
        for (phrase, name) in &units {
            if let Some((first, second)) = phrase.split_once(' ') {
                unit_phrases.entry(first).or_default().push((second, name));
            }
        }
        let grammar = english_grammar();
        let joins = |word: &str| grammar.roles(word).any(CHAIN_JOINTS);
        let chains: Vec<Vec<String>> = rows(ENGLISH.chains).map(|line| raw_words(line, usize::MAX)).collect();
        Self {
            grammar,
            units: units.iter().filter(|(word, _)| !word.contains(' ')).copied().collect(),
            unit_phrases,
            implied: rows(ENGLISH.implied)
                .filter_map(|line| line.split_once('\t'))
                .map(|(word, others)| (word, others.split_whitespace().collect()))
                .collect(),
            spellings: rows(ENGLISH.spellings).filter_map(|line| line.split_once('\t')).collect(),
            parts: rows(ENGLISH.parts).filter_map(DishPart::parse).collect(),
            bases: rows(ENGLISH.bases).filter_map(DishBase::parse).collect(),
            derived: rows(ENGLISH.derived).collect(),
            beside: rows(ENGLISH.beside).filter_map(BesideRow::parse).collect(),
            seen: rows(ENGLISH.seen).filter_map(|line| line.split_once('\t')).collect(),
            names: HashSet::new(),
            joined_chains: chains.iter().filter(|name| name.iter().any(|word| joins(word))).cloned().collect(),
            chains,
            number_names: HashSet::new(),
            ends: HashSet::new(),
        }
    }
}

impl Lexicon {
    /// Reads the lists, and the names of a layer's plain foods that have only words of the lists.
    pub fn of(layer: &Layer) -> Self {
        let mut lexicon = Self::default();
        let main = |name: &FoodName| -> Vec<u32> {
            name.words.iter().filter(|word| word.zone == Zone::Main).map(|word| word.word).collect()
        };
        let mains: HashSet<Vec<u32>> = layer.plain_names().map(|name| main(&name)).collect();
        let ends: HashSet<u32> =
            mains.iter().filter(|words| words.len() > 1).filter_map(|words| words.last().copied()).collect();
        let pairs = mains.into_iter().filter(|words| words.len() == 2);
        // Few words are in the lists; their numbers are looked up once.
        let numbers = |role: Role| -> HashMap<u32, String> {
            let folded = lexicon.grammar.words_with(role).map(singular);
            folded.filter_map(|word| layer.word(&word).map(|number| (number, word))).collect()
        };
        let (fillers, optional) = (numbers(Role::Filler), numbers(Role::Optional));
        for pair in pairs {
            let first = fillers.get(&pair[0]).or_else(|| optional.get(&pair[0]));
            if let (Some(first), Some(second)) = (first, optional.get(&pair[1])) {
                lexicon.names.insert((first.clone(), second.clone()));
            }
        }
        let numbers: HashSet<u32> = (2..=100).filter_map(|number: u32| layer.word(&number.to_string())).collect();
        let starts_with_number = |name: &FoodName| {
            name.words.first().is_some_and(|word| word.zone == Zone::Main && numbers.contains(&word.word))
        };
        for name in layer.plain_names().filter(starts_with_number) {
            let own = layer.names_of(name.food).map(|(own, _)| words(own)).unwrap_or_default();
            if let [number, next, ..] = own.as_slice()
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && lexicon.unit(next).is_none()
            {
                lexicon.number_names.insert((number.clone(), next.clone()));
            }
        }
        lexicon.ends = ends.iter().filter_map(|end| fillers.get(end)).cloned().collect();
        lexicon
    }

    /// Returns the words to read for a short form or a slip.
    pub fn spelling(&self, word: &str) -> Option<&'static str> {
        self.spellings.get(word).copied()
    }

    /// Checks whether a word ends the name of something that is made of, cut from or flavored with the food before it.
    pub fn takes_foods(&self, head: &str) -> bool {
        self.derived.contains(head)
            || self.roles(head).any(const { Roles::of(&[Role::Compound, Role::Mixture, Role::Stewed]) })
    }

    /// Checks whether a word is a dish of whatever is named before it: a sandwich, a soup.
    pub fn takes_any_food(&self, head: &str) -> bool {
        self.roles(head).any(const { Roles::of(&[Role::Compound, Role::Stewed]) })
    }

    /// Returns what words mean beside other foods.
    pub fn beside(&self) -> &[BesideRow] {
        &self.beside
    }

    /// Returns what dishes can be ordered without.
    pub fn parts(&self) -> &[DishPart] {
        &self.parts
    }

    /// Returns what dishes are mostly made of.
    pub fn bases(&self) -> &[DishBase] {
        &self.bases
    }

    /// Checks whether a word does something in a sentence or is a unit.
    pub fn is_listed(&self, word: &str) -> bool {
        self.roles(word) != Roles::NONE || self.unit(word).is_some() || self.grammar.begins_phrase(word)
    }

    /// Checks whether a word is not listed itself, and does something in a sentence only for its ending.
    pub fn is_known_by_ending(&self, word: &str) -> bool {
        self.roles(word) != Roles::NONE && !self.grammar.has(word)
    }

    /// Returns the words to read for what a photo was recognized as, if its name does not say enough.
    pub fn seen_as(&self, name: &str) -> Option<&'static str> {
        self.seen.get(name).copied()
    }

    /// Checks whether two neighboring words are the name of a food although each would be ignored alone.
    pub fn is_name(&self, first: &str, second: &str) -> bool {
        !self.names.is_empty() && self.names.contains(&(singular(first), singular(second)))
    }

    /// Returns the names of restaurants whose whole menu is fast food.
    pub fn chains(&self) -> impl Iterator<Item = &Vec<String>> {
        self.chains.iter()
    }

    /// Returns those that have a word which joins elsewhere: "Jack in the Box".
    pub fn chains_with_joints(&self) -> impl Iterator<Item = &Vec<String>> {
        self.joined_chains.iter()
    }

    /// Checks whether a number and the next word begin the name of a food: "3 Musketeers".
    pub fn is_number_name(&self, value: f64, next: &str) -> bool {
        !self.number_names.is_empty() && self.number_names.contains(&(format!("{value}"), singular(next)))
    }

    /// Checks whether a filler can end the name of a food: "hazelnut spread", "apple crisp".
    pub fn ends_names(&self, word: &str) -> bool {
        self.ends.contains(word) || self.ends.contains(&singular(word))
    }

    /// Returns the unit that a folded word names: its usual name and its measure.
    pub fn unit(&self, word: &str) -> Option<(&'static str, &'static Measure)> {
        let name = self.units.get(word).or_else(|| self.units.get(singular(word).as_str()))?;
        Some((name, measure(name)?))
    }

    /// Returns the unit that a word and the next one name, and how many of the two it takes: "fl oz".
    pub fn unit_at(&self, word: &str, next: Option<&str>) -> Option<(&'static str, &'static Measure, usize)> {
        let phrases = self.unit_phrases.get(word).map_or(&[][..], Vec::as_slice);
        if let Some((_, name)) = phrases.iter().find(|(second, _)| Some(*second) == next) {
            return Some((name, measure(name)?, 2));
        }
        self.unit(word).map(|(name, measure)| (name, measure, 1))
    }

    /// Returns what a folded word does in a sentence.
    pub fn roles(&self, word: &str) -> Roles {
        self.grammar.roles(word)
    }

    /// Returns the value that a word has in a role: "two" is 2 as a number.
    pub fn value(&self, word: &str, role: Role) -> Option<f64> {
        self.grammar.value(word, role)
    }

    /// Returns what a word does, or the longest phrase that it begins; `next` gives the words behind it, the first as 1.
    pub fn find<'w>(&self, word: &str, next: impl Fn(usize) -> Option<&'w str>) -> WordUse {
        self.grammar.find(word, next)
    }

    /// Checks whether a word begins a fixed pair: one food although "and" joins its words.
    pub fn is_pair<'w>(&self, word: &str, next: impl Fn(usize) -> Option<&'w str>) -> bool {
        self.grammar.is_pair(word, next)
    }

    /// Returns a word with a role, always the same.
    pub fn word_with(&self, role: Role) -> &'static str {
        self.words_with(role).min().unwrap_or_default()
    }

    /// Returns all phrases with a role.
    pub fn phrases_with(&self, role: Role) -> impl Iterator<Item = &GrammarPhrase> + '_ {
        self.grammar.phrases_with(role)
    }

    /// Returns the dishes that the food tables do not have, each with the foods to read instead.
    pub fn plates(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        rows(ENGLISH.plates).filter_map(|line| line.split_once('\t'))
    }

    /// Returns bare words, and what people mean by each.
    pub fn usual(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        rows(ENGLISH.usual).filter_map(|line| line.split_once('\t'))
    }

    /// Returns all words with a role.
    pub fn words_with(&self, role: Role) -> impl Iterator<Item = &'static str> + '_ {
        self.grammar.words_with(role)
    }

    /// Returns every word for a measure or a size.
    pub fn measures_and_sizes<'a>(&'a self) -> impl Iterator<Item = &'a str> {
        let sizes = self.words_with(Role::Size).map(|size| -> &'a str { size });
        self.units.keys().map(|word| -> &'a str { word }).chain(sizes)
    }

    /// Checks whether a word says how large a portion is.
    pub fn is_size(&self, word: &str) -> bool {
        self.roles(word).has(Role::Size)
    }

    /// Checks whether a word says nothing about food or amount.
    pub fn is_filler(&self, word: &str) -> bool {
        self.roles(word).has(Role::Filler)
    }

    /// Checks whether a word says nothing of which food is meant: a filler, or where it was made.
    pub fn is_aside(&self, word: &str) -> bool {
        self.roles(word).any(const { Roles::of(&[Role::Filler, Role::Optional, Role::Provenance]) })
    }

    /// Returns the words that a stated or denied word implies, and whether each is denied.
    pub fn implied(&self, word: &str, negated: bool) -> impl Iterator<Item = (&'static str, bool)> + '_ {
        let key = if negated { format!("-{word}") } else { word.to_owned() };
        let others = self.implied.get(key.as_str()).into_iter().flatten();
        others.map(|other| other.strip_prefix('-').map_or((*other, false), |denied| (denied, true)))
    }

    /// Checks whether a word may or may not belong to the name of a food.
    pub fn is_optional(&self, word: &str) -> bool {
        self.roles(word).has(Role::Optional)
    }
}
