//! Positions of recorded games, as the network learns from them.

use std::sync::Arc;
use std::thread;

use alphabeta::gomoku::{Cell, Lines, SearchBoard, Vcf};
use games::{Game, Move};

use super::loss::{Loss, nats};
use crate::gomoku::samples::{self, Line};
use crate::gomoku::sum::UNIT;

/// A position of a game.
pub struct Position {
    /// The stones of the game, black's first.
    stones: Arc<[Cell]>,
    /// How many of them stand.
    ply: u16,
    size: u8,
    /// The threats that stand, as [`SearchBoard::threats`] numbers them.
    pub threats: u16,
    /// The chance that the side to move wins that is to be learned; `None` where the position is not quiet,
    /// or not searched.
    pub target: Option<f32>,
    /// What the patterns say, as log-odds.
    pub by_patterns: f32,
    /// The candidates, the one that was played first; empty where that tells nothing.
    pub choice: Box<[Cell]>,
    /// The loss of the patterns in it, in nats.
    pub nats_by_patterns: f32,
    /// Whether nothing looks better to them than what was played.
    pub first_by_patterns: bool,
}

impl Position {
    /// Whose turn it is: black 0, white 1.
    pub const fn mover(&self) -> usize {
        self.ply as usize & 1
    }

    /// The stones along the lines, and the cells of the board.
    pub fn lines(&self) -> (Lines, impl Iterator<Item = Cell> + use<>) {
        let mut lines = Lines::blocked();
        let size = self.size;
        let cells = (0..usize::from(size).pow(2))
            .map(move |index| Cell::from(games::Square::from_index(index, size)));
        for cell in cells.clone() {
            lines.set(cell, [false; 2]);
        }
        for (number, &cell) in self.stones[..usize::from(self.ply)].iter().enumerate() {
            lines.set(cell, [number & 1 == 0, number & 1 == 1]);
        }
        (lines, cells)
    }
}

/// The loss of the patterns.
pub fn by_patterns(positions: &[Position]) -> Loss {
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

/// The positions of a file of games: to learn from, and of every tenth game, to be held out.
///
/// # Errors
/// Words that name the line and say what is wrong with it.
pub fn read(
    game: Game,
    text: &str,
    threads: usize,
) -> Result<(Vec<Position>, Vec<Position>), String> {
    let lines: Vec<&str> = text.lines().collect();
    let part = lines.len().div_ceil(threads.max(1)).max(1);
    let read: Result<Vec<Vec<Vec<Position>>>, String> = thread::scope(|scope| {
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

fn of_game(game: Game, line: &str) -> Result<Vec<Position>, String> {
    let Line {
        moves,
        opening,
        winner,
        scores,
    } = samples::parse(game, line)?;
    let rule = games::gomoku::Rule::of(game).ok_or("only gomoku is learned here")?;
    let stones: Arc<[Cell]> = moves
        .iter()
        .filter_map(|played| match played {
            Move::Place(square) => Some(Cell::from(*square)),
            Move::Pass => None,
        })
        .collect();
    let mut board = SearchBoard::new(game.size(), rule);
    let mut vcf = Vcf::new();
    let mut positions = Vec::new();
    for (ply, &played) in stones.iter().enumerate() {
        if ply >= opening
            && let Some(score) = scores[ply - opening]
        {
            let quiet = samples::is_quiet(&mut board, &mut vcf);
            let choice = choice(&mut board, played);
            if quiet || !choice.is_empty() {
                let mover = board.side_to_move();
                let odds = promises(&board, &choice);
                positions.push(Position {
                    ply: ply as u16,
                    size: game.size(),
                    threats: board.threats(),
                    target: quiet.then(|| samples::target(mover, winner, Some(score))),
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

/// The candidates, the one that was played first; none if it is none of them, or the only one.
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

/// What the patterns promise of each candidate, as log-odds.
fn promises(board: &SearchBoard, choice: &[Cell]) -> Vec<f32> {
    let mover = board.side_to_move().index();
    let promise = |&cell: &Cell| board.promise(cell, mover) as f32 / UNIT;
    choice.iter().map(promise).collect()
}
