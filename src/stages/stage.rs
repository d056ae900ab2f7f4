//! One position, its known win, and its file format.

use std::fmt;

use games::gomoku::GomokuBoard;
use games::{Game, Move, Side, Square};

/// The default number of rows and columns.
pub(super) const SIZE: u8 = 15;

/// A position that black, to move, must win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Its name; by default the file's name.
    pub name: String,
    /// The position, black to move.
    pub board: GomokuBoard,
    /// The proven win, if the file names one.
    pub win: Option<Win>,
    /// Where it comes from, in words.
    pub found: Option<String>,
}

/// A win by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// Length of the shortest win found, both sides' moves counted.
    pub plies: u32,
    /// The means it needs.
    pub means: Option<Means>,
    /// The line, if the file gives it: the defender holds out as long as it can.
    pub line: Vec<Square>,
}

/// The means that a win needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Fours alone.
    Fours,
    /// Also open threes: fours alone do not win.
    Threats,
    /// Fours alone win, but open threes win sooner.
    Either,
}

impl Means {
    /// All, for reading.
    pub const ALL: [Means; 3] = [Means::Fours, Means::Threats, Means::Either];

    /// The keyword in files and tables.
    pub const fn word(self) -> &'static str {
        match self {
            Means::Fours => "fours",
            Means::Threats => "threats",
            Means::Either => "either",
        }
    }
}

impl Stage {
    /// The smallest number of moves for black, even if the win is shorter.
    const LEAST_MOVES: usize = 10;

    /// Rules and size.
    pub fn game(&self) -> Game {
        Game::gomoku(self.board.size(), self.board.rule())
    }

    /// The stones, row by row from a1: `X` black, `O` white, `.` none.
    pub fn stones(&self) -> String {
        let size = self.board.size();
        (0..usize::from(size) * usize::from(size))
            .map(|index| self.board.stone(Square::from_index(index, size)))
            .map(|stone| stone.map_or('.', Side::symbol))
            .collect()
    }

    /// Black's moves of the shortest win found.
    pub fn shortest(&self) -> Option<usize> {
        self.win.as_ref().map(|win| win.plies.div_ceil(2) as usize)
    }

    /// How many moves black has to make five: twice those of the shortest win found, and at least
    /// ten; as many as fit on the board if no win is known.
    pub fn most_moves(&self) -> usize {
        let room = usize::from(self.board.empties()).div_ceil(2);
        self.shortest().map_or(room, |shortest| {
            (2 * shortest).max(Stage::LEAST_MOVES).min(room)
        })
    }

    /// The stones as moves from the empty board: black's and white's in turns, each colour row by
    /// row, with a pass where white has fewer. Bots get these as the moves so far.
    pub fn given(&self) -> Vec<Move> {
        let of = |side| {
            let size = self.board.size();
            (0..usize::from(size) * usize::from(size))
                .map(move |index| Square::from_index(index, size))
                .filter(move |&square| self.board.stone(square) == Some(side))
        };
        let mut white = of(Side::White);
        of(Side::Black)
            .flat_map(|black| {
                [
                    Move::Place(black),
                    white.next().map_or(Move::Pass, Move::Place),
                ]
            })
            .collect()
    }
}

/// The file of a stage; [`read`](super::read) reads it back.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# name: {}", self.name)?;
        writeln!(f, "# rules: {}", self.board.rule().name())?;
        if self.board.size() != SIZE {
            writeln!(f, "# size: {}", self.board.size())?;
        }
        writeln!(f, "# to move: black")?;
        if let Some(win) = &self.win {
            write!(f, "# win: {} plies", win.plies)?;
            if let Some(means) = win.means {
                write!(f, ", {}", means.word())?;
            }
            writeln!(f)?;
            if !win.line.is_empty() {
                let line: Vec<String> = win.line.iter().map(Square::to_string).collect();
                writeln!(f, "# line: {}", line.join(" "))?;
            }
        }
        if let Some(found) = &self.found {
            writeln!(f, "# found: {found}")?;
        }
        // The last line of the drawing says whose turn it is.
        let drawn = self.board.to_string();
        for row in drawn.lines().take(usize::from(self.board.size()) + 1) {
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}
