//! Everyday names that the rules of reading would lose.
//!
//! Rules about kinds of words are right for most of what people say and wrong for some names: in "fruit drink" they read fruit,
//! in "low fat spread" nothing. The list of common foods says what such names mean. So where nothing but one of them stands
//! between two boundaries, it is tried once what the rules make of it; if that is nothing, or another food, the name is
//! replaced by a word that stands for its food.

use std::ops::Range;
use std::sync::OnceLock;

use foldhash::HashMap;
use foods::text::singular;

use super::named_foods::NamedFood;
use super::token::{Token, tokens};
use crate::lexicon::{Lexicon, Role, Roles, roles_in_any_language};

/// The most tokens of a name.
const MAX_TOKENS: usize = 6;
/// The most words of a list without commas.
const MAX_WORDS_OF_LIST: usize = 12;
/// A word that ends so many names of foods with foods in them is a dish, and what is before it belongs to it.
const MANY_NAMES: usize = 11;
/// A word alone is no list.
const MIN_WORDS_OF_LIST: usize = 2;

/// Words that begin a food, which a name may follow. Behind "with" and "and" it is often a part of what is before.
const BEFORE: Roles = Roles::of(&[
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

/// An everyday name.
#[derive(Debug)]
pub(crate) struct EverydayName {
    /// What people type.
    pub tokens: Vec<Token>,
    /// What it means.
    pub food: NamedFood,
    /// Whether the rules find nothing in it, or another food.
    is_lost: OnceLock<bool>,
}

impl EverydayName {
    /// Checks whether it says what was added to a food: "latte with oat milk".
    pub fn adds(&self) -> bool {
        self.tokens.iter().filter_map(Token::word).any(|word| roles_in_any_language(word).has(Role::With))
    }
}

/// The everyday names by their words.
#[derive(Debug, Default)]
pub(crate) struct EverydayNames {
    names: HashMap<String, EverydayName>,
    /// How many names end in each word and have another food before it: "chicken soup", "bean soup".
    heads: HashMap<String, usize>,
}

impl EverydayNames {
    /// Lists names with the foods that they mean. Of several foods with a name, the first has it.
    pub fn new<'n>(names: impl Iterator<Item = (&'n str, NamedFood)>) -> Self {
        let mut all = Self::default();
        for (name, food) in names {
            let tokens = tokens(name);
            let Some(key) = key_of(&tokens).filter(|_| tokens.len() <= MAX_TOKENS) else { continue };
            all.names.entry(key).or_insert(EverydayName { tokens, food, is_lost: OnceLock::new() });
        }
        let headed = all.names.keys().filter_map(|name| name.rsplit_once(' '));
        let headed = headed.filter(|(rest, _)| rest.split(' ').any(|word| all.names.contains_key(word)));
        let mut heads: HashMap<String, usize> = HashMap::default();
        for (_, head) in headed {
            *heads.entry(head.to_owned()).or_default() += 1;
        }
        Self { heads, ..all }
    }

    /// Replaces the names that are lost; returns `None` if a text has none. `is_lost` finds out whether the rules lose a
    /// name, which is done once for each: all names together take a second of the life of a program. `is_part` checks whether
    /// tokens are part of a longer name.
    pub fn replace(
        &self,
        text: &[Token],
        lexicon: &Lexicon,
        is_part: impl Fn(Range<usize>) -> bool,
        is_lost: impl Fn(&EverydayName) -> bool,
    ) -> Option<Vec<Token>> {
        let mut out: Option<Vec<Token>> = None;
        let mut at = 0;
        while at < text.len() {
            let name = self
                .at(text, at, lexicon)
                .filter(|(name, width)| *name.is_lost.get_or_init(|| is_lost(name)) && !is_part(at..at + width));
            if let Some((name, width)) = name {
                out.get_or_insert_with(|| text[..at].to_vec()).push(Token::Word(name.food.word()));
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

    /// Returns a text that is nothing but names of foods in a row with commas between them: "chicken rice broccoli".
    /// `is_one_food` finds out whether words lead to a food that has all of them, `is_dish` whether they are the name of a dish.
    pub fn list(
        &self,
        text: &[Token],
        is_one_food: impl Fn(&[Token]) -> bool,
        is_dish: impl Fn(&[Token]) -> bool,
    ) -> Option<Vec<Token>> {
        if !(MIN_WORDS_OF_LIST..=MAX_WORDS_OF_LIST).contains(&text.len()) {
            return None;
        }
        let mut parts: Vec<&[Token]> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let width = (1..=MAX_TOKENS.min(rest.len())).rev().find(|width| self.is_name(&rest[..*width]))?;
            parts.push(&rest[..width]);
            rest = &rest[width..];
        }
        // "turkey avocado sandwich" is a sandwich, "pork banh mi" a banh mi.
        let head = text.last().and_then(Token::word).map(singular)?;
        let takes_foods = self.heads.get(&head).is_some_and(|names| *names >= MANY_NAMES)
            || matches!(parts[..], [_, last] if is_dish(last));
        let is_list = parts.len() > 1 && !takes_foods && !is_one_food(text);
        is_list.then(|| parts.join(&Token::Comma))
    }

    fn is_name(&self, tokens: &[Token]) -> bool {
        key_of(tokens).is_some_and(|key| self.names.contains_key(&key))
    }

    /// Returns the name that is all there is between a place and the next boundary.
    fn at(&self, text: &[Token], at: usize, lexicon: &Lexicon) -> Option<(&EverydayName, usize)> {
        let before = at.checked_sub(1).map(|before| &text[before]);
        let may_begin = |roles| before.is_none_or(|before| may_precede(before, roles, lexicon));
        if !may_begin(BEFORE) {
            return None;
        }
        let least = if may_begin(BEFORE_ONE_WORD) { 1 } else { 2 };
        let most = MAX_TOKENS.min(text.len() - at);
        (least..=most).rev().find_map(|width| {
            let is_whole = text.get(at + width).is_none_or(|next| may_follow(next, lexicon));
            let key = is_whole.then(|| key_of(&text[at..at + width])).flatten()?;
            Some((self.names.get(&key)?, width))
        })
    }
}

/// Checks whether a token may precede a name: a mark, a unit, or a word with one of these roles.
fn may_precede(token: &Token, roles: Roles, lexicon: &Lexicon) -> bool {
    match token {
        Token::Word(word) => lexicon.roles(word).any(roles) || lexicon.unit(word).is_some(),
        Token::Close => false,
        _ => true,
    }
}

/// Checks whether a token may follow a name.
fn may_follow(token: &Token, lexicon: &Lexicon) -> bool {
    match token {
        Token::Word(word) => lexicon.roles(word).any(BEHIND),
        Token::Colon => false,
        _ => true,
    }
}

/// Returns tokens as one text with words in the singular; `None` if one of them separates.
fn key_of(tokens: &[Token]) -> Option<String> {
    let mut key = String::new();
    for token in tokens {
        if !key.is_empty() {
            key.push(' ');
        }
        match token {
            Token::Word(word) => key.push_str(&singular(word)),
            Token::Number(value, _) => key.push_str(&value.to_string()),
            _ => return None,
        }
    }
    Some(key).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_between_boundaries_is_replaced() {
        let food = |food| NamedFood { food, common: Some(1) };
        let names = EverydayNames::new([("fruit drinks", food(7)), ("spread", food(8)), ("egg", food(9))].into_iter());
        let lexicon = Lexicon::default();
        let is_lost = |name: &EverydayName| name.food.food != 9;
        let replaced = |text: &str| {
            let typed = tokens(text);
            let out = names.replace(&typed, &lexicon, |_| false, is_lost).unwrap_or(typed);
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
