//! Amounts where English has none: behind the dish that they are of, with the unit before the number, and times of day, which are
//! no amounts.

use super::entry::Kind;
use super::piece::Piece;
use crate::lexicon::{Lexicon, MeasureTrait, Role, Roles, measure_is};
use crate::read::token::Token;

/// The last hour of a day, and the minutes of an hour.
const LAST_HOUR: f64 = 24.0;
const MINUTES: f64 = 60.0;
const HOUR: &str = "hour";
/// How many percent of fat cheese may have.
const MIN_FAT: f64 = 20.0;
const MAX_FAT: f64 = 60.0;
/// The most pieces of an amount behind a comma.
const MAX_AMOUNT: usize = 4;
/// Dishes that are eaten by the piece, whatever is in them.
const DISHES: Roles = Roles::of(&[Role::Mixture, Role::Stewed, Role::Compound, Role::BreadRoll]);

/// Drops times of day, behind the words that announce them or before those that say what they are: "kl 9.15", "à 8 h 30".
pub(super) fn without_times(pieces: &[Piece], lexicon: &Lexicon) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let announcer = usize::from(pieces[at].announces_time);
        let width = width_of_time(&pieces[at + announcer..], announcer > 0, lexicon);
        if width == 0 {
            out.push(pieces[at].clone());
            at += 1;
            continue;
        }
        at += announcer + width;
        let separates = out.last().is_some_and(|last| last.kind.is_of_name());
        out.extend(separates.then(Piece::comma));
    }
    out
}

/// Returns how many pieces are a time of day; 0 if there is none.
fn width_of_time(pieces: &[Piece], is_announced: bool, lexicon: &Lexicon) -> usize {
    // "kl. 12".
    let stop = usize::from(is_announced && is_mark(pieces.first(), &Token::Stop));
    let is_hour = |hour: &f64| (1.0..=LAST_HOUR).contains(hour);
    if !pieces.get(stop).and_then(time_of).as_ref().is_some_and(is_hour) {
        return 0;
    }
    let is_minute = |at: usize| {
        let minute = pieces.get(at).and_then(time_of).filter(|minute| minute.fract() == 0.0);
        minute.is_some_and(|minute| minute < MINUTES)
    };
    let mut width = stop + 1;
    let is_unit = |at: usize| pieces.get(at).is_some_and(|piece| piece.kind == Kind::Unit);
    let is_clock = |piece: &Piece| piece.tokens.len() == 1 && words_of(piece).any(|word| is_clock(word, lexicon));
    if pieces.get(width).is_some_and(is_clock) {
        // "8 h 30".
        let has_minutes = is_minute(width + 1) && !is_unit(width + 2);
        return width + 1 + usize::from(has_minutes);
    }
    if !is_announced {
        return 0;
    }
    if is_mark(pieces.get(width), &Token::Colon) && is_minute(width + 1) {
        width += 2;
    }
    if is_unit(width) { 0 } else { width }
}

/// Checks whether a word behind a number makes it a time of day.
fn is_clock(word: &str, lexicon: &Lexicon) -> bool {
    word == HOUR || lexicon.roles(word).has(Role::Clock)
}

/// Returns the number that a piece is, if it can be a time.
fn time_of(piece: &Piece) -> Option<f64> {
    match piece.tokens.as_slice() {
        [Token::Number(value, false)] => Some(*value),
        _ => None,
    }
}

fn is_mark(piece: Option<&Piece>, mark: &Token) -> bool {
    piece.is_some_and(|piece| piece.tokens.len() == 1 && piece.tokens[0] == *mark)
}

/// Puts an article for the number one behind "shared", where many languages have one word for both.
pub(super) fn name_one_of_shared(mut pieces: Vec<Piece>, lexicon: &Lexicon) -> Vec<Piece> {
    let is_shared = |piece: &Piece| words_of(piece).any(|word| lexicon.roles(word).has(Role::Shared));
    for at in 1..pieces.len() {
        if pieces[at].tokens == [Token::Number(1.0, false)] && is_shared(&pieces[at - 1]) {
            pieces[at] = Piece::of(vec![Token::Word(lexicon.word_with(Role::Indefinite).to_owned())], Kind::Count, 0.0);
        }
    }
    pieces
}

/// Drops how fat a cheese is: "48+ kaas". The sign behind the number is read as "and", which no word of the language was.
pub(super) fn without_fat_contents(pieces: Vec<Piece>, lexicon: &Lexicon) -> Vec<Piece> {
    let is_content = |at: usize| match pieces[at..] {
        [ref number, ref sign, ref food, ..] => {
            matches!(number.kind, Kind::Number(value) if (MIN_FAT..=MAX_FAT).contains(&value) && value.fract() == 0.0)
                && sign.weight < 1.0
                && words_of(sign).any(|word| lexicon.roles(word).has(Role::And))
                && food.kind == Kind::Food
        }
        _ => false,
    };
    let dropped: Vec<bool> = (0..pieces.len()).map(|at| is_content(at) || at > 0 && is_content(at - 1)).collect();
    pieces.into_iter().zip(dropped).filter_map(|(piece, dropped)| (!dropped).then_some(piece)).collect()
}

/// Puts numbers before the units that they follow: "大さじ1", "cucchiai 2". A vague unit behind them only counts.
pub(super) fn put_numbers_before_units(mut pieces: Vec<Piece>, is_unspaced: bool) -> Vec<Piece> {
    let mut at = 0;
    while at + 1 < pieces.len() {
        let is_counted = at > 0 && pieces[at - 1].kind.is_amount();
        let is_number = matches!(pieces[at + 1].kind, Kind::Number(_)) || is_unspaced && is_fraction(&pieces[at + 1]);
        if pieces[at].kind != Kind::Unit || is_counted || !is_number || !is_measure(&pieces[at]) {
            at += 1;
            continue;
        }
        let only_counts = |piece: &Piece| {
            piece.kind == Kind::Unit && words_of(piece).any(|word| measure_is(word, MeasureTrait::Vague))
        };
        let has_counter = pieces.get(at + 2).is_some_and(only_counts);
        let behind = pieces.get(at + 2 + usize::from(has_counter));
        let ends = behind.is_none_or(|next| match next.kind {
            Kind::Break | Kind::Joint => true,
            Kind::Unit => false,
            _ => is_unspaced,
        });
        if ends {
            if has_counter {
                pieces.remove(at + 2);
            }
            pieces.swap(at, at + 1);
        }
        at += 2;
    }
    pieces
}

/// Checks whether a unit is a word for a measure and nothing else: "(tbsp)" and "2 tbsp" are none.
fn is_measure(piece: &Piece) -> bool {
    piece.tokens.len() == 1
}

fn is_fraction(piece: &Piece) -> bool {
    piece.kind == Kind::Count && words_of(piece).eq(["half"])
}

/// Puts amounts behind a comma before the dish with its parts that they are of: "wraps with chicken, 2 pieces".
pub(super) fn put_amounts_before_dishes(mut pieces: Vec<Piece>, lexicon: &Lexicon) -> Vec<Piece> {
    let mut at = 1;
    while at < pieces.len() {
        if let Some((dish, amount)) = amount_behind(&pieces, at, lexicon) {
            let moved: Vec<Piece> = pieces.drain(at..=at + amount).skip(1).collect();
            pieces.splice(dish..dish, moved);
            at += amount;
        } else {
            at += 1;
        }
    }
    pieces
}

/// Returns where a dish with its parts begins that ends before a comma, and how many pieces the amount behind the comma has.
fn amount_behind(pieces: &[Piece], comma: usize, lexicon: &Lexicon) -> Option<(usize, usize)> {
    if !is_mark(pieces.get(comma), &Token::Comma) {
        return None;
    }
    let has = |piece: &Piece, roles: Roles| words_of(piece).any(|word| lexicon.roles(word).any(roles));
    let is_size = |piece: &Piece| piece.kind == Kind::Modifier && words_of(piece).all(|word| lexicon.is_size(word));
    let amount = &pieces[comma + 1..];
    let width = amount.iter().take_while(|piece| piece.kind.is_amount() || is_size(piece)).count();
    let ends = amount.get(width).is_none_or(|next| next.kind == Kind::Break);
    if !ends || !(1..=MAX_AMOUNT).contains(&width) || !amount[..width].iter().any(|piece| piece.kind.is_amount()) {
        return None;
    }
    let start = pieces[..comma].iter().rposition(|piece| piece.kind == Kind::Break).map_or(0, |mark| mark + 1);
    let dish = start + pieces[start..comma].iter().position(|piece| piece.kind != Kind::Joint)?;
    let clause = &pieces[dish..comma];
    let joins = |piece: &&Piece, role: Role| piece.kind == Kind::Joint && has(piece, Roles::of(&[role]));
    let first = clause.first()?;
    // "toast with avocado" may be a name of the list.
    let is_of_dish = has(first, const { Roles::of(&[Role::With]) })
        || clause
            .iter()
            .find(|piece| piece.kind == Kind::Joint)
            .is_some_and(|joint| joins(&joint, Role::With) || joins(&joint, Role::And) && has(first, DISHES));
    let is_plain = clause.iter().all(|piece| piece.kind.is_of_name() || piece.kind == Kind::Joint);
    (is_of_dish && is_plain).then_some((dish, width))
}

fn words_of(piece: &Piece) -> impl Iterator<Item = &str> {
    piece.tokens.iter().filter_map(Token::word)
}
