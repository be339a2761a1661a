//! Recipe names in a text of another language, where nothing but the words themselves tells where a name begins.

use std::ops::Range;

use super::book::RecipeBook;
use super::{matching, normal};
use crate::read::token::{Token, is_unspaced};

/// A stretch of a text: whether it is the name of a recipe, and its tokens.
pub(crate) type Stretch = (bool, Vec<Token>);

impl RecipeBook {
    /// Cuts a text at the names of recipes that it has word for word.
    pub(crate) fn cut_at_names(&self, tokens: &[Token]) -> Vec<Stretch> {
        if self.is_empty() {
            return vec![(false, tokens.to_vec())];
        }
        let tokens = self.with_names_apart(tokens);
        let mut stretches: Vec<Stretch> = Vec::new();
        let (mut at, mut from) = (0, 0);
        while at < tokens.len() {
            if let Some(name) = self.name_at(&tokens, at) {
                stretches.push((false, tokens[from..at].to_vec()));
                stretches.push((true, tokens[name.clone()].to_vec()));
                (at, from) = (name.end, name.end);
            } else {
                at += 1;
            }
        }
        stretches.push((false, tokens[from..].to_vec()));
        stretches
    }

    /// Returns the longest name that begins at a token.
    fn name_at(&self, tokens: &[Token], start: usize) -> Option<Range<usize>> {
        let number = |token: &Token| {
            let word = token.word()?;
            self.names.vocabulary.number(word).or_else(|| self.names.vocabulary.number(&normal::folded(word)))
        };
        let starts = self.names.start(number(&tokens[start])?);
        let (mut run, mut key, mut found) = (Vec::new(), 0, None);
        for (at, token) in tokens.iter().enumerate().skip(start) {
            let Some(word) = number(token) else { break };
            run.push(word);
            key = matching::extend(key, word);
            if starts.has(run.len()) && self.names.exact(key, &run, 0).is_some() {
                found = Some(start..at + 1);
            }
            if !starts.has_more(run.len()) {
                break;
            }
        }
        found
    }

    /// Splits words without spaces between them where one of them is a recipe.
    fn with_names_apart(&self, tokens: &[Token]) -> Vec<Token> {
        let is_unspaced = |word: &str| word.chars().any(is_unspaced);
        let mut out = Vec::with_capacity(tokens.len());
        for token in tokens {
            match token {
                Token::Word(word) if is_unspaced(word) => self.split_run(word, &mut out),
                _ => out.push(token.clone()),
            }
        }
        out
    }

    fn split_run(&self, run: &str, out: &mut Vec<Token>) {
        let mut rest = run;
        let mut at = 0;
        while at < rest.len() {
            let ends = rest[at..].char_indices().map(|(place, letter)| at + place + letter.len_utf8());
            let is_name = |end: &usize| {
                let number = self.names.vocabulary.number(&rest[at..*end]);
                number.is_some_and(|number| self.names.exact(matching::extend(0, number), &[number], 0).is_some())
            };
            let Some(end) = ends.rev().find(is_name) else {
                at += rest[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            };
            if at > 0 {
                out.push(Token::Word(rest[..at].to_owned()));
            }
            out.push(Token::Word(rest[at..end].to_owned()));
            (rest, at) = (&rest[end..], 0);
        }
        if !rest.is_empty() {
            out.push(Token::Word(rest.to_owned()));
        }
    }
}
