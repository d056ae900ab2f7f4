//! Replays a record to check that the game can have been played under its terms.
//!
//! A record may come from a stranger. The rules decide which moves are legal and how the game ended; the tournament
//! decides the game, its opening and the adjudication. Whether a bot resigned, failed or was too late cannot be
//! checked: such an end is accepted, unless the game was over before.

use std::fmt;

use games::{Board, Ending, Game, IllegalMove, Move, Rules, Side, format_transcript};

use crate::Adjudication;
use crate::record::{GameRecord, Outcome, Verdict};

#[derive(Clone, Debug)]
pub struct Terms {
    pub game: Game,
    pub opening: Vec<Move>,
    pub adjudication: Adjudication,
}

/// A contradiction in a record. The text continues a sentence that begins with "game 7".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum Contradiction {
    #[error("is a game of {recorded}, but the tournament is one of {expected}")]
    Game { recorded: Game, expected: Game },
    #[error("began with {recorded} instead of {expected}, the opening in the tournament")]
    Opening { recorded: String, expected: String },
    #[error("cannot have been played: half-move {ply}, {why}")]
    Illegal {
        /// The number of the ply from 1, including the opening and passes.
        ply: usize,
        why: IllegalMove,
    },
    /// The record's discs or stones at the end are not those on the board.
    #[error(
        "says {} black and {} white at the end, but {} and {} are on the board", recorded[0], recorded[1],
        counted[0], counted[1]
    )]
    Counts {
        recorded: [u16; 2],
        counted: [u16; 2],
    },
    #[error("has the recorded result {recorded}, but by the rules {ruled}")]
    End { recorded: End, ruled: End },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Over(Outcome, &'static str),
    Unfinished(Side),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Over(Outcome::Win(side), reason) => write!(f, "{side} won ({reason})"),
            End::Over(_, reason) => write!(f, "neither side won ({reason})"),
            End::Unfinished(side) => write!(f, "the game is not over and {side} is to move"),
        }
    }
}

impl Terms {
    pub fn check(&self, record: &GameRecord) -> Result<(), Contradiction> {
        if record.game != self.game {
            let (recorded, expected) = (record.game, self.game);
            return Err(Contradiction::Game { recorded, expected });
        }
        if record.opening != self.opening {
            let [recorded, expected] =
                [&record.opening, &self.opening].map(|moves| match moves.as_slice() {
                    [] => "the start position".to_owned(),
                    moves => format_transcript(moves),
                });
            return Err(Contradiction::Opening { recorded, expected });
        }
        let board = replay(record)?;
        by_rules(&board, record)?;
        if let &Verdict::Adjudicated { winner, ground } = &record.verdict {
            let opening = record.opening.len();
            let judged = self.adjudication.judge(&board, opening, &record.plies);
            if judged != Some((winner, ground)) {
                return Err(Contradiction::end(record, &board));
            }
        }
        Ok(())
    }
}

impl Contradiction {
    fn end(record: &GameRecord, board: &Board) -> Contradiction {
        let ruled = match board.ending() {
            Some(Ending { winner, reason }) => {
                let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
                End::Over(outcome, reason.word())
            }
            None => End::Unfinished(board.side_to_move()),
        };
        let recorded = End::Over(record.verdict.outcome(), record.verdict.reason());
        Contradiction::End { recorded, ruled }
    }
}

/// Checks the end of a record by the rules; `board` is the last position. Accepts an adjudication before the end.
pub fn by_rules(board: &Board, record: &GameRecord) -> Result<(), Contradiction> {
    let (recorded, counted) = (record.counts, board.counts());
    if counted != recorded {
        return Err(Contradiction::Counts { recorded, counted });
    }
    let may_end_so = match (&record.verdict, board.ending()) {
        (&Verdict::Rules { winner, reason }, Some(ending)) => ending == Ending { winner, reason },
        (Verdict::Resigned(side), None) => *side == board.side_to_move() && !board.must_pass(),
        // A void game may stop at any position. A forfeit does not depend on the side to move: a bot may also fail
        // before its first move, or when a game continues after an interruption.
        (Verdict::Void { .. }, _)
        | (Verdict::Forfeit { .. } | Verdict::BothFailed(_) | Verdict::Adjudicated { .. }, None) => {
            true
        }
        (Verdict::Rules { .. }, None) | (_, Some(_)) => false,
    };
    if may_end_so {
        Ok(())
    } else {
        Err(Contradiction::end(record, board))
    }
}

fn replay(record: &GameRecord) -> Result<Board, Contradiction> {
    let mut board = record.game.start();
    let given = record.opening.len();
    for (index, played) in record.moves().into_iter().enumerate() {
        let put = if index < given {
            board.give(played)
        } else {
            board.play(played)
        };
        let ply = index + 1;
        put.map_err(|why| Contradiction::Illegal { ply, why })?;
    }
    Ok(board)
}
