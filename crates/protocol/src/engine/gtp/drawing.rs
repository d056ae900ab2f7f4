//! The board as a person at a GTP console sees it, with the vertices that GTP uses.

use games::{Board, Rules, Side, Square};

use crate::notation::gtp::Vertices;

/// `X` black, `O` white, `.` empty; who is to move above.
pub(super) fn of(board: &Board) -> String {
    let size = board.game().size();
    let vertices = Vertices::of(board.game());
    let letters: String = (0..size)
        .flat_map(|column| [' ', char::from(vertices.letter(column))])
        .collect();
    let rows = (0..size).map(|row| {
        let stone = |column| {
            let side = board.at(Square::new(column, row));
            side.map_or('.', Side::symbol)
        };
        let stones: String = (0..size).flat_map(|column| [' ', stone(column)]).collect();
        format!("{:2}{stones}", vertices.number(row))
    });
    let next = format!("{} to move", board.side_to_move());
    [next, format!("  {letters}")]
        .into_iter()
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}
