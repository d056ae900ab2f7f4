//! The rules of Othello on an 8×8 board.
//!
//! A [`Position`] is seen from the side to move: `own` discs and `opponent` discs. Squares are numbered 0–63 from a1
//! row by row, so a1 is bit 0, h1 bit 7 and h8 bit 63. An [`OthelloBoard`] adds the colours for referees and users.
//! Start with [`Position::legal_moves`] and [`Position::play`].

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod board;
mod family;
mod kernel;
pub mod obf;
mod origin;
pub(crate) mod perft;
mod portable;
mod position;
mod rays;

pub use board::OthelloBoard;
pub(crate) use family::Othello;
#[cfg(target_arch = "x86_64")]
pub use kernel::{Avx2, Avx512};
pub use kernel::{Kernel, Portable, Task, flips, legal_moves, vectorized, with_fastest};
pub use origin::{NoOrigin, moves_to};
pub use position::{BadPosition, Position, SIZE, squares};
