//! The makers and their products, and where a text has their names.

use std::ops::Range;

use foldhash::{HashMap, HashSet};
use foods::products::{self, Maker, MakerProduct, ProductName};
use foods::text::{is_stop_word, raw_words, singular, words};

use super::flavors::Flavors;
use super::maker_words::{begins_with, key, raw_key};
use super::named_foods::NamedFood;
use super::product_fit::{MakerEntry, NameEntry};
use super::token::{Token, tokens};

/// The makers and their products.
#[derive(Debug, Default)]
pub(crate) struct MakerNames {
    pub(super) makers: Vec<MakerEntry>,
    /// The names of makers by their first word, the longest first.
    aliases: HashMap<String, Vec<(Vec<String>, usize)>>,
    /// The names that need no maker by their first word, the longest first: maker and number of the name.
    alone: HashMap<String, Vec<(usize, usize)>>,
    /// The words around each "and" of a name.
    pub(super) joined: HashSet<(String, String)>,
    pub(super) flavors: Flavors,
}

/// A product in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedProduct {
    /// The tokens that name it.
    pub range: Range<usize>,
    /// The number of its food; `None` if only a maker in brackets, or flavors, are left out.
    pub food: Option<u32>,
    /// The words of the name that it was found by, in the singular.
    pub words: Vec<String>,
    /// Sizes and measures that are among these tokens, or the maker itself if only the flavors before it are left out.
    pub amount: Vec<Token>,
    /// Only the place that the rest of the text is from says so.
    pub is_guess: bool,
    pub(super) maker: usize,
}

impl NamedProduct {
    /// Returns the tokens that stand for it.
    pub fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        let word = self.food.map(|food| Token::Word(NamedFood { food, common: None }.word()));
        self.amount.iter().cloned().chain(word)
    }
}

/// What a maker or a product without one is found by.
pub(super) struct Anchor {
    pub range: Range<usize>,
    pub maker: usize,
    pub name: Option<usize>,
}

impl MakerNames {
    /// Lists makers; `number_of` returns the number of the food with an id.
    pub fn new(makers: &[Maker], number_of: impl Fn(&str) -> Option<u32>) -> Self {
        let mut all = Self::default();
        for flavor in products::flavors() {
            let typed = all.flavors.add(flavor);
            all.join(&typed);
        }
        for maker in makers {
            let number = all.makers.len();
            for alias in &maker.aliases {
                let words: Vec<String> = tokens(alias).iter().filter_map(raw_key).collect();
                let Some(first) = words.first() else { continue };
                all.aliases.entry(first.clone()).or_default().push((words, number));
            }
            let mut names: Vec<NameEntry> = Vec::new();
            for product in &maker.products {
                let Some(food) = number_of(&maker.id_of(product)) else { continue };
                let plurals = plurals_of(product);
                for name in &product.names {
                    all.add(name, food, number, &mut names);
                }
                for name in names.iter_mut().filter(|name| name.food == food) {
                    name.is_piece_of_several = name.typed.last().is_some_and(|head| plurals.contains(head));
                }
            }
            let words = names.iter().flat_map(|name| name.words.iter().cloned()).collect();
            let aliases = maker.aliases.iter().map(|alias| format!(" {alias} ")).collect();
            let drinks = maker.products.iter().filter(|product| product.is_drink).count();
            let makes_drinks = drinks * 2 > maker.products.len();
            all.makers.push(MakerEntry { is_chain: maker.is_chain, makes_drinks, aliases, words, names });
        }
        for aliases in all.aliases.values_mut() {
            aliases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        let makers = &all.makers;
        for names in all.alone.values_mut() {
            names.sort_by_key(|&(maker, name)| {
                let entry = &makers[maker].names[name];
                std::cmp::Reverse((entry.typed.len(), entry.may_have_flavor))
            });
        }
        all
    }

    fn add(&mut self, name: &ProductName, food: u32, maker: usize, names: &mut Vec<NameEntry>) {
        let typed: Vec<String> = tokens(name.text).iter().filter_map(key).collect();
        let words: Vec<String> = typed.iter().filter(|word| !is_stop_word(word)).cloned().collect();
        let Some(first) = typed.first().filter(|_| !words.is_empty()) else { return };
        if name.is_enough {
            self.alone.entry(first.clone()).or_default().push((maker, names.len()));
        }
        self.join(&typed);
        let may_have_flavor = name.may_have_flavor;
        names.push(NameEntry { typed, words, may_have_flavor, is_piece_of_several: false, food });
    }

    /// Remembers the words around each "and" of a name.
    fn join(&mut self, typed: &[String]) {
        for around in typed.windows(3).filter(|three| is_stop_word(&three[1])) {
            self.joined.insert((around[0].clone(), around[2].clone()));
        }
    }

    /// Checks whether a text names the maker of a product.
    pub fn is_maker_in(&self, product: &NamedProduct, text: &str) -> bool {
        let words = format!(" {} ", raw_words(text, usize::MAX).join(" "));
        self.makers[product.maker].aliases.iter().any(|alias| words.contains(alias.as_str()))
    }

    /// Checks whether a text has the words of the name of a product, but for the name of its maker.
    pub fn is_shown(&self, product: &NamedProduct, text: &str) -> bool {
        let shown = words(text);
        let aliases = &self.makers[product.maker].aliases;
        let is_of_maker = |word: &String| aliases.iter().any(|alias| words(alias).contains(word));
        product.words.iter().all(|word| shown.contains(word) || is_of_maker(word))
    }

    /// Checks whether a product is from a restaurant.
    pub fn is_of_chain(&self, product: &NamedProduct) -> bool {
        self.makers[product.maker].is_chain
    }

    /// Checks whether words are the name of a restaurant.
    pub fn is_chain(&self, words: &[Token]) -> bool {
        let maker = self.maker_at(words, 0).filter(|maker| maker.range.end == words.len());
        maker.is_some_and(|maker| self.makers[maker.maker].is_chain)
    }

    /// Returns the longest name of a maker, or of a product that needs none, that begins at a token.
    pub(super) fn anchor(&self, text: &[Token], at: usize) -> Option<Anchor> {
        let maker = self.maker_at(text, at);
        let alone = self.alone.get(&key(text.get(at)?)?).into_iter().flatten();
        let name_of = |&(maker, name): &(usize, usize)| &self.makers[maker].names[name].typed;
        let alone = alone.into_iter().find(|place| begins_with(&text[at..], name_of(place), key)).map(|place| Anchor {
            range: at..at + name_of(place).len(),
            maker: place.0,
            name: Some(place.1),
        });
        match (maker, alone) {
            (Some(maker), Some(alone)) if maker.range.len() > alone.range.len() => Some(maker),
            (maker, alone) => alone.or(maker),
        }
    }

    /// Returns the longest name of a maker that begins at a token.
    pub(super) fn maker_at(&self, text: &[Token], at: usize) -> Option<Anchor> {
        let aliases = self.aliases.get(&raw_key(text.get(at)?)?)?;
        let (words, maker) = aliases.iter().find(|(words, _)| begins_with(&text[at..], words, raw_key))?;
        Some(Anchor { range: at..at + words.len(), maker: *maker, name: None })
    }
}

/// Returns the last words of names of a product that are in the plural, in the singular, if it comes in pieces.
fn plurals_of(product: &MakerProduct) -> Vec<String> {
    let names = product.names.iter().filter(|_| product.piece().is_some());
    let heads = names.filter_map(|name| raw_words(name.text, usize::MAX).pop());
    heads.filter(|head| singular(head) != *head).map(|head| singular(&head)).collect()
}
