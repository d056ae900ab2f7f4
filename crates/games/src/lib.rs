//! The rules of the games of this arena: what may be played, when a game is over, who has won.
//!
//! Reading order: [`Side`], [`Square`] and [`Move`]; then [`Game`] (which game, rules, size),
//! [`Board`] (a position) and the trait [`Rules`], which is all a referee uses; then each game's
//! own folder, [`othello`] and [`gomoku`], with the types that searches use.
//!
//! Nothing here reads a clock, a file or a random number.
//!
//! ```
//! use games::{Game, Rules};
//!
//! let mut board = Game::Othello.start();
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

mod drawing;
pub mod formats;
mod game;
pub mod gomoku;
pub mod othello;
mod perft;
mod side;
mod square;
mod symmetry;
mod transcript;

pub use game::{BadRows, Board, Ending, Game, IllegalMove, Reason, Rules, UnknownGame};
pub use perft::{perft, perft_divide};
pub use side::Side;
pub use square::{BadSquare, MAX_SIZE, Move, Square};
pub use symmetry::{Symmetry, canonical_hash};
pub use transcript::{BadTranscript, format_transcript, parse_opening, parse_transcript};
