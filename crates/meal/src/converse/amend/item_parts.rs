//! Foods that are named by their ids, and items that are corrected by their numbers.

use std::rc::Rc;
use std::sync::Arc;

use foods::{Food, text};

use super::description::FoodDescription;
use super::exact_amount::{SERVING, count, measured};
use super::meal::Meal;
use super::new_amount::replace_amount;
use crate::converse::message::{CorrectionPart, FoodPart, PartRefusal};
use crate::converse::part::{Entry, Part, PartOrigin, RecipeItem, part_of};
use crate::lexicon::Measure;
use crate::link::mention::Mention;
use crate::read::segment::{Quantity, SegmentWord};
use crate::recipes::book::RecipeMatch;
use crate::weigh::resolve::resolve;

/// What an id names.
enum Named {
    Food(Box<Food>),
    /// The recipe at this position of the book.
    Recipe(usize),
}

/// What a correction says of the amount.
#[derive(Clone, Copy)]
struct NewAmount<'a> {
    value: Option<f64>,
    unit: Option<&'a str>,
}

impl Meal<'_> {
    /// Adds a food or a recipe.
    pub(crate) fn add_named(&mut self, part: &FoodPart) -> Result<(), PartRefusal> {
        part.check()?;
        let (value, unit) = (part.quantity.unwrap_or(1.0), part.unit.as_deref());
        let entry = match self.named(&part.food_id)? {
            Named::Food(food) => {
                let read = measured(self.engine.lexicon(), &food, value, unit.unwrap_or(SERVING));
                let read = read.ok_or(PartRefusal::UnknownUnit)?;
                self.entry_measured(mention_of(*food), read)
            }
            Named::Recipe(recipe) => self.recipe_entry(recipe, value, unit)?,
        };
        self.is_undone = false;
        self.push(entry);
        Ok(())
    }

    /// Changes or removes one of the items so far.
    pub(crate) fn correct_item(&mut self, correction: &CorrectionPart) -> Result<(), PartRefusal> {
        correction.check()?;
        let named = correction.food_id.as_deref().map(|id| self.named(id)).transpose()?;
        let place = self.place_of_item(correction.item)?;
        self.is_undone = false;
        if correction.quantity == Some(0.0) {
            self.entries.remove(place);
            self.focus = self.entries.len().checked_sub(1);
            return Ok(());
        }
        let amount = NewAmount { value: correction.quantity, unit: correction.unit.as_deref() };
        let entry = match named {
            Some(Named::Food(food)) => self.replaced(place, *food, amount)?,
            Some(Named::Recipe(recipe)) => self.replaced_by_recipe(place, recipe, amount)?,
            None => self.remeasured(place, amount)?,
        };
        self.entries[place] = Rc::new(entry);
        self.renew(place);
        self.focus = Some(place);
        Ok(())
    }

    fn named(&self, id: &str) -> Result<Named, PartRefusal> {
        if let Some(recipe) = self.recipes.position(id) {
            return Ok(Named::Recipe(recipe));
        }
        let food = self.engine.catalog().by_id(id).ok_or(PartRefusal::UnknownFood)?;
        Ok(Named::Food(Box::new(food)))
    }

    /// Returns the entry of an item, counted from 1. Words that are not resolved are no items.
    fn place_of_item(&self, item: usize) -> Result<usize, PartRefusal> {
        let is_item = |place: &usize| !matches!(self.entries[*place].part, Part::Unresolved(_));
        let places: Vec<usize> = (0..self.entries.len()).filter(is_item).collect();
        let place = item.checked_sub(1).and_then(|index| places.get(index));
        place.copied().ok_or(PartRefusal::UnknownItem { items: places.len() })
    }

    /// Returns a mention with another amount, weighed.
    fn entry_with(&self, mut mention: Mention, quantity: Quantity, words: &[SegmentWord]) -> Entry {
        replace_amount(&mut mention, quantity, words);
        self.entry_of(mention)
    }

    /// Returns a mention with an amount that was read for it, weighed. All its words may say which portion is meant.
    fn entry_measured(&self, mut mention: Mention, read: FoodDescription) -> Entry {
        replace_amount(&mut mention, read.quantity, &[]);
        for word in read.words {
            if !mention.words.iter().any(|known| known.word == word.word) {
                mention.words.push(SegmentWord { optional: true, ..word });
            }
        }
        self.entry_of(mention)
    }

    fn entry_of(&self, mention: Mention) -> Entry {
        let part = part_of(&self.engine, &mention, None);
        Entry { origin: PartOrigin::Words(Box::new(mention)), part }
    }

    /// Returns an amount of a recipe.
    fn recipe_entry(&self, recipe: usize, value: f64, unit: Option<&str>) -> Result<Entry, PartRefusal> {
        let found = self.recipes.measured(recipe, value, unit, self.engine.lexicon());
        found.and_then(|found| self.entry_of_match(found)).ok_or(PartRefusal::UnknownUnit)
    }

    fn entry_of_match(&self, found: RecipeMatch) -> Option<Entry> {
        let (index, recipe) = (found.recipe, self.recipes.get(found.recipe)?);
        Some(Entry { origin: PartOrigin::Recipe(index), part: Part::Recipe(RecipeItem::new(recipe, found)) })
    }

    /// Returns the quantity and unit that an entry shows.
    fn shown_amount(&self, place: usize) -> (f64, &str) {
        match &self.entries[place].part {
            Part::Food(item) => (item.quantity, item.unit.as_str()),
            Part::Recipe(item) => (item.quantity, item.unit.as_str()),
            Part::Unresolved(_) => (1.0, SERVING),
        }
    }

    /// Returns another food in the place of an entry. What is not said of the amount stays as it was.
    fn replaced(&self, place: usize, food: Food, amount: NewAmount<'_>) -> Result<Entry, PartRefusal> {
        let lexicon = self.engine.lexicon();
        let (old_value, old_unit) = self.shown_amount(place);
        let value = amount.value.unwrap_or(old_value);
        if let Some(unit) = amount.unit {
            let read = measured(lexicon, &food, value, unit).ok_or(PartRefusal::UnknownUnit)?;
            return Ok(self.entry_measured(mention_of(food), read));
        }
        if let Some(old) = self.mention(place) {
            let amount = amount.value.map(count).or(old.quantity.amount);
            let mention = Mention { joint: old.joint, ..mention_of(food) };
            return Ok(self.entry_with(mention, Quantity { amount, ..old.quantity }, &old.words));
        }
        // A unit that only the recipe before was counted in is a serving.
        let read = measured(lexicon, &food, value, old_unit).or_else(|| measured(lexicon, &food, value, SERVING));
        let read = read.ok_or(PartRefusal::UnknownUnit)?;
        Ok(self.entry_measured(mention_of(food), read))
    }

    /// Returns a recipe in the place of an entry. What is not said of the amount stays as it was.
    fn replaced_by_recipe(&self, place: usize, recipe: usize, amount: NewAmount<'_>) -> Result<Entry, PartRefusal> {
        let (old_value, old_unit) = self.shown_amount(place);
        let value = amount.value.unwrap_or(old_value);
        if amount.unit.is_some() {
            return self.recipe_entry(recipe, value, amount.unit);
        }
        self.recipe_entry(recipe, value, Some(old_unit)).or_else(|_| self.recipe_entry(recipe, value, None))
    }

    /// Returns the same food or recipe in another amount.
    fn remeasured(&self, place: usize, amount: NewAmount<'_>) -> Result<Entry, PartRefusal> {
        let entry = &self.entries[place];
        let (old_value, _) = self.shown_amount(place);
        match (&entry.origin, &entry.part) {
            (PartOrigin::Words(mention), Part::Food(item)) => {
                self.remeasured_food(mention.as_ref().clone(), &item.food, amount)
            }
            (PartOrigin::Recipe(index), Part::Recipe(item)) => match (amount.unit, self.recipes.get(*index)) {
                (None, Some(recipe)) => {
                    let factor = amount.value.unwrap_or(old_value) / old_value;
                    Ok(Entry { origin: entry.origin.clone(), part: Part::Recipe(item.scaled(recipe, factor)) })
                }
                _ => self.recipe_entry(*index, amount.value.unwrap_or(old_value), amount.unit),
            },
            _ => Err(PartRefusal::UnknownItem { items: 0 }),
        }
    }

    fn remeasured_food(&self, old: Mention, food: &Food, amount: NewAmount<'_>) -> Result<Entry, PartRefusal> {
        let measure = |mention: Mention| {
            if let Some(unit) = amount.unit {
                let value = amount.value.unwrap_or(mention.count());
                let read = measured(self.engine.lexicon(), food, value, unit)?;
                return Some(self.entry_measured(mention, read));
            }
            let quantity = mention.quantity.clone();
            let amount = amount.value.map(count).or(quantity.amount);
            Some(self.entry_with(mention, Quantity { amount, ..quantity }, &[]))
        };
        let entry = measure(old.clone()).ok_or(PartRefusal::UnknownUnit)?;
        let PartOrigin::Words(mention) = &entry.origin else { return Ok(entry) };
        // A label without a mass can only be counted.
        let is_exact = matches!(mention.quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)));
        if is_exact && old.seen.as_ref().is_some_and(|seen| !seen.knows_mass()) {
            return Err(PartRefusal::UnknownUnit);
        }
        if resolve(&self.engine, mention).is_some_and(|choice| choice.food.id == food.id) {
            return Ok(entry);
        }
        // Another measure may fit another food better, but only the amount was corrected.
        let pinned = Mention { named: Some(Arc::new(food.clone())), ..old };
        measure(pinned).ok_or(PartRefusal::UnknownUnit)
    }
}

/// Returns the mention of a food by its name, so that later messages can speak of it.
fn mention_of(food: Food) -> Mention {
    let (main, details) = food.name.split_once([',', '(']).unwrap_or((food.name.as_str(), ""));
    let mut words: Vec<SegmentWord> = text::words(main).into_iter().map(SegmentWord::required).collect();
    let heads = words.len().checked_sub(1).into_iter().collect();
    words.extend(text::words(details).into_iter().map(|word| SegmentWord { word, optional: true, negated: false }));
    Mention { heads, named: Some(Arc::new(food)), ..Mention::of_words(words) }
}
