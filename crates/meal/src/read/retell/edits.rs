//! Edits of a text, from its front to its end.

use std::ops::Range;

use crate::read::token::Token;

/// The tokens of a text, some of them replaced.
#[derive(Debug)]
pub(super) struct Edits<'t> {
    tokens: &'t [Token],
    /// The text up to the end of the last edit; `None` before the first.
    out: Option<Vec<Token>>,
    /// Where the rest begins.
    end: usize,
}

impl<'t> Edits<'t> {
    pub fn of(tokens: &'t [Token]) -> Self {
        Self { tokens, out: None, end: 0 }
    }

    /// Replaces tokens. Those before the end of the last edit stay as they are.
    pub fn replace(&mut self, range: Range<usize>, with: impl IntoIterator<Item = Token>) {
        if range.start < self.end {
            return;
        }
        let out = self.out.get_or_insert_default();
        out.extend_from_slice(&self.tokens[self.end..range.start]);
        out.extend(with);
        self.end = range.end;
    }

    /// Returns the edited text, or `None` if nothing was replaced.
    pub fn finish(self) -> Option<Vec<Token>> {
        let mut out = self.out?;
        out.extend_from_slice(&self.tokens[self.end..]);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::token::tokens;

    #[test]
    fn edits_are_made_from_the_front_and_do_not_overlap() {
        let text = tokens("a b c d");
        assert_eq!(Edits::of(&text).finish(), None);
        let mut edits = Edits::of(&text);
        edits.replace(1..3, tokens("x"));
        edits.replace(2..4, tokens("y"));
        assert_eq!(edits.finish(), Some(tokens("a x d")));
    }
}
