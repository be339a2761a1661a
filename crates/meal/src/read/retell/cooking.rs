//! Verbs of cooking: "roasted a tray of potatoes" are potatoes, and nothing roasted beside them.

use super::edits::Edits;
use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// A verb that says nothing of the food; what was made may still be eaten or not.
const MADE: &str = "made";
/// How far a sentence is read for what was eaten of it.
const MAX_BEHIND: usize = 16;
/// Words that begin a statement.
const BEFORE: Roles =
    Roles::of(&[Role::And, Role::But, Role::Person, Role::Eater, Role::Filler, Role::When, Role::Opener]);
/// Words that begin a food, which no adjective is before.
const BEGINS_FOOD: Roles = Roles::of(&[Role::Indefinite, Role::Definite, Role::Possessive, Role::Some]);
/// Words between an amount and the food.
const OF: Roles = Roles::of(&[Role::Of]);

/// Replaces verbs of cooking by one that says nothing, and puts what they say of the food before its name: "fried two eggs" are two fried
/// eggs; returns `None` if there are none.
pub(super) fn tell_as_made(text: Text<'_>) -> Option<Vec<Token>> {
    let mut edits = Edits::of(text.tokens);
    for verb in (0..text.len()).filter(|&at| text.has(at, Role::State) && begins_statement(text, at)) {
        let name = name_behind(text, verb + 1).filter(|&name| !was_counted_when_eaten(text, name));
        if let Some(name) = name {
            let amount = text.tokens[verb + 1..name].iter();
            let made = Token::Word(MADE.to_owned());
            let told: Vec<Token> = std::iter::once(&made).chain(amount).chain([&text.tokens[verb]]).cloned().collect();
            edits.replace(verb..name, told);
        }
    }
    edits.finish()
}

/// Checks whether a statement may begin at a position.
fn begins_statement(text: Text<'_>, at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| !text.is_word(before) && !is_number(text, before) || text.any(before, BEFORE))
}

/// Returns where the name of a food begins that follows with an amount, as it does behind a verb: "potatoes, boiled 200 g" were not
/// cooked just now.
fn name_behind(text: Text<'_>, at: usize) -> Option<usize> {
    let article = usize::from(text.any(at, BEGINS_FOOD));
    let number = usize::from(is_number(text, at + article));
    if article + number == 0 {
        return None;
    }
    let behind = at + article + number;
    let unit = text.unit(behind).map_or(behind, |(_, _, width)| behind + width);
    let name = unit + usize::from(text.any(unit, OF));
    text.is_word(name).then_some(name)
}

/// Checks whether a sentence goes on with how many were eaten of what was made: "baked 12 muffins, ate 2".
fn was_counted_when_eaten(text: Text<'_>, from: usize) -> bool {
    let mut behind = (from..text.len()).take(MAX_BEHIND).take_while(|&at| text.tokens[at] != Token::Stop);
    behind.any(|at| text.has(at, Role::Eating) && matches!(text.tokens.get(at + 1), Some(Token::Number(..))))
}

/// Checks whether a number is at a position.
fn is_number(text: Text<'_>, at: usize) -> bool {
    matches!(text.tokens.get(at), Some(Token::Number(..))) || text.has(at, Role::Number) || text.has(at, Role::Fraction)
}
