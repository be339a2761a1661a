//! Plain-text tables. Long cells are cut with an ellipsis.

use std::fmt;

pub(super) use comfy_table::CellAlignment as Align;
use comfy_table::{ColumnConstraint, ContentLineStyle, LineStyle, Row, TableStyle, Width};

/// Columns of the terminal that the widest cell takes.
const MAX_WIDTH: u16 = 56;
/// Spaces between columns, and one line below the header.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction(' '))
    .header_separator(LineStyle::none().fill('─').junction(' '))
    .content_lines(ContentLineStyle::none().junction(' '));

/// A table with a header line.
#[derive(Debug)]
pub(super) struct Table(comfy_table::Table);

impl Table {
    pub fn new(header: &[(&str, Align)]) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(STYLE).set_truncation_indicator("…").set_header(header.iter().map(|(name, _)| *name));
        for (column, (_, align)) in table.column_iter_mut().zip(header) {
            column.set_padding((0, 1)).set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(MAX_WIDTH + 1)));
            column.set_cell_alignment(*align);
        }
        Self(table)
    }

    pub fn row(&mut self, cells: Vec<String>) {
        let mut row = Row::from(cells);
        row.max_height(1);
        self.0.add_row(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.0.trim_fmt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_long_cells_are_cut() {
        let mut table = Table::new(&[("Food", Align::Left), ("kcal", Align::Right), ("Id", Align::Left)]);
        for name in ["Crème", "納豆", &"x".repeat(80)] {
            table.row(vec![name.to_owned(), "5".to_owned(), "id".to_owned()]);
        }
        let text = table.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(lines[0], format!("{:57} {:>4}  Id", "Food", "kcal"));
        assert_eq!(lines[2], format!("{:57} {:>4}  id", "Crème", "5"));
        // Each of these characters takes two columns.
        assert_eq!(lines[3], format!("{:55} {:>4}  id", "納豆", "5"));
        assert_eq!(lines[4], format!("{}…  {:>4}  id", "x".repeat(55), "5"));
    }
}
