//! The engine: a catalog, prepared for estimates.
//!
//! The same text gives the same answer, always: nothing here depends on time, chance or the order of a hash map.

mod amounts_between;
mod lost_names;
mod neighbors;
mod products;
mod rows;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::thread;

use foods::Food;
use foods::catalog::{Catalog, CatalogError, Layer};
use foods::search::Searcher;
use foods::text::{singular, words};

use crate::budget::Budget;
use crate::lexicon::{Lexicon, Measure, MeasureTrait, Role, Roles, measure, measure_is};
use crate::link::cache::{CachePool, LinkCache};
use crate::link::compose;
use crate::link::left_out;
use crate::link::linker::Linker;
use crate::link::listed_parts;
use crate::link::mention::Mention;
use crate::link::own_ingredients;
use crate::link::phrase::{Link, Phrase};
use crate::link::told_dishes;
use crate::link::weights::{JoinCosts, LinkWeights};
use crate::portion::table::PortionTable;
use crate::portion::usual::UsualPortions;
use crate::portion::{self, Weight};
use crate::read::composed_dishes::ComposedDishes;
use crate::read::dish_words;
use crate::read::everyday_names::EverydayNames;
use crate::read::maker_names::MakerNames;
use crate::read::named_foods::NamedFood;
use crate::read::retell::{is_glued, retell};
use crate::read::segment::SegmentWord;
use crate::read::short_forms::{ShortForms, write_out_listed};
use crate::read::split;
use crate::read::survey_names::SurveyNames;
use crate::read::text::{Text, Uses};
use crate::read::token::{self, Token};
use crate::read::trailing_measures::{self, TrailingUnit};
use crate::translate::{English, Language, SaidFood, Speaker, Translated, Translator, capitalized, foreign_words};

/// The most foods that are returned for words outside of a mention.
const MAX_LINKS: usize = 6;
/// A word that fewer names have may be one of another language.
const MIN_NAMES_OF_ENGLISH: usize = 5;
/// A word that so many names have is surely English.
const MANY_NAMES: usize = 40;
const SURELY_ENGLISH: f32 = 1.2;
/// The steps that one search for a product may take in a layer: several times as many as usual ones do, and few enough for a
/// text with many unknown words.
const MAX_STEPS_OF_SEARCH: usize = 400_000;
/// The steps of reading a token, and of each look that is taken at one.
const STEPS_OF_TOKEN: usize = 150;
/// A longer text is more than a product's name and a word or two beside it.
const MAX_TOKENS_OF_PRODUCT: usize = 10;
/// The steps of telling a token again.
const STEPS_OF_RETELLING: usize = 20;
/// The steps of looking for an everyday name at a token.
const STEPS_OF_NAME: usize = 50;
pub(crate) const STEPS_OF_LOOK: usize = 5;

/// Estimates meals over one catalog.
///
/// It takes a few tenths of a second to prepare and some tens of megabytes. It never changes: make one, and share it between
/// all threads.
#[derive(Debug)]
pub struct Engine {
    catalog: Arc<Catalog>,
    linker: Linker,
    lexicon: Arc<Lexicon>,
    composed_dishes: ComposedDishes,
    short_forms: ShortForms,
    everyday_names: EverydayNames,
    maker_names: MakerNames,
    translator: Translator,
    /// The ids of foods by their everyday names, in the singular; without those that only stand in for one.
    everyday_foods: HashMap<String, &'static str>,
    costs: JoinCosts,
    searcher: Searcher,
    caches: CachePool,
}

impl Engine {
    /// Prepares a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        let layer = &catalog.layers()[0];
        let lexicon = Arc::new(Lexicon::of(layer));
        // Both read the catalog and the lists of names, and the program cannot start without both.
        let (linker, names) = thread::scope(|scope| {
            let names = scope.spawn(|| {
                let dishes = ComposedDishes::new(&lexicon, dish_words::all(layer), SurveyNames::of(layer));
                let makers = MakerNames::new(foods::products::all(), |id| layer.find_id(id));
                let short_forms = ShortForms::new(foods::common::all().flat_map(|food| food.names));
                (dishes, makers, short_forms, everyday_foods())
            });
            let linker = Linker::new(layer, &lexicon, LinkWeights::default());
            (linker, joined(names))
        });
        let (composed_dishes, maker_names, short_forms, everyday_foods) = names;
        let translator = Translator::new(&lexicon);
        let everyday_names = EverydayNames::new(linker.common.named());
        Self {
            catalog,
            linker,
            lexicon,
            composed_dishes,
            everyday_names,
            maker_names,
            short_forms,
            translator,
            everyday_foods,
            costs: JoinCosts::default(),
            searcher: Searcher::default(),
            caches: CachePool::default(),
        }
    }

    /// Prepares a catalog that is part of the program: `Engine::from_static(embedded::CATALOG)`.
    pub fn from_static(catalog: &'static [u8]) -> Result<Self, CatalogError> {
        Ok(Self::new(Arc::new(Catalog::from_static(catalog)?)))
    }

    /// Reads the tables of all languages, which are otherwise read when the first text is in each. A server does this before or
    /// while it answers; it takes about a tenth of a second.
    pub fn prepare_languages(&self) {
        self.translator.prepare(self.layer());
    }

    /// Returns the words that are not foods, which an [`Explanation`](crate::Explanation) needs.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Returns the languages that texts may be in besides English.
    pub fn translator(&self) -> &Translator {
        &self.translator
    }

    /// Reads a search query into English; returns `None` if it is English.
    pub fn query_in_english(&self, query: &str, speaker: &Speaker) -> Option<QueryInEnglish<'_>> {
        let tokens = token::tokens(query);
        let spoken = self.translator.language_of(query, &tokens, speaker, self);
        let language = spoken.other()?;
        let shown = |token: Token| match token {
            Token::Word(word) => Some(match NamedFood::of_word(&word) {
                Some(named) => self.layer().food(named.food)?.name,
                None => foreign_words::unmarked(&word),
            }),
            Token::Number(value, _) => Some(value.to_string()),
            _ => None,
        };
        let Translated { tokens, foods } = self.translator.read_query(&tokens, spoken, self.layer(), self);
        let words = tokens.into_iter().filter_map(shown).collect::<Vec<String>>().join(" ");
        Some(QueryInEnglish { words, language, foods })
    }

    /// Returns the usual name of a food in a language, else that of its table.
    pub fn local_name(&self, food: &Food, language: &Language) -> Option<String> {
        self.name_in(food, language, &[])
    }

    /// Returns the name of a food in a language: the one that was said for it, else the usual one, else that of its table.
    pub(crate) fn name_in(&self, food: &Food, language: &Language, said: &[SaidFood]) -> Option<String> {
        let is_meant = |said: &&SaidFood| self.everyday_id(said.english).is_some_and(|id| id == food.id);
        let said = said.iter().find(is_meant).map(|said| capitalized(said.name));
        let of_table = || food.local_names.iter().find(|local| local.language == language.code());
        said.or_else(|| self.translator.name_of(&food.id, language))
            .or_else(|| of_table().map(|local| local.name.clone()))
    }

    /// Returns the number of the one food that words lead to.
    pub(crate) fn food_called(&self, name: &str) -> Option<u32> {
        if let Some(id) = self.everyday_id(name) {
            return self.layer().find_id(id);
        }
        match self.mentions(&token::tokens(name), &Budget::default()).as_slice() {
            [mention] => Some(mention.links.first()?.food),
            _ => None,
        }
    }

    /// Returns the id of the food that people mean by an everyday name.
    pub fn everyday_id(&self, name: &str) -> Option<&'static str> {
        self.everyday_foods.get(&words(name).join(" ")).copied()
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns the layer of the catalog with the plain foods.
    pub(crate) fn layer(&self) -> &Layer {
        &self.catalog.layers()[0]
    }

    pub(crate) fn costs(&self) -> &JoinCosts {
        &self.costs
    }

    /// Lends a cache for as long as a function runs.
    pub(crate) fn with_cache<R>(&self, work: impl FnOnce(&mut LinkCache) -> R) -> R {
        self.caches.with(work)
    }

    /// Returns the mentions of foods in tokens, with the foods they may be.
    pub(crate) fn mentions(&self, tokens: &[Token], budget: &Budget) -> Vec<Mention> {
        budget.take(tokens.len() * STEPS_OF_RETELLING);
        let food_of = |name: &str| self.everyday_foods.get(name).copied();
        let is_name = |name: &str| {
            let words: Vec<&str> = name.split(' ').collect();
            self.everyday_names.food_of(&words).is_some()
                || self.composed_dishes.is_name(&words.into_iter().map(str::to_owned).collect::<Vec<_>>())
        };
        let is_word = |word: &str| self.layer().word(word).is_some();
        let is_place = |name: &[Token]| self.maker_names.is_chain(name);
        let told = retell(tokens, &self.lexicon, |word| self.names_with(word) > 0, is_word, is_name, is_place, food_of);
        let tokens = told.as_deref().unwrap_or(tokens);
        let is_of = |name: &[Token], unit: &TrailingUnit<'_>| self.comes_in(name, unit, budget);
        let is_food = |word: &str| food_of(&singular(word)).is_some();
        let measured = trailing_measures::put_before(tokens, &self.lexicon, is_of, is_food);
        let tokens = measured.as_deref().unwrap_or(tokens);
        let named = self.name_products(tokens, budget);
        let tokens = named.as_deref().unwrap_or(tokens);
        // Some products are called by what others are a slip for.
        let spelled = write_out_listed(tokens, &self.lexicon, |word| self.composed_dishes.has_word(word));
        let named = spelled.as_deref().and_then(|tokens| self.name_products(tokens, budget));
        let tokens = named.as_deref().or(spelled.as_deref()).unwrap_or(tokens);
        self.mentions_without_products(tokens, budget)
    }

    /// Checks whether words are one food that comes in a unit, and not the front of a name that the unit ends.
    fn comes_in(&self, name: &[Token], unit: &TrailingUnit<'_>, budget: &Budget) -> bool {
        let TrailingUnit { name: unit, joined: next, is_counted } = *unit;
        let names = names_of(&name.iter().chain(next).cloned().collect::<Vec<Token>>());
        let is_name = |names: &[String]| {
            self.everyday_foods.contains_key(&names.join(" ")) || self.composed_dishes.is_name(names)
        };
        // "apple juice box" ends with "juice box"; a "pizza slice" is pizza.
        let id = |names: &[String]| self.everyday_foods.get(&names.join(" "));
        let is_cut = measure_is(unit, MeasureTrait::Slice);
        let is_whole = |names: &[String]| is_cut && id(names) == names.split_last().and_then(|(_, name)| id(name));
        let is_other = |names: &[String]| is_name(names) && !is_whole(names);
        let ends_name = || (0..name.len()).any(|from| names.get(from..).is_some_and(is_other));
        if budget.is_spent() || next.is_some() && ends_name() {
            return false;
        }
        let mentions = self.mentions(name, budget);
        let [mention] = mentions.as_slice() else { return false };
        let Some(link) = mention.links.first() else { return false };
        let is_listed = self.usual_portions(link).of(unit).is_some();
        let is_whole = || link.is_outside_index() || self.is_whole(mention, link, name);
        let is_volume = matches!(measure(unit), Some(Measure::Volume(_)));
        let holds_anything = measure_is(unit, MeasureTrait::Container) || is_volume;
        // What is said apart of a product, or of what can be cut, is no other food: "activia, 1 pot", "lime, 2 wedges".
        let is_apart =
            || is_counted && (measure_is(unit, MeasureTrait::Piece) || link.is_outside_index() && !is_volume);
        is_listed || is_apart() || next.is_some() && holds_anything && is_whole()
    }

    /// Returns the best food of a mention, and what its amount weighs.
    fn weighed(&self, mention: &Mention) -> Option<(Food, Weight)> {
        let link = mention.links.first()?;
        let food = self.layer().food(link.food)?;
        let usual = self.usual_portions(link);
        let weight = self.with_cache(|cache| {
            portion::weigh(&PortionTable::new(&food, &mut cache.rows), usual, &mention.quantity, &mention.words)
        });
        Some((food, weight))
    }

    /// Returns the calories of a mention.
    fn calories_of(&self, mention: &Mention) -> Option<f64> {
        self.weighed(mention).map(|(food, weight)| food.macros(weight.grams).calories)
    }

    fn mentions_without_products(&self, tokens: &[Token], budget: &Budget) -> Vec<Mention> {
        budget.take(tokens.len() * STEPS_OF_NAME);
        let is_dish = |words: &[Token]| self.composed_dishes.name_at(words) == Some(words.len());
        let filled = self.everyday_names.join_fillings(tokens, &self.lexicon, is_dish);
        let tokens = filled.as_deref().unwrap_or(tokens);
        let listed = self.list_rows(tokens, budget);
        let tokens = listed.as_deref().unwrap_or(tokens);
        let added = self.everyday_names.join_additions(tokens, &self.lexicon);
        let tokens = added.as_deref().unwrap_or(tokens);
        let is_in_dish = |range: Range<usize>| self.is_in_dish(tokens, range, false);
        let named = self.everyday_names.replace(tokens, &self.lexicon, self, is_in_dish);
        self.mentions_by_rules(named.as_deref().unwrap_or(tokens), budget)
    }

    /// Checks whether a mention covers a text, and its food has all of the words.
    fn is_whole(&self, mention: &Mention, link: &Link, text: &[Token]) -> bool {
        mention.words.len() >= text.len() && self.linker.has_all_words(link, &mention.words)
    }

    fn mentions_by_rules(&self, tokens: &[Token], budget: &Budget) -> Vec<Mention> {
        let is_known = |word: &str| self.names_with(word) > 0;
        let is_in_product = |word: &str| self.layer().word(word).is_some();
        let expand =
            |tokens: &[Token]| self.composed_dishes.expand(tokens, is_known, |word| self.says_which_food(word));
        let mut expanded = expand(tokens);
        // Some dishes have a short form in their name, others only with it written out.
        let text = expanded.as_deref().unwrap_or(tokens);
        if let Some(written_out) = self.short_forms.write_out(text, &self.lexicon, is_known, is_in_product) {
            expanded = expand(&written_out).or(Some(written_out));
        }
        let tokens = expanded.as_deref().unwrap_or(tokens);
        let uses = Uses::new(tokens, &self.lexicon);
        let segments = split::segments_of(Text::new(tokens, &uses, &self.lexicon));
        budget.take(tokens.len() * STEPS_OF_TOKEN + uses.looks() * STEPS_OF_LOOK);
        let mut mentions =
            self.with_cache(|cache| compose::compose(self.layer(), &self.linker, &self.costs, segments, cache, budget));
        self.give_amounts_to_foods_before(&mut mentions);
        self.give_amounts_to_dishes(&mut mentions);
        let mut mentions = listed_parts::drop_listed_parts(self.layer(), mentions);
        left_out::give_to_dishes(self.layer(), &mut mentions, self.lexicon.parts());
        // What is in the place of a part is no own ingredient, although it is called like one.
        let mentions = self.exchange_parts(mentions);
        let mentions = own_ingredients::drop_own_ingredients(self.layer(), mentions);
        let mentions = told_dishes::drop_told_dishes(mentions, |dish, food| self.is_base(dish, food));
        self.read_beside_others(told_dishes::drop_repeated(mentions))
    }

    /// Checks whether a word says which food is meant, rather than how much of it or where it is from.
    fn says_which_food(&self, word: &str) -> bool {
        let says_amount = self.lexicon.unit(word).is_some()
            || self.lexicon.roles(word).any(const { Roles::of(&[Role::Size, Role::Number]) });
        !says_amount && !self.lexicon.is_aside(word) && self.names_with(word) > 0
    }

    /// Returns the foods that words may mean, best first; `heads` are the positions of the possible heads.
    pub(crate) fn links(&self, words: &[SegmentWord], heads: Vec<usize>, budget: &Budget) -> Vec<Link> {
        let phrase = Phrase { words, heads, first: words.len() };
        self.with_cache(|cache| self.linker.best(self.layer(), &phrase, cache, budget, MAX_LINKS))
    }

    /// Returns the usual portions of the food that a link leads to.
    pub(crate) fn usual_portions(&self, link: &Link) -> UsualPortions<'_> {
        let common = &self.linker.common;
        let entry = link.common.and_then(|number| common.get(number));
        let entry = entry.or_else(|| common.of_name(link.name)).or_else(|| common.of_food(link.food));
        let is_stand_in = entry.is_some_and(|entry| entry.is_stand_in);
        let portions = entry.map(|entry| entry.portions.as_slice()).unwrap_or_default();
        let (food_id, name) = (entry.map(|entry| entry.id), entry.map(|entry| entry.name));
        let called = link.common.and_then(|number| common.called(number));
        UsualPortions { portions, local: 0, food_id, name, called, is_stand_in }
    }

    /// Returns the usual portions of a food that was named by its id.
    pub(crate) fn usual_portions_of(&self, food: &Food) -> UsualPortions<'_> {
        let entry = self.layer().find_id(&food.id).and_then(|number| self.linker.common.of_food(number));
        entry.map(|entry| UsualPortions { portions: &entry.portions, ..UsualPortions::default() }).unwrap_or_default()
    }

    /// Checks whether a word can be a head: it says what a food is, rather than how it is.
    pub(crate) fn is_food(&self, word: &str) -> bool {
        self.with_cache(|cache| self.linker.is_food(self.layer(), word, cache))
    }

    /// Checks whether some plain food has a word, or one spelled nearly like it, in its name.
    pub(crate) fn is_plain(&self, word: &SegmentWord) -> bool {
        self.with_cache(|cache| self.linker.resolves(self.layer(), word, cache))
    }

    /// Checks whether a word, or one spelled nearly like it, is in a name of the food tables.
    pub(crate) fn is_in_tables(&self, word: &SegmentWord) -> bool {
        self.with_cache(|cache| self.linker.is_in_tables(self.layer(), word, cache))
    }

    /// Checks whether a link leads to a common food by its everyday name, and not to one that only stands in for it.
    pub(crate) fn is_common(&self, link: &Link) -> bool {
        let entry = link.common.and_then(|number| self.linker.common.get(number));
        entry.is_some_and(|entry| !entry.is_stand_in)
    }

    /// Checks whether words are an everyday name of the food that a link leads to.
    pub(crate) fn are_name_of(&self, words: &[SegmentWord], link: &Link) -> bool {
        let words: Vec<&str> = words.iter().map(|word| word.word.as_str()).collect();
        self.everyday_names.food_of(&words).is_some_and(|named| named.food == link.food)
    }

    /// Counts the names of plain foods that have a word.
    pub(crate) fn names_with(&self, word: &str) -> usize {
        self.linker.names_with(self.layer(), word)
    }

    /// Searches all layers, products included.
    pub(crate) fn search(&self, query: &str, limit: usize, budget: &Budget) -> Vec<Food> {
        let max_steps = budget.left().min(MAX_STEPS_OF_SEARCH);
        let (hits, steps) = self.searcher.find_within(&self.catalog, query, limit, None, max_steps);
        budget.take(steps);
        hits.iter().filter_map(|hit| self.catalog.layers().get(hit.layer)?.food(hit.food)).collect()
    }
}

impl English for Engine {
    fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    fn knows(&self, word: &str) -> bool {
        self.lexicon.is_listed(word)
            || self.lexicon.spelling(word).is_some()
            || self.names_with(&singular(word)) > 0
            || self.composed_dishes.has_word(word)
    }

    fn dish_at(&self, text: &[Token]) -> Option<usize> {
        self.composed_dishes.name_at(text)
    }

    fn names_food(&self, words: &[&str]) -> bool {
        if self.everyday_names.food_of(words).is_some() {
            return true;
        }
        let words: Vec<String> = words.iter().map(|word| singular(word)).collect();
        self.everyday_foods.contains_key(&words.join(" ")) || self.composed_dishes.is_name(&words)
    }

    fn names_product(&self, text: &[Token]) -> bool {
        self.products_in(text).iter().any(|product| product.food.is_some())
    }

    fn product_in(&self, text: &[Token]) -> Option<Range<usize>> {
        if text.len() > MAX_TOKENS_OF_PRODUCT {
            return None;
        }
        let found = self.products_in(text);
        let [product] = found.as_slice() else { return None };
        // Behind its name are the words that tell its varieties apart, or that nobody knows.
        let is_its_name = |&at: &usize| text[at].word().is_some_and(|word| product.words.contains(&singular(word)));
        let last = product.range.clone().rev().find(is_its_name)?;
        product.food.map(|_| product.range.start..last + 1)
    }

    fn named(&self, name: &[&str]) -> Option<NamedFood> {
        let is_dish = self.composed_dishes.is_name(&name.iter().map(|word| singular(word)).collect::<Vec<_>>());
        self.everyday_names.food_of(name).filter(|_| !is_dish)
    }

    fn may_be_misspelled(&self, word: &str) -> bool {
        self.is_plain(&SegmentWord::required(singular(word)))
            || self.short_forms.in_full(word).is_some()
            || is_glued(word, &self.lexicon, |food| self.names_with(food) > 0)
    }

    fn certainty(&self, word: &str) -> f32 {
        if self.lexicon.is_listed(word) || self.lexicon.spelling(word).is_some() {
            return SURELY_ENGLISH;
        }
        let word = singular(word);
        if self.everyday_foods.contains_key(&word) {
            return 1.0;
        }
        match self.names_with(&word) {
            0 => 0.0,
            // American tables have some words of other languages: "arroz con pollo".
            1..MIN_NAMES_OF_ENGLISH => 0.4,
            MIN_NAMES_OF_ENGLISH..MANY_NAMES => 1.0,
            _ => SURELY_ENGLISH,
        }
    }
}

/// A search query of another language, in English.
#[derive(Debug)]
pub struct QueryInEnglish<'e> {
    /// The English words.
    pub words: String,
    /// The language of the query.
    pub language: &'e Language,
    foods: Vec<SaidFood>,
}

impl QueryInEnglish<'_> {
    /// Returns the name of a food in the language of the query, if it has one.
    pub fn name_of(&self, engine: &Engine, food: &Food) -> Option<String> {
        engine.name_in(food, self.language, &self.foods)
    }
}

/// Returns the ids of foods by their everyday names.
fn everyday_foods() -> HashMap<String, &'static str> {
    let foods = foods::common::all().filter(|food| !food.is_stand_in);
    foods.flat_map(|food| food.names.into_iter().map(move |name| (words(name).join(" "), food.id))).collect()
}

/// Returns the words of tokens as names have them.
fn names_of(tokens: &[Token]) -> Vec<String> {
    tokens.iter().filter_map(Token::word).map(singular).collect()
}

/// Returns what a thread made.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
