//! Foods of a language's list, kept as what the list means.
//!
//! The rules for English names look at what stands beside a food: "rice and peas" is a dish, "milk and banana" a drink. A person
//! who writes another language has not said the English name, so a food that nothing describes is replaced by a word that
//! stands for it. What is described ("grilled"), and what is told by its ingredients ("salad with tuna"), is left to the rules.

use super::entry::Kind;
use super::piece::{English, Piece};
use crate::lexicon::{Lexicon, Role, Roles};
use crate::read::token::Token;

/// Dishes that people describe by what is in them.
const TOLD_BY_PARTS: Roles = Roles::of(&[Role::Mixture, Role::Stewed]);
/// Words that change the food before them: "without skin", "in butter".
const CHANGES: Roles = Roles::of(&[Role::Denial, Role::Not, Role::NotDone, Role::In]);

/// The most parts of a dish that are looked at.
const MAX_LISTED: usize = 12;

/// Replaces foods of the list that stand alone by words that stand for them.
pub(super) fn name_foods(mut pieces: Vec<Piece>, english: &impl English) -> Vec<Piece> {
    let lexicon = english.lexicon();
    let is_dish = |piece: &Piece| piece.kind.is_of_name() && has_role(piece, TOLD_BY_PARTS, lexicon);
    let mut named = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let width = pieces[start..].iter().position(|piece| piece.kind == Kind::Break);
        let end = width.map_or(pieces.len(), |width| start + width + 1);
        let are_parts = lists_parts(&pieces, start, end);
        if !are_parts && !pieces[start..end].iter().any(is_dish) {
            let alone = (start..end).filter(|at| is_alone(&pieces, *at, lexicon));
            named.extend(alone.filter_map(|at| Some((at, english.named(&words_of(&pieces[at]))?))));
        }
        start = end;
    }
    for (at, food) in named {
        pieces[at].tokens = vec![Token::Word(food.word())];
    }
    pieces
}

/// Checks whether the parts of a dish are listed from one mark to the next, or begin behind it: "bowl (rice, chicken)".
fn lists_parts(pieces: &[Piece], start: usize, end: usize) -> bool {
    let is = |at: usize, mark: &Token| pieces.get(at).is_some_and(|piece| piece.tokens.first() == Some(mark));
    let opens = |at: usize| is(at, &Token::Open) || is(at, &Token::Colon);
    let fewest = |at: usize| if is(at, &Token::Open) { 1 } else { 2 };
    let begins = |at: usize| opens(at) && names_dish_before(pieces, at) && lists_foods(&pieces[at + 1..], fewest(at));
    begins(end - 1) || {
        // The list goes on behind its commas.
        let marks = (0..start).rev().take_while(|&at| pieces[at].kind != Kind::Break || !is(at, &Token::Stop));
        let mut marks = marks.filter(|&at| pieces[at].kind == Kind::Break).take(MAX_LISTED);
        marks.find(|&at| opens(at) || is(at, &Token::Close)).is_some_and(begins)
    }
}

/// Checks whether a food ends before a mark.
fn names_dish_before(pieces: &[Piece], mark: usize) -> bool {
    mark.checked_sub(1).is_some_and(|before| pieces[before].kind == Kind::Food)
}

/// Checks whether a list begins with so many foods without amounts. One in a bracket may say which food is meant: "ramen (miso)".
fn lists_foods(pieces: &[Piece], least: usize) -> bool {
    let ends = |piece: &&Piece| !matches!(piece.tokens.first(), Some(Token::Stop | Token::Close));
    let listed: Vec<&Piece> = pieces.iter().take_while(ends).collect();
    let foods = listed.iter().filter(|piece| piece.kind == Kind::Food).count();
    foods >= least && !listed.iter().any(|piece| piece.kind.is_amount())
}

/// Checks whether a piece is a food of the list that nothing beside it describes but a size.
fn is_alone(pieces: &[Piece], at: usize, lexicon: &Lexicon) -> bool {
    let describes =
        |piece: &Piece| piece.kind.is_of_name() && !words_of(piece).iter().all(|word| lexicon.is_size(word));
    let before = at.checked_sub(1).map(|before| &pieces[before]);
    pieces[at].food.is_some()
        && !before.is_some_and(|piece| describes(piece) || has_role(piece, const { Roles::of(&[Role::In]) }, lexicon))
        && !is_changed(&pieces[at + 1..], describes, lexicon)
}

/// Checks whether what follows a food says which one it is: "pasta (dry)", "chicken leg with skin".
fn is_changed(behind: &[Piece], describes: impl Fn(&Piece) -> bool, lexicon: &Lexicon) -> bool {
    let amount = behind.iter().take_while(|piece| piece.kind.is_amount()).count();
    // "noodles 100 g raw": the state stands behind the amount.
    if amount > 0 && is_only_state(&behind[amount..]) {
        return true;
    }
    let Some((next, rest)) = behind.split_first() else { return false };
    match next.kind {
        Kind::Break => is_only_state(rest),
        Kind::Joint if has_role(next, const { Roles::of(&[Role::With]) }, lexicon) => {
            let added = rest.iter().find(|piece| !piece.kind.is_amount());
            next.tokens.len() > 1 || added.is_some_and(|piece| piece.kind == Kind::Modifier)
        }
        _ => describes(next) || has_role(next, CHANGES, lexicon),
    }
}

/// Checks whether pieces begin with how a food is, and not with another food that is so.
fn is_only_state(pieces: &[Piece]) -> bool {
    let states = pieces.iter().take_while(|piece| piece.kind == Kind::Modifier).count();
    states > 0 && pieces.get(states).is_none_or(|piece| !piece.kind.is_of_name())
}

fn has_role(piece: &Piece, roles: Roles, lexicon: &Lexicon) -> bool {
    words_of(piece).iter().any(|word| lexicon.roles(word).any(roles))
}

fn words_of(piece: &Piece) -> Vec<&str> {
    piece.tokens.iter().filter_map(Token::word).collect()
}
