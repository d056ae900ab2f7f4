//! Proves the wins of published renju puzzles by trying every answer (see `proof`), and tests the defence of lost
//! positions. The file of each puzzle names its source. Black is to move in `puzzles`, white in `puzzles/white`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use alphabeta::Options;
use alphabeta::gomoku::puzzle::scattered;
use alphabeta::gomoku::{Cell, Prover, SearchBoard, Vcf, VcfLimits, Vct, VctLimits, forced_win};
use games::gomoku::GomokuBoard;
use games::{Board as AnyBoard, Game, Move, Rules, Side, Square};
use protocol::{Question, Start};

use crate::proof::prove;
use crate::stages;

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

/// Returns the win by fours, proven against every answer. An answer outside the line loses to a five at once.
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
    // The solver is asked at each position with the attacker to move, except the one before the five.
    assert_eq!(counts.asked, line.len().div_ceil(2) - 1, "{name}");
    line
}

/// The published solution of "Shadows and Fog" has 73 fours in a row; the last reply and the five follow.
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
    // This puzzle has several wins, so the first move is not compared.
    proven_move("white/two-fouls");
}

#[test]
#[ignore = "10 million answers: 10 s"]
fn long_wins_by_threats_are_proven_by_trying_every_answer() {
    assert_eq!(proven_move("threats-35"), "j6", "as published");
    proven_move("white/threats-37");
}

#[test]
fn a_forced_win_is_the_line_with_the_quiet_move() {
    let stones = puzzle("quiet-first");
    let line = forced_win(&stones, 8_000_000).expect("it is proven");
    assert_eq!(line[0].to_string(), "g4", "as published");
}

const PLIES: u32 = 11;

/// Returns the shortest win within `plies`: empty if there is none, `None` if the nodes did not suffice.
fn line(stones: &GomokuBoard, plies: u32) -> Option<Vec<Square>> {
    let limits = VctLimits {
        plies,
        nodes: 500_000,
    };
    let line = Vct::new().solve(&mut SearchBoard::from_rules(stones), limits);
    Some(line.ok()?.into_iter().map(Cell::square).collect())
}

fn after(stones: &GomokuBoard, square: Square) -> GomokuBoard {
    let mut then = stones.clone();
    then.play(Move::Place(square)).expect("legal");
    then
}

/// Returns the number of plies of the opponent's win after the most stubborn move; `None` if a move may not lose.
fn longest(stones: &GomokuBoard) -> Option<usize> {
    let mut longest = 0;
    for square in stones.legal_squares() {
        match line(&after(stones, square), PLIES)?.len() {
            0 => return None,
            plies => longest = longest.max(plies),
        }
    }
    Some(longest)
}

fn answer(stones: &GomokuBoard) -> Square {
    let options = Options {
        nodes: Some(200_000),
        hash_mib: Some(1),
        ..Options::default()
    };
    let mut bot = alphabeta::bot(&options).expect("good options");
    bot.start(&Start::untimed(
        games::Game::gomoku(stones.size(), stones.rule()),
        stones.side_to_move(),
    ))
    .expect("a game it plays");
    let board = games::Board::Gomoku(stones.clone());
    let question = Question::untimed(board, &[], Instant::now());
    let played = bot.choose(&question, &mut |_| {});
    played.square().expect("a square")
}

/// Asserts that the engine's answer is the most stubborn if all answers lose. Returns whether all answers lose.
fn assert_stubborn(stones: &GomokuBoard) -> bool {
    let Some(longest) = longest(stones) else {
        return false;
    };
    let answer = answer(stones);
    let left = line(&after(stones, answer), PLIES).expect("every answer has a known win");
    assert_eq!(left.len(), longest, "{answer} in\n{stones}");
    true
}

#[test]
fn the_answer_to_a_winning_threat_leaves_the_longest_way() {
    let mut seen = [0; 3];
    for number in 0.. {
        let stones = scattered(9, number);
        let line = line(&stones, PLIES).unwrap_or_default();
        if let 5 | 7 | 9 = line.len() {
            assert!(assert_stubborn(&after(&stones, line[0])), "\n{stones}");
            seen[(line.len() - 5) / 2] += 1;
        }
        if seen.iter().all(|&seen| seen >= 2) {
            break;
        }
    }
}

/// Black plays the shortest win. White must resist for the number of plies in the stage's file.
#[test]
fn the_longer_stages_last_as_long_as_they_can() {
    for stage in stages() {
        if stage.by_fours || stage.plies < 15 {
            continue;
        }
        let mut stones = stage.board;
        let mut plies = 0;
        while stones.ending().is_none() {
            let square = match stones.side_to_move() {
                Side::Black => line(&stones, 31).expect("it is proven")[0],
                Side::White => answer(&stones),
            };
            stones = after(&stones, square);
            plies += 1;
        }
        assert_eq!(plies, stage.plies, "{}\n{stones}", stage.path.display());
    }
}
