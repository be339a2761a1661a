//! How the products of a maker are read from the words around its name, or around the name of a product that needs none.

use std::ops::Range;

use foods::text::{is_stop_word, singular};

use super::maker_index::{Anchor, MakerNames, NamedProduct};
use super::maker_words::key;
use super::named_foods::NamedFood;
use super::product_fit::{Fit, MakerEntry, NameEntry, Neighbor, best_fit, fit_of, usual_of_flavor};
use super::token::Token;
use crate::lexicon::{Lexicon, Measure, Role, Roles};

/// The most words beside a maker that are looked at.
const MAX_WORDS: usize = 9;
/// The most words of a maker that are looked at before a product.
const MAX_WORDS_OF_MAKER: usize = 4;
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
/// Words of an amount before a name.
const AMOUNTS: Roles = Roles::of(&[Role::Indefinite, Role::Of, Role::Number, Role::Some, Role::Another, Role::Size]);
/// Words between a food and the place that it is from.
const PLACES: Roles = Roles::of(&[Role::In, Role::Aside]);
/// Words that need not be in the name of a product.
const SAYS_LITTLE: Roles = Roles::of(&[Role::Size, Role::Filler, Role::Optional, Role::Meal, Role::Provenance]);

/// A text that makers are looked for in.
pub(super) struct Reading<'t> {
    pub all: &'t MakerNames,
    pub text: &'t [Token],
    pub lexicon: &'t Lexicon,
    /// Checks whether a word says which food is meant.
    pub says_food: &'t dyn Fn(&str) -> bool,
}

impl Reading<'_> {
    /// Returns the product whose name was found without a maker. Another food beside it makes something else of it: an
    /// "Oreo cheesecake".
    pub fn product_alone(&self, anchor: &Anchor, name: usize, from: usize) -> Option<NamedProduct> {
        let maker = &self.all.makers[anchor.maker];
        let neighbors = self.right(anchor.range.end, None);
        let own = neighbors_of(self.text, anchor.range.clone());
        // "Snickers ice cream bar": a longer name of the same maker.
        let all: Vec<Neighbor> = own.iter().chain(&neighbors).cloned().collect();
        let longer = best_fit(maker, &all).filter(|fit| fit.is_exact || fit.name.may_have_flavor);
        let entry = &maker.names[name];
        // "Chomps turkey stick": the name is also that of the maker.
        let is_maker = self.all.maker_at(self.text, anchor.range.start).is_some_and(|own| own.range == anchor.range);
        let right = best_fit(maker, &neighbors).filter(|fit| fit.is_exact && is_maker);
        let longer = right.filter(|fit| fit.name.words.len() > 1).or(longer);
        if let Some(fit) = longer.filter(|fit| fit.name.words.len() > entry.words.len()) {
            return Some(self.product(anchor.maker, fit.name, anchor.range.clone(), &all));
        }
        let takes_flavors = entry.may_have_flavor || !maker.is_chain;
        let start = self.flavors_before(anchor.range.start, from, anchor.maker);
        let flavors = neighbors_of(self.text, start..anchor.range.start);
        if let Some(fit) = flavored_fit(maker, &flavors, &all, entry) {
            let said: Vec<Neighbor> = flavors.iter().chain(&all).cloned().collect();
            return Some(self.product(anchor.maker, fit.name, start..anchor.range.end, &said));
        }
        let start = if takes_flavors { start } else { anchor.range.start };
        let left = self.left(start, from);
        let is_flavor = |word: &str| entry.may_have_flavor && self.all.flavors.has_word(word);
        let is_other = |neighbor: &Neighbor| {
            let word = neighbor.word.as_str();
            !neighbor.says_little && (self.says_food)(word) && !is_flavor(word)
        };
        let is_maker = |neighbor: &Neighbor| self.all.maker_at(self.text, neighbor.at).is_some();
        let is_behind_other = left.last().is_some_and(|word| is_other(word) && !self.ends_maker(word.at + 1));
        if is_behind_other || neighbors.iter().any(|word| is_other(word) && !is_maker(word)) {
            return None;
        }
        let all: Vec<Neighbor> = if entry.may_have_flavor { all } else { own };
        let mut product = self.product(anchor.maker, entry, start..anchor.range.end, &all);
        product.range.end = self.end_of_maker(product.range.end, anchor.maker);
        Some(product)
    }

    /// Checks whether the name of a maker ends at a token.
    fn ends_maker(&self, end: usize) -> bool {
        let is_maker = |at: usize| self.all.maker_at(self.text, at).is_some_and(|maker| maker.range.end == end);
        (end.saturating_sub(MAX_WORDS_OF_MAKER)..end).any(is_maker)
    }

    /// Returns where the flavors begin that stand before a name, and belong to it: "strawberry Chobani". Behind another food they
    /// may belong to that.
    fn flavors_before(&self, end: usize, from: usize, maker: usize) -> usize {
        let is_drink = self.all.makers[maker].makes_drinks;
        let Some(start) = self.all.flavors.start_before(self.text, end, from, is_drink) else { return end };
        let says_amount = (start..end).any(|at| self.neighbor(at).is_some_and(|word| word.is_amount));
        let before = start.checked_sub(1).filter(|&before| before >= from).and_then(|before| self.text[before].word());
        let is_of_food = before.is_some_and(|word| self.is_in_name(word) && (self.says_food)(&singular(word)));
        if says_amount || is_of_food { end } else { start }
    }

    /// Returns a maker that is the everyday name of a food, with the flavors before it, which do not change the food: "grape Fanta".
    pub fn flavored_brand(&self, anchor: &Anchor, from: usize) -> Option<NamedProduct> {
        let start = self.flavors_before(anchor.range.start, from, anchor.maker);
        let is_brand = start < anchor.range.start && !self.all.makers[anchor.maker].is_chain;
        is_brand.then(|| NamedProduct {
            range: start..anchor.range.end,
            food: None,
            words: Vec::new(),
            amount: self.text[anchor.range.clone()].to_vec(),
            is_guess: false,
            maker: anchor.maker,
        })
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
    pub fn product_of_maker(&self, anchor: &Anchor, from: usize) -> Option<NamedProduct> {
        let maker = &self.all.makers[anchor.maker];
        let Range { mut start, mut end } = anchor.range;
        let is_bracketed =
            start > from && self.text[start - 1] == Token::Open && self.text.get(end) == Some(&Token::Close);
        if is_bracketed {
            (start, end) = (start - 1, end + 1);
        }
        if let Some(product) = self.product_with_number(anchor.maker, start..end) {
            return Some(product);
        }
        let right = self.right(end, None);
        if let Some(product) = self.product_behind(anchor, start..end, &right, from) {
            return Some(product);
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
        if let Some(fit) = fit_of(maker, &left) {
            return Some(self.product(anchor.maker, fit.name, first..end, &left));
        }
        let is_flavor = |said: &Neighbor| {
            let word = said.word.as_str();
            self.all.flavors.has_word(word) && !said.is_amount && !self.lexicon.takes_foods(word)
        };
        if let Some(name) = usual_of_flavor(maker, &right, is_flavor).filter(|_| !is_place) {
            return Some(self.product(anchor.maker, name, start..end, &right));
        }
        let flavors = neighbors_of(self.text, self.flavors_before(start, from, anchor.maker)..start);
        let usual = usual_of_flavor(maker, &flavors, |_| true).filter(|name| maker.is_only_with(name, &flavors));
        if let Some(name) = usual.filter(|_| right.is_empty() && !is_place) {
            return Some(self.product(anchor.maker, name, start..end, &flavors));
        }
        let both: Vec<Neighbor> = left.into_iter().chain(right).collect();
        if let Some(fit) = best_fit(maker, &both).filter(|fit| fit.is_exact && !is_place) {
            return Some(self.product(anchor.maker, fit.name, start..end, &both));
        }
        // A place before a colon heads what was eaten there: "Subway: a cookie".
        let is_heading = maker.is_chain
            && self.text.get(end) == Some(&Token::Colon)
            && self.text[end..].iter().any(|token| token.word().is_some())
            && (start == 0 || self.text[start - 1] == Token::Stop);
        let is_left_out = is_heading || is_bracketed && self.text.get(end).is_some_and(|next| next.word().is_some());
        is_left_out.then(|| NamedProduct {
            range: start..end,
            food: None,
            words: Vec::new(),
            amount: Vec::new(),
            is_guess: false,
            maker: anchor.maker,
        })
    }

    /// Returns the product of a maker whose name is at a range, with the words behind it.
    fn product_behind(
        &self,
        anchor: &Anchor,
        range: Range<usize>,
        right: &[Neighbor],
        from: usize,
    ) -> Option<NamedProduct> {
        let maker = &self.all.makers[anchor.maker];
        if let Some(fit) = fit_of(maker, right) {
            return Some(self.flavored(anchor.maker, fit.name, range, right, from));
        }
        // "a Costco hot dog and soda": a product of another maker is called so.
        let before_joint = right.chunk_by(|one, other| one.at + 1 == other.at).next().unwrap_or_default();
        if let Some(fit) = best_fit(maker, before_joint).filter(|_| before_joint.len() < right.len()) {
            return Some(self.product(anchor.maker, fit.name, range, before_joint));
        }
        // "Larabar apple pie": the maker is the name of its product.
        let own: Vec<Neighbor> =
            neighbors_of(self.text, anchor.range.clone()).into_iter().chain(right.iter().cloned()).collect();
        let fit = best_fit(maker, &own).filter(|fit| fit.name.may_have_flavor)?;
        Some(self.product(anchor.maker, fit.name, range, &own))
    }

    /// Returns a product of a maker, with the flavors before the maker.
    fn flavored(
        &self,
        number: usize,
        name: &NameEntry,
        anchor: Range<usize>,
        said: &[Neighbor],
        from: usize,
    ) -> NamedProduct {
        let maker = &self.all.makers[number];
        let start = self.flavors_before(anchor.start, from, number);
        let flavors = neighbors_of(self.text, start..anchor.start);
        if let Some(fit) = flavored_fit(maker, &flavors, said, name) {
            let all: Vec<Neighbor> = flavors.into_iter().chain(said.iter().cloned()).collect();
            return self.product(number, fit.name, start..anchor.end, &all);
        }
        let start = if name.may_have_flavor || !maker.is_chain { start } else { anchor.start };
        self.product(number, name, start..anchor.end, said)
    }

    /// Returns the product behind a maker whose name has a number that is said: "KFC 2 piece meal".
    fn product_with_number(&self, number: usize, anchor: Range<usize>) -> Option<NamedProduct> {
        let maker = &self.all.makers[number];
        let said = self.right(anchor.end, Some(maker));
        let is_first = said.first().is_some_and(|word| word.is_number);
        let has = |fit: &Fit<'_>, word: &Neighbor| word.is_number && fit.name.words.contains(&word.word);
        let is_named = |fit: &Fit<'_>| (is_first || fit.is_exact) && said.iter().any(|word| has(fit, word));
        let fit = if said.iter().any(|word| word.is_number) { fit_of(maker, &said) } else { None };
        fit.filter(is_named).map(|fit| self.product(number, fit.name, anchor, &said))
    }

    /// Adds what else is from the place that a text names: the fries beside a Big Mac.
    pub fn add_from_same_place(&self, maker: usize, places: &[Range<usize>], found: &mut Vec<NamedProduct>) {
        let mut added = Vec::new();
        let mut at = 0;
        while at < self.text.len() {
            let mut taken = found.iter().map(|product| &product.range).chain(places);
            if let Some(range) = taken.find(|range| range.contains(&at)) {
                at = range.end;
                continue;
            }
            let words = self.right(at, None);
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
        let is_size = |neighbor: &Neighbor| is_amount(neighbor) && !neighbor.is_number;
        let anchor_end = anchor.end;
        let mut range = anchor;
        for neighbor in beside.iter().filter(|neighbor| !is_amount(neighbor)) {
            range = range.start.min(neighbor.at)..range.end.max(neighbor.at + 1);
        }
        let mut amount = Vec::new();
        for neighbor in beside.iter().filter(|neighbor| is_size(neighbor) && range.contains(&neighbor.at)) {
            amount.push(self.text[neighbor.at].clone());
        }
        // Sizes right behind the name: "waffle fries medium".
        while let Some(neighbor) = beside.iter().find(|neighbor| neighbor.at == range.end && is_size(neighbor)) {
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
        if amount.is_empty() && self.is_one_piece(name, range.clone()) {
            amount.push(Token::Number(1.0, false));
        }
        NamedProduct { range, food: Some(name.food), words: name.words.clone(), amount, is_guess: false, maker }
    }

    /// Checks whether words are the singular of what is usually said in the plural, with no amount before them and no other word
    /// of a name beside them: "Popeyes tender".
    fn is_one_piece(&self, name: &NameEntry, range: Range<usize>) -> bool {
        let before = range.start.checked_sub(1).map(|before| &self.text[before]);
        let is_in_name = |token: &Token| token.word().is_some_and(|word| self.is_in_name(word));
        let is_part = before.is_some_and(|token| self.is_amount(token) || is_in_name(token))
            || self.text.get(range.end).is_some_and(is_in_name);
        let is_head = |word: &str| name.typed.last().is_some_and(|head| head == word);
        let last = self.text[range].last().and_then(Token::word);
        name.is_piece_of_several && !is_part && last.is_some_and(is_head)
    }

    /// Returns where an amount ends that the text begins with.
    pub fn end_of_amount(&self) -> usize {
        self.text.iter().take_while(|token| self.is_amount(token)).count()
    }

    /// Checks whether a token may be part of an amount before a name.
    fn is_amount(&self, token: &Token) -> bool {
        match token {
            Token::Number(..) => true,
            Token::Word(word) => self.lexicon.unit(word).is_some() || self.lexicon.roles(word).any(AMOUNTS),
            _ => false,
        }
    }

    /// Returns the words from a place to the end of the food's name, and the numbers that names of a maker have.
    pub fn right(&self, start: usize, maker: Option<&MakerEntry>) -> Vec<Neighbor> {
        let is_unit = |at: usize| self.text.get(at).and_then(Token::word).is_some_and(|word| self.is_count(word));
        let mut words = Vec::new();
        let mut at = start;
        while at < self.text.len() && words.len() < MAX_WORDS {
            let inches =
                |at: usize| self.text.get(at).and_then(Token::word).is_some_and(|word| word.starts_with("inch"));
            if let Some(number) = maker.and_then(|maker| self.number_of(maker, at)) {
                words.push(number);
                at += 1;
                continue;
            }
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

    /// Returns a number as a word of a maker's names, if one has it.
    fn number_of(&self, maker: &MakerEntry, at: usize) -> Option<Neighbor> {
        let word = match &self.text[at] {
            Token::Number(_, false) => key(&self.text[at])?,
            Token::Word(word) if self.lexicon.roles(word).has(Role::Number) => singular(word),
            _ => return None,
        };
        let is_of_name = maker.words.contains(&word);
        is_of_name.then_some(Neighbor { at, word, says_little: true, is_amount: true, is_unit: false, is_number: true })
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
        let word = key(&self.text[at])?;
        if is_stop_word(raw) {
            return None;
        }
        let roles = self.lexicon.roles(raw);
        let is_unit = self.lexicon.unit(raw).is_some();
        let is_amount = roles.has(Role::Size) || is_unit;
        Some(Neighbor {
            at,
            word,
            says_little: is_amount || roles.any(SAYS_LITTLE),
            is_amount,
            is_unit,
            is_number: false,
        })
    }
}

/// Returns the words of a name that was found, as neighbors of itself.
fn neighbors_of(text: &[Token], range: Range<usize>) -> Vec<Neighbor> {
    let neighbor = |at: usize| {
        let word = key(&text[at]).filter(|word| !is_stop_word(word))?;
        Some(Neighbor { at, word, says_little: false, is_amount: false, is_unit: false, is_number: false })
    };
    range.filter_map(neighbor).collect()
}

/// Returns the product of a maker that the flavors before a name say, rather than one called `name`.
fn flavored_fit<'n>(
    maker: &'n MakerEntry,
    flavors: &[Neighbor],
    said: &[Neighbor],
    name: &NameEntry,
) -> Option<Fit<'n>> {
    let all: Vec<Neighbor> = flavors.iter().chain(said).cloned().collect();
    let is_flavor = |word: &String| flavors.iter().any(|flavor| flavor.word == *word);
    let is_meant = |fit: &Fit<'_>| {
        let says_more = fit.name.words.len() > name.words.len() && fit.name.words.iter().any(is_flavor);
        says_more && (fit.is_exact || fit.name.may_have_flavor)
    };
    if flavors.is_empty() { None } else { best_fit(maker, &all).filter(is_meant) }
}
