//! Othello positions as text, one per line, with their moves and scores.
//!
//! This is the format of Edax's OBF files and of the FFO test positions: 64 squares from a1 row by row, the side to
//! move, a semicolon, and the moves with their scores in discs for the side to move. Moves without a score share the
//! next score, as in `h4 g8 e8:+64`. A number may precede a position; `%` begins a comment.
//!
//! ```
//! use games::othello::obf;
//!
//! let positions = obf::read(
//!     "% two of the FFO's test positions\n\
//!      40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38\n\
//!      43 --XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12 C7:-12\n",
//! )?;
//! assert_eq!(positions[0].name, "40");
//! assert_eq!(positions[1].best_score(), Some(-12));
//!
//! let error = obf::read("O--OO?OX-OOOO").unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 6: square 6 holds '?': write X, O or -");
//! # Ok::<(), obf::BadObf>(())
//! ```

use std::fmt;

use super::board::OthelloBoard;
use super::position::{BadPosition, Position, side_of};
use crate::{Move, Rules};

/// A position with its name and its scored moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObfPosition {
    /// The number before the position, or else the comment after it; may be empty.
    pub name: String,
    /// The position.
    pub board: OthelloBoard,
    /// Moves in the order of the line: the best moves in test positions, all moves in analyses.
    pub moves: Vec<ScoredMove>,
}

/// A move and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move, which is legal; a pass if there is no other.
    pub played: Move,
    /// The final disc difference for the side to move with best play, −64 to 64, if given.
    pub score: Option<i32>,
}

impl ObfPosition {
    /// Returns the highest score of the moves.
    pub fn best_score(&self) -> Option<i32> {
        self.moves.iter().filter_map(|scored| scored.score).max()
    }
}

/// Formats the position as a line: `position side; a2:+38; % name`.
impl fmt::Display for ObfPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ObfPosition { name, board, moves } = self;
        f.write_str(&board.position().format(board.side_to_move()))?;
        for ScoredMove { played, score } in moves {
            match score {
                Some(score) => write!(f, "; {played}:{score:+}")?,
                None => write!(f, "; {played}")?,
            }
        }
        f.write_str(";")?;
        if !name.is_empty() {
            write!(f, " % {name}")?;
        }
        Ok(())
    }
}

/// An error with its place. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("line {line}, column {column}: {fault}")]
pub struct BadObf {
    /// The number of the line.
    pub line: usize,
    /// The column in the line.
    pub column: usize,
    /// The error.
    pub fault: Mistake,
}

/// The kind of an error in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum Mistake {
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] BadPosition),
    /// A position in which at least one of the four centre squares is empty.
    #[error("no game reaches this position: d4, e4, d5 and e5 are never empty")]
    Centre,
    /// No `;` between the position and the text after it.
    #[error("expected a ; after the position, found {0:?}")]
    NoSemicolon(String),
    /// Text that is not a move.
    #[error("{0:?} is not a move: write it as in a2:+38")]
    Move(String),
    /// A move that the rules do not allow here.
    #[error("{0} is not a legal move of this position")]
    Illegal(Move),
    /// Text that is not a score.
    #[error("{0:?} is not a score: write discs from -64 to +64")]
    Score(String),
}

/// Returns true if the first line that is not a comment looks like a position.
pub fn looks_like(text: &str) -> bool {
    /// The number of squares to check: a row of the board.
    const ENOUGH: usize = 8;
    let lines = text
        .lines()
        .map(|line| line.split('%').next().unwrap_or_default());
    let Some(first) = lines.map(str::trim).find(|line| !line.is_empty()) else {
        return false;
    };
    let (_, position) = name_and_position(first);
    let is_square = |c: char| matches!(c, '-' | '.') || side_of(c).is_some();
    let mut squares = position.chars().filter(|c| !c.is_whitespace()).take(ENOUGH);
    position.len() >= ENOUGH && squares.all(is_square)
}

/// Reads a file of positions. Blank lines and comments are ignored.
pub fn read(text: &str) -> Result<Vec<ObfPosition>, BadObf> {
    text.lines()
        .zip(1..)
        .filter_map(|(line, number)| obf_position(line, number).transpose())
        .collect()
}

fn obf_position(text: &str, number: usize) -> Result<Option<ObfPosition>, BadObf> {
    let bad = |at: &str, fault: Mistake| BadObf {
        line: number,
        column: column(text, at),
        fault,
    };
    let (code, comment) = text.split_once('%').unwrap_or((text, ""));
    if code.trim().is_empty() {
        return Ok(None);
    }
    let (name, position) = name_and_position(code);
    let (board, rest) = board(position).map_err(|(at, fault)| bad(at, fault.into()))?;
    if !board.position().has_centre() {
        return Err(bad(position, Mistake::Centre));
    }
    let rest = rest.trim_start();
    let list = rest.strip_prefix(';').unwrap_or(rest);
    if list.len() == rest.len() && !rest.is_empty() {
        return Err(bad(rest, Mistake::NoSemicolon(rest.trim_end().to_owned())));
    }
    let mut moves = Vec::new();
    for word in list
        .split([';', ',', ' ', '\t'])
        .filter(|word| !word.trim().is_empty())
    {
        let scored = scored_move(word.trim()).map_err(|(at, fault)| bad(at, fault))?;
        if board.clone().play(scored.played).is_err() {
            return Err(bad(word, Mistake::Illegal(scored.played)));
        }
        moves.push(scored);
    }
    share_scores(&mut moves);
    let name = if name.is_empty() {
        comment.trim()
    } else {
        name
    };
    Ok(Some(ObfPosition {
        name: name.to_owned(),
        board,
        moves,
    }))
}

fn column(line: &str, part: &str) -> usize {
    let bytes = part.as_ptr() as usize - line.as_ptr() as usize;
    line[..bytes].chars().count() + 1
}

/// Splits `40 O--OO…` into name and position; the name is empty if there is no number.
fn name_and_position(code: &str) -> (&str, &str) {
    let code = code.trim_start();
    let digits = code.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let (name, rest) = code.split_at(digits);
    // A position may begin with the digit 0, which some programs write for a white disc.
    if rest.starts_with(char::is_whitespace) {
        (name, rest.trim_start())
    } else {
        ("", code)
    }
}

fn board(text: &str) -> Result<(OthelloBoard, &str), (&str, BadPosition)> {
    let mut symbols = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let mut nth = |index: usize| symbols.nth(index).unwrap_or((text.trim_end().len(), ' '));
    match Position::parse(text) {
        Ok(position) => {
            let (at, symbol) = nth(64);
            let side = side_of(symbol).expect("the position has been read");
            Ok((
                OthelloBoard::new(position, side),
                &text[at + symbol.len_utf8()..],
            ))
        }
        Err(error) => {
            let (at, _) = match error {
                BadPosition::Symbol { index, .. } => nth(index),
                BadPosition::Short { squares } => nth(squares),
                BadPosition::Side { .. } => nth(64),
            };
            Err((&text[at..], error))
        }
    }
}

fn scored_move(word: &str) -> Result<ScoredMove, (&str, Mistake)> {
    let (played, score) = match word.split_once(':') {
        Some((played, score)) => (played, Some(score)),
        None => (word, None),
    };
    let no_move = |_| (played, Mistake::Move(played.to_owned()));
    let number = |score: &str| {
        score
            .parse()
            .ok()
            .filter(|score| (-64..=64).contains(score))
    };
    let score = match score {
        None => None,
        Some(score) => Some(number(score).ok_or((score, Mistake::Score(score.to_owned())))?),
    };
    let played = played.parse().map_err(no_move)?;
    Ok(ScoredMove { played, score })
}

/// Sets each missing score to the next score: `h4 g8 e8:+64` has three scores of 64.
fn share_scores(moves: &mut [ScoredMove]) {
    let mut next = None;
    for scored in moves.iter_mut().rev() {
        next = scored.score.or(next);
        scored.score = next;
    }
}
