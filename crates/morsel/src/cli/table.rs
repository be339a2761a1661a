//! Plain-text tables. Long cells are cut with an ellipsis.

use std::fmt;

/// Characters of the longest cell.
const MAX_WIDTH: usize = 56;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A table with a header line.
#[derive(Debug)]
pub(super) struct Table {
    heading: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(heading: &[(&str, Align)]) -> Self {
        Self { heading: heading.iter().map(|(name, align)| ((*name).to_owned(), *align)).collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(shorten).collect());
    }

    fn write_row<'a>(
        &self,
        f: &mut fmt::Formatter<'_>,
        widths: &[usize],
        cells: impl Iterator<Item = &'a str>,
    ) -> fmt::Result {
        let mut line = String::new();
        for ((cell, width), (_, align)) in cells.zip(widths).zip(&self.heading) {
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            match align {
                Align::Left => line.extend([cell, &padding, "  "]),
                Align::Right => line.extend([&padding, cell, "  "]),
            }
        }
        writeln!(f, "{}", line.trim_end())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([self.heading[column].0.chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heading.len()).map(width).collect();
        self.write_row(f, &widths, self.heading.iter().map(|(name, _)| name.as_str()))?;
        let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        self.write_row(f, &widths, rules.iter().map(String::as_str))?;
        self.rows.iter().try_for_each(|row| self.write_row(f, &widths, row.iter().map(String::as_str)))
    }
}

fn shorten(text: String) -> String {
    if text.chars().count() <= MAX_WIDTH {
        return text;
    }
    text.chars().take(MAX_WIDTH - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_long_cells_are_cut() {
        let mut table = Table::new(&[("Food", Align::Left), ("kcal", Align::Right)]);
        table.row(vec!["Crème".to_owned(), "5".to_owned()]);
        table.row(vec!["x".repeat(80), "1234".to_owned()]);
        let text = table.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2].chars().count(), lines[3].chars().count());
        assert!(lines[3].contains('…'));
    }
}
