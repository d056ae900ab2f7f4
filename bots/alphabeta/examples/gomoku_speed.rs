//! How fast the Gomoku engine is on this machine: stones put down and taken back with evaluation,
//! and positions searched, a second on one thread.
//!
//! `cargo run --release -p alphabeta --example gomoku_speed`

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alphabeta::gomoku::{Board, Cell, GomokuPosition};
use alphabeta::search::{Budget, Search, TranspositionTable};
use games::{Game, Rules};

/// Games between alphabeta and the reference opponents.
const GAMES: [&str; 3] = [
    "j9h7f6i10e5g7e7i7j7i8i9i6g5h4e6e4f5h5d5c5d8c9e9e8h6i4i5k4g6d6l3",
    "j9h7f6i10e5h8h6i6d4c3e6g8j5e10f9h9f7h10h11j11k12g10f10f8d6g6b6",
    "h8i9h10h9g9i7i8j8g11f12i10g8k10j10h7l7",
];

fn positions() -> Vec<Board> {
    let game = Game::new("gomoku", None, None).expect("there is such a game");
    let mut positions = Vec::new();
    for transcript in GAMES {
        let (moves, _) = games::parse_transcript(game, transcript).expect("a legal game");
        let mut rules = game.start();
        for (ply, played) in moves.into_iter().enumerate() {
            rules.play(played).expect("a legal move");
            if ply >= 4
                && ply % 3 == 0
                && let games::Board::Gomoku(rules) = &rules
            {
                positions.push(Board::from_rules(rules));
            }
        }
    }
    positions
}

fn main() {
    let mut positions = positions();
    let mut best = 0.0f64;
    for _ in 0..5 {
        let mut played = 0;
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(300) {
            for board in &mut positions {
                let moves: Vec<Cell> = board.candidates().iter().collect();
                for cell in moves {
                    board.play(cell);
                    black_box(board.evaluate());
                    board.undo();
                    played += 1;
                }
            }
        }
        best = best.max(f64::from(played) / began.elapsed().as_secs_f64());
    }
    println!(
        "{:.2} M plays and undos a second, with evaluation",
        best / 1e6
    );

    let (mut nodes, mut time) = (0, Duration::ZERO);
    for board in positions {
        let table = Arc::new(TranspositionTable::new(16));
        let mut search = Search::new(GomokuPosition::new(board), table);
        let budget = Budget {
            nodes: Some(200_000),
            ..Budget::default()
        };
        let report = search.deepen(budget, 100, 40, &mut |_| {});
        nodes += report.nodes;
        time += report.time;
    }
    println!(
        "{:.2} M positions searched a second",
        nodes as f64 / time.as_secs_f64() / 1e6
    );
}
