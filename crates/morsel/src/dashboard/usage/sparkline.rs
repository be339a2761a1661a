//! A line as small as a word that shows how a number went up and down.

use std::fmt::Write as _;

use askama::Template;
use askama::filters::HtmlSafe;

const WIDTH: f64 = 100.0;
const HEIGHT: f64 = 24.0;

/// The line. It consists of numbers, so templates do not need to escape it.
#[derive(Clone, Debug, Template)]
#[template(
    source = "<svg class=\"spark\" viewBox=\"0 0 100 24\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"{{ path }}\"/></svg>",
    ext = "html"
)]
pub(super) struct Sparkline {
    path: String,
}

impl HtmlSafe for Sparkline {}

impl Sparkline {
    /// Draws numbers at equal distances, from 0 to the highest.
    pub fn new(numbers: &[u64]) -> Self {
        let highest = numbers.iter().copied().max().unwrap_or(0).max(1) as f64;
        let step = WIDTH / (numbers.len().max(2) - 1) as f64;
        let mut path = String::with_capacity(numbers.len() * 12);
        for (n, number) in numbers.iter().enumerate() {
            let letter = if n == 0 { 'M' } else { 'L' };
            let y = (HEIGHT - 2.0) * (1.0 - *number as f64 / highest) + 1.0;
            // Writing to a string does not fail.
            let _ = write!(path, "{letter}{:.1} {y:.1}", step * n as f64);
        }
        Self { path }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_from_zero_to_the_highest() {
        assert_eq!(Sparkline::new(&[0, 10, 5]).path, "M0.0 23.0L50.0 1.0L100.0 12.0");
        assert_eq!(Sparkline::new(&[0, 0]).path, "M0.0 23.0L100.0 23.0");
        assert!(Sparkline::new(&[]).path.is_empty());
    }
}
