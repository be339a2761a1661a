//! Looking for names in a text.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::matching::{self, MAX_LOOK_UPS, RecipeNames};
use super::normal;
use super::recipe::Recipe;
use super::slots::{self, NameSlots};
use super::spelling::{self, Letter};
use crate::lexicon::Role;
use crate::read::text::Text;
use crate::read::token::Token;

/// Marks in a row inside a name, at most: "pasta (vegan), cold" has two.
const MAX_MARKS: usize = 3;

/// How many names that begin at the same word are kept; the longest one nearly always wins.
const MAX_AT_ONE_PLACE: usize = 3;

/// How many words a text may cost in looking for exact names, at most; a usual one takes less than a hundred. Beyond it
/// only names of few words are found.
const MAX_STEPS: usize = 60_000;

/// RecipeNames that are found in any text, whatever it cost before.
const FEW_WORDS: usize = 8;

/// A run of tokens that is a name.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Where it stands.
    pub tokens: Range<usize>,
    words: usize,
    /// Which name it is.
    pub name: usize,
    is_exact: bool,
}

/// A token as a word of a name.
struct NameToken<'a> {
    number: Option<u32>,
    text: Cow<'a, str>,
    /// A misspelled plural has two likely singulars: "smothies" is not "smothy".
    other: Option<String>,
}

impl<'a> NameToken<'a> {
    fn known(number: u32, text: &'a str) -> Self {
        Self { number: Some(number), text: Cow::Borrowed(text), other: None }
    }
}

/// A text in which names are looked for.
pub(super) struct Search<'a> {
    /// The recipes that the names name.
    pub recipes: &'a [Recipe],
    /// All their names.
    pub names: &'a RecipeNames,
    /// The text.
    pub text: Text<'a>,
    /// Where names may stand in it.
    pub phrases: &'a NameSlots,
}

impl<'a> Search<'a> {
    /// The names that stand for their recipes, in the order of the text.
    pub fn run(&self) -> Vec<Candidate> {
        let parts = self.parts();
        let (mut candidates, mut here) = (Vec::new(), Vec::new());
        let (mut budget, mut steps) = (MAX_LOOK_UPS, 0);
        for start in (0..self.text.tokens.len()).filter(|&start| self.phrases.begins[start].is_some()) {
            steps += self.exact(&parts, start, steps < MAX_STEPS, &mut here);
            self.misspelled(&parts, start, &mut budget, &mut here);
            candidates.extend(here.drain(..).filter(|candidate| self.is_meant(candidate)));
        }
        self.choose(candidates)
    }

    /// The tokens as words of names.
    fn parts(&self) -> Vec<NameToken<'a>> {
        let vocabulary = &self.names.vocabulary;
        let part = |word: &str| {
            if let Some(number) = vocabulary.number(word) {
                return NameToken::known(number, vocabulary.word(number));
            }
            let text = normal::folded(word);
            if let Some(number) = vocabulary.number(&text) {
                return NameToken::known(number, vocabulary.word(number));
            }
            let other = word.strip_suffix('s').filter(|other| *other != text && word != text).map(str::to_owned);
            NameToken { number: None, text: Cow::Owned(text), other }
        };
        let of_token = |token: &Token| match token {
            Token::Word(word) => part(word),
            Token::Number(value, _) => part(&normal::number_text(*value)),
            _ => NameToken { number: None, text: Cow::Borrowed(""), other: None },
        };
        self.text.tokens.iter().map(of_token).collect()
    }

    /// The names that begin at a token, all or only those of few words; gives how many words were looked at.
    fn exact(&self, parts: &[NameToken<'_>], start: usize, all: bool, out: &mut Vec<Candidate>) -> usize {
        let (tokens, phrases) = (self.text.tokens, self.phrases);
        let Some(first) = parts[start].number.map(|first| self.names.start(first)) else { return 0 };
        let mut run: Vec<u32> = Vec::with_capacity(16);
        let mut ends: Vec<(u64, usize, u64, usize)> = Vec::new();
        let (mut key, mut marks, mut marks_in_row, mut at) = (0, 0_u64, 0, start);
        while at < tokens.len() {
            if is_mark(&tokens[at]) {
                marks_in_row += 1;
                if !is_abbreviation(self.text, at) {
                    if marks_in_row > MAX_MARKS || !first.has_gaps {
                        break;
                    }
                    marks |= 1_u64.checked_shl(run.len() as u32).unwrap_or(0);
                }
            } else {
                let Some(number) = parts[at].number else { break };
                marks_in_row = 0;
                run.push(number);
                key = matching::extend(key, number);
                if phrases.ends[at + 1] && first.has(run.len()) {
                    ends.push((key, run.len(), marks, at + 1));
                }
                if !first.has_more(run.len()) || !all && run.len() >= FEW_WORDS {
                    break;
                }
            }
            at += 1;
        }
        let found = ends.into_iter().rev().filter_map(|(key, words, marks, end)| {
            let marks = marks & (u64::MAX >> (64 - words.min(64)));
            let name = self.names.exact(key, &run[..words], marks)?;
            Some(Candidate { tokens: start..end, words, name, is_exact: true })
        });
        out.extend(found.take(MAX_AT_ONE_PLACE));
        run.len()
    }

    /// The names that are misspelled from a token on.
    fn misspelled(&self, parts: &[NameToken<'_>], start: usize, budget: &mut u32, out: &mut Vec<Candidate>) {
        let (tokens, phrases) = (self.text.tokens, self.phrases);
        if !phrases.can_edge(start) || *budget == 0 {
            return;
        }
        let (mut text, mut other): (Vec<Letter>, Vec<Letter>) = (Vec::new(), Vec::new());
        let (mut marks, mut words, mut differs) = (0, 0, false);
        for at in start..tokens.len() {
            if is_mark(&tokens[at]) {
                marks += u32::from(!is_abbreviation(self.text, at));
                if marks > self.names.max_gaps() {
                    break;
                }
                continue;
            }
            // A number, a joint or a filler is not a slip of another word; it must be in a name as it stands.
            if phrases.is_light(at) && parts[at].number.is_none() {
                break;
            }
            if words > 0 {
                text.push(Letter::from(b' '));
                other.push(Letter::from(b' '));
            }
            spelling::spell(&parts[at].text, &mut text);
            spelling::spell(parts[at].other.as_deref().unwrap_or(&parts[at].text), &mut other);
            differs |= parts[at].other.is_some();
            words += 1;
            if text.len() > self.names.max_chars() + 2 {
                break;
            }
            *budget = budget.saturating_sub(1);
            let end = at + 1;
            let is_known = out.iter().any(|known| known.is_exact && known.tokens.end == end);
            if !phrases.ends[end] || !phrases.can_edge(at) || is_known {
                continue;
            }
            let mut name = self.names.misspelled(&text, marks, budget);
            if name.is_none() && differs {
                name = self.names.misspelled(&other, marks, budget);
            }
            if let Some(name) = name {
                out.push(Candidate { tokens: start..end, words, name, is_exact: false });
            }
        }
    }

    /// Whether a name stands for its recipe here.
    fn is_meant(&self, candidate: &Candidate) -> bool {
        let Range { start, end } = candidate.tokens;
        let is_light = (start..end).all(|at| self.phrases.is_light(at));
        if is_light && self.phrases.content > 0 {
            // A recipe called "Breakfast": "Breakfast: two eggs" is not about it.
            return false;
        }
        let serving = self.names.get(candidate.name).and_then(|name| self.recipes.get(name.recipe as usize));
        let serving = serving.and_then(|recipe| recipe.serving_description.as_deref());
        !slots::is_compound(self.text, start, end, serving)
    }

    /// Of candidates that overlap, the longest; then a name before an alias; then the latest recipe.
    fn choose(&self, mut candidates: Vec<Candidate>) -> Vec<Candidate> {
        candidates.sort_by_cached_key(|candidate| {
            let name = self.names.get(candidate.name);
            let updated = name
                .and_then(|name| self.recipes.get(name.recipe as usize))
                .map_or(i64::MIN, |recipe| recipe.updated_at);
            let is_alias = name.is_some_and(|name| name.is_alias);
            (Reverse(candidate.words), !candidate.is_exact, is_alias, Reverse(updated), candidate.tokens.start)
        });
        let mut taken = vec![false; self.text.tokens.len()];
        candidates.retain(|candidate| {
            let place = &mut taken[candidate.tokens.clone()];
            let is_free = place.iter().all(|taken| !taken);
            if is_free {
                place.fill(true);
            }
            is_free
        });
        candidates.sort_by_key(|candidate| candidate.tokens.start);
        candidates
    }
}

fn is_mark(token: &Token) -> bool {
    !matches!(token, Token::Word(_) | Token::Number(..))
}

/// Checks whether a mark is the full stop of an abbreviation.
fn is_abbreviation(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1);
    text.tokens[at] == Token::Stop && before.is_some_and(|before| text.has(before, Role::Abbreviation))
}
