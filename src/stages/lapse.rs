//! Makes stages from games: the positions in which a player gave a proven result away.

use games::{Board, Game, Move, Rules};

use super::{Answer, Proof, Stage, Win};
use crate::analysis::{GameMoves, JudgedPly, Remark};

impl Stage {
    /// Returns the position before a move as a stage, if the move missed a proven win or lost a position to hold.
    pub fn of_lapse(
        name: String,
        game: &str,
        played: &GameMoves,
        judged: &JudgedPly,
    ) -> Option<Stage> {
        let better = judged.better.as_ref()?;
        let (mut win, mut answer) = (None, None);
        match (&judged.remark, judged.proven()) {
            (Some(Remark::MissedWin(missed)), _) if missed.plies % 2 == 1 => {
                win = Some(Win {
                    plies: missed.plies as u32,
                    means: None,
                    line: missed
                        .line
                        .iter()
                        .filter_map(|played| played.square())
                        .collect(),
                });
            }
            (Some(Remark::AllowedWin(allowed)), _) => {
                answer = Some(Answer {
                    proof: Proof::Hold(allowed.plies as u32),
                    line: better.line[..1].to_vec(),
                });
            }
            (None, Some([best, own])) if best.signum() > own.signum() && best >= 0 => {
                answer = Some(Answer {
                    proof: Proof::Discs(best),
                    line: better.line.clone(),
                });
            }
            _ => return None,
        }
        let (moves, board) = before(played, judged.ply)?;
        Some(Stage {
            name,
            board,
            moves,
            win,
            answer,
            found: Some(format!(
                "{game}, half-move {}, where {} was played",
                judged.ply, judged.played
            )),
        })
    }
}

/// Returns the moves before half-move `ply`, and the board after them; `None` without moves or from an unusual start.
fn before(played: &GameMoves, ply: usize) -> Option<(Vec<Move>, Board)> {
    let game: Game = played.start.game();
    let moves = played.moves[..ply - 1].to_vec();
    let board = game.after(&moves).ok()?;
    let is_whole = !moves.is_empty() && played.start == game.start() && board.ending().is_none();
    is_whole.then_some((moves, board))
}
