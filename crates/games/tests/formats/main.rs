//! Formats of games: written and read back, and held against games that other programs wrote.

mod ggf;
#[path = "../rules/played.rs"]
mod played;
mod saved;
