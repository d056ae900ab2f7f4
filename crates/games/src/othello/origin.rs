//! Finds moves from the start of the game to a position.
//!
//! Files of openings often have positions without moves. Discs are never removed, so only the order in which the
//! squares were filled is unknown. The search is fast for the ten or twenty discs of an opening, and slow for more.
//!
//! ```
//! use games::othello::moves_to;
//! use games::{Game, format_transcript, parse_transcript};
//!
//! let (_, games::Board::Othello(board)) = parse_transcript(Game::OTHELLO, "f5d6c3d3c4")? else {
//!     unreachable!()
//! };
//! let moves = moves_to(&board)?;
//! // The moves may be in another order.
//! let (_, reached) = parse_transcript(Game::OTHELLO, &format_transcript(&moves))?;
//! assert_eq!(reached, games::Board::Othello(board));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;

use super::board::OthelloBoard;
use super::position::{Position, SIZE, squares};
use crate::{Move, Rules, Side, Square};

/// The number of positions after which the search stops. The search visits them in well under a second.
const MOST_POSITIONS: usize = 1 << 20;
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The reason why no moves were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum NoOrigin {
    /// Every order was tried.
    #[error("no game from the usual start leads to this position")]
    Unreachable,
    /// The search stopped before it had tried every order.
    #[error(
        "the search for a game that leads to this position of {discs} discs was stopped after {MOST_POSITIONS} \
         positions: write the moves of the game instead"
    )]
    TooFar {
        /// The number of discs of the position.
        discs: u32,
    },
}

/// Returns the moves of one game from the usual start to `board`, passes included.
pub fn moves_to(board: &OthelloBoard) -> Result<Vec<Move>, NoOrigin> {
    let mut search = GameSearch {
        goal: *board,
        filled: !board.position().empties(),
        seen: HashSet::new(),
        moves: Vec::new(),
    };
    match search.leads_on(OthelloBoard::START) {
        Some(true) => Ok(search.moves),
        Some(false) => Err(NoOrigin::Unreachable),
        None => {
            let discs = search.filled.count_ones();
            Err(NoOrigin::TooFar { discs })
        }
    }
}

struct GameSearch {
    goal: OthelloBoard,
    filled: u64,
    /// Positions that do not lead to the goal or are on the current path.
    seen: HashSet<(Position, Side)>,
    moves: Vec<Move>,
}

impl GameSearch {
    /// Returns whether a game leads from `board` to the goal; `None` if the search was stopped.
    fn leads_on(&mut self, board: OthelloBoard) -> Option<bool> {
        if board == self.goal {
            return Some(true);
        }
        let position = board.position();
        if !position.empties() & !self.filled != 0 || !self.corners_agree(board) {
            return Some(false);
        }
        if !self.seen.insert((position, board.side_to_move())) {
            return Some(false);
        }
        if self.seen.len() > MOST_POSITIONS {
            return None;
        }
        let tried = squares(position.legal_moves() & self.filled)
            .map(|index| Move::Place(Square::from_index(index, SIZE)))
            .chain(board.must_pass().then_some(Move::Pass));
        for played in tried {
            let mut next = board;
            next.play(played).expect("it is legal");
            self.moves.push(played);
            if self.leads_on(next)? {
                return Some(true);
            }
            self.moves.pop();
        }
        Some(false)
    }

    /// Returns true if the corners have the same discs as in the goal: a disc in a corner never changes colour.
    fn corners_agree(&self, board: OthelloBoard) -> bool {
        let black = |board: OthelloBoard| match board.side_to_move() {
            Side::Black => board.position().own,
            Side::White => board.position().opponent,
        };
        let taken = !board.position().empties() & CORNERS;
        (black(board) ^ black(self.goal)) & taken == 0
    }
}
