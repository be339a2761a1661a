//! An engine during one estimate.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use foods::Food;

use crate::budget::Budget;
use crate::engine::{Engine, STEPS_OF_LOOK};
use crate::lexicon::Lexicon;
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::link::span::STEPS_OF_WEIGHING;
use crate::portion::usual::UsualPortions;
use crate::read::segment::SegmentWord;
use crate::read::text::Uses;
use crate::read::token::{self, Token};
use crate::recipes::book::RecipeBook;
use crate::translate::{Language, PortionedRow, SaidFood, Speaker, Spoken, is_in_latin};

/// The steps of reading the names of an entry.
const STEPS_OF_NAMES: usize = 500;

/// An engine during one estimate, which counts the work it does. When too much has been done, it finds nothing more.
#[derive(Clone, Debug)]
pub(crate) struct EngineRun<'a> {
    engine: &'a Engine,
    budget: Rc<Budget>,
    speaker: Rc<Speaker>,
    /// The code of the language of the last text that was not in English.
    language: Rc<Cell<Option<&'static str>>>,
    /// It was written in Latin letters although the language has others, by somebody who did not say that they read those.
    is_in_latin: Rc<Cell<bool>>,
    /// The foods of its list that the texts named.
    said: Rc<RefCell<Vec<SaidFood>>>,
    /// The rows of those of them that have portions of their own, with the codes of their languages.
    portioned: Rc<RefCell<Vec<(&'static str, u32)>>>,
}

impl<'a> EngineRun<'a> {
    /// Begins an estimate.
    pub fn new(engine: &'a Engine, speaker: &Speaker) -> Self {
        Self {
            engine,
            budget: Rc::default(),
            speaker: Rc::new(speaker.clone()),
            language: Rc::default(),
            is_in_latin: Rc::default(),
            said: Rc::default(),
            portioned: Rc::default(),
        }
    }

    /// Returns the tokens of a text, in English whatever its language is. The caller's recipes keep their names.
    pub fn tokens(&self, text: &str, recipes: &RecipeBook) -> Vec<Token> {
        let tokens = token::tokens(text);
        let spoken = self.engine.translator().language_of(text, &tokens, &self.speaker, self.engine);
        if let Spoken::English = spoken {
            return tokens;
        }
        self.language.set(spoken.other().map(Language::code).or(self.language.get()));
        let understands = |language: &Language| self.speaker.understands(language.code());
        self.is_in_latin.set(is_in_latin(text) && !spoken.other().is_some_and(understands));
        let mut out = Vec::with_capacity(tokens.len());
        for (is_recipe, stretch) in recipes.cut_at_names(&tokens) {
            if is_recipe {
                out.extend(stretch);
                continue;
            }
            let translated = self.engine.translator().read(&stretch, spoken, self.engine.layer(), self.engine);
            out.extend(translated.tokens);
            if let Some(language) = spoken.other() {
                self.note_portions(&translated.foods, language);
            }
            self.said.borrow_mut().extend(translated.foods);
        }
        out
    }

    /// Notes which foods have portions of their own under the names that a text uses.
    fn note_portions(&self, foods: &[SaidFood], language: &Language) {
        let mut portioned = self.portioned.borrow_mut();
        for food in foods {
            let key = (language.code(), food.row);
            let Some(row) = self.engine.translator().portioned_row(food.row, language) else { continue };
            if !portioned.contains(&key) {
                row.food.get_or_init(|| self.engine.food_called(food.english));
                portioned.push(key);
            }
        }
    }

    /// Returns the row with portions of its own under whose name a text of the language named a food.
    fn portioned_row(&self, food: u32, language: &Language) -> Option<&'a PortionedRow> {
        let portioned = self.portioned.borrow();
        let rows = portioned.iter().filter(|(code, _)| *code == language.code());
        let mut rows = rows.filter_map(|(_, row)| self.engine.translator().portioned_row(*row, language));
        rows.find(|row| row.food.get() == Some(&Some(food)))
    }

    /// Returns the language of the texts so far, if it is not English.
    pub fn language(&self) -> Option<&'a Language> {
        self.engine.translator().language(self.language.get()?)
    }

    /// Returns the name of a food in the language of the text, in letters that the person reads.
    pub fn local_name(&self, food: &Food) -> Option<String> {
        let name = self.engine.name_in(food, self.language()?, &self.said.borrow())?;
        (!self.is_in_latin.get() || is_in_latin(&name)).then_some(name)
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

    /// Returns the usual portions of the food that a link leads to, where the language of the text is spoken.
    pub fn usual_portions(&self, link: &Link) -> UsualPortions<'a> {
        let usual = self.engine.usual_portions(link);
        let language = self.language();
        let of_row = language.and_then(|language| self.portioned_row(link.food, language));
        let of_row = of_row.map(|row| (row.portions.as_slice(), row.own));
        let of_food = || self.engine.translator().portions_of(usual.food_id?, language?);
        match of_row.or_else(of_food) {
            Some((portions, local)) => UsualPortions { portions, local, ..usual },
            None => usual,
        }
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
