//! Terms within a small edit distance of a word, where swapping two neighboring letters is one edit (Damerau–Levenshtein).
//!
//! The dictionary is a tree of letters. The walk goes down only while what it has passed can still become the word, and once
//! all edits are spent it looks up the letters that may follow instead of trying each. That is what makes it fast: most
//! of the nodes have dozens of letters, of which one or two may follow.

use fst::raw::{Fst, Node, Output};

/// No term has more letters: a damaged file must not send the walk in circles.
const MAX_LETTERS: usize = 200;

/// Which part of a term is compared with the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nearby {
    /// The whole term.
    Whole,
    /// Its prefix: the word is half typed.
    Prefix,
}

/// A term near a word, and its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub term: u32,
    pub edits: u8,
    /// Whether the first letters differ; people rarely mistype the first.
    pub other_initial: bool,
}

/// Returns the terms within one edit of a word, or within two and with the same first letter, in any order.
pub(crate) fn neighbors(terms: &Fst<Vec<u8>>, word: &str, max_edits: u8, what: Nearby) -> Vec<Spelling> {
    let word: Vec<char> = word.chars().collect();
    match max_edits {
        ..=1 => Walk::<3>::run(terms, &word, what),
        2.. => Walk::<5>::run(terms, &word, what),
    }
}

/// The edits between the letters passed and each beginning of the word that is about as long: the cell in the middle is for
/// the beginning of that length, the last one for a beginning with as many letters more as there may be edits.
type Row<const CELLS: usize> = [u8; CELLS];

/// More edits than are ever allowed.
const FAR: u8 = 100;

/// The letters on the way to a node.
#[derive(Clone, Copy)]
struct Passed<const CELLS: usize> {
    count: usize,
    last: Option<char>,
    row: Row<CELLS>,
    /// The row before the last letter.
    row_before: Row<CELLS>,
    /// The least edits between the word and any beginning of the letters passed.
    least: u8,
    other_initial: bool,
}

/// A walk over the terms within `(CELLS - 1) / 2` edits.
struct Walk<'a, const CELLS: usize> {
    terms: &'a Fst<Vec<u8>>,
    word: &'a [char],
    what: Nearby,
    found: Vec<Spelling>,
}

impl<'a, const CELLS: usize> Walk<'a, CELLS> {
    const EDITS: usize = (CELLS - 1) / 2;
    const MAX_EDITS: u8 = Self::EDITS as u8;

    fn run(terms: &'a Fst<Vec<u8>>, word: &'a [char], what: Nearby) -> Vec<Spelling> {
        let mut walk = Self { terms, word, what, found: Vec::new() };
        walk.visit(&walk.nothing_passed(), terms.root(), Output::zero());
        walk.found
    }

    fn visit(&mut self, passed: &Passed<CELLS>, node: Node<'a>, output: Output) {
        let edits = if self.what == Nearby::Whole { self.edits(passed) } else { passed.least };
        if node.is_final() && edits <= Self::MAX_EDITS {
            let term = output.cat(node.final_output()).value() as u32;
            self.found.push(Spelling { term, edits, other_initial: passed.other_initial });
        }
        let has_begun = self.what == Nearby::Prefix && passed.least <= Self::MAX_EDITS;
        let least = passed.row.iter().copied().min().unwrap_or(FAR);
        if passed.count >= MAX_LETTERS || least > Self::MAX_EDITS && !has_begun {
            return;
        }
        if passed.count == 0 && Self::EDITS > 1 {
            // The first letter is right if two others are not.
            if let Some(&first) = self.word.first() {
                self.visit_letter(passed, node, output, first);
            }
        } else if least < Self::MAX_EDITS || has_begun {
            self.visit_all(passed, node, output, Letter::default());
        } else {
            self.visit_expected(passed, node, output);
        }
    }

    /// Visits every letter that follows a node. A letter of several bytes takes as many nodes.
    fn visit_all(&mut self, passed: &Passed<CELLS>, node: Node<'a>, output: Output, begun: Letter) {
        for transition in node.transitions() {
            let next = self.terms.node(transition.addr);
            let output = output.cat(transition.out);
            match begun.then(transition.inp) {
                Letters::Whole(letter) => self.visit(&self.pass(passed, letter), next, output),
                Letters::Begun(letter) => self.visit_all(passed, next, output, letter),
                Letters::Broken => {}
            }
        }
    }

    /// Visits the letters that may follow a node if no further edit is allowed.
    fn visit_expected(&mut self, passed: &Passed<CELLS>, node: Node<'a>, output: Output) {
        let (mut seen, mut count) = ([['\0'; 2]; CELLS], 0);
        for at in 0..CELLS {
            let Some(length) = (passed.count + at).checked_sub(Self::EDITS) else { continue };
            let Some(&next) = self.word.get(length) else { break };
            let is_swapped = length > 0 && Some(next) == passed.last && passed.row_before[at] < Self::MAX_EDITS;
            let in_place = if passed.row[at] <= Self::MAX_EDITS { Some(next) } else { None };
            let swapped = if is_swapped { Some(self.word[length - 1]) } else { None };
            for letter in in_place.into_iter().chain(swapped) {
                if !seen.as_flattened()[..count].contains(&letter) {
                    seen.as_flattened_mut()[count] = letter;
                    count += 1;
                    self.visit_letter(passed, node, output, letter);
                }
            }
        }
    }

    /// Visits a letter if it follows a node.
    fn visit_letter(&mut self, passed: &Passed<CELLS>, mut node: Node<'a>, mut output: Output, letter: char) {
        for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
            let Some(at) = node.find_input(byte) else { return };
            let transition = node.transition(at);
            output = output.cat(transition.out);
            node = self.terms.node(transition.addr);
        }
        self.visit(&self.pass(passed, letter), node, output);
    }

    fn nothing_passed(&self) -> Passed<CELLS> {
        let mut row = [FAR; CELLS];
        for (edits, cell) in row[Self::EDITS..].iter_mut().enumerate().take(self.word.len() + 1) {
            *cell = edits as u8;
        }
        let passed = Passed { count: 0, last: None, row, row_before: [FAR; CELLS], least: FAR, other_initial: true };
        Passed { least: self.edits(&passed), ..passed }
    }

    /// Passes one more letter.
    fn pass(&self, passed: &Passed<CELLS>, letter: char) -> Passed<CELLS> {
        let count = passed.count + 1;
        let mut row = [FAR; CELLS];
        for at in 0..CELLS {
            let Some(length) = (count + at).checked_sub(Self::EDITS) else { continue };
            if length > self.word.len() {
                break;
            }
            let too_many = if at + 1 < CELLS { passed.row[at + 1] } else { FAR };
            let too_few = if at > 0 { row[at - 1] } else { FAR };
            let mut edits = too_many.min(too_few) + 1;
            if length > 0 {
                edits = edits.min(passed.row[at] + u8::from(self.word[length - 1] != letter));
            }
            if length > 1 && self.word[length - 2] == letter && Some(self.word[length - 1]) == passed.last {
                edits = edits.min(passed.row_before[at] + 1);
            }
            row[at] = edits.min(FAR);
        }
        let other_initial = if passed.count == 0 { self.word.first() != Some(&letter) } else { passed.other_initial };
        let last = Some(letter);
        let now = Passed { count, last, row, row_before: passed.row, least: passed.least, other_initial };
        Passed { least: now.least.min(self.edits(&now)), ..now }
    }

    /// Returns the edits between the letters passed and the whole word.
    fn edits(&self, passed: &Passed<CELLS>) -> u8 {
        let at = (self.word.len() + Self::EDITS).checked_sub(passed.count);
        at.and_then(|at| passed.row.get(at)).copied().unwrap_or(FAR)
    }
}

/// The first bytes of a letter.
#[derive(Clone, Copy, Default)]
pub(super) struct Letter {
    bytes: [u8; 4],
    count: usize,
}

/// What bytes are.
pub(super) enum Letters {
    Whole(char),
    Begun(Letter),
    Broken,
}

impl Letter {
    pub fn then(mut self, byte: u8) -> Letters {
        if self.count == 0 && byte.is_ascii() {
            return Letters::Whole(char::from(byte));
        }
        let Some(slot) = self.bytes.get_mut(self.count) else { return Letters::Broken };
        *slot = byte;
        self.count += 1;
        match std::str::from_utf8(&self.bytes[..self.count]) {
            Ok(text) => text.chars().next().map_or(Letters::Broken, Letters::Whole),
            Err(error) if error.error_len().is_none() => Letters::Begun(self),
            Err(_) => Letters::Broken,
        }
    }
}

#[cfg(test)]
mod tests {
    use fst::MapBuilder;
    use proptest::prelude::*;

    use super::*;

    /// The textbook's table, with the swap of two neighbors as one edit.
    fn distance(first: &[char], second: &[char]) -> usize {
        let mut table = vec![vec![0; second.len() + 1]; first.len() + 1];
        for at in 0..=first.len() {
            for to in 0..=second.len() {
                table[at][to] = if at == 0 || to == 0 {
                    at + to
                } else {
                    let other = usize::from(first[at - 1] != second[to - 1]);
                    let mut least =
                        (table[at - 1][to] + 1).min(table[at][to - 1] + 1).min(table[at - 1][to - 1] + other);
                    if at > 1 && to > 1 && first[at - 1] == second[to - 2] && first[at - 2] == second[to - 1] {
                        least = least.min(table[at - 2][to - 2] + 1);
                    }
                    least
                };
            }
        }
        table[first.len()][second.len()]
    }

    fn expected(terms: &[String], word: &str, max_edits: u8, what: Nearby) -> Vec<(u32, u8, bool)> {
        let word: Vec<char> = word.chars().collect();
        let edits = |term: &[char]| match what {
            Nearby::Whole => distance(term, &word),
            Nearby::Prefix => (0..=term.len()).map(|end| distance(&term[..end], &word)).min().unwrap_or(0),
        };
        let all = terms.iter().enumerate().map(|(number, term)| {
            let term: Vec<char> = term.chars().collect();
            (number as u32, edits(&term) as u8, term.first() != word.first())
        });
        // The first letter is right if two others are not.
        all.filter(|(_, edits, other_initial)| *edits <= max_edits && !(max_edits > 1 && *other_initial)).collect()
    }

    proptest! {
        #[test]
        fn the_walk_finds_what_the_table_says(
            terms in prop::collection::btree_set("[abcé豆]{1,7}", 1..60),
            word in "[abcé豆]{0,7}",
            max_edits in 1u8..=2,
            is_half_typed in any::<bool>(),
        ) {
            let terms: Vec<String> = terms.into_iter().collect();
            let mut builder = MapBuilder::memory();
            for (number, term) in terms.iter().enumerate() {
                builder.insert(term, number as u64).expect("the terms are in order");
            }
            let map = builder.into_map();
            let what = if is_half_typed { Nearby::Prefix } else { Nearby::Whole };
            let found = neighbors(map.as_fst(), &word, max_edits, what);
            let mut found: Vec<_> = found.iter().map(|near| (near.term, near.edits, near.other_initial)).collect();
            found.sort_unstable();
            prop_assert_eq!(found, expected(&terms, &word, max_edits, what));
        }
    }
}
