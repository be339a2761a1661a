//! Splitting text into segments: runs of words between commas, "and", "with" and the like, each with the amount that
//! was said for it. Which neighbouring segments are one food is decided later, when the foods are known.

use foods::text::{is_stop_word, singular};

mod measure;

mod cues;

mod splitter;

use super::amount::{self, Amount, word};
use super::segment::{Joint, Quantity, Segment, SegmentWord};
use super::token::Token;
use crate::lexicon::{Lexicon, Measure};
use splitter::Splitter;

/// Splits tokens into segments.
pub fn segments(tokens: &[Token], lexicon: &Lexicon) -> Vec<Segment> {
    let mut splitter = Splitter { tokens, lexicon, at: 0, out: Vec::new(), current: Segment::new(Joint::Start) };
    while splitter.at < tokens.len() {
        splitter.step();
    }
    splitter.close(Joint::Start);
    let terse = is_terse(tokens, lexicon);
    for segment in &mut splitter.out {
        segment.terse = terse;
    }
    splitter.out
}

/// Whether a text lists foods and tells no story: hardly a word of it says nothing about food.
fn is_terse(tokens: &[Token], lexicon: &Lexicon) -> bool {
    let words = (0..tokens.len()).filter_map(|at| word(tokens, at));
    let (all, idle) = words.fold((0, 0), |(all, idle), word| {
        (
            all + 1,
            idle + usize::from(lexicon.is_filler(word) && !lexicon.is_optional(word) && lexicon.unit(word).is_none()),
        )
    });
    idle * 8 <= all
}

/// What people call their meals. As a word before a food it may belong to its name ("breakfast burrito").
const MEALS: &[&str] = &["breakfast", "lunch", "dinner", "supper", "brunch", "snack", "dessert", "meal"];

impl Splitter<'_> {
    fn step(&mut self) {
        match &self.tokens[self.at] {
            Token::Comma | Token::Close => self.joint(Joint::Comma, 1),
            Token::Stop => self.joint(Joint::Start, 1),
            Token::Open => self.joint(Joint::Bracket, 1),
            Token::Number(value, _) if self.is_energy(self.at) => {
                // "a 90-calorie bar": not ninety of anything.
                self.push(&format!("{value}"), true);
                self.at += if word(self.tokens, self.at + 2) == Some("old") { 3 } else { 2 };
            }
            // "3 Musketeers": not three of anything.
            Token::Number(value, false) if self.is_number_name(self.at, *value) => {
                self.push(&format!("{value}"), true);
                self.at += 1;
            }
            Token::Number(..) => self.quantity(),
            Token::Word(word) => self.word(word),
        }
    }

    fn word(&mut self, said: &str) {
        match said {
            _ if self.take_chain() => {}
            "and" | "plus" | "then" | "n" => self.joint(Joint::And, 1),
            "with" | "w" | "alongside" => self.joint(Joint::With, 1),
            "on" | "in" | "over" | "atop" | "inside" | "between" | "into" | "from" => self.joint(Joint::Preposition, 1),
            // "ready to eat" says how a food is sold.
            "to" if self.at > 0 && word(self.tokens, self.at - 1) == Some("ready") => self.at += 1,
            "for" | "at" | "to" | "by" | "under" | "that" | "which" | "while" | "as" | "during" => {
                self.joint(Joint::Aside, 1);
            }
            _ if self.take_denial(said) => {}
            // "every bite of it" is no amount.
            "each" | "every" if self.is_measure_of(self.at + 1) => self.at += 3,
            "each" | "apiece" => {
                self.current.quantity.each = true;
                self.at += 1;
            }
            "x" if matches!(self.tokens.get(self.at + 1), Some(Token::Number(..))) => self.at += 1,
            "of" | "the" | "per" => self.at += 1,
            _ if self.is_bare_measure() => {
                let one = Amount { value: 1.0, explicit: false, range: None };
                let (quantity, end) = self.measure(one, self.at);
                self.take_quantity(quantity, one, end);
            }
            "half" if self.is_cream(self.at) => {
                self.push("half", false);
                self.push("cream", false);
                self.at += 3;
            }
            _ if self.is_number_of_a_name(said) => {
                self.push(said, true);
                self.at += 1;
            }
            // "ice cream with mix-ins": what tables call additional ingredients.
            "add" | "mix" if matches!(word(self.tokens, self.at + 1), Some("ins" | "ons")) => {
                self.push("additional", true);
                self.push("ingredient", true);
                self.at += 2;
            }
            _ if starts_amount(said) => self.quantity(),
            _ if self.is_name_here(said) => {
                self.push(said, false);
                let second = word(self.tokens, self.at + 1).unwrap_or_default();
                self.push(second, false);
                self.at += 2;
            }
            // "an extra-large cheese pizza" has no extra cheese.
            "extra" if matches!(word(self.tokens, self.at + 1), Some("large" | "small" | "thin" | "thick")) => {
                self.current.quantity.sizes.push(said.to_owned());
                self.at += 1;
            }
            "tenders" => {
                self.push(said, false);
                self.at += 1;
            }
            // "a tender chicken breast" is no chicken tender.
            "tender" if word(self.tokens, self.at + 1).is_some_and(|next| !cues::is_joint(next)) => self.at += 1,
            _ if self.is_size_here(said) => {
                if self.current.quantity.unit.is_none() {
                    self.current.quantity.sizes.push(said.to_owned());
                }
                self.push(said, true);
                self.at += 1;
            }
            _ if self.lexicon.is_optional(said) => {
                self.push(said, true);
                self.at += 1;
            }
            _ if self.ends_name(said) => {
                self.push(said, true);
                self.at += 1;
            }
            _ if self.lexicon.is_filler(said) || self.is_pet(said) => {
                self.forget_the_meal();
                self.at += 1;
            }
            _ => {
                let is_piece = self.is_piece_of_it(said);
                self.push(said, is_piece);
                self.at += 1;
            }
        }
    }

    /// Reads a word that denies something; says whether it is one.
    fn take_denial(&mut self, said: &str) -> bool {
        let next = word(self.tokens, self.at + 1);
        let denying = match said {
            // "no added fat rice": what is denied is one word, and the food goes on behind it.
            "no" if next == Some("added") => {
                for place in 1..=2 {
                    if let Some(denied) = word(self.tokens, self.at + place) {
                        self.push_word(denied, true, true);
                    }
                }
                self.at += 3;
                return true;
            }
            // "no-bake cookies" are made without an oven.
            "no" if next == Some("bake") => {
                self.push("bake", true);
                self.at += 2;
                return true;
            }
            "not" if self.denies_the_word_before() => {
                self.at += 2;
                return true;
            }
            "no" | "without" | "minus" | "hold" | "skip" | "skipped" | "sans" | "not" | "never" | "didnt" | "wasnt"
            | "except" | "excluding" | "omitting" | "avoiding" | "skipping" | "doesnt" | "isnt" => 1,
            "steering" | "steered" if next == Some("clear") => 2,
            // Tables say "meat other than pepperoni".
            "other" | "apart" if self.excepts() => 2,
            _ => return false,
        };
        self.joint(Joint::With, denying);
        self.current.negated = true;
        true
    }

    /// "my dog" is nothing to eat; a dog that is nobody's may be a hot one.
    fn is_pet(&self, said: &str) -> bool {
        let is_owned = || {
            let before = self.at.checked_sub(1).and_then(|before| word(self.tokens, before));
            before.is_some_and(|before| matches!(before, "my" | "our" | "his" | "her" | "their" | "your"))
        };
        matches!(said, "dog" | "dogs" | "puppy") && is_owned()
    }

    pub(super) fn push(&mut self, word: &str, optional: bool) {
        self.push_word(word, optional, self.current.negated);
    }

    fn push_word(&mut self, word: &str, optional: bool, negated: bool) {
        let word = singular(word);
        if is_stop_word(&word) || word.len() >= 40 {
            return;
        }
        let implied: Vec<(&str, bool)> = self.lexicon.implied(&word, negated).collect();
        self.current.words.push(SegmentWord { word, optional: optional || negated, negated });
        for (other, negated) in implied {
            if !self.current.words.iter().any(|known| known.word == other) {
                self.current.words.push(SegmentWord { word: other.to_owned(), optional: true, negated });
            }
        }
    }

    /// The name of a meal is not part of the food that follows: "breakfast was a biscuit".
    fn forget_the_meal(&mut self) {
        if self.current.words.iter().all(|word| word.optional) {
            self.current.words.retain(|word| !MEALS.contains(&word.word.as_str()));
        }
    }

    /// Ends the segment here.
    fn joint(&mut self, joint: Joint, tokens: usize) {
        self.close(joint);
        self.at += tokens;
    }

    fn close(&mut self, next: Joint) {
        if self.current.is_empty() {
            // Two joints in a row: the later one counts, but a sentence still begins here.
            self.current.starts |= next == Joint::Start;
            let opening = self.current.starts && matches!(next, Joint::Preposition | Joint::Aside);
            self.current.joint = match next {
                _ if opening => Joint::Aside,
                Joint::Start => Joint::Start,
                // A comma says less than the "and" before it.
                Joint::Comma | Joint::Bracket if self.current.joint != Joint::Start => self.current.joint,
                _ if self.current.starts => Joint::Start,
                other => other,
            };
            // "skin not eaten, with rice": the denial ended at the comma.
            self.current.negated = false;
            return;
        }
        let mut closed = std::mem::replace(&mut self.current, Segment::new(next));
        if closed.starts && closed.joint == Joint::Aside && (next != Joint::Comma || closed.quantity.amount.is_some()) {
            // "For lunch I had soup": no introduction after all.
            closed.joint = Joint::Start;
        }
        self.out.push(closed);
    }

    /// Reads amount, unit, sizes and container from here; begins a new segment if this one has its amount already.
    fn quantity(&mut self) {
        if self.is_energy(self.at) {
            // "a year", "two miles": nothing to eat.
            self.at += 2;
            return;
        }
        let Some((amount, after)) = amount::read(self.tokens, self.at) else {
            self.at += 1;
            return;
        };
        let (quantity, end) = self.measure(amount, after);
        self.take_quantity(quantity, amount, end);
    }

    /// Gives an amount to this segment, or to a new one if this one has its amount already.
    fn take_quantity(&mut self, quantity: Quantity, amount: Amount, end: usize) {
        self.forget_the_meal();
        if self.current.negated && quantity.is_explicit() {
            self.close(Joint::Amount);
        }
        let has_content = self.current.words.iter().any(|word| !word.optional);
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
        } else if has_content && names_follow {
            // A mere article begins a food, or a part of the one before: "peeled a banana", "pizza featuring a thick crust".
            let is_told = amount.explicit || quantity.unit.is_some() || !quantity.sizes.is_empty();
            self.close(if is_told { Joint::Amount } else { Joint::With });
            self.current.quantity = quantity;
        } else if has_content && !self.current.quantity.is_explicit() && (amount.explicit || quantity.unit.is_some()) {
            // "bacon 2 slices": the amount behind the food.
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = Quantity { trailing: true, ..quantity };
            self.current.quantity.sizes.extend(sizes);
        } else if !has_content && (amount.explicit || !self.current.quantity.is_explicit()) {
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = quantity;
            self.current.quantity.sizes.extend(sizes);
        }
        // "a double cheeseburger", "a chicken patty": sizes and measures may be part of the name.
        let household = matches!(self.current.quantity.measure, Some(Measure::Household(_)));
        let unit = self.current.quantity.unit.iter().filter(|_| household);
        // What is extra is the size, and nothing in the food.
        let sizes = self.current.quantity.sizes.iter().filter(|size| *size != "extra");
        let said: Vec<String> = sizes.chain(unit).cloned().collect();
        for word in said {
            if !self.current.words.iter().any(|known| known.word == word) {
                self.push(&word, true);
            }
        }
        self.name_the_container();
        self.at = end;
    }

    /// What comes in a bottle is often called bottled.
    fn name_the_container(&mut self) {
        let state = match self.current.quantity.unit.as_deref() {
            Some("bottle") => "bottled",
            Some("can" | "tin") => "canned",
            Some("carton") => "carton",
            Some("packet" | "pack" | "package" | "bag") => "packaged",
            _ => return,
        };
        if !self.current.words.iter().any(|word| word.word == state) {
            self.push(state, true);
        }
    }

    /// Whether a word that can name a food follows before the next joint.
    fn names_follow(&self, from: usize) -> bool {
        let ends = |word: &str| matches!(word, "and" | "with" | "for" | "on" | "in" | "at" | "plus" | "then");
        let names = |word: &str| {
            !self.lexicon.is_filler(word)
                && !self.lexicon.is_optional(word)
                && !is_stop_word(word)
                && self.lexicon.unit(word).is_none()
        };
        let words = (from..).map_while(|at| word(self.tokens, at)).take_while(|word| !ends(word));
        let mut before = "";
        words.into_iter().any(|word| names(word) || self.lexicon.is_name(std::mem::replace(&mut before, word), word))
    }
}

/// Whether a word begins an amount.
fn starts_amount(word: &str) -> bool {
    match word {
        "a" | "an" | "another" | "couple" | "dozen" | "few" | "several" | "half" | "quarter" => true,
        _ => crate::lexicon::number_word(word).is_some(),
    }
}
