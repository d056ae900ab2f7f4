//! Games of the engine against itself from random, balanced openings.

use std::sync::Arc;

use games::gomoku::Rule;
use games::{Move, Rules, Side, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::position::DEEPEST;
use super::searcher::forced;
use super::{Cell, GomokuPosition, PROVEN, SearchBoard};
use crate::options::Evaluation;
use crate::search::{Budget, Score, Search, TranspositionTable};

const BALANCED: Score = 250;

pub struct Record {
    pub moves: Vec<Move>,
    pub opening: usize,
    /// `None` for a draw.
    pub winner: Option<Side>,
    /// The search's score for the side to move at each move after the opening; `None` for a forced move.
    pub scores: Vec<Option<Score>>,
}

/// One line of a games file: `f5d6… 4 black 12,-,-40,310`.
impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let winner = self.winner.map_or("draw", Side::word);
        let moves = games::format_transcript(&self.moves);
        write!(f, "{moves} {} {winner} ", self.opening)?;
        for (number, score) in self.scores.iter().enumerate() {
            if number > 0 {
                f.write_str(",")?;
            }
            match score {
                Some(score) => write!(f, "{score}")?,
                None => f.write_str("-")?,
            }
        }
        Ok(())
    }
}

pub fn play(
    size: u8,
    rule: Rule,
    seed: u64,
    number: u64,
    nodes: u64,
    evaluation: Evaluation,
) -> Record {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    let table = Arc::new(TranspositionTable::new(4));
    let best = |board: &games::gomoku::GomokuBoard, nodes| {
        let position = GomokuPosition::with_evaluation(evaluation, SearchBoard::from_rules(board));
        let mut search = Search::new(position, Arc::clone(&table));
        let budget = Budget {
            nodes: Some(nodes),
            ..Budget::default()
        };
        let report = search.deepen(budget, DEEPEST, &mut |_| {});
        (report.line.first().copied(), report.score)
    };
    let (mut board, mut moves) = loop {
        let (board, moves) = random_opening(size, rule, &mut random);
        if SearchBoard::from_rules(&board).decided(0).is_none()
            && best(&board, 2000).1.abs() <= BALANCED
        {
            break (board, moves);
        }
    };
    let opening = moves.len();
    let mut scores = Vec::new();
    let winner = loop {
        if let Some(ending) = board.ending() {
            break ending.winner;
        }
        let mover = board.side_to_move();
        let (square, score) = if let Some(square) = forced(&board) {
            (square, None)
        } else {
            let (played, score) = best(&board, nodes);
            let cell = played.map(|played| Cell::from(played).square());
            let square = cell.unwrap_or_else(|| board.legal_squares()[0]);
            (square, Some(score))
        };
        moves.push(Move::Place(square));
        scores.push(score);
        if let Some(score) = score.filter(|score| score.abs() >= PROVEN) {
            break Some(if score > 0 { mover } else { !mover });
        }
        board
            .play(Move::Place(square))
            .expect("the engine plays legal moves");
    };
    Record {
        moves,
        opening,
        winner,
        scores,
    }
}

/// Returns an opening of two to seven stones in a random 7×7 area; an empty opening if these stones ended the game.
fn random_opening(
    size: u8,
    rule: Rule,
    random: &mut ChaCha8Rng,
) -> (games::gomoku::GomokuBoard, Vec<Move>) {
    let mut below = |bound: u8| (((random.next_u64() >> 32) * u64::from(bound)) >> 32) as u8;
    let side = size.min(7);
    let (left, top) = (below(size - side + 1), below(size - side + 1));
    let stones = usize::from(2 + below(6)).min(usize::from(side) * usize::from(side) / 3);
    let mut board = games::gomoku::GomokuBoard::new(size, rule);
    let mut moves = Vec::new();
    while moves.len() < stones && board.ending().is_none() {
        let played = Move::Place(Square::new(left + below(side), top + below(side)));
        if board.play(played).is_ok() {
            moves.push(played);
        }
    }
    if board.ending().is_some() {
        return (games::gomoku::GomokuBoard::new(size, rule), Vec::new());
    }
    (board, moves)
}
