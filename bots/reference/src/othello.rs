//! What an Othello position is worth, in the points of one table; and the position as a tree.
//!
//! `weights`, `mobility` and both minimax bots share this.

use games::othello::{Board, Position, SIZE, squares};
use games::{Move, Square};

use crate::search::Tree;

/// What a disc on each square is worth. Corners cannot be turned over; the squares beside them give
/// them away; the rest hardly matters.
///
/// The idea is old (P. Norvig, "Paradigms of AI Programming", 1992, chapter 18, has such a table);
/// these figures are the ones that course programs hand on to each other.
#[rustfmt::skip]
pub(crate) const WEIGHTS: [i32; 64] = [
    500, -25, 10,  5,  5, 10, -25, 500,
    -25, -45,  1,  1,  1,  1, -45, -25,
     10,   1,  3,  2,  2,  3,   1,  10,
      5,   1,  2,  1,  1,  2,   1,   5,
      5,   1,  2,  1,  1,  2,   1,   5,
     10,   1,  3,  2,  2,  3,   1,  10,
    -25, -45,  1,  1,  1,  1, -45, -25,
    500, -25, 10,  5,  5, 10, -25, 500,
];

/// What it is worth to have more moves than the opponent.
const MOBILITY: i32 = 50;
/// More than any position's points: what it is worth to have won.
const WON: i32 = 20_000;
/// Points that pass for one disc when a value is shown.
const POINTS_A_DISC: i32 = 50;

/// The sum of the table over a set of discs.
pub(crate) fn weight(discs: u64) -> i32 {
    squares(discs).map(|square| WEIGHTS[square]).sum()
}

/// Points for the side to move for having more moves than its opponent, or fewer.
pub(crate) fn mobility(position: Position) -> i32 {
    let moves = |position: Position| position.legal_moves().count_ones() as i32;
    MOBILITY * (moves(position) - moves(position.pass())).signum()
}

/// The position to be played on.
#[derive(Clone, Debug)]
pub(crate) struct OthelloTree {
    position: Position,
    history: Vec<Position>,
}

impl OthelloTree {
    pub(crate) fn new(board: &Board) -> OthelloTree {
        OthelloTree {
            position: board.position(),
            history: Vec::new(),
        }
    }
}

impl Tree for OthelloTree {
    fn moves(&mut self) -> Vec<Move> {
        let moves = self.position.legal_moves();
        if moves == 0 && !self.position.is_over() {
            return vec![Move::Pass];
        }
        squares(moves)
            .map(|square| Move::Place(Square::from_index(square, SIZE)))
            .collect()
    }

    fn play(&mut self, played: Move) {
        self.history.push(self.position);
        self.position = match played {
            Move::Place(square) => self.position.play(square.index(SIZE)),
            Move::Pass => self.position.pass(),
        };
    }

    fn undo(&mut self) {
        self.position = self.history.pop().expect("only what was played is undone");
    }

    fn ended(&self) -> Option<i32> {
        self.position.is_over().then(|| {
            let discs = self.position.final_score();
            WON * discs.signum() + POINTS_A_DISC * discs
        })
    }

    fn evaluate(&self) -> i32 {
        let Position { own, opponent } = self.position;
        weight(own) - weight(opponent) + mobility(self.position)
    }

    fn shown(value: i32) -> f64 {
        let discs = if value.abs() >= WON {
            f64::from((value - WON * value.signum()) / POINTS_A_DISC)
        } else {
            f64::from(value) / f64::from(POINTS_A_DISC)
        };
        discs.clamp(-64.0, 64.0)
    }
}
