//! Opponents of known, fixed strength, as a reference for new bots.
//!
//! Each opponent implements a technique from courses on game playing. [`CATALOGUE`] lists the opponents from weak to
//! strong; [`bot`] creates one. With a seed and a limit in depth or playouts, an opponent is deterministic. No opponent
//! learns. The library does no I/O.

mod bots;
mod catalogue;
mod clock;
mod draw;
mod gomoku;
mod othello;
mod search;
mod thinker;
mod uct;

pub use catalogue::{BadBot, CATALOGUE, Entry, Options, bot};

#[cfg(test)]
mod positions {
    use games::gomoku::Rule;
    use games::{Board, Game, Move, Rules};
    use proptest::prelude::*;
    use proptest::sample::Index;

    pub(crate) fn games() -> impl Strategy<Value = Game> {
        let gomoku = (5..=22u8, 0..Rule::ALL.len())
            .prop_map(|(size, rule)| Game::gomoku(size, Rule::ALL[rule]));
        prop_oneof![Just(Game::OTHELLO), gomoku]
    }

    /// Returns unfinished positions after up to `plies` random plies, in which the side to move has a legal square.
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
