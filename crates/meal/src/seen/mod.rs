//! What was seen in photos becomes part of a meal.
//!
//! Whoever looks at photos reports [`Sighting`]s: a bar code, the numbers of a label, a dish in words. Here they become
//! foods: the product of the catalog, a food made of the label's numbers (`label`), or what the words of a dish come to,
//! by the same way that typed words take, so that the caller's recipes and later messages hold for them too. Several
//! photos may be several views of one thing (`views`).

mod label;
mod views;

use std::sync::Arc;

use foods::Food;

use crate::compose::Mention;
use crate::estimate::{Engine, Item, Tier, Values};
use crate::parts::{Entry, Origin, Part, Parts};
use crate::portion::{How, Weight};
use crate::range::Range;
use crate::recipe::RecipeBook;
use crate::segment::{Joint, Quantity, SegmentWord};
use crate::stand_in::Choice;
use crate::token;

use label::Made;
pub use label::{Facts, Label, Per};
pub(crate) use views::views;

/// Other dishes that something may be, beside the likeliest.
const MOST_OTHERS: usize = 4;
/// A dish less likely than this is not held up as an alternative.
const LEAST_LIKELY: f32 = 0.05;
/// A dish at least so likely widens the range to its own numbers.
const PLAUSIBLE: f32 = 0.2;
/// A photo has no scale: the amount of a dish may be off by this share, however sure the dish is.
const AMOUNT_DOUBT: f64 = 0.3;

/// What was seen in one photo.
pub type Photo = Vec<Sighting>;

/// Something seen in a photo.
#[derive(Clone, Debug, PartialEq)]
pub enum Sighting {
    /// The number of a bar code.
    Barcode(u64),
    /// The numbers of a printed table.
    Label(Label),
    /// A dish: what it may be, the likeliest first.
    Dish {
        /// In words as a person would say them, with an amount where one was seen: "2 fried eggs".
        guesses: Vec<Guess>,
        /// Who saw it.
        by: By,
        /// Why nobody better saw it, in words for people.
        note: Option<Arc<str>>,
    },
}

/// What a dish may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The words.
    pub words: String,
    /// How likely it is, from 0 to 1.
    pub confidence: f32,
}

/// How something was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A bar code was read.
    Barcode,
    /// A printed table was read.
    Label,
    /// The embedded network recognised it.
    Dish,
    /// A model of the owner's choice recognised it.
    Model,
}

impl By {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            By::Barcode => "barcode",
            By::Label => "label",
            By::Dish => "dish",
            By::Model => "model",
        }
    }

    /// Whether the food itself is beyond doubt.
    const fn is_sure(self) -> bool {
        matches!(self, By::Barcode | By::Label)
    }
}

/// That a part of a meal was seen, and how.
#[derive(Clone, Debug)]
pub struct Seen {
    /// In which of the photos, counted from 1.
    pub photo: usize,
    /// How.
    pub by: By,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
    /// Why nobody better saw it.
    pub note: Option<Arc<str>>,
    /// The food, where it does not follow from words.
    food: Option<Food>,
    /// Whether what it weighs is known; a label may not tell.
    has_mass: bool,
    /// Whether a number of it follows from the others.
    is_derived: bool,
    /// Other foods that it may be.
    others: Vec<(Food, f32)>,
}

impl Engine {
    /// The entries of something seen. Empty where the catalog has nothing for it.
    pub(crate) fn sighted(&self, photo: usize, sighting: &Sighting, recipes: &RecipeBook) -> Vec<Entry> {
        match sighting {
            Sighting::Barcode(gtin) => {
                let food = self.catalog().by_gtin(*gtin);
                let made = food.map(|food| Made { food, has_mass: true, is_derived: false });
                made.map(|made| self.fixed(photo, By::Barcode, made)).into_iter().collect()
            }
            Sighting::Label(label) => {
                let made = label.food();
                made.map(|made| self.fixed(photo, By::Label, made)).into_iter().collect()
            }
            Sighting::Dish { guesses, by, note } => {
                let seen = Seen { note: note.clone(), ..Seen::new(photo, *by) };
                self.dish(seen, guesses, recipes)
            }
        }
    }

    /// The entry of a food that is known as such.
    fn fixed(&self, photo: usize, by: By, made: Made) -> Entry {
        let Made { food, has_mass, is_derived } = made;
        let word = |word: String| SegmentWord { word, optional: false, negated: false };
        let words = foods::text::words(&food.name).into_iter().map(word).collect();
        let seen = Seen { food: Some(food), has_mass, is_derived, ..Seen::new(photo, by) };
        let mention = Mention {
            joint: Joint::Start,
            quantity: Quantity::default(),
            words,
            heads: Vec::new(),
            links: Vec::new(),
            seen: Some(Arc::new(seen)),
        };
        let part = self.part(&mention, None);
        Entry { origin: Origin::Words(Box::new(mention)), part }
    }

    fn dish(&self, seen: Seen, guesses: &[Guess], recipes: &RecipeBook) -> Vec<Entry> {
        let Some(best) = guesses.first() else { return Vec::new() };
        let others = guesses[1..].iter().filter(|guess| guess.confidence >= LEAST_LIKELY).take(MOST_OTHERS);
        let others: Vec<(Food, f32)> =
            others.filter_map(|guess| Some((self.named(&guess.words)?, guess.confidence))).collect();
        let seen = Arc::new(Seen { confidence: best.confidence, others, ..seen });
        let mut parts = Parts::new(self, recipes, self.words_of(&best.words, recipes));
        let mut entries = Vec::new();
        while let Some(mut entry) = parts.next_entry() {
            if let Origin::Words(mention) = &mut entry.origin {
                mention.seen = Some(Arc::clone(&seen));
            }
            if let Part::Food(item) = entry.part {
                entry.part = Part::Food(Box::new(seen.complete(*item)));
            }
            entries.push(entry);
        }
        entries
    }

    /// The words that stand for what was seen; the caller's recipes come before the list.
    fn words_of<'w>(&self, words: &'w str, recipes: &RecipeBook) -> &'w str {
        let is_recipe = !recipes.find(&token::tokens(words), self.lexicon()).is_empty();
        if is_recipe { words } else { self.lexicon().seen_as(words).unwrap_or(words) }
    }

    /// The food that a few words name.
    fn named(&self, words: &str) -> Option<Food> {
        let words = self.lexicon().seen_as(words).unwrap_or(words);
        let mentions = self.mentions(&token::tokens(words));
        self.choice(mentions.first()?).map(|choice| choice.food)
    }
}

impl Seen {
    fn new(photo: usize, by: By) -> Self {
        let (has_mass, is_derived) = (true, false);
        Self { photo, by, confidence: 1.0, note: None, food: None, has_mass, is_derived, others: Vec::new() }
    }

    /// The food that was seen, where it does not follow from words.
    pub(crate) fn choice(&self) -> Option<Choice> {
        let food = self.food.clone()?;
        Some(Choice { food, link: None, is_guess: false, others: Vec::new() })
    }

    /// Whether it was made from a label, so that words about it name it and do not replace it.
    pub(crate) fn is_label(&self) -> bool {
        self.by == By::Label
    }

    /// The same by another name.
    pub(crate) fn renamed(&self, name: &str) -> Self {
        let mut renamed = self.clone();
        let mut letters = name.chars();
        if let (Some(food), Some(first)) = (&mut renamed.food, letters.next()) {
            food.name = first.to_uppercase().chain(letters).collect();
        }
        renamed
    }

    /// Whether the food stands whatever words say of it; a dish is only what it looks like.
    pub(crate) fn is_fixed(&self) -> bool {
        self.food.is_some()
    }

    /// What an amount of it weighs, where that is not what the portions of the catalog say: one serving of a package is
    /// the serving on it. A label without a mass knows only servings.
    pub(crate) fn weight(&self, mut weight: Weight, count: f64) -> Weight {
        let Some(food) = &self.food else { return weight };
        if !self.has_mass || weight.how == How::Usual {
            let count = if !self.has_mass && weight.how == How::Mass { 1.0 } else { count };
            weight.grams = f64::from(food.serving.grams) * count;
            weight.how = How::Portion(food.serving.description.clone());
        }
        weight
    }

    /// An item with what the photo leaves open: a dish is an estimate, with a wide range and other dishes that it may be.
    pub(crate) fn complete(self: &Arc<Self>, mut item: Item) -> Item {
        item.seen = Some(Arc::clone(self));
        if self.by.is_sure() {
            item.tier = if self.is_derived { Tier::Derived } else { Tier::Measured };
            return item;
        }
        item.tier = Tier::Estimated;
        item.range = self.doubted(&item);
        if !self.others.is_empty() {
            item.alternatives = self.others.iter().map(|(food, _)| food.clone()).collect();
        }
        item
    }

    /// Whether the grams of an item mean something.
    pub fn knows_mass(&self) -> bool {
        self.has_mass
    }

    /// The range around what a dish comes to.
    fn doubted(&self, item: &Item) -> Range {
        let is_weighed = item.weight.how == How::Mass;
        let doubt =
            if is_weighed { 0.0 } else { AMOUNT_DOUBT } + f64::from(1.0 - self.confidence.clamp(0.0, 1.0)) / 2.0;
        let mut range =
            Range { low: item.range.low.times(1.0 / (1.0 + doubt)), high: item.range.high.times(1.0 + doubt) };
        for (food, _) in self.others.iter().filter(|(_, confidence)| *confidence >= PLAUSIBLE) {
            let grams =
                if is_weighed { item.weight.grams } else { f64::from(food.serving.grams) * item.quantity.min(20.0) };
            let other = Values::of(food, grams);
            range = Range { low: range.low.least(other), high: range.high.most(other) };
        }
        range
    }
}

/// Whether an entry was seen as the same food as another: two views of it, or a view of what was said.
pub(crate) fn is_same(one: &Entry, other: &Entry) -> bool {
    match (&one.part, &other.part) {
        (Part::Food(one), Part::Food(other)) => one.food.id == other.food.id,
        (Part::Recipe(one), Part::Recipe(other)) => one.id == other.id,
        _ => false,
    }
}
