//! `three-ply`: unbroken rows, three plies ahead. Gomoku only.
//!
//! Minimax with alpha-beta pruning, depth 3, over the empty squares beside stones (straight or
//! diagonal). A position is worth the sum over [`SHAPES`] for the bot less the same for its
//! opponent. Of equal moves the first from the centre outwards is played.
//!
//! The program of someone who has just understood minimax. It sees a win in two and every block of
//! an unbroken row; it does not see `xx_xx` until it is five, and it never plays a stone that does
//! not touch another.

use games::{Board, Move, Square};
use protocol::{Bot, Info, Question, Start};

use super::refuse_unless;
use crate::clock::Clock;
use crate::gomoku::{GomokuTree, Line, Program, Shape};
use crate::search::{Method, Search, choose};

/// Plies looked ahead where no option says otherwise.
const DEPTH: u32 = 3;

/// What unbroken rows are worth. Five, 99 999 999, ends the game: [`Program::FIVE`].
const SHAPES: [(Shape, i32); 7] = [
    // Open four; four.
    (Shape::new("_xxxx_"), 100_000),
    (Shape::new("_xxxx#"), 10_000),
    (Shape::new("#xxxx_"), 10_000),
    // Open three; closed three.
    (Shape::new("_xxx_"), 5_000),
    (Shape::new("_xxx#"), 500),
    (Shape::new("#xxx_"), 500),
    // Open two.
    (Shape::new("_xx_"), 50),
];

/// Three plies of unbroken rows.
#[derive(Debug, Default)]
pub(crate) struct ThreePly {
    depth: Option<u32>,
    clock: Clock,
}

impl ThreePly {
    pub(crate) fn new(depth: Option<u32>) -> ThreePly {
        let clock = Clock::default();
        ThreePly { depth, clock }
    }
}

impl Bot for ThreePly {
    fn name(&self) -> &'static str {
        "three-ply"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        refuse_unless("three-ply", "gomoku", start.game)?;
        self.clock = Clock::new(start);
        Ok(())
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Board::Gomoku(board) = &question.board else {
            unreachable!("start has refused any other game")
        };
        let search = Search::new(Method::AlphaBeta, self.clock.deadline(question));
        let mut tree = GomokuTree::<Rows>::new(board);
        choose(
            search,
            &mut tree,
            question,
            self.depth.unwrap_or(DEPTH),
            say,
        )
    }
}

/// The evaluation.
#[derive(Debug)]
struct Rows;

impl Program for Rows {
    const FIVE: [i32; 2] = [99_999_999, 99_999_999];

    fn line(line: Line) -> i32 {
        rows(line) - rows(line.reversed())
    }

    fn candidates(tree: &mut GomokuTree<Rows>, _depth: u32) -> Vec<Square> {
        tree.neighbourhood(1)
    }
}

/// What the rows of the side that looks are worth.
fn rows(line: Line) -> i32 {
    // No shape has fewer than two stones beside each other.
    if line.own & line.own >> 1 == 0 {
        return 0;
    }
    let worth = |(shape, worth): &(Shape, i32)| worth * shape.count(line);
    SHAPES.iter().map(worth).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_worth_what_the_rules_say() {
        for (line, worth) in [
            ("__xxxx___", 100_000),
            ("oxxxx____", 10_000),
            ("xxxx_____", 10_000),
            ("_xxxxo___", 10_000),
            ("oxxxxo___", 0),
            ("__xxx____", 5_000),
            ("oxxx_____", 500),
            ("___xxx", 500),
            ("__xx_____", 50),
            ("oxx______", 0),
            ("xx_xx____", 50),
            ("__ooo____", -5_000),
            ("_xx_oo_", 0),
        ] {
            assert_eq!(Rows::line(Line::parse(line)), worth, "{line}");
        }
    }
}
