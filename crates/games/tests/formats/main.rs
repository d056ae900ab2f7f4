//! Tests of the game formats: written games are read back, and files of other programs are read.

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
