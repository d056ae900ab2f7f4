//! Othello: what each move cost in discs.

use alphabeta::othello::analysis::{Analyst, MoveScore};
use alphabeta::othello::notation;
use alphabeta::search::Move as Searched;
use games::{Board, Move, Rules};

use super::judged::{Better, Judged, Worth};
use super::played::{Played, Settings};

/// Judges the chosen moves of a game.
pub fn judge(
    boards: &[Board],
    played: &Played,
    settings: &Settings,
    tell: &mut dyn FnMut(usize, usize),
) -> Vec<Judged> {
    let mut analyst = analyst(settings);
    let mut judged = Vec::new();
    let all = played.moves.len();
    // From the end: the solver then knows most of what it meets.
    for ply in (played.given..all).rev() {
        tell(all - ply, all - played.given);
        let (Board::Othello(board), Move::Place(square)) = (&boards[ply], played.moves[ply]) else {
            continue;
        };
        let own = Searched(square.index(board.size()) as u16);
        let verdict = analyst.judge(board.position(), own);
        let cost = verdict.loss();
        judged.push(Judged {
            ply: ply + 1,
            side: board.side_to_move(),
            played: played.moves[ply],
            worth: worth(&verdict.played),
            better: (cost > 0.0).then(|| Better {
                worth: worth(&verdict.best),
                line: line(&verdict.best),
            }),
            cost,
            remark: None,
        });
    }
    judged.reverse();
    judged
}

/// One for games or single positions.
pub fn analyst(settings: &Settings) -> Analyst {
    Analyst::new(settings.depth, settings.solve_from, settings.hash_mib)
}

/// What a move is worth.
pub fn worth(score: &MoveScore) -> Worth {
    if score.exact {
        Worth::ExactDiscs(score.score as i32)
    } else {
        Worth::Discs(score.score)
    }
}

/// The expected line in the terms of the rules.
pub fn line(score: &MoveScore) -> Vec<Move> {
    score.line.iter().map(|&played| notation(played)).collect()
}
