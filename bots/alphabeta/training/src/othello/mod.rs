//! How the weights of Othello's evaluation are made: play, solve, fit, play again.
//!
//! A generation begins with games of the program against itself ([`self_play`]), whose last moves
//! are solved exactly, so that each position of a game knows how it ended. Then [`fit`] finds the
//! weights that predict those ends best, and the next generation plays with them. The first plays
//! with a [`first_guess`]. [`train`] is the command.
//!
//! Every game draws from a random stream of its own, and sums are added in one order: the weights
//! depend on the settings and the seed, not on the number of threads.

pub mod example;
mod first_guess;
mod fit;
pub mod self_play;
pub mod train;
