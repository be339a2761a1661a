//! Dishes that the tables do not have. Some are expanded into foods that they have: "avocado toast" is toast with avocado; that
//! list is a data file. Others are foods of the catalog with names of their own, which become one word each. A caller's
//! own recipe of that name has been found before.

use std::borrow::Cow;

use foldhash::{HashMap, HashSet};
use foods::Food;
use foods::text::{is_stop_word, singular};

use super::survey_names::SurveyNames;
use super::token::{Token, tokens};
use super::{common_words, dish_words, plurals};
use crate::lexicon::{Lexicon, Role, Roles, measure, roles_in_any_language};

/// Words before a noun that say nothing about which food it is.
const ARTICLES: Roles = Roles::of(&[Role::Definite, Role::Possessive]);

/// The most tokens of a name.
const MAX_NAME: usize = 8;

/// The most modifiers between a number and what it counts: "3 hot wings".
const MAX_MODIFIERS: usize = 2;

/// How many words before a dish may say that it was replaced: "instead of".
const MAX_INSTEAD: usize = 2;

/// A dish by one of its names.
#[derive(Debug)]
struct ComposedDish {
    /// The words and numbers of the name, words in the singular.
    name: Vec<Token>,
    /// What each of them does.
    roles: Vec<Roles>,
    /// What it stands for.
    tokens: Vec<Token>,
    /// It is a food of the catalog.
    is_dish: bool,
}

/// The dishes.
#[derive(Debug, Default)]
pub struct ComposedDishes {
    /// By their first word in the singular, those with the longest names first.
    dishes: HashMap<String, Vec<ComposedDish>>,
    /// The words of their names, in the singular.
    words: HashSet<String>,
    /// The names of other foods that have dishes in them.
    survey_names: SurveyNames,
}

impl ComposedDishes {
    /// The list, and dishes of the catalog with their numbers.
    pub fn new(lexicon: &Lexicon, dishes: impl Iterator<Item = (u32, Food)>, survey_names: SurveyNames) -> Self {
        let mut all = Self { survey_names, ..Self::default() };
        for (dish, plate) in lexicon.plates() {
            all.add(dish, &tokens(plate), false);
        }
        for (number, food) in dishes {
            for (at, name) in std::iter::once(&food.name).chain(&food.synonyms).enumerate() {
                all.add(name, &[Token::Word(dish_words::word(number, at))], true);
            }
        }
        for (name, word) in common_words::all() {
            all.add(name, &[Token::Word(word)], true);
        }
        all
    }

    /// Adds a dish by one of its names; one that is there already stays.
    fn add(&mut self, name: &str, stands_for: &[Token], is_dish: bool) {
        let name = in_singular(&tokens(name));
        if let Some((Token::Word(last), rest)) = name.split_last()
            && let Some(plural) = plurals::mistaken(last)
        {
            self.add_name([rest, &[Token::Word(plural)]].concat(), stands_for, is_dish);
        }
        self.add_name(name, stands_for, is_dish);
    }

    fn add_name(&mut self, name: Vec<Token>, stands_for: &[Token], is_dish: bool) {
        let Some(first) = name.first().and_then(key) else { return };
        self.words.extend(name.iter().filter_map(Token::word).map(str::to_owned));
        let plates = self.dishes.entry(first.into_owned()).or_default();
        // The longest first, so that "full english breakfast" is not "full english" and a breakfast.
        let place = plates.partition_point(|other| other.name.len() >= name.len());
        if !plates[..place].iter().any(|other| other.name == name) {
            let roles = roles_of(&name);
            plates.insert(place, ComposedDish { name, roles, tokens: stands_for.to_vec(), is_dish });
        }
    }

    /// Expands the dishes of a text into foods; returns `None` if it has none. `is_known` checks whether a word, in the
    /// singular, is in the names of other foods; `says_food`, whether it says which food is meant.
    pub fn expand(
        &self,
        text: &[Token],
        is_known: impl Fn(&str) -> bool,
        says_food: impl Fn(&str) -> bool,
    ) -> Option<Vec<Token>> {
        let typed = in_singular(text);
        let roles = roles_of(&typed);
        let mut out: Option<Vec<Token>> = None;
        let mut at = 0;
        while at < text.len() {
            // "zucchini noodles instead of spaghetti with pesto" have pesto.
            let is_replaced = roles[at.saturating_sub(MAX_INSTEAD)..at].iter().any(|roles| roles.has(Role::Instead));
            let has_addition = |dish: &ComposedDish| dish.roles.iter().any(|roles| roles.has(Role::With));
            let found = self.at(&typed, &roles, at, &is_known, &says_food);
            let found = found.filter(|(dish, _)| !is_replaced || !has_addition(dish));
            let of_survey = self.survey_names.length_at(&typed[at..]);
            if let Some(len) = of_survey.filter(|of_survey| found.is_none_or(|(_, len)| len < *of_survey)) {
                if let Some(out) = &mut out {
                    out.extend_from_slice(&text[at..at + len]);
                }
                at += len;
            } else if let Some((plate, len)) = found.filter(|(_, len)| !counts_pieces(text, &roles, at, *len)) {
                let typed = &text[at..at + len];
                out.get_or_insert_with(|| text[..at].to_vec()).extend(plate.tokens_for(typed));
                at += len;
            } else {
                if let Some(out) = &mut out {
                    out.push(text[at].clone());
                }
                at += 1;
            }
        }
        out
    }

    /// Checks whether a word is in the name of a dish.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(&singular(word))
    }

    /// Returns how many tokens the longest name of a dish, or of a food of the tables, has that a text begins with.
    pub fn name_at(&self, text: &[Token]) -> Option<usize> {
        let typed = in_singular(&text[..text.len().min(MAX_NAME)]);
        let roles = roles_of(&typed);
        let dish = self.beginning(&typed).iter().find_map(|dish| dish.length(&typed, &roles));
        dish.max(self.survey_names.length_at(&typed))
    }

    /// Checks whether words in the singular are the name of a dish.
    pub fn is_name(&self, words: &[String]) -> bool {
        let is_same = |dish: &ComposedDish| {
            dish.name.len() == words.len() && dish.name.iter().zip(words).all(|(one, other)| one.word() == Some(other))
        };
        words.first().and_then(|first| self.dishes.get(first)).is_some_and(|dishes| dishes.iter().any(is_same))
    }

    /// Returns the dishes whose names begin with the first word of a text and are no longer than it.
    fn beginning(&self, text: &[Token]) -> &[ComposedDish] {
        let dishes = text.first().and_then(key).and_then(|key| self.dishes.get(key.as_ref()));
        let dishes = dishes.map_or(&[][..], Vec::as_slice);
        &dishes[dishes.partition_point(|dish| dish.name.len() > text.len())..]
    }

    /// The dish that begins at a token of a text, and how many tokens it has there.
    fn at(
        &self,
        text: &[Token],
        roles: &[Roles],
        at: usize,
        is_known: impl Fn(&str) -> bool,
        says_food: impl Fn(&str) -> bool,
    ) -> Option<(&ComposedDish, usize)> {
        let (before, text, roles) = (at.checked_sub(1).map(|last| &text[last]), &text[at..], &roles[at..]);
        let plates = self.beginning(text);
        // Words that name other foods too mean a dish only by themselves: a "pork sausage patty" is none.
        let is_common = |token: &Token| match token {
            Token::Word(word) => is_stop_word(word) || is_known(word),
            _ => true,
        };
        let says_more = |token: Option<&Token>| matches!(token, Some(Token::Word(word)) if says_food(word));
        let is_meant = |plate: &ComposedDish, len: usize| {
            let next = text.get(len);
            let is_kind_of_next = roles.get(len).is_some_and(|next| next.has(Role::Compound));
            // "leftover chinese" is takeaway, and a "leftover chinese egg tart" is none.
            let is_filler = |at: usize| roles.get(at).is_some_and(|roles| roles.has(Role::Filler));
            let are_common = || plate.name.iter().enumerate().all(|(at, token)| is_filler(at) || is_common(token));
            let is_common = || (says_more(before) || says_more(next)) && are_common();
            let is_other_food = plate.is_dish && is_common();
            // "chicken 65 g": the number is an amount.
            let is_amount = matches!(plate.name.last(), Some(Token::Number(..))) && next.is_some_and(is_word);
            !is_kind_of_next && !is_other_food && !is_amount
        };
        let here = plates.iter().filter_map(|plate| Some((plate, plate.length(text, roles)?)));
        here.into_iter().find(|(plate, len)| is_meant(plate, *len))
    }
}

impl ComposedDish {
    /// Returns what it stands for where it is typed so: several dishes and several eggs stay several.
    fn tokens_for<'d>(&'d self, typed: &'d [Token]) -> impl Iterator<Item = Token> + 'd {
        let is_plural = |token: &&Token| token.word().is_some_and(|word| singular(word) != word);
        let are_several = self.is_dish && typed.last().as_ref().is_some_and(is_plural);
        self.tokens.iter().map(move |token| match token {
            Token::Word(word) if are_several => Token::Word(plurals::marked(word)),
            Token::Word(word) => {
                let is_same = |typed: &&Token| typed.word().is_some_and(|typed| singular(typed) == singular(word));
                typed.iter().filter(is_plural).find(is_same).unwrap_or(token).clone()
            }
            other => other.clone(),
        })
    }

    /// Returns how many tokens of a text are the name that it begins with. "A hot dog, without the bun": an article inside
    /// says nothing, nor which word denies. `roles` are those of the text.
    fn length(&self, text: &[Token], roles: &[Roles]) -> Option<usize> {
        let mut at = 0;
        for (token, of_token) in self.name.iter().zip(&self.roles) {
            if text.get(at) != Some(token) {
                let denies = of_token.has(Role::Denial);
                let is_denial = |at: usize| denies && roles.get(at).is_some_and(|roles| roles.has(Role::Denial));
                let says_nothing = roles.get(at)?.any(ARTICLES) || denies && text[at] == Token::Comma;
                if at > 0 && !is_denial(at) && says_nothing {
                    at += 1;
                }
                if text.get(at) != Some(token) && !is_denial(at) {
                    return None;
                }
            }
            at += 1;
        }
        Some(at)
    }
}

/// Checks whether a number before the name that begins at a token counts only what is first in it.
pub fn is_counted_apart(text: &[Token], at: usize, len: usize) -> bool {
    let start = at.saturating_sub(MAX_MODIFIERS + 1);
    let near = &text[start..at + len];
    counts_pieces(near, &roles_of(near), at - start, len)
}

/// Checks whether a number before the name of a dish counts what is first in it: "two sausages, egg and chips" is one plate, and
/// "3 hot wings and fries" are three wings.
fn counts_pieces(text: &[Token], roles: &[Roles], at: usize, len: usize) -> bool {
    const JOINTS: Roles = Roles::of(&[Role::And, Role::With]);
    const OTHERS: Roles = Roles::of(&[Role::And, Role::With, Role::In, Role::On, Role::Of, Role::Or, Role::Aside]);
    let is_number = |before: usize| match &text[before] {
        Token::Number(count, _) => *count > 1.0,
        _ => roles[before].has(Role::Number) && !roles[before].has(Role::Pronoun),
    };
    let is_plural = |token: &Token| token.word().is_some_and(|word| singular(word) != word);
    let is_modifier = |before: &usize| {
        let word = text[*before].word();
        word.is_some_and(|word| measure(&singular(word)).is_none())
            && !is_number(*before)
            && !roles[*before].any(OTHERS)
    };
    let modifiers = (0..at).rev().take(MAX_MODIFIERS).take_while(is_modifier).count();
    let joint = (at + 1..at + len).find(|&joint| roles[joint].any(JOINTS));
    let is_counted = (at - modifiers).checked_sub(1).is_some_and(is_number);
    is_counted && joint.is_some_and(|joint| text[at..joint].iter().any(is_plural))
}

/// What dishes are filed under: the first word or number of their name.
fn key(token: &Token) -> Option<Cow<'_, str>> {
    match token {
        Token::Word(word) => Some(Cow::Borrowed(word)),
        Token::Number(value, false) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

/// Returns what each token does.
fn roles_of(text: &[Token]) -> Vec<Roles> {
    text.iter().map(|token| token.word().map_or(Roles::NONE, roles_in_any_language)).collect()
}

fn is_word(token: &Token) -> bool {
    token.word().is_some()
}

/// The tokens with every word in the singular.
fn in_singular(text: &[Token]) -> Vec<Token> {
    let one = |token: &Token| match token {
        Token::Word(word) => Token::Word(singular(word)),
        other => other.clone(),
    };
    text.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Option<Vec<Token>> {
        ComposedDishes::new(&Lexicon::default(), std::iter::empty(), SurveyNames::default()).expand(
            &tokens(text),
            |_| true,
            |_| true,
        )
    }

    #[test]
    fn a_dish_becomes_its_foods_wherever_it_stands() {
        assert_eq!(spelled("two avocado toasts, please"), Some(tokens("two toasts with avocado, please")));
        assert_eq!(spelled("Roast beef & gravy"), Some(tokens("roast beef, gravy")));
        assert_eq!(spelled("a full English breakfast"), spelled("a full English"));
        assert_eq!(
            spelled("beer, crackers with cheese and roast beef and gravy"),
            Some(tokens("beer, crackers, cheese and roast beef, gravy"))
        );
    }

    #[test]
    fn what_is_no_dish_of_the_list_stays() {
        for text in ["", "fish", "fish and", "toast with avocado", "ham and eggs sandwich", "cheese, crackers"] {
            assert_eq!(spelled(text), None, "{text}");
        }
    }
}
