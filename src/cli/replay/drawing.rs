//! A game on a terminal: its moves, and the board after each.

use games::{Board, Move, Rules};

pub use crate::terminal::Shown;

/// All moves from `start` by `players` (black's name first), with a board after each move if `boards`,
/// else with one board at the end.
pub fn draw(start: &Board, players: [&str; 2], moves: &[Shown], boards: bool) -> String {
    let mut board = start.clone();
    let mut text = String::new();
    for (ply, shown) in moves.iter().enumerate() {
        let Shown {
            played,
            note,
            is_given,
        } = shown;
        let player = players[board.side_to_move().index()];
        text += &format!("{:3}. {player}: {played}{note}\n", ply + 1);
        let put = if *is_given { Board::give } else { Board::play };
        if put(&mut board, *played).is_err() {
            text += "   (this move cannot be played: the record is damaged)\n";
            break;
        }
        let starts_here = *is_given && moves.get(ply + 1).is_none_or(|next| !next.is_given);
        if boards && !is_given || starts_here {
            text += &format!("{}\n\n", marked(&board, *played));
        }
    }
    if !boards {
        text += &format!("{board}\n");
    }
    text
}

/// The board with the last move in brackets.
fn marked(board: &Board, played: Move) -> String {
    let text = board.to_string();
    let Move::Place(square) = played else {
        return text;
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[usize::from(square.row()) + 1];
    // Two characters of row number, then a space and a symbol a column.
    let at = 2 + 2 * usize::from(square.column());
    line.replace_range(at..=at, "(");
    if line.len() > at + 2 {
        line.replace_range(at + 2..at + 3, ")");
    } else {
        line.push(')');
    }
    lines.join("\n")
}
