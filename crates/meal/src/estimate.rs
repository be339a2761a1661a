//! The whole way from text to items.

use std::sync::Arc;

use foods::catalog::{Catalog, Layer};
use foods::{Food, Nutrient};

use crate::compose::{self, Costs, Mention};
use crate::lexicon::Lexicon;
use crate::link::{Link, Linker, Scratch, Weights};
use crate::portion::{self, Weight};
use crate::{segment, token};

/// Text longer than this is not read further.
pub const MAX_CHARS: usize = 8_000;

/// Estimates meals over one catalog.
#[derive(Debug)]
pub struct Engine {
    catalog: Arc<Catalog>,
    linker: Linker,
    lexicon: Lexicon,
    costs: Costs,
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
    /// How well the food fits the words.
    pub score: f32,
}

impl Item {
    /// A nutrient of the whole amount; unknown counts as none.
    pub fn value(&self, nutrient: Nutrient) -> f64 {
        f64::from(self.food.nutrients.get(nutrient).unwrap_or(0.0)) * self.weight.grams / 100.0
    }
}

impl Engine {
    /// Prepares a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self::with(catalog, Weights::default(), Costs::default())
    }

    /// Prepares a catalog with other weights than the usual.
    pub fn with(catalog: Arc<Catalog>, weights: Weights, costs: Costs) -> Self {
        let lexicon = Lexicon::default();
        let linker = Linker::new(&catalog.layers()[0], &lexicon, weights);
        Self { catalog, linker, lexicon, costs }
    }

    fn layer(&self) -> &Layer {
        &self.catalog.layers()[0]
    }

    /// The items of a text, in its order.
    pub fn items(&self, text: &str) -> Vec<Item> {
        let text: String = text.chars().take(MAX_CHARS).collect();
        let tokens = token::tokens(&text);
        let segments = segment::segments(&tokens, &self.lexicon);
        let mut scratch = Scratch::default();
        let mentions = compose::compose(self.layer(), &self.linker, &self.costs, segments, &mut scratch);
        mentions.iter().filter_map(|mention| self.item(mention)).collect()
    }

    /// The mentions of a text, for looking into the engine.
    pub fn mentions(&self, text: &str) -> Vec<Mention> {
        let segments = segment::segments(&token::tokens(text), &self.lexicon);
        compose::compose(self.layer(), &self.linker, &self.costs, segments, &mut Scratch::default())
    }

    /// The food that is meant: the best link, or one nearly as good that comes in the measure that was said.
    fn choose(&self, mention: &Mention) -> Option<(Link, Food)> {
        let best = mention.links.first()?;
        let read = |link: &Link| self.layer().food(link.food).map(|food| (*link, food));
        if !portion::tells_food(&mention.quantity) {
            return read(best);
        }
        let near = mention.links.iter().take_while(|link| link.score > best.score - self.costs.measure_margin);
        let worth = |link: &Link, food: &Food| {
            link.score + self.costs.measure * portion::fit(food, &mention.quantity, &mention.words)
        };
        near.filter_map(read)
            .reduce(|one, other| if worth(&other.0, &other.1) > worth(&one.0, &one.1) { other } else { one })
    }

    /// DEBUG
    pub fn name(&self, food: u32) -> String {
        self.layer().food(food).map(|f| f.name).unwrap_or_default()
    }

    fn item(&self, mention: &Mention) -> Option<Item> {
        let (link, food) = self.choose(mention)?;
        let weight = portion::weigh(&food, &mention.quantity, &mention.words);
        let quantity = mention.quantity.amount.map_or(1.0, |amount| amount.value);
        let unit = mention.quantity.unit.clone().unwrap_or_else(|| "serving".to_owned());
        Some(Item { food, quantity, unit, weight, score: link.score })
    }
}
