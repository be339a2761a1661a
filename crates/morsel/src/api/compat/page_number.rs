//! Pages of results, as parameters ask for them.

use std::ops::Range;

/// A page of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageNumber {
    /// Its number, counted from 1.
    pub number: usize,
    /// How many results are on a page.
    pub size: usize,
}

impl PageNumber {
    /// The last page that is counted; no search finds that much.
    const MAX_NUMBER: usize = 1_000_000;

    /// Reads the number and size of a page. What is missing or makes no sense is the first page, and of the usual size.
    pub fn read(number: Option<&str>, size: Option<&str>, usual_size: usize, max_size: usize) -> Self {
        let whole = |text: Option<&str>, usual: usize, max: usize| {
            let digits =
                text.map(str::trim).filter(|text| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit()));
            match digits.map(|digits| digits.parse().unwrap_or(max)) {
                None | Some(0) => usual,
                Some(number) => number.min(max),
            }
        };
        Self { number: whole(number, 1, Self::MAX_NUMBER), size: whole(size, usual_size, max_size) }
    }

    /// Returns which of all results are on the page.
    pub fn range(self) -> Range<usize> {
        let start = self.start();
        start..start + self.size
    }

    /// Returns how many results are on the pages before.
    pub fn start(self) -> usize {
        (self.number - 1) * self.size
    }

    /// Returns how many pages so many results have.
    pub fn pages(self, total: usize) -> usize {
        total.div_ceil(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_within_bounds_whatever_is_asked_for() {
        let read = |number, size| {
            let page = PageNumber::read(number, size, 24, 100);
            (page.number, page.size)
        };
        assert_eq!(read(None, None), (1, 24));
        assert_eq!(read(Some("2"), Some("50")), (2, 50));
        assert_eq!(read(Some("0"), Some("0")), (1, 24));
        assert_eq!(read(Some("-1"), Some("ten")), (1, 24));
        assert_eq!(read(Some("99999999999999999999999"), Some("99999999999999999999999")), (1_000_000, 100));
        let page = PageNumber { number: 3, size: 20 };
        assert_eq!((page.range(), page.start(), page.pages(41), page.pages(0)), (40..60, 40, 3, 0));
    }
}
