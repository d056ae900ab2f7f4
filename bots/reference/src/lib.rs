//! Opponents of known, fixed strength: what a new bot is measured against.
//!
//! Each is a few lines of one idea that every course on game playing teaches, and a step up from
//! the one before. [`CATALOGUE`] lists them, [`bot`] makes one. Given the seed of its game and a
//! limit in depth or playouts an opponent always plays the same; none learns from one game to the
//! next.
//!
//! Nothing here reads a pipe or knows JSON; `main.rs` hands a bot to [`protocol::engine::speak`].

mod bots;
mod catalogue;
mod clock;
mod draw;
mod gomoku;
mod mcts;
mod othello;
mod search;

pub use catalogue::{BadBot, CATALOGUE, Entry, Options, bot};

/// Positions for tests.
#[cfg(test)]
mod positions {
    use games::gomoku::Rule;
    use games::{Board, Game, Move, Rules};
    use proptest::prelude::*;
    use proptest::sample::Index;

    /// Returns every game on boards of all sizes.
    pub(crate) fn games() -> impl Strategy<Value = Game> {
        let gomoku = (5..=22u8, 0..Rule::ALL.len())
            .prop_map(|(size, rule)| Game::gomoku(size, Rule::ALL[rule]));
        prop_oneof![Just(Game::OTHELLO), gomoku]
    }

    /// Unfinished positions of `game` after up to `plies` random half-moves, with a square to play.
    pub(crate) fn reachable(game: Game, plies: usize) -> impl Strategy<Value = Board> {
        proptest::collection::vec(any::<Index>(), 0..=plies).prop_map(move |choices| {
            let mut board = game.start();
            let mut asked = board.clone();
            for choice in choices {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                if moves != [Move::Pass] {
                    asked.clone_from(&board);
                }
                let played = moves[choice.index(moves.len())];
                board.play(played).expect("it is legal");
            }
            let goes_on = board.ending().is_none() && !board.must_pass();
            if goes_on { board } else { asked }
        })
    }
}
