//! What the engine knows of names in a row.

use std::ops::Range;

use super::{Engine, names_of};
use crate::budget::Budget;
use crate::link::mention::Mention;
use crate::link::phrase::Link;
use crate::read::names_in_rows::{RowReader, RowRules};
use crate::read::token::Token;

impl Engine {
    /// Puts commas between the names of foods in a row; returns `None` if a text has none.
    pub(super) fn list_rows(&self, text: &[Token], budget: &Budget) -> Option<Vec<Token>> {
        let rules = RowsOf { engine: self, text, budget };
        RowReader { text, names: &self.everyday_names, lexicon: &self.lexicon, rules: &rules }.list()
    }
}

/// An engine and a text that rows are looked for in.
struct RowsOf<'e> {
    engine: &'e Engine,
    text: &'e [Token],
    budget: &'e Budget,
}

impl RowRules for RowsOf<'_> {
    fn dish_at(&self, text: &[Token]) -> Option<usize> {
        self.engine.composed_dishes.name_at(text)
    }

    fn is_in_dish(&self, range: Range<usize>) -> bool {
        self.engine.is_in_dish(self.text, range, false)
    }

    fn are_read(&self, words: &[Token], counted: Option<&[Token]>) -> bool {
        let engine = self.engine;
        if counted.is_none() && engine.everyday_foods.contains_key(&names_of(words).join(" ")) {
            return true;
        }
        let mentions = engine.mentions_by_rules(words, self.budget);
        let foods = || mentions.iter().filter_map(|mention| Some((mention, mention.links.first()?)));
        let is_whole = |(mention, link): (&Mention, &Link)| engine.linker.has_all_words(link, &mention.words);
        let is_meant = |(_, link): (&Mention, &Link)| {
            let named = counted.and_then(|name| engine.everyday_names.meaning_of(name));
            counted.is_none() || named.is_some_and(|named| named.food == link.food)
        };
        let said: usize = foods().map(|(mention, _)| mention.words.len()).sum();
        foods().all(is_whole) && said >= words.len() && (mentions.len() > 1 || foods().all(is_meant))
    }
}
