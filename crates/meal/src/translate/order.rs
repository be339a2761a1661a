//! The pieces of a text in the order of English: numbers added up, adjectives before their noun, the head behind what it is
//! made of, and amounts apart from each other.

use super::amounts;
use super::entry::Kind;
use super::language::Language;
use super::piece::{English, Piece};
use crate::lexicon::{Lexicon, Role, Roles};
use crate::read::token::Token;

/// So many foods in a row are a list.
const MIN_LIST: usize = 3;
/// The sizes of bottles and glasses in liters.
const VOLUMES: [f64; 8] = [0.1, 0.2, 0.25, 0.3, 0.33, 0.4, 0.5, 0.75];
const LITER: &str = "l";

/// Puts the pieces of a text into the order of English.
pub(super) fn in_order(pieces: &[Piece], language: &Language, english: &impl English) -> Vec<Piece> {
    let lexicon = english.lexicon();
    let pieces = amounts::without_times(pieces, lexicon);
    let mut pieces = amounts::without_fat_contents(pieces, lexicon);
    pieces.retain(|piece| piece.kind != Kind::Nothing);
    let pieces = add_numbers(without_stops_of_short_forms(pieces));
    let pieces = amounts::name_one_of_shared(pieces, lexicon);
    let pieces = amounts::put_numbers_before_units(pieces, language.settings().is_unspaced);
    let pieces = separate_meals(pieces, lexicon);
    let pieces = move_modifiers(pieces);
    let pieces = resolve_genitives(pieces, lexicon);
    let pieces = amounts::put_amounts_before_dishes(pieces, lexicon);
    let pieces = separate_foods(pieces, language.settings().is_unspaced, english);
    let pieces = add_liters(pieces);
    separate_amounts(pieces, lexicon)
}

/// Drops the stop of a short form: "ca. 70 g".
fn without_stops_of_short_forms(pieces: Vec<Piece>) -> Vec<Piece> {
    let is_of_short_form = |at: usize| {
        let is_stop = pieces[at].tokens == [Token::Stop];
        let is_behind = |kind: Kind| at.checked_sub(1).is_some_and(|before| pieces[before].kind == kind);
        is_stop && is_behind(Kind::Joint) && pieces.get(at + 1).is_some_and(|next| matches!(next.kind, Kind::Number(_)))
    };
    let keep: Vec<bool> = (0..pieces.len()).map(|at| !is_of_short_form(at)).collect();
    pieces.into_iter().zip(keep).filter_map(|(piece, keep)| keep.then_some(piece)).collect()
}

/// Adds up the words of a number: "zwei hundert fünfzig".
fn add_numbers(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut sum = Sum::default();
    for piece in pieces {
        let fraction = matches!(piece.tokens.as_slice(), [Token::Number(_, true)]);
        match piece.kind {
            Kind::Number(value) if !fraction => {
                if !sum.takes(value) {
                    out.extend(std::mem::take(&mut sum).piece());
                }
                sum.add(value);
            }
            Kind::Scale(scale) => sum.scale(scale),
            _ => {
                out.extend(std::mem::take(&mut sum).piece());
                out.push(piece);
            }
        }
    }
    out.extend(sum.piece());
    out
}

/// A number that is being read.
#[derive(Default)]
struct Sum {
    total: f64,
    /// A digit that may still be multiplied.
    digit: Option<f64>,
    /// The smallest power that was added; what follows must be smaller.
    least: Option<f64>,
}

impl Sum {
    fn takes(&self, value: f64) -> bool {
        self.digit.is_none() && self.least.is_none_or(|least| value < least)
    }

    fn add(&mut self, value: f64) {
        if value < 10.0 || value.fract() != 0.0 {
            self.digit = Some(value);
        } else {
            self.total += value;
            let power = 10f64.powf(value.log10().floor());
            // Behind a number that is not round comes another one.
            self.least = Some(if value % power == 0.0 { power } else { 0.0 });
        }
    }

    fn scale(&mut self, scale: f64) {
        if self.digit.is_none() && self.total > 0.0 && scale >= 1000.0 {
            self.total *= scale;
        } else {
            self.total += self.digit.take().unwrap_or(1.0) * scale;
        }
        self.least = Some(scale);
    }

    fn piece(self) -> Option<Piece> {
        if self.digit.is_none() && self.least.is_none() {
            return None;
        }
        let value = self.total + self.digit.unwrap_or(0.0);
        let tokens = vec![Token::Number(value, false)];
        Some(Piece::of(tokens, Kind::Number(value), 0.0))
    }
}

/// Puts a comma behind the name of a meal: of "zum Frühstück Pilze" only the mushrooms are eaten.
fn separate_meals(pieces: Vec<Piece>, lexicon: &Lexicon) -> Vec<Piece> {
    let is_meal = |piece: &Piece| {
        let mut words = piece.tokens.iter().filter_map(Token::word);
        piece.kind == Kind::Joint && words.any(|word| lexicon.roles(word).has(Role::Meal))
    };
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len() + 1);
    for piece in pieces {
        let begins_food = piece.begins_word && !piece.is_after && (piece.kind.is_of_name() || piece.kind.is_amount());
        let is_told = begins_food && out.last().is_some_and(is_meal);
        let is_of_name = || out.len() > 1 && out[out.len() - 2].kind.is_of_name();
        if is_told && !is_of_name() {
            out.push(Piece::comma());
        }
        out.push(piece);
    }
    out
}

/// Moves what stands behind a food before it: "pollo frito" is fried chicken.
fn move_modifiers(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = pieces.into_iter().peekable();
    while let Some(piece) = rest.next() {
        let start = if piece.is_after { start_of_name(&out) } else { out.len() };
        if piece.is_after && piece.kind == Kind::Joint {
            // "sugar-without coffee" is coffee without sugar.
            let name: Vec<Piece> =
                std::iter::from_fn(|| rest.next_if(|next| next.kind.is_of_name() && !next.is_after)).collect();
            let denied = out.split_off(start);
            out.extend(name);
            out.push(piece);
            out.extend(denied);
        } else {
            out.insert(start, piece);
        }
    }
    out
}

/// Returns where the name begins that a text ends with.
fn start_of_name(pieces: &[Piece]) -> usize {
    let is_name = |piece: &Piece| piece.kind.is_of_name() || piece.is_genitive;
    let mut start = pieces.len() - pieces.iter().rev().take_while(|piece| is_name(piece)).count();
    while pieces.get(start).is_some_and(|piece| piece.is_genitive) {
        start += 1;
    }
    start
}

/// Puts what a food is made of before it: "sopa de tomate" is tomato soup. Behind a unit the word is just "of".
fn resolve_genitives(pieces: Vec<Piece>, lexicon: &Lexicon) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = pieces.into_iter().peekable();
    while let Some(piece) = rest.next() {
        if !piece.is_genitive {
            out.push(piece);
            continue;
        }
        let begins_amount = rest.peek().is_some_and(|next| matches!(next.kind, Kind::Number(_)));
        match out.last().map(|last| last.kind) {
            Some(kind) if kind.is_of_name() && !begins_amount => {
                // "de la", "do": the article says nothing here.
                while rest.next_if(|next| next.kind == Kind::Count).is_some() {}
                let start = start_of_name(&out);
                let mut part = Vec::new();
                while let Some(next) = rest.next_if(|next| next.kind.is_of_name() && !next.is_genitive) {
                    part.push(next);
                }
                match out.last_mut().and_then(|last| Some((place_behind_joint(last, lexicon)?, last))) {
                    // "toast with jam" of strawberries.
                    Some((place, last)) => {
                        last.tokens.splice(place..place, part.into_iter().flat_map(|piece| piece.tokens));
                    }
                    None => drop(out.splice(start..start, part)),
                }
            }
            Some(kind) if kind.is_amount() || kind.is_of_name() => {
                let of = Token::Word(lexicon.word_with(Role::Of).to_owned());
                out.push(Piece { tokens: vec![of], kind: Kind::Joint, is_genitive: false, ..piece });
            }
            _ => {}
        }
    }
    out
}

/// Returns the place behind the last joint of a name that has one.
fn place_behind_joint(name: &Piece, lexicon: &Lexicon) -> Option<usize> {
    let joints = const { Roles::of(&[Role::And, Role::With]) };
    let is_joint = |token: &Token| token.word().is_some_and(|word| lexicon.roles(word).any(joints));
    name.tokens.iter().rposition(is_joint).map(|place| place + 1)
}

/// Gives a number such as 0.33 behind a drink its unit: where volumes are in liters, nobody says so.
fn add_liters(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = pieces.into_iter().peekable();
    while let Some(piece) = rest.next() {
        let is_fraction = matches!(piece.tokens.as_slice(), [Token::Number(_, true)]);
        let is_volume = matches!(piece.kind, Kind::Number(value) if VOLUMES.contains(&value)) && !is_fraction;
        let is_behind = out.last().is_some_and(|last| last.kind.is_of_name());
        let ends = rest.peek().is_none_or(|next| matches!(next.kind, Kind::Break | Kind::Joint));
        out.push(piece);
        if is_volume && is_behind && ends {
            let tokens = vec![Token::Word(LITER.to_owned())];
            out.push(Piece::of(tokens, Kind::Unit, 0.0));
        }
    }
    out
}

/// Puts commas between foods that only spaces separate. Two may be one food ("bocadillo jamón"); more are a list.
fn separate_foods(pieces: Vec<Piece>, is_unspaced: bool, english: &impl English) -> Vec<Piece> {
    let is_food = |piece: &Piece| piece.food.is_some() && piece.begins_word;
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = pieces.into_iter().peekable();
    while let Some(piece) = rest.next() {
        let mut foods = vec![piece];
        while let Some(next) = rest.next_if(|next| is_food(&foods[0]) && is_food(next)) {
            foods.push(next);
        }
        // Where words have no spaces between them, a space is a comma.
        let is_list = foods.len() >= MIN_LIST || is_unspaced && foods.len() > 1;
        for food in foods {
            let goes_on = out.last().is_some_and(|before| is_food(before) && !names_food(before, &food, english));
            if is_list && goes_on {
                out.push(Piece::comma());
            }
            out.push(food);
        }
    }
    out
}

/// Checks whether two foods together are another one.
fn names_food(first: &Piece, second: &Piece, english: &impl English) -> bool {
    let words: Vec<&str> = first.tokens.iter().chain(&second.tokens).filter_map(Token::word).collect();
    english.names_food(&words)
}

/// Puts commas between foods that only their amounts separate. Where the first food comes before its amount, so do the others.
fn separate_amounts(pieces: Vec<Piece>, lexicon: &Lexicon) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len() + 4);
    // What the stretch since the last break began with: a food, or an amount.
    let mut begins_with_food: Option<bool> = None;
    let states = states_behind_amounts(&pieces);
    for (piece, is_state) in pieces.into_iter().zip(states) {
        let before = out.last().map(|last| last.kind);
        if matches!(piece.kind, Kind::Break | Kind::Joint) {
            begins_with_food = None;
        } else if let Some(food_first) = begins_with_food {
            let begins_next = if food_first {
                piece.kind.is_of_name() && !is_state && matches!(before, Some(Kind::Unit | Kind::Number(_)))
            } else {
                matches!(piece.kind, Kind::Number(_)) && before.is_some_and(Kind::is_of_name)
            };
            out.extend(begins_next.then(Piece::comma));
        } else {
            begins_with_food = Some(piece.kind.is_of_name() && !is_size(&piece, lexicon));
        }
        out.push(piece);
    }
    out
}

/// Checks whether a piece is only a size, which an amount may begin with: "small bowl".
fn is_size(piece: &Piece, lexicon: &Lexicon) -> bool {
    let mut words = piece.tokens.iter().filter_map(Token::word);
    piece.kind == Kind::Modifier && words.all(|word| lexicon.is_size(word))
}

/// Says of each piece whether it is how the food before its amount is, with no food behind it: "noodles 100 g raw".
fn states_behind_amounts(pieces: &[Piece]) -> Vec<bool> {
    let mut names_food = false;
    let mut states: Vec<bool> = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().rev() {
        names_food = piece.kind == Kind::Food || names_food && piece.kind == Kind::Modifier;
        states.push(piece.kind == Kind::Modifier && !names_food);
    }
    states.reverse();
    states
}
