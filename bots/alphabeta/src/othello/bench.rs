//! A fixed set of positions for measurements. The number of nodes is the same on every machine.

use std::sync::Arc;
use std::time::Instant;

use games::othello::{Position, obf::ObfPosition};
use games::{Board, Game, parse_transcript};

use super::evaluation::Weights;
use super::{ExactSolver, OthelloPosition};
use crate::search::{Bench, Depth};

/// Games that reach 52 to 30 empty squares.
const MIDGAMES: [&str; 8] = [
    "f5d6c3d3c4f4c5b3",
    "f5d6c5f4e3c6d3f6e6d7",
    "f5f6e6f4e3c5c4d3c3c6d6c7",
    "f5d6c4d3c3f4c5b3c2e3d2c6b4b5f2e6",
    "f5f4e3f6d3c3c5c2e6d6c4b4b6b5a4b3a3d2d1c1",
    "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5b4c8a6f8a4",
    "d3c5d6e3f4f5g6f3c4c3e6e7c2g4d7c6f7d2d1f8h3c1e8f6g5c8",
    "f5d6c7f3d3c6f4c8c5e6e7c4b4g3f6a3b6a5a6f8d7g5e8d8a4f7g4e3h3h4",
];

const ENDGAMES: [u32; 3] = [40, 41, 44];

pub fn midgame(depth: Depth) -> Bench {
    let weights = Weights::trained();
    let positions =
        MIDGAMES.map(|transcript| OthelloPosition::new(reached(transcript), Arc::clone(&weights)));
    Bench::of(positions, depth)
}

pub fn endgame() -> Bench {
    let began = Instant::now();
    let mut solver = ExactSolver::new(64);
    let problems = ENDGAMES.map(|number| ffo::positions(number, number));
    let solve = |problem: &ObfPosition| solver.solve(problem.board.position()).1;
    Bench {
        nodes: problems.iter().flatten().map(solve).sum(),
        time: began.elapsed(),
    }
}

fn reached(transcript: &str) -> Position {
    match parse_transcript(Game::OTHELLO, transcript) {
        Ok((_, Board::Othello(board))) => board.position(),
        _ => unreachable!("a test plays the transcripts of the set"),
    }
}

/// Endgame positions 40 to 59 of the French Othello Federation (FFO), a common benchmark of solvers.
pub mod ffo {
    use games::othello::obf::{self, ObfPosition};

    const POSITIONS: &str = include_str!("ffo/ffo40-59.obf");

    pub fn positions(first: u32, last: u32) -> Vec<ObfPosition> {
        let problems = obf::read(POSITIONS).expect("a test reads the positions");
        let is_wanted = |problem: &ObfPosition| {
            let number = problem.name.parse();
            number.is_ok_and(|number: u32| (first..=last).contains(&number))
        };
        problems.into_iter().filter(is_wanted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Change this number only together with an intended change of the search.
    #[test]
    fn the_number_of_nodes_is_unchanged() {
        assert_eq!(midgame(6).nodes, 21_272);
    }

    #[test]
    fn the_transcripts_can_be_played() {
        for transcript in MIDGAMES {
            let played = parse_transcript(Game::OTHELLO, transcript);
            assert!(played.is_ok(), "{transcript}: {:?}", played.err());
        }
    }

    #[test]
    fn there_are_twenty_positions_each_with_its_score() {
        let all = ffo::positions(40, 59);
        assert_eq!(all.len(), 20);
        assert!(all.iter().all(|problem| problem.best_score().is_some()));
        assert_eq!(ffo::positions(50, 51)[0].best_score(), Some(10));
    }
}
