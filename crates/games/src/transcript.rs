//! Games written as their moves in a row: `f5d6c3`, `h8i9j10`.
//!
//! Othello's forced passes are left out, as everywhere in the trade; reading puts them back.
//!
//! ```
//! use games::{Game, format_transcript, parse_transcript};
//!
//! let (moves, board) = parse_transcript(Game::Othello, "F5 d6, c3D3")?;
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

use crate::{BadSquare, Board, Game, IllegalMove, Move, Rules};

/// A transcript that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTranscript {
    /// Text that is no move.
    #[error("move {number}: {source}")]
    Text {
        /// Which move, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: BadSquare,
    },
    /// A move that the rules do not allow.
    #[error("move {number}: {source}")]
    Illegal {
        /// Which move, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: IllegalMove,
    },
}

/// Plays a transcript from the start of `game`: the moves, forced passes put in, and the position
/// reached. Capitals, spaces and commas between moves, and the word `pass` are allowed.
pub fn parse_transcript(game: Game, text: &str) -> Result<(Vec<Move>, Board), BadTranscript> {
    put_down(game, text, Board::play)
}

/// The moves of an opening, given and not played (see [`Rules::give`]), and the position reached.
/// Written as transcripts are; Othello's forced passes may be left out.
pub fn parse_opening(game: Game, text: &str) -> Result<(Vec<Move>, Board), BadTranscript> {
    put_down(game, text, Board::give)
}

/// The moves in a row, passes left out.
pub fn format_transcript(moves: &[Move]) -> String {
    moves
        .iter()
        .filter_map(|played| played.square())
        .map(|square| square.to_string())
        .collect()
}

fn put_down(
    game: Game,
    text: &str,
    put: fn(&mut Board, Move) -> Result<(), IllegalMove>,
) -> Result<(Vec<Move>, Board), BadTranscript> {
    let mut board = game.start();
    let mut moves = Vec::new();
    for (index, word) in words(text).enumerate() {
        let number = index + 1;
        let played: Move = word
            .parse()
            .map_err(|source| BadTranscript::Text { number, source })?;
        if board.must_pass() && played != Move::Pass {
            put(&mut board, Move::Pass).expect("a forced pass is legal");
            moves.push(Move::Pass);
        }
        put(&mut board, played).map_err(|source| BadTranscript::Illegal { number, source })?;
        moves.push(played);
    }
    Ok((moves, board))
}

/// Cuts `f5d6 c3,pass` into `f5`, `d6`, `c3`, `pass`: a word ends at a space or comma, where a
/// letter follows a digit, and after `pass`.
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
