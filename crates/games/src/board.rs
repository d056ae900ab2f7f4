//! A position of any game.

use crate::gomoku::Opening;
use crate::transcript::{give_transcript, play_transcript};
use crate::{
    BadTranscript, DynRules, Ending, Game, IllegalMove, Move, Rules, Side, Square, Symmetry,
    gomoku, othello,
};

/// A position of any game, with the side to move.
pub enum Board {
    /// Othello.
    Othello(othello::OthelloBoard),
    /// Gomoku.
    Gomoku(gomoku::GomokuBoard),
    /// A game that was [registered](crate::register).
    Other(Game, Box<dyn DynRules>),
}

macro_rules! of_any_game {
    ($board:expr, $inner:ident => $value:expr) => {
        match $board {
            Board::Othello($inner) => $value,
            Board::Gomoku($inner) => $value,
            Board::Other(_, $inner) => $value,
        }
    };
}

impl Rules for Board {
    fn size(&self) -> u8 {
        of_any_game!(self, board => board.size())
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
    /// Returns the game of this position.
    pub fn game(&self) -> Game {
        match self {
            Board::Othello(_) => Game::OTHELLO,
            Board::Gomoku(board) => {
                let rule = board.opening().map(|opening| opening.rule().name());
                let game = Game::gomoku(board.size(), board.rule());
                game.with_opening(rule).expect("it began so")
            }
            Board::Other(game, _) => *game,
        }
    }

    /// Returns the state of the opening; `None` if it has ended, or if the game has no opening rule.
    pub fn opening(&self) -> Option<&Opening> {
        match self {
            Board::Gomoku(board) => board.opening(),
            Board::Othello(_) | Board::Other(..) => None,
        }
    }

    /// Returns the colour of the next stone. In an opening, this may differ from the side to move.
    pub fn next_stone(&self) -> Side {
        match self {
            Board::Gomoku(board) => board.next_stone(),
            Board::Othello(_) | Board::Other(..) => self.side_to_move(),
        }
    }

    /// Returns the legal moves, with a forced pass or the choices of an opening. The list is empty only after the end.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.must_pass() {
            return vec![Move::Pass];
        }
        let choices = self.opening().map_or(&[][..], Opening::choices);
        let choices = choices.iter().map(|&choice| Move::Choose(choice));
        let squares = self.legal_squares().into_iter().map(Move::Place);
        choices.chain(squares).collect()
    }

    /// Returns true if `played` is a square that would be legal for the other side. False in a game without passes.
    pub fn is_legal_for_opponent(&self, played: Move) -> bool {
        let game = self.game();
        let Move::Place(square) = played else {
            return false;
        };
        let turned = || game.with_stones(&self.stones(), !self.side_to_move());
        game.family().has_passes() && turned().legal_squares().contains(&square)
    }

    /// Returns the number of squares without a disc or stone.
    pub fn empties(&self) -> u16 {
        let [black, white] = self.counts();
        u16::from(self.size()) * u16::from(self.size()) - black - white
    }

    /// Returns the discs or stones, row by row.
    pub fn stones(&self) -> Vec<(Square, Side)> {
        let size = self.size();
        let squares =
            (0..usize::from(size) * usize::from(size)).map(|index| Square::from_index(index, size));
        squares
            .filter_map(|square| Some((square, self.at(square)?)))
            .collect()
    }

    /// Returns this position turned and mirrored by `symmetry`.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Board {
        match self {
            Board::Othello(board) => Board::Othello(board.turned(symmetry)),
            Board::Gomoku(board) => Board::Gomoku(board.turned(symmetry)),
            Board::Other(game, board) => {
                let mut stones = self.stones();
                for (square, _) in &mut stones {
                    *square = symmetry.apply(*square, game.size());
                }
                game.with_stones(&stones, board.side_to_move())
            }
        }
    }

    fn of(game: Game, position: Box<dyn DynRules>) -> Board {
        let any: &dyn std::any::Any = &*position;
        if let Some(&board) = any.downcast_ref() {
            Board::Othello(board)
        } else if let Some(board) = any.downcast_ref::<gomoku::GomokuBoard>() {
            Board::Gomoku(board.clone())
        } else {
            Board::Other(game, position)
        }
    }
}

impl Clone for Board {
    fn clone(&self) -> Board {
        match self {
            Board::Othello(board) => Board::Othello(*board),
            Board::Gomoku(board) => Board::Gomoku(board.clone()),
            Board::Other(game, board) => Board::Other(*game, (**board).boxed()),
        }
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        match (self, other) {
            (Board::Othello(one), Board::Othello(other)) => one == other,
            (Board::Gomoku(one), Board::Gomoku(other)) => one == other,
            (Board::Other(game, one), Board::Other(its, other)) => {
                game == its && (**one).equals(&**other)
            }
            _ => false,
        }
    }
}

impl Eq for Board {}

impl Game {
    /// Returns the position after an opening. See [`Rules::give`].
    pub fn after(self, opening: &[Move]) -> Result<Board, IllegalMove> {
        let mut board = self.start();
        for &given in opening {
            board.give(given)?;
        }
        Ok(board)
    }

    /// Returns the position before the first move.
    pub fn start(self) -> Board {
        Board::of(self, self.family().start(self))
    }

    /// Returns the position with these discs or stones, at most one per square. A winning line does not end the game.
    pub fn with_stones(self, stones: &[(Square, Side)], to_move: Side) -> Board {
        Board::of(self, self.family().set_up(self, stones, to_move))
    }

    /// Returns the position of `rows`, with `side` to move. A winning line does not end the game. See [`Board::rows`].
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
        Ok(self.with_stones(&stones, side))
    }
}

/// Plays a transcript from the start of `game`: see [`play_transcript`](crate::play_transcript).
pub fn parse_transcript(game: Game, text: &str) -> Result<(Vec<Move>, Board), BadTranscript> {
    let mut board = game.start();
    let moves = play_transcript(&mut board, text)?;
    Ok((moves, board))
}

/// Like [`parse_transcript`], but plays the moves with [`Rules::give`].
pub fn parse_opening(game: Game, text: &str) -> Result<(Vec<Move>, Board), BadTranscript> {
    let mut board = game.start();
    let moves = give_transcript(&mut board, text)?;
    Ok((moves, board))
}

/// Rows that are not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadRows {
    /// The wrong number of rows.
    #[error("expected {size} rows, found {rows}")]
    Count {
        /// The number of rows found.
        rows: usize,
        /// The size of the board.
        size: u8,
    },
    /// A row of the wrong length.
    #[error("row {row} is {text:?}: expected {size} symbols")]
    Length {
        /// The number of the row, from 1 at the top.
        row: u8,
        /// The row.
        text: String,
        /// The size of the board.
        size: u8,
    },
    /// A symbol other than `X`, `O` and `.`.
    #[error("{square} holds {symbol:?}: X is black, O white, . empty")]
    Symbol {
        /// The symbol found.
        symbol: char,
        /// The square of the symbol.
        square: Square,
    },
}
