//! Where the name of a recipe may be in a text.
//!
//! A recipe is meant only when its name is the whole of what is eaten: "lasagna soup" is not "lasagna". So what stands
//! beside the name, up to where the phrase ends, may say how much, how large, when and where, but may name nothing.

use crate::lexicon::{Lexicon, MeasureTrait, Role, Roles, measure_is};
use crate::read::amount;
use crate::read::text::Text;
use crate::read::token::Token;

/// Words behind which another food begins.
const SLOT_JOINTS: Roles = Roles::of(&[Role::And, Role::With, Role::Or, Role::On]);

/// Words that say that something was not eaten.
const DENIALS: Roles = Roles::of(&[Role::NotDone, Role::Not]);

/// Words with which a new noun begins, so that nothing before them describes what follows.
const DETERMINERS: Roles =
    Roles::of(&[Role::Indefinite, Role::Definite, Role::Possessive, Role::Demonstrative, Role::Some, Role::Another]);

/// Words that tie a place, a time or a whole to what is before them.
const PREPOSITIONS: Roles = Roles::of(&[Role::Of, Role::In, Role::Aside, Role::Preposition]);

/// Words that say nothing that names a food.
const LIGHT: Roles = Roles::of(&[Role::Filler, Role::Size, Role::Fraction, Role::Length, Role::Each, Role::Times]);

/// What a token does to a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// It ends the phrase before it and begins another.
    Joint,
    /// It takes away what follows.
    Negation,
    /// It denies the rest of the phrase.
    Denial,
    /// It begins a noun.
    Determiner,
    /// It ties what follows to what is before.
    Preposition,
    /// It is an amount.
    Amount,
    /// It says nothing that names a food.
    Light,
    /// It can name a food.
    Content,
}

/// What a text's tokens do to phrases, and the places where a name may begin and end.
#[derive(Debug)]
pub(super) struct NameSlots {
    /// What each token does.
    pub slots: Vec<Slot>,
    /// Where the phrase begins of a name that begins at a token, if one may.
    pub begins: Vec<Option<usize>>,
    /// Whether a name may end before a token; one more than there are tokens.
    pub ends: Vec<bool>,
    /// How many tokens can name a food.
    pub content: usize,
}

impl NameSlots {
    /// Reads the phrases of a text.
    pub fn new(text: Text<'_>) -> Self {
        let mut slots: Vec<Slot> = (0..text.len()).map(|at| slot(text, at)).collect();
        for at in 0..text.len() {
            if text.width(at) > 1 && slots[at] == Slot::Light {
                slots[at..at + text.width(at)].fill(Slot::Light);
            }
            if let Some(length) = time_at(text, at) {
                slots[at..at + length].fill(Slot::Light);
            }
        }
        let begins = begins(text, &slots);
        let ends = ends(&slots);
        let content = slots.iter().filter(|slot| **slot == Slot::Content).count();
        Self { slots, begins, ends, content }
    }

    /// Checks whether a token can neither name a food nor belong to a misspelled name by mistake.
    pub fn is_light(&self, at: usize) -> bool {
        self.slots.get(at) != Some(&Slot::Content)
    }

    /// Checks whether a misspelled name may begin or end with a token.
    pub fn can_edge(&self, at: usize) -> bool {
        matches!(self.slots.get(at), Some(Slot::Content | Slot::Light | Slot::Amount))
    }
}

/// Checks whether the words right beside a name make it another food's.
pub(super) fn is_compound(text: Text<'_>, start: usize, end: usize, serving: Option<&str>) -> bool {
    let is_unit_of_another = text.unit(end).is_some_and(|(unit, ..)| {
        !measure_is(unit, MeasureTrait::Plain) && serving.is_none_or(|serving| !names_unit(serving, unit, text.lexicon))
    });
    // "granola mix", "granola bar", "granola of".
    if text.any(end, const { Roles::of(&[Role::Compound, Role::Category, Role::Of]) })
        || is_unit_of_another && amount::read(text, end).is_none()
        || end > 0 && text.is_pair(end - 1)
    {
        return true;
    }
    // "breakfast burrito", but not "for breakfast burrito".
    if end == start + 1 && start > 0 && text.has(start - 1, Role::Meal) {
        return start < 2 || !text.any(start - 2, PREPOSITIONS);
    }
    start >= 2 && text.is_pair(start - 2)
}

fn names_unit(serving: &str, unit: &str, lexicon: &Lexicon) -> bool {
    foods::text::raw_words(serving, 16).iter().any(|word| lexicon.unit(word).is_some_and(|(name, _)| name == unit))
}

/// Returns how many tokens a time or another number that counts no food takes here: "7 pm", "12:30", "2 hours".
pub(super) fn time_at(text: Text<'_>, at: usize) -> Option<usize> {
    if let Some((_, after)) = amount::read(text, at)
        && text.has(after, Role::OtherUnit)
    {
        return Some(after + 1 - at);
    }
    let tokens = text.tokens;
    let Token::Number(hour, false) = tokens.get(at)? else { return None };
    if let (Some(Token::Stop | Token::Colon), Some(Token::Number(minute, false))) =
        (tokens.get(at + 1), tokens.get(at + 2))
        && *hour <= 24.0
        && *minute < 60.0
    {
        let has_half_of_day = text.has(at + 3, Role::Clock);
        let is_announced = at.checked_sub(1).is_some_and(|before| text.has(before, Role::When));
        if has_half_of_day || is_announced {
            return Some(3 + usize::from(has_half_of_day));
        }
    }
    None
}

/// Returns the number of "x2".
pub(super) fn times(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('x')?;
    (digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// Returns how many tokens take away what follows.
pub(super) fn negation_at(text: Text<'_>, at: usize) -> Option<usize> {
    text.has(at, Role::Denial).then(|| text.width(at))
}

/// Checks whether the word at a position begins a noun.
pub(super) fn is_determiner(text: Text<'_>, at: usize) -> bool {
    text.any(at, DETERMINERS)
}

fn slot(text: Text<'_>, at: usize) -> Slot {
    let word = match &text.tokens[at] {
        Token::Word(word) => word.as_str(),
        Token::Number(..) => return Slot::Amount,
        _ => return Slot::Joint,
    };
    let roles = text.roles(at);
    if roles.has(Role::Name) {
        Slot::Content
    } else if roles.has(Role::Denial) {
        Slot::Negation
    } else if roles.any(SLOT_JOINTS) {
        Slot::Joint
    } else if roles.any(DENIALS) {
        Slot::Denial
    } else if roles.any(DETERMINERS) {
        Slot::Determiner
    } else if roles.any(PREPOSITIONS) {
        Slot::Preposition
    } else if roles.any(const { Roles::of(&[Role::Amount, Role::Number]) }) || times(word).is_some() {
        Slot::Amount
    } else if roles.any(LIGHT) || text.unit(at).is_some() {
        Slot::Light
    } else {
        Slot::Content
    }
}

fn begins(text: Text<'_>, slots: &[Slot]) -> Vec<Option<usize>> {
    let tokens = text.tokens;
    let mut begins = vec![None; tokens.len()];
    let mut begin = Some(0);
    // A preposition after a food ties the next noun to it: "sauce for the lasagna" is sauce.
    let mut is_tied = false;
    let mut is_denied = false;
    let mut before_bracket = None;
    let mut at = 0;
    while at < tokens.len() {
        begins[at] = begin.filter(|_| !is_denied);
        let mut next = at + 1;
        match slots[at] {
            // "not lasagna but chili".
            Slot::Light if is_denied && text.has(at, Role::But) => {
                begin = Some(next);
                (is_tied, is_denied) = (false, false);
            }
            Slot::Joint => {
                let outer = before_bracket.take();
                begin = match &tokens[at] {
                    // "1 cup (240 ml) of soup": what is in the bracket belongs to the phrase.
                    Token::Close if begin.is_some() && outer.is_some() => outer,
                    _ => Some(next),
                };
                if tokens[at] == Token::Open {
                    before_bracket = begins[at];
                }
                (is_tied, is_denied) = (false, false);
            }
            Slot::Negation | Slot::Denial => is_denied = true,
            Slot::Amount | Slot::Determiner => {
                let is_new = begin.is_none() && !is_tied;
                if is_new {
                    begin = Some(at);
                    begins[at] = begin.filter(|_| !is_denied);
                }
                if let Some((_, end)) = amount::read(text, at) {
                    // "one and a half": this "and" joins no foods.
                    next = end.clamp(next, tokens.len());
                }
                let inner = begin.filter(|_| !is_denied);
                begins[at + 1..next].fill(inner);
            }
            Slot::Preposition => is_tied |= begin.is_none(),
            Slot::Light => {}
            Slot::Content => {
                begin = None;
                is_tied = false;
                before_bracket = None;
            }
        }
        at = next;
    }
    begins
}

fn ends(slots: &[Slot]) -> Vec<bool> {
    let mut ends = vec![true; slots.len() + 1];
    for at in (0..slots.len()).rev() {
        ends[at] = match slots[at] {
            Slot::Joint | Slot::Negation | Slot::Amount | Slot::Determiner => true,
            Slot::Preposition | Slot::Light => ends[at + 1],
            Slot::Denial | Slot::Content => false,
        };
    }
    ends
}
