//! A slow search for wins, an AND/OR search that knows nothing but how to look for a five, and
//! renju's fouls: a twin to hold the solvers to.

use games::gomoku::Rule;
use games::{Side, Square};

type Stones = games::gomoku::GomokuBoard;

/// Where `side` would make five.
fn fives(stones: &Stones, side: Side) -> Vec<Square> {
    let mut empty: Vec<Square> = stones.empty_squares().collect();
    empty.retain(|&square| stones.wins(square, side));
    empty
}

fn has_five(stones: &Stones, side: Side) -> bool {
    stones
        .empty_squares()
        .any(|square| stones.wins(square, side))
}

/// The empty squares that `side` may play.
fn allowed(stones: &Stones, side: Side) -> Vec<Square> {
    let has_fouls = stones.rule() == Rule::Renju && side == Side::Black;
    let may = |&square: &Square| !has_fouls || stones.renju_forbids(square).is_none();
    stones.empty_squares().filter(may).collect()
}

/// Which moves the attacker is allowed.
#[derive(Clone, Copy, PartialEq)]
pub enum Moves {
    /// Any.
    All,
    /// Fours and open threes.
    Threats,
}

/// Whether `attacker`, to move, wins in at most `plies` whatever the defender plays.
pub fn wins_within(stones: &mut Stones, attacker: Side, plies: u32, moves: Moves) -> bool {
    if has_five(stones, attacker) {
        return true;
    }
    if plies < 3 {
        return false;
    }
    allowed(stones, attacker).into_iter().any(|first| {
        stones.set(first, Some(attacker));
        let wins = (moves == Moves::All || is_threat(stones, first, attacker))
            && !has_five(stones, !attacker)
            && allowed(stones, !attacker).into_iter().all(|reply| {
                stones.set(reply, Some(!attacker));
                let wins = wins_within(stones, attacker, plies - 2, moves);
                stones.set(reply, None);
                wins
            });
        stones.set(first, None);
        wins
    })
}

/// Whether the stone on `first` makes a four, or a three: another stone in line with it would then
/// threaten two fives in that line.
fn is_threat(stones: &mut Stones, first: Square, side: Side) -> bool {
    if has_five(stones, side) {
        return true;
    }
    allowed(stones, side).into_iter().any(|second| {
        stones.set(second, Some(side));
        let of_line = |five: &Square| in_line(first, second, *five);
        let open_four = fives(stones, side)
            .iter()
            .filter(|five| of_line(five))
            .count()
            >= 2;
        stones.set(second, None);
        open_four
    })
}

/// Whether three squares lie on one row, column or diagonal.
fn in_line(one: Square, two: Square, three: Square) -> bool {
    let step = |from: Square, to: Square| {
        let columns = i32::from(to.column()) - i32::from(from.column());
        let rows = i32::from(to.row()) - i32::from(from.row());
        (columns, rows)
    };
    let ((a, b), (c, d)) = (step(one, two), step(one, three));
    let is_line =
        |columns: i32, rows: i32| columns == 0 || rows == 0 || columns.abs() == rows.abs();
    a * d == b * c && is_line(a, b)
}
