//! Products of makers and restaurant chains that a text names.
//!
//! A maker is often a word of something else ("subway", "quest"), and a product is called by words that other foods have too
//! ("chicken bowl"). Only together they say which product is meant: "a chicken bowl from Chipotle", "20 (Planters) cashews".
//! A few products have names that nothing else has. What is found is replaced by a word that stands for the product.

use std::ops::Range;

use foldhash::{HashMap, HashSet};
use foods::products::{self, Maker, ProductName};
use foods::text::{is_stop_word, raw_words, singular};

use super::named_foods::NamedFood;
use super::product_fit::{MakerEntry, NameEntry, Neighbor, best_fit, usual_of_flavor};
use super::token::{Token, tokens};
use crate::lexicon::{Lexicon, Measure, Role, Roles};

/// The most words beside a maker that are looked at.
const MAX_WORDS: usize = 9;
/// Inches of what is sold by the foot.
const FOOT: f64 = 12.0;
const FOOTLONG: &str = "footlong";

/// Words that end the name of a food.
const ENDS: Roles = Roles::of(&[
    Role::And,
    Role::With,
    Role::Or,
    Role::But,
    Role::On,
    Role::In,
    Role::Aside,
    Role::Of,
    Role::Denial,
    Role::NotDone,
    Role::Not,
    Role::Indefinite,
    Role::Definite,
    Role::Possessive,
    Role::Demonstrative,
    Role::Some,
    Role::Another,
    Role::Pronoun,
    Role::Person,
    Role::Contraction,
    Role::Copula,
    Role::Eating,
    Role::Has,
    Role::Number,
    Role::Today,
]);
/// Words between a food and the place that it is from.
const PLACES: Roles = Roles::of(&[Role::In, Role::Aside]);
/// Words that need not be in the name of a product.
const SAYS_LITTLE: Roles = Roles::of(&[Role::Size, Role::Filler, Role::Optional, Role::Meal, Role::Provenance]);

/// The makers and their products.
#[derive(Debug, Default)]
pub(crate) struct MakerNames {
    makers: Vec<MakerEntry>,
    /// The names of makers by their first word, the longest first.
    aliases: HashMap<String, Vec<(Vec<String>, usize)>>,
    /// The names that need no maker by their first word, the longest first: maker and number of the name.
    alone: HashMap<String, Vec<(usize, usize)>>,
    /// The words around each "and" of a name.
    joined: HashSet<(String, String)>,
    /// The words of flavors.
    flavors: HashSet<String>,
}

/// A product in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedProduct {
    /// The tokens that name it.
    pub range: Range<usize>,
    /// The number of its food; `None` if only a maker in brackets is left out.
    pub food: Option<u32>,
    /// Sizes and measures that are among these tokens.
    pub amount: Vec<Token>,
    /// Only the place that the rest of the text is from says so.
    pub is_guess: bool,
    maker: usize,
}

impl NamedProduct {
    /// Returns the tokens that stand for it.
    pub fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        let word = self.food.map(|food| Token::Word(NamedFood { food, common: None }.word()));
        self.amount.iter().cloned().chain(word)
    }
}

/// What a maker or a product without one is found by.
struct Anchor {
    range: Range<usize>,
    maker: usize,
    name: Option<usize>,
}

impl MakerNames {
    /// Lists makers; `number_of` returns the number of the food with an id.
    pub fn new(makers: &[Maker], number_of: impl Fn(&str) -> Option<u32>) -> Self {
        let mut all = Self::default();
        for flavor in products::flavors() {
            let typed: Vec<String> = tokens(flavor).iter().filter_map(key).collect();
            all.join(&typed);
            all.flavors.extend(typed);
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
                for name in &product.names {
                    all.add(name, food, number, &mut names);
                }
            }
            let words = names.iter().flat_map(|name| name.words.iter().cloned()).collect();
            let aliases = maker.aliases.iter().map(|alias| format!(" {alias} ")).collect();
            all.makers.push(MakerEntry { is_chain: maker.is_chain, aliases, words, names });
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
        names.push(NameEntry { typed, words, may_have_flavor: name.may_have_flavor, food });
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

    /// Checks whether a product is from a restaurant.
    pub fn is_of_chain(&self, product: &NamedProduct) -> bool {
        self.makers[product.maker].is_chain
    }

    /// Finds the products that a text names. `is_other_name` checks whether tokens are the name of another food, of which
    /// the maker is only a word, or which a product is called like; `says_food`, whether a word says which food is meant.
    pub fn find(
        &self,
        text: &[Token],
        lexicon: &Lexicon,
        is_other_name: impl Fn(Range<usize>, bool) -> bool,
        says_food: impl Fn(&str) -> bool,
    ) -> Vec<NamedProduct> {
        let reading = Reading { all: self, text, lexicon };
        let mut found: Vec<NamedProduct> = Vec::new();
        let mut chains: Vec<usize> = Vec::new();
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let is_other = |anchor: &Anchor| is_other_name(anchor.range.clone(), anchor.name.is_some());
            let Some(anchor) = self.anchor(text, at).filter(|anchor| !is_other(anchor)) else {
                at += 1;
                continue;
            };
            let end = found.last().map_or(0, |last| last.range.end);
            let product = match anchor.name {
                Some(name) => reading.product_alone(&anchor, name, end, &says_food).or_else(|| {
                    let maker = self.maker_at(text, at)?;
                    reading.product_of_maker(&maker, end).filter(|product| product.food.is_some())
                }),
                None => reading.product_of_maker(&anchor, end),
            };
            if self.makers[anchor.maker].is_chain && (product.is_some() || anchor.name.is_none()) {
                chains.push(anchor.maker);
            }
            if product.is_none() {
                places.push(anchor.range.clone());
            }
            at = product.as_ref().map_or(anchor.range.end, |product| product.range.end.max(anchor.range.end));
            found.extend(product);
        }
        chains.dedup();
        if let [maker] = chains[..] {
            reading.add_from_same_place(maker, &places, &mut found);
        }
        found
    }

    /// Returns the longest name of a maker, or of a product that needs none, that begins at a token.
    fn anchor(&self, text: &[Token], at: usize) -> Option<Anchor> {
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
    fn maker_at(&self, text: &[Token], at: usize) -> Option<Anchor> {
        let aliases = self.aliases.get(&raw_key(text.get(at)?)?)?;
        let (words, maker) = aliases.iter().find(|(words, _)| begins_with(&text[at..], words, raw_key))?;
        Some(Anchor { range: at..at + words.len(), maker: *maker, name: None })
    }
}

/// A text that makers are looked for in.
struct Reading<'t> {
    all: &'t MakerNames,
    text: &'t [Token],
    lexicon: &'t Lexicon,
}

impl Reading<'_> {
    /// Returns the product whose name was found without a maker. Another food beside it makes something else of it: an
    /// "Oreo cheesecake".
    fn product_alone(
        &self,
        anchor: &Anchor,
        name: usize,
        from: usize,
        says_food: impl Fn(&str) -> bool,
    ) -> Option<NamedProduct> {
        let maker = &self.all.makers[anchor.maker];
        let neighbors = self.right(anchor.range.end);
        let own = neighbors_of(self.text, anchor.range.clone());
        // "Snickers ice cream bar": a longer name of the same maker.
        let all: Vec<Neighbor> = own.iter().chain(&neighbors).cloned().collect();
        let longer = best_fit(maker, &all).filter(|fit| fit.is_exact || fit.name.may_have_flavor);
        let entry = &maker.names[name];
        if let Some(fit) = longer.filter(|fit| fit.name.words.len() > entry.words.len()) {
            return Some(self.product(anchor.maker, fit.name, anchor.range.clone(), &all));
        }
        let left = self.left(anchor.range.start, from);
        let is_maker = |word: &str| self.all.aliases.contains_key(word);
        let is_flavor = |word: &str| entry.may_have_flavor && self.all.flavors.contains(word);
        let is_other = |neighbor: &Neighbor| {
            let word = neighbor.word.as_str();
            !neighbor.says_little && says_food(word) && !is_maker(word) && !is_flavor(word)
        };
        if left.last().is_some_and(is_other) || neighbors.iter().any(is_other) {
            return None;
        }
        let all: Vec<Neighbor> = if entry.may_have_flavor { all } else { own };
        let mut product = self.product(anchor.maker, entry, anchor.range.clone(), &all);
        product.range.end = self.end_of_maker(product.range.end, anchor.maker);
        Some(product)
    }

    /// Returns where the maker of a product ends that is said behind it: "from Shake Shack", "(Nestlé)".
    fn end_of_maker(&self, end: usize, maker: usize) -> usize {
        let is_place = |word: &str| self.lexicon.roles(word).any(PLACES);
        let start = match self.text.get(end) {
            Some(Token::Open) => end + 1,
            Some(Token::Word(word)) if is_place(word) => end + 1,
            _ => end,
        };
        let found = self.all.maker_at(self.text, start).filter(|anchor| anchor.maker == maker);
        let is_bracketed = self.text.get(end) == Some(&Token::Open);
        found.map_or(end, |anchor| anchor.range.end + usize::from(is_bracketed)).min(self.text.len())
    }

    /// Returns the product that the words beside a maker name: behind it, else before it.
    fn product_of_maker(&self, anchor: &Anchor, from: usize) -> Option<NamedProduct> {
        let maker = &self.all.makers[anchor.maker];
        let Range { mut start, mut end } = anchor.range;
        let is_bracketed =
            start > from && self.text[start - 1] == Token::Open && self.text.get(end) == Some(&Token::Close);
        if is_bracketed {
            (start, end) = (start - 1, end + 1);
        }
        let right = self.right(end);
        if let Some(fit) = best_fit(maker, &right) {
            return Some(self.product(anchor.maker, fit.name, start..end, &right));
        }
        // "a Costco hot dog and soda": a product of another maker is called so.
        let before_joint = right.chunk_by(|one, other| one.at + 1 == other.at).next().unwrap_or_default();
        if let Some(fit) = best_fit(maker, before_joint).filter(|_| before_joint.len() < right.len()) {
            return Some(self.product(anchor.maker, fit.name, start..end, before_joint));
        }
        // "Larabar apple pie": the maker is the name of its product.
        let own: Vec<Neighbor> =
            neighbors_of(self.text, anchor.range.clone()).into_iter().chain(right.clone()).collect();
        if let Some(fit) = best_fit(maker, &own).filter(|fit| fit.name.may_have_flavor) {
            return Some(self.product(anchor.maker, fit.name, start..end, &own));
        }
        // "A burger from Five Guys", "a burger at the Five Guys".
        let has = |at: usize, roles: Roles| {
            at > from && self.text[at - 1].word().is_some_and(|word| self.lexicon.roles(word).any(roles))
        };
        let mut first = start;
        if has(first, const { Roles::of(&[Role::Definite, Role::Possessive]) }) {
            first -= 1;
        }
        let is_place = has(first, PLACES);
        let first = if is_place { first - 1 } else { start };
        let left = self.left(first, from);
        if let Some(fit) = best_fit(maker, &left) {
            return Some(self.product(anchor.maker, fit.name, first..end, &left));
        }
        let is_flavor = |said: &Neighbor| {
            let word = said.word.as_str();
            self.all.flavors.contains(word) && !said.is_amount && !self.lexicon.takes_foods(word)
        };
        if let Some(name) = usual_of_flavor(maker, &right, is_flavor).filter(|_| !is_place) {
            return Some(self.product(anchor.maker, name, start..end, &right));
        }
        let both: Vec<Neighbor> = left.into_iter().chain(right).collect();
        if let Some(fit) = best_fit(maker, &both).filter(|fit| fit.is_exact && !is_place) {
            return Some(self.product(anchor.maker, fit.name, start..end, &both));
        }
        let is_left_out = is_bracketed && self.text.get(end).is_some_and(|next| next.word().is_some());
        is_left_out.then(|| NamedProduct {
            range: start..end,
            food: None,
            amount: Vec::new(),
            is_guess: false,
            maker: anchor.maker,
        })
    }

    /// Adds what else is from the place that a text names: the fries beside a Big Mac.
    fn add_from_same_place(&self, maker: usize, places: &[Range<usize>], found: &mut Vec<NamedProduct>) {
        let mut added = Vec::new();
        let mut at = 0;
        while at < self.text.len() {
            let mut taken = found.iter().map(|product| &product.range).chain(places);
            if let Some(range) = taken.find(|range| range.contains(&at)) {
                at = range.end;
                continue;
            }
            let words = self.right(at);
            let mut taken = found.iter().map(|product| &product.range).chain(places);
            let is_free = !taken.any(|range| words.iter().any(|word| range.contains(&word.at)));
            let fit = best_fit(&self.all.makers[maker], &words).filter(|fit| fit.is_exact && is_free);
            if let (Some(fit), Some(first)) = (fit, words.iter().find(|word| !word.is_amount)) {
                let product = self.product(maker, fit.name, first.at..first.at, &words);
                at = product.range.end;
                added.push(NamedProduct { is_guess: true, ..product });
            } else {
                at = words.last().map_or(at + 1, |last| last.at + 1);
            }
        }
        found.extend(added);
        found.sort_by_key(|product| product.range.start);
    }

    /// Returns a product that `anchor` and the words beside it name.
    fn product(&self, maker: usize, name: &NameEntry, anchor: Range<usize>, beside: &[Neighbor]) -> NamedProduct {
        let is_named = |neighbor: &Neighbor| name.words.contains(&neighbor.word);
        let is_amount = |neighbor: &Neighbor| neighbor.is_amount && !is_named(neighbor);
        let anchor_end = anchor.end;
        let mut range = anchor;
        for neighbor in beside.iter().filter(|neighbor| !is_amount(neighbor)) {
            range = range.start.min(neighbor.at)..range.end.max(neighbor.at + 1);
        }
        let mut amount = Vec::new();
        for neighbor in beside.iter().filter(|neighbor| is_amount(neighbor) && range.contains(&neighbor.at)) {
            amount.push(self.text[neighbor.at].clone());
        }
        // Sizes right behind the name: "waffle fries medium".
        while let Some(neighbor) = beside.iter().find(|neighbor| neighbor.at == range.end && is_amount(neighbor)) {
            amount.push(self.text[neighbor.at].clone());
            range.end += 1;
        }
        for at in range.clone().filter(|&at| at + 1 < range.end && matches!(self.text[at], Token::Number(..))) {
            let counts = self.text[at + 1].word().is_some_and(|word| self.is_count(word));
            let place = amount.iter().position(|token| *token == self.text[at + 1]);
            let is_of_name = key(&self.text[at]).is_some_and(|number| name.typed.contains(&number));
            if let Some(place) = place.filter(|_| counts) {
                amount.insert(place, self.text[at].clone());
            } else if !is_of_name && at >= anchor_end && self.is_counted(at + 1) {
                amount.insert(0, self.text[at].clone());
            }
        }
        let is_inches = |at: usize| self.text[at].word().is_some_and(|word| word.starts_with("inch"));
        for at in range.clone().filter(|&at| at > 0 && is_inches(at)) {
            // What is sold by the foot is half as long unless said.
            if matches!(self.text[at - 1], Token::Number(value, _) if value >= FOOT) {
                amount.push(Token::Word(FOOTLONG.to_owned()));
            }
        }
        NamedProduct { range, food: Some(name.food), amount, is_guess: false, maker }
    }

    /// Returns the words from a place to the end of the food's name.
    fn right(&self, start: usize) -> Vec<Neighbor> {
        let is_unit = |at: usize| self.text.get(at).and_then(Token::word).is_some_and(|word| self.is_count(word));
        let mut words = Vec::new();
        let mut at = start;
        while at < self.text.len() && words.len() < MAX_WORDS {
            let inches =
                |at: usize| self.text.get(at).and_then(Token::word).is_some_and(|word| word.starts_with("inch"));
            match &self.text[at] {
                Token::Number(..) if words.is_empty() && inches(at + 1) => at += 2,
                // "Chick-fil-A 8 count nuggets".
                Token::Number(..) if words.is_empty() && is_unit(at + 1) => at += 1,
                // "White Castle 4 sliders".
                Token::Number(_, false) if words.is_empty() && self.is_counted(at + 1) => at += 1,
                Token::Word(word) if self.is_joint_of_name(at) || self.is_in_name(word) => {
                    words.extend(self.neighbor(at));
                    at += 1;
                }
                _ => break,
            }
        }
        words
    }

    /// Returns the words before a place, from the beginning of the food's name and not before `from`.
    fn left(&self, end: usize, from: usize) -> Vec<Neighbor> {
        let mut start = end;
        while start > from && end - start < MAX_WORDS {
            let before = start - 1;
            match &self.text[before] {
                Token::Word(word) if self.is_joint_of_name(before) || self.is_in_name(word) => start = before,
                _ => break,
            }
        }
        (start..end).filter_map(|at| self.neighbor(at)).collect()
    }

    /// Checks whether a word here may be what a number before it counts.
    fn is_counted(&self, at: usize) -> bool {
        let word = self.text.get(at).and_then(Token::word);
        word.is_some_and(|word| {
            let says_other =
                self.lexicon.roles(word).any(const { Roles::of(&[Role::OtherUnit, Role::Length, Role::Times]) });
            self.is_in_name(word) && self.lexicon.unit(word).is_none() && !says_other
        })
    }

    /// Checks whether a word counts pieces behind a number.
    fn is_count(&self, word: &str) -> bool {
        let unit = self.lexicon.unit(word);
        unit.is_some_and(|(_, measure)| matches!(measure, Measure::Household(_)))
    }

    fn is_in_name(&self, word: &str) -> bool {
        !self.lexicon.roles(word).any(ENDS) && NamedFood::of_word(word).is_none()
    }

    /// Checks whether a word joins two words that a name has on both sides: "salt and vinegar".
    fn is_joint_of_name(&self, at: usize) -> bool {
        let around =
            at.checked_sub(1).and_then(|before| Some((key(&self.text[before])?, key(self.text.get(at + 1)?)?)));
        around.is_some_and(|around| self.all.joined.contains(&around))
    }

    fn neighbor(&self, at: usize) -> Option<Neighbor> {
        let raw = self.text[at].word()?;
        let word = singular(raw);
        if is_stop_word(raw) {
            return None;
        }
        let roles = self.lexicon.roles(raw);
        let is_unit = self.lexicon.unit(raw).is_some();
        let is_amount = roles.has(Role::Size) || is_unit;
        Some(Neighbor { at, word, says_little: is_amount || roles.any(SAYS_LITTLE), is_amount, is_unit })
    }
}

/// Returns the words of a name that was found, as neighbors of itself.
fn neighbors_of(text: &[Token], range: Range<usize>) -> Vec<Neighbor> {
    let neighbor = |at: usize| {
        let word = key(&text[at]).filter(|word| !is_stop_word(word))?;
        Some(Neighbor { at, word, says_little: false, is_amount: false, is_unit: false })
    };
    range.filter_map(neighbor).collect()
}

/// Checks whether a text begins with words.
fn begins_with(text: &[Token], words: &[String], key: impl Fn(&Token) -> Option<String>) -> bool {
    text.len() >= words.len() && text.iter().zip(words).all(|(token, word)| key(token).as_ref() == Some(word))
}

/// Returns a word in the singular, or a number.
fn key(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(singular(word)),
        other => raw_key(other),
    }
}

/// Returns a word as it is typed, or a number. "Chili's" are no chilis.
fn raw_key(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.clone()),
        Token::Number(value, false) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the products that a text names, with what is said of their amount.
    fn found(text: &str) -> Vec<String> {
        let ids: Vec<String> = products::foods().map(|food| food.id).collect();
        let number_of = |id: &str| ids.iter().position(|known| known == id).map(|at| at as u32);
        let names = MakerNames::new(products::all(), number_of);
        let typed = tokens(text);
        let lexicon = Lexicon::default();
        let shown = |product: NamedProduct| {
            let amount = product.amount.iter().filter_map(Token::word).map(|word| format!("{word} "));
            let id = product.food.map_or("-", |food| &ids[food as usize]);
            amount.collect::<String>() + id.trim_start_matches("maker_")
        };
        names.find(&typed, &lexicon, |_, _| false, |word| word != "yum").into_iter().map(shown).collect()
    }

    #[test]
    fn a_maker_and_a_product_say_which_one_is_meant() {
        assert_eq!(found("20 (Planters) cashews"), ["planters_cashews"]);
        assert_eq!(found("footlong subway turkey"), ["subway_turkey_breast_sub"]);
        assert_eq!(found("subway 12 inch turkey sub"), ["footlong subway_turkey_breast_sub"]);
        assert_eq!(found("a chicken burrito bowl from Chipotle"), ["chipotle_chicken_burrito_bowl"]);
        assert_eq!(found("starbucks grande caramel macchiato"), ["grande starbucks_caramel_macchiato"]);
        assert_eq!(found("quest protein bar cookie dough"), ["quest_cookie_dough_protein_bar"]);
    }

    #[test]
    fn a_maker_with_a_flavor_is_its_usual_product() {
        assert_eq!(found("siggi's vanilla"), ["siggis_skyr"]);
        assert_eq!(found("Oikos strawberry"), ["oikos_triple_zero"]);
        for text in ["starbucks vanilla", "oikos cookie", "oikos and vanilla"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_is_beside_a_product_of_a_chain_is_from_there_too() {
        assert_eq!(found("a big mac, medium fries and a bread roll"), ["mcdonalds_big_mac", "mcdonalds_french_fries"]);
    }

    #[test]
    fn a_word_that_is_also_a_maker_is_no_product() {
        for text in ["on the subway", "a quest for eggs", "two chilis", "chicken bowl"] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found("3 (Chili's) zebra rolls"), ["-"]);
    }
}
