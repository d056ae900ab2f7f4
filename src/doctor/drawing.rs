//! A drawing of a position: the legal moves and the move that was answered.

use games::{Rules, Square};

use super::slip::Slip;

/// The board: `*` is a legal move, `?` is an answer on an empty square, `!` is an answer on an
/// occupied square.
pub fn drawn(slip: &Slip) -> Vec<String> {
    let answered = slip.answer.parse::<Square>().ok();
    let size = slip.board.game().size();
    let letters: String = (0..size)
        .flat_map(|column| [' ', char::from(b'a' + column)])
        .collect();
    let mut lines = vec![format!("  {letters}")];
    for (row, cells) in (0..).zip(slip.board.rows()) {
        let symbol = |(column, cell)| {
            let square = Square::new(column, row);
            match cell {
                '.' if answered == Some(square) => '?',
                _ if answered == Some(square) => '!',
                '.' if slip.legal.contains(&square) => '*',
                cell => cell,
            }
        };
        let cells = (0..).zip(cells.chars()).map(symbol);
        let spaced: String = cells.flat_map(|cell| [' ', cell]).collect();
        lines.push(format!("{:2}{spaced}", row + 1));
    }
    let mut legend = format!(
        "{} is to move; * is a legal move",
        slip.board.side_to_move()
    );
    match answered {
        Some(square) if !square.is_on(size) => {
            legend += &format!("; {square} is not on this board");
        }
        Some(square) if slip.board.at(square).is_some() => {
            legend += &format!("; ! is {square}, which is occupied");
        }
        Some(square) => legend += &format!("; ? is {square}"),
        None => {}
    }
    lines.push(legend);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use insta::assert_snapshot;

    #[test]
    fn the_answer_is_marked() {
        let slip = Slip::new(Game::OTHELLO.start(), "d2".to_owned());
        assert_snapshot!(drawn(&slip).join("\n"), @"
           a b c d e f g h
         1 . . . . . . . .
         2 . . . ? . . . .
         3 . . . * . . . .
         4 . . * O X . . .
         5 . . . X O * . .
         6 . . . . * . . .
         7 . . . . . . . .
         8 . . . . . . . .
        black is to move; * is a legal move; ? is d2
        ");
    }
}
