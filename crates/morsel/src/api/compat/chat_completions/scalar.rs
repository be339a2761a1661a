//! Numbers and texts of a schema, from what is known about a meal.

use serde_json::Value;

use super::facts::{ItemFacts, Subject};
use super::filled::Filled;
use super::property::{Fact, Property};
use super::schema::{SchemaNode, ValueType};
use super::units::{self, AllowedAmount};

/// Words for how sure something is: high, medium, low.
const LEVELS: [&[&str]; 3] = [
    &["high", "very high", "certain", "sure", "confident", "normal"],
    &["medium", "moderate", "mid", "average"],
    &["low", "very low", "uncertain", "unsure", "guess"],
];
/// From here on, the first two levels.
const MIN_CERTAINTIES: [f64; 2] = [0.85, 0.6];
/// Values of an enumeration that say nothing.
const NEUTRAL: [&str; 9] = ["", "unknown", "other", "none", "unspecified", "n/a", "not_specified", "neutral", "any"];
/// Shorter values of an enumeration are not looked for in the text.
const MIN_SAID: usize = 4;

/// The amount of an object's subject, in the unit that the object asks for.
#[derive(Debug, Default)]
pub struct ObjectAmount {
    quantity: Option<f64>,
    unit: Option<String>,
    /// Whether the object has a property for the unit.
    has_unit: bool,
    /// Whether the unit is one of a list.
    is_chosen: bool,
}

impl ObjectAmount {
    /// Returns the amount for an object; `unit` is its property for the unit.
    pub fn new(subject: Subject<'_>, unit: Option<&SchemaNode>) -> Self {
        let allowed: Vec<&str> = unit.map(allowed_texts).unwrap_or_default();
        let has_unit = unit.is_some();
        if allowed.is_empty() {
            let item = subject.item();
            let quantity = item.map_or(1.0, |item| item.row.quantity);
            let unit = item.map_or("serving", |item| &item.row.unit).to_owned();
            let is_known = !subject.is_empty();
            return Self {
                quantity: is_known.then_some(quantity),
                unit: is_known.then_some(unit),
                has_unit,
                is_chosen: false,
            };
        }
        let chosen = subject.item().and_then(|item| AllowedAmount::choose(item, &allowed));
        let quantity = chosen.as_ref().map(|chosen| chosen.quantity);
        let quantity = quantity.or_else(|| subject.item().map(|item| item.row.quantity));
        Self { quantity, is_chosen: chosen.is_some(), unit: chosen.map(|chosen| chosen.unit), has_unit }
    }
}

/// Returns the value of a property that is neither an object nor an array; `None` if it is unknown.
pub fn scalar(
    meaning: Option<Property>,
    node: &SchemaNode,
    subject: Subject<'_>,
    amount: &ObjectAmount,
) -> Option<Filled> {
    if !node.values.is_empty() {
        return enumerated(meaning, node, subject, amount);
    }
    let property = meaning?;
    match property.fact {
        Fact::IsFood if node.allows(ValueType::Boolean) => Some(Filled::Plain((!subject.is_empty()).into())),
        Fact::Quantity if is_text(node) && !amount.has_unit => text(node, subject.text(Fact::Portion)?),
        Fact::Quantity => number(node, rounded(amount.quantity?, 2)),
        Fact::Unit => text(node, amount.unit.clone()?),
        Fact::PortionWord if is_text(node) && amount.has_unit => None,
        Fact::Portion | Fact::PortionWord if is_text(node) => text(node, subject.text(Fact::Portion)?),
        Fact::Portion | Fact::PortionWord if amount.has_unit => number(node, rounded(amount.quantity?, 2)),
        Fact::Confidence if is_text(node) => {
            text(node, LEVELS[level(subject.number(property)?)].first().map(|word| (*word).to_owned())?)
        }
        Fact::Confidence => {
            let scale = node.maximum.filter(|maximum| *maximum > 0.0).unwrap_or(1.0);
            number(node, rounded(subject.number(property)? * scale, 2))
        }
        Fact::Nutrient(foods::Nutrient::Calories) => number(node, rounded(subject.number(property)?, 0)),
        _ => {
            if let Some(known) = subject.text(property.fact).filter(|_| node.allows(ValueType::String)) {
                return text(node, known);
            }
            let value = subject.number(property)?;
            number(node, rounded(value, if value < 1.0 { 3 } else { 1 }))
        }
    }
}

/// Returns a value that fits but says nothing, for a property that must be present.
pub fn neutral(node: &SchemaNode) -> Filled {
    if node.is_nullable() {
        return Filled::Plain(Value::Null);
    }
    if let Some(first) = node.values.first() {
        let says_nothing = |value: &&Value| value.as_str().is_some_and(|text| NEUTRAL.contains(&plain(text).as_str()));
        return Filled::Plain(node.values.iter().find(says_nothing).unwrap_or(first).clone());
    }
    match node.types.first() {
        Some(ValueType::Integer | ValueType::Number) => {
            let highest = node.maximum.unwrap_or(f64::MAX);
            Filled::Number(node.minimum.unwrap_or(0.0).max(0.0).min(highest))
        }
        Some(ValueType::Boolean) => Filled::Plain(false.into()),
        Some(ValueType::Array) => Filled::List(Vec::new()),
        Some(ValueType::Object) => Filled::Object(Vec::new()),
        Some(ValueType::String) => Filled::Text(String::new()),
        Some(ValueType::Null) | None => Filled::Plain(Value::Null),
    }
}

/// Chooses a value from the list of a schema.
fn enumerated(
    meaning: Option<Property>,
    node: &SchemaNode,
    subject: Subject<'_>,
    amount: &ObjectAmount,
) -> Option<Filled> {
    if let [only] = node.values.as_slice() {
        return Some(Filled::Plain(only.clone()));
    }
    let texts = allowed_texts(node);
    let item: Option<&ItemFacts<'_>> = subject.item();
    let chosen = match meaning.map(|property| property.fact) {
        Some(Fact::Unit) => amount.unit.clone(),
        Some(Fact::Portion | Fact::PortionWord) if amount.is_chosen => None,
        Some(Fact::Portion | Fact::PortionWord) => {
            item.and_then(|item| units::portion_word(item, &texts)).map(str::to_owned)
        }
        Some(Fact::Confidence) => {
            let level = LEVELS[level(subject.number(meaning?)?)];
            texts.iter().find(|text| level.contains(&plain(text).as_str())).map(|text| (*text).to_owned())
        }
        _ => None,
    };
    let chosen = chosen.or_else(|| said(&texts, subject));
    chosen.map(Filled::Text)
}

/// Returns the only allowed value that the user said: “for breakfast”.
fn said(texts: &[&str], subject: Subject<'_>) -> Option<String> {
    let Subject::Meal(meal) = subject else { return None };
    let words: Vec<&str> = meal.said.split(|letter: char| !letter.is_alphanumeric()).collect();
    let mut found = texts.iter().filter(|text| text.len() >= MIN_SAID && words.contains(&text.to_lowercase().as_str()));
    let first = found.next()?;
    found.next().is_none().then(|| (*first).to_owned())
}

/// Returns the texts of a list of values.
fn allowed_texts(node: &SchemaNode) -> Vec<&str> {
    let nodes = std::iter::once(node).chain(&node.any_of);
    nodes.flat_map(|node| &node.values).filter_map(Value::as_str).collect()
}

/// Returns how sure something is: 0 high, 1 medium, 2 low.
fn level(certainty: f64) -> usize {
    MIN_CERTAINTIES.iter().position(|min| certainty >= *min).unwrap_or(MIN_CERTAINTIES.len())
}

/// Returns whether a value must be a text.
fn is_text(node: &SchemaNode) -> bool {
    node.types.contains(&ValueType::String)
        && !node.types.iter().any(|kind| matches!(kind, ValueType::Number | ValueType::Integer))
}

fn number(node: &SchemaNode, value: f64) -> Option<Filled> {
    if node.allows(ValueType::Number) {
        Some(Filled::Number(value))
    } else if node.allows(ValueType::Integer) {
        Some(Filled::Number(value.round()))
    } else if node.allows(ValueType::String) {
        Some(Filled::Text(value.to_string()))
    } else {
        None
    }
}

fn text(node: &SchemaNode, mut text: String) -> Option<Filled> {
    if !node.allows(ValueType::String) {
        return None;
    }
    if let Some((end, _)) = node.max_length.and_then(|most| text.char_indices().nth(most)) {
        text.truncate(end);
    }
    Some(Filled::Text(text))
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase()
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}
