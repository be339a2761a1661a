//! Which products of makers a text names, and whether the tables know them better.

use std::ops::Range;

use foods::text::{singular, words};

use super::{Engine, names_of};
use crate::budget::Budget;
use crate::lexicon::{Lexicon, Role, Roles};
use crate::link::candidates;
use crate::portion::WeightSource;
use crate::read::composed_dishes::is_counted_apart;
use crate::read::everyday_names::MAX_TOKENS;
use crate::read::maker_names::NamedProduct;
use crate::read::token::Token;

/// The steps of looking for a maker or a product at a token.
const STEPS_OF_PRODUCT: usize = 100;
/// By what share the calories of a product may differ from those of the tables' food if that is the same.
const SAME_PRODUCT: f64 = 0.15;
/// The same if the tables' food is alike, but has not all words of the product.
const SAME_ROW: f64 = 0.05;
/// The same if only the place that another food is from says that it is a product.
const SAME_PLACE: f64 = 0.5;
/// The same if the tables' food or its portion is one of the restaurant.
const SAME_MAKER: f64 = 0.35;
/// The same if they are a row for the maker of what is no restaurant's, which may list another portion.
const OTHER_PORTION: f64 = 0.85;
/// The most words before a maker that may begin the name of a dish.
const MAX_WORDS_BEFORE: usize = 3;
/// The most tokens of an amount before a name.
const MAX_TOKENS_OF_AMOUNT: usize = 5;

impl Engine {
    /// Replaces the products of makers that tokens name; returns `None` if there are none.
    pub(super) fn name_products(&self, tokens: &[Token], budget: &Budget) -> Option<Vec<Token>> {
        budget.take(tokens.len() * STEPS_OF_PRODUCT);
        let is_other_name = |range: Range<usize>, is_product: bool| self.is_in_dish(tokens, range, is_product);
        let says_food = |word: &str| self.says_which_food(word);
        let found = self.maker_names.find(tokens, &self.lexicon, is_other_name, says_food);
        let mut out: Option<Vec<Token>> = None;
        let mut at = 0;
        for product in found.iter().filter(|product| self.is_needed(tokens, product, budget)) {
            let out = out.get_or_insert_default();
            out.extend_from_slice(&tokens[at..product.range.start]);
            out.extend(product.tokens());
            at = product.range.end;
        }
        if let Some(out) = &mut out {
            out.extend_from_slice(&tokens[at..]);
        }
        out
    }

    /// Returns the products of makers that tokens name, whatever else is named beside them.
    pub(super) fn products_in(&self, tokens: &[Token]) -> Vec<NamedProduct> {
        self.maker_names.find(tokens, &self.lexicon, |_, _| false, |word| self.says_which_food(word))
    }

    /// Checks whether words are a maker without a product of its.
    pub(crate) fn are_maker(&self, tokens: &[Token]) -> bool {
        self.maker_names.are_maker(tokens, &self.lexicon)
    }

    /// Checks whether words are part of the longer name of a dish, as the beer in "bananas foster", or a product is called like
    /// one.
    pub(super) fn is_in_dish(&self, tokens: &[Token], words: Range<usize>, is_product: bool) -> bool {
        (words.start.saturating_sub(MAX_WORDS_BEFORE)..=words.start).any(|start| {
            let length = self.composed_dishes.name_at(&tokens[start..]);
            let length = length.filter(|&length| !is_counted_apart(tokens, start, length));
            let end = length.map_or(start, |length| start + length);
            end >= words.end && (is_product || start < words.start || end > words.end)
        })
    }

    /// Checks whether the rules find nothing in the words of a product, another food, or one with other calories. Where they
    /// find about the same, the tables know more about it.
    fn is_needed(&self, tokens: &[Token], product: &NamedProduct, budget: &Budget) -> bool {
        if product.food.is_none() && product.amount.is_empty() {
            return true;
        }
        if budget.is_spent() || self.is_in_everyday_name(tokens, product) {
            return false;
        }
        if product.food.is_none() {
            // "grape Fanta", which the rules read as two foods.
            let brand = names_of(&product.amount).join(" ");
            let mentions = || self.mentions_without_products(&tokens[product.range.clone()], budget);
            return self.everyday_foods.contains_key(&brand) && mentions().len() > 1;
        }
        let start = self.start_of_amount(tokens, product.range.start);
        let end = self.end_of_amount(tokens, product.range.end);
        let named = tokens[start..product.range.start].iter().cloned().chain(product.tokens());
        let named: Vec<Token> = named.chain(tokens[product.range.end..end].iter().cloned()).collect();
        let by_rules = self.calories(&tokens[start..end], budget);
        let Some((by_rules, named)) = by_rules.zip(self.calories(&named, budget)) else { return true };
        if self.maker_names.is_of_chain(product) && !self.shows_sizes(&by_rules.shown, product) {
            return true;
        }
        let is_alike = product.food.is_some_and(|food| candidates::is_alike(self.layer(), by_rules.food, food));
        // "a snack size Snickers": the tables have it in that size.
        if is_alike && has_size(product, &self.lexicon) && self.shows_sizes(&by_rules.shown, product) {
            return false;
        }
        let is_of_chain = self.maker_names.is_of_chain(product);
        // Another product of the same maker is not meant: "Whopper without mayo", "spicy deluxe".
        let is_other = !self.maker_names.is_shown(product, &by_rules.shown);
        let (one, other) = (by_rules.calories, named.calories);
        let is_same = is_alike && (one - other).abs() <= one.max(other) * SAME_ROW;
        if is_other && !is_same && !product.is_guess && !self.is_known_better(tokens, product, is_alike) {
            return true;
        }
        let is_product =
            || is_of_chain || is_alike || shows_all(&by_rules.name, &tokens[product.range.clone()], &self.lexicon);
        let is_of_maker = self.maker_names.is_maker_in(product, &by_rules.shown) && is_product();
        if !is_of_maker && !is_alike && !product.is_guess {
            return true;
        }
        let most = match (is_of_maker, is_of_chain) {
            // A row for this maker knows more about its products.
            (true, false) => OTHER_PORTION,
            (true, true) => SAME_MAKER,
            (false, _) if product.is_guess => SAME_PLACE,
            (false, _) => SAME_PRODUCT,
        };
        let (by_rules, named) = (by_rules.calories, named.calories);
        (by_rules - named).abs() > named.max(by_rules) * most
    }

    /// Checks whether the words of a product are part of an everyday name that says more than the product is called, and means
    /// something else: "Oatly yogurt" is no oat drink.
    fn is_in_everyday_name(&self, tokens: &[Token], product: &NamedProduct) -> bool {
        let Range { start, end } = product.range;
        let longest = tokens.len().min(start + MAX_TOKENS);
        let mut spans = (start.saturating_sub(MAX_WORDS_BEFORE)..=start)
            .flat_map(|from| (end..=longest).rev().map(move |to| from..to));
        spans.any(|span| {
            let meant = self.everyday_names.meaning_of(&tokens[span.clone()]);
            meant.is_some_and(|meant| Some(meant.food) != product.food) && self.says_more(&tokens[span], product)
        })
    }

    /// Checks whether a name has words that neither say how much it is nor are in the name of a product.
    fn says_more(&self, name: &[Token], product: &NamedProduct) -> bool {
        const AMOUNT: Roles = Roles::of(&[Role::Of, Role::Size]);
        let Some(food) = product.food.and_then(|food| self.layer().food(food)) else { return false };
        let shown = [words(food.brand.as_deref().unwrap_or_default()), words(&food.name)].concat();
        let is_amount = |word: &str| self.lexicon.unit(word).is_some() || self.lexicon.roles(word).any(AMOUNT);
        let said = words(&names_of(name).join(" "));
        !said.iter().all(|word| shown.contains(word) || product.words.contains(word) || is_amount(word))
    }

    /// Checks whether the tables' food for a product is chosen by hand: for one of a restaurant that is an everyday name without it,
    /// or for one that is alike and a part of a dish: "toast with Nutella".
    fn is_known_better(&self, tokens: &[Token], product: &NamedProduct, is_alike: bool) -> bool {
        const BESIDE: Roles = Roles::of(&[Role::With, Role::In, Role::Aside]);
        let name = product.words.join(" ");
        let said = names_of(&tokens[product.range.clone()]).join(" ");
        let is_alone = !self.maker_names.is_maker_in(product, &said);
        let is_joint =
            |at: usize| tokens.get(at).and_then(Token::word).is_some_and(|word| self.lexicon.roles(word).any(BESIDE));
        if self.maker_names.is_of_chain(product) {
            is_alone && self.everyday_foods.contains_key(&name)
        } else {
            let is_longer = said.split(' ').count() > product.words.len() && self.everyday_foods.contains_key(&said);
            is_longer
                || is_alike && (product.range.start.checked_sub(1).is_some_and(is_joint) || is_joint(product.range.end))
        }
    }

    /// Checks whether a food and its portion have the sizes that a product is said in: "Wendy's small chili".
    fn shows_sizes(&self, shown: &str, product: &NamedProduct) -> bool {
        let said = product.amount.iter().filter_map(Token::word);
        let sizes: Vec<&str> = said.filter(|word| self.lexicon.roles(word).has(Role::Size)).collect();
        sizes.is_empty() || words(shown).iter().any(|word| sizes.contains(&word.as_str()))
    }

    /// Returns where the amount before a name begins.
    fn start_of_amount(&self, tokens: &[Token], name: usize) -> usize {
        let is_amount = |token: &Token| match token {
            Token::Word(word) => {
                self.lexicon.unit(word).is_some()
                    || self
                        .lexicon
                        .roles(word)
                        .any(const { Roles::of(&[Role::Of, Role::Indefinite, Role::Number, Role::Size]) })
            }
            Token::Number(..) => true,
            _ => false,
        };
        (0..name).rev().take(MAX_TOKENS_OF_AMOUNT).take_while(|&at| is_amount(&tokens[at])).last().unwrap_or(name)
    }

    /// Returns where the amount behind a name ends: "cookies 3", "milk 1 cup".
    fn end_of_amount(&self, tokens: &[Token], name: usize) -> usize {
        let is_number = matches!(tokens.get(name), Some(Token::Number(..)));
        let unit = tokens.get(name + 1).and_then(Token::word).filter(|word| self.lexicon.unit(word).is_some());
        name + usize::from(is_number) + usize::from(is_number && unit.is_some())
    }

    /// Returns what tokens that are one food lead to.
    fn calories(&self, tokens: &[Token], budget: &Budget) -> Option<OneFood> {
        let mentions = self.mentions_without_products(tokens, budget);
        let [mention] = mentions.as_slice() else { return None };
        let (food, weight) = self.weighed(mention)?;
        let row = match &weight.source {
            WeightSource::Portion(row) => row.as_str(),
            _ => "",
        };
        let shown = [food.name.as_str(), food.description.as_deref().unwrap_or_default(), row].join(" ");
        let number = mention.links.first()?.food;
        Some(OneFood { food: number, calories: food.macros(weight.grams).calories, name: food.name.clone(), shown })
    }
}

/// Checks whether a product is said in a size.
fn has_size(product: &NamedProduct, lexicon: &Lexicon) -> bool {
    product.amount.iter().filter_map(Token::word).any(|word| lexicon.roles(word).has(Role::Size))
}

/// What words lead to that are one food.
struct OneFood {
    /// The number of the food.
    food: u32,
    calories: f64,
    name: String,
    /// The names of the food and its portion.
    shown: String,
}

/// Checks whether names of a food have all words that say which food tokens mean: a row of the same maker may be another product.
fn shows_all(shown: &str, tokens: &[Token], lexicon: &Lexicon) -> bool {
    const SAY_LITTLE: Roles = Roles::of(&[Role::Filler, Role::Optional, Role::Size, Role::And, Role::With, Role::In]);
    let shown = words(shown);
    let said = tokens.iter().filter_map(Token::word).filter(|word| !lexicon.roles(word).any(SAY_LITTLE));
    said.map(singular).all(|word| shown.contains(&word))
}
