//! Cells of a table for spreadsheets.

use std::time::Duration;

use games::Move;

/// A column of a table: its title, and the cell of a row.
pub(super) type Column<T> = (&'static str, fn(&T) -> String);

/// Text on one line that a spreadsheet does not read as a formula. Bots choose some of it.
pub(super) fn text(text: &str) -> String {
    let flat: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if flat.starts_with(['=', '+', '-', '@']) {
        format!("'{flat}")
    } else {
        flat
    }
}

/// Milliseconds to the microsecond.
pub(super) fn ms(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1000.0)
}

/// A share from 0 to 1.
pub(super) fn rate(rate: f64) -> String {
    format!("{rate:.4}")
}

/// A number to the tenth.
pub(super) fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

/// Moves with spaces between them.
pub(super) fn moves(moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
    moves.join(" ")
}

/// A value, or an empty cell.
pub(super) fn maybe<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map(show).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_made_text() {
        for (written, cell) in [
            ("=cmd()", "'=cmd()"),
            ("@x", "'@x"),
            ("a\nb", "a b"),
            ("\t=1", " =1"),
            ("plain = text", "plain = text"),
        ] {
            assert_eq!(text(written), cell);
        }
    }
}
