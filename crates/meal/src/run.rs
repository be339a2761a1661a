//! An engine during one estimate.

use std::ops::Deref;
use std::rc::Rc;

use foods::Food;

use crate::budget::Budget;
use crate::engine::{Engine, STEPS_OF_LOOK};
use crate::lexicon::Lexicon;
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::link::span::STEPS_OF_WEIGHING;
use crate::read::segment::SegmentWord;
use crate::read::text::Uses;
use crate::read::token::Token;

/// The steps of reading the names of an entry.
const STEPS_OF_NAMES: usize = 500;

/// An engine during one estimate, which counts the work it does. When too much has been done, it finds nothing more.
#[derive(Clone, Debug)]
pub(crate) struct EngineRun<'a> {
    engine: &'a Engine,
    budget: Rc<Budget>,
}

impl<'a> EngineRun<'a> {
    /// Begins an estimate.
    pub fn new(engine: &'a Engine) -> Self {
        Self { engine, budget: Rc::default() }
    }

    /// Returns the words that are not foods.
    pub fn lexicon(&self) -> &'a Lexicon {
        self.engine.lexicon()
    }

    /// Returns the mentions of foods in tokens, with the foods they may be.
    pub fn mentions(&self, tokens: &[Token]) -> Vec<Mention> {
        self.engine.mentions(tokens, &self.budget)
    }

    /// Returns the foods that words may mean, best first; `heads` are the positions of the possible heads.
    pub fn links(&self, words: &[SegmentWord], heads: Vec<usize>) -> Vec<Link> {
        if self.budget.is_spent() { Vec::new() } else { self.engine.links(words, heads, &self.budget) }
    }

    /// Searches all layers, products included.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Food> {
        if self.budget.is_spent() { Vec::new() } else { self.engine.search(query, limit, &self.budget) }
    }

    /// Counts a food that is weighed again; the first time has been counted with its mention.
    pub fn weigh_again(&self) {
        self.budget.take(STEPS_OF_WEIGHING);
    }

    /// Counts entries of a meal whose names are read.
    pub fn read_names(&self, entries: usize) {
        self.budget.take(entries * STEPS_OF_NAMES);
    }

    /// Counts the looks that were taken at a text.
    pub fn read_text(&self, uses: &Uses) {
        self.budget.take(uses.looks() * STEPS_OF_LOOK);
    }

    /// Checks whether too much has been done.
    pub fn is_spent(&self) -> bool {
        self.budget.is_spent()
    }

    /// Returns how many steps the estimate has taken.
    pub fn steps(&self) -> usize {
        self.budget.taken()
    }
}

impl Deref for EngineRun<'_> {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        self.engine
    }
}
