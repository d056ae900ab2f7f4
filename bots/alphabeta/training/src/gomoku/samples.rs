//! Positions of recorded games: samples for fitting the patterns, and positions for training the network.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, thread};

use alphabeta::gomoku::shape::{Shape, ThreatKind};
use alphabeta::gomoku::{Cell, LineBitboards, SearchBoard, Vcf, VcfLimits};
use alphabeta::search::Score;
use games::{Game, Move, Side};

use super::loss::{Loss, UNIT, logistic, nats};
use crate::{BoxError, named};

/// Returns the class of a shape: its lines in ascending order.
pub(super) fn class(shape: Shape) -> usize {
    let mut lines = shape.lines();
    lines.sort_unstable();
    usize::from(Shape::of(lines).0)
}

pub struct TrainingSample {
    /// The classes of the shapes of the side to move and of the other side, each with its number of cells.
    pub(super) shapes: [Vec<(u16, u8)>; 2],
    /// The threats, as [`SearchBoard::threats`] numbers them.
    pub(super) threats: u16,
    /// The target for the probability that the side to move wins: see [`target`].
    pub(super) target: f32,
    /// The candidates as pairs of classes (own, opponent's), the played move first.
    pub(super) choice: Vec<[u16; 2]>,
}

impl TrainingSample {
    pub fn classes(&self) -> impl Iterator<Item = u16> {
        self.shapes.iter().flatten().map(|&(class, _)| class)
    }
}

struct RecordedGame {
    pub moves: Vec<Move>,
    pub opening: usize,
    pub winner: Option<Side>,
    /// The score of the search at each move after the opening.
    pub scores: Vec<Option<Score>>,
}

fn parse(game: Game, line: &str) -> Result<RecordedGame, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [moves, opening, winner, scores] = *words else {
        return Err(format!(
            "{line:?} is not a game: expected moves, opening, winner, scores"
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
    Ok(RecordedGame {
        moves,
        opening,
        winner,
        scores,
    })
}

/// Reads the samples from one line of a games file ([`Record`](alphabeta::gomoku::self_play::Record)).
pub fn read_samples(game: Game, line: &str) -> Result<Vec<TrainingSample>, String> {
    let RecordedGame {
        moves,
        opening,
        winner,
        scores,
    } = parse(game, line)?;
    let Some(rule) = games::gomoku::Rule::of(game) else {
        return Err("the game must be gomoku".to_owned());
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

/// Returns whether a search would evaluate the position: not decided, no four to answer, and no win by fours.
fn is_quiet(board: &mut SearchBoard, vcf: &mut Vcf) -> bool {
    let other = board.side_to_move().index() ^ 1;
    board.decided(0).is_none()
        && board.count(other, ThreatKind::Five) == 0
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

/// The share of the search's score in the target. It reduces the noise of the result, which depends on later moves.
const SEEN: f32 = 0.5;

/// Returns the target for the probability that `mover` wins: between the result (1, 0, or ½ for a draw) and the score.
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
) -> TrainingSample {
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
    TrainingSample {
        shapes,
        threats: board.threats(),
        target: target(mover, winner, score),
        choice,
    }
}

pub struct TrainingPosition {
    stones: Arc<[Cell]>,
    ply: u16,
    size: u8,
    /// The threats, as [`SearchBoard::threats`] numbers them.
    pub threats: u16,
    /// The target: see [`target`]. `None` if the position is not quiet or was not searched.
    pub target: Option<f32>,
    /// The evaluation of the patterns, as log-odds.
    pub by_patterns: f32,
    pub choice: Box<[Cell]>,
    /// The loss of the patterns for the choice, in nats.
    pub nats_by_patterns: f32,
    /// Whether the patterns prefer no other candidate to the played move.
    pub first_by_patterns: bool,
}

impl TrainingPosition {
    /// Returns the side to move: 0 for black, 1 for white.
    pub const fn mover(&self) -> usize {
        self.ply as usize & 1
    }

    pub fn stones(&self) -> &[Cell] {
        &self.stones[..usize::from(self.ply)]
    }

    pub fn size(&self) -> usize {
        self.size.into()
    }

    pub fn lines(&self) -> (LineBitboards, impl Iterator<Item = Cell> + use<>) {
        let mut lines = LineBitboards::blocked();
        let size = self.size;
        let cells = (0..usize::from(size).pow(2))
            .map(move |index| Cell::from(games::Square::from_index(index, size)));
        for cell in cells.clone() {
            lines.set(cell, [false; 2]);
        }
        for (number, &cell) in self.stones().iter().enumerate() {
            lines.set(cell, [number & 1 == 0, number & 1 == 1]);
        }
        (lines, cells)
    }
}

pub fn by_patterns(positions: &[TrainingPosition]) -> Loss {
    let mut loss = Loss::default();
    for position in positions {
        if let Some(target) = position.target {
            loss.add_value(position.by_patterns, target);
        }
        if !position.choice.is_empty() {
            loss.add_choice(position.nats_by_patterns, position.first_by_patterns);
        }
    }
    loss
}

/// Returns the training positions and the validation positions (every tenth game) of files of games of one rule. A name
/// that ends in `-SIZE.txt` gives the size of the file's boards; the default is the size of `game`.
pub fn read_files(
    game: Game,
    files: &[PathBuf],
    threads: usize,
) -> Result<(Vec<TrainingPosition>, Vec<TrainingPosition>), BoxError> {
    let rule = games::gomoku::Rule::of(game).ok_or("the game must be gomoku")?;
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    for file in files {
        let text = fs::read_to_string(file).map_err(|error| named(file, &error))?;
        let size = size_of(file).unwrap_or(game.size());
        let sizes = games::gomoku::MIN_SIZE..=games::gomoku::MAX_SIZE;
        if !sizes.contains(&size) {
            let (least, most) = (sizes.start(), sizes.end());
            let why = format!("the board size is {size}: it must be {least} to {most}");
            return Err(named(file, &why));
        }
        let read = read_positions(Game::gomoku(size, rule), &text, threads)
            .map_err(|error| named(file, &error))?;
        learned.extend(read.0);
        held_out.extend(read.1);
    }
    eprintln!(
        "{} positions to learn from, {} held out",
        learned.len(),
        held_out.len()
    );
    if learned.is_empty() || held_out.is_empty() {
        return Err("too few games: every tenth of a file is held out".into());
    }
    Ok((learned, held_out))
}

/// Returns the board size in a file's name, such as `…-15.txt`.
fn size_of(file: &Path) -> Option<u8> {
    file.file_stem()?.to_str()?.rsplit('-').next()?.parse().ok()
}

/// Returns the training positions and the validation positions (every tenth game) of a file. An error names the line.
pub fn read_positions(
    game: Game,
    text: &str,
    threads: usize,
) -> Result<(Vec<TrainingPosition>, Vec<TrainingPosition>), String> {
    let lines: Vec<&str> = text.lines().collect();
    let part = lines.len().div_ceil(threads.max(1)).max(1);
    let read: Result<Vec<Vec<Vec<TrainingPosition>>>, String> = thread::scope(|scope| {
        let parts: Vec<_> = lines
            .chunks(part)
            .enumerate()
            .map(|(number, games)| {
                let first = 1 + number * part;
                let read = move |(line, text): (usize, &&str)| {
                    of_game(game, text).map_err(|why| format!("line {}: {why}", first + line))
                };
                scope.spawn(move || games.iter().enumerate().map(read).collect())
            })
            .collect();
        let joined = parts.into_iter();
        joined
            .map(|part| part.join().expect("it only reads"))
            .collect()
    });
    let games = read?.into_iter().flatten();
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    for (number, positions) in games.enumerate() {
        let into = if number % 10 == 9 {
            &mut held_out
        } else {
            &mut learned
        };
        into.extend(positions);
    }
    Ok((learned, held_out))
}

fn of_game(game: Game, line: &str) -> Result<Vec<TrainingPosition>, String> {
    let RecordedGame {
        moves,
        opening,
        winner,
        scores,
    } = parse(game, line)?;
    let rule = games::gomoku::Rule::of(game).ok_or("the game must be gomoku")?;
    let stones: Arc<[Cell]> = moves
        .iter()
        .filter_map(|played| match played {
            Move::Place(square) => Some(Cell::from(*square)),
            Move::Pass | Move::Choose(_) => None,
        })
        .collect();
    let mut board = SearchBoard::new(game.size(), rule);
    let mut vcf = Vcf::new();
    let mut positions = Vec::new();
    for (ply, &played) in stones.iter().enumerate() {
        if ply >= opening
            && let Some(score) = scores[ply - opening]
        {
            let quiet = is_quiet(&mut board, &mut vcf);
            let choice = choice(&mut board, played);
            if quiet || !choice.is_empty() {
                let mover = board.side_to_move();
                let odds = promises(&board, &choice);
                positions.push(TrainingPosition {
                    ply: ply as u16,
                    size: game.size(),
                    threats: board.threats(),
                    target: quiet.then(|| target(mover, winner, Some(score))),
                    by_patterns: board.evaluate() as f32 / UNIT,
                    nats_by_patterns: nats(&odds),
                    first_by_patterns: odds.iter().all(|&one| one <= odds[0]),
                    choice,
                    stones: Arc::clone(&stones),
                });
            }
        }
        board.play(played);
    }
    Ok(positions)
}

/// Returns the candidates, the played move first. Returns none if the position is decided, if the played move is not a
/// candidate, or if it is the only candidate.
fn choice(board: &mut SearchBoard, played: Cell) -> Box<[Cell]> {
    if board.decided(0).is_some() {
        return Box::default();
    }
    let mut cells: Vec<Cell> = board.candidates().iter().collect();
    cells.retain(|&cell| board.is_allowed(cell));
    match cells.iter().position(|&cell| cell == played) {
        Some(at) if cells.len() > 1 => {
            cells.swap(0, at);
            cells.into()
        }
        _ => Box::default(),
    }
}

fn promises(board: &SearchBoard, choice: &[Cell]) -> Vec<f32> {
    let mover = board.side_to_move().index();
    let promise = |&cell: &Cell| board.promise(cell, mover) as f32 / UNIT;
    choice.iter().map(promise).collect()
}
