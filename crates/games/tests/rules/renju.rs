//! Compares renju's forbidden points with published positions and, on random ones, with another implementation, `Twin`.

use std::collections::BTreeMap;

use games::gomoku::{GomokuBoard, Rule};
use games::{Game, Reason, Side, Square};

use super::diagrams::diagrams;
use super::random::Random;
use super::renju_twin::{Twin, Verdict};

fn stones(rows: &[String]) -> Vec<String> {
    let rows = rows.iter();
    rows.map(|row| row.replace(['3', '4', '6', '?'], "."))
        .collect()
}

fn expected(rows: &[String]) -> Vec<(Square, Verdict)> {
    let verdict = |symbol| match symbol {
        '3' => Some(Verdict::Forbidden(Reason::DOUBLE_THREE)),
        '4' => Some(Verdict::Forbidden(Reason::DOUBLE_FOUR)),
        '6' => Some(Verdict::Forbidden(Reason::OVERLINE)),
        '?' => Some(Verdict::Allowed),
        _ => None,
    };
    let cells = (0..).zip(rows).flat_map(|(row, text)| {
        let cells = (0..).zip(text.chars());
        cells.map(move |(column, symbol)| (Square::new(column, row), symbol))
    });
    let expected = cells.filter_map(|(square, symbol)| Some((square, verdict(symbol)?)));
    expected.collect()
}

fn board(rows: &[String], to_move: Side) -> GomokuBoard {
    let game = Game::gomoku(rows.len() as u8, Rule::Renju);
    match game.position(rows, to_move).unwrap() {
        games::Board::Gomoku(board) => board,
        _ => unreachable!("it is a game of renju"),
    }
}

fn reason(verdict: Verdict) -> Option<Reason> {
    match verdict {
        Verdict::Forbidden(reason) => Some(reason),
        Verdict::Wins | Verdict::Allowed => None,
    }
}

#[test]
fn board_and_twin_judge_the_published_diagrams_as_published() {
    for (name, drawn) in diagrams() {
        let rows = stones(&drawn);
        let (board, mut twin) = (board(&rows, Side::Black), Twin::new(&rows));
        for (square, expected) in expected(&drawn) {
            let found = [board.renju_forbids(square), reason(twin.verdict(square))];
            assert_eq!(found, [reason(expected); 2], "{name}: {square}");
        }
    }
}

fn cluster(random: &mut Random) -> Vec<String> {
    let size = 5 + random.below(7);
    let black = 15 + random.below(35);
    let white = random.below(30);
    let row = |random: &mut Random| {
        (0..size)
            .map(|_| match random.below(100) {
                chance if chance < black => 'X',
                chance if chance < black + white => 'O',
                _ => '.',
            })
            .collect()
    };
    (0..size).map(|_| row(random)).collect()
}

/// Counts points by verdict, and by verdict plus each search depth at which the twin would get it wrong.
type VerdictCounts = BTreeMap<String, u32>;

fn compare(random: &mut Random, positions: u32) -> VerdictCounts {
    let mut counts = VerdictCounts::new();
    let mut seen = |what: String| *counts.entry(what).or_insert(0) += 1;
    for _ in 0..positions {
        let rows = cluster(random);
        let board = board(&rows, Side::Black);
        let mut twin = Twin::new(&rows);
        for square in board.empty_squares() {
            let verdict = twin.verdict(square);
            let found = board.renju_forbids(square);
            assert_eq!(found, reason(verdict), "{square}\n{}", rows.join("\n"));
            assert_eq!(board.wins(square, Side::Black), verdict == Verdict::Wins);
            seen(format!("{verdict:?}"));
            // Only these verdicts can change with the depth.
            let open = [Verdict::Allowed, Verdict::Forbidden(Reason::DOUBLE_THREE)];
            for depth in (1..=2).filter(|_| open.contains(&verdict)) {
                if twin.verdict_to_depth(square, depth) != verdict {
                    seen(format!("{verdict:?}, wrong at depth {depth}"));
                }
            }
        }
    }
    counts
}

/// `cargo test -p games --test rules forbidden -- --nocapture` prints the counts.
#[test]
fn forbidden_points_are_those_of_the_twin_on_100_000_random_positions() {
    let mut counts = VerdictCounts::new();
    std::thread::scope(|scope| {
        let quarters: Vec<_> = (0..4)
            .map(|seed| scope.spawn(move || compare(&mut Random(seed), 25_000)))
            .collect();
        for quarter in quarters {
            for (what, count) in quarter.join().expect("every quarter agrees") {
                *counts.entry(what).or_insert(0) += count;
            }
        }
    });
    println!("{counts:#?}");
    for (what, enough) in [
        ("Forbidden(double-three)", 10_000),
        ("Forbidden(double-four)", 10_000),
        ("Forbidden(overline)", 10_000),
        ("Wins", 10_000),
        ("Allowed, wrong at depth 1", 10_000),
        ("Forbidden(double-three), wrong at depth 2", 100),
    ] {
        let count = counts.get(what).copied().unwrap_or(0);
        assert!(count >= enough, "only {count} of {what}");
    }
}
