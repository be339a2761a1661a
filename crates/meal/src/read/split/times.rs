//! Times of day, which count nothing: "at 11 I ate a croissant".

use super::splitter::Splitter;
use crate::lexicon::{Role, Roles};
use crate::read::amount;
use crate::read::segment::Joint;
use crate::read::token::Token;

/// The last hour of a day.
const LAST_HOUR: f64 = 24.0;
/// The minutes of an hour, and how exactly people note them.
const MINUTES: f64 = 60.0;
const STEP_OF_MINUTES: f64 = 5.0;
/// The earliest hour that stands right behind the name of a meal; smaller numbers count.
const FIRST_HOUR_OF_MEAL: f64 = 6.0;

/// Words that begin what was eaten then, or end the statement.
const BEHIND: Roles = Roles::of(&[
    Role::Person,
    Role::Eating,
    Role::Indefinite,
    Role::Some,
    Role::Possessive,
    Role::Number,
    Role::And,
    Role::With,
    Role::But,
    Role::Only,
    Role::Today,
]);
/// Those behind a word that may as well soften an amount: "around 3 I ate an apple".
const BEHIND_HEDGE: Roles = Roles::of(&[Role::Person]);

impl Splitter<'_> {
    /// Reads a number that is a time of day: behind a word that announces one, with no food and no unit behind it.
    pub(super) fn take_time(&mut self) -> bool {
        let Some(end) = self.end_of_time() else { return false };
        // "At 7" opens a statement: what follows is no place or purpose.
        if self.current.is_empty() && self.current.joint == Joint::Aside {
            self.current.joint = if self.current.starts { Joint::Start } else { Joint::Comma };
        }
        self.at = end;
        true
    }

    /// Returns where a time with a point ends, which many countries write: "lunch 12.30 meatballs". Nobody eats so many and a part.
    fn end_of_time_with_point(&self) -> Option<usize> {
        let before = self.at.checked_sub(1)?;
        let first = if self.text.has(before, Role::When) { 1.0 } else { FIRST_HOUR_OF_MEAL };
        let &Token::Number(time, false) = self.text.tokens.get(self.at)? else { return None };
        let minutes = (time.fract() * 100.0).round();
        let is_time = minutes > 0.0
            && minutes < MINUTES
            && minutes % STEP_OF_MINUTES == 0.0
            && (first..LAST_HOUR).contains(&time.trunc())
            && self.text.any(before, const { Roles::of(&[Role::When, Role::Meal]) });
        (is_time && self.text.unit(self.at + 1).is_none()).then_some(self.at + 1)
    }

    fn end_of_time(&self) -> Option<usize> {
        if let Some(end) = self.end_of_time_with_point() {
            return Some(end);
        }
        let before = self.at.checked_sub(1).filter(|&before| self.text.has(before, Role::When))?;
        let is_hour = |hour: f64| hour.fract() == 0.0 && (1.0..=LAST_HOUR).contains(&hour);
        let (amount, after) = amount::read(self.text, self.at)?;
        if !amount.explicit || !is_hour(amount.value) {
            return None;
        }
        let minute = |at: usize| match self.text.tokens.get(at) {
            Some(Token::Number(minute, false)) => *minute < MINUTES,
            _ => false,
        };
        let has_minutes = self.text.tokens.get(after) == Some(&Token::Colon) && minute(after + 1);
        let end = if has_minutes { after + 2 } else { after };
        let is_hedge = self.text.has(before, Role::Hedge);
        let ends = match self.text.tokens.get(end) {
            Some(Token::Word(_)) if is_hedge && !has_minutes => self.text.any(end, BEHIND_HEDGE),
            Some(Token::Word(_)) => self.text.any(end, BEHIND),
            Some(Token::Number(..)) => true,
            // "an apple around ten" has its amount.
            _ => !is_hedge || has_minutes || self.current.quantity.amount.is_some() && self.has_content(),
        };
        (ends && self.text.unit(end).is_none()).then_some(end)
    }
}
