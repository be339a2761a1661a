//! How many servings an amount is.

use foods::text::singular;

use super::recipe::Recipe;
use super::slots::{self, NameSlots, Slot};
use crate::lexicon::{Lexicon, Measure, MeasureTrait, Role, Roles, measure, measure_is};
use crate::read::amount;
use crate::read::text::{Text, Uses};
use crate::read::token::{self, Token};

/// Words between an amount and its unit or its food.
const PASSED: Roles = Roles::of(&[Role::Of, Role::Size, Role::Filler]);

/// A number without unit behind a name counts portions up to here; beyond it is part of something else.
const MAX_BARE_COUNT: f64 = 20.0;

/// An amount with its unit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpokenAmount {
    value: f64,
    /// Whether it is a number, and not only "a".
    has_number: bool,
    unit: Option<ServingUnit>,
    /// Whether each of several has this amount.
    is_each: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct ServingUnit {
    name: String,
    /// Nothing for a noun that only the recipe's serving counts in, as "cookie".
    measure: Option<Measure>,
}

impl SpokenAmount {
    fn number(value: f64, has_number: bool) -> Self {
        Self { value, has_number, unit: None, is_each: false }
    }

    /// The amount of so many, where it is that of each.
    fn times(self, count: &SpokenAmount) -> Self {
        let value = if self.is_each { self.value * count.value } else { self.value };
        Self { value, ..self }
    }

    fn counts(&self) -> bool {
        self.has_number || self.unit.is_some()
    }

    fn is_exact(&self) -> bool {
        let measure = self.unit.as_ref().and_then(|unit| unit.measure.as_ref());
        matches!(measure, Some(Measure::Mass(_) | Measure::Volume(_)))
    }
}

/// How an amount became servings.
#[derive(Clone, Debug, PartialEq)]
pub enum Counting {
    /// There is no amount: one serving.
    Unsaid,
    /// The number counts servings.
    Servings,
    /// A serving is a number of the unit in the text.
    SameUnit {
        /// So many.
        count: f64,
        /// Of this unit.
        unit: String,
    },
    /// A serving is so much in another unit of the same kind.
    Converted {
        /// So many.
        count: f64,
        /// Of this unit.
        unit: String,
    },
    /// The description of the serving does not have the unit, so each counts as a serving.
    OtherUnit,
    /// The amount is a weight or volume, and the description of the serving has none: one serving.
    NoWeight,
}

/// A recipe's serving, in each of the ways that its description gives: "1 slice (350 g)".
#[derive(Debug)]
pub(super) struct RecipeServing {
    measures: Vec<(f64, ServingUnit)>,
    /// The last word of the name: of "Mom's Cookies" one eats cookies.
    noun: String,
}

impl RecipeServing {
    /// Reads the description of a recipe's serving.
    pub fn new(recipe: &Recipe, matched: &str, lexicon: &Lexicon) -> Self {
        let tokens = recipe.serving_description.as_deref().map(token::tokens).unwrap_or_default();
        let noun = matched.rsplit(' ').next().map(singular).unwrap_or_default();
        let mut serving = RecipeServing { measures: Vec::new(), noun };
        let uses = Uses::new(&tokens, lexicon);
        let text = Text::new(&tokens, &uses, lexicon);
        serving.read_noun(text);
        let mut at = 0;
        while at < tokens.len() {
            at = serving.read(text, at);
        }
        serving.measures.retain(|(count, _)| count.is_finite() && *count > 0.0);
        serving
    }

    /// Reads a description that counts what no unit names: "2 cookies (60 g)".
    fn read_noun(&mut self, text: Text<'_>) {
        let Some((amount, mut at)) = amount::read(text, 0) else { return };
        while text.has(at, Role::Size) {
            at += 1;
        }
        let is_last = !matches!(text.tokens.get(at + 1), Some(Token::Word(_) | Token::Number(..)));
        if let Some(noun) = text.word(at).filter(|_| is_last)
            && text.unit(at).is_none()
        {
            self.measures.push((amount.value, ServingUnit { name: singular(noun), measure: None }));
        }
    }

    /// Reads one measure of the description; gives the position behind it.
    fn read(&mut self, text: Text<'_>, start: usize) -> usize {
        let (value, mut at) = match amount::read(text, start) {
            Some((amount, at)) => (amount.value, at),
            None => (1.0, start),
        };
        // "1 of 8 slices" is one slice.
        if text.has(at, Role::Of)
            && let Some((_, after)) = amount::read(text, at + 1)
        {
            at = after;
        }
        while text.is_word(at) {
            if let Some((unit, end)) = unit_at(text, at) {
                self.measures.push((value, unit));
                return end;
            }
            if at >= start + 6 || !text.any(at, PASSED) {
                break;
            }
            at += 1;
        }
        at.max(start + 1)
    }

    /// The amount in front of a name and where it begins.
    pub fn in_front(&self, text: Text<'_>, begin: usize, name: usize) -> (Option<SpokenAmount>, usize) {
        let before = text.part(0..name);
        let mut all: Vec<SpokenAmount> = Vec::new();
        let mut start = name;
        let mut bare_end = None;
        let mut at = begin;
        while at < name {
            if let Some(length) = slots::time_at(text, at) {
                at += length;
                continue;
            }
            let Some((spoken, end)) = self.amount_at(before, at) else {
                at += 1;
                continue;
            };
            start = start.min(at);
            match all.last_mut() {
                // "2 16 oz bottles"
                Some(last) if bare_end == Some(at) && spoken.is_exact() => {
                    *last = SpokenAmount { value: last.value * spoken.value, ..spoken };
                }
                _ => all.push(spoken),
            }
            bare_end = all.last().filter(|spoken| spoken.unit.is_none()).map(|_| end);
            at = end;
        }
        let chosen = self.choose(&all);
        if chosen.is_some() {
            return (chosen, start);
        }
        let (unit, from) = Self::unit_in_front(before, begin);
        (unit.map(|unit| SpokenAmount { unit: Some(unit), ..SpokenAmount::number(1.0, false) }), from.min(start))
    }

    /// Returns the amount that counts if there are several: "1 bowl (350 g)".
    fn choose(&self, all: &[SpokenAmount]) -> Option<SpokenAmount> {
        let counts = || all.iter().filter(|spoken| spoken.counts());
        let chosen = counts()
            .find(|spoken| spoken.is_exact() && self.ratio(spoken).is_some())
            .or_else(|| counts().find(|spoken| self.ratio(spoken).is_some()))
            .or_else(|| counts().find(|spoken| spoken.has_number))
            .or_else(|| counts().next())?
            .clone();
        match counts().next() {
            Some(first) if *first != chosen => Some(chosen.times(first)),
            _ => Some(chosen),
        }
    }

    /// A unit without a number, and where the words right before the name begin: "bowl of", "the", "a big".
    fn unit_in_front(before: Text<'_>, begin: usize) -> (Option<ServingUnit>, usize) {
        let mut unit = None;
        let mut from = before.len();
        while from > begin && before.is_word(from - 1) {
            let is_passed = before.any(from - 1, const { Roles::of(&[Role::Of, Role::Size]) });
            if let Some((found, _)) = unit_at(before, from - 1) {
                unit = Some(found);
            } else if !is_passed && !slots::is_determiner(before, from - 1) {
                break;
            }
            from -= 1;
        }
        (unit, from)
    }

    /// An amount at a position, with its unit, and the position behind.
    fn amount_at(&self, text: Text<'_>, start: usize) -> Option<(SpokenAmount, usize)> {
        if let Some(value) = text.word(start).and_then(slots::times) {
            return Some((SpokenAmount::number(value, true), start + 1));
        }
        let (amount, after) = amount::read(text, start)?;
        if after > text.len() {
            return None;
        }
        let mut spoken = SpokenAmount::number(amount.value, amount.explicit);
        let mut at = after;
        while let Some(next) = text.word(at) {
            if let Some((unit, end)) = unit_at(text, at) {
                spoken.unit = Some(unit);
                spoken.is_each = text.has(end, Role::Each);
                let end = end + usize::from(spoken.is_each);
                return Some((spoken, end));
            }
            if text.has(at, Role::Length) {
                // How large it is, not how many.
                return Some((SpokenAmount::number(1.0, false), at + 1));
            }
            if self.is_noun_of_serving(next) && spoken.has_number {
                spoken.unit = Some(ServingUnit { name: singular(next), measure: None });
                return Some((spoken, at + 1));
            }
            if !text.any(at, PASSED.or(const { Roles::of(&[Role::Times]) })) || at >= after + 4 {
                break;
            }
            at += 1;
        }
        Some((spoken, after + usize::from(text.has(after, Role::Times))))
    }

    fn is_noun_of_serving(&self, word: &str) -> bool {
        self.measures.iter().any(|(_, unit)| unit.measure.is_none() && unit.name == singular(word))
    }

    /// The amount behind a name and the position behind it: "lasagna, 350 g", "lasagna x2", "lasagna (2 slices)".
    pub fn behind(
        &self,
        text: Text<'_>,
        phrases: &NameSlots,
        end: usize,
        limit: usize,
    ) -> Option<(SpokenAmount, usize)> {
        let text = text.part(0..limit.min(text.len()));
        let tokens = text.tokens;
        let is_passed = |at: usize| matches!(phrases.slots.get(at), Some(Slot::Light | Slot::Preposition));
        let stops = |at: usize| is_factor(text, at) || self.amount_at(text, at).is_some();
        let pass = |from: usize, most: usize| {
            let mut at = from;
            while at < from + most && at < tokens.len() && is_passed(at) && !stops(at) {
                at += slots::time_at(text, at).unwrap_or(1);
            }
            at
        };
        let mut at = pass(end, 8);
        let mut has_words = at > end;
        let mark =
            tokens.get(at).filter(|token| matches!(token, Token::Comma | Token::Stop | Token::Colon | Token::Open));
        if mark.is_some() {
            at += 1;
            let from = at;
            at = pass(at, 4);
            has_words |= at > from;
        }
        if slots::time_at(text, at).is_some() {
            return None;
        }
        if is_factor(text, at) {
            at += 1;
        }
        let (spoken, mut after) = self.amount_at(text, at)?;
        let is_ended = tokens.get(after).is_none_or(|_| phrases.ends[after] && phrases.slots[after] != Slot::Amount);
        let is_open = mark == Some(&Token::Open);
        let is_list_number = spoken.unit.is_none()
            && (tokens.get(after) == Some(&Token::Close) && !is_open
                || matches!(mark, Some(Token::Stop | Token::Colon))
                    && matches!(tokens.get(after), Some(Token::Stop | Token::Close)));
        let is_plain_end = tokens.get(after).is_none_or(|_| phrases.slots[after] != Slot::Light);
        let is_amount = match spoken.unit {
            Some(_) => spoken.has_number || !has_words,
            None => spoken.has_number && spoken.value <= MAX_BARE_COUNT && !has_words && is_plain_end,
        };
        if !is_ended || is_list_number || !is_amount {
            return None;
        }
        if is_open && tokens.get(after) == Some(&Token::Close) {
            after += 1;
        }
        Some((spoken, after))
    }

    /// The amount that counts of one in front and one behind.
    pub fn better(&self, front: Option<SpokenAmount>, behind: SpokenAmount) -> SpokenAmount {
        match front {
            Some(front) if front.has_number && !(behind.is_exact() && self.ratio(&behind).is_some()) => front,
            Some(front) => behind.times(&front),
            None => behind,
        }
    }

    /// Servings, and the quantity and unit to show.
    pub fn scale(&self, spoken: Option<&SpokenAmount>) -> (f64, f64, String) {
        let default_unit = || {
            let single = self.measures.iter().find(|(count, _)| (count - 1.0).abs() < 1e-9);
            single.map_or_else(|| "serving".to_owned(), |(_, unit)| unit.name.clone())
        };
        let Some(spoken) = spoken.filter(|spoken| spoken.counts()) else { return (1.0, 1.0, default_unit()) };
        let Some(unit) = &spoken.unit else {
            // "3 of Mom's Cookies" where a serving is two cookies: the name itself is the unit.
            return match self.measures.iter().find(|(_, unit)| unit.name == self.noun) {
                Some((count, unit)) => (spoken.value / count, spoken.value, unit.name.clone()),
                None => (spoken.value, spoken.value, default_unit()),
            };
        };
        let servings =
            self.ratio(spoken).unwrap_or(if measure_is(&unit.name, MeasureTrait::Fine) { 1.0 } else { spoken.value });
        (servings, spoken.value, unit.name.clone())
    }

    /// Servings, and the quantity and unit to show, of an amount in exactly this unit; without one it counts servings.
    /// Returns `None` if the description does not say what the unit is.
    pub fn measured(&self, value: f64, unit: Option<&str>, lexicon: &Lexicon) -> Option<(f64, f64, String)> {
        let Some(unit) = unit else {
            return Some((value, value, "serving".to_owned()));
        };
        let mut tokens = vec![Token::Number(1.0, false)];
        tokens.extend(token::tokens(unit));
        let uses = Uses::new(&tokens, lexicon);
        let (spoken, end) = self.amount_at(Text::new(&tokens, &uses, lexicon), 0)?;
        let spoken = SpokenAmount { value, ..spoken };
        let servings = self.ratio(&spoken).filter(|_| end == tokens.len())?;
        Some((servings, value, spoken.unit?.name))
    }

    /// How an amount with this unit becomes servings; for explanations, beside [`RecipeServing::scale`].
    pub fn counting(&self, unit: &str, quantity: f64) -> Counting {
        let unit = ServingUnit { name: unit.to_owned(), measure: measure(unit).cloned() };
        let spoken = SpokenAmount { unit: Some(unit.clone()), ..SpokenAmount::number(quantity, true) };
        if measure_is(&unit.name, MeasureTrait::Serving) {
            return Counting::Servings;
        }
        if let Some((count, known)) = self.measures.iter().find(|(_, known)| known.name == unit.name) {
            return Counting::SameUnit { count: *count, unit: known.name.clone() };
        }
        if self.ratio(&spoken).is_some()
            && let Some((count, known)) = self.measures.iter().find(|(_, known)| comparable(&unit, known).is_some())
        {
            return Counting::Converted { count: *count, unit: known.name.clone() };
        }
        if measure_is(&unit.name, MeasureTrait::Fine) { Counting::NoWeight } else { Counting::OtherUnit }
    }

    /// How many servings an amount with a unit is, where the description says.
    fn ratio(&self, spoken: &SpokenAmount) -> Option<f64> {
        let unit = spoken.unit.as_ref()?;
        if measure_is(&unit.name, MeasureTrait::Serving) {
            return Some(spoken.value);
        }
        if let Some((count, _)) = self.measures.iter().find(|(_, known)| known.name == unit.name) {
            return Some(spoken.value / count);
        }
        self.measures.iter().find_map(|(count, known)| {
            let (one, serving) = comparable(unit, known)?;
            Some(spoken.value * one / (count * serving))
        })
    }
}

/// Two units as numbers of the same thing.
fn comparable(one: &ServingUnit, other: &ServingUnit) -> Option<(f64, f64)> {
    match (one.measure.as_ref()?, other.measure.as_ref()?) {
        (Measure::Mass(one), Measure::Mass(other)) | (Measure::Volume(one), Measure::Volume(other)) => {
            Some((*one, *other))
        }
        // An "oz" beside a volume is a fluid ounce.
        (Measure::Volume(volume), Measure::Mass(_)) if is_ounce(other) => Some((*volume, fluid_ounce()?)),
        (Measure::Mass(_), Measure::Volume(volume)) if is_ounce(one) => Some((fluid_ounce()?, *volume)),
        _ => None,
    }
}

fn is_ounce(unit: &ServingUnit) -> bool {
    unit.name == foods::Unit::Ounce.name()
}

fn fluid_ounce() -> Option<f64> {
    foods::Unit::FluidOunce.milliliters()
}

/// Checks whether a factor is here: "lasagna x 2".
fn is_factor(text: Text<'_>, at: usize) -> bool {
    text.has(at, Role::Times) && matches!(text.tokens.get(at + 1), Some(Token::Number(..)))
}

/// Returns the unit at a position and the position behind it.
fn unit_at(text: Text<'_>, at: usize) -> Option<(ServingUnit, usize)> {
    let (name, measure, len) = text.unit(at)?;
    Some((ServingUnit { name: name.to_owned(), measure: Some(measure.clone()) }, at + len))
}
