//! Cells of a table for spreadsheets.

use std::time::Duration;

use games::Move;

use message::number::rounded;

/// The characters with which a formula begins, full-width ones included.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A column of a table: its title, and the cell of a row.
pub(super) type Column<T> = (&'static str, fn(&T) -> String);

/// Text on one line that a spreadsheet does not read as a formula. Bots choose some of it.
pub(super) fn text(text: &str) -> String {
    let flat: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    // Spreadsheets skip blanks before a formula, and some read the full-width signs as one.
    if flat.trim_start().starts_with(FORMULA) {
        format!("'{flat}")
    } else {
        flat
    }
}

/// Milliseconds, rounded to the microsecond.
pub(super) fn ms(time: Duration) -> String {
    let us = (time.as_nanos() + 500) / 1000;
    format!("{}.{:03}", us / 1000, us % 1000)
}

/// A share from 0 to 1.
pub(super) fn rate(rate: f64) -> String {
    format!("{rate:.4}")
}

/// A number to the tenth.
pub(super) fn tenths(number: f64) -> String {
    format!("{:.1}", rounded(number, 1))
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
    use cases::cases;

    #[test]
    fn times_are_rounded_to_microseconds() {
        for (nanos, cell) in [
            (0, "0.000"),
            (499, "0.000"),
            (1_500, "0.002"),
            (12_345_678, "12.346"),
            (5_000_999_501, "5001.000"),
        ] {
            assert_eq!(ms(Duration::from_nanos(nanos)), cell);
        }
    }

    #[test]
    fn a_formula_is_made_text() {
        for (written, cell) in cases::<(String, String)>("formulas") {
            assert_eq!(text(&written), cell);
        }
    }
}
