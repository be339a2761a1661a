//! Names of foods that stand in a row without commas: "chicken rice broccoli", "bagel orange juice". Most rows are several foods, and
//! some are one: a "turkey avocado sandwich".

use std::ops::Range;

use foods::text::singular;

use super::everyday_names::{EverydayNames, MAX_TOKENS, is_aside, is_called, is_plural, may_follow};
use super::named_foods::NamedFood;
use super::token::Token;
use crate::lexicon::{Lexicon, Role, Roles};

/// The most sizes of a food, and words that say how it was made.
const MAX_SIZES: usize = 2;
/// The most words of a row.
const MAX_WORDS: usize = 12;
/// A word that ends so many names of foods with foods in them is a dish, and what is before it belongs to it.
const MANY_NAMES: usize = 11;
/// More of something are named in the plural.
const MAX_OF_ONE: f64 = 4.0;

/// Words that a row may follow.
const BEFORE_ROW: Roles = Roles::of(&[Role::Eating, Role::Meal]);
/// Words that may follow one.
const BEHIND_ROW: Roles = Roles::of(&[Role::But, Role::When, Role::Meal, Role::Today]);
/// Words before a food that are no part of its name: its size, how it was made or cut.
const BEFORE_NAME: Roles = Roles::of(&[Role::Size, Role::State, Role::Cut, Role::Filler]);
/// Words that say how a food was made.
const HOW_MADE: Roles = Roles::of(&[Role::State, Role::Method, Role::Optional]);
/// Words that join the foods of a dish.
const JOINS: Roles = Roles::of(&[Role::And, Role::With]);

/// What else is known of words.
pub(crate) trait RowRules {
    /// Returns how many tokens the longest name of a dish has that a text begins with.
    fn dish_at(&self, text: &[Token]) -> Option<usize>;
    /// Checks whether tokens of the text are part of the longer name of a dish.
    fn is_in_dish(&self, range: Range<usize>) -> bool;
    /// Checks whether a row is the name of a food, or the rules of reading find foods in it that have all of its words. If the first of
    /// its names is counted apart from the others, it is what a food is, and no other is made of it.
    fn are_read(&self, words: &[Token], counted: Option<&[Token]>) -> bool;
}

/// A text that rows of names are looked for in.
pub(crate) struct RowReader<'r, R> {
    pub text: &'r [Token],
    pub names: &'r EverydayNames,
    pub lexicon: &'r Lexicon,
    pub rules: &'r R,
}

impl<'r, R: RowRules> RowReader<'r, R> {
    /// Puts commas between the names of each row; returns `None` if a text has none.
    pub fn list(&self) -> Option<Vec<Token>> {
        let mut out: Option<Vec<Token>> = None;
        let mut at = 0;
        while at < self.text.len() {
            let mut names = self.row_at(at, |_| None);
            if names.is_empty() {
                names = self.row_at(at, |rest| self.rules.dish_at(rest));
            }
            let width = names.iter().map(|name| name.len()).sum::<usize>().max(1);
            let run = &self.text[at..at + width];
            let list = if let Some(name) = self.with_head_last(run) {
                Some(name)
            } else if names.len() > 1 && !self.is_one(&names, at..at + width) {
                Some(names.join(&Token::Comma))
            } else {
                None
            };
            // "salad glass of wine": what was measured is another food. A bread bowl of soup is one.
            let start = names.last().map_or(at, |name| at + width - name.len());
            let ends_name = || self.rules.is_in_dish(start..at + width + 1);
            let ends = !names.is_empty() && self.is_measured(&self.text[at + width..]) && !ends_name();
            if list.is_some() || ends {
                let out = out.get_or_insert_with(|| self.text[..at].to_vec());
                out.extend(list.unwrap_or_else(|| run.to_vec()));
                out.extend(ends.then_some(Token::Comma));
            } else if let Some(out) = &mut out {
                out.extend_from_slice(run);
            }
            at += width;
        }
        out
    }

    /// Returns the names of foods and dishes in a row that are all there is between two marks. They may follow a verb, and a number,
    /// which counts the first of them: "2 eggs bacon".
    fn row_at(&self, at: usize, dish_at: impl Fn(&[Token]) -> Option<usize>) -> Vec<&'r [Token]> {
        let (text, lexicon) = (self.text, self.lexicon);
        let is_plural_at = |at: usize| text[at].word().is_some_and(|word| is_plural(word, lexicon));
        let begins = match at.checked_sub(1).map(|before| &text[before]) {
            // "four cheese pizza" is one.
            Some(Token::Word(word)) => {
                let roles = lexicon.roles(word);
                roles.any(BEFORE_ROW) || roles.has(Role::Number) && is_plural_at(at)
            }
            // "1 dosa sambar", but "6 chicken nuggets" are no chicken.
            Some(Token::Number(value, _)) => *value <= MAX_OF_ONE || is_plural_at(at),
            before => before.is_none_or(|mark| matches!(mark, Token::Comma | Token::Stop | Token::Colon)),
        };
        if !begins {
            return Vec::new();
        }
        let mut names: Vec<&[Token]> = Vec::new();
        let mut rest = &text[at..];
        while text.len() - rest.len() - at < MAX_WORDS
            && let Some(width) = self.width_of_listed(rest, &dish_at)
        {
            names.push(&rest[..width]);
            rest = &rest[width..];
        }
        // "ham cheese and tomato sandwich" goes on; "eggs bacon and toast" are surely more than one.
        let are_several = || names.iter().filter_map(|name| name.last()?.word()).any(|word| is_plural(word, lexicon));
        let goes_on_beside = |next: &Token| self.has(next, Role::With) || self.has(next, Role::And) && are_several();
        let ends = rest.first().is_none_or(|next| self.ends_before(next, rest) || goes_on_beside(next));
        let ends = ends || self.is_measured(rest) || self.ends_with_another(&names, rest, &dish_at);
        if ends { names } else { Vec::new() }
    }

    /// Checks whether tokens, and nothing else, are the name of a dish.
    fn is_dish(&self, words: &[Token]) -> bool {
        self.rules.dish_at(words) == Some(words.len())
    }

    fn has(&self, token: &Token, role: Role) -> bool {
        token.word().is_some_and(|word| self.lexicon.roles(word).has(role))
    }

    /// Checks whether tokens begin with a measure: "glass of wine".
    fn is_measured(&self, rest: &[Token]) -> bool {
        let measures = |token: &Token| token.word().is_some_and(|word| self.lexicon.unit(word).is_some());
        matches!(rest, [unit, of, ..] if measures(unit) && self.has(of, Role::Of))
    }

    /// Checks whether a row of names ends with "and" and another name, which is no dish that is made of them: "steak rice and
    /// broccoli".
    fn ends_with_another(
        &self,
        names: &[&[Token]],
        rest: &[Token],
        dish_at: impl Fn(&[Token]) -> Option<usize>,
    ) -> bool {
        let Some((and, last)) = rest.split_first() else { return false };
        let Some(width) = self.width_of_listed(last, dish_at).filter(|_| self.has(and, Role::And)) else {
            return false;
        };
        let is_last = last.get(width).is_none_or(|next| self.ends_before(next, &last[width..]));
        is_last && !self.is_of_last(&[names, &[&last[..width]]].concat(), false)
    }

    /// Checks whether a row ends before a token, with which the rest of the text begins.
    fn ends_before(&self, next: &Token, rest: &[Token]) -> bool {
        match next {
            Token::Word(_) => may_follow(next, BEHIND_ROW, self.lexicon) || is_aside(rest, self.lexicon),
            mark => matches!(mark, Token::Comma | Token::Stop),
        }
    }

    /// Returns how many tokens the longest name has that a row goes on with, and its size: "large fries". What only measures is no
    /// food: "watermelon wedge".
    fn width_of_listed(&self, rest: &[Token], dish_at: impl Fn(&[Token]) -> Option<usize>) -> Option<usize> {
        let lexicon = self.lexicon;
        // A flavor makes another food of what is before it.
        let is_size = |token: &&Token| {
            let roles = token.word().map(|word| lexicon.roles(word)).unwrap_or_default();
            roles.any(BEFORE_NAME) && !roles.has(Role::Compound)
        };
        let sizes = rest.iter().take(MAX_SIZES).take_while(is_size).count();
        let name = &rest[sizes..];
        let only_measures = |word: &str| lexicon.unit(word).is_some() && !is_called(word, lexicon);
        let is_measure = |tokens: &[Token]| matches!(tokens, [Token::Word(word)] if only_measures(word));
        let is_listed = |width: &usize| {
            let tokens = &name[..*width];
            let is_product = matches!(tokens, [Token::Word(word)] if NamedFood::of_word(word).is_some());
            is_product || self.names.is_name(tokens) && !is_measure(tokens)
        };
        let listed = (1..=MAX_TOKENS.min(name.len())).rev().find(is_listed);
        let dish = dish_at(name).filter(|width| !is_measure(&name[..*width]));
        let found = listed.max(dish).map(|width| sizes + width);
        // A size may be part of a name, but "leftover chinese egg tart" is an egg tart.
        let is_filler = rest.first().is_some_and(|first| self.has(first, Role::Filler));
        let with_size = || (2..=MAX_TOKENS.min(rest.len())).rev().find(|width| self.names.is_name(&rest[..*width]));
        found.or_else(|| with_size().filter(|_| sizes > 0 && !is_filler))
    }

    /// Returns the name of a dish that is said before what is in it, in the usual order: "sandwich ham cheese".
    fn with_head_last(&self, run: &[Token]) -> Option<Vec<Token>> {
        let (head, fillings) = run.split_first()?;
        // One word behind it more often says what kind of food that is: "pizza cheese".
        if fillings.len() < 2 || !head.word().is_some_and(|head| self.lexicon.takes_foods(&singular(head))) {
            return None;
        }
        let name: Vec<Token> = fillings.iter().chain([head]).cloned().collect();
        let is_name = |name: &[Token]| self.names.is_name(name) || self.is_dish(name);
        (!is_name(run) && is_name(&name)).then_some(name)
    }

    /// Checks whether a row is one food, or foods that the rules find.
    fn is_one(&self, names: &[&[Token]], range: Range<usize>) -> bool {
        let run = &self.text[range.clone()];
        let before = range.start.checked_sub(1).map(|before| &self.text[before]);
        let counts = matches!(before, Some(Token::Number(..)));
        // "3 eggs toast" are no toasts with egg.
        let first = names.first().and_then(|name| name.last()?.word());
        let counts_first =
            matches!(before, Some(Token::Number(2.0.., _))) && first.is_some_and(|word| is_plural(word, self.lexicon));
        let is_dish = || !counts_first && (self.is_dish(run) || self.rules.is_in_dish(range));
        if self.is_of_last(names, counts && !counts_first) || is_dish() {
            return true;
        }
        // The rules would part "fish and chips coke" at the wrong place.
        let joins = |token: &Token| token.word().is_some_and(|word| self.lexicon.roles(word).any(JOINS));
        !run.iter().any(joins) && self.rules.are_read(run, names.first().copied().filter(|_| counts_first))
    }

    /// Checks whether names in a row are one food, which the last of them names: "turkey avocado sandwich" is a sandwich, "pork
    /// banh mi" a banh mi. What a food is made of is named in the singular, so "eggs bacon toast" are three.
    fn is_of_last(&self, names: &[&[Token]], is_counted: bool) -> bool {
        let (all, lexicon) = (self.names, self.lexicon);
        let Some((last, rest)) = names.split_last() else { return false };
        let Some(typed) = last.last().and_then(Token::word) else { return false };
        let head = singular(typed);
        let are_several = rest.iter().filter_map(|name| name.last()?.word()).any(|word| is_plural(word, lexicon));
        let word_of = |name: &[Token]| name.last().and_then(Token::word).map(singular).unwrap_or_default();
        let is_ingredient = |name: &[Token]| {
            let word = word_of(name);
            !lexicon.takes_foods(&word) && all.compounds.is_in_many(&word)
        };
        let goes_with_head = |name: &&[Token]| {
            // "salmon fish cakes", but a salad is in no ice cream, although there is salad cream.
            all.compounds.has(&word_of(name), &head) && (last.len() == 1 || is_ingredient(name))
                || rest.len() == 1 && name.len() == 1 && last.len() > 1 && is_ingredient(name)
        };
        // A burger is in no fries, and an apple in no peanut butter.
        let takes_foods = lexicon.takes_foods(typed) && !are_several;
        let is_filling = |name: &[Token]| name.len() == 1 && !are_several && is_ingredient(name);
        let flavors = const { Roles::of(&[Role::Flavor, Role::Optional]) };
        // "Chili coke" is no coke with chili.
        let is_flavor = |token: &Token| {
            let is_of_head = |word: &str| !lexicon.takes_foods(word) || all.compounds.has(&singular(word), &head);
            token.word().is_some_and(|word| lexicon.roles(word).any(flavors) && is_of_head(word))
        };
        let are_of_head = || all.takes_foods(&head, MANY_NAMES) && rest.iter().all(goes_with_head);
        takes_foods && (lexicon.takes_any_food(&head) || are_of_head())
            || rest.len() == 1 && (is_filling(rest[0]) || is_counted) && self.is_dish(last)
            || rest.iter().all(|name| name.iter().all(is_flavor))
            || names.windows(2).any(|two| self.overlap(two[0], two[1]))
    }

    /// Checks whether a name ends with what the next one belongs to, and begins with nothing but how it was made: "air fried sweet
    /// potato fries" are sweet potato fries, "caesar salad cheese" is no salad cheese.
    fn overlap(&self, name: &[Token], next: &[Token]) -> bool {
        let says_how = |token: &Token| token.word().is_some_and(|word| self.lexicon.roles(word).any(HOW_MADE));
        let is_name = |from: usize| self.names.is_name(&[&name[from..], next].concat());
        (1..name.len()).any(|from| name[..from].iter().any(says_how) && is_name(from))
    }
}
