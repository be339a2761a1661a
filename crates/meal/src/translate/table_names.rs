//! The names that the national food tables give their foods in a language.

use foldhash::{HashMap, HashMapExt as _};
use foods::catalog::Layer;
use foods::text::raw_words;

use crate::read::token::Token;

/// The most words of a name that people may type.
const MAX_WORDS: usize = 5;

/// The names of a language.
#[derive(Debug, Default)]
pub(super) struct TableNames {
    /// The foods by the words of their names.
    foods: HashMap<String, u32>,
}

impl TableNames {
    /// Lists the names of a layer's foods in a language. Of several foods with a name, the first has it.
    pub fn new(layer: &Layer, language: &str) -> Self {
        let mut foods = HashMap::new();
        for (name, food) in layer.names_in(language) {
            let words = raw_words(name, MAX_WORDS + 1);
            if words.len() <= MAX_WORDS {
                foods.entry(words.join(" ")).or_insert(food);
            }
        }
        Self { foods }
    }

    /// Returns the food with the longest name that a text begins with, and how many tokens that has.
    pub fn longest(&self, text: &[Token]) -> Option<(u32, usize)> {
        if self.foods.is_empty() || text.first().is_none_or(|first| first.word().is_none()) {
            return None;
        }
        // "Leite, condensado": commas are part of official names.
        let is_of_name = |token: &&Token| matches!(token, Token::Word(_) | Token::Comma);
        let tokens: Vec<&Token> = text.iter().take(2 * MAX_WORDS).take_while(is_of_name).collect();
        (1..=tokens.len()).rev().filter(|width| *tokens[width - 1] != Token::Comma).find_map(|width| {
            let words: Vec<&str> = tokens[..width].iter().filter_map(|token| token.word()).collect();
            Some((*self.foods.get(&words.join(" "))?, width))
        })
    }
}
