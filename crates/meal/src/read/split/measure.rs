//! Reading what follows a number: sizes, a unit, a container of a known size.

use super::splitter::Splitter;
use crate::lexicon::{Measure, MeasureTrait, Role, Roles, measure_is};
use crate::read::amount::{self, Amount};
use crate::read::segment::Quantity;
use crate::read::token::Token;

/// Words that cannot begin the name of a food.
const NO_NAMES: Roles =
    Roles::of(&[Role::Of, Role::Preposition, Role::Copula, Role::Pronoun, Role::Eating, Role::When]);

/// How far a measure has been read.
struct MeasureReading {
    quantity: Quantity,
    amount: Amount,
    /// Where it begins, and where the next token stands.
    from: usize,
    at: usize,
}

/// Whether a measure goes on.
#[derive(PartialEq, Eq)]
enum Step {
    On,
    Ends,
}

impl Splitter<'_> {
    /// What follows a number, and the position behind it.
    pub(super) fn measure(&self, amount: Amount, from: usize) -> (Quantity, usize) {
        let quantity = Quantity { amount: Some(amount), ..Quantity::default() };
        let mut reading = MeasureReading { quantity, amount, from, at: from };
        while self.read_inches(&mut reading) || self.step_of_measure(&mut reading) == Step::On {}
        (reading.quantity, reading.at)
    }

    fn step_of_measure(&self, reading: &mut MeasureReading) -> Step {
        let at = reading.at;
        let Some(next) = self.text.word(at) else { return self.mark_in_measure(reading) };
        let roles = self.text.roles(at);
        let has_unit = reading.quantity.unit.is_some();
        // "half and half" is not half of anything.
        if roles.has(Role::Name) && self.text.width(at) > 1 {
            return Step::Ends;
        }
        if let Some((part, after)) =
            amount::and_part(self.text, at).filter(|(_, after)| has_unit && self.ends_amount(*after))
        {
            // "a cup and a half of rice".
            reading.quantity.amount = Some(Amount::explicit(reading.amount.value + part));
            reading.at = after;
        } else if matches!(reading.quantity.measure, Some(Measure::Household(_))) && self.is_filled_with(at) {
            reading.at += 2;
        } else if roles.any(const { Roles::of(&[Role::Times, Role::Of]) }) {
            reading.at += 1;
        } else if let Some(inches) = self.text.value(at, Role::Length).filter(|_| reading.amount.explicit && !has_unit)
        {
            reading.quantity.inches = Some(reading.amount.value * inches);
            reading.quantity.amount = Some(Amount::implied_one());
            reading.at += 1;
        } else if roles.has(Role::Size) && !has_unit && !self.is_measure_of(at) {
            // "a bite-size candy" is small, "a bite of candy" a measure of it.
            reading.quantity.sizes.push(self.text.read_as(at).unwrap_or(next).to_owned());
            reading.at += self.text.width(at);
        } else if roles.has(Role::Attributive) && self.is_before_noun(at) {
            // "a tender chicken breast" is not a chicken tender.
            reading.at += 1;
        } else if let Some((unit, measure, len)) = self.text.unit(at) {
            if has_unit {
                return self.second_unit(reading, unit, measure, len);
            }
            if !self.is_unit_here(at, len, measure, reading.amount) {
                return Step::Ends;
            }
            reading.quantity.unit = Some(unit.to_owned());
            reading.quantity.measure = Some(measure.clone());
            reading.at += len;
        } else if !has_unit && self.is_adjective_of_measure(at) {
            // "a refreshing 244g", "a cold can of": look behind the adjective.
            reading.at += 1;
        } else if !has_unit && self.ends_with_container(at) {
            // "from an individual school container": which one.
            reading.quantity.sizes.push(next.to_owned());
            reading.at += 1;
        } else if !has_unit && self.is_measure_of(at + 1) {
            // "a fruity pouch of": it tells which pouch, or what is in it.
            reading.quantity.sizes.push(next.to_owned());
            reading.at += 1;
        } else {
            return Step::Ends;
        }
        Step::On
    }

    /// Reads a length, if one is here: "two 6 inch tortillas", "an eighth of a nine inch pie", "2 slices of a 16 inch pizza".
    fn read_inches(&self, reading: &mut MeasureReading) -> bool {
        let number = reading.at + usize::from(self.text.has(reading.at, Role::Indefinite));
        let inches = self.inches_at(number);
        if inches.is_some() {
            reading.quantity.inches = inches;
            reading.at = number + 2;
        }
        inches.is_some()
    }

    /// Returns the length that is here as a number and its unit.
    fn inches_at(&self, at: usize) -> Option<f64> {
        let number = match self.text.tokens.get(at)? {
            Token::Number(value, false) => Some(*value),
            _ => self.text.value(at, Role::Number),
        };
        number.zip(self.text.value(at + 1, Role::Length)).map(|(number, inches)| number * inches)
    }

    /// Checks whether an amount ends before a position: "of" or no name follows.
    fn ends_amount(&self, at: usize) -> bool {
        !self.text.is_word(at) || self.text.has(at, Role::Of) || self.is_joint(at) && !amount::begins(self.text, at)
    }

    /// A number or a bracket inside a measure.
    fn mark_in_measure(&self, reading: &mut MeasureReading) -> Step {
        match self.text.tokens.get(reading.at) {
            // "a 100 calorie pack": which pack, not how many.
            Some(Token::Number(value, _)) if self.counts_no_food(reading.at) => {
                reading.quantity.sizes.extend([format!("{value}"), "calorie".to_owned()]);
                reading.at += 2;
                Step::On
            }
            Some(Token::Number(value, false)) if self.is_number_name(reading.at, *value) => Step::Ends,
            // "a 12 fl oz can": the number behind the article is the size of the container.
            Some(Token::Number(..)) if !reading.amount.explicit => {
                if let Some((inner, after)) = amount::read(self.text, reading.at) {
                    let (inner, end) = self.measure(inner, after);
                    reading.quantity = contained(std::mem::take(&mut reading.quantity), inner);
                    reading.at = end;
                }
                Step::Ends
            }
            Some(Token::Open) => self.size_in_brackets(reading),
            _ => Step::Ends,
        }
    }

    /// "a bottle (16.9 fl oz or 500 ml) of water": the size of the container.
    fn size_in_brackets(&self, reading: &mut MeasureReading) -> Step {
        let close = (reading.at..self.text.len().min(reading.at + 12))
            .find(|&at| self.text.tokens.get(at) == Some(&Token::Close))
            .filter(|&at| self.text.has(at + 1, Role::Of));
        let inside = amount::read(self.text, reading.at + 1).map(|(inner, after)| self.measure(inner, after).0);
        let (Some(close), Some(inside)) = (close, inside) else { return Step::Ends };
        let is_container = matches!(reading.quantity.measure, Some(Measure::Household(_)));
        let size = scaled(inside.measure.as_ref(), inside.amount.map_or(1.0, |amount| amount.value));
        if !is_container || size.is_none() {
            return Step::Ends;
        }
        reading.quantity.container = size;
        reading.quantity.container_in_ounces = inside.unit.as_deref() == Some("oz");
        reading.at = close + 1;
        Step::On
    }

    /// A unit behind another one.
    fn second_unit(&self, reading: &mut MeasureReading, unit: &str, measure: &Measure, len: usize) -> Step {
        let quantity = &mut reading.quantity;
        if !matches!(measure, Measure::Household(_)) {
            return Step::Ends;
        }
        match &quantity.measure {
            // "12 fl oz can", "16 oz bottle": the first unit sized the second.
            Some(Measure::Mass(_) | Measure::Volume(_)) if reading.at == reading.from + self.unit_len(reading.from) => {
                quantity.container = scaled(quantity.measure.as_ref(), reading.amount.value);
                quantity.container_in_ounces = quantity.unit.as_deref() == Some("oz");
                quantity.amount = Some(Amount::explicit(1.0));
                quantity.unit = Some(unit.to_owned());
                quantity.measure = Some(measure.clone());
                reading.at += len;
                Step::Ends
            }
            // "a single serving bag": the first measure says which bag.
            Some(Measure::Household(_)) => {
                quantity.sizes.extend(quantity.unit.take());
                quantity.unit = Some(unit.to_owned());
                quantity.measure = Some(measure.clone());
                reading.at += len;
                Step::On
            }
            _ => Step::Ends,
        }
    }

    /// Checks whether there are only adjectives between here and a measure: "a nice cold can of".
    fn is_adjective_of_measure(&self, from: usize) -> bool {
        let text = self.text;
        let is_adjective =
            |at: usize| text.has(at, Role::Filler) || text.has(at, Role::Optional) && text.unit(at).is_none();
        let mut at = from;
        while at < from + 4 {
            match text.tokens.get(at) {
                Some(Token::Number(..)) => return at > from && !self.counts_no_food(at),
                // "a cold can of": also where the measure is a verb elsewhere.
                _ if at > from && (self.is_measure_of(at) || self.is_last_slice(at)) => return true,
                Some(Token::Word(_)) if is_adjective(at) || at > from && text.has(at, Role::Size) => at += 1,
                _ => return false,
            }
        }
        false
    }

    /// Checks whether a measure and "of" are here.
    pub(super) fn is_measure_of(&self, at: usize) -> bool {
        let unit = self.text.unit(at);
        unit.is_some_and(|(_, _, len)| self.text.has(at + len, Role::Of) || self.is_filled_with(at + len))
    }

    /// Checks whether a slice or a piece is the last that is said: "pizza, 3 cold slices".
    fn is_last_slice(&self, at: usize) -> bool {
        self.text.unit(at).is_some_and(|(unit, _, len)| {
            let is_slice = measure_is(unit, MeasureTrait::Slice) || measure_is(unit, MeasureTrait::Piece);
            is_slice && (!self.text.is_word(at + len) || self.is_joint(at + len))
        })
    }

    /// Checks whether what is said here begins with a spoon, a glass or a slice, and a name follows at once: "slice bread".
    pub(super) fn is_measure_before_name(&self, at: usize) -> bool {
        let begins = at.checked_sub(1).is_none_or(|before| !self.text.is_word(before) || self.is_joint(before));
        let is_measure = |unit: &str, measure: &Measure| {
            matches!(measure, Measure::Volume(_))
                || measure_is(unit, MeasureTrait::Slice)
                || measure_is(unit, MeasureTrait::Vessel)
        };
        let is_name = |at: usize| {
            self.text.is_word(at) && !self.is_joint(at) && self.text.unit(at).is_none() && !self.text.any(at, NO_NAMES)
        };
        begins && self.text.unit(at).is_some_and(|(unit, measure, len)| is_measure(unit, measure) && is_name(at + len))
    }

    /// Checks whether "filled with" is here, which is "of" behind a container.
    fn is_filled_with(&self, at: usize) -> bool {
        self.text.has(at, Role::Filled) && self.text.any(at + 1, const { Roles::of(&[Role::With, Role::Of]) })
    }

    /// Checks whether an optional word and a container end what is said here.
    fn ends_with_container(&self, at: usize) -> bool {
        let is_container = |at: usize| {
            self.text.unit(at).is_some_and(|(unit, _, len)| {
                measure_is(unit, MeasureTrait::Container) && (!self.text.is_word(at + len) || self.is_joint(at + len))
            })
        };
        self.text.has(at, Role::Optional) && is_container(at + 1)
    }

    fn unit_len(&self, at: usize) -> usize {
        self.text.unit(at).map_or(0, |(_, _, len)| len)
    }

    /// Checks whether a unit word is meant as a unit: "30 g" and "an ounce of cheese" are, a lone letter behind "a" is not.
    fn is_unit_here(&self, at: usize, len: usize, measure: &Measure, amount: Amount) -> bool {
        !matches!(measure, Measure::Mass(_)) || amount.explicit || self.text.has(at + len, Role::Of)
    }
}

/// A container of a known size: the article counts the containers, the inner amount sizes them.
fn contained(outer: Quantity, inner: Quantity) -> Quantity {
    let inner_amount = inner.amount.map_or(1.0, |amount| amount.value);
    if inner.container.is_some() {
        let sizes = outer.sizes.into_iter().chain(inner.sizes).collect();
        return Quantity { sizes, ..inner };
    }
    if inner.inches.is_some() {
        return Quantity {
            inches: inner.inches,
            unit: inner.unit,
            measure: inner.measure,
            sizes: inner.sizes,
            ..outer
        };
    }
    if matches!(inner.measure, Some(Measure::Mass(_) | Measure::Volume(_))) {
        return Quantity {
            amount: inner.amount,
            unit: inner.unit,
            measure: inner.measure,
            sizes: inner.sizes,
            ..outer
        };
    }
    let amount = Some(Amount::explicit(inner_amount));
    Quantity { amount, unit: inner.unit, measure: inner.measure, sizes: inner.sizes, ..outer }
}

fn scaled(measure: Option<&Measure>, factor: f64) -> Option<Measure> {
    match measure? {
        Measure::Mass(grams) => Some(Measure::Mass(grams * factor)),
        Measure::Volume(milliliters) => Some(Measure::Volume(milliliters * factor)),
        Measure::Household(_) => None,
    }
}
