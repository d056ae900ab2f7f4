//! The shipped stages. `tests/scripts/stages.txt` tests how people use them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use arena::stages::{Means, Stage, read};
use games::{Board, Move, Rules, Side, canonical_hash};

fn shipped() -> Vec<(PathBuf, Stage)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/stages");
    let entries = fs::read_dir(folder).expect("the stages are there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    paths.sort();
    let stage = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a file");
        let shown = path.display();
        let stage = read(&text, "unnamed").unwrap_or_else(|error| panic!("{shown}: {error:?}"));
        assert_eq!(
            stage.to_string(),
            text,
            "{shown} differs from the text that `Display` writes"
        );
        (path, stage)
    };
    paths.into_iter().map(stage).collect()
}

fn gomoku(stage: &Stage) -> &games::gomoku::GomokuBoard {
    match &stage.board {
        Board::Gomoku(board) => board,
        other => panic!("{other:?}"),
    }
}

#[test]
fn at_least_24_stages_ship_all_different_and_ever_longer() {
    let stages = shipped();
    assert!(stages.len() >= 24, "{}", stages.len());
    let hash = |(_, stage): &(_, Stage)| canonical_hash(&stage.board);
    let hashes: HashSet<u64> = stages.iter().map(hash).collect();
    assert_eq!(
        hashes.len(),
        stages.len(),
        "two stages are equal by symmetry"
    );
    let wins = stages.iter().map(|(_, stage)| stage.win.as_ref());
    let wins: Vec<_> = wins.map(|win| win.expect("a proven win")).collect();
    let plies: Vec<u32> = wins.iter().map(|win| win.plies).collect();
    assert!(plies.is_sorted(), "{plies:?}");
    assert!(plies[0] <= 5 && plies[plies.len() - 1] >= 15, "{plies:?}");
    let of = |means| wins.iter().filter(|win| win.means == Some(means)).count();
    assert!(of(Means::Fours) >= 5 && of(Means::Threats) >= 5);
}

/// Checks the winning line of every stage: it is legal and ends with black's five; each earlier move of black is a
/// threat; and white cannot win instead of answering a four.
#[test]
fn the_lines_of_the_stages_hold_by_the_rules() {
    for (path, stage) in shipped() {
        let win = stage.win.clone().expect("a proven win");
        assert_eq!(win.line.len(), win.plies as usize, "{path:?}");
        let mut board = gomoku(&stage).clone();
        for &square in &win.line {
            assert_eq!(board.ending(), None, "{path:?}");
            let black_threatens = |board: &games::gomoku::GomokuBoard, but| {
                let mut empty = board.empty_squares();
                empty.any(|cell| cell != but && board.wins(cell, Side::Black))
            };
            let is_answer = board.side_to_move() == Side::White;
            if is_answer && black_threatens(&board, square) {
                // Black threatens several fives, so no answer helps.
            } else if is_answer && board.wins(square, Side::Black) {
                for other in board.empty_squares().filter(|&other| other != square) {
                    assert!(!board.wins(other, Side::White), "{path:?}: {other} wins");
                }
            } else if is_answer {
                // After a three, black could threaten two fives with the next move if white did not answer.
                let threat = board.empty_squares().any(|cell| {
                    let mut then = board.clone();
                    then.set(cell, Some(Side::Black));
                    let wins = |&five: &_| then.wins(five, Side::Black);
                    then.empty_squares().filter(wins).count() >= 2
                });
                assert!(threat, "{path:?}: nothing threatens before {square}");
            }
            board.play(Move::Place(square)).expect("the line is legal");
        }
        let winner = board.ending().and_then(|ending| ending.winner);
        assert_eq!(winner, Some(Side::Black), "{path:?}");
    }
}

#[test]
fn the_solver_proves_every_stage_in_as_few_plies() {
    for (path, stage) in shipped() {
        let line = alphabeta::gomoku::winning_line(gomoku(&stage), 2_000_000);
        let found = line.map(|line| line.len() as u32);
        assert_eq!(found, stage.win.map(|win| win.plies), "{path:?}");
    }
}
