//! What others ate: "my husband had steak and I had fish".

use std::ops::Range;

use crate::lexicon::{Role, Roles};
use crate::read::text::Text;
use crate::read::token::Token;

/// How many words may be between a person and the verb: "I then just had".
const MAX_BETWEEN: usize = 3;
/// How far to look for a food behind a verb.
const MAX_AHEAD: usize = 8;
/// Words that begin a noun.
const DETERMINERS: Roles = Roles::of(&[Role::Possessive, Role::Definite, Role::Indefinite]);
/// Words that may name a person.
const PEOPLE: Roles = Roles::of(&[Role::Person, Role::Eater, Role::Filler]);
/// The most people that are named before a verb.
const MAX_PEOPLE: usize = 4;
/// Words that join a clause to the one before.
const JOINTS: Roles = Roles::of(&[Role::And, Role::But, Role::Aside, Role::Opener]);

/// Leaves out what others ate where the writer's own food is told too; returns `None` if there is nothing of it.
pub(super) fn only_own(text: Text<'_>) -> Option<Vec<Token>> {
    text.position(Role::Eater)?;
    let is_own = |at: &usize| text.has(*at, Role::Person) && !text.has(*at, Role::Eater);
    let eats = |at: &usize| verb_behind(text, *at + 1).is_some_and(|verb| names_food(text, verb + 1));
    let own: Vec<usize> = (0..text.len()).filter(is_own).filter(eats).collect();
    if own.is_empty() {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    let (mut at, mut is_told) = (0, false);
    while at < text.len() {
        if let Some(clause) = clause_of_other(text, at, &own) {
            is_told = true;
            at = clause.end;
            out.push(Token::Stop);
        } else {
            out.push(text.tokens[at].clone());
            at += 1;
        }
    }
    is_told.then_some(out)
}

/// Returns the clause that begins at a position if somebody else eats in it. It ends where the writer eats or the sentence ends.
fn clause_of_other(text: Text<'_>, start: usize, own: &[usize]) -> Option<Range<usize>> {
    let is_joint = |at: usize| text.tokens.get(at) == Some(&Token::Comma) || text.any(at, JOINTS);
    let begins = start == 0 || text.is_end(start - 1) || is_joint(start - 1);
    // "my wife and I had", "me and my wife had": one of them is the writer.
    let is_joined = start > 1 && text.has(start - 1, Role::And) && text.any(start - 2, PEOPLE);
    if !begins || is_joined {
        return None;
    }
    let subject = end_of_subject(text, start)?;
    let verb = verb_behind(text, subject)?;
    let own_at = own.get(own.partition_point(|own| *own <= verb)).copied();
    let end = (verb..text.len()).find(|&at| Some(at) == own_at || text.is_end(at)).unwrap_or(text.len());
    Some(start..end)
}

/// Returns where the names of others end that begin at a position: "my son and his friend".
fn end_of_subject(text: Text<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    for _ in 0..MAX_PEOPLE {
        at += usize::from(text.any(at, DETERMINERS));
        if !text.has(at, Role::Eater) {
            return None;
        }
        at += text.width(at);
        if !text.has(at, Role::And) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Returns where the verb of eating stands behind a person, with only fillers between them.
fn verb_behind(text: Text<'_>, from: usize) -> Option<usize> {
    let says_nothing = |at: &usize| text.has(*at, Role::Filler) && !text.any(*at, JOINTS);
    let between = (from..=from + MAX_BETWEEN).take_while(says_nothing);
    let verb = between.filter(|&at| text.has(at, Role::Eating)).last();
    verb.filter(|_| !text.has(from, Role::And))
}

/// Checks whether a food is named behind a verb, and not only an amount of one: "I had 2 slices".
fn names_food(text: Text<'_>, from: usize) -> bool {
    let is_inside =
        |at: &usize| !text.is_end(*at) && text.tokens.get(*at) != Some(&Token::Comma) && !text.has(*at, Role::And);
    let names = |at: usize| text.is_word(at) && !text.any(at, SAYS_NO_FOOD) && text.unit(at).is_none();
    (from..text.len().min(from + MAX_AHEAD)).take_while(is_inside).any(names)
}

/// Words that name no food.
const SAYS_NO_FOOD: Roles = Roles::of(&[
    Role::Filler,
    Role::Number,
    Role::Indefinite,
    Role::Definite,
    Role::Of,
    Role::Pronoun,
    Role::Some,
    Role::Amount,
    Role::Possessive,
]);
