//! Terms within one edit of a word, where swapping two neighboring letters is one edit.
//!
//! The edit is at one place: before it the term has the letters of the word, and behind it the rest of them. So the word is
//! followed once through the dictionary, which is a tree of letters, and at each place every edit is tried. For several edits,
//! and for half-typed words, see [`nearby`](super::nearby).

use fst::raw::{Fst, Node, Output};

use super::nearby::{Letter, Letters, Spelling};

/// Returns the terms within one edit of a word, in any order.
pub(crate) fn neighbors(terms: &Fst<Vec<u8>>, word: &str) -> Vec<Spelling> {
    let mut search = Search { terms, found: Vec::new() };
    let mut place = Place { node: terms.root(), output: Output::zero() };
    let mut letters = word.chars();
    loop {
        let rest = letters.as_str();
        search.try_edits(place, rest, rest.len() == word.len());
        let passed = letters.next().map(|letter| search.follow(place, letter.encode_utf8(&mut [0; 4])));
        match passed {
            Some(Some(next)) => place = next,
            Some(None) => break,
            None => {
                search.add(place, "", 0, false);
                break;
            }
        }
    }
    // A letter beside its like can be typed twice, or left out, at either place.
    search.found.sort_unstable_by_key(|spelling| spelling.term);
    search.found.dedup_by_key(|spelling| spelling.term);
    search.found
}

/// A node of the dictionary, and what leads to it.
#[derive(Clone, Copy)]
struct Place<'a> {
    node: Node<'a>,
    output: Output,
}

struct Search<'a> {
    terms: &'a Fst<Vec<u8>>,
    found: Vec<Spelling>,
}

impl<'a> Search<'a> {
    /// Finds the terms with an edit here, before the rest of the word.
    fn try_edits(&mut self, place: Place<'a>, rest: &str, is_initial: bool) {
        let mut letters = rest.chars();
        let typed = letters.next();
        let behind = letters.as_str();
        self.try_letters(place, Letter::default(), &mut |search, letter, next| {
            let is_other = typed != Some(letter);
            search.add(next, rest, 1, is_initial && is_other);
            if is_other && typed.is_some() {
                search.add(next, behind, 1, is_initial);
            }
        });
        let Some(typed) = typed else { return };
        let second = letters.next();
        self.add(place, behind, 1, is_initial && second != Some(typed));
        if let Some(second) = second.filter(|second| *second != typed) {
            let swapped = self.follow(place, second.encode_utf8(&mut [0; 4]));
            let swapped = swapped.and_then(|place| self.follow(place, typed.encode_utf8(&mut [0; 4])));
            if let Some(place) = swapped {
                self.add(place, letters.as_str(), 1, is_initial);
            }
        }
    }

    /// Passes every letter that may follow a place, with the place behind it. A letter of several bytes takes as many nodes.
    fn try_letters(&mut self, place: Place<'a>, begun: Letter, pass: &mut impl FnMut(&mut Self, char, Place<'a>)) {
        for transition in place.node.transitions() {
            let output = place.output.cat(transition.out);
            let next = Place { node: self.terms.node(transition.addr), output };
            match begun.then(transition.inp) {
                Letters::Whole(letter) => pass(self, letter, next),
                Letters::Begun(letter) => self.try_letters(next, letter, pass),
                Letters::Broken => {}
            }
        }
    }

    /// Adds the term that has just these letters behind a place, if there is one.
    fn add(&mut self, place: Place<'a>, rest: &str, edits: u8, other_initial: bool) {
        if let Some(end) = self.follow(place, rest).filter(|end| end.node.is_final()) {
            let term = end.output.cat(end.node.final_output()).value() as u32;
            self.found.push(Spelling { term, edits, other_initial });
        }
    }

    /// Returns the place behind some letters.
    fn follow(&self, place: Place<'a>, letters: &str) -> Option<Place<'a>> {
        letters.bytes().try_fold(place, |place, byte| {
            let transition = place.node.transition(place.node.find_input(byte)?);
            Some(Place { node: self.terms.node(transition.addr), output: place.output.cat(transition.out) })
        })
    }
}

#[cfg(test)]
mod tests {
    use fst::MapBuilder;
    use proptest::prelude::*;

    use super::super::nearby::{self, Nearby};
    use super::*;

    proptest! {
        #[test]
        fn one_edit_finds_what_the_walk_finds(
            terms in prop::collection::btree_set("[abcé豆]{1,6}", 1..80),
            word in "[abcé豆]{0,6}",
        ) {
            let mut builder = MapBuilder::memory();
            for (number, term) in terms.iter().enumerate() {
                builder.insert(term, number as u64).expect("the terms are in order");
            }
            let map = builder.into_map();
            let mut walked = nearby::neighbors(map.as_fst(), &word, 1, Nearby::Whole);
            walked.sort_unstable_by_key(|spelling| spelling.term);
            prop_assert_eq!(neighbors(map.as_fst(), &word), walked);
        }
    }
}
