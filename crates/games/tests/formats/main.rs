//! Formats of games: written and read back, and held against games that other programs wrote.

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
