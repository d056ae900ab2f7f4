//! A table of numbers that fits the terminal's width.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, LineStyle, Table};

/// A table with a rule under its titles.
pub(super) fn ruled<T: ToString>(titles: impl IntoIterator<Item = T>) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING.header_separator(LineStyle::new(' ', '─', '─', ' ')))
        .set_header(titles.into_iter().map(|title| title.to_string()));
    table
}

/// The text of a table, without spaces at the ends of its lines.
pub(super) fn trimmed(table: &Table) -> String {
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// Columns of numbers beside a column of names.
pub(super) struct Columns<'a> {
    columns: Vec<Column<'a>>,
    names: &'static str,
}

/// The same as text, for another kind of page.
pub(super) struct Grid {
    /// The heads of its columns.
    pub titles: Vec<String>,
    /// The title of the column that is text; the others are numbers.
    names: &'static str,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Whether a column has numbers.
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "a template passes references"
    )]
    pub fn is_number(&self, column: &usize) -> bool {
        self.titles[*column] != self.names
    }
}

struct Column<'a> {
    title: &'a str,
    cells: Vec<String>,
}

/// Spaces around a cell: the normal number and the minimum.
const PADDINGS: [(u16, u16); 2] = [(1, 1), (0, 0)];

impl<'a> Columns<'a> {
    /// Rows of as many cells as there are titles; the column titled `names` is text.
    pub(super) fn new(
        titles: &[&'a str],
        rows: Vec<Vec<String>>,
        names: &'static str,
    ) -> Columns<'a> {
        let mut columns: Vec<Column<'_>> = titles
            .iter()
            .map(|&title| Column {
                title,
                cells: Vec::with_capacity(rows.len()),
            })
            .collect();
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.cells.push(cell);
            }
        }
        Columns { columns, names }
    }

    /// Removes empty columns.
    pub(super) fn drop_empty(&mut self) {
        self.columns
            .retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    }

    /// Its cells.
    pub(super) fn grid(&self) -> Grid {
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        let row = |row: usize| {
            let cells = self.columns.iter().map(|column| column.cells[row].clone());
            cells.collect()
        };
        Grid {
            titles: self
                .columns
                .iter()
                .map(|column| column.title.to_owned())
                .collect(),
            names: self.names,
            rows: (0..rows).map(row).collect(),
        }
    }

    /// The table in at most `width` columns of the terminal: first the gaps shrink, then the columns
    /// titled `first_to_go` are removed, group by group. The rest may still be too wide.
    pub(super) fn text(mut self, width: Option<usize>, first_to_go: &[&[&str]]) -> String {
        let fits = |text: &str| {
            // The rule under the titles is as long as the table is wide.
            let rule = text.lines().nth(1).unwrap_or_default();
            width.is_none_or(|width| rule.chars().count() <= width)
        };
        let mut to_go = first_to_go.iter();
        loop {
            for padding in PADDINGS {
                let text = self.draw(padding);
                if fits(&text) {
                    return text;
                }
            }
            match to_go.next() {
                Some(group) => self.columns.retain(|column| !group.contains(&column.title)),
                None => return self.draw(PADDINGS[1]),
            }
        }
    }

    fn draw(&self, padding: (u16, u16)) -> String {
        let mut table = ruled(self.columns.iter().map(|column| column.title));
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        for row in 0..rows {
            table.add_row(self.columns.iter().map(|column| &column.cells[row]));
        }
        for (drawn, column) in table.column_iter_mut().zip(&self.columns) {
            drawn.set_padding(padding);
            if column.title != self.names {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        trimmed(&table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(width: usize) -> String {
        let row = |bot: &str| [bot, "12", "7", "5"].map(str::to_owned).to_vec();
        Columns::new(
            &["bot", "games", "won", "lost"],
            vec![row("long-name"), row("b")],
            "bot",
        )
        .text(Some(width), &[&["games"], &["won", "lost"]])
    }

    #[test]
    fn gaps_shrink_before_columns_go() {
        let widest = |width| table(width).lines().map(|line| line.chars().count()).max();
        for width in [80, 33, 27, 24, 20, 12] {
            assert!(widest(width) <= Some(width), "{width}:\n{}", table(width));
        }
        insta::assert_snapshot!(table(27), @r"
         bot       games won lost
         ────────────────────────
         long-name    12   7    5
         b            12   7    5
        ");
        insta::assert_snapshot!(table(20), @r"
         bot       won lost
         ──────────────────
         long-name   7    5
         b           7    5
        ");
        assert!(table(3).contains("long-name"), "names never go");
    }
}
