//! Words without spaces between them, and compound words: which words of the tables they are made of.

use super::entry::{Kind, TableEntry};
use super::language::Language;
use super::piece::{English, Piece};

/// The most letters of a word of the tables that is looked for inside of another.
const MAX_LETTERS: usize = 24;
/// The most letters of a text without spaces that are read at once.
const MAX_RUN: usize = 400;
/// The fewest letters of a part of a compound.
const MIN_PART: usize = 3;
/// The fewest letters of the last part, if the front is not known.
const MIN_HEAD: usize = 5;
/// What a piece costs, and a letter that belongs to none.
const PIECE_COST: u32 = 10;
const UNKNOWN_COST: u32 = 25;
/// The most letters of a syllable, and of a part of a word that runs into others.
const MAX_SYLLABLE: usize = 3;
const MAX_GLUED: usize = 40;
/// What a word costs that is only part of phrases.
const PHRASE_COST: u32 = 15;

/// Cuts a run of letters into words of the tables, so that the fewest letters are left over and the words are few.
pub(super) fn cut(run: &str, language: &Language, english: &impl English, out: &mut Vec<Piece>) {
    let mut bounds: Vec<usize> = run.char_indices().map(|(at, _)| at).take(MAX_RUN).collect();
    bounds.push(run.char_indices().nth(MAX_RUN).map_or(run.len(), |(at, _)| at));
    let last = bounds.len() - 1;
    // For each place the least cost from there to the end, and the width of the first word, 0 if it is unknown.
    let mut best: Vec<(u32, usize)> = vec![(0, 0); last + 1];
    for at in (0..last).rev() {
        best[at] = (best[at + 1].0 + UNKNOWN_COST, 0);
        for width in 1..=MAX_LETTERS.min(last - at) {
            let is_word = language.words().entry_of(&run[bounds[at]..bounds[at + width]]).is_some();
            let cost = best[at + width].0 + PIECE_COST;
            if is_word && cost <= best[at].0 {
                best[at] = (cost, width);
            }
        }
    }
    let (mut at, first) = (0, out.len());
    while at < last {
        let width = best[at].1.max((at..last).take_while(|&place| best[place].1 == 0).count());
        let word = &run[bounds[at]..bounds[at + width]];
        match language.words().entry_of(word) {
            // Two letters are about a word.
            Some(entry) => {
                let food = entry.food.and_then(|food| language.words().food(food));
                let is_shown = food.is_some_and(|food| food.words == word);
                out.push(Piece { is_shown, ..Piece::of_entry(entry, width as f32 * 0.5) });
            }
            None => out.push(Piece::of_unknown(word, english)),
        }
        at += width;
    }
    out.iter_mut().skip(first + 1).for_each(|piece| piece.begins_word = false);
}

/// Returns the words of the tables that a word is made of, if it is none itself and they explain all of it: a food with its
/// particle, a food with its amount.
pub(super) fn words_in<'w>(word: &'w str, language: &Language) -> Option<Vec<&'w str>> {
    let words = language.words();
    if word.is_ascii() || words.has(word) {
        return None;
    }
    let bounds: Vec<usize> = word.char_indices().map(|(at, _)| at).take(MAX_RUN + 1).chain([word.len()]).collect();
    let last = bounds.len() - 1;
    // For each place the least cost from there to the end, and the width of the first word.
    let mut best: Vec<Option<(u32, usize)>> = vec![None; last + 1];
    best[last] = Some((0, 0));
    for at in (0..last).rev() {
        for width in 1..=MAX_GLUED.min(last - at) {
            let Some((rest, _)) = best[at + width] else { continue };
            let part = &word[bounds[at]..bounds[at + width]];
            let cost = match words.entry_of(part) {
                Some(_) => rest + PIECE_COST,
                // It is only in phrases.
                None if words.has(part) => rest + PHRASE_COST,
                None => continue,
            };
            if best[at].is_none_or(|(least, _)| cost <= least) {
                best[at] = Some((cost, width));
            }
        }
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while at < last {
        let (_, width) = best[at]?;
        parts.push(&word[bounds[at]..bounds[at + width]]);
        at += width;
    }
    // Very short words explain anything.
    let is_sure = parts.len() <= 2 || parts.iter().any(|part| part.chars().count() > MAX_SYLLABLE);
    is_sure.then_some(parts)
}

/// Reads a compound word as its parts; the last one says what it is. Returns `None` if that is not known.
pub(super) fn compound(word: &str, language: &Language) -> Option<Piece> {
    if language.settings().links.is_empty() || word.chars().count() < MIN_PART + MIN_HEAD {
        return None;
    }
    let (parts, weight) = match parts_of(word, language, MAX_PARTS) {
        Some(parts) => (parts, 1.0),
        // English has such words too: "smashburger".
        None => (vec![head_of(word, language)?], 0.1),
    };
    let mut compound = Piece::of_entry(parts.last()?, weight);
    compound.tokens = parts.iter().flat_map(|part| Piece::of_entry(part, 0.0).tokens).collect();
    if compound.tokens.is_empty() {
        return None;
    }
    compound.kind = if compound.kind.is_amount() { compound.kind } else { Kind::Food };
    Some(compound)
}

/// The most parts of a compound.
const MAX_PARTS: usize = 4;

/// Splits a word into parts that are in the tables, the longest first part that leaves a rest which is.
fn parts_of<'l>(word: &str, language: &'l Language, max: usize) -> Option<Vec<&'l TableEntry>> {
    if let Some(whole) = last_part(word, language) {
        return Some(vec![whole]);
    }
    if max <= 1 {
        return None;
    }
    let cuts: Vec<usize> = word.char_indices().map(|(at, _)| at).skip(MIN_PART).collect();
    cuts.iter().rev().find_map(|&at| {
        let front = language.words().entry_of(&word[..at]).filter(|front| is_part(front))?;
        let rest = &word[at..];
        let links = language.settings().links.iter().filter_map(|link| rest.strip_prefix(link));
        let tail = std::iter::once(rest)
            .chain(links)
            .filter(|tail| tail.chars().count() >= MIN_PART)
            .find_map(|tail| parts_of(tail, language, max - 1))?;
        Some(std::iter::once(front).chain(tail).collect())
    })
}

/// Returns what the end of a compound is, in any of its forms.
fn last_part<'l>(word: &str, language: &'l Language) -> Option<&'l TableEntry> {
    let (entry, _) = language.words().longest(&[&language.words().readings(word)])?;
    is_part(entry).then_some(entry)
}

/// Returns the longest known end of a word whose front is not known.
fn head_of<'l>(word: &str, language: &'l Language) -> Option<&'l TableEntry> {
    let letters = word.chars().count();
    let starts = word.char_indices().map(|(at, _)| at).enumerate();
    let starts = starts.filter(|(place, _)| *place >= MIN_PART && letters - place >= MIN_HEAD);
    starts.filter_map(|(_, at)| last_part(&word[at..], language)).find(|entry| entry.kind == Kind::Food)
}

/// Checks whether a word can be a part of a compound.
fn is_part(entry: &TableEntry) -> bool {
    entry.is_front || matches!(entry.kind, Kind::Food | Kind::Modifier | Kind::Unit | Kind::Number(_) | Kind::Scale(_))
}
