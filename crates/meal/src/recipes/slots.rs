//! Where a name may stand in a text.
//!
//! A recipe is meant only when its name is the whole of what is eaten: "lasagna soup" is not "lasagna". So what stands
//! beside the name, up to where the phrase ends, may say how much, how large, when and where, but may name nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::{Lexicon, number_word};
use crate::read::amount::{self, word};
use crate::read::token::Token;

/// Words behind which another food begins.
const JOINTS: &[&str] =
    &["and", "plus", "then", "n", "with", "w", "alongside", "or", "on", "over", "atop", "&", "besides"];

/// Words that take something away from the food before them.
const NEGATIONS: &[&str] = &["no", "without", "minus", "hold", "skip", "sans", "except", "excluding"];

/// Words that say that something was not eaten.
const DENIALS: &[&str] = &["not", "never", "didnt", "dont", "wasnt", "havent", "wont", "isnt", "skipped", "refused"];

/// Words with which a new noun begins, so that nothing before them describes what follows.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "my", "some", "another", "his", "her", "our", "their", "your", "this", "that", "these", "those",
];

/// Words that tie a place, a time or a whole to what stands before them.
const PREPOSITIONS: &[&str] = &[
    "of", "for", "from", "in", "at", "by", "to", "into", "onto", "inside", "under", "between", "during", "after",
    "before", "until", "till", "since", "than", "as", "per", "around", "about",
];

/// Words that say nothing about food beyond those of the lexicon.
const MORE_FILLERS: &str = "\
    last next each every all any ago pm oclock minute minutes mins hour hours hrs day days week weeks month \
    leftover leftovers reheated usual own x ive im id hi hello hey ok okay yes yeah oh um monday tuesday \
    wednesday thursday friday saturday sunday inch inches cm apiece fl fluid halves thirds quarters eighth fifth \
    sixth total again";

/// Words with which an amount begins, beside numbers.
const AMOUNTS: &[&str] = &["half", "quarter", "couple", "dozen", "few", "several"];

/// Units of time: a number before one counts no food.
const TIMES: &[&str] = &[
    "am", "pm", "oclock", "minute", "minutes", "min", "mins", "hour", "hours", "hr", "hrs", "day", "days", "week",
    "weeks", "month", "months", "year", "years",
];

/// Words that make another food of the one they follow ("granola bar" stands among the units).
const COMPOUNDS: &[&str] = &[
    "mix",
    "mixes",
    "drink",
    "drinks",
    "bite",
    "bites",
    "snack",
    "snacks",
    "treat",
    "treats",
    "dessert",
    "appetizer",
    "beverage",
    "combo",
    "combination",
    "style",
    "flavor",
    "flavors",
    "starter",
];

/// Meals that make another food of a single word: "breakfast burrito", "dinner rolls", "side salad".
const MEALS: &[&str] = &["breakfast", "lunch", "dinner", "supper", "brunch", "dessert", "snack", "side", "appetizer"];

/// Units that may follow a name without a number between them; a "bar" or "ball" would be another food.
const UNITS_BEHIND: &[&str] =
    &["serving", "portion", "helping", "slice", "piece", "pc", "plate", "plateful", "glass", "mug"];

/// Pairs that are one food although "and" joins them.
const FIXED_PAIRS: &[(&str, &str)] = &[
    ("mac", "cheese"),
    ("macaroni", "cheese"),
    ("cookie", "cream"),
    ("cookies", "cream"),
    ("sweet", "sour"),
    ("salt", "vinegar"),
    ("half", "half"),
];

/// What a token does to a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
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
    /// It is a said amount.
    Amount,
    /// It says nothing that names a food.
    Light,
    /// It can name a food.
    Content,
}

/// The roles of a text's tokens and the places where a name may begin and end.
#[derive(Debug)]
pub(super) struct NameSlots {
    /// What each token does.
    pub roles: Vec<Role>,
    /// Where the phrase begins of a name that begins at a token, if one may.
    pub begins: Vec<Option<usize>>,
    /// Whether a name may end before a token; one more than there are tokens.
    pub ends: Vec<bool>,
    /// How many tokens can name a food.
    pub content: usize,
}

impl NameSlots {
    /// Reads the phrases of a text.
    pub fn new(tokens: &[Token], lexicon: &Lexicon) -> Self {
        let mut roles: Vec<Role> = (0..tokens.len()).map(|at| role(tokens, at, lexicon)).collect();
        for at in 0..tokens.len() {
            if let Some(length) = time_at(tokens, at) {
                roles[at..at + length].fill(Role::Light);
            }
        }
        let begins = begins(tokens, &roles);
        let ends = ends(&roles);
        let content = roles.iter().filter(|role| **role == Role::Content).count();
        Self { roles, begins, ends, content }
    }

    /// Whether a token can neither name a food nor belong to a misspelled name by mistake.
    pub fn is_light(&self, at: usize) -> bool {
        self.roles.get(at) != Some(&Role::Content)
    }

    /// Whether a misspelled name may begin or end with a token.
    pub fn can_edge(&self, at: usize) -> bool {
        matches!(self.roles.get(at), Some(Role::Content | Role::Light | Role::Amount))
    }
}

/// Whether the words right beside a name make it another food's.
pub(super) fn is_compound(
    tokens: &[Token],
    start: usize,
    end: usize,
    lexicon: &Lexicon,
    serving: Option<&str>,
) -> bool {
    let before = start.checked_sub(1).and_then(|at| word(tokens, at));
    let behind = word(tokens, end);
    let (first, last) = (word(tokens, start), word(tokens, end.saturating_sub(1)));
    if let Some(behind) = behind {
        let is_unit_of_another = lexicon.unit(behind).is_some_and(|(unit, _)| {
            !UNITS_BEHIND.contains(&unit) && serving.is_none_or(|serving| !names_unit(serving, unit, lexicon))
        });
        let is_counted = amount::read(tokens, end).is_some();
        if COMPOUNDS.contains(&behind) || is_unit_of_another && !is_counted || behind == "of" {
            return true;
        }
        if is_pair(last, behind, word(tokens, end + 1)) {
            return true;
        }
    }
    let Some(before) = before else { return false };
    if end == start + 1 && MEALS.contains(&before) {
        let opening = start.checked_sub(2).and_then(|at| word(tokens, at));
        return !opening.is_some_and(|opening| PREPOSITIONS.contains(&opening));
    }
    start >= 2 && is_pair(word(tokens, start - 2), before, first)
}

fn is_pair(left: Option<&str>, joint: &str, right: Option<&str>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    matches!(joint, "and" | "n") && FIXED_PAIRS.contains(&(left, right))
}

fn names_unit(serving: &str, unit: &str, lexicon: &Lexicon) -> bool {
    foods::text::raw_words(serving, 16).iter().any(|word| lexicon.unit(word).is_some_and(|(name, _)| name == unit))
}

/// How many tokens a time takes here: "7 pm", "12:30", "2 hours".
pub(super) fn time_at(tokens: &[Token], at: usize) -> Option<usize> {
    if let Some((_, after)) = amount::read(tokens, at)
        && word(tokens, after).is_some_and(|next| TIMES.contains(&next))
    {
        return Some(after + 1 - at);
    }
    let Token::Number(hour, false) = tokens.get(at)? else { return None };
    if let (Some(Token::Stop), Some(Token::Number(minute, false))) = (tokens.get(at + 1), tokens.get(at + 2))
        && *hour <= 24.0
        && *minute < 60.0
    {
        let has_half_of_day = word(tokens, at + 3).is_some_and(|next| matches!(next, "am" | "pm"));
        let opening = at.checked_sub(1).and_then(|at| word(tokens, at));
        let is_announced = opening.is_some_and(|word| matches!(word, "at" | "around" | "about" | "by" | "until"));
        if has_half_of_day || is_announced {
            return Some(3 + usize::from(has_half_of_day));
        }
    }
    None
}

/// The number of "x2".
pub(super) fn times(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('x')?;
    (digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// Whether what follows is taken away, and how many words say so.
pub(super) fn negation_at(tokens: &[Token], at: usize) -> Option<usize> {
    let first = word(tokens, at)?;
    if first == "w" && word(tokens, at + 1) == Some("o") {
        return Some(2);
    }
    NEGATIONS.contains(&first).then_some(1)
}

/// Whether a word begins a noun.
pub(super) fn is_determiner(word: &str) -> bool {
    DETERMINERS.contains(&word)
}

/// The roles of the words of all lists; one look-up instead of two hundred comparisons.
static ROLES: LazyLock<HashMap<&'static str, Role>> = LazyLock::new(|| {
    let lists = [
        (AMOUNTS, Role::Amount),
        (PREPOSITIONS, Role::Preposition),
        (DETERMINERS, Role::Determiner),
        (DENIALS, Role::Denial),
        (JOINTS, Role::Joint),
        (NEGATIONS, Role::Negation),
    ];
    let fillers = MORE_FILLERS.split(' ').map(|word| (word, Role::Light));
    fillers.chain(lists.iter().flat_map(|(words, role)| words.iter().map(|word| (*word, *role)))).collect()
});

fn role(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Role {
    let word = match &tokens[at] {
        Token::Word(word) => word.as_str(),
        Token::Number(..) => return Role::Amount,
        _ => return Role::Joint,
    };
    match (word, amount::word(tokens, at + 1)) {
        ("w", Some("o")) => return Role::Negation,
        // "chicken a la king"
        ("a", Some("la" | "l")) => return Role::Content,
        _ => {}
    }
    if let Some(role) = ROLES.get(word) {
        return *role;
    }
    if number_word(word).is_some() || times(word).is_some() {
        return Role::Amount;
    }
    let is_light = lexicon.is_filler(word) || lexicon.is_size(word) || lexicon.unit(word).is_some();
    if is_light { Role::Light } else { Role::Content }
}

fn begins(tokens: &[Token], roles: &[Role]) -> Vec<Option<usize>> {
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
        match roles[at] {
            Role::Joint => {
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
            Role::Negation | Role::Denial => is_denied = true,
            Role::Amount | Role::Determiner => {
                let is_new = begin.is_none() && !is_tied;
                if is_new {
                    begin = Some(at);
                    begins[at] = begin.filter(|_| !is_denied);
                }
                if let Some((_, end)) = amount::read(tokens, at) {
                    // "one and a half": this "and" joins no foods.
                    next = end.clamp(next, tokens.len());
                }
                let inner = begin.filter(|_| !is_denied);
                begins[at + 1..next].fill(inner);
            }
            Role::Preposition => is_tied |= begin.is_none(),
            Role::Light => {}
            Role::Content => {
                begin = None;
                is_tied = false;
                before_bracket = None;
            }
        }
        at = next;
    }
    begins
}

fn ends(roles: &[Role]) -> Vec<bool> {
    let mut ends = vec![true; roles.len() + 1];
    for at in (0..roles.len()).rev() {
        ends[at] = match roles[at] {
            Role::Joint | Role::Negation | Role::Amount | Role::Determiner => true,
            Role::Preposition | Role::Light => ends[at + 1],
            Role::Denial | Role::Content => false,
        };
    }
    ends
}
