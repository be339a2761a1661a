//! Foods that are split several ways: "a pizza split 3 ways" is shared between three.

use crate::lexicon::Role;
use crate::read::text::Text;
use crate::read::token::Token;

/// How far before it is said that a food is shared.
const MAX_BEFORE: usize = 12;
/// The words that tell it plainly.
const SHARED: &str = "shared";
const BETWEEN: &str = "between";
const PEOPLE: &str = "people";

/// Tells who shared a food; returns `None` if it was not split so.
pub(super) fn tell(text: Text<'_>) -> Option<Vec<Token>> {
    let is_split = |at: &usize| matches!(text.tokens[*at], Token::Number(2.0.., false)) && text.has(at + 1, Role::Ways);
    let number = (1..text.len()).find(is_split)?;
    let mut before = (number.saturating_sub(MAX_BEFORE)..number).rev().take_while(|&at| !text.is_end(at));
    let is_said = before.any(|at| text.has(at, Role::Shared));
    // "nachos split 4 ways": the word before the number says that they are.
    let verb = if is_said { number } else { number - 1 };
    let word = |word: &str| Token::Word(word.to_owned());
    let mut out = text.tokens[..verb].to_vec();
    out.extend((!is_said).then(|| word(SHARED)));
    out.extend([word(BETWEEN), text.tokens[number].clone(), word(PEOPLE)]);
    out.extend_from_slice(&text.tokens[number + 2..]);
    Some(out)
}
