//! Draws bar codes.

use image::RgbImage;

use super::canvas::{self, Typeface};
use super::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ean13,
    Ean8,
    UpcA,
    UpcE,
}

pub const KINDS: [Kind; 4] = [Kind::Ean13, Kind::Ean8, Kind::UpcA, Kind::UpcE];

/// A code and the number that must be read from it.
pub struct Code {
    pub kind: Kind,
    /// What is printed under the bars.
    pub printed: String,
    /// What is expected: a UPC-E is expanded.
    pub expected: String,
}

const LEFT: [&str; 10] =
    ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"];
const FIRST: [&str; 10] =
    ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"];
const SHORT: [&str; 10] =
    ["GGGLLL", "GGLGLL", "GGLLGL", "GGLLLG", "GLGGLL", "GLLGGL", "GLLLGG", "GLGLGL", "GLGLLG", "GLLGLG"];

pub fn random(kind: Kind, random: &mut Random) -> Code {
    let mut digits =
        |count: usize| -> String { (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect() };
    match kind {
        Kind::Ean13 => {
            // One that begins with 0 would be a UPC-A.
            let first = digits(11);
            let number = with_check(&format!("{}{first}", 1 + first.bytes().map(usize::from).sum::<usize>() % 9));
            Code { kind, printed: number.clone(), expected: number }
        }
        Kind::Ean8 => {
            let number = with_check(&digits(7));
            Code { kind, printed: number.clone(), expected: number }
        }
        Kind::UpcA => {
            let number = with_check(&digits(11));
            Code { kind, printed: number.clone(), expected: number }
        }
        Kind::UpcE => {
            let six = digits(6);
            let (a, b) = (&six[..2], &six[2..5]);
            let long = match six.as_bytes()[5] {
                last @ b'0'..=b'2' => format!("0{a}{}0000{b}", last - b'0'),
                b'3' => format!("0{}00000{}", &six[..3], &six[3..5]),
                b'4' => format!("0{}00000{}", &six[..4], &six[4..5]),
                _ => format!("0{}0000{}", &six[..5], &six[5..]),
            };
            let expected = with_check(&long);
            Code { kind, printed: format!("0{six}{}", &expected[11..]), expected }
        }
    }
}

pub fn with_check(digits: &str) -> String {
    let sum: u32 = digits
        .bytes()
        .rev()
        .zip([3, 1].into_iter().cycle())
        .map(|(digit, times)| u32::from(digit - b'0') * times)
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

/// Returns the bars as ones and the gaps as zeros.
pub fn modules(code: &Code) -> String {
    let digit = |at: usize| usize::from(code.printed.as_bytes()[at] - b'0');
    let left = |digit: usize| LEFT[digit].to_owned();
    let right =
        |digit: usize| -> String { LEFT[digit].chars().map(|bit| if bit == '0' { '1' } else { '0' }).collect() };
    let mirrored = |digit: usize| -> String { right(digit).chars().rev().collect() };
    let mixed = |pattern: &str, from: usize| -> String {
        pattern
            .chars()
            .enumerate()
            .map(|(at, side)| if side == 'L' { left(digit(from + at)) } else { mirrored(digit(from + at)) })
            .collect()
    };
    let rights = |range: std::ops::Range<usize>| -> String { range.map(|at| right(digit(at))).collect() };
    match code.kind {
        Kind::Ean13 => format!("101{}01010{}101", mixed(FIRST[digit(0)], 1), rights(7..13)),
        Kind::UpcA => format!("101{}01010{}101", mixed("LLLLLL", 0), rights(6..12)),
        Kind::Ean8 => format!("101{}01010{}101", mixed("LLLL", 0), rights(4..8)),
        Kind::UpcE => format!("101{}010101", mixed(SHORT[digit(7)], 1)),
    }
}

/// Draws the code on paper, with the digits under it and a quiet zone around it.
pub fn print(code: &Code, typeface: &Typeface, ink: [u8; 3], paper: [u8; 3], tall: f32) -> RgbImage {
    const MODULE: u32 = 8;
    let modules = modules(code);
    let width = (modules.len() as u32 + 22) * MODULE;
    let bars = (modules.len() as f32 * MODULE as f32 * tall) as u32;
    let mut picture = canvas::filled(width, bars + 14 * MODULE, paper);
    for (at, bit) in (0..).zip(modules.chars()) {
        if bit == '1' {
            canvas::fill(&mut picture, ((11 + at) * MODULE, 3 * MODULE), (MODULE, bars), ink);
        }
    }
    let size = 10.0 * MODULE as f32;
    let left = (width as f32 - canvas::width(&typeface.regular, size, &code.printed)) / 2.0;
    canvas::write(&mut picture, (left, (bars + 3 * MODULE) as f32), &typeface.regular, size, ink, &code.printed);
    picture
}
