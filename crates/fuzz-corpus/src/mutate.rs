//! One input made from others.

use crate::random::Random;

/// Bytes that programs compare with, and numbers at the edges of their types.
const EDGES: &[&str] = &[
    "\0",
    "\n",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "\\",
    "%",
    "&",
    "=",
    ";",
    ",",
    "\u{feff}",
    "\u{301}",
    "\u{e000}",
    "🍕",
    "-1",
    "0",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "18446744073709551616",
    "1e308",
    "1e-308",
    "1e999",
    "NaN",
    "null",
    "\u{ff}\u{ff}",
];
/// The most changes of one input.
const MAX_CHANGES: usize = 6;
/// How often a piece is repeated at most.
const MAX_REPEATS: usize = 400;

/// Changes an input in a few places; `others` are inputs to take pieces from, `words` what inputs are made of.
pub(crate) fn mutate(input: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], max_bytes: usize, random: &mut Random) {
    for _ in 0..=random.below(MAX_CHANGES) {
        let at = random.below(input.len() + 1);
        let end = at + random.below((input.len() - at).min(32) + 1);
        match random.below(9) {
            0 if at < input.len() => input[at] ^= 1 << random.below(8),
            1 if at < input.len() => input[at] = random.below(256) as u8,
            2 => drop(input.drain(at..end)),
            3 => insert(input, at, random.pick(EDGES).map_or(&[], |edge| edge.as_bytes())),
            4 | 5 => insert(input, at, random.pick(words).map_or(&[], |word| word.as_bytes())),
            6 => {
                let piece = input[at..end].repeat(1 + random.below(MAX_REPEATS));
                insert(input, at, &piece);
            }
            7 => {
                let other = random.pick(others).map_or(&[][..], Vec::as_slice);
                let from = random.below(other.len() + 1);
                let piece = &other[from..from + random.below(other.len() - from + 1)];
                insert(input, at, piece);
            }
            _ => input.truncate(end),
        }
        input.truncate(max_bytes);
    }
}

fn insert(input: &mut Vec<u8>, at: usize, piece: &[u8]) {
    input.splice(at..at, piece.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_stay_within_the_limit_and_repeat_themselves() {
        let others = [b"two eggs".to_vec(), b"{}".to_vec()];
        let run = || {
            let mut random = Random::new(3);
            let mutated = |_| {
                let mut input = others[0].clone();
                mutate(&mut input, &others, &["toast"], 200, &mut random);
                assert!(input.len() <= 200);
                input
            };
            (0..500).map(mutated).collect::<Vec<_>>()
        };
        let inputs = run();
        assert_eq!(inputs, run());
        assert!(inputs.iter().filter(|input| **input != others[0]).count() > 400);
    }
}
