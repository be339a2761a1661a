//! Fills a schema with what is known about a meal.
//!
//! An array of objects that have names or nutrients, wherever it is, gets an object for each food; every other object is about
//! the whole meal. Optional properties that nothing is known about are left out; required ones get a value that fits and says
//! nothing.

use super::facts::{MealFacts, Subject};
use super::filled::Filled;
use super::property::{Fact, Property};
use super::scalar::{ObjectAmount, neutral, scalar};
use super::schema::{SchemaNode, SchemaProperty, ValueType};
use crate::error::ApiError;
use foods::Nutrient;

/// Most parts of a schema that are looked at for one answer.
const MAX_STEPS: usize = 20_000;
/// Deepest nesting of an answer.
const MAX_DEPTH: usize = 16;

/// What a schema asks for that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The properties that have a known meaning.
    pub facts: usize,
    /// Those among them that are names.
    pub names: usize,
    /// Those that are calories, protein, carbs or fat.
    pub macros: usize,
    /// Those that are amounts.
    pub amounts: usize,
    /// Whether it has an array of foods.
    pub has_items: bool,
}

impl Asked {
    /// Returns what a schema asks for.
    pub fn of(schema: &SchemaNode) -> Self {
        let mut asked = Self::default();
        asked.add(schema, schema, MAX_DEPTH, &mut MAX_STEPS.clone());
        asked
    }

    /// Returns whether it is about food: it asks for nutrients, or for names and amounts.
    pub fn is_about_food(self) -> bool {
        self.macros > 0 || self.names > 0 && (self.amounts > 0 || self.has_items)
    }

    fn add(&mut self, root: &SchemaNode, node: &SchemaNode, depth: usize, steps: &mut usize) {
        if depth == 0 || *steps == 0 {
            return;
        }
        *steps -= 1;
        let Some(node) = root.follow(node) else { return };
        for property in &node.properties {
            self.add_fact(property.meaning.map(|meaning| meaning.fact), root.follow(&property.node));
            self.add(root, &property.node, depth - 1, steps);
        }
        for below in node.any_of.iter().chain(&node.all_of) {
            self.add(root, below, depth - 1, steps);
        }
        if let Some(element) = &node.items {
            let mut of_element = Self::default();
            of_element.add(root, element, depth - 1, steps);
            self.has_items |= of_element.is_food_row();
            self.facts += of_element.facts;
            self.names += of_element.names;
            self.macros += of_element.macros;
            self.amounts += of_element.amounts;
        }
    }

    fn add_fact(&mut self, fact: Option<Fact>, node: Option<&SchemaNode>) {
        let Some(fact) = fact else { return };
        // “meal” and “food” are often objects, and “items” mostly is an array.
        let is_value = node.is_some_and(|node| !node.allows(ValueType::Object) && !node.allows(ValueType::Array));
        if !is_value {
            return;
        }
        self.facts += 1;
        match fact {
            Fact::Name | Fact::ShortName => self.names += 1,
            Fact::Quantity | Fact::Unit | Fact::Portion | Fact::PortionWord | Fact::Grams | Fact::Milliliters => {
                self.amounts += 1;
            }
            Fact::Nutrient(Nutrient::Calories | Nutrient::Protein | Nutrient::Carbs | Nutrient::Fat) => {
                self.macros += 1;
            }
            _ => {}
        }
    }

    /// Returns whether objects like this are foods.
    fn is_food_row(self) -> bool {
        self.names > 0 || self.macros > 0
    }
}

/// Fills a schema about the whole meal.
///
/// # Errors
///
/// Refuses a schema that would make too large an answer; `param` is where it is in the body.
pub fn fill(schema: &SchemaNode, meal: &MealFacts<'_>, reply: &str, param: &str) -> Result<Filled, ApiError> {
    fill_about(schema, Subject::Meal(meal), reply, param)
}

/// Fills a schema about one subject of a meal.
pub fn fill_about(schema: &SchemaNode, subject: Subject<'_>, reply: &str, param: &str) -> Result<Filled, ApiError> {
    let mut job = Filler { root: schema, reply, steps: MAX_STEPS };
    let answer = job.value(None, schema, subject, &ObjectAmount::default(), 0);
    let answer = answer.unwrap_or_else(|| job.neutral(schema, subject, 0));
    if job.steps == 0 {
        let message = format!("“{param}” asks for too many values about this meal.");
        return Err(ApiError::bad_field(param, message));
    }
    Ok(answer)
}

struct Filler<'a> {
    root: &'a SchemaNode,
    /// The answer in words.
    reply: &'a str,
    /// How many more parts of the schema may be looked at.
    steps: usize,
}

impl<'a> Filler<'a> {
    /// Returns the value of a part of the schema; `None` if nothing is known about it.
    fn value(
        &mut self,
        meaning: Option<Property>,
        node: &'a SchemaNode,
        subject: Subject<'_>,
        amount: &ObjectAmount,
        depth: usize,
    ) -> Option<Filled> {
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 || depth > MAX_DEPTH {
            return None;
        }
        let node = self.root.follow(node)?;
        if !node.any_of.is_empty() {
            return self.best_of(meaning, node, subject, amount, depth);
        }
        if !self.properties(node).is_empty() && node.allows(ValueType::Object) || !node.all_of.is_empty() {
            let asks = self.asked(node).facts > 0 || depth == 0;
            return asks.then(|| self.object(node, subject, depth));
        }
        if node.allows(ValueType::Array) {
            return self.list(meaning, node, subject, depth);
        }
        if let (Some(Fact::Reply), Subject::Meal(_)) = (meaning.map(|meaning| meaning.fact), subject) {
            return node.allows(ValueType::String).then(|| Filled::Text(self.reply.to_owned()));
        }
        scalar(meaning, node, subject, amount)
    }

    /// Fills the alternative that asks for most of what is known.
    fn best_of(
        &mut self,
        meaning: Option<Property>,
        node: &'a SchemaNode,
        subject: Subject<'_>,
        amount: &ObjectAmount,
        depth: usize,
    ) -> Option<Filled> {
        let mut best: Option<(usize, Filled)> = None;
        for alternative in &node.any_of {
            if alternative.types == [ValueType::Null] {
                continue;
            }
            let facts = self.asked(alternative).facts;
            if best.as_ref().is_some_and(|(most, _)| *most >= facts) {
                continue;
            }
            if let Some(filled) = self.value(meaning, alternative, subject, amount, depth + 1) {
                best = Some((facts, filled));
            }
        }
        best.map(|(_, filled)| filled)
    }

    fn object(&mut self, node: &'a SchemaNode, subject: Subject<'_>, depth: usize) -> Filled {
        let properties = self.properties(node);
        let is_unit = |property: &&SchemaProperty| property.meaning.is_some_and(|meaning| meaning.fact == Fact::Unit);
        let unit = properties.iter().copied().find(is_unit);
        let amount = ObjectAmount::new(subject, unit.and_then(|unit| self.root.follow(&unit.node)));
        let mut filled = Vec::with_capacity(properties.len());
        for property in properties {
            let value = self.value(property.meaning, &property.node, subject, &amount, depth + 1);
            let value =
                value.or_else(|| property.is_required.then(|| self.neutral(&property.node, subject, depth + 1)));
            filled.extend(value.map(|value| (property.name.clone(), value)));
        }
        Filled::Object(filled)
    }

    /// Returns an array of the foods, if its elements are foods.
    fn list(
        &mut self,
        meaning: Option<Property>,
        node: &'a SchemaNode,
        subject: Subject<'_>,
        depth: usize,
    ) -> Option<Filled> {
        // What a food consists of is not known.
        let Subject::Meal(meal) = subject else { return None };
        let element = self.root.follow(node.items.as_deref()?)?;
        let most = node.max_items.unwrap_or(usize::MAX);
        let items = meal.items.iter().take(most);
        if self.asked(element).is_food_row() {
            let amount = ObjectAmount::default();
            let objects = items.filter_map(|item| self.value(None, element, Subject::Item(item), &amount, depth + 1));
            return Some(Filled::List(objects.collect()));
        }
        let is_names = meaning.is_some_and(|meaning| meaning.fact == Fact::Items);
        if is_names && element.allows(ValueType::String) && element.values.is_empty() {
            let words = items.map(|item| Filled::Text(format!("{} ({})", item.row.name, item.amount())));
            return Some(Filled::List(words.collect()));
        }
        None
    }

    /// Returns a value that fits and says nothing.
    fn neutral(&mut self, node: &'a SchemaNode, subject: Subject<'_>, depth: usize) -> Filled {
        let Some(node) = self.root.follow(node) else { return Filled::Plain(serde_json::Value::Null) };
        if node.is_nullable() || self.steps == 0 || depth > MAX_DEPTH {
            return neutral(node);
        }
        match node.any_of.first() {
            Some(first) => self.neutral(first, subject, depth + 1),
            None if !self.properties(node).is_empty() => self.object(node, subject, depth),
            None if node.types.is_empty() && node.items.is_some() => Filled::List(Vec::new()),
            None => neutral(node),
        }
    }

    /// Returns the properties of an object.
    fn properties(&self, node: &'a SchemaNode) -> Vec<&'a SchemaProperty> {
        let parts = node.all_of.iter().filter_map(|part| self.root.follow(part));
        std::iter::once(node).chain(parts).flat_map(|node| &node.properties).collect()
    }

    fn asked(&mut self, node: &SchemaNode) -> Asked {
        let mut asked = Asked::default();
        asked.add(self.root, node, MAX_DEPTH, &mut self.steps);
        asked
    }
}
