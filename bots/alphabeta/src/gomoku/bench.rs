//! A fixed set of positions for measurements. The number of nodes is the same on every machine.

use std::hint::black_box;
use std::time::Instant;

use games::gomoku::Rule;
use games::{Game, Rules};

use super::{Cell, GomokuPosition, SearchBoard};
use crate::options::Evaluation;
use crate::search::{Bench, Depth};

/// Games of alphabeta. Every third position is searched, from the position after the fifth move on.
const GAMES: [&str; 3] = [
    "j9h7f6i10e5g7e7i7j7i8i9i6g5h4e6e4f5h5d5c5d8c9e9e8h6i4i5k4g6d6l3",
    "j9h7f6i10e5h8h6i6d4c3e6g8j5e10f9h9f7h10h11j11k12g10f10f8d6g6b6",
    "i9i11h9c12h14j9h10h11g11f12g10g12i10e12d12h12i12j10k9f13f11j8j11",
];

pub fn search(evaluation: Evaluation, depth: Depth) -> Bench {
    let new = |board| GomokuPosition::with_evaluation(evaluation, board);
    Bench::of(positions().into_iter().map(new), depth)
}

pub fn play_and_undo(rounds: u32) -> Bench {
    let mut positions: Vec<(SearchBoard, Vec<Cell>)> = positions()
        .into_iter()
        .map(|board| {
            let moves = board.candidates().iter().collect();
            (board, moves)
        })
        .collect();
    let began = Instant::now();
    let mut nodes = 0;
    for _ in 0..rounds {
        for (board, moves) in &mut positions {
            for &cell in &*moves {
                board.play(cell);
                black_box(board.evaluate());
                board.undo();
                nodes += 1;
            }
        }
    }
    Bench {
        nodes,
        time: began.elapsed(),
    }
}

fn positions() -> Vec<SearchBoard> {
    let game = Game::gomoku(15, Rule::Freestyle);
    let mut positions = Vec::new();
    for transcript in GAMES {
        let (moves, _) = games::parse_transcript(game, transcript).expect("a legal game");
        let mut board = games::gomoku::GomokuBoard::new(15, Rule::Freestyle);
        for (ply, played) in moves.into_iter().enumerate() {
            board.play(played).expect("a legal move");
            if ply >= 4 && ply % 3 == 1 {
                positions.push(SearchBoard::from_rules(&board));
            }
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use clap::{Args, Parser};

    use super::super::position::MARGINS;
    use super::*;
    use crate::Tuning;
    use crate::search::{Budget, Search, TranspositionTable};

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct TuningArguments {
        #[command(flatten)]
        tuning: Tuning,
    }

    fn nodes(options: &[String]) -> u64 {
        let line = TuningArguments::try_parse_from(options).expect("valid options");
        let searched = positions().into_iter().map(|board| {
            let table = Arc::new(TranspositionTable::new(1));
            let search = Search::new(GomokuPosition::new(board), table);
            let mut search = search.with_margins(line.tuning.apply(MARGINS));
            search.deepen(Budget::of_depth(6), 6, &mut |_| ()).nodes
        });
        searched.sum()
    }

    #[test]
    fn every_constant_has_an_option_that_changes_the_search() {
        let usual = nodes(&[]);
        assert_eq!(usual, search(Evaluation::Patterns, 6).nodes);
        let command = Tuning::augment_args(clap::Command::new("tuning"));
        let names = command
            .get_arguments()
            .filter_map(|option| option.get_long());
        for name in names {
            let far = [200, 20].map(|value| [format!("--{name}={value}")]);
            let far = far
                .iter()
                .find(|far| TuningArguments::try_parse_from(*far).is_ok());
            assert_ne!(nodes(far.expect("one is valid")), usual, "{name}");
        }
        assert!(TuningArguments::try_parse_from(["--late-moves=500"]).is_err());
    }

    #[test]
    fn the_number_of_nodes_is_unchanged() {
        // Change these numbers only together with match results that show the search to be stronger.
        assert_eq!(search(Evaluation::Patterns, 6).nodes, 22_440);
        assert_eq!(search(Evaluation::Network, 6).nodes, 21_479);
    }
}
