//! Names and amounts in a row of text.

use super::rows::Row;

/// What an amount is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Gram,
    Milligram,
    Microgram,
    Millilitre,
    Kilocalorie,
    Kilojoule,
    Percent,
}

/// A number as it is printed, or as it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub value: f64,
    pub unit: Unit,
    /// What it is if the last digit is really the letter g: "129" may be "12g".
    pub without_last: Option<f64>,
    /// Where it stands in the row.
    pub at: f32,
}

/// A part of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// Letters, in lower case, and where they begin.
    Word(String, f32),
    Amount(Amount),
    /// "(" or ")".
    Bracket(char),
}

/// The parts of a row, from the left.
pub(super) fn tokens(row: &Row) -> Vec<Token> {
    let mut tokens = Vec::new();
    for cell in &row.cells {
        let letters: Vec<char> = cell.text.chars().collect();
        let step = (cell.right - cell.left) / letters.len().max(1) as f32;
        Scanner { letters: &letters, left: cell.left, step }.scan(&mut tokens);
    }
    join_units(&mut tokens);
    tokens
}

struct Scanner<'a> {
    letters: &'a [char],
    left: f32,
    step: f32,
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

    /// Where a word ends: at the first sign, and before a digit ("Fat8g").
    fn word_end(&self, start: usize) -> usize {
        let mut end = start;
        while self.letters.get(end).is_some_and(|letter| letter.is_ascii_alphabetic() || *letter == '\'') {
            end += 1;
            if self.amount(end).is_some() && self.letters.get(end).is_some_and(|letter| !letter.is_ascii_alphabetic()) {
                break;
            }
        }
        // A zero that was taken for a letter, at the end of a name: "FatOg".
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

    /// An amount that begins here, and where it ends.
    fn amount(&self, start: usize) -> Option<(Amount, usize)> {
        let before = start.checked_sub(1).map(|at| self.letters[at]);
        let mut at = start;
        let less = matches!(self.letters.get(at), Some('<'));
        if less {
            at += 1;
            while self.letters.get(at) == Some(&' ') {
                at += 1;
            }
        }
        let first = at;
        let (mut digits, mut real, mut point) = (String::new(), 0, false);
        while let Some(&letter) = self.letters.get(at) {
            let next = self.letters.get(at + 1).copied();
            match letter {
                '0'..='9' => {
                    digits.push(letter);
                    real += 1;
                }
                // Letters that look like digits, between or before digits or before a unit.
                'O' | 'o' | 'D' if letter != 'D' || !digits.is_empty() => digits.push('0'),
                'l' | 'I' | '|' | 'i' => digits.push('1'),
                'S' if !digits.is_empty() || next.is_some_and(|next| next.is_ascii_digit()) => digits.push('5'),
                'B' if !digits.is_empty() || next.is_some_and(|next| next.is_ascii_digit()) => digits.push('8'),
                '.' | ',' | '\'' if !digits.is_empty() && next.is_some_and(is_like_a_digit) => {
                    if is_thousands(self.letters, at) && !point {
                        at += 1;
                        continue;
                    }
                    if point {
                        break;
                    }
                    point = true;
                    digits.push('.');
                }
                _ => break,
            }
            at += 1;
        }
        if digits.is_empty() || digits == "." {
            return None;
        }
        let (unit, end) = self.unit(at);
        // Without a real digit it takes a unit, and nothing before it: "Og", "lg", "ig", but not "lg" of "large".
        if real == 0 {
            let has_unit = digits.len() == 1 && matches!(unit, Unit::Gram | Unit::Milligram | Unit::Percent);
            let alone = before.is_none_or(|before| {
                !before.is_ascii_alphanumeric() || before.is_ascii_lowercase() && self.letters[first] == 'O'
            });
            let ended = self.letters.get(end).is_none_or(|letter| !letter.is_ascii_alphabetic());
            if !has_unit || !alone || !ended {
                return None;
            }
        } else if before.is_some_and(|before| before.is_ascii_alphabetic())
            && !self.letters[first].is_ascii_digit()
            && !less
        {
            // The letter belongs to the word before: "Sol5".
            return None;
        } else if self.letters[first].is_ascii_alphabetic() && digits.len() > 1 && real * 2 < digits.len() {
            return None;
        }
        // "B12", "D3": the name of a vitamin, not an amount.
        if unit == Unit::None && before.is_some_and(|before| before.is_ascii_uppercase()) && digits.len() <= 2 {
            return None;
        }
        let (value, without_last) = values(&digits, unit);
        let value = if less { value / 2.0 } else { value };
        // "1/2": a fraction is no amount of a nutrient, but a serving may have one.
        if unit == Unit::None
            && self.letters.get(end) == Some(&'/')
            && self.letters.get(end + 1).is_some_and(char::is_ascii_digit)
        {
            let below = f64::from(self.letters[end + 1].to_digit(10)?);
            if below > 1.0 && value < 10.0 && self.letters.get(end + 2).is_none_or(|letter| !letter.is_ascii_digit()) {
                let value = value / below;
                return Some((Amount { value, unit, without_last: None, at: self.place(start) }, end + 2));
            }
        }
        Some((Amount { value, unit, without_last, at: self.place(start) }, end))
    }

    /// The unit that stands here, perhaps behind a space, and where it ends.
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
        // The l of kcal and ml may have become a 1.
        if matches!(word.as_str(), "kca" | "Kca" | "m") && self.letters.get(end) == Some(&'1') {
            word.push('l');
            end += 1;
        }
        match unit_of(&word) {
            Unit::None if start > at => (Unit::None, at),
            // "3gAdded": the unit and the next word without a space.
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

/// An amount without a unit takes the unit word behind it, in the next cell.
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
        "ml" | "mi" => Unit::Millilitre,
        "kcal" | "kcai" | "kca" | "kcals" | "cal" | "keal" | "kcol" | "kkal" => Unit::Kilocalorie,
        "kj" | "ki" | "kl" | "kd" => Unit::Kilojoule,
        _ => Unit::None,
    }
}

fn is_like_a_digit(letter: char) -> bool {
    letter.is_ascii_digit() || matches!(letter, 'O' | 'o' | 'l' | 'I')
}

/// Whether the sign at this place divides thousands: exactly three digits follow, and at least one, not zero, comes before.
fn is_thousands(letters: &[char], at: usize) -> bool {
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let begins_with_zero = at > 0 && letters[at - 1] == '0' && (at < 2 || !letters[at - 2].is_ascii_digit());
    digit(at + 1) && digit(at + 2) && digit(at + 3) && !digit(at + 4) && !begins_with_zero
}

/// The value of digits, and the one without the last if that may be a g.
fn values(digits: &str, unit: Unit) -> (f64, Option<f64>) {
    let parse = |digits: &str| digits.trim_end_matches('.').parse::<f64>().ok();
    let value = parse(digits).unwrap_or(0.0);
    // A zero in front of a digit lost its point: "05" is 0.5.
    let lost_point = digits.len() == 2 && digits.starts_with('0') && unit != Unit::None;
    let value = if lost_point { value / 10.0 } else { value };
    let shorter = digits.strip_suffix(['9', '8']).filter(|rest| !rest.is_empty() && unit == Unit::None);
    (value, shorter.and_then(parse))
}
