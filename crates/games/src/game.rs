//! Which games there are, and what a referee asks of any of them.
//!
//! [`Game`] says what is played (rules and size); [`Game::start`] sets up a [`Board`]; the trait
//! [`Rules`] is all that a referee uses. A third game is a folder beside `othello/` with a type
//! that implements [`Rules`], and a line in each `match` of this file.

use std::fmt;

use crate::{Move, Side, Square, gomoku, othello};

/// A game, its rules and the size of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Othello on 8×8.
    Othello,
    /// Five in a row.
    Gomoku {
        /// Side of the board, 5 to 22.
        size: u8,
        /// Which lines win, and what black may not play.
        rule: gomoku::Rule,
    },
}

/// A [`Game`] that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownGame {
    /// No game of that name.
    #[error("unknown game {0:?}: there are othello and gomoku")]
    Name(String),
    /// The game has no such rules.
    #[error("{game} has no rules {rules:?}: there are {known}")]
    Rules {
        /// The game's name.
        game: &'static str,
        /// What was asked for.
        rules: String,
        /// What there is.
        known: &'static str,
    },
    /// The game is not played on such a board.
    #[error("{game} is not played on a board of {size}: {known}")]
    Size {
        /// The game's name.
        game: &'static str,
        /// What was asked for.
        size: i64,
        /// What there is.
        known: &'static str,
    },
}

impl Game {
    /// The names of all games, as [`Game::new`] takes them.
    pub const NAMES: [&'static str; 2] = ["othello", "gomoku"];

    /// The game called `name`, with the usual rules and size where none are given
    /// (`othello`: standard, 8; `gomoku`: freestyle, 15).
    pub fn new(name: &str, rules: Option<&str>, size: Option<i64>) -> Result<Game, UnknownGame> {
        match name {
            "othello" => othello::game(rules, size),
            "gomoku" => gomoku::game(rules, size),
            _ => Err(UnknownGame::Name(name.to_owned())),
        }
    }

    /// `othello` or `gomoku`.
    pub const fn name(self) -> &'static str {
        match self {
            Game::Othello => "othello",
            Game::Gomoku { .. } => "gomoku",
        }
    }

    /// `standard`; for Gomoku also `freestyle` or `renju`.
    pub const fn rules(self) -> &'static str {
        match self {
            Game::Othello => "standard",
            Game::Gomoku { rule, .. } => rule.name(),
        }
    }

    /// Side of the board.
    pub const fn size(self) -> u8 {
        match self {
            Game::Othello => 8,
            Game::Gomoku { size, .. } => size,
        }
    }

    /// The position drawn by `rows` (as [`Board::rows`] draws them) with `side` to move.
    ///
    /// Gomoku: whether the last stone won is not looked into, as it is not known which one it was.
    pub fn position<Row: AsRef<str>>(self, rows: &[Row], side: Side) -> Result<Board, BadRows> {
        let size = self.size();
        if rows.len() != usize::from(size) {
            return Err(BadRows::Count {
                rows: rows.len(),
                size,
            });
        }
        let mut stones = Vec::new();
        for (row, text) in (0..).zip(rows) {
            let text = text.as_ref();
            if text.chars().count() != usize::from(size) {
                return Err(BadRows::Length {
                    row: row + 1,
                    text: text.to_owned(),
                    size,
                });
            }
            for (column, symbol) in (0..).zip(text.chars()) {
                let square = Square::new(column, row);
                match symbol {
                    '.' => {}
                    'X' => stones.push((square, Side::Black)),
                    'O' => stones.push((square, Side::White)),
                    symbol => return Err(BadRows::Symbol { symbol, square }),
                }
            }
        }
        Ok(match self {
            Game::Othello => Board::Othello(othello::Board::with_discs(&stones, side)),
            Game::Gomoku { size, rule } => {
                Board::Gomoku(gomoku::Board::with_stones(size, rule, &stones, side))
            }
        })
    }

    /// The position after an opening: see [`Rules::give`].
    pub fn after(self, opening: &[Move]) -> Result<Board, IllegalMove> {
        let mut board = self.start();
        for &given in opening {
            board.give(given)?;
        }
        Ok(board)
    }

    /// The position before the first move.
    pub fn start(self) -> Board {
        match self {
            Game::Othello => Board::Othello(othello::Board::START),
            Game::Gomoku { size, rule } => Board::Gomoku(gomoku::Board::new(size, rule)),
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Game::Othello => f.write_str("othello"),
            Game::Gomoku { size, rule } => write!(f, "gomoku {size}×{size} {}", rule.name()),
        }
    }
}

/// Rows that draw no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRows {
    /// Too few or too many rows.
    #[error("{rows} rows on a board of {size}")]
    Count {
        /// How many there are.
        rows: usize,
        /// How many there should be.
        size: u8,
    },
    /// A row that is too short or too long.
    #[error("row {row} is {text:?}, which is not {size} long")]
    Length {
        /// Counted from 1 at the top.
        row: u8,
        /// The row.
        text: String,
        /// How long it should be.
        size: u8,
    },
    /// Neither a stone nor empty.
    #[error("{square} holds {symbol:?}: X is black, O white, . empty")]
    Symbol {
        /// What stands there.
        symbol: char,
        /// Where.
        square: Square,
    },
}

/// How a game ended by its own rules (not by a fault or a resignation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Othello: no side can move, the discs are counted.
    Discs,
    /// Gomoku: a winning line.
    Five,
    /// Gomoku: every square is taken, or none may be played.
    BoardFull,
    /// Renju: black made two open threes at once.
    DoubleThree,
    /// Renju: black made two fours at once.
    DoubleFour,
    /// Renju: black made a line of six or more.
    Overline,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 6] = [
        Reason::Discs,
        Reason::Five,
        Reason::BoardFull,
        Reason::DoubleThree,
        Reason::DoubleFour,
        Reason::Overline,
    ];

    /// The word used on the wire and in tables.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Discs => "discs",
            Reason::Five => "five",
            Reason::BoardFull => "board-full",
            Reason::DoubleThree => "double-three",
            Reason::DoubleFour => "double-four",
            Reason::Overline => "overline",
        }
    }
}

/// The end of a game by its own rules: who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// `None`: drawn.
    pub winner: Option<Side>,
    /// How it ended.
    pub reason: Reason,
}

/// A move that the rules do not allow here; the position is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{played} is not a legal move for {side}: {why}")]
pub struct IllegalMove {
    /// What was tried.
    pub played: Move,
    /// Who tried it.
    pub side: Side,
    /// Which rule is broken, in words for its author.
    pub why: &'static str,
}

/// What a referee asks of a position. Legality and the end are the rules' business; clocks, faults
/// and who is playing are not known here.
pub trait Rules {
    /// Which game this is a position of.
    fn game(&self) -> Game;
    /// Whose turn it is; once the game has ended, whose turn it would have been.
    fn side_to_move(&self) -> Side;
    /// Who has a disc or stone on `square`; `None` if it is empty or off the board.
    fn at(&self, square: Square) -> Option<Side>;
    /// The discs or stones of `side` in `row`, a bit a column, column a in bit 0.
    fn row(&self, row: u8, side: Side) -> u32;
    /// The squares that may be played, row by row. Empty when the game has ended or the side to
    /// move must pass. Renju's forbidden points are left out (see [`Rules::play`]).
    fn legal_squares(&self) -> Vec<Square>;
    /// Whether the game goes on and the side to move has nothing but a pass.
    fn must_pass(&self) -> bool;
    /// Plays one half-move. On an error nothing has changed.
    ///
    /// A renju point forbidden to black may be played, and loses: the result is `Ok` and
    /// [`Rules::ending`] says why.
    fn play(&mut self, played: Move) -> Result<(), IllegalMove>;
    /// Puts a move of an opening down, on the way to a position from which players play. Gomoku: no
    /// line is looked at on the way, and a pass leaves a colour a stone behind, so that any position
    /// can be given.
    fn give(&mut self, given: Move) -> Result<(), IllegalMove> {
        self.play(given)
    }
    /// How the game ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// Discs or stones of each side, black's first.
    fn counts(&self) -> [u16; 2];
}

/// A position of any game, with the side to move.
#[derive(Clone, PartialEq, Eq)]
pub enum Board {
    /// Othello.
    Othello(othello::Board),
    /// Gomoku.
    Gomoku(gomoku::Board),
}

macro_rules! of_any_game {
    ($board:expr, $inner:ident => $value:expr) => {
        match $board {
            Board::Othello($inner) => $value,
            Board::Gomoku($inner) => $value,
        }
    };
}

impl Rules for Board {
    fn game(&self) -> Game {
        of_any_game!(self, board => board.game())
    }
    fn side_to_move(&self) -> Side {
        of_any_game!(self, board => board.side_to_move())
    }
    fn at(&self, square: Square) -> Option<Side> {
        of_any_game!(self, board => board.at(square))
    }
    fn row(&self, row: u8, side: Side) -> u32 {
        of_any_game!(self, board => board.row(row, side))
    }
    fn legal_squares(&self) -> Vec<Square> {
        of_any_game!(self, board => board.legal_squares())
    }
    fn must_pass(&self) -> bool {
        of_any_game!(self, board => board.must_pass())
    }
    fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        of_any_game!(self, board => board.play(played))
    }
    fn give(&mut self, given: Move) -> Result<(), IllegalMove> {
        of_any_game!(self, board => board.give(given))
    }
    fn ending(&self) -> Option<Ending> {
        of_any_game!(self, board => board.ending())
    }
    fn counts(&self) -> [u16; 2] {
        of_any_game!(self, board => board.counts())
    }
}

impl Board {
    /// The legal moves, a forced pass included. Empty exactly when the game has ended.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.must_pass() {
            return vec![Move::Pass];
        }
        self.legal_squares().into_iter().map(Move::Place).collect()
    }
}
