//! A win that black missed.

use alphabeta::gomoku::winning_line;
use games::{Rules, Square};

use crate::stages::{Attempt, Stage};

/// Positions that the solver may visit in each turn.
const NODES: u64 = 500_000;

/// A turn with a known forced win, after which there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missed {
    /// Black's move, counted from 1.
    pub number: usize,
    /// What black played.
    pub played: Square,
    /// The missed win, both sides' moves.
    pub line: Vec<Square>,
}

/// The first win that black missed, according to the solver; `None` if the stage was passed.
pub(super) fn missed(stage: &Stage, attempt: &Attempt) -> Option<Missed> {
    if attempt.is_passed() || attempt.is_void() {
        return None;
    }
    let turns = attempt.turns(stage);
    let lines = turns.iter().map(|board| winning_line(board, NODES));
    // After the last move of a game there is also no win.
    let is_over = attempt.board(stage).ending().is_some();
    let mut before = None;
    for (index, line) in lines.chain(is_over.then_some(None)).enumerate() {
        if line.is_none()
            && let Some(line) = before
        {
            let ply = attempt.plies.get(2 * (index - 1))?;
            return Some(Missed {
                number: index,
                played: ply.played.square()?,
                line,
            });
        }
        before = line;
    }
    None
}

impl Missed {
    /// In a sentence.
    pub(super) fn sentence(&self) -> String {
        let plies = self.line.len();
        let count = if plies == 1 { "ply" } else { "plies" };
        format!(
            "a win was missed at move {}: {} was played, {} would have won in {plies} {count}",
            self.number, self.played, self.line[0]
        )
    }
}
