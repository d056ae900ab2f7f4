//! Puzzles: positions that black, to move, wins by force.
//!
//! Three sources: [`natural`] positions come from games of the engine against itself, [`scattered`]
//! ones from stones scattered over the board, and a [`chain`] is a scattered one changed stone by
//! stone until its shortest win by fours is long. [`Puzzle::of`] measures any position.
//!
//! Everything depends on the seed alone.

mod chain;
mod natural;
mod random;
mod scattered;

use games::gomoku::GomokuBoard;
use games::{Rules, Side, Square};

use super::shape::Kind;
use super::{Cell, SearchBoard, Vct, VctLimits};

pub use chain::chain;
pub use natural::natural;
pub use scattered::scattered;

/// A position with a proven win of the side to move.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position.
    pub board: GomokuBoard,
    /// The shortest win by fours and open threes, the defender holding out as long as it can.
    pub line: Vec<Square>,
    /// Whether fours alone win in as few plies.
    pub by_fours: bool,
    /// Whether fours alone win at all.
    pub has_vcf: bool,
}

/// What measuring one position may cost.
const NODES: u64 = 3_000_000;

const fn within(plies: u32) -> VctLimits {
    VctLimits {
        plies,
        nodes: NODES,
    }
}

impl Puzzle {
    /// The puzzle that a position makes: a win by force in at most `plies`, not at once, and proven
    /// to be the shortest by threats.
    pub fn of(board: &GomokuBoard, plies: u32) -> Option<Puzzle> {
        if board.ending().is_some() || board.winner().is_some() {
            return None;
        }
        let mut fast = SearchBoard::from_rules(board);
        let line = Vct::new().solve(&mut fast, within(plies)).ok()?;
        if line.len() < 3 {
            return None;
        }
        let fours = Vct::by_fours().solve(&mut fast, within(Vct::PLIES)).ok()?;
        Some(Puzzle {
            board: board.clone(),
            by_fours: fours.len() == line.len(),
            has_vcf: !fours.is_empty(),
            line: line.into_iter().map(Cell::square).collect(),
        })
    }

    /// How many of black's first moves win by threats within the shortest win's plies.
    pub fn keys(&self) -> usize {
        let mut board = SearchBoard::from_rules(&self.board);
        let plies = self.line.len() as u32;
        let threats: Vec<Cell> = board.threes[board.side_to_move().index()].iter().collect();
        let mut solver = Vct::new();
        threats
            .into_iter()
            .filter(|&cell| solver.wins_with(&mut board, cell, within(plies)))
            .count()
    }
}

/// Whether neither side threatens a five or an open four.
fn is_quiet(board: &SearchBoard) -> bool {
    Side::BOTH.into_iter().all(|side| {
        board.count(side.index(), Kind::Five) == 0 && board.count(side.index(), Kind::OpenFour) == 0
    })
}
