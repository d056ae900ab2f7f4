//! Published puzzles under renju, whose wins are proven by trying every answer; see `proof`.
//!
//! Where each comes from stands in its file. Those of `puzzles` have black to move, as stages do, and
//! those of `puzzles/white` white.

mod proof;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use alphabeta::gomoku::{Cell, Prover, SearchBoard, Vcf, VcfLimits, forced_win};
use games::gomoku::GomokuBoard;
use games::{Board as AnyBoard, Game, Move, Rules, Side};
use proof::prove;

fn puzzle(name: &str) -> GomokuBoard {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/puzzles/{name}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let of_board = |line: &&str| {
        line.trim_start()
            .starts_with(|first: char| first.is_ascii_digit())
    };
    let rows: Vec<String> = text
        .lines()
        .filter(of_board)
        .map(|line| line.split_whitespace().skip(1).collect())
        .collect();
    let side = if name.starts_with("white/") {
        Side::White
    } else {
        Side::Black
    };
    let game = Game::new("gomoku", Some("renju"), Some(15)).expect("a game");
    match game.position(&rows, side) {
        Ok(AnyBoard::Gomoku(board)) => board,
        other => panic!("{}: {other:?}", path.display()),
    }
}

/// The win by fours that is found, held against every answer at every turn. Most answers to a four
/// lose at once; the others are those of the line.
fn proven_fours(name: &str) -> Vec<Cell> {
    let stones = puzzle(name);
    let limits = VcfLimits {
        fours: Vcf::FOURS,
        nodes: 500_000,
    };
    let mut board = SearchBoard::from_rules(&stones);
    let line = Vcf::new().solve(&mut board, limits).to_vec();
    let mut after = HashMap::new();
    for (ply, &cell) in line.iter().enumerate() {
        after.insert(board.key(), line[ply..].to_vec());
        board.play(cell);
    }
    let counts = prove(&stones, stones.empties().into(), &mut |board, _| {
        after.get(&board.key()).cloned().unwrap_or_default()
    });
    let counts = counts.unwrap_or_else(|why| panic!("{name}: {why}"));
    // Every position in which the attacker is to move, but for the five at the end.
    assert_eq!(counts.asked, line.len().div_ceil(2) - 1, "{name}");
    line
}

/// The solution of "Shadows and Fog" is 73 fours in a row, to which we add the reply to the last one
/// and the five.
#[test]
fn a_win_by_73_fours_in_a_row_is_proven_with_its_whole_line() {
    let line = proven_fours("shadows-and-fog");
    assert_eq!(line.len(), 2 * 73 + 1);
    assert_eq!(line[0].square().to_string(), "f10", "as published");
}

#[test]
fn wins_by_eighty_fours_are_proven() {
    for (name, plies) in [
        ("chain-161", 161),
        ("chain-175", 175),
        ("white/trap-31", 31),
    ] {
        assert_eq!(proven_fours(name).len(), plies, "{name}");
    }
}

/// The win that the prover finds, held against every legal answer at every turn; its first move.
fn proven_move(name: &str) -> String {
    let stones = puzzle(name);
    let mut prover = Prover::new();
    let found = prover.solve(&mut SearchBoard::from_rules(&stones), 3_000_000);
    let line = found.unwrap_or_else(|_| panic!("{name} needs more nodes"));
    let mut rules = stones.clone();
    for cell in &line {
        let played = Move::Place(cell.square());
        rules.play(played).expect("the line is legal");
    }
    let winner = rules.ending().and_then(|end| end.winner);
    assert_eq!(winner, Some(stones.side_to_move()), "{name}");
    let proof = prove(&stones, stones.empties().into(), &mut |board, _| {
        let found = prover.winning_move(board, 100_000);
        found.ok().flatten().into_iter().collect()
    });
    proof.unwrap_or_else(|why| panic!("{name}: {why}"));
    line[0].square().to_string()
}

#[test]
fn wins_with_quiet_moves_are_proven_by_trying_every_answer() {
    for (name, published) in [
        ("quiet-first", "g4"),
        ("okabe-02", "f6"),
        ("white/okabe-63", "f9"),
        ("okabe-68", "j8"),
    ] {
        assert_eq!(proven_move(name), published, "{name}");
    }
    // There are several wins.
    proven_move("white/two-fouls");
}

#[test]
#[ignore = "10 million answers: 10 s"]
fn long_wins_by_threats_are_proven_by_trying_every_answer() {
    assert_eq!(proven_move("threats-35"), "j6", "as published");
    proven_move("white/threats-37");
}

#[test]
fn whoever_asks_for_a_forced_win_gets_the_line_with_the_quiet_move() {
    let stones = puzzle("quiet-first");
    let line = forced_win(&stones, 8_000_000).expect("it is proven");
    assert_eq!(line[0].to_string(), "g4", "as published");
}
