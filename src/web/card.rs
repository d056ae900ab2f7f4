//! A game on a wall of boards: its latest position and, once it has ended, its result.

use games::{Board, Game, Move, Rules};
use serde::Serialize;

use super::position::drawn;
use referee::record::{GameRecord, Outcome};

/// A game as the wall shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Card {
    /// Its number in its run.
    pub id: u64,
    /// The bots' names, black's first.
    pub players: [String; 2],
    /// Side of the board.
    pub size: u8,
    /// Whether stones turn.
    pub discs: bool,
    /// The stones, row by row: `X` black, `O` white, `.` none.
    pub stones: String,
    /// The square of the last half-move, if it was no pass.
    pub last: Option<usize>,
    /// Half-moves, the opening's included.
    pub number: usize,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
}

/// How a game on a wall ended.
#[derive(Clone, Debug, Serialize)]
pub struct Over {
    points: &'static str,
    reason: String,
}

impl Card {
    /// A game in progress.
    pub fn of(id: u64, players: [String; 2], position: &Position) -> Card {
        let board = &position.board;
        Card {
            id,
            players,
            size: board.game().size(),
            discs: board.game().scoring() == games::Scoring::Discs,
            stones: drawn(board),
            last: position.last,
            number: position.number,
            over: None,
        }
    }

    /// A game that has ended.
    pub fn ended(record: &GameRecord) -> Card {
        let mut position = Position::new(record.game, &record.opening);
        for ply in &record.plies {
            position.put(ply.played);
        }
        Card {
            over: Some(Over {
                points: points(record.verdict.outcome()),
                reason: record.verdict.reason().to_owned(),
            }),
            ..Card::of(record.id.0, record.players.clone(), &position)
        }
    }
}

/// A position, and how the game came there.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    last: Option<usize>,
    number: usize,
}

impl Position {
    /// The one after the opening.
    pub fn new(game: Game, opening: &[Move]) -> Position {
        let mut position = Position {
            board: game.start(),
            last: None,
            number: 0,
        };
        for &given in opening {
            position.add(given, Board::give);
        }
        position
    }

    /// The next half-move.
    pub fn put(&mut self, played: Move) {
        self.add(played, Board::play);
    }

    fn add<E>(&mut self, played: Move, put: impl Fn(&mut Board, Move) -> Result<(), E>) {
        // The store refuses records with illegal moves; a wall shows what it can.
        if put(&mut self.board, played).is_ok() {
            let size = self.board.game().size();
            self.last = played.square().map(|square| square.index(size));
            self.number += 1;
        }
    }
}

/// The points of both, black's first, as they are written.
pub const fn points(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(games::Side::Black) => "1–0",
        Outcome::Win(games::Side::White) => "0–1",
        Outcome::Draw => "½–½",
        Outcome::NobodyScores => "0–0",
        Outcome::Void => "–",
    }
}
