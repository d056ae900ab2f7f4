//! Transcripts: the moves of a game without separators, such as `f5d6c3` or `h8i9j10`.
//!
//! By convention, Othello's forced passes are omitted. Reading adds them.
//!
//! ```
//! use games::{Game, format_transcript, parse_transcript};
//!
//! let (moves, board) = parse_transcript(Game::OTHELLO, "F5 d6, c3D3")?;
//! assert_eq!(format_transcript(&moves), "f5d6c3d3");
//! assert_eq!(
//!     board.rows(),
//!     [
//!         "........",
//!         "........",
//!         "..XO....",
//!         "...OX...",
//!         "...OXX..",
//!         "...O....",
//!         "........",
//!         "........",
//!     ]
//! );
//! # Ok::<(), games::BadTranscript>(())
//! ```

use crate::{BadSquare, IllegalMove, Move, Rules};

/// A transcript that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadTranscript {
    /// A word that is not a move.
    #[error("move {number}: {source}")]
    Text {
        /// The number of the move, from 1.
        number: usize,
        /// The error.
        source: BadSquare,
    },
    /// A move that the rules do not allow.
    #[error("move {number}: {source}")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The error.
        source: IllegalMove,
    },
}

/// Plays a transcript on `board`. Returns the moves, with the forced passes added. Capitals, spaces, commas and the
/// word `pass` are allowed. On an error, the moves before the wrong one have been played.
pub fn play_transcript<R: Rules + ?Sized>(
    board: &mut R,
    text: &str,
) -> Result<Vec<Move>, BadTranscript> {
    put_down(board, text, R::play)
}

/// Like [`play_transcript`], but plays the moves with [`Rules::give`].
pub(crate) fn give_transcript<R: Rules + ?Sized>(
    board: &mut R,
    text: &str,
) -> Result<Vec<Move>, BadTranscript> {
    put_down(board, text, R::give)
}

fn put_down<R: Rules + ?Sized>(
    board: &mut R,
    text: &str,
    put: fn(&mut R, Move) -> Result<(), IllegalMove>,
) -> Result<Vec<Move>, BadTranscript> {
    let mut moves = Vec::new();
    for (index, word) in words(text).enumerate() {
        let number = index + 1;
        let played: Move = word
            .parse()
            .map_err(|source| BadTranscript::Text { number, source })?;
        if board.must_pass() && played != Move::Pass {
            put(board, Move::Pass).expect("a forced pass is legal");
            moves.push(Move::Pass);
        }
        put(board, played).map_err(|source| BadTranscript::Illegal { number, source })?;
        moves.push(played);
    }
    Ok(moves)
}

/// Returns the lines of a file that are not empty; `#` begins a comment.
pub(crate) fn transcripts(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty())
}

/// Formats the moves as a transcript, without passes. The choices of an opening have spaces around them.
pub fn format_transcript(moves: &[Move]) -> String {
    let mut text = String::new();
    for played in moves {
        match played {
            Move::Place(square) => text += &square.to_string(),
            Move::Choose(choice) => text = format!("{} {choice} ", text.trim_end()),
            Move::Pass => {}
        }
    }
    text.trim().to_owned()
}

/// Cuts `f5d6 c3,pass` into words, at spaces and commas, between a digit and a letter, and after `pass`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| c.is_whitespace() || c == ',');
    runs.flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            let (word, after) = rest.split_at(word_length(rest));
            rest = after;
            (!word.is_empty()).then_some(word)
        })
    })
}

fn word_length(text: &str) -> usize {
    const PASS: &str = "pass";
    let begins_with_pass = text
        .get(..PASS.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(PASS));
    if begins_with_pass {
        return PASS.len();
    }
    let digits = text.find(|c: char| c.is_ascii_digit());
    let digits = digits.unwrap_or(text.len());
    let letters = text[digits..].find(|c: char| !c.is_ascii_digit());
    letters.map_or(text.len(), |letters| digits + letters)
}
