//! Formats of games: written and read back, and compared with files of other programs.

mod ggf;
mod offsets;
mod page;
#[path = "../rules/played.rs"]
mod played;
mod psq;
mod saved;
mod sgf;
mod texts;
mod wthor;
