//! The index from words to the names of the catalog's plain foods.
//!
//! A name gains for each word of a phrase that it has, by the idf of the word ("sockeye" says more than "cooked"), and
//! loses for words of the phrase that it lacks and for words of its own that the phrase lacks. The head of the name,
//! which says what the food is, counts more than how it is. What each name loses without any word of a phrase is known
//! before there is one, so that the index holds it, and a matching word gives its share back.

use std::collections::{HashMap, HashSet};
use std::thread;

use foods::catalog::{FoodName, Layer, NameWord};
use foods::index::{MAIN_COST, Zone};
use foods::search::Synonyms;

use super::bare_words::BareWords;
use super::catalog_dishes::CatalogDishes;
use super::common_names::CommonNames;
use super::fill_ins::FillIns;
use super::kinds::HeadKinds;
use super::name_stats;
use super::phrase::Link;
use super::places::{FastFoodChains, Place, SCHOOL};
use super::states::{FoodState, StateWords};
use super::weights::{LinkWeights, PerZone};
use crate::lexicon::Lexicon;
use crate::read::dish_words;
use crate::read::segment::SegmentWord;
use crate::read::spellings::Spellings;

/// Foods of laboratory tables have at most this prior, those of food surveys more.
const LABORATORY_PRIOR: f32 = -0.55;

/// A name of the index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedName {
    pub food: u32,
    /// The word that says what the food is.
    pub head: Option<u32>,
    /// It is from a fast food chain.
    is_fast_food: bool,
    /// It is from fast food places in general.
    is_any_fast_food: bool,
    /// It is from a school.
    is_school: bool,
    /// It is raw or cooked.
    pub state: Option<FoodState>,
}

/// Where a name has a word.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WordZone {
    Main,
    Detail,
    Brand,
    Aside,
    /// Only the category of the food has it.
    Category,
}

impl From<Zone> for WordZone {
    fn from(zone: Zone) -> Self {
        match zone {
            Zone::Main => WordZone::Main,
            Zone::Detail => WordZone::Detail,
            Zone::Brand => WordZone::Brand,
            Zone::Aside => WordZone::Aside,
        }
    }
}

/// A number for each zone, for the inner loop of ranking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneTable([f32; 5]);

impl ZoneTable {
    /// Applies a function to the number of each zone.
    pub fn new(numbers: &PerZone, apply: impl Fn(f32) -> f32) -> Self {
        let PerZone { main, detail, brand, aside, category } = *numbers;
        Self([main, detail, brand, aside, category].map(apply))
    }

    /// Returns the number of a zone.
    pub fn get(&self, zone: WordZone) -> f32 {
        self.0[zone as usize]
    }
}

/// An occurrence of a word in a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub name: u32,
    pub zone: WordZone,
    /// The name says that this is not there: the "skin" of "skin not eaten".
    pub denied: bool,
    /// The penalty for the word that the name gets back if the phrase has it.
    pub cost: f32,
}

/// The names of all plain foods, by word.
#[derive(Debug)]
pub(crate) struct Linker {
    pub names: Vec<IndexedName>,
    /// The prior of each name minus the penalties for all its words.
    pub bases: Vec<f32>,
    postings: PostingLists,
    /// The inverse document frequency of each word, from 0 to 1.
    pub idf: Vec<f32>,
    /// The share of the names with a word whose head it is.
    pub head_shares: Vec<f32>,
    /// What kinds of food words mean as heads.
    pub kinds: HeadKinds,
    /// The number of each food's own name.
    own_names: HashMap<u32, u32>,
    /// Whether a name of the tables has a word.
    pub is_in_tables: Vec<bool>,
    texts: NameTexts,
    /// How many names have one word right behind another.
    pub pairs: HashMap<(u32, u32), u32>,
    pub chains: FastFoodChains,
    dishes: CatalogDishes,
    /// The words of names that a misspelled word may stand for.
    pub spellings: Spellings,
    /// The words that alone name a dish.
    pub dish_spellings: Spellings,
    /// The everyday names of common foods.
    pub common: CommonNames,
    /// The foods of other countries that USDA's tables lack.
    pub fill_ins: FillIns,
    pub bare_words: BareWords,
    pub weights: LinkWeights,
    pub synonyms: Synonyms,
}

impl Linker {
    /// Indexes the names of a layer's plain foods.
    pub fn new(layer: &Layer, lexicon: &Lexicon, weights: LinkWeights) -> Self {
        let (dishes, mut names) = CatalogDishes::split_off(layer);
        let plain_count = names.len();
        names.extend(dishes.names());
        let table_words = layer.word_count() + dishes.foods.len() + 1;
        let common = CommonNames::new(layer, table_words as u32, names.len() as u32);
        let mut counts = vec![0u32; table_words + common.word_count()];
        name_stats::count_words(&names, &mut counts);
        // How rare a word is, the tables say; that common foods have many names says nothing.
        let idf = name_stats::idf(&counts, plain_count);
        let is_in_tables: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
        name_stats::count_words(common.names(), &mut counts);
        names.extend(common.names().cloned());
        let categories = name_stats::category_words(layer, &names);
        let scales = name_stats::extra_word_scales(layer, lexicon, &weights, counts.len());
        let costs = WordCosts { layer, weights: &weights, idf: &idf, scales, dishes: &dishes };
        let chains = FastFoodChains::new(lexicon);
        let denials = name_stats::Denials::new(layer, lexicon);
        let traits = NameTraits::new(layer, &chains);
        // What the names say of kinds and pairs takes as long as the index, and neither needs the other.
        let (index, kinds, pairs) = thread::scope(|scope| {
            let said = scope.spawn(|| (HeadKinds::new(layer, &names), name_stats::pairs(&names)));
            let index = NameIndex::new(&names, &categories, &counts, &common, &costs, &denials, &traits);
            let (kinds, pairs) = said.join().expect("a thread that only reads names ends");
            (index, kinds, pairs)
        });
        let postings = index.postings.finished();
        let head_shares = name_stats::head_shares(&names, &counts);
        // A word that only describes common foods ("seared") is close to too many others.
        let is_spelled = |word: u32| is_in_tables[word as usize] || head_shares[word as usize] > 0.0;
        let is_known = |word: u32| !postings.of(word).is_empty();
        let fill_ins = FillIns::new(layer, is_known);
        Self {
            spellings: spellings_of(layer, is_spelled),
            dish_spellings: spellings_of(layer, |word| dishes.named(word).is_some()),
            names: index.names,
            bases: index.bases,
            postings,
            own_names: index.own_names,
            head_shares,
            kinds,
            is_in_tables,
            texts: NameTexts::new(&names, &categories),
            pairs,
            idf,
            chains,
            dishes,
            common,
            fill_ins,
            bare_words: BareWords::new(lexicon),
            weights,
            synonyms: Synonyms::default(),
        }
    }

    /// Checks whether words have a fixed meaning or a synonym.
    pub fn is_rewritten(&self, words: &[SegmentWord]) -> bool {
        let texts: Vec<String> = words.iter().map(|word| word.word.clone()).collect();
        self.bare_words.meaning(words).is_some() || !self.synonyms.rewrite_words(&texts).is_empty()
    }

    /// Checks whether a food is one of a kind of place.
    pub fn is_from(&self, link: &Link, place: Place) -> bool {
        self.names.get(link.name as usize).is_some_and(|name| match place {
            Place::FastFood => name.is_fast_food,
            Place::School => name.is_school,
        })
    }

    /// Checks whether a food is one of fast food places in general.
    pub fn is_from_any_fast_food(&self, link: &Link) -> bool {
        self.names.get(link.name as usize).is_some_and(|name| name.is_any_fast_food)
    }

    /// Counts the names of plain foods that have a word.
    pub fn names_with(&self, layer: &Layer, word: &str) -> usize {
        let count = |number| match self.postings_of(number).len() {
            0 => usize::from(self.is_fill_in_word(number, word)),
            names => names,
        };
        self.number(layer, word).map_or(0, count)
    }

    /// Checks whether a usual portion of the common food that words name, or that the last of them names, is called so.
    pub fn is_measured_by(&self, layer: &Layer, names: &[&str], measure: &str) -> bool {
        let numbers: Option<Vec<u32>> = names.iter().map(|name| self.number(layer, name)).collect();
        let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else { return false };
        let entry = self.common.meaning(&numbers).or_else(|| self.common.meaning(&numbers[numbers.len() - 1..]));
        entry.is_some_and(|entry| entry.portions.iter().any(|portion| portion.measure == measure))
    }

    /// Returns the word that stands for a dish whose name is a misspelled word.
    pub fn dish_named(&self, word: &str) -> Option<u32> {
        self.dish_spellings.near(word, 1).into_iter().find_map(|word| self.dishes.named(word))
    }

    /// Returns the number of a word of the catalog's names, or of one that stands for a dish.
    pub fn number(&self, layer: &Layer, word: &str) -> Option<u32> {
        match dish_words::of_word(word) {
            Some(food) => self.dishes.word(food),
            None => layer.word(word).or_else(|| self.common.word(word)),
        }
    }

    /// Returns the names that have a word, in their order.
    pub fn postings_of(&self, word: u32) -> &[Posting] {
        self.postings.of(word)
    }

    /// Checks whether the own name of a food has a word that it does not deny.
    pub fn is_in_own_name(&self, food: u32, word: u32) -> bool {
        let Some(name) = self.own_names.get(&food) else { return false };
        let postings = self.postings_of(word);
        postings.binary_search_by_key(name, |posting| posting.name).is_ok_and(|at| !postings[at].denied)
    }

    /// Checks whether the own name of a food has a word only to deny it.
    pub fn is_denied_in_own_name(&self, food: u32, word: u32) -> bool {
        let Some(name) = self.own_names.get(&food) else { return false };
        let postings = self.postings_of(word);
        postings.binary_search_by_key(name, |posting| posting.name).is_ok_and(|at| postings[at].denied)
    }

    /// Returns the words of a name in their order.
    pub fn words_of_name(&self, name: u32) -> &[u32] {
        self.texts.words(name)
    }

    /// Returns the words of a name in their order, then those of its category.
    pub fn words_of_name_and_category(&self, name: u32) -> &[u32] {
        self.texts.words_and_category(name)
    }
}

/// The index while names are added to it.
struct NameIndex {
    postings: PostingLists,
    names: Vec<IndexedName>,
    bases: Vec<f32>,
    /// The number of each food's own name.
    own_names: HashMap<u32, u32>,
}

impl NameIndex {
    /// Indexes names by their words and those of their categories. `counts` says how many names have each word.
    fn new(
        names: &[FoodName],
        categories: &[Vec<u32>],
        counts: &[u32],
        common: &CommonNames,
        costs: &WordCosts<'_>,
        denials: &name_stats::Denials,
        traits: &NameTraits,
    ) -> Self {
        let mut index = Self {
            postings: PostingLists::with_counts(counts, categories),
            names: Vec::with_capacity(names.len()),
            bases: Vec::with_capacity(names.len()),
            own_names: HashMap::new(),
        };
        for (name, categories) in names.iter().zip(categories) {
            let is_common = common.number_of(index.names.len() as u32).is_some();
            let word_costs = if is_common { costs.of_common_name(name) } else { costs.of_name(name) };
            let prior = if is_common { name.prior } else { costs.prior(name) };
            index.add(name, categories, &word_costs, prior, denials);
            index.describe(name, is_common, traits);
        }
        index
    }

    /// Adds the words of a name and of its category.
    fn add(&mut self, name: &FoodName, category: &[u32], costs: &[f32], prior: f32, denials: &name_stats::Denials) {
        let number = self.names.len() as u32;
        for (place, (word, &cost)) in name.words.iter().zip(costs).enumerate() {
            let denied = denials.denies(&name.words, place);
            self.postings.add(word.word, Posting { name: number, zone: word.zone.into(), denied, cost });
        }
        for &word in category {
            let zone = WordZone::Category;
            self.postings.add(word, Posting { name: number, zone, denied: false, cost: 0.0 });
        }
        self.bases.push(prior - costs.iter().fold(0.0, |sum, cost| sum + cost));
    }

    /// Adds what a name says about its food. What the own name of a food says holds for its everyday names too.
    fn describe(&mut self, name: &FoodName, is_common: bool, traits: &NameTraits) {
        let number = self.names.len() as u32;
        let own = self.own_names.get(&name.food).filter(|_| is_common);
        let described = match own {
            Some(&own) => IndexedName { head: name_stats::head_of(name), ..self.names[own as usize] },
            None => traits.describe(name),
        };
        self.names.push(described);
        if !is_common {
            self.own_names.entry(name.food).or_insert(number);
        }
    }
}

/// The posting lists of all words, one behind the other.
#[derive(Debug)]
struct PostingLists {
    postings: Vec<Posting>,
    /// Where the list of each word begins, and where the last one ends.
    starts: Vec<u32>,
    /// Where the next posting of each word goes, while they are being added.
    next: Vec<u32>,
}

impl PostingLists {
    /// Makes room for the words of names and of their categories.
    fn with_counts(counts: &[u32], categories: &[Vec<u32>]) -> Self {
        let mut counts = counts.to_vec();
        for &word in categories.iter().flatten() {
            counts[word as usize] += 1;
        }
        let mut starts = vec![0u32; counts.len() + 1];
        for (at, &count) in counts.iter().enumerate() {
            starts[at + 1] = starts[at] + count;
        }
        let blank = Posting { name: 0, zone: WordZone::Main, denied: false, cost: 0.0 };
        Self { postings: vec![blank; starts[counts.len()] as usize], next: starts.clone(), starts }
    }

    fn add(&mut self, word: u32, posting: Posting) {
        let slot = &mut self.next[word as usize];
        self.postings[*slot as usize] = posting;
        *slot += 1;
    }

    /// Ends the adding.
    fn finished(mut self) -> Self {
        self.next = Vec::new();
        self
    }

    fn of(&self, word: u32) -> &[Posting] {
        let at = word as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&stop)) => &self.postings[start as usize..stop as usize],
            _ => &[],
        }
    }
}

/// The words of all names in order, each name followed by the words of its category.
#[derive(Debug)]
struct NameTexts {
    words: Vec<u32>,
    /// Where each name ends and its category begins, and where that ends.
    ends: Vec<(u32, u32)>,
}

impl NameTexts {
    fn new(names: &[FoodName], categories: &[Vec<u32>]) -> Self {
        let mut texts = Self { words: Vec::with_capacity(names.len() * 8), ends: Vec::with_capacity(names.len()) };
        for (name, category) in names.iter().zip(categories) {
            texts.words.extend(name.words.iter().map(|word| word.word));
            let end = texts.words.len() as u32;
            texts.words.extend(category);
            texts.ends.push((end, texts.words.len() as u32));
        }
        texts
    }

    fn start(&self, name: u32) -> usize {
        (name as usize).checked_sub(1).map_or(0, |before| self.ends[before].1 as usize)
    }

    fn words(&self, name: u32) -> &[u32] {
        &self.words[self.start(name)..self.ends[name as usize].0 as usize]
    }

    fn words_and_category(&self, name: u32) -> &[u32] {
        &self.words[self.start(name)..self.ends[name as usize].1 as usize]
    }
}

/// What the words of names cost if a phrase lacks them.
struct WordCosts<'a> {
    layer: &'a Layer,
    weights: &'a LinkWeights,
    idf: &'a [f32],
    /// A factor for each word.
    scales: Vec<f32>,
    dishes: &'a CatalogDishes,
}

impl WordCosts<'_> {
    /// Returns the cost of each word of a name.
    fn of_name(&self, name: &FoodName) -> Vec<f32> {
        let head = name_stats::head_of(name);
        // The ingredients of a dish say nothing about its name.
        let is_plain = !self.dishes.foods.contains(&name.food);
        let is_compound = is_plain && name_stats::is_compound(self.layer, name);
        let alternatives = if is_plain { name_stats::alternatives(self.layer, name.food) } else { Vec::new() };
        let cost = |(place, word): (usize, &NameWord)| {
            let at = word.word as usize;
            let is_head = is_compound && Some(word.word) == head;
            let head = if is_head { self.weights.extra_head } else { 1.0 };
            let zone = if word.zone == Zone::Main { self.weights.extra_main } else { self.weights.extra_detail };
            let own = if place == 0 && name_stats::is_class(self.layer, name) { MAIN_COST } else { word.cost };
            let choice = if alternatives.contains(&word.word) { self.weights.alternative } else { 1.0 };
            own * zone * head * (0.4 + self.idf[at]) * self.scales[at] * choice
        };
        name.words.iter().enumerate().map(cost).collect()
    }

    /// Returns the cost of each word of an everyday name. Without its last word it is another food.
    fn of_common_name(&self, name: &FoodName) -> Vec<f32> {
        let head = name_stats::head_of(name).filter(|_| name.words.len() > 1);
        let cost = |word: &NameWord| {
            let at = word.word as usize;
            let head = if Some(word.word) == head { self.weights.extra_head } else { 1.0 };
            word.cost * self.weights.extra_main * head * (0.4 + self.idf[at]) * self.scales[at]
        };
        name.words.iter().map(cost).collect()
    }

    fn prior(&self, name: &FoodName) -> f32 {
        let laboratory = if name.prior <= LABORATORY_PRIOR { self.weights.laboratory } else { 0.0 };
        name.prior * self.weights.prior - laboratory
    }
}

/// The words by which names say where a food is from, and how it is.
struct NameTraits {
    chains: HashSet<Vec<u32>>,
    fast_food: Option<[u32; 2]>,
    school: Option<u32>,
    states: StateWords,
}

impl NameTraits {
    fn new(layer: &Layer, chains: &FastFoodChains) -> Self {
        let fast_food = layer.word("fast").zip(layer.word("food")).map(|(fast, food)| [fast, food]);
        Self {
            chains: chains.words_of_names(layer),
            fast_food,
            school: layer.word(SCHOOL),
            states: StateWords::new(layer),
        }
    }

    fn describe(&self, name: &FoodName) -> IndexedName {
        let words: Vec<u32> = name.words.iter().map(|word| word.word).collect();
        let has = |run: &[u32]| words.windows(run.len()).any(|known| known == run);
        IndexedName {
            food: name.food,
            head: name_stats::head_of(name),
            is_fast_food: self.chains.iter().any(|chain| has(chain)),
            is_any_fast_food: self.fast_food.is_some_and(|words| has(&words)),
            is_school: words.iter().any(|word| Some(*word) == self.school),
            state: self.states.of_name(name),
        }
    }
}

/// Lists the words of a layer that pass a test.
fn spellings_of(layer: &Layer, is_listed: impl Fn(u32) -> bool) -> Spellings {
    let mut all = Spellings::default();
    layer.each_word(|number, word| {
        if is_listed(number) {
            all.add(number, word);
        }
    });
    all.sorted()
}
