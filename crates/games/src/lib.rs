//! The rules of the games: legal moves, the end of a game and its winner.
//!
//! Reading order: [`Side`], [`Square`] and [`Move`]; the trait [`Rules`], a position as a referee needs it; [`Family`],
//! the description of a game, and [`Game`], the handle that all other packages use; [`Board`], a position of any game;
//! then [`othello`] and [`gomoku`], with the types for searches. Nothing here reads a clock, a file or a random number.
//!
//! ```
//! use games::{Game, Rules};
//!
//! let mut board = Game::OTHELLO.start();
//! board.play("f5".parse()?)?;
//! assert_eq!(board.legal_moves().len(), 3);
//!
//! let drawing = board.to_string();
//! assert_eq!(
//!     drawing.lines().collect::<Vec<_>>(),
//!     [
//!         "   a b c d e f g h",
//!         " 1 . . . . . . . .",
//!         " 2 . . . . . . . .",
//!         " 3 . . . . . . . .",
//!         " 4 . . . O X . . .",
//!         " 5 . . . X X X . .",
//!         " 6 . . . . . . . .",
//!         " 7 . . . . . . . .",
//!         " 8 . . . . . . . .",
//!         "white to move",
//!     ]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod board;
mod canonical;
mod drawing;
mod families;
pub mod formats;
mod game;
pub mod gomoku;
pub mod othello;
mod perft;
mod retrace;
mod rules;
mod scene;
mod side;
mod square;
mod symmetry;
mod transcript;

pub use board::{BadRows, Board, parse_opening, parse_transcript};
pub use canonical::{canonical, canonical_hash};
pub use families::{families, names, names_listed, register};
pub use game::{Family, Game, Scoring, UnknownGame};
pub use gomoku::{Choice, Opening, OpeningRule};
pub use perft::{perft, perft_divide};
pub use retrace::{Retraced, counted, is_swapped, retrace};
pub use rules::{DynRules, Ending, IllegalMove, Reason, Rules};
pub use scene::{Scene, Theme};
pub use side::Side;
pub use square::{BadSquare, MAX_SIZE, Move, Square};
pub use symmetry::Symmetry;
pub use transcript::{BadTranscript, format_transcript, play_transcript};
