//! Splits a row of text into names and amounts.

use std::ops::Range;

use super::rows::TableRow;

/// The unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Gram,
    Milligram,
    Microgram,
    Milliliter,
    Kilocalorie,
    Kilojoule,
    Percent,
}

/// A number as it is printed, or as it may be printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub value: f64,
    pub unit: Unit,
    /// The value if the last digit is really the letter g: "129" may be "12g".
    pub without_last: Option<f64>,
    /// Where it is in the row.
    pub at: f32,
}

/// A part of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// Letters in lower case, and where they begin.
    Word(String, f32),
    Amount(Amount),
    /// "(" or ")".
    Bracket(char),
}

/// Splits a row into tokens, from the left.
pub(super) fn tokens(row: &TableRow) -> Vec<Token> {
    let mut tokens = Vec::new();
    for cell in &row.cells {
        let letters: Vec<char> = cell.text.chars().collect();
        let step = (cell.right - cell.left) / letters.len().max(1) as f32;
        Scanner { letters: &letters, left: cell.left, step }.scan(&mut tokens);
    }
    join_units(&mut tokens);
    tokens
}

/// Reads the tokens of one cell.
struct Scanner<'a> {
    letters: &'a [char],
    left: f32,
    step: f32,
}

/// Digits as they are printed, with letters that look like digits replaced.
struct Digits {
    text: String,
    /// How many of them are digits in the text.
    real: usize,
    /// Where they end.
    end: usize,
}

impl Scanner<'_> {
    fn scan(&self, tokens: &mut Vec<Token>) {
        let mut at = 0;
        while let Some(&letter) = self.letters.get(at) {
            if let Some((amount, end)) = self.amount(at) {
                tokens.push(Token::Amount(amount));
                at = end;
            } else if letter.is_ascii_alphabetic() {
                let end = self.word_end(at);
                let word: String = self.letters[at..end].iter().collect::<String>().to_ascii_lowercase();
                tokens.push(Token::Word(word, self.place(at)));
                at = end;
            } else {
                if matches!(letter, '(' | ')' | '[' | ']') {
                    tokens.push(Token::Bracket(if matches!(letter, '(' | '[') { '(' } else { ')' }));
                }
                at += 1;
            }
        }
    }

    fn place(&self, at: usize) -> f32 {
        self.left + self.step * at as f32
    }

    /// Returns where a word ends: at the first character that is not a letter, and before a digit ("Fat8g").
    fn word_end(&self, start: usize) -> usize {
        let mut end = start;
        while self.letters.get(end).is_some_and(|letter| letter.is_ascii_alphabetic() || *letter == '\'') {
            end += 1;
            if self.amount(end).is_some() && self.letters.get(end).is_some_and(|letter| !letter.is_ascii_alphabetic()) {
                break;
            }
        }
        // A zero that was read as a letter, at the end of a name: "FatOg".
        let word: String = self.letters[start..end].iter().collect();
        for zero in ["Og", "Omg"] {
            if let Some(name) = word.strip_suffix(zero)
                && name.len() >= 3
                && name.ends_with(|letter: char| letter.is_ascii_lowercase())
            {
                return end - zero.len();
            }
        }
        end
    }

    /// Reads the amount that begins here. Returns it and where it ends.
    fn amount(&self, start: usize) -> Option<(Amount, usize)> {
        let first = self.skip_less_than(start);
        let digits = self.digits(first)?;
        let (unit, end) = self.unit(digits.end);
        if !self.is_amount(start..end, first, &digits, unit) {
            return None;
        }
        let (value, without_last) = values(&digits.text, unit);
        let value = if first > start { value / 2.0 } else { value };
        let at = self.place(start);
        match self.fraction(value, end) {
            Some((value, end)) if unit == Unit::None => Some((Amount { value, unit, without_last: None, at }, end)),
            _ => Some((Amount { value, unit, without_last, at }, end)),
        }
    }

    /// Returns where the digits begin, behind a "<" and spaces.
    fn skip_less_than(&self, start: usize) -> usize {
        if self.letters.get(start) != Some(&'<') {
            return start;
        }
        let spaces = self.letters[start + 1..].iter().take_while(|letter| **letter == ' ').count();
        start + 1 + spaces
    }

    /// Reads digits, and letters that look like digits between or before digits or before a unit.
    fn digits(&self, first: usize) -> Option<Digits> {
        let (mut text, mut real, mut has_point) = (String::new(), 0, false);
        let mut at = first;
        while let Some(&letter) = self.letters.get(at) {
            let next = self.letters.get(at + 1).copied();
            let is_before_digit = next.is_some_and(|next| next.is_ascii_digit());
            match letter {
                '0'..='9' => {
                    text.push(letter);
                    real += 1;
                }
                'O' | 'o' => text.push('0'),
                'D' if !text.is_empty() => text.push('0'),
                'l' | 'I' | '|' | 'i' => text.push('1'),
                'S' if !text.is_empty() || is_before_digit => text.push('5'),
                'B' if !text.is_empty() || is_before_digit => text.push('8'),
                '.' | ',' | '\'' if !text.is_empty() && next.is_some_and(is_like_a_digit) => {
                    if has_point {
                        break;
                    }
                    if !is_thousands(self.letters, at) {
                        has_point = true;
                        text.push('.');
                    }
                }
                _ => break,
            }
            at += 1;
        }
        (!text.is_empty()).then_some(Digits { text, real, end: at })
    }

    /// Checks whether digits are really an amount, by what is around them. `first` is where the digits begin.
    fn is_amount(&self, range: Range<usize>, first: usize, digits: &Digits, unit: Unit) -> bool {
        let before = range.start.checked_sub(1).map(|at| self.letters[at]);
        let is_less_than = first > range.start;
        let begins_with_letter = self.letters[first].is_ascii_alphabetic();
        if digits.real == 0 {
            // Without a real digit it takes a unit, and nothing before it: "Og", "lg", "ig", but not the "lg" of
            // "large".
            let has_unit = digits.text.len() == 1 && matches!(unit, Unit::Gram | Unit::Milligram | Unit::Percent);
            let is_alone = before.is_none_or(|before| {
                !before.is_ascii_alphanumeric() || before.is_ascii_lowercase() && self.letters[first] == 'O'
            });
            let is_ended = self.letters.get(range.end).is_none_or(|letter| !letter.is_ascii_alphabetic());
            return has_unit && is_alone && is_ended;
        }
        // "Sol5": the first letter belongs to the word before it.
        let is_part_of_word = before.is_some_and(|before| before.is_ascii_alphabetic())
            && !self.letters[first].is_ascii_digit()
            && !is_less_than;
        let is_mostly_letters = begins_with_letter && digits.text.len() > 1 && digits.real * 2 < digits.text.len();
        // "B12", "D3": the name of a vitamin.
        let is_vitamin =
            unit == Unit::None && before.is_some_and(|before| before.is_ascii_uppercase()) && digits.text.len() <= 2;
        !is_part_of_word && !is_mostly_letters && !is_vitamin
    }

    /// Reads "/2" behind a number. Returns the value of the fraction and where it ends. Nutrients have no fractions,
    /// but servings do.
    fn fraction(&self, value: f64, end: usize) -> Option<(f64, usize)> {
        let (Some('/'), Some(below)) = (self.letters.get(end), self.letters.get(end + 1)) else { return None };
        let below = f64::from(below.to_digit(10)?);
        let is_ended = self.letters.get(end + 2).is_none_or(|letter| !letter.is_ascii_digit());
        (below > 1.0 && value < 10.0 && is_ended).then_some((value / below, end + 2))
    }

    /// Reads a unit, perhaps behind a space. Returns it and where it ends.
    fn unit(&self, at: usize) -> (Unit, usize) {
        let start = if self.letters.get(at) == Some(&' ') { at + 1 } else { at };
        if self.letters.get(start) == Some(&'%') {
            return (Unit::Percent, start + 1);
        }
        let mut end = start;
        while self.letters.get(end).is_some_and(char::is_ascii_alphabetic) {
            end += 1;
        }
        let mut word: String = self.letters[start..end].iter().collect();
        // The l of kcal and ml may have been read as a 1.
        if matches!(word.as_str(), "kca" | "Kca" | "m") && self.letters.get(end) == Some(&'1') {
            word.push('l');
            end += 1;
        }
        match unit_of(&word) {
            Unit::None if start > at => (Unit::None, at),
            // "3gAdded": there is no space between the unit and the next word.
            Unit::None => {
                let short = ["mg", "mcg", "kcal", "kJ", "g"].into_iter().find(|unit| {
                    word.strip_prefix(unit)
                        .and_then(|rest| rest.chars().next())
                        .is_some_and(|next| next.is_ascii_uppercase())
                });
                short.map_or((Unit::None, at), |unit| (unit_of(unit), start + unit.len()))
            }
            unit => (unit, end),
        }
    }
}

/// Gives an amount without a unit the unit that follows it in the next cell.
fn join_units(tokens: &mut Vec<Token>) {
    for at in (1..tokens.len()).rev() {
        let Token::Word(word, _) = &tokens[at] else { continue };
        let unit = unit_of(word);
        if unit == Unit::None {
            continue;
        }
        if let Token::Amount(amount @ Amount { unit: Unit::None, .. }) = &mut tokens[at - 1] {
            amount.unit = unit;
            amount.without_last = None;
            tokens.remove(at);
        }
    }
}

fn unit_of(word: &str) -> Unit {
    match word.to_ascii_lowercase().as_str() {
        "g" | "q" | "gr" | "gm" | "grams" | "gram" | "gramm" => Unit::Gram,
        "mg" | "mq" | "rng" => Unit::Milligram,
        "mcg" | "ug" | "meg" => Unit::Microgram,
        "ml" | "mi" => Unit::Milliliter,
        "kcal" | "kcai" | "kca" | "kcals" | "cal" | "keal" | "kcol" | "kkal" => Unit::Kilocalorie,
        "kj" | "ki" | "kl" | "kd" => Unit::Kilojoule,
        _ => Unit::None,
    }
}

fn is_like_a_digit(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, 'O' | 'o' | 'l' | 'I')
}

/// Checks whether the character at this position separates thousands: exactly three digits follow it, and the digits
/// before it do not begin with zero.
fn is_thousands(letters: &[char], at: usize) -> bool {
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let begins_with_zero = at > 0 && letters[at - 1] == '0' && (at < 2 || !letters[at - 2].is_ascii_digit());
    digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4) && !begins_with_zero
}

/// Returns the value of digits, and the value without the last digit if that may be a g.
fn values(digits: &str, unit: Unit) -> (f64, Option<f64>) {
    let parse = |digits: &str| digits.trim_end_matches('.').parse::<f64>().ok();
    let value = parse(digits).unwrap_or(0.0);
    // The decimal point behind a leading zero was lost: "05" is 0.5.
    let lost_point = digits.len() == 2 && digits.starts_with('0') && unit != Unit::None;
    let value = if lost_point { value / 10.0 } else { value };
    let shorter = digits.strip_suffix(['9', '8']).filter(|rest| !rest.is_empty() && unit == Unit::None);
    (value, shorter.and_then(parse))
}
