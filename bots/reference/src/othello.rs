//! The table of square values for several bots, and the positions for search and for playouts.

use games::othello::{OthelloBoard, Position, SIZE, squares};
use games::{Move, Rules, Side, Square};

use crate::draw::Draw;
use crate::search::Tree;
use crate::uct::Playable;

/// The value of a disc on each square. Corners cannot be flipped; a disc beside a corner may give the corner away. P.
/// Norvig, "Paradigms of AI Programming", 1992, chapter 18, has a similar table. The values here are common in courses.
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

const MOBILITY: i32 = 50;
/// The value of a win, which is more than the points of any position.
const WON: i32 = 20_000;
/// The points of one disc. Used in the value of an ended game, and to display any value in discs.
const POINTS_A_DISC: i32 = 50;

pub(crate) fn weight(discs: u64) -> i32 {
    squares(discs).map(|square| WEIGHTS[square]).sum()
}

/// Returns the bonus of the side to move for more moves than the opponent; negative for fewer.
pub(crate) fn more_moves(position: Position) -> i32 {
    let moves = |position: Position| position.legal_moves().count_ones() as i32;
    MOBILITY * (moves(position) - moves(position.pass())).signum()
}

/// Returns the legal moves, including a forced pass; empty when the game is over.
fn legal(position: Position) -> Vec<Move> {
    let moves = position.legal_moves();
    if moves == 0 && !position.is_over() {
        return vec![Move::Pass];
    }
    squares(moves)
        .map(|square| Move::Place(Square::from_index(square, SIZE)))
        .collect()
}

fn after(position: Position, played: Move) -> Position {
    match played {
        Move::Place(square) => position.play(square.index(SIZE)),
        Move::Pass | Move::Choose(_) => position.pass(),
    }
}

#[derive(Clone, Debug)]
pub(crate) struct OthelloTree {
    position: Position,
    history: Vec<Position>,
}

impl OthelloTree {
    pub(crate) fn new(board: &OthelloBoard) -> OthelloTree {
        OthelloTree {
            position: board.position(),
            history: Vec::new(),
        }
    }
}

impl Tree for OthelloTree {
    /// The squares with the highest values come first, because alpha-beta needs a good order.
    fn moves(&mut self, _depth: u32) -> Vec<Move> {
        let mut moves = legal(self.position);
        moves.sort_by_key(|played| played.square().map(|square| -WEIGHTS[square.index(SIZE)]));
        moves
    }

    fn play(&mut self, played: Move) {
        self.history.push(self.position);
        self.position = after(self.position, played);
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
        weight(own) - weight(opponent) + more_moves(self.position)
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

#[derive(Clone, Debug)]
pub(crate) struct OthelloPlayout {
    position: Position,
    side_to_move: Side,
}

impl OthelloPlayout {
    pub(crate) fn new(board: &OthelloBoard) -> OthelloPlayout {
        OthelloPlayout {
            position: board.position(),
            side_to_move: board.side_to_move(),
        }
    }
}

impl Playable for OthelloPlayout {
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn moves(&self) -> Vec<Move> {
        legal(self.position)
    }

    fn play(&mut self, played: Move) {
        self.position = after(self.position, played);
        self.side_to_move = !self.side_to_move;
    }

    fn play_out(mut self, draw: &mut Draw) -> i32 {
        loop {
            let moves = self.position.legal_moves();
            if moves != 0 {
                let choice = draw.below(moves.count_ones() as usize);
                let square = squares(moves).nth(choice);
                let square = square.expect("the choice is below the number of moves");
                self.position = self.position.play(square);
            } else if self.position.is_over() {
                break;
            } else {
                self.position = self.position.pass();
            }
            self.side_to_move = !self.side_to_move;
        }
        match self.side_to_move {
            Side::Black => self.position.final_score(),
            Side::White => -self.position.final_score(),
        }
    }
}
