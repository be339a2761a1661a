//! Reading what follows a number: sizes, a unit, a container of a known size.

use super::cues;
use super::splitter::Splitter;
use crate::lexicon::Measure;
use crate::read::amount::{self, Amount, word};
use crate::read::segment::Quantity;
use crate::read::token::Token;

/// What food comes in, and is never the name of.
const CONTAINERS: &[&str] =
    &["container", "carton", "bottle", "can", "box", "bag", "pouch", "packet", "package", "pack", "tub", "jar"];

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
        while self.step_of_measure(&mut reading) == Step::On {}
        (reading.quantity, reading.at)
    }

    fn step_of_measure(&self, reading: &mut MeasureReading) -> Step {
        let at = reading.at;
        let Some(next) = word(self.tokens, at) else { return self.mark_in_measure(reading) };
        let has_unit = reading.quantity.unit.is_some();
        if self.is_cream(at) {
            return Step::Ends;
        }
        if matches!(reading.quantity.measure, Some(Measure::Household(_))) && self.is_filled_with(at) {
            reading.at += 2;
        } else if matches!(next, "x" | "of") {
            reading.at += 1;
        } else if matches!(next, "inch" | "inches") && reading.amount.explicit && !has_unit {
            reading.quantity.inches = Some(reading.amount.value);
            reading.quantity.amount = Some(Amount { value: 1.0, explicit: false, range: None });
            reading.at += 1;
        } else if self.lexicon.is_size(next) && !has_unit {
            reading.quantity.sizes.push(next.to_owned());
            reading.at += 1;
        } else if next == "tender" && word(self.tokens, at + 1).is_some_and(|next| !cues::is_joint(next)) {
            // "a tender chicken breast" is no chicken tender.
            reading.at += 1;
        } else if let Some((unit, measure, len)) = self.unit_at(at) {
            if has_unit {
                return self.second_unit(reading, unit, measure, len);
            }
            if !self.is_unit_here(at, len, &measure, reading.amount) {
                return Step::Ends;
            }
            reading.quantity.unit = Some(unit);
            reading.quantity.measure = Some(measure);
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

    /// A number or a bracket inside a measure.
    fn mark_in_measure(&self, reading: &mut MeasureReading) -> Step {
        match self.tokens.get(reading.at) {
            // "a 100 calorie pack": which pack, not how many.
            Some(Token::Number(value, _)) if self.is_energy(reading.at) => {
                reading.quantity.sizes.extend([format!("{value}"), "calorie".to_owned()]);
                reading.at += 2;
                Step::On
            }
            Some(Token::Number(value, false)) if self.is_number_name(reading.at, *value) => Step::Ends,
            // "a 12 fl oz can": the number behind the article is the size of the container.
            Some(Token::Number(..)) if !reading.amount.explicit => {
                if let Some((inner, after)) = amount::read(self.tokens, reading.at) {
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
        let close = (reading.at..self.tokens.len().min(reading.at + 12))
            .find(|&at| self.tokens.get(at) == Some(&Token::Close))
            .filter(|&at| word(self.tokens, at + 1) == Some("of"));
        let inside = amount::read(self.tokens, reading.at + 1).map(|(inner, after)| self.measure(inner, after).0);
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
    fn second_unit(&self, reading: &mut MeasureReading, unit: String, measure: Measure, len: usize) -> Step {
        let quantity = &mut reading.quantity;
        if !matches!(measure, Measure::Household(_)) {
            return Step::Ends;
        }
        match &quantity.measure {
            // "12 fl oz can", "16 oz bottle": the first unit sized the second.
            Some(Measure::Mass(_) | Measure::Volume(_)) if reading.at == reading.from + self.unit_len(reading.from) => {
                quantity.container = scaled(quantity.measure.as_ref(), reading.amount.value);
                quantity.container_in_ounces = quantity.unit.as_deref() == Some("oz");
                quantity.amount = Some(Amount { value: 1.0, explicit: true, range: None });
                quantity.unit = Some(unit);
                quantity.measure = Some(measure);
                reading.at += len;
                Step::Ends
            }
            // "a single serving bag": the first measure says which bag.
            Some(Measure::Household(_)) => {
                quantity.sizes.extend(quantity.unit.take());
                quantity.unit = Some(unit);
                quantity.measure = Some(measure);
                reading.at += len;
                Step::On
            }
            _ => Step::Ends,
        }
    }

    /// Whether only adjectives stand between here and a measure: "a nice cold can of".
    fn is_adjective_of_measure(&self, from: usize) -> bool {
        let is_adjective = |word: &str| {
            self.lexicon.is_filler(word) || self.lexicon.is_optional(word) && self.lexicon.unit(word).is_none()
        };
        let mut at = from;
        while at < from + 4 {
            match self.tokens.get(at) {
                Some(Token::Number(..)) => return at > from && !self.is_energy(at),
                // "a cold can of": also where the measure is a verb elsewhere.
                _ if at > from && self.is_measure_of(at) => return true,
                Some(Token::Word(word)) if is_adjective(word) || at > from && self.lexicon.is_size(word) => at += 1,
                _ => return false,
            }
        }
        false
    }

    /// Whether a measure and "of" stand here.
    pub(super) fn is_measure_of(&self, at: usize) -> bool {
        self.unit_at(at)
            .is_some_and(|(_, _, len)| word(self.tokens, at + len) == Some("of") || self.is_filled_with(at + len))
    }

    /// Whether "filled with" stands here, which is "of" behind a container.
    fn is_filled_with(&self, at: usize) -> bool {
        matches!(word(self.tokens, at), Some("filled" | "full"))
            && matches!(word(self.tokens, at + 1), Some("with" | "of"))
    }

    /// Whether a word that need not be said and a container end what is said here.
    fn ends_with_container(&self, at: usize) -> bool {
        let is_container = |at: usize| {
            self.unit_at(at).is_some_and(|(unit, _, len)| {
                let next = word(self.tokens, at + len);
                let ends = |next: &str| cues::is_joint(next) || matches!(next, "while" | "that" | "which" | "by");
                CONTAINERS.contains(&unit.as_str()) && next.is_none_or(ends)
            })
        };
        word(self.tokens, at).is_some_and(|word| self.lexicon.is_optional(word)) && is_container(at + 1)
    }

    fn unit_len(&self, at: usize) -> usize {
        self.unit_at(at).map_or(0, |(_, _, len)| len)
    }

    /// The unit at a position and how many words it has.
    pub(super) fn unit_at(&self, at: usize) -> Option<(String, Measure, usize)> {
        let first = word(self.tokens, at)?;
        if matches!(first, "fl" | "fluid") {
            let second = word(self.tokens, at + 1)?;
            if matches!(second, "oz" | "ounce" | "ounces" | "ozs") {
                return Some(("fl oz".to_owned(), Measure::Volume(29.5735), 2));
            }
        }
        if matches!(word(self.tokens, at + 1), Some("inch" | "inches")) {
            match first {
                "cubic" => return Some(("cubic inch".to_owned(), Measure::Volume(16.3871), 2)),
                "surface" => return Some(("surface".to_owned(), Measure::Household(None), 2)),
                _ => {}
            }
        }
        let (name, measure) = self.lexicon.unit(first)?;
        Some((name.to_owned(), measure.clone(), 1))
    }

    /// Whether a unit word is meant as a unit: "30 g" and "an ounce of cheese" are, a lone letter behind "a" is not.
    fn is_unit_here(&self, at: usize, len: usize, measure: &Measure, amount: Amount) -> bool {
        !matches!(measure, Measure::Mass(_)) || amount.explicit || word(self.tokens, at + len) == Some("of")
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
    let amount = Some(Amount { value: inner_amount, explicit: true, range: None });
    Quantity { amount, unit: inner.unit, measure: inner.measure, sizes: inner.sizes, ..outer }
}

fn scaled(measure: Option<&Measure>, factor: f64) -> Option<Measure> {
    match measure? {
        Measure::Mass(grams) => Some(Measure::Mass(grams * factor)),
        Measure::Volume(milliliters) => Some(Measure::Volume(milliliters * factor)),
        Measure::Household(_) => None,
    }
}
