//! Everyday names that the rules of reading lose, alone or beside another food: found by asking the rules for the name.

use super::{Engine, names_of};
use crate::budget::Budget;
use crate::lexicon::Role;
use crate::link::candidates;
use crate::link::mention::Mention;
use crate::read::everyday_names::{EverydayName, NameRules};
use crate::read::named_foods::NamedFood;
use crate::read::token::Token;

/// A food that is in no name of another one.
const ADDED: &str = "water";
/// A number of them.
const TWO: Token = Token::Number(2.0, false);
/// By what factor the calories of an everyday name and of what the rules find may differ if that is the same.
const AS_MUCH: f64 = 1.8;

impl NameRules for Engine {
    /// Some names are found alone and lost behind a word that says nothing of them: "my egg foo young".
    fn lose(&self, name: &EverydayName) -> bool {
        let fillers =
            self.lexicon.words_with(Role::Possessive).filter(|word| self.lexicon.roles(word).has(Role::Filler));
        let my = fillers.min().map(|word| Token::Word(word.to_owned()));
        let with_word: Vec<Token> = my.iter().chain(&name.tokens).cloned().collect();
        let is_dish = self.composed_dishes.is_name(&names_of(&name.tokens));
        !is_dish && (self.loses_in(name, &name.tokens) || self.loses_in(name, &with_word))
    }

    /// "trail mix with banana" is no banana alone.
    fn lose_with(&self, name: &EverydayName) -> bool {
        let with = Token::Word(self.lexicon.word_with(Role::With).to_owned());
        let added = Token::Word(ADDED.to_owned());
        let with_added: Vec<Token> = name.tokens.iter().chain([&with, &added]).cloned().collect();
        self.is_nothing_beside(name, &with_added, &added)
    }

    /// Nor is "a banana and trail mix".
    fn lose_behind(&self, name: &EverydayName) -> bool {
        let and = Token::Word(self.lexicon.word_with(Role::And).to_owned());
        let other = Token::Word(ADDED.to_owned());
        let behind: Vec<Token> = [&other, &and].into_iter().chain(&name.tokens).cloned().collect();
        self.is_nothing_beside(name, &behind, &other)
    }

    fn part_counted(&self, name: &EverydayName) -> bool {
        let counted: Vec<Token> = std::iter::once(&TWO).chain(&name.tokens).cloned().collect();
        self.mentions_by_rules(&counted, &Budget::default()).len() > 1
    }

    fn find_nothing(&self, text: &[Token]) -> bool {
        self.mentions_by_rules(text, &Budget::default()).iter().all(|mention| mention.links.is_empty())
    }
}

impl Engine {
    /// Checks whether the rules find nothing or another food in a text with an everyday name and nothing else.
    fn loses_in(&self, name: &EverydayName, text: &[Token]) -> bool {
        let words = names_of(&name.tokens);
        let mentions = self.mentions_by_rules(text, &Budget::default());
        let NamedFood { food, common } = name.food;
        let is_stand_in =
            common.and_then(|number| self.linker.common.get(number)).is_some_and(|entry| entry.is_stand_in);
        // Foods that make up a dish may say more than the dish, and a food of the tables with all these words is meant.
        match mentions.as_slice() {
            [] => true,
            [mention] => match mention.links.first() {
                None => true,
                // A word alone says too little for another food to be surely wrong.
                Some(link) => {
                    let is_whole = self.is_whole(mention, link, &name.tokens);
                    // What only stands in for a food that the tables lack is left for any that has all of the words.
                    let is_whole = is_whole || is_stand_in && (0..mention.words.len()).all(|at| link.has(at));
                    let is_right =
                        || candidates::is_alike(self.layer(), link.food, food) && self.is_as_much(name, &mentions);
                    words.len() > 1 && !is_whole && link.food != food && !is_right()
                }
            },
            // "latte with oat milk" is no latte with milk beside it.
            _ => name.adds() && !self.is_as_much(name, &mentions),
        }
    }

    /// Checks whether the rules find in a text only one of the two foods that it names.
    fn is_nothing_beside(&self, name: &EverydayName, text: &[Token], other: &Token) -> bool {
        let foods = |tokens: &[Token]| -> Vec<u32> {
            let mentions = self.mentions_by_rules(tokens, &Budget::default());
            mentions.iter().filter_map(|mention| Some(mention.links.first()?.food)).collect()
        };
        !self.composed_dishes.is_name(&names_of(&name.tokens)) && foods(text) == foods(std::slice::from_ref(other))
    }

    /// Checks whether mentions come to about as many calories as the usual portion of what a name means.
    fn is_as_much(&self, name: &EverydayName, mentions: &[Mention]) -> bool {
        let named = self.mentions_by_rules(&[Token::Word(name.food.word())], &Budget::default());
        let sum = |mentions: &[Mention]| mentions.iter().map(|mention| self.calories_of(mention)).sum::<Option<f64>>();
        let (Some(one), Some(other)) = (sum(&named), sum(mentions)) else { return false };
        one.max(other) <= one.min(other) * AS_MUCH
    }
}
