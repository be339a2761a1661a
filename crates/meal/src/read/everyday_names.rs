//! Everyday names that the rules of reading would lose.
//!
//! Rules about kinds of words are right for most of what people say and wrong for some names: in "fruit drink" they read fruit,
//! in "low fat spread" nothing. The list of common foods says what such names mean. So where nothing but one of them stands
//! between two boundaries, it is tried once what the rules make of it; if that is nothing, or another food, the name is
//! replaced by a word that stands for its food.
//!
//! The names also tell what people leave out: the commas of "chicken rice broccoli" (in `names_in_rows`), and that "6 pork and chive
//! dumplings" are six dumplings.

use std::ops::Range;
use std::sync::OnceLock;

use foldhash::HashMap;
use foods::text::singular;

use super::compounds::Compounds;
use super::named_foods::NamedFood;
use super::plurals;
use super::token::{Token, tokens};
use crate::lexicon::{Lexicon, MeasureTrait, Role, Roles, measure_is, roles_in_any_language};

/// The most tokens of a name.
pub(crate) const MAX_TOKENS: usize = 6;
/// The most words that say how a food was cut: "fresh chopped parsley".
const MAX_CUTS: usize = 2;
/// The most words before a food that say nothing of it.
const MAX_FILLERS: usize = 4;
/// The most words of a list.
const MAX_WORDS_OF_LIST: usize = 12;
/// A word that ends one may be a dish too.
const SOME_NAMES: usize = 1;
/// Ends the plural of many dishes that are filled: "pierogi", "ravioli".
const FOREIGN_PLURAL: char = 'i';
/// The most words of what a dish is filled with.
const MAX_WORDS_OF_FILLING: usize = 2;

/// The most words of a food, and of what is added to it.
const MAX_WORDS_OF_ADDED: usize = 3;
/// The word between them, that between two foods, and the most letters of a short form of either.
const WITH: &str = "with";
const AND: &str = "and";
const MAX_LETTERS_OF_JOINT: usize = 2;

/// Words that begin a food, which a name may follow. Behind "with" and "and" it is often a part of what is before.
pub(super) const BEFORE: Roles = Roles::of(&[
    Role::Of,
    Role::Indefinite,
    Role::Definite,
    Role::Possessive,
    Role::Some,
    Role::Another,
    Role::Number,
    Role::Fraction,
    Role::Size,
]);
/// Those that also a name of one word may follow: "a boost" is more often none.
const BEFORE_ONE_WORD: Roles =
    Roles::of(&[Role::Of, Role::Definite, Role::Possessive, Role::Some, Role::Another, Role::Number, Role::Fraction]);
/// Words that a name may precede. Before "with" and "in" it is often a part of a longer one.
const BEHIND: Roles = Roles::of(&[Role::And, Role::But, Role::When, Role::Meal, Role::Today]);

/// Words that may follow "for" and "at" where these say nothing of the food before them.
const BEHIND_ASIDE: Roles = Roles::of(&[Role::Meal, Role::Filler, Role::Definite, Role::Possessive, Role::Venue]);
/// Words that go on with what is in a food or on it.
const GOING_ON: Roles = Roles::of(&[Role::With, Role::In, Role::On, Role::Of, Role::Made, Role::Topped, Role::Filled]);

/// An everyday name.
#[derive(Debug)]
pub(crate) struct EverydayName {
    /// What people type.
    pub tokens: Vec<Token>,
    /// What it means.
    pub food: NamedFood,
    /// Whether the rules find nothing in it, or another food.
    is_lost: OnceLock<bool>,
    /// Whether they take it for a measure, and wait for what it measures: "10 nuggets".
    is_waiting: OnceLock<bool>,
    /// The rules lose the food if another one comes with it, found out when it is first needed.
    is_lost_with: OnceLock<bool>,
    /// They lose it behind another food and "and".
    is_lost_behind: OnceLock<bool>,
    /// They take it apart behind a number: "2 rum and coke".
    is_lost_counted: OnceLock<bool>,
}

impl EverydayName {
    fn new(tokens: Vec<Token>, food: NamedFood) -> Self {
        let [is_lost, is_waiting, is_lost_with, is_lost_behind, is_lost_counted] =
            std::array::from_fn(|_| OnceLock::new());
        Self { tokens, food, is_lost, is_waiting, is_lost_with, is_lost_behind, is_lost_counted }
    }

    /// Checks whether it joins two foods: "rum and coke".
    fn joins(&self) -> bool {
        self.tokens.iter().filter_map(Token::word).any(|word| roles_in_any_language(word).has(Role::And))
    }

    /// Checks whether it says what was added to a food: "latte with oat milk".
    pub fn adds(&self) -> bool {
        self.tokens.iter().filter_map(Token::word).any(|word| roles_in_any_language(word).has(Role::With))
    }
}

/// What the rules make of everyday names.
pub(crate) trait NameRules {
    /// Checks whether they find nothing in a name that stands alone, or another food.
    fn lose(&self, name: &EverydayName) -> bool;
    /// Checks whether they find only what comes with a name.
    fn lose_with(&self, name: &EverydayName) -> bool;
    /// Checks whether they find only what is before it and "and".
    fn lose_behind(&self, name: &EverydayName) -> bool;
    /// Checks whether they find several foods in a name behind a number.
    fn part_counted(&self, name: &EverydayName) -> bool;
    /// Checks whether they find no food in tokens.
    fn find_nothing(&self, text: &[Token]) -> bool;
}

/// The everyday names by their words.
#[derive(Debug, Default)]
pub(crate) struct EverydayNames {
    names: HashMap<String, EverydayName>,
    /// How many names end in each word and have another food before it: "chicken soup", "bean soup".
    heads: HashMap<String, usize>,
    pub(super) compounds: Compounds,
}

impl EverydayNames {
    /// Lists names with the foods that they mean. Of several foods with a name, the first has it.
    pub fn new<'n>(names: impl Iterator<Item = (&'n str, NamedFood)>) -> Self {
        let mut all = Self::default();
        for (name, food) in names {
            let tokens = tokens(name);
            let Some(key) = key_of(&tokens).filter(|_| tokens.len() <= MAX_TOKENS) else { continue };
            if let Some((plural, typed)) = mistaken_plural(&tokens) {
                all.names.entry(plural).or_insert_with(|| EverydayName::new(typed, food));
            }
            all.names.entry(key).or_insert_with(|| EverydayName::new(tokens, food));
        }
        let compounds = Compounds::of(all.names.keys());
        let headed = all.names.keys().filter_map(|name| name.rsplit_once(' '));
        let headed = headed.filter(|(rest, _)| rest.split(' ').any(|word| all.names.contains_key(word)));
        let mut heads: HashMap<String, usize> = HashMap::default();
        for (_, head) in headed {
            *heads.entry(head.to_owned()).or_default() += 1;
        }
        Self { heads, compounds, ..all }
    }

    /// Returns the food that a name means.
    pub fn food_of(&self, name: &[&str]) -> Option<NamedFood> {
        let words: Vec<String> = name.iter().map(|word| singular(word)).collect();
        Some(self.names.get(&words.join(" "))?.food)
    }

    /// Replaces the names that are lost; returns `None` if a text has none. What the rules make of a name is found out once for each:
    /// all names together take a second of the life of a program. `is_part` checks whether tokens are part of a longer name.
    pub fn replace(
        &self,
        text: &[Token],
        lexicon: &Lexicon,
        rules: &impl NameRules,
        is_part: impl Fn(Range<usize>) -> bool,
    ) -> Option<Vec<Token>> {
        let mut out: Option<Vec<Token>> = None;
        let mut at = 0;
        while at < text.len() {
            let name = self.lost_at(text, at, lexicon, rules).filter(|(_, width)| !is_part(at..at + width));
            if let Some((name, width)) = name {
                let is_plural = text[at + width - 1].word().is_some_and(|word| is_plural(word, lexicon));
                let word = name.food.word();
                let word = if is_plural { plurals::marked(&word) } else { word };
                out.get_or_insert_with(|| text[..at].to_vec()).push(Token::Word(word));
                at += width;
            } else {
                if let Some(out) = &mut out {
                    out.push(text[at].clone());
                }
                at += 1;
            }
        }
        out
    }

    /// Returns the name between two boundaries that the rules lose there, and how many tokens it has.
    fn lost_at(
        &self,
        text: &[Token],
        at: usize,
        lexicon: &Lexicon,
        rules: &impl NameRules,
    ) -> Option<(&EverydayName, usize)> {
        // "sliced turkey" is a name of its own.
        let is_cut = |width: usize| follows_cut(text, at, lexicon) && !self.is_name(&text[at - 1..at + width]);
        let is_measure = |name: &EverydayName| {
            is_counted_measure(text, at, lexicon)
                && *name.is_waiting.get_or_init(|| rules.find_nothing(&text[at - 1..=at]))
        };
        // "2 eggs and bacon" are two eggs.
        let is_parted = |name: &EverydayName| {
            let is_counted = at.checked_sub(1).is_some_and(|number| matches!(text[number], Token::Number(..)));
            let is_one = || text[at].word().is_some_and(|word| !is_plural(word, lexicon));
            is_counted && name.joins() && is_one() && *name.is_lost_counted.get_or_init(|| rules.part_counted(name))
        };
        let is_replaced = |name: &EverydayName, width: usize| {
            is_cut(width)
                || width == 1 && is_measure(name)
                || *name.is_lost.get_or_init(|| rules.lose(name))
                || is_parted(name)
        };
        let is_lost_before_with = |name: &EverydayName, width: usize| {
            let is_called = || text[at].word().is_some_and(|word| is_called(word, lexicon)) && is_measure(name);
            if width > 1 { *name.is_lost_with.get_or_init(|| rules.lose_with(name)) } else { is_called() }
        };
        let found = self.at(text, at, BEHIND, lexicon).filter(|(name, width)| is_replaced(name, *width));
        let found = found.or_else(|| {
            let with = const { Roles::of(&[Role::With]) };
            let before_with = self.at(text, at, with, lexicon)?;
            let is_before_word = text.get(at + before_with.1).is_some_and(|next| next.word().is_some());
            Some(before_with).filter(|(name, width)| is_before_word && is_lost_before_with(name, *width))
        });
        found.or_else(|| {
            let behind_and = self.behind_and(text, at, lexicon)?;
            Some(behind_and).filter(|(name, _)| *name.is_lost_behind.get_or_init(|| rules.lose_behind(name)))
        })
    }

    /// Takes out the "and" of what several pieces are filled with, so that it is them that are counted: "6 pork and chive
    /// dumplings"; returns `None` if a text has none. `is_dish` checks whether words are the name of a dish.
    pub fn join_fillings(
        &self,
        text: &[Token],
        lexicon: &Lexicon,
        is_dish: impl Fn(&[Token]) -> bool,
    ) -> Option<Vec<Token>> {
        let joints: Vec<usize> =
            (0..text.len()).filter_map(|at| self.joint_of_fillings(text, at, lexicon, &is_dish)).collect();
        let kept = |(at, token): (usize, &Token)| joints.binary_search(&at).is_err().then(|| token.clone());
        (!joints.is_empty()).then(|| text.iter().enumerate().filter_map(kept).collect())
    }

    /// Returns where the "and" is between two fillings that begin behind the number here. They are named in the singular, what
    /// is filled with them in the plural.
    fn joint_of_fillings(
        &self,
        text: &[Token],
        at: usize,
        lexicon: &Lexicon,
        is_dish: impl Fn(&[Token]) -> bool,
    ) -> Option<usize> {
        let Token::Number(2.0.., false) = text[at] else { return None };
        let is_joint =
            |at: usize| text.get(at).and_then(Token::word).is_some_and(|word| lexicon.roles(word).has(Role::And));
        let joint = (at + 2..=at + 1 + MAX_WORDS_OF_FILLING).find(|at| is_joint(*at))?;
        let head = (joint + 2..=joint + 1 + MAX_WORDS_OF_FILLING).find(|head| {
            let word = text.get(*head).and_then(Token::word);
            let are_many = |word: &str| is_plural(word, lexicon) || word.ends_with(FOREIGN_PLURAL);
            word.is_some_and(|word| are_many(word) && self.takes_foods(&singular(word), SOME_NAMES))
        })?;
        // "mai tais" are several, although no rule for plurals knows.
        let is_one = text[joint - 1]
            .word()
            .is_some_and(|word| singular(word) == word && !word.ends_with("is") && lexicon.unit(word).is_none());
        let are_fillings = is_one && self.is_name(&text[at + 1..joint]) && self.is_name(&text[joint + 1..head]);
        let is_whole = text.get(head + 1).is_none_or(|next| may_follow(next, BEHIND, lexicon));
        let is_known = self.is_name(&text[joint + 1..=head]) || is_dish(&text[at + 1..=head]);
        (are_fillings && is_whole && !is_known).then_some(joint)
    }

    /// Puts "with" for the comma between a food and what is usually added to it: "latte, skim milk"; returns `None` if a text has
    /// none. Longer lists are foods beside each other.
    pub fn join_additions(&self, text: &[Token], lexicon: &Lexicon) -> Option<Vec<Token>> {
        let is_comma = |at: &usize| text[*at] == Token::Comma;
        let comma = (0..text.len()).find(is_comma).filter(|comma| !(comma + 1..text.len()).any(|at| is_comma(&at)))?;
        let begins = |from: &usize| from.checked_sub(1).is_none_or(|at| may_precede(&text[at], BEFORE, lexicon));
        let ends = |end: &usize| text.get(*end).is_none_or(|next| may_follow(next, BEHIND, lexicon));
        let is_added = |from: usize, end: usize| {
            let (food, addition) = (key_of(&text[from..comma]), key_of(&text[comma + 1..end]));
            let name = food.zip(addition).map(|(food, addition)| format!("{food} {WITH} {addition}"));
            name.is_some_and(|name| self.names.contains_key(&name))
        };
        let ends: Vec<usize> =
            (comma + 2..=text.len().min(comma + 1 + MAX_WORDS_OF_ADDED)).filter(|end| ends(end)).collect();
        let mut starts = (comma.saturating_sub(MAX_WORDS_OF_ADDED)..comma).filter(begins);
        starts.any(|from| ends.iter().any(|end| is_added(from, *end))).then(|| {
            let mut out = text.to_vec();
            out[comma] = Token::Word(WITH.to_owned());
            out
        })
    }

    /// Checks whether at least so many names are foods with others before this word.
    pub(super) fn takes_foods(&self, head: &str, names: usize) -> bool {
        self.heads.get(head).is_some_and(|known| *known >= names)
    }

    /// Returns the food that people mean by a name.
    pub fn meaning(&self, name: &str) -> Option<NamedFood> {
        self.meaning_of(&tokens(name))
    }

    /// Returns the food that people mean by tokens that are a name.
    pub fn meaning_of(&self, name: &[Token]) -> Option<NamedFood> {
        self.names.get(&key_of(name)?).map(|name| name.food)
    }

    pub(super) fn is_name(&self, tokens: &[Token]) -> bool {
        key_of(tokens).is_some_and(|key| self.names.contains_key(&key))
    }

    /// Returns the name of several words that is all there is between an "and" and the next boundary.
    fn behind_and(&self, text: &[Token], at: usize, lexicon: &Lexicon) -> Option<(&EverydayName, usize)> {
        let and = at.checked_sub(1).and_then(|before| text[before].word())?;
        if !lexicon.roles(and).has(Role::And) {
            return None;
        }
        self.longest_at(text, at, 2, BEHIND, lexicon)
    }

    /// Returns the name that is all there is between a place and the next boundary.
    fn at(&self, text: &[Token], at: usize, behind: Roles, lexicon: &Lexicon) -> Option<(&EverydayName, usize)> {
        // "chopped carrots" are carrots.
        let cuts = (0..at).rev().take(MAX_CUTS).take_while(|at| is_cut(&text[*at], lexicon)).count();
        let before = (at - cuts).checked_sub(1).map(|before| &text[before]);
        let is_filler = |before: &Token| before.word().is_some_and(|word| lexicon.roles(word).has(Role::Filler));
        let may_begin = |roles| before.is_none_or(|before| may_precede(before, roles, lexicon));
        if !may_begin(BEFORE) && !before.is_some_and(is_filler) {
            return None;
        }
        // "I just had fanta", but "for a quick boost" there is none.
        let begins_text = || {
            let words = text[..at - cuts].iter().rev().take_while(|token| token.word().is_some());
            let mut near = words.take(MAX_FILLERS + 1).map(is_filler);
            before.is_some_and(is_filler) && near.clone().count() <= MAX_FILLERS && near.all(|is_filler| is_filler)
        };
        let least = if may_begin(BEFORE_ONE_WORD) || begins_text() { 1 } else { 2 };
        self.longest_at(text, at, least, behind, lexicon)
    }

    /// Returns the longest name of at least so many tokens that ends at a boundary.
    fn longest_at(
        &self,
        text: &[Token],
        at: usize,
        least: usize,
        behind: Roles,
        lexicon: &Lexicon,
    ) -> Option<(&EverydayName, usize)> {
        let most = MAX_TOKENS.min(text.len() - at);
        (least..=most).rev().find_map(|width| {
            let is_whole = text.get(at + width).is_none_or(|next| may_follow(next, behind, lexicon))
                || says_nothing(&text[at + width..], lexicon);
            let key = is_whole.then(|| key_of(&text[at..at + width])).flatten()?;
            Some((self.names.get(&key)?, width))
        })
    }
}

/// Checks whether a token says how a food was cut.
fn is_cut(token: &Token, lexicon: &Lexicon) -> bool {
    token.word().is_some_and(|word| lexicon.roles(word).has(Role::Cut))
}

/// Checks whether a name here is behind a word that says how the food was cut. The rules take such words for names of other foods.
/// In a list of what is in a dish they tell which dish it is.
fn follows_cut(text: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    let is_with = |token: &Token| token.word().is_some_and(|word| lexicon.roles(word).has(Role::With));
    let mut sentence = text[..at].iter().rev().take(MAX_WORDS_OF_LIST).take_while(|token| **token != Token::Stop);
    at.checked_sub(1).is_some_and(|before| is_cut(&text[before], lexicon)) && !sentence.any(is_with)
}

/// Checks whether the word here is a measure behind a number. In brackets it measures what is before them.
fn is_counted_measure(text: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    let is_set_off = at.checked_sub(2).is_some_and(|before| text[before] == Token::Open);
    let is_counted = !is_set_off && at.checked_sub(1).is_some_and(|number| matches!(text[number], Token::Number(..)));
    is_counted && text[at].word().is_some_and(|word| lexicon.unit(word).is_some())
}

/// Checks whether a word measures, and is also what a food is called by itself, in the plural: "6 nuggets".
pub(super) fn is_called(word: &str, lexicon: &Lexicon) -> bool {
    let unit = lexicon.unit(word).map(|(unit, _)| unit);
    unit.is_some_and(|unit| measure_is(unit, MeasureTrait::Called)) && is_plural(word, lexicon)
}

/// Checks whether a token may precede a name: a mark, a unit, or a word with one of these roles.
fn may_precede(token: &Token, roles: Roles, lexicon: &Lexicon) -> bool {
    match token {
        Token::Word(word) => lexicon.roles(word).any(roles) || lexicon.unit(word).is_some(),
        Token::Close => false,
        _ => true,
    }
}

/// Checks whether a token may follow a name: a mark, or a word with one of these roles.
pub(super) fn may_follow(token: &Token, behind: Roles, lexicon: &Lexicon) -> bool {
    match token {
        Token::Word(word) => lexicon.roles(word).any(behind),
        Token::Colon => false,
        _ => true,
    }
}

/// Checks whether a text goes on with what says nothing of which food it is: "again", "for lunch", "x 2", ": 200 g", but not "topped
/// with".
fn says_nothing(rest: &[Token], lexicon: &Lexicon) -> bool {
    let roles = |at: usize| rest.get(at).and_then(Token::word).map(|word| lexicon.roles(word)).unwrap_or_default();
    let goes_on = || roles(0).any(GOING_ON) || roles(1).any(GOING_ON);
    let is_number = |at: usize| matches!(rest.get(at), Some(Token::Number(..)));
    let ends = |at: usize| rest.get(at).is_none_or(|next| next.word().is_none());
    match rest.first() {
        Some(Token::Colon) => is_number(1),
        _ if roles(0).has(Role::Times) => is_number(1),
        _ if roles(0).has(Role::Size) && ends(1) => true,
        _ if roles(0).has(Role::Filler) => !goes_on(),
        _ => is_aside(rest, lexicon),
    }
}

/// Checks whether a text goes on with a meal or a place: "for lunch", "at the office".
pub(super) fn is_aside(rest: &[Token], lexicon: &Lexicon) -> bool {
    let roles = |at: usize| rest.get(at).and_then(Token::word).map(|word| lexicon.roles(word)).unwrap_or_default();
    roles(0).has(Role::Aside) && roles(1).any(BEHIND_ASIDE)
}

/// Checks whether a word is a plural.
pub(super) fn is_plural(word: &str, lexicon: &Lexicon) -> bool {
    singular(word) != word && !lexicon.roles(word).has(Role::Name)
}

/// Returns the key of the plural of a name and the plural itself, if the rule for plurals makes another word of it.
fn mistaken_plural(name: &[Token]) -> Option<(String, Vec<Token>)> {
    let (last, rest) = name.split_last()?;
    let last = singular(last.word()?);
    plurals::mistaken(&last)?;
    let typed = [rest, &[Token::Word(format!("{last}s"))]].concat();
    Some((key_of(&typed)?, typed))
}

/// Returns the word for a joint that names are listed with, for a short form of it: "w" and "n".
fn joint_of(word: &str) -> Option<&'static str> {
    if word.len() > MAX_LETTERS_OF_JOINT {
        return None;
    }
    let roles = roles_in_any_language(word);
    if roles.has(Role::With) { Some(WITH) } else { roles.has(Role::And).then_some(AND) }
}

/// Returns tokens as one text with words in the singular; `None` if one of them separates.
pub(super) fn key_of(tokens: &[Token]) -> Option<String> {
    let mut key = String::new();
    for token in tokens {
        if !key.is_empty() {
            key.push(' ');
        }
        match token {
            Token::Word(word) => key.push_str(&joint_of(word).map_or_else(|| singular(word), str::to_owned)),
            Token::Number(value, _) => key.push_str(&value.to_string()),
            _ => return None,
        }
    }
    Some(key).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct LosesAllButEggs;

    impl NameRules for LosesAllButEggs {
        fn lose(&self, name: &EverydayName) -> bool {
            name.food.food != 9
        }

        fn lose_with(&self, _: &EverydayName) -> bool {
            false
        }

        fn lose_behind(&self, _: &EverydayName) -> bool {
            false
        }

        fn part_counted(&self, _: &EverydayName) -> bool {
            false
        }

        fn find_nothing(&self, _: &[Token]) -> bool {
            false
        }
    }

    #[test]
    fn only_a_name_between_boundaries_is_replaced() {
        let food = |food| NamedFood { food, common: Some(1) };
        let names = EverydayNames::new([("fruit drinks", food(7)), ("spread", food(8)), ("egg", food(9))].into_iter());
        let lexicon = Lexicon::default();
        let replaced = |text: &str| {
            let typed = tokens(text);
            let out = names.replace(&typed, &lexicon, &LosesAllButEggs, |_| false).unwrap_or(typed);
            let found = out.iter().filter_map(|token| NamedFood::of_word(token.word()?).map(|food| food.food));
            found.collect::<Vec<u32>>()
        };
        assert_eq!(replaced("a fruit drink and 20 g of spread"), [7, 8]);
        assert_eq!(replaced("bread with spread, a spread"), [0u32; 0]);
        assert_eq!(replaced("2 cups of fruit drinks, an egg"), [7]);
        assert_eq!(replaced("tropical fruit drink"), [0u32; 0]);
        assert_eq!(replaced("spread cheese on bread, cheese spread"), [0u32; 0]);
    }
}
