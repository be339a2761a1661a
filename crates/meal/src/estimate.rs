//! The whole way from text to items with numbers.
//!
//! The same text gives the same answer, always: nothing here depends on time, chance or the order of a hash map.

use std::sync::Arc;
use std::thread;

use foods::catalog::{Catalog, Layer};
use foods::search::Searcher;
use foods::{Food, Nutrient, Origin};

use crate::compose::{self, Costs, Mention};
use crate::dish;
use crate::lexicon::{Lexicon, number_word};
use crate::link::{Link, Linker, Phrase, Weights};
use crate::parts::{Part, Parts};
use crate::plates::Plates;
use crate::portion::{self, How, Table, Weight};
use crate::range::{self, Range};
use crate::recipe::RecipeBook;
use crate::scratch::Scratches;
use crate::seen::Seen;
use crate::segment::{self, Joint, Segment, SegmentWord};
use crate::stand_in::Choice;
use crate::token::Token;

/// How much farther the range reaches where only the category of a food is known.
const GUESS_REACH: f64 = 1.5;

/// Most foods that are compared by the measure that was said.
const MAX_CHOICES: usize = 8;

/// Estimates meals over one catalog.
#[derive(Debug)]
pub struct Engine {
    catalog: Arc<Catalog>,
    linker: Linker,
    lexicon: Lexicon,
    plates: Plates,
    costs: Costs,
    searcher: Searcher,
    scratches: Scratches,
}

/// How sure a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The caller's own recipe.
    Recipe,
    /// The food and its mass were said.
    Measured,
    /// The food was said, the mass follows from its portions.
    Derived,
    /// Food or mass is a guess.
    Estimated,
}

impl Tier {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Recipe => "recipe",
            Tier::Measured => "measured",
            Tier::Derived => "derived",
            Tier::Estimated => "estimated",
        }
    }
}

/// The four numbers that every answer shows: calories whole, grams with one decimal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values {
    /// Kilocalories.
    pub calories: f64,
    /// Grams.
    pub protein: f64,
    /// Grams.
    pub carbs: f64,
    /// Grams.
    pub fat: f64,
}

impl Values {
    /// The values of so many grams of a food, as they are shown.
    pub fn of(food: &Food, grams: f64) -> Self {
        let value = |nutrient| f64::from(food.nutrients.get(nutrient).unwrap_or(0.0)) * grams / 100.0;
        Self {
            calories: value(Nutrient::Calories),
            protein: value(Nutrient::Protein),
            carbs: value(Nutrient::Carbs),
            fat: value(Nutrient::Fat),
        }
        .shown()
    }

    /// Rounded as answers show them.
    #[must_use]
    pub fn shown(self) -> Self {
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        Self {
            calories: self.calories.round(),
            protein: tenth(self.protein),
            carbs: tenth(self.carbs),
            fat: tenth(self.fat),
        }
    }

    /// So many times as much, as it is shown.
    #[must_use]
    pub(crate) fn times(self, factor: f64) -> Self {
        Self {
            calories: self.calories * factor,
            protein: self.protein * factor,
            carbs: self.carbs * factor,
            fat: self.fat * factor,
        }
        .shown()
    }

    /// The lower of each two numbers.
    #[must_use]
    pub(crate) fn least(self, other: Self) -> Self {
        self.pairwise(other, f64::min)
    }

    /// The higher of each two numbers.
    #[must_use]
    pub(crate) fn most(self, other: Self) -> Self {
        self.pairwise(other, f64::max)
    }

    fn pairwise(self, other: Self, choose: fn(f64, f64) -> f64) -> Self {
        Self {
            calories: choose(self.calories, other.calories),
            protein: choose(self.protein, other.protein),
            carbs: choose(self.carbs, other.carbs),
            fat: choose(self.fat, other.fat),
        }
    }

    /// The sum of what is shown, without the noise of binary fractions.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Values>) -> Self {
        let total = all.fold(Self::default(), |sum, values| Self {
            calories: sum.calories + values.calories,
            protein: sum.protein + values.protein,
            carbs: sum.carbs + values.carbs,
            fat: sum.fat + values.fat,
        });
        total.shown()
    }
}

/// One food of a meal.
#[derive(Clone, Debug)]
pub struct Item {
    /// The food.
    pub food: Food,
    /// The amount of the unit.
    pub quantity: f64,
    /// The unit, in words.
    pub unit: String,
    /// What it weighs.
    pub weight: Weight,
    /// The numbers of the whole amount.
    pub values: Values,
    /// Between which the true numbers probably lie.
    pub range: Range,
    /// How sure they are.
    pub tier: Tier,
    /// Other foods that may be meant, best first.
    pub alternatives: Vec<Food>,
    /// How it was seen, where it was not said.
    pub seen: Option<Arc<Seen>>,
}

/// What a text comes to.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// The foods, in the order of the text.
    pub items: Vec<Item>,
    /// Words that were understood as food but not resolved.
    pub unresolved: Vec<String>,
}

/// A food that was chosen for a mention.
pub(crate) struct Chosen {
    pub link: Link,
    pub food: Food,
    /// Foods that were read and not chosen, by their numbers.
    pub others: Vec<(u32, Food)>,
}

impl Estimate {
    /// The sums of the shown items.
    pub fn totals(&self) -> Values {
        Values::sum(self.items.iter().map(|item| &item.values))
    }
}

impl Engine {
    /// Prepares a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self::with(catalog, Weights::default(), Costs::default())
    }

    /// Prepares a catalog with other weights than the usual.
    pub fn with(catalog: Arc<Catalog>, weights: Weights, costs: Costs) -> Self {
        let layer = &catalog.layers()[0];
        let lexicon = Lexicon::of(layer);
        // Each reads a part of the catalog; whoever starts the program waits for both.
        let (linker, plates) = thread::scope(|scope| {
            let plates = scope.spawn(|| Plates::new(dish::all(layer)));
            let linker = Linker::new(layer, &lexicon, weights);
            (linker, plates.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        Self { catalog, linker, lexicon, plates, costs, searcher: Searcher::default(), scratches: Scratches::default() }
    }

    fn layer(&self) -> &Layer {
        &self.catalog.layers()[0]
    }

    /// The foods of a text, in its order.
    pub fn estimate(&self, text: &str) -> Estimate {
        let mut estimate = Estimate::default();
        for part in self.parts(text, &RecipeBook::default()) {
            match part {
                Part::Food(item) => estimate.items.push(*item),
                Part::Unresolved(words) => estimate.unresolved.push(words),
                // The book is empty.
                Part::Recipe(_) => {}
            }
        }
        estimate
    }

    /// What a text comes to, a part at a time, each as soon as it is known. The caller's recipes are looked for before
    /// anything is split, and their numbers are used as they stand.
    pub fn parts<'a>(&'a self, text: &str, recipes: &'a RecipeBook) -> Parts<'a> {
        Parts::new(self, recipes, text)
    }

    /// The mentions of foods in tokens, before the foods are chosen.
    pub fn mentions(&self, tokens: &[Token]) -> Vec<Mention> {
        let is_known = |word: &str| self.plain_names(word) > 0;
        let spelled_out = self.plates.spell_out(tokens, is_known, |word| self.tells_of_food(word));
        let segments = segment::segments(spelled_out.as_deref().unwrap_or(tokens), &self.lexicon);
        self.scratches.with(|scratch| compose::compose(self.layer(), &self.linker, &self.costs, segments, scratch))
    }

    /// Whether a word tells which food is meant, rather than how much of it or where it is from.
    fn tells_of_food(&self, word: &str) -> bool {
        let says_amount =
            self.lexicon.unit(word).is_some() || self.lexicon.is_size(word) || number_word(word).is_some();
        !says_amount && !self.lexicon.is_aside(word) && self.plain_names(word) > 0
    }

    pub(crate) fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The part of a mention; `before` is the food that it may have been added to.
    pub(crate) fn part(&self, mention: &Mention, before: Option<&Item>) -> Part {
        match self.item(mention, before) {
            Some(item) => Part::Food(Box::new(item)),
            None => Part::Unresolved(telling(mention)),
        }
    }

    /// The foods that words may mean, best first; `heads` are the places of those that say what the food is.
    pub(crate) fn links(&self, words: &[SegmentWord], heads: Vec<usize>) -> Vec<Link> {
        let phrase = Phrase { words, heads, first: words.len() };
        self.scratches.with(|scratch| self.linker.top(self.layer(), &phrase, scratch, 6))
    }

    /// Whether a word can say what a food is, rather than how it is.
    pub(crate) fn is_food(&self, word: &str) -> bool {
        self.scratches.with(|scratch| self.linker.is_food(self.layer(), word, scratch))
    }

    /// The category that the tables give a food of the plain layer.
    pub(crate) fn category(&self, food: u32) -> Option<String> {
        self.layer().food(food)?.category
    }

    /// Whether two foods of the plain layer have a word of their names in common.
    pub(crate) fn share_name(&self, one: u32, other: u32) -> bool {
        let words = |food: u32| self.layer().food(food).map(|food| foods::text::words(&food.name)).unwrap_or_default();
        let known = words(one);
        words(other).iter().any(|word| known.contains(word))
    }

    /// Whether the amount of a mention follows from the food before it.
    pub(crate) fn is_added(&self, mention: &Mention, before: Option<&Item>) -> bool {
        let Some(before) = before.filter(|_| may_be_added(mention)) else { return false };
        let food = self.choose(mention).map(|chosen| chosen.food);
        food.is_some_and(|food| self.added_to(&food, before).is_some())
    }

    /// The item of a mention; `before` is the food that it may have been added to.
    pub(crate) fn item(&self, mention: &Mention, before: Option<&Item>) -> Option<Item> {
        let choice = self.choice(mention)?;
        Some(self.weighed(mention, choice, before))
    }

    /// The item of a food that was chosen for a mention.
    pub(crate) fn weighed(&self, mention: &Mention, choice: Choice, before: Option<&Item>) -> Item {
        let Choice { food, link, is_guess, mut others } = choice;
        let added = before.filter(|_| may_be_added(mention));
        let added = added.and_then(|before| self.added_to(&food, before));
        let mut weight = added.unwrap_or_else(|| {
            let weigh = |table: &Table<'_>| portion::weigh(table, &mention.quantity, &mention.words);
            self.scratches.with(|scratch| weigh(&Table::new(&food, &mut scratch.rows)))
        });
        let quantity = mention.quantity.amount.map_or(1.0, |amount| amount.value);
        if let Some(seen) = &mention.seen {
            weight = seen.weight(weight, quantity);
        }
        let unit = unit_in_words(mention, &weight);
        let values = Values::of(&food, weight.grams);
        let alternatives: Vec<Food> = mention
            .links
            .iter()
            .filter(|other| link.is_none_or(|link| other.food != link.food))
            .take(3)
            .filter_map(|other| {
                // Those that were compared by their measure have been read.
                let read = others.iter().position(|(number, _)| *number == other.food);
                read.map(|at| others.swap_remove(at).1).or_else(|| self.layer().food(other.food))
            })
            .collect();
        let tier = match weight.how {
            // What is in a dish depends on who cooks it, however well it was weighed.
            _ if is_guess || food.origin == Origin::Dish => Tier::Estimated,
            How::Mass => Tier::Measured,
            How::Portion(_) | How::Density => Tier::Derived,
            How::Usual => Tier::Estimated,
        };
        let mut range = range::of(&food, &weight, tier, &alternatives);
        if is_guess {
            range = Range { low: range.low.times(1.0 / GUESS_REACH), high: range.high.times(GUESS_REACH) };
        }
        let item = Item { food, quantity, unit, weight, values, range, tier, alternatives, seen: None };
        match &mention.seen {
            Some(seen) => seen.complete(item),
            None => item,
        }
    }

    /// Whether the catalog has a product with this bar code.
    pub(crate) fn has_gtin(&self, gtin: u64) -> bool {
        self.catalog.by_gtin(gtin).is_some()
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<Food> {
        self.searcher.search(&self.catalog, query, limit, None)
    }

    pub(crate) fn segments(&self, tokens: &[Token]) -> Vec<Segment> {
        segment::segments(tokens, &self.lexicon)
    }

    /// Whether a plain food has a word in its name, or one spelled nearly so.
    pub(crate) fn is_plain(&self, word: &SegmentWord) -> bool {
        self.scratches.with(|scratch| self.linker.resolves(self.layer(), word, scratch))
    }

    /// How many names of plain foods have a word.
    pub(crate) fn plain_names(&self, word: &str) -> usize {
        self.linker.names_with(self.layer(), word)
    }

    /// A plain food by its number.
    pub(crate) fn plain_food(&self, number: u32) -> Option<Food> {
        self.layer().food(number)
    }

    /// The food that is meant: the best link, or one nearly as good that comes in the measure that was said.
    pub(crate) fn choose(&self, mention: &Mention) -> Option<Chosen> {
        let best = mention.links.first()?;
        let read = |link: &Link| self.layer().food(link.food).map(|food| (*link, food));
        if !portion::tells_food(&mention.quantity) {
            return read(best).map(|(link, food)| Chosen { link, food, others: Vec::new() });
        }
        let near = mention
            .links
            .iter()
            .take(MAX_CHOICES)
            .take_while(|link| link.score > best.score - self.costs.measure_margin);
        let mut near: Vec<(Link, Food)> = near.filter_map(read).collect();
        let at = if near.len() > 1 { self.best_by_measure(mention, &near) } else { 0 };
        if at >= near.len() {
            return None;
        }
        let (link, food) = near.swap_remove(at);
        Some(Chosen { link, food, others: near.into_iter().map(|(link, food)| (link.food, food)).collect() })
    }

    /// Which of several foods is meant, by the measure that was said.
    fn best_by_measure(&self, mention: &Mention, near: &[(Link, Food)]) -> usize {
        let mut best = (0, f32::NEG_INFINITY);
        self.scratches.with(|scratch| {
            for (at, (link, food)) in near.iter().enumerate() {
                let table = Table::new(food, &mut scratch.rows);
                let fit = portion::fit(&table, &mention.quantity, &mention.words);
                let worth = link.score + self.costs.measure * fit;
                if worth > best.1 {
                    best = (at, worth);
                }
            }
        });
        best.0
    }

    /// What a food weighs that was added to the one before without saying how much.
    fn added_to(&self, food: &Food, before: &Item) -> Option<Weight> {
        self.scratches
            .with(|scratch| portion::added_to(food, &Table::new(&before.food, &mut scratch.rows), before.weight.grams))
    }
}

/// Whether a mention may have been added to the food before it: nothing was said of how much.
pub(crate) fn may_be_added(mention: &Mention) -> bool {
    matches!(mention.joint, Joint::With | Joint::And) && mention.quantity.is_empty()
}

/// The unit of an item as it was said, else what the portion counts, else a serving.
fn unit_in_words(mention: &Mention, weight: &Weight) -> String {
    let quantity = &mention.quantity;
    let said: Vec<&str> = quantity.sizes.iter().chain(&quantity.unit).map(String::as_str).collect();
    if !said.is_empty() {
        return said.join(" ");
    }
    let is_package = mention.seen.as_ref().is_some_and(|seen| seen.is_fixed());
    match &weight.how {
        // What is printed as a serving is one, whatever it is made of: "2/3 cup".
        How::Portion(_) if is_package => None,
        How::Portion(text) => Some(foods::unit::measure(text).unit).filter(|unit| !unit.is_empty()),
        _ => None,
    }
    .unwrap_or_else(|| "serving".to_owned())
}

/// The words of a mention that tell what it is.
pub(crate) fn telling(mention: &Mention) -> String {
    let words: Vec<&str> = mention.words.iter().filter(|word| !word.optional).map(|word| word.word.as_str()).collect();
    words.join(" ")
}
