//! The Smart Game Format, FF[4]: `GM[4]` Gomoku, and `GM[2]` Othello as Edax writes it.
//!
//! A Gomoku point is two letters, column and row from the top left: `aa` is a1. An Othello move is `f5`; a pass is
//! `PA`.
//!
//! The writer's properties are `SZ` (size), `RU` (rules), `PB` and `PW` (names), `EV` (event), `PC` (place), `DT`
//! (date), `TM` and `OT` (clock, if both sides have the same), `RE` (result), `C` (comment), `AB`, `AW` and `PL` (start
//! position). A move has its evaluation for black as `V`, and its time as a comment, as in c-gomoku-cli: `C[12.5 ms]`.
//! The reader takes the first of several branches.
//!
//! ```
//! use games::formats::sgf;
//!
//! let game = sgf::parse("(;FF[4]GM[4]SZ[15]PB[Rapfi]RE[B+T];B[hh];W[ig](;B[ii])(;B[gg]))")?;
//! let moves: Vec<String> = game.plies().map(|played| played.to_string()).collect();
//! assert_eq!(moves, ["h8", "i7", "i9"]);
//! assert_eq!(
//!     sgf::write(&game)?,
//!     "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[freestyle]PB[Rapfi]PW[]RE[B+T]\n;B[hh];W[ig];B[ii])\n"
//! );
//!
//! let error = sgf::parse("(;GM[4]SZ[15];B[hh];W[hh])").unwrap_err().to_string();
//! assert_eq!(error, "line 1, column 23: move 2: h8 is not a legal move for white: the square is taken");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: A. Hollosi, "SGF File Format FF\[4\]", <https://www.red-bean.com/sgf/>.

mod read;
mod tree;
mod write;

pub use read::{parse, read};
pub use write::write;
