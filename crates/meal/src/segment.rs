//! Splitting text into segments: runs of words between commas, "and", "with" and the like, each with the amount that
//! was said for it. Which neighbouring segments are one food is decided later, when the foods are known.

use foods::text::{is_stop_word, singular};

use crate::amount::{self, Amount, word};
use crate::lexicon::{Lexicon, Measure};
use crate::token::Token;

/// How a segment is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// It begins a sentence, a line or the text.
    Start,
    /// A comma.
    Comma,
    /// "and", "plus".
    And,
    /// "with", "topped with".
    With,
    /// "on", "in", "over": what follows may be part of the food or another food.
    Preposition,
    /// "for", "to", "at", "from": what follows is seldom a food.
    Aside,
    /// Nothing but an amount: "2 eggs 1 banana".
    Amount,
    /// A bracket.
    Bracket,
}

/// A word of a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentWord {
    /// Folded and singular, as the catalog has it.
    pub word: String,
    /// It need not be in the food's name.
    pub optional: bool,
    /// It was said not to be there: "no sugar".
    pub negated: bool,
}

/// How much was said of a segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantity {
    /// How many.
    pub amount: Option<Amount>,
    /// The unit's name as people write it: "g", "cup", "slice".
    pub unit: Option<String>,
    /// What the unit stands for.
    pub measure: Option<Measure>,
    /// Words such as "large" or "thick".
    pub sizes: Vec<String>,
    /// The size of the container: the "12 fl oz" of a "12 fl oz can".
    pub container: Option<Measure>,
    /// That size was said in ounces, which are fluid ounces of a drink.
    pub container_in_ounces: bool,
    /// A length in inches.
    pub inches: Option<f64>,
    /// It was said behind the food.
    pub trailing: bool,
    /// It is the amount of each of several.
    pub each: bool,
}

impl Quantity {
    /// Whether a number or a unit was said, so that this must be a food of its own.
    pub fn is_said(&self) -> bool {
        self.amount.is_some_and(|amount| amount.said) || self.unit.is_some()
    }

    /// Whether nothing was said at all.
    pub fn is_empty(&self) -> bool {
        self.amount.is_none() && self.unit.is_none() && self.sizes.is_empty() && self.container.is_none()
    }
}

/// A run of words with its amount.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// How it is joined to the one before.
    pub joint: Joint,
    /// It begins a sentence, a line or the text.
    pub starts: bool,
    /// How much.
    pub quantity: Quantity,
    /// What.
    pub words: Vec<SegmentWord>,
    /// "no", "without".
    pub negated: bool,
}

/// Splits tokens into segments.
pub fn segments(tokens: &[Token], lexicon: &Lexicon) -> Vec<Segment> {
    let mut splitter = Splitter { tokens, lexicon, at: 0, out: Vec::new(), current: Segment::new(Joint::Start) };
    while splitter.at < tokens.len() {
        splitter.step();
    }
    splitter.close(Joint::Start);
    splitter.out
}

impl Segment {
    fn new(joint: Joint) -> Self {
        Self { joint, starts: joint == Joint::Start, quantity: Quantity::default(), words: Vec::new(), negated: false }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.quantity.is_empty()
    }
}

struct Splitter<'a> {
    tokens: &'a [Token],
    lexicon: &'a Lexicon,
    at: usize,
    out: Vec<Segment>,
    current: Segment,
}

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
            Token::Number(..) => self.quantity(),
            Token::Word(word) => self.word(word),
        }
    }

    fn word(&mut self, word: &str) {
        match word {
            "and" | "plus" | "then" | "n" => self.joint(Joint::And, 1),
            "with" | "w" | "alongside" => self.joint(Joint::With, 1),
            "on" | "in" | "over" | "atop" | "inside" | "between" | "into" | "from" => self.joint(Joint::Preposition, 1),
            "for" | "at" | "to" | "by" | "under" | "that" | "which" | "while" | "as" | "during" => {
                self.joint(Joint::Aside, 1);
            }
            "no" | "without" | "minus" | "hold" | "skip" | "skipped" | "sans" | "not" | "never" | "didnt" | "wasnt" => {
                self.joint(Joint::With, 1);
                self.current.negated = true;
            }
            "each" | "apiece" => {
                self.current.quantity.each = true;
                self.at += 1;
            }
            "x" if matches!(self.tokens.get(self.at + 1), Some(Token::Number(..))) => self.at += 1,
            "of" | "the" | "per" => self.at += 1,
            _ if self.is_bare_measure() => {
                let one = Amount { value: 1.0, said: false, range: None };
                let (quantity, end) = self.measure(one, self.at);
                self.take_quantity(quantity, one, end);
            }
            "half" if self.is_cream() => {
                self.push("half", false);
                self.at += 3;
            }
            _ if starts_amount(word) => self.quantity(),
            _ if self.lexicon.is_size(word) && self.current.words.iter().all(|word| word.optional) => {
                if self.current.quantity.unit.is_none() {
                    self.current.quantity.sizes.push(word.to_owned());
                }
                self.push(word, true);
                self.at += 1;
            }
            _ if self.lexicon.is_optional(word) => {
                self.push(word, true);
                self.at += 1;
            }
            _ if self.lexicon.is_filler(word) => self.at += 1,
            _ => {
                self.push(word, false);
                self.at += 1;
            }
        }
    }

    /// Whether the number here counts something other than food: calories, hours, miles.
    fn is_energy(&self, at: usize) -> bool {
        let next = word(self.tokens, at + 1);
        next.is_some_and(|next| {
            matches!(next, "calorie" | "calories" | "cal" | "kcal" | "cals" | "am" | "pm" | "oclock")
        })
    }

    /// Whether "half and half" stands here, which is cream.
    fn is_cream(&self) -> bool {
        word(self.tokens, self.at + 1) == Some("and") && word(self.tokens, self.at + 2) == Some("half")
    }

    fn push(&mut self, word: &str, optional: bool) {
        let word = singular(word);
        if !is_stop_word(&word) && word.len() < 40 {
            let negated = self.current.negated;
            self.current.words.push(SegmentWord { word, optional: optional || negated, negated });
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
            if next == Joint::Start {
                self.current.negated = false;
            }
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
        let Some((amount, after)) = amount::read(self.tokens, self.at) else {
            self.at += 1;
            return;
        };
        let (quantity, end) = self.measure(amount, after);
        self.take_quantity(quantity, amount, end);
    }

    /// Whether a measure stands here without a number: "cup of tea".
    fn is_bare_measure(&self) -> bool {
        let has_content = self.current.words.iter().any(|word| !word.optional);
        let unit = self.unit_at(self.at);
        !has_content
            && self.current.quantity.amount.is_none()
            && unit.is_some_and(|(_, _, len)| word(self.tokens, self.at + len) == Some("of"))
    }

    /// Gives an amount to this segment, or to a new one if this one has its amount already.
    fn take_quantity(&mut self, quantity: Quantity, amount: Amount, end: usize) {
        let has_content = self.current.words.iter().any(|word| !word.optional);
        let names_follow = self.names_follow(end);
        if self.current.quantity.amount.is_some_and(|known| known.said)
            && !has_content
            && self.current.quantity.container.is_none()
            && amount.said
            && matches!(quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
        {
            // "1 cup (240 ml) milk", "a small 2g serving": the more exact one counts.
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = quantity;
            self.current.quantity.sizes.extend(sizes);
        } else if has_content && names_follow && (amount.said || quantity.unit.is_some() || !quantity.sizes.is_empty())
        {
            self.close(Joint::Amount);
            self.current.quantity = quantity;
        } else if has_content && !self.current.quantity.is_said() && (amount.said || quantity.unit.is_some()) {
            // "bacon 2 slices": the amount behind the food.
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = Quantity { trailing: true, ..quantity };
            self.current.quantity.sizes.extend(sizes);
        } else if !has_content && (amount.said || !self.current.quantity.is_said()) {
            let sizes = std::mem::take(&mut self.current.quantity.sizes);
            self.current.quantity = quantity;
            self.current.quantity.sizes.extend(sizes);
        }
        // "a double cheeseburger", "a chicken patty": sizes and measures may be part of the name.
        let household = matches!(self.current.quantity.measure, Some(Measure::Household(_)));
        let unit = self.current.quantity.unit.iter().filter(|_| household);
        let said: Vec<String> = self.current.quantity.sizes.iter().chain(unit).cloned().collect();
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
        self.tokens[from..]
            .iter()
            .map_while(|token| match token {
                Token::Word(word) => Some(word),
                _ => None,
            })
            .take_while(|word| !matches!(word.as_str(), "and" | "with" | "for" | "on" | "in" | "at" | "plus" | "then"))
            .any(|word| {
                !self.lexicon.is_filler(word)
                    && !self.lexicon.is_optional(word)
                    && !is_stop_word(word)
                    && self.lexicon.unit(word).is_none()
            })
    }

    /// What follows a number: sizes, a unit, a container of a known size.
    fn measure(&mut self, amount: Amount, from: usize) -> (Quantity, usize) {
        let mut quantity = Quantity { amount: Some(amount), ..Quantity::default() };
        let mut at = from;
        loop {
            let Some(next) = word(self.tokens, at) else {
                if let Some(Token::Number(value, _)) = self.tokens.get(at)
                    && self.is_energy(at)
                {
                    // "a 100 calorie pack": which pack, not how many.
                    quantity.sizes.extend([format!("{value}"), "calorie".to_owned()]);
                    at += 2;
                    continue;
                }
                // "a 12 fl oz can": the number behind the article is the size of the container.
                if let Some(Token::Number(..)) = self.tokens.get(at)
                    && !amount.said
                    && !self.is_energy(at)
                    && let Some((inner, after)) = amount::read(self.tokens, at)
                {
                    let (inner, end) = self.measure(inner, after);
                    return (contained(quantity, inner), end);
                }
                break;
            };
            if matches!(next, "x" | "of") {
                at += 1;
            } else if matches!(next, "inch" | "inches") && amount.said && quantity.unit.is_none() {
                quantity.inches = Some(amount.value);
                quantity.amount = Some(Amount { value: 1.0, said: false, range: None });
                at += 1;
            } else if self.lexicon.is_size(next) && quantity.unit.is_none() {
                quantity.sizes.push(next.to_owned());
                at += 1;
            } else if let Some((unit, measure, len)) = self.unit_at(at) {
                if quantity.unit.is_some() {
                    // "12 fl oz can", "16 oz bottle": the first unit sized the second.
                    if matches!(quantity.measure, Some(Measure::Mass(_) | Measure::Volume(_)))
                        && matches!(measure, Measure::Household(_))
                        && at == from + self.unit_len(from)
                    {
                        let size = scaled(quantity.measure.as_ref(), amount.value);
                        quantity = Quantity {
                            amount: Some(Amount { value: 1.0, said: true, range: None }),
                            unit: Some(unit),
                            measure: Some(measure),
                            container: size,
                            container_in_ounces: quantity.unit.as_deref() == Some("oz"),
                            ..quantity
                        };
                        at += len;
                    } else if matches!(quantity.measure, Some(Measure::Household(_)))
                        && matches!(measure, Measure::Household(_))
                    {
                        // "a single serving bag": the first measure says which bag.
                        quantity.sizes.extend(quantity.unit.take());
                        quantity.unit = Some(unit);
                        quantity.measure = Some(measure);
                        at += len;
                        continue;
                    }
                    break;
                }
                if !self.is_unit_here(at, len, &measure, amount) {
                    break;
                }
                quantity.unit = Some(unit);
                quantity.measure = Some(measure);
                at += len;
            } else if quantity.unit.is_none() && self.is_adjective_of_measure(at) {
                // "a refreshing 244g", "a cold can of": look behind the adjective.
                at += 1;
            } else {
                break;
            }
        }
        (quantity, at)
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
                Some(Token::Word(word)) if is_adjective(word) || at > from && self.lexicon.is_size(word) => at += 1,
                Some(Token::Word(_)) if at > from => {
                    return self.unit_at(at).is_some_and(|(_, _, len)| word(self.tokens, at + len) == Some("of"));
                }
                _ => return false,
            }
        }
        false
    }

    fn unit_len(&self, at: usize) -> usize {
        self.unit_at(at).map_or(0, |(_, _, len)| len)
    }

    /// The unit at a position and how many words it has.
    fn unit_at(&self, at: usize) -> Option<(String, Measure, usize)> {
        let first = word(self.tokens, at)?;
        if matches!(first, "fl" | "fluid") {
            let second = word(self.tokens, at + 1)?;
            if matches!(second, "oz" | "ounce" | "ounces" | "ozs") {
                return Some(("fl oz".to_owned(), Measure::Volume(29.5735), 2));
            }
        }
        let (name, measure) = self.lexicon.unit(first)?;
        Some((name.to_owned(), measure.clone(), 1))
    }

    /// Whether a unit word is meant as a unit: "30 g" and "an ounce of cheese" are, a lone letter behind "a" is not.
    fn is_unit_here(&self, at: usize, len: usize, measure: &Measure, amount: Amount) -> bool {
        !matches!(measure, Measure::Mass(_)) || amount.said || word(self.tokens, at + len) == Some("of")
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
    let amount = Some(Amount { value: inner_amount, said: true, range: None });
    Quantity { amount, unit: inner.unit, measure: inner.measure, sizes: inner.sizes, ..outer }
}

fn scaled(measure: Option<&Measure>, factor: f64) -> Option<Measure> {
    match measure? {
        Measure::Mass(grams) => Some(Measure::Mass(grams * factor)),
        Measure::Volume(milliliters) => Some(Measure::Volume(milliliters * factor)),
        Measure::Household(_) => None,
    }
}

/// Whether a word begins an amount.
fn starts_amount(word: &str) -> bool {
    match word {
        "a" | "an" | "another" | "couple" | "dozen" | "few" | "several" | "half" | "quarter" => true,
        _ => crate::lexicon::number_word(word).is_some(),
    }
}
