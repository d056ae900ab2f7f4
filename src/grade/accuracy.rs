//! Points for accurate moves: compares each move of the graded bot with the best move.

use std::num::NonZero;

use games::Side;
use referee::record::{GameRecord, Verdict};
use run::Stop;
use stats::Mean;
use tournament::mark::Accuracy;

use crate::analysis::{GameMoves, JudgedPly, NotAnalysed, Remark, Settings, Worth, analyse};

pub struct OwnGame {
    opponent: usize,
    side: Side,
    played: GameMoves,
    /// Whether the bot ended the game by a fault or by resigning: its missing moves would have cost something, too.
    was_ended: bool,
}

impl OwnGame {
    pub fn new(bot: &str, opponent: usize, record: &GameRecord) -> OwnGame {
        let is_black = record.player(Side::Black) == bot;
        let side = if is_black { Side::Black } else { Side::White };
        let resigned = matches!(record.verdict, Verdict::Resigned(by) if by == side);
        OwnGame {
            opponent,
            side,
            played: GameMoves::from(record),
            was_ended: resigned || record.verdict.fault_of(side).is_some(),
        }
    }

    /// Returns the mean loss of the bot's moves, on the scale of `accuracy`; `None` without a move to judge. It is at most
    /// the loss that earns no points: otherwise, a bot would gain by ending the games that go worse.
    fn loss(&self, accuracy: &Accuracy) -> Result<Option<f64>, NotAnalysed> {
        if self.was_ended {
            return Ok(Some(accuracy.none));
        }
        let plies = match analyse(&self.played, &Settings::QUICK, &mut |_, _| ()) {
            Ok(analysis) => analysis.plies,
            Err(NotAnalysed::NoMove) => Vec::new(),
            Err(error) => return Err(error),
        };
        let unit = if accuracy.in_discs { 1.0 } else { 100.0 };
        // Moves of a decided game that cost nothing do not count: with a proven win, a bot could make many of them.
        let is_decided = |ply: &JudgedPly| {
            let loses = matches!(ply.worth, Worth::Loses(_)) || ply.remark == Some(Remark::Lost);
            ply.cost == 0.0 && (loses || matches!(ply.worth, Worth::Wins(_)))
        };
        let own = plies
            .iter()
            .filter(|ply| ply.side == self.side && !is_decided(ply));
        let costs: Vec<f64> = own.map(|ply| unit * ply.cost).collect();
        let mean = Mean::of(&costs).map(|mean| mean.mean);
        Ok(mean.map(|mean| mean.min(accuracy.none)))
    }
}

/// Judges the games on all cores that this thread may use; `None` after a stop request.
pub fn judge(
    accuracy: &Accuracy,
    games: &[OwnGame],
    stop: &Stop,
) -> Result<Option<Accuracy>, NotAnalysed> {
    let loss = |game: &OwnGame| {
        if stop.is_requested() {
            return Ok(None);
        }
        game.loss(accuracy)
    };
    let threads = NonZero::new(host::allowed_cores().len()).unwrap_or(NonZero::<usize>::MIN);
    // If the system refuses a thread, this thread does all the work.
    let losses = host::side_by_side(threads, games, loss)
        .unwrap_or_else(|_| games.iter().map(loss).collect());
    if stop.is_requested() {
        return Ok(None);
    }
    let mut of_opponents: Vec<Vec<f64>> = Vec::new();
    for (game, loss) in games.iter().zip(losses) {
        let opponents = of_opponents.len().max(game.opponent + 1);
        of_opponents.resize(opponents, Vec::new());
        of_opponents[game.opponent].extend(loss?);
    }
    let mean = Mean::of_groups(&of_opponents);
    Ok(Some(Accuracy {
        // Without a judged move, the loss is the one that earns no points.
        loss: Some(mean.map_or(accuracy.none, |mean| mean.mean)),
        error_95: mean.and_then(|mean| mean.error_95),
        games: mean.map_or(0, |mean| mean.count),
        ..accuracy.clone()
    }))
}
