//! Quiet positions from recorded games, as the fits see them.

use alphabeta::gomoku::shape::{Kind, Shape};
use alphabeta::gomoku::{Cell, SearchBoard, Vcf, VcfLimits};
use alphabeta::search::Score;
use games::{Game, Move, Side};

use super::sum::{UNIT, logistic};

/// What there is to know of a shape in a fit: its lines in ascending order.
pub(super) fn class(shape: Shape) -> usize {
    let mut lines = shape.lines();
    lines.sort_unstable();
    usize::from(Shape::of(lines).0)
}

/// A position with nothing forced in it.
pub struct Sample {
    /// Shapes of the side to move and of the other: class and how many cells have it.
    pub(super) shapes: [Vec<(u16, u8)>; 2],
    /// The threats that stand, as [`SearchBoard::threats`] numbers them.
    pub(super) threats: u16,
    /// The chance that the side to move wins that is to be learned: between the outcome of the game
    /// (1, 0, or ½ for a draw) and what the search saw.
    pub(super) target: f32,
    /// The candidates as pairs of classes (own, the other's), the one played first.
    pub(super) choice: Vec<[u16; 2]>,
}

impl Sample {
    /// Every class of shape in the sample, once for each side that has it.
    pub fn classes(&self) -> impl Iterator<Item = u16> {
        self.shapes.iter().flatten().map(|&(class, _)| class)
    }
}

/// One line of a file of games.
pub(super) struct Line {
    pub moves: Vec<Move>,
    /// Moves of the opening, which nobody chose.
    pub opening: usize,
    pub winner: Option<Side>,
    /// What the search saw at each move after the opening.
    pub scores: Vec<Option<Score>>,
}

/// Reads one line of a file of games.
///
/// # Errors
/// Words that say what is wrong with it.
pub(super) fn parse(game: Game, line: &str) -> Result<Line, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [moves, opening, winner, scores] = *words else {
        return Err(format!(
            "{line:?} is not a game: want moves, opening, winner, scores"
        ));
    };
    let scores: Vec<Option<Score>> = scores.split(',').map(|score| score.parse().ok()).collect();
    let (moves, _) = games::parse_transcript(game, moves).map_err(|error| error.to_string())?;
    let opening: usize = opening
        .parse()
        .map_err(|_| format!("{opening:?} is not a number"))?;
    let winner = [Side::Black, Side::White]
        .into_iter()
        .find(|side| side.word() == winner);
    if opening + scores.len() < moves.len() {
        return Err(format!(
            "{line:?}: a score is missing for some of the moves"
        ));
    }
    Ok(Line {
        moves,
        opening,
        winner,
        scores,
    })
}

/// Reads one line of a file of games (see [`Record`](alphabeta::gomoku::self_play::Record)) into samples.
///
/// # Errors
/// Words that say what is wrong with the line.
pub fn read(game: Game, line: &str) -> Result<Vec<Sample>, String> {
    let Line {
        moves,
        opening,
        winner,
        scores,
    } = parse(game, line)?;
    let Some(rule) = games::gomoku::Rule::of(game) else {
        return Err("only gomoku is learned here".to_owned());
    };
    let mut board = SearchBoard::new(game.size(), rule);
    let mut samples = Vec::new();
    let mut vcf = Vcf::new();
    for (ply, &played) in moves.iter().enumerate() {
        let Move::Place(square) = played else {
            continue;
        };
        let cell = Cell::from(square);
        if ply >= opening && is_quiet(&mut board, &mut vcf) {
            let score = scores.get(ply - opening).copied().flatten();
            samples.push(sample(&mut board, cell, winner, score));
        }
        board.play(cell);
    }
    Ok(samples)
}

/// Whether nothing is decided by fours at once, so that the static evaluation is asked here.
pub(super) fn is_quiet(board: &mut SearchBoard, vcf: &mut Vcf) -> bool {
    let other = board.side_to_move().index() ^ 1;
    board.decided(0).is_none()
        && board.count(other, Kind::Five) == 0
        && vcf
            .solve(
                board,
                VcfLimits {
                    fours: 12,
                    nodes: 300,
                },
            )
            .is_empty()
}

/// How much of the target is what the search saw, the rest being the outcome: a search sees much of
/// what is to come, and an outcome has the noise of every later move in it.
const SEEN: f32 = 0.5;

/// The chance that is to be learned that `mover` wins.
pub(super) fn target(mover: Side, winner: Option<Side>, score: Option<Score>) -> f32 {
    let outcome = winner.map_or(0.5, |winner| if winner == mover { 1.0 } else { 0.0 });
    let seen = score.map_or(outcome, |score| logistic(score as f32 / UNIT));
    SEEN * seen + (1.0 - SEEN) * outcome
}

fn sample(
    board: &mut SearchBoard,
    played: Cell,
    winner: Option<Side>,
    score: Option<Score>,
) -> Sample {
    let mover = board.side_to_move();
    let shapes = [mover.index(), mover.index() ^ 1].map(|side| {
        let mut counts = std::collections::BTreeMap::new();
        for cell in board.cells().filter(|&cell| board.is_empty(cell)) {
            *counts
                .entry(class(board.shape(cell, side)) as u16)
                .or_insert(0u8) += 1;
        }
        counts.into_iter().collect()
    });
    let pair = |board: &SearchBoard, cell| {
        [mover.index(), mover.index() ^ 1].map(|side| class(board.shape(cell, side)) as u16)
    };
    let candidates = board.candidates();
    let mut choice = vec![pair(board, played)];
    if candidates.iter().any(|cell| cell == played) {
        choice.extend(
            candidates
                .iter()
                .filter(|&cell| cell != played)
                .map(|cell| pair(board, cell)),
        );
    }
    Sample {
        shapes,
        threats: board.threats(),
        target: target(mover, winner, score),
        choice,
    }
}
