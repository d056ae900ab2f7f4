//! The result of one stage.

use std::path::Path;
use std::time::Duration;

use games::{Move, Rules, Side};

use super::Stage;
use referee::record::{GameId, GameRecord, Outcome, Ply, Verdict};
use run::failures;

/// A stage that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Its number in the run.
    pub game: GameId,
    /// Half-moves after the position.
    pub plies: Vec<Ply>,
    /// How it ended; a draw if the moves or the squares ran out.
    pub verdict: Verdict,
    /// The bot's standard error, if it was at fault.
    pub stderr: String,
}

impl Attempt {
    /// The result of the stage whose game is `record`; `run` is the folder of its run.
    pub fn of(record: &GameRecord, run: &Path) -> Attempt {
        let stderr = record.verdict.fault_of(Side::Black);
        let stderr = stderr.map(|_| failures::stderr(run, record.id, Side::Black));
        Attempt {
            game: record.id,
            plies: record.plies.clone(),
            verdict: record.verdict.clone(),
            stderr: stderr.unwrap_or_default(),
        }
    }

    /// Whether black made five, or the defender gave up or failed.
    pub fn is_passed(&self) -> bool {
        self.verdict.outcome() == Outcome::Win(Side::Black)
    }

    /// Whether the arena or the machine failed.
    pub fn is_void(&self) -> bool {
        self.verdict.outcome() == Outcome::Void
    }

    /// How many moves black made.
    pub fn moves(&self) -> usize {
        self.plies.len().div_ceil(2)
    }

    /// The moves of both, black's first.
    pub fn line(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.played).collect()
    }

    /// Black's longest and mean move time; zero if it made no move.
    pub fn times(&self) -> [Duration; 2] {
        let times = self.plies.iter().step_by(2);
        let times = times.filter_map(|ply| Some(ply.effort?.wall));
        let (mut longest, mut sum, mut moves) = (Duration::ZERO, Duration::ZERO, 0);
        for time in times {
            (longest, sum, moves) = (longest.max(time), sum + time, moves + 1);
        }
        [longest, sum / moves.max(1)]
    }

    /// The result in a word.
    pub fn word(&self) -> &'static str {
        match &self.verdict {
            _ if self.is_passed() => "passed",
            Verdict::Forfeit { fault, .. } => fault.word(),
            Verdict::Void { .. } => "void",
            _ => "not passed",
        }
    }

    /// Why black did not pass, or why it passed without a five; `None` if black made five.
    pub fn remark(&self, stage: &Stage) -> Option<String> {
        Some(match &self.verdict {
            Verdict::Rules { winner, reason } => match winner {
                Some(Side::Black) => return None,
                Some(Side::White) => format!("white wins ({})", reason.word()),
                None => "the board is full".to_owned(),
            },
            Verdict::Resigned(side) => format!("{side} resigned"),
            Verdict::Forfeit { by, fault } => {
                let move_number = self.plies.iter().skip(by.index()).step_by(2).count() + 1;
                format!("{by} {fault} (its move {move_number})")
            }
            Verdict::BothFailed([black, white]) => format!("black {black}; white {white}"),
            Verdict::Adjudicated { .. } => {
                let known = stage
                    .shortest()
                    .map_or(String::new(), |shortest| format!("; {shortest} are enough"));
                format!("no five in {} moves{known}", stage.most_moves())
            }
            Verdict::Void { why } => why.clone(),
        })
    }

    /// The position after the last move.
    pub fn board(&self, stage: &Stage) -> games::gomoku::GomokuBoard {
        let mut board = stage.board.clone();
        let mut moves = self.plies.iter();
        while moves
            .next()
            .is_some_and(|ply| board.play(ply.played).is_ok())
        {}
        board
    }

    /// The position before each of black's moves.
    pub fn turns(&self, stage: &Stage) -> Vec<games::gomoku::GomokuBoard> {
        let mut board = stage.board.clone();
        let mut turns = Vec::new();
        for ply in &self.plies {
            if board.side_to_move() == Side::Black {
                turns.push(board.clone());
            }
            if board.play(ply.played).is_err() {
                break;
            }
        }
        turns
    }
}
