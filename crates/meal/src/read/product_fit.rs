//! Which product of a maker words name.

use foldhash::HashSet;

/// The most words that a product may lack if it has the head of what is said.
const MAX_LACKING: usize = 2;
/// A maker of more products makes several kinds of food, and a flavor does not say which: one that is in the name of a product, or
/// any.
const MAX_WITH_FLAVOR: usize = 10;
const MAX_OF_ONE_KIND: usize = 3;
const PIZZA: &str = "pizza";
const SLICE: &str = "slice";
/// A maker with so many names of pizzas is a pizza place.
const MANY_PIZZAS: usize = 6;

/// A name of a product.
#[derive(Debug)]
pub(super) struct NameEntry {
    /// Its words and numbers in their order, in the singular.
    pub typed: Vec<String>,
    /// Those that say something.
    pub words: Vec<String>,
    pub may_have_flavor: bool,
    /// It is usually said in the plural, so that its singular is one piece: "tender" of "tenders".
    pub is_piece_of_several: bool,
    pub food: u32,
}

/// A maker with the names of its products.
#[derive(Debug)]
pub(super) struct MakerEntry {
    pub is_chain: bool,
    /// Most of its products are drinks.
    pub makes_drinks: bool,
    /// What people call it, each between spaces.
    pub aliases: Vec<String>,
    /// The words of its products.
    pub words: HashSet<String>,
    pub names: Vec<NameEntry>,
}

impl MakerEntry {
    /// Checks whether no other product has all of the flavors in its name: there are sugar free gelatin and sugar free pudding.
    pub fn is_only_with(&self, name: &NameEntry, flavors: &[Neighbor]) -> bool {
        let has_all = |name: &&NameEntry| flavors.iter().all(|flavor| name.words.contains(&flavor.word));
        self.names.iter().filter(has_all).all(|other| other.food == name.food)
    }
}

/// A word beside a maker.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is said of a word by itself")]
pub(super) struct Neighbor {
    pub at: usize,
    pub word: String,
    /// It may say how much, or nothing.
    pub says_little: bool,
    /// It says how much, if no name has it.
    pub is_amount: bool,
    pub is_unit: bool,
    /// It is a number that some name of the maker has.
    pub is_number: bool,
}

/// A product that neighbors of a maker name.
pub(super) struct Fit<'n> {
    pub name: &'n NameEntry,
    pub is_exact: bool,
}

/// Returns the product of a maker that words name best. Where a unit is also a word of some name, it may be no more than the unit
/// here: "broccoli cheddar soup bowl". A kind of pizza is one in slices, and at a pizza place: "supreme slice".
pub(super) fn fit_of<'n>(maker: &'n MakerEntry, said: &[Neighbor]) -> Option<Fit<'n>> {
    let fit = best_fit(maker, said);
    if fit.as_ref().is_some_and(|fit| fit.is_exact) {
        return fit;
    }
    pizza_fit(maker, said).or(fit).or_else(|| {
        let measures = said.iter().rev().take_while(|word| word.is_amount).count();
        let without = &said[..said.len() - measures];
        if measures > 0 && !without.is_empty() { best_fit(maker, without) } else { None }
    })
}

/// Returns the pizza of a maker whose kind words say.
fn pizza_fit<'n>(maker: &'n MakerEntry, said: &[Neighbor]) -> Option<Fit<'n>> {
    let in_slices = said.iter().any(|word| word.word == SLICE);
    let is_place = || maker.names.iter().filter(|name| name.words.last().is_some_and(|word| word == PIZZA)).count();
    if said.iter().all(|word| word.says_little) || !in_slices && is_place() < MANY_PIZZAS {
        return None;
    }
    let kinds = said.iter().filter(|word| word.word != SLICE).cloned();
    let mut named: Vec<Neighbor> = kinds.collect();
    let last = named.last()?.clone();
    if named.iter().any(|word| word.word == PIZZA) {
        return None;
    }
    named.push(Neighbor { word: PIZZA.to_owned(), says_little: false, is_amount: false, is_unit: false, ..last });
    best_fit(maker, &named).filter(|fit| fit.is_exact && fit.name.words.iter().any(|word| word == PIZZA))
}

/// Returns the product of a maker that words name best: the one with most of the words.
pub(super) fn best_fit<'n>(maker: &'n MakerEntry, said: &[Neighbor]) -> Option<Fit<'n>> {
    let is_head = |word: &&Neighbor| !word.says_little || word.is_unit && maker.words.contains(&word.word);
    let head = said.iter().rev().find(is_head).or(said.last())?;
    let mut best: Option<Fit<'n>> = None;
    for name in &maker.names {
        let is_said = |word: &String| said.iter().any(|said| said.word == *word);
        if !name.words.iter().all(is_said) {
            continue;
        }
        let is_named = |word: &Neighbor| name.words.contains(&word.word);
        let says_something = |word: &Neighbor| !word.says_little || word.is_unit && maker.words.contains(&word.word);
        let lacking = said.iter().filter(|word| says_something(word) && !is_named(word)).count();
        let is_kind = is_named(head) && lacking <= MAX_LACKING;
        if lacking > 0 && !name.may_have_flavor && !is_kind {
            continue;
        }
        let fit = Fit { name, is_exact: lacking == 0 };
        let worth = |fit: &Fit<'_>| (fit.name.words.len(), fit.is_exact);
        if best.as_ref().is_none_or(|best| worth(&fit) > worth(best)) {
            best = Some(fit);
        }
    }
    best
}

/// Returns the usual product of a maker behind which nothing but a flavor is said: "Oikos vanilla". `is_flavor` checks whether a
/// word is one and names no food of its own.
pub(super) fn usual_of_flavor<'n>(
    maker: &'n MakerEntry,
    said: &[Neighbor],
    is_flavor: impl Fn(&Neighbor) -> bool,
) -> Option<&'n NameEntry> {
    let mut foods: Vec<u32> = maker.names.iter().map(|name| name.food).collect();
    foods.dedup();
    if maker.is_chain || foods.len() > MAX_WITH_FLAVOR || said.is_empty() || !said.iter().all(is_flavor) {
        return None;
    }
    let has = |name: &NameEntry, flavor: &str| {
        name.words.split_last().is_some_and(|(_, words)| words.iter().any(|word| word == flavor))
    };
    let has_flavor = |name: &&NameEntry| said.iter().all(|said| has(name, &said.word));
    let takes_any = |name: &&NameEntry| foods.len() <= MAX_OF_ONE_KIND && name.may_have_flavor;
    maker.names.iter().find(has_flavor).or_else(|| maker.names.iter().find(takes_any))
}
