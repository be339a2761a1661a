//! Words that deny what follows or what is before them.

use foods::text::singular;

use super::cues::JOINTS;
use super::splitter::Splitter;
use crate::lexicon::{Role, Roles};
use crate::read::segment::{Joint, Segment, required};
use crate::read::token::Token;

/// Words that deny what follows.
const DENIALS: Roles = Roles::of(&[Role::Denial, Role::NotDone, Role::Not]);
/// Words that begin a new statement behind what was denied.
const STATEMENTS: Roles = Roles::of(&[Role::Person, Role::Hedge, Role::Only, Role::Eating, Role::Meal, Role::Copula]);
/// Words between a denial and the food that it denies.
const BEFORE_NAMES: Roles = Roles::of(&[Role::Eating, Role::Definite, Role::Possessive, Role::Demonstrative]);
/// How far to look for what was done instead.
const MAX_AHEAD: usize = 16;
/// The most words of a food that is denied, and how many foods before are compared with it: the time for a text of denials stays
/// linear.
const MAX_NAME: usize = 8;
const MAX_BEFORE: usize = 32;

/// Words between a comma and the verb of what was eaten, and the most of them: "so I just had".
const BEFORE_EATING: Roles = Roles::of(&[Role::Person, Role::Opener, Role::Only, Role::Hedge]);
const MAX_BEFORE_EATING: usize = 3;

impl Splitter<'_> {
    /// Reads a word that denies something; returns whether it is one.
    pub(super) fn take_denial(&mut self, roles: Roles) -> bool {
        if roles.has(Role::Intended) && self.is_turned_around() {
            self.joint(Joint::With, self.text.width(self.at));
            self.current.negated = true;
            return true;
        }
        if !roles.any(DENIALS) {
            return false;
        }
        if roles.has(Role::Exception) && !self.has_food_in_sentence() {
            // "nothing except a bar": what is left out of nothing was eaten.
            self.joint(Joint::Start, self.text.width(self.at));
            return true;
        }
        let next = self.text.roles(self.at + 1);
        if roles.has(Role::Denial) && next.has(Role::Added) {
            self.deny_one_word();
        } else if roles.has(Role::Denial) && next.has(Role::Method) {
            // "no-bake cookies" are made without an oven.
            self.at += 1;
            self.take(true);
        } else if roles.has(Role::Not) && next.has(Role::Eaten) && self.deny_the_word_before() {
            self.at += 2;
        } else if roles.has(Role::NotDone) && self.denies_the_food_before() {
            // "ordered fries but didn't eat any".
            self.close(Joint::Comma);
            if let Some(food) = self.out.last_mut() {
                food.negated = true;
            }
            self.at += 2;
        } else {
            self.joint(Joint::With, self.text.width(self.at));
            self.current.negated = true;
            if roles.has(Role::NotDone) {
                self.deny_again();
            }
        }
        true
    }

    /// Denies the food that was named before and is named again: "burger and fries, skipped the fries".
    fn deny_again(&mut self) {
        let is_part = |at: &usize| self.text.is_word(*at) && !self.text.any(*at, JOINTS);
        let words = (self.at..self.text.len()).skip_while(|at| self.text.any(*at, BEFORE_NAMES)).take_while(is_part);
        let words = words.take(MAX_NAME);
        let denied: Vec<String> = words.filter_map(|at| self.text.word(at)).map(singular).collect();
        let is_same = |food: &Segment| required(&food.words).map(|word| &word.word).eq(&denied);
        let mut before = self.out.iter_mut().rev().take(MAX_BEFORE);
        if let Some(food) = before.find(|food| !food.negated && is_same(food)) {
            food.negated = true;
        }
    }

    /// Begins a new statement behind a denial: "didn't eat breakfast, only coffee", "skipped lunch, dinner was soup".
    pub(super) fn leave_denial(&mut self, roles: Roles) {
        let is_behind = self.current.is_empty() && self.current.joint == Joint::Comma && !self.current.negated;
        let is_denied = self.out.len() > self.before_sentence && self.out.last().is_some_and(|last| last.negated);
        if is_behind && is_denied && roles.any(STATEMENTS) {
            self.joint(Joint::Start, 0);
        }
    }

    /// Checks whether something else was done than was intended: "was going to have cake but had an orange".
    fn is_turned_around(&self) -> bool {
        let is_end = |at: &usize| matches!(self.text.tokens.get(*at), None | Some(Token::Stop));
        let mut ahead = (self.at + 1..=self.at + MAX_AHEAD).take_while(|at| !is_end(at));
        // "thought about a cupcake, ate a peach".
        let was_eaten = |at: usize| {
            let is_break = self.text.tokens[at] == Token::Comma || self.text.has(at, Role::And);
            let said = (at + 1..).take_while(|&at| self.text.any(at, BEFORE_EATING)).take(MAX_BEFORE_EATING).count();
            is_break && self.text.has(at + 1 + said, Role::Eating) && !self.text.has(at + 1 + said, Role::Intended)
        };
        !self.current.negated && ahead.any(|at| self.text.has(at, Role::But) || was_eaten(at))
    }

    /// Checks whether a food was named in this sentence.
    fn has_food_in_sentence(&self) -> bool {
        let since = self.before_sentence.min(self.out.len());
        self.has_content() || self.out[since..].iter().any(|segment| !segment.negated && segment.has_required_words())
    }

    /// Reads "no added fat rice": what is denied is one word, and the food goes on behind it.
    fn deny_one_word(&mut self) {
        for at in self.at + 1..=self.at + 2 {
            if let Some(denied) = self.text.word(at) {
                self.push_word(denied, true, true);
            }
        }
        self.at += 3;
    }

    /// Denies the word before: "skin not eaten".
    fn deny_the_word_before(&mut self) -> bool {
        let last = self.current.words.last_mut();
        let is_there = last.is_some();
        if let Some(last) = last {
            last.optional = true;
            last.negated = true;
        }
        is_there
    }

    /// Checks whether a verb follows that denies what was named before, and no food.
    fn denies_the_food_before(&self) -> bool {
        let width = self.text.width(self.at);
        let has_food = self.has_content() || !self.out.is_empty();
        has_food && self.text.has(self.at + width, Role::Eating) && !self.names_follow(self.at + width)
    }

    /// Checks whether a denial ends here: "not turkey but ham", "instead of toast I had eggs".
    pub(super) fn ends_denial(&self, roles: Roles) -> bool {
        // "wasn't hungry so just had soup"; "not so sweet" goes on.
        let is_result = roles.has(Role::Opener) && !self.at.checked_sub(1).is_some_and(|at| self.text.any(at, DENIALS));
        self.current.negated
            && (is_result || roles.any(const { Roles::of(&[Role::But, Role::Person, Role::Hedge]) }))
            && (is_result || roles.has(Role::But) || !self.current.words.is_empty())
    }
}
