//! From characters to tokens: words, numbers and the marks that separate.
//!
//! Words are folded as the catalog folds them (case, accents, apostrophes), but not made singular: "2 slices" and
//! "a slice" are still different.

use foods::text::{MAX_WORD_CHARS, folded, raw_words, singular};

use super::emoji::Emojis;
use crate::lexicon::{Role, Roles, roles_in_any_language};

/// How many tokens before an emoji may say the same.
const MAX_BEFORE_EMOJI: usize = 16;
/// The word that a dash between numbers is read as.
const RANGE: &str = "to";
/// How many letters are written as initials.
const MIN_INITIALS: usize = 3;
const MAX_INITIALS: usize = 5;
/// The most letters of the heading of a list.
const MAX_HEADING: usize = 40;
/// How far the list behind a heading is looked at.
const MAX_LINE: usize = 200;

/// The most letters that are read of the word behind a number.
const MAX_NEXT_WORD: usize = 16;
/// Words that belong to the same statement as a time of day beside them.
const GOES_ON: Roles = Roles::of(&[
    Role::When,
    Role::Preposition,
    Role::Aside,
    Role::And,
    Role::With,
    Role::Or,
    Role::On,
    Role::In,
    Role::Of,
    Role::Range,
    Role::Filler,
]);

/// A piece of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A folded word; a percentage is one word ("2%").
    Word(String),
    /// A number, and whether it was written as a fraction.
    Number(f64, bool),
    /// A comma or a dash between spaces.
    Comma,
    /// The end of a sentence or line, a semicolon, a bullet.
    Stop,
    /// A colon: what follows says more about what is before.
    Colon,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
}

impl Token {
    /// Returns the word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Splits text into tokens.
pub fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().map(plain_form).collect();
    let mut out = Vec::new();
    let mut at = 0;
    let mut next_place = '1';
    while at < chars.len() {
        let c = chars[at];
        if c == next_place && is_place(&chars, at) {
            // "1. oatmeal 2. coffee": the number of a line of a list.
            out.push(Token::Stop);
            next_place = char::from_u32(c as u32 + 1).unwrap_or(c);
            at += 2;
        } else if c.is_ascii_digit()
            || c == '.' && chars.get(at + 1).is_some_and(char::is_ascii_digit)
            || fraction_of(c).is_some()
        {
            at = number(&chars, at, &mut out);
        } else if c.is_alphabetic() {
            at = word(&chars, at, &mut out);
        } else if let Some(emojis) = Emojis::at(&chars[at..]) {
            push_emojis(emojis, &mut out);
            at += emojis.width;
        } else {
            mark(&chars, at, &mut out);
            at += 1;
        }
    }
    out
}

/// Adds the food that emojis stand for, set off by commas, unless the words before them say it too: "pizza 🍕".
fn push_emojis(emojis: Emojis, out: &mut Vec<Token>) {
    let words = || emojis.words.split(' ');
    let mut said = out.iter().rev().take(MAX_BEFORE_EMOJI).filter_map(Token::word).map(singular);
    if said.any(|said| words().any(|word| singular(word) == said)) {
        return;
    }
    if !matches!(out.last(), Some(Token::Number(..))) {
        out.push(Token::Comma);
        if emojis.count > 1 {
            out.push(Token::Number(emojis.count as f64, false));
        }
    }
    out.extend(words().map(|word| Token::Word(word.to_owned())));
    out.push(Token::Comma);
}

/// Checks whether a digit numbers a line of a list: "1. oatmeal", "2) coffee".
fn is_place(chars: &[char], at: usize) -> bool {
    let begins = chars[..at].iter().rev().find(|c| **c != ' ').is_none_or(|c| *c == '\n');
    let is_set_off = at == 0 || chars[at - 1].is_whitespace();
    let is_marked = matches!(chars.get(at + 1), Some('.' | ')')) && chars.get(at + 2) == Some(&' ');
    let is_named = chars.get(at + 3).is_some_and(|c| c.is_alphanumeric());
    is_set_off && is_marked && is_named && (begins || chars[at] != '1')
}

/// The value of a character such as ½.
fn fraction_of(c: char) -> Option<f64> {
    Some(match c {
        '½' => 0.5,
        '⅓' => 1.0 / 3.0,
        '⅔' => 2.0 / 3.0,
        '¼' => 0.25,
        '¾' => 0.75,
        '⅛' => 0.125,
        '⅜' => 0.375,
        '⅝' => 0.625,
        '⅞' => 0.875,
        '⅕' => 0.2,
        '⅙' => 1.0 / 6.0,
        _ => return None,
    })
}

/// Reads a number, a fraction, a ratio or a word that starts with a digit ("7up", "2%").
fn number(chars: &[char], start: usize, out: &mut Vec<Token>) -> usize {
    if let Some(value) = fraction_of(chars[start]) {
        out.push(Token::Number(value, true));
        return start + 1;
    }
    let mut at = start;
    let value = digits(chars, &mut at);
    if chars.get(at) == Some(&'/') && chars.get(at + 1).is_some_and(char::is_ascii_digit) {
        let mut after = at + 1;
        let below = digits(chars, &mut after);
        let is_ratio = (value + below - 100.0).abs() < 1e-9;
        if below > 0.0 && !is_ratio {
            out.push(Token::Number(value / below, true));
            return after;
        }
        if is_ratio {
            out.push(Token::Word(format!("{value}%")));
            out.push(Token::Word(format!("{below}%")));
            return after;
        }
    }
    if chars.get(at) == Some(&':') && chars.get(at + 1).is_some_and(char::is_ascii_digit) {
        // A time of day is no amount.
        at += 1;
        digits(chars, &mut at);
        begin_with_time(chars, at, out);
        return at;
    }
    let spaces = chars[at..].iter().take_while(|c| **c == ' ').count();
    if chars.get(at + spaces) == Some(&'%') {
        // "28-30 %": the first number is no amount either.
        if let [.., Token::Number(..), Token::Word(to)] = out.as_slice()
            && to == RANGE
        {
            out.truncate(out.len() - 2);
        }
        out.push(Token::Word(format!("{value}%")));
        return at + spaces + 1;
    }
    let letters: String = chars[at..].iter().take_while(|c| c.is_alphabetic()).take(16).collect();
    if !letters.is_empty() && letters.len() < 3 && letters.is_ascii() && !is_glued(&letters.to_lowercase()) {
        // "7up", "80s", "2nd": a word.
        let text: String = chars[start..at].iter().chain(letters.chars().collect::<Vec<_>>().iter()).collect();
        out.extend(raw_words(&text, 2).into_iter().map(Token::Word));
        return at + letters.chars().count();
    }
    if is_clock(&word_behind(chars, at)) {
        begin_with_time(chars, at, out);
    }
    out.push(Token::Number(value, false));
    if is_factor_of_food(chars, at) {
        return at + 1;
    }
    // Only the case tells a tablespoon from a teaspoon.
    if let Some(unit) = spoon_of(&letters) {
        out.push(Token::Word(unit.to_owned()));
        return at + 1;
    }
    at
}

/// Ends the sentence before a time of day that begins the next one: "8am oatmeal 12pm salad". "Oatmeal at 8am" goes on.
fn begin_with_time(chars: &[char], behind: usize, out: &mut Vec<Token>) {
    let mut word = word_behind(chars, behind);
    if is_clock(&word) {
        let spaces = chars[behind..].iter().take_while(|c| **c == ' ').count();
        word = word_behind(chars, behind + spaces + word.chars().count());
    }
    let is_meal = |word: &str| roles_in_any_language(word).has(Role::Meal);
    let goes_on = |word: &str| roles_in_any_language(word).any(GOES_ON) && !is_meal(word);
    let is_behind_food = matches!(out.last(), Some(Token::Word(before)) if !goes_on(before));
    if is_behind_food && !word.is_empty() && !goes_on(&word) {
        out.push(Token::Stop);
    }
}

/// Checks whether an "x" behind a number only counts what follows: "2x eggs" are two, and no X-egg.
fn is_factor_of_food(chars: &[char], at: usize) -> bool {
    let is_factor = matches!(chars.get(at), Some('x' | 'X')) && chars.get(at + 1) == Some(&' ');
    is_factor && roles_in_any_language(&word_behind(chars, at + 1)) == Roles::NONE
}

/// Returns the word behind a position, in small letters; empty if there is none.
fn word_behind(chars: &[char], at: usize) -> String {
    let letters = chars[at..].iter().skip_while(|c| **c == ' ').take_while(|c| c.is_alphanumeric());
    letters.take(MAX_NEXT_WORD).flat_map(|c| c.to_lowercase()).collect()
}

fn is_clock(letters: &str) -> bool {
    roles_in_any_language(letters).has(Role::Clock)
}

/// Returns the unit that a lone letter behind a number stands for.
fn spoon_of(letter: &str) -> Option<&'static str> {
    match letter {
        "T" => Some("tbsp"),
        "t" => Some("tsp"),
        _ => None,
    }
}

/// Digits with a decimal point or comma, or with commas between thousands.
fn digits(chars: &[char], at: &mut usize) -> f64 {
    let mut text = String::new();
    let mut seen_point = false;
    while let Some(&c) = chars.get(*at) {
        let next_is_digit = chars.get(*at + 1).is_some_and(char::is_ascii_digit);
        match c {
            '0'..='9' => text.push(c),
            '.' if !seen_point && next_is_digit => {
                seen_point = true;
                text.push('.');
            }
            ',' if next_is_digit && !seen_point => {
                let run = chars[*at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
                if run == 3 && !text.is_empty() && text != "0" {
                    // Thousands.
                } else if run <= 2 && !text.is_empty() {
                    seen_point = true;
                    text.push('.');
                } else {
                    break;
                }
            }
            _ => break,
        }
        *at += 1;
        if text.len() > 12 {
            // Nobody eats that much; the rest of the digits changes nothing.
            while chars.get(*at).is_some_and(char::is_ascii_digit) {
                *at += 1;
            }
            break;
        }
    }
    text.parse().unwrap_or(0.0)
}

fn word(chars: &[char], start: usize, out: &mut Vec<Token>) -> usize {
    if matches!(chars[start], 'x' | 'X') && chars.get(start + 1).is_some_and(char::is_ascii_digit) {
        // "kiwi x3".
        out.push(Token::Word("x".to_owned()));
        return start + 1;
    }
    if let Some(end) = initials_end(chars, start) {
        let letters = chars[start..end].iter().filter(|c| c.is_ascii_alphabetic());
        out.push(Token::Word(letters.map(char::to_ascii_lowercase).collect()));
        return end;
    }
    let is_part = |at: usize| match chars.get(at) {
        // "饭200克": a number ends a word of letters that have no spaces between them.
        Some(c) if c.is_ascii_digit() => at == start || chars[at - 1].is_ascii(),
        Some(c) if c.is_alphanumeric() => true,
        Some('\'' | '’' | '‘' | '`') => chars.get(at + 1).is_some_and(|c| c.is_alphabetic()),
        Some('&') => {
            chars.get(at + 1).is_some_and(|c| c.is_alphabetic()) && at > start && chars[at - 1].is_alphabetic()
        }
        Some(c) => foods::text::is_mark(*c),
        None => false,
    };
    let mut at = start;
    while is_part(at) {
        at += 1;
    }
    let mut text: String = chars[start..at].iter().collect();
    if text.len() <= MAX_WORD_CHARS && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        // Nearly every word: nothing to fold but the case.
        text.make_ascii_lowercase();
        out.push(Token::Word(text));
    } else if chars[start..at].iter().any(|c| is_unspaced(*c)) {
        // Many words: the translator cuts them.
        out.push(Token::Word(folded(&text)));
    } else {
        out.extend(raw_words(&text, 4).into_iter().map(Token::Word));
    }
    at
}

/// Returns where initials end that begin at a letter: "B.L.T.", "p.b.j". Two are more often the time: "a.m.".
fn initials_end(chars: &[char], start: usize) -> Option<usize> {
    let is_letter = |at: usize| chars.get(at).is_some_and(char::is_ascii_alphabetic);
    let is_initial = |at: &usize| is_letter(*at) && chars.get(at + 1) == Some(&'.');
    let dotted = (start..).step_by(2).take_while(is_initial).take(MAX_INITIALS).count();
    let end = start + 2 * dotted;
    let has_last = dotted > 0 && is_letter(end) && !chars.get(end + 1).is_some_and(|c| c.is_alphanumeric());
    (dotted + usize::from(has_last) >= MIN_INITIALS).then_some(end + usize::from(has_last))
}

/// Checks whether a letter belongs to a script without spaces between words: Chinese characters and Japanese syllables.
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32, 0x2e80..=0x31ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}

/// Returns the plain form of wide letters, of digits of other scripts, and of marks that other languages have.
fn plain_form(c: char) -> char {
    match c as u32 {
        0x301c | 0xff5e => '-',
        0xff01..=0xff5d => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        0x3000 => ' ',
        0x3001 | 0x30fb | 0x060c => ',',
        0x3002 | 0x0964 => '.',
        0x061b => ';',
        0x0660..=0x0669 => digit_of(c, 0x0660),
        0x06f0..=0x06f9 => digit_of(c, 0x06f0),
        0x0966..=0x096f => digit_of(c, 0x0966),
        _ => c,
    }
}

fn digit_of(c: char, zero: u32) -> char {
    char::from_digit(c as u32 - zero, 10).unwrap_or(c)
}

/// Checks whether letters can follow a number without a space: "39g", "12oz", "2x".
fn is_glued(letters: &str) -> bool {
    roles_in_any_language(letters).has(Role::Glued)
}

/// Checks whether a full stop here only shortens a word: "1 c. rice", "Dr. pepper".
fn is_abbreviation(last: Option<&Token>) -> bool {
    last.and_then(Token::word).is_some_and(|word| roles_in_any_language(word).has(Role::Abbreviation))
}

/// Checks whether a star multiplies what is before it, and begins no line of a list: "eggs*2".
fn is_factor(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| chars[before]);
    let number = chars[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
    let ends = !matches!(chars.get(at + 1 + number), Some(' ') if before == Some(' '));
    number > 0 && ends && before.is_some_and(|c| c.is_alphanumeric() || c == ' ')
}

/// Checks whether a dash stands behind a single letter, which labels a meal: "B- oatmeal L- soup".
fn ends_label(chars: &[char], at: usize) -> bool {
    let before = |places: usize| at.checked_sub(places).map(|at| chars[at]);
    before(1).is_some_and(char::is_alphabetic) && before(2).is_none_or(char::is_whitespace)
}

/// Checks whether a dash stands behind the first words of a line that goes on as a list: "leftovers - 3 nuggets, half a banana".
fn ends_heading(chars: &[char], at: usize) -> bool {
    let line = chars[..at].iter().rev().take_while(|c| **c != '\n').take(MAX_HEADING + 1);
    let is_plain = line.clone().all(|c| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’'));
    let rest = chars[at + 1..].iter().take_while(|c| **c != '\n').take(MAX_LINE);
    is_plain && line.count() <= MAX_HEADING && rest.into_iter().any(|c| matches!(c, ',' | '+'))
}

fn mark(chars: &[char], at: usize, out: &mut Vec<Token>) {
    let spaced = |c: Option<&char>| c.is_none_or(|c| c.is_whitespace());
    match chars[at] {
        ',' | '—' => out.push(Token::Comma),
        '.' if is_abbreviation(out.last()) && chars.get(at + 2).is_some_and(|c| c.is_lowercase()) => {}
        // "Chips Ahoy! cookies": no sentence begins with a small letter.
        '!' if chars.get(at + 1) == Some(&' ') && chars.get(at + 2).is_some_and(|c| c.is_lowercase()) => {}
        ':' => out.push(Token::Colon),
        '*' if is_factor(chars, at) => out.push(Token::Word("x".to_owned())),
        '.' | '!' | '?' | ';' | '\n' | '•' | '·' | '|' | '*' => out.push(Token::Stop),
        '-' | '–' if spaced(chars.get(at + 1)) => {
            let starts_line = at == 0 || chars[at - 1] == '\n';
            let is_colon = !starts_line && (ends_label(chars, at) || ends_heading(chars, at));
            out.push(if starts_line {
                Token::Stop
            } else if is_colon {
                Token::Colon
            } else {
                Token::Comma
            });
        }
        '–' => out.push(Token::Word(RANGE.to_owned())),
        '-' if chars.get(at + 1).is_some_and(char::is_ascii_digit)
            && at > 0
            && (chars[at - 1].is_ascii_digit() || fraction_of(chars[at - 1]).is_some()) =>
        {
            out.push(Token::Word(RANGE.to_owned()));
        }
        '(' | '[' | '{' => out.push(Token::Open),
        ')' | ']' | '}' => out.push(Token::Close),
        '&' | '+' => out.push(Token::Word("and".to_owned())),
        '×' => out.push(Token::Word("x".to_owned())),
        '"' | '″' | '”' if at > 0 && chars[at - 1].is_ascii_digit() => out.push(Token::Word("inch".to_owned())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let show = |token: &Token| match token {
            Token::Word(word) => word.clone(),
            Token::Number(value, true) => format!("#{value:.3}/"),
            Token::Number(value, false) => format!("#{value}"),
            Token::Comma => ",".to_owned(),
            Token::Stop => "|".to_owned(),
            Token::Colon => ":".to_owned(),
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
        };
        tokens(text).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_in_all_their_forms() {
        assert_eq!(shown("39g of bread"), "#39 g of bread");
        assert_eq!(shown("1 1/2 cups, ½ tsp, 1½"), "#1 #0.500/ cups , #0.500/ tsp , #1 #0.500/");
        assert_eq!(shown("2% milk 80/20 beef"), "2% milk 80% 20% beef");
        assert_eq!(shown("3,5 % milk, quark 28-30 % dry"), "3.5% milk , quark 30% dry");
        assert_eq!(shown("1T oil 2t salt"), "#1 tbsp oil #2 tsp salt");
        assert_eq!(shown("1,200 ml 2,5 kg 28.35g"), "#1200 ml #2.5 kg #28.35 g");
        assert_eq!(shown("2-3 eggs 7up 12-inch 12\" pizza"), "#2 to #3 eggs 7up #12 inch #12 inch pizza");
    }

    #[test]
    fn numbered_lines_are_no_amounts() {
        assert_eq!(shown("1. oatmeal 2. 2 eggs\n3) coffee"), "| oatmeal | #2 eggs | | coffee");
        assert_eq!(shown("I had 1. Then 2. more"), "i had #1 | then #2 | more");
    }

    #[test]
    fn marks_and_words() {
        assert_eq!(shown("McDonald’s M&M's (30g)."), "mcdonalds m ms ( #30 g ) |");
        assert_eq!(shown("Breakfast: egg\n- toast - jam"), "breakfast : egg | | toast , jam");
        assert_eq!(shown("part-skim CRÈME"), "part skim creme");
    }

    #[test]
    fn garbage_is_harmless() {
        for text in ["", "....", "1/0", "9".repeat(500).as_str(), "½½½", "🍕 % %% /", "1,,,2"] {
            let _ = tokens(text);
        }
    }
}
