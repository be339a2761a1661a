//! Giving an amount to a segment.

use super::cues::JOINTS;
use super::splitter::Splitter;
use crate::lexicon::{Measure, MeasureTrait, Role, Roles, measure_is, packed_in};
use crate::read::amount::{self, Amount};
use crate::read::segment::{Joint, Quantity, Segment};
use crate::read::text::Text;

/// The measure of what is counted.
const PIECE: &str = "piece";

/// Words that end what an amount can be of.
const NAME_ENDS: Roles = Roles::of(&[Role::And, Role::With, Role::On, Role::In, Role::Aside]);

/// Dishes that are named by what is in them.
const DISHES: Roles = Roles::of(&[Role::Stewed, Role::Mixture]);

/// Words that say nothing about which food an amount is of. A state behind an amount describes the food before it: "rice 40 g
/// dry".
const SAYS_NO_FOOD: Roles = Roles::of(&[Role::Filler, Role::Optional, Role::State]);

impl Splitter<'_> {
    /// Reads a measure without a number: "cup of tea", "tbsp honey".
    pub(super) fn take_bare_measure(&mut self) -> bool {
        // "half of" and "a third of" are amounts.
        let is_amount = self.text.has(self.at, Role::Predeterminer) || amount::begins(self.text, self.at);
        let is_bare = !is_amount
            && !self.has_content()
            && self.current.quantity.amount.is_none()
            && (self.is_measure_of(self.at) || self.is_measure_before_name(self.at));
        if is_bare {
            let one = Amount::implied_one();
            let (quantity, end) = self.measure(one, self.at);
            self.take_quantity(quantity, one, end);
        }
        is_bare
    }

    /// Reads amount, unit, sizes and container from here; begins a new segment if this one has its amount already.
    pub(super) fn quantity(&mut self) {
        if self.counts_no_food(self.at) {
            // "a year", "two miles": nothing to eat.
            self.at += 2;
            return;
        }
        let Some((amount, after)) = amount::read(self.text, self.at) else {
            self.at += 1;
            return;
        };
        if self.is_share(amount, after) {
            self.take_share_of_before(amount.value, after);
            return;
        }
        if self.take_count_of_before(amount, after) {
            return;
        }
        let (quantity, end) = self.measure(amount, after);
        if self.is_stated_nutrient(&quantity, end) {
            self.state_nutrient(amount.value, end);
            return;
        }
        if self.is_share_of_many(amount, after) {
            // "a third of the chips" is not a third of a chip.
            self.current.share = Some(amount.value);
            self.at = after;
            return;
        }
        self.take_quantity(quantity, amount, end);
    }

    /// Gives an amount to this segment, or to a new one if this one has its amount already.
    fn take_quantity(&mut self, quantity: Quantity, amount: Amount, end: usize) {
        self.forget_the_meal();
        // "instead of a slice of pizza" denies the pizza; "no 15 almonds" are fifteen, and of "threw away half" a half is left.
        let is_answer = self.at.checked_sub(1).is_some_and(|before| self.text.has(before, Role::Answer));
        let is_share = amount.value < 1.0;
        let ends_denial = is_answer || is_share || !self.current.words.is_empty();
        if self.current.negated && quantity.is_explicit() && ends_denial {
            self.close(Joint::Amount);
        }
        let has_content = self.has_content();
        let names_follow = self.names_follow(end);
        if self.current.quantity.amount.is_some_and(|known| known.explicit)
            && !has_content
            && self.current.quantity.container.is_none()
            && amount.explicit
            && matches!(quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
        {
            // "1 cup (240 ml) milk", "a small 2g serving": the more exact one counts.
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = quantity;
            self.current.quantity.sizes.extend(sizes);
        } else if has_content
            && names_follow
            && amount.explicit
            && (self.is_list_of_trailing_amounts(end)
                || self.is_list_of_trailing_weights(&quantity, end)
                || self.is_count_behind_food(&quantity, end))
        {
            // "turkey 100 g cheese 30 g": each amount behind its food.
            self.take_trailing(quantity);
            self.close(Joint::Amount);
            self.at = end;
            return;
        } else if has_content && names_follow {
            // A mere article begins a food, or a part of the one before: "peeled a banana", "pizza featuring a thick crust".
            let is_own = amount.explicit || quantity.unit.is_some() || !quantity.sizes.is_empty();
            self.close(if is_own { Joint::Amount } else { Joint::With });
            self.current.quantity = quantity;
        } else if has_content && !self.current.quantity.is_explicit() && (amount.explicit || quantity.unit.is_some()) {
            // "bacon 2 slices": the amount behind the food.
            self.take_trailing(quantity);
        } else if has_content && !names_follow && amount.explicit && self.is_weight_of_count(&quantity) {
            // "a bag of crisps 75 g": what is counted has this weight, or "3 cookies 30 g each" three times.
            let count = self.current.quantity.amount.filter(|_| self.text.has(end, Role::Each));
            self.take_trailing(quantity);
            if let Some(count) = count {
                self.current.quantity.multiply(count.value);
            }
        } else if !has_content && (amount.explicit || !self.current.quantity.is_explicit()) {
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = quantity;
            self.current.quantity.sizes.extend(sizes);
        }
        self.name_the_measure(end);
        self.name_the_container();
        self.at = end;
    }

    /// Checks whether pieces are counted in short, which people write behind the food: "idli 2 pcs sambar".
    fn is_count_behind_food(&self, quantity: &Quantity, end: usize) -> bool {
        let is_short = |unit: &String| {
            let said = end.checked_sub(1).and_then(|last| self.text.word(last));
            unit == PIECE && said.is_some_and(|said| !said.starts_with(PIECE))
        };
        quantity.unit.as_ref().is_some_and(is_short) && !self.current.quantity.is_explicit()
    }

    /// Adds the sizes and the measure of an amount that ends at a position: they may be part of the name.
    fn name_the_measure(&mut self, end: usize) {
        // "a double cheeseburger", "a chicken patty".
        let household = matches!(self.current.quantity.measure, Some(Measure::Household(_)));
        // "a bowl of beef" and "a portion of beef" say nothing about which food it is, "a beef bowl" does.
        let is_of = end.checked_sub(1).is_some_and(|last| self.text.has(last, Role::Of));
        let unit = self.current.quantity.unit.iter().filter(|unit| household && !(is_of && says_no_food(unit)));
        // What is extra is the size, and nothing in the food.
        let sizes = self.current.quantity.sizes.iter().filter(|size| *size != "extra");
        let said: Vec<String> = sizes.chain(unit).cloned().collect();
        for word in said {
            if !self.current.words.iter().any(|known| known.word == word) {
                self.push(&word, true);
            }
        }
    }

    /// Checks whether an amount weighs what the segment only counts.
    fn is_weight_of_count(&self, quantity: &Quantity) -> bool {
        let is_exact = |measure: &Option<Measure>| matches!(measure, Some(Measure::Mass(_) | Measure::Volume(_)));
        is_exact(&quantity.measure) && !is_exact(&self.current.quantity.measure) && !self.current.quantity.trailing
    }

    /// Gives the segment an amount that is behind its food.
    fn take_trailing(&mut self, quantity: Quantity) {
        let is_mass = matches!(quantity.measure, Some(Measure::Mass(_)));
        let is_in = self.current.joint == Joint::Preposition
            && self.current.opens_list.is_none()
            && self.text.has(self.joint_at, Role::In)
            && self.is_behind_noun();
        let is_bare = |food: &&mut Segment| !food.negated && food.has_required_words() && !food.quantity.is_explicit();
        // A soup is weighed with what is in it.
        let is_dish = self.current.words.last().is_some_and(|word| self.lexicon.roles(&word.word).any(DISHES));
        if is_mass
            && is_in
            && !is_dish
            && let Some(food) = self.out.last_mut().filter(is_bare)
        {
            // "potatoes roasted in oil 200 g": nobody weighs the oil alone.
            food.quantity = Quantity { trailing: true, ..quantity };
            return;
        }
        let sizes = std::mem::take(&mut self.current.quantity.sizes);
        self.current.quantity = Quantity { trailing: true, ..quantity };
        self.current.quantity.sizes.extend(sizes);
    }

    /// Checks whether the amount here follows a noun at once. What "weighs" or "is" so much is all that was named.
    fn is_behind_noun(&self) -> bool {
        let before = self.at.checked_sub(1);
        before.is_some_and(|before| self.text.is_word(before) && !self.text.has(before, Role::Filler))
    }

    /// Adds what the catalog calls a food that comes in the container: what comes in a bottle is often called bottled.
    fn name_the_container(&mut self) {
        let Some(packed) = self.current.quantity.unit.as_deref().and_then(packed_in) else { return };
        if !self.current.words.iter().any(|word| word.word == packed) {
            self.push(packed, true);
        }
    }

    /// Checks whether a word that can name a food is here or follows before the next joint.
    pub(super) fn names_follow(&self, from: usize) -> bool {
        is_in_name(self.text, from) && (names(self.text, from) || self.names_follow.get(from) == Some(&true))
    }
}

/// Checks whether a measure is a portion, or a bowl, a glass or a plate, which any food may be in.
fn says_no_food(unit: &str) -> bool {
    let is = |what: MeasureTrait| measure_is(unit, what);
    (is(MeasureTrait::Plain) || is(MeasureTrait::Varies)) && !is(MeasureTrait::Piece)
}

/// Returns for each token whether a word that can name a food follows it before the next joint. One pass from the end answers
/// it for all of them, however many amounts a text has.
pub(super) fn names_follow(text: Text<'_>) -> Vec<bool> {
    let mut follows = vec![false; text.len()];
    for at in (1..text.len()).rev().filter(|&at| is_in_name(text, at)) {
        let is_name = || text.word(at - 1).zip(text.word(at)).is_some_and(|(one, two)| text.lexicon.is_name(one, two));
        follows[at - 1] = follows[at] || names(text, at) || is_name();
    }
    follows
}

/// Checks whether a word that does not end a name is at a position.
fn is_in_name(text: Text<'_>, at: usize) -> bool {
    text.is_word(at) && !text.any(at, NAME_ENDS)
}

/// Checks whether the word at a position can name a food.
fn names(text: Text<'_>, at: usize) -> bool {
    let is_function = text.any(at, SAYS_NO_FOOD) || text.any(at, JOINTS);
    !is_function && text.unit(at).is_none()
}
