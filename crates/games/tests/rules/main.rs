//! Tests the rules against published figures and against slow, obvious twins. A twin implements the text of the rules
//! on plain arrays. If twin and library differ, one misreads the rules.

mod caro;
mod diagrams;
mod gomoku;
mod gomoku_twin;
mod notation;
mod openings;
mod othello;
mod othello_twin;
mod perft;
mod played;
mod random;
mod renju;
mod renju_twin;
mod scenes;
mod symmetry;
