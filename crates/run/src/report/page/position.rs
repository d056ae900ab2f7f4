//! The parts of a position that a page shows: stones, legal moves and flips, forbidden points, and the winning line.
//! Squares are numbers, as in [`game_view`](super::game_view).

use games::{Board, Move, Reason, Rules, Side, Square};

/// Returns the stones row by row: `X` black, `O` white, `.` none.
pub fn drawn(board: &Board) -> String {
    squares(board)
        .map(|square| board.at(square).map_or('.', Side::symbol))
        .collect()
}

fn squares(board: &Board) -> impl Iterator<Item = Square> + use<> {
    let size = board.size();
    let squares = usize::from(size) * usize::from(size);
    (0..squares).map(move |index| Square::from_index(index, size))
}

/// Returns the squares whose disc changed its colour.
pub fn turned(before: &Board, after: &Board) -> Vec<usize> {
    let changed = |square: &Square| {
        let (was, is) = (before.at(*square), after.at(*square));
        was.is_some() && was != is
    };
    let size = before.size();
    let changed = squares(before).filter(changed);
    changed.map(|square| square.index(size)).collect()
}

pub fn legal(board: &Board) -> Option<Vec<(usize, Vec<usize>)>> {
    if board.game().scoring() != games::Scoring::Discs && board.opening().is_none() {
        return None;
    }
    let flips = |&square: &Square| {
        let flips = after(board, square).map(|after| turned(board, &after));
        (square.index(board.size()), flips.unwrap_or_default())
    };
    Some(board.legal_squares().iter().map(flips).collect())
}

pub fn forbidden(board: &Board) -> Vec<(usize, &'static str)> {
    let legal = board.legal_squares();
    let is_flipping = board.game().scoring() == games::Scoring::Discs;
    if is_flipping || legal.len() == usize::from(board.empties()) {
        return Vec::new();
    }
    let empty = squares(board).filter(|&square| board.at(square).is_none());
    let named = |square: Square| {
        let reason = after(board, square)?.ending()?.reason;
        Some((square.index(board.size()), reason.word()))
    };
    empty
        .filter(|square| !legal.contains(square))
        .filter_map(named)
        .collect()
}

fn after(board: &Board, square: Square) -> Option<Board> {
    let mut after = board.clone();
    after.play(Move::Place(square)).ok()?;
    Some(after)
}

pub fn winning_line(board: &Board, last: Option<usize>) -> Vec<usize> {
    let ended = board.ending().map(|ending| ending.reason);
    let (Some(Reason::FIVE), Some(at)) = (ended, last) else {
        return Vec::new();
    };
    let size = board.size();
    let last = Square::from_index(at, size);
    let owner = board.at(last);
    let walk = |(dx, dy): (i8, i8)| {
        (1..).map_while(move |steps: i8| {
            let column = last.column().checked_add_signed(dx * steps)?;
            let row = last.row().checked_add_signed(dy * steps)?;
            let square = (column < size && row < size).then(|| Square::new(column, row))?;
            (board.at(square) == owner).then(|| square.index(size))
        })
    };
    let lines = [(1, 0), (0, 1), (1, 1), (-1, 1)].map(|(dx, dy)| {
        let mut line: Vec<usize> = walk((dx, dy)).collect();
        line.extend(walk((-dx, -dy)));
        line.push(at);
        line.sort_unstable();
        line
    });
    let longest = lines.into_iter().max_by_key(Vec::len);
    longest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use games::{Game, parse_transcript};

    use super::*;

    fn after(rules: Option<&str>, moves: &str) -> Board {
        let game = Game::new("gomoku", rules, Some(15)).expect("a game");
        parse_transcript(game, moves).expect("legal").1
    }

    #[test]
    fn the_line_that_won_is_found() {
        let board = after(None, "a1h8b2i8c3j8d4k8e5");
        assert_eq!(winning_line(&board, Some(64)), [0, 16, 32, 48, 64]);
        let board = after(None, "a1h8b2i8c3j8d4k8");
        assert!(winning_line(&board, Some(115)).is_empty());
    }

    /// Black has stones on d4, e4, f5 and f6: f4 would make two open threes, d4-e4-f4 and f4-f5-f6.
    #[test]
    fn a_forbidden_point_has_a_name() {
        let board = after(Some("renju"), "d4a15e4c15f5e15f6g15");
        let f4 = 3 * 15 + 5;
        assert_eq!(forbidden(&board), [(f4, "double-three")]);
    }
}
