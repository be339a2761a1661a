//! Tokens with what their words do in the sentence.

use std::cell::Cell;
use std::ops::Range;

use super::token::Token;
use crate::lexicon::{Lexicon, Measure, Role, Roles, WordUse};

/// What each of a text's tokens does, looked up once.
#[derive(Debug)]
pub struct Uses {
    uses: Vec<WordUse>,
    /// How often one was looked at.
    looks: Cell<usize>,
}

impl Uses {
    /// Looks the words of a text up.
    pub fn new(tokens: &[Token], lexicon: &Lexicon) -> Self {
        let word = |at: usize| tokens.get(at).and_then(Token::word);
        let found = |at: usize| match word(at) {
            Some(first) => lexicon.find(first, |next| word(at + next)),
            None => WordUse { width: 1, ..WordUse::default() },
        };
        Self { uses: (0..tokens.len()).map(found).collect(), looks: Cell::new(0) }
    }

    /// Returns how often a token was looked at, which tells how much work a text was.
    pub fn looks(&self) -> usize {
        self.looks.get()
    }
}

/// A text or a part of one: its tokens and what they do.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    pub tokens: &'t [Token],
    uses: &'t [WordUse],
    looks: &'t Cell<usize>,
    pub lexicon: &'t Lexicon,
}

impl<'t> Text<'t> {
    /// Puts tokens together with what they do.
    pub fn new(tokens: &'t [Token], uses: &'t Uses, lexicon: &'t Lexicon) -> Self {
        Self { tokens, uses: &uses.uses, looks: &uses.looks, lexicon }
    }

    /// Returns how many tokens there are.
    pub fn len(self) -> usize {
        self.tokens.len()
    }

    /// Returns a part of the text.
    pub fn part(self, range: Range<usize>) -> Self {
        Self { tokens: &self.tokens[range.clone()], uses: &self.uses[range], ..self }
    }

    /// Returns the text from a position on.
    pub fn from(self, start: usize) -> Self {
        self.part(start.min(self.len())..self.len())
    }

    /// Returns the word at a position.
    pub fn word(self, at: usize) -> Option<&'t str> {
        self.tokens.get(at).and_then(Token::word)
    }

    /// Checks whether the token at a position, or the end of the text, ends a statement.
    pub fn is_end(self, at: usize) -> bool {
        matches!(self.tokens.get(at), None | Some(Token::Stop | Token::Colon | Token::Open | Token::Close))
    }

    /// Checks whether a word is at a position.
    pub fn is_word(self, at: usize) -> bool {
        self.word(at).is_some()
    }

    /// Returns what the word at a position does, or the phrase that begins there.
    pub fn roles(self, at: usize) -> Roles {
        self.looks.set(self.looks.get() + 1);
        self.uses.get(at).map_or(Roles::NONE, |found| found.roles)
    }

    /// Checks whether the word or phrase at a position has a role.
    pub fn has(self, at: usize, role: Role) -> bool {
        self.roles(at).has(role)
    }

    /// Checks whether the word or phrase at a position has any of several roles.
    pub fn any(self, at: usize, roles: Roles) -> bool {
        self.roles(at).any(roles)
    }

    /// Returns how many tokens the word or phrase at a position has.
    pub fn width(self, at: usize) -> usize {
        self.uses.get(at).map_or(1, |found| found.width.min(self.len() - at).max(1))
    }

    /// Returns the words that the phrase at a position is read as.
    pub fn read_as(self, at: usize) -> Option<&'static str> {
        self.uses.get(at).and_then(|found| found.read_as)
    }

    /// Returns the value that the word at a position has in a role.
    pub fn value(self, at: usize, role: Role) -> Option<f64> {
        if self.has(at, role) { self.lexicon.value(self.word(at)?, role) } else { None }
    }

    /// Returns the first position with a role.
    pub fn position(self, role: Role) -> Option<usize> {
        (0..self.len()).find(|&at| self.has(at, role))
    }

    /// Checks whether every token is a word with one of several roles.
    pub fn all(self, roles: Roles) -> bool {
        (0..self.len()).all(|at| self.any(at, roles))
    }

    /// Returns the unit at a position: its name, what it measures, and how many tokens it has.
    pub fn unit(self, at: usize) -> Option<(&'static str, &'static Measure, usize)> {
        self.lexicon.unit_at(self.word(at)?, self.word(at + 1))
    }

    /// Checks whether a fixed pair begins at a position: one food although "and" joins its words.
    pub fn is_pair(self, at: usize) -> bool {
        self.word(at).is_some_and(|first| self.lexicon.is_pair(first, |next| self.word(at + next)))
    }
}
