//! Every stage that ships is proven by trying every answer; see `proof`.

mod proof;

use std::fs;
use std::path::Path;

use alphabeta::gomoku::{Vcf, VcfLimits, Vct, VctLimits};
use games::gomoku::Board;
use games::{Board as AnyBoard, Game, Side};
use proof::prove;

const NODES: u64 = 1_000_000;

/// The win that a file names and the position that it draws: as little as a proof needs of what
/// the arena reads.
fn stage(text: &str) -> (String, Board) {
    let win = text.lines().find_map(|line| line.strip_prefix("# win: "));
    let rows: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with(|first: char| first == ' ' || first.is_ascii_digit()))
        .filter_map(|line| {
            let (number, row) = line.trim_start().split_once(' ')?;
            number.parse::<u8>().ok()?;
            Some(row.replace(' ', ""))
        })
        .collect();
    let game = Game::new("gomoku", None, Some(rows.len() as i64)).expect("a game");
    match game.position(&rows, Side::Black) {
        Ok(AnyBoard::Gomoku(board)) => (win.expect("a win is named").to_owned(), board),
        other => panic!("{other:?}"),
    }
}

/// Black wins every stage against every legal answer of white's at every turn: where threes are
/// needed within the plies that the file names, by fours within the board. The solvers say black's
/// moves, the rules say the rest.
#[test]
fn every_stage_is_proven_by_trying_every_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments/stages");
    let (mut vcf, mut vct) = (Vcf::new(), Vct::new());
    let mut stages = 0;
    for file in fs::read_dir(folder).expect("the stages are there") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        let (win, board) = stage(&fs::read_to_string(&path).expect("a text"));
        let (plies, means) = win.split_once(" plies, ").expect("plies and means");
        let proof = if means == "fours" {
            let limits = VcfLimits {
                fours: 60,
                nodes: NODES,
            };
            // What it finds need not be the shortest.
            prove(&board, board.empties().into(), &mut |board, _| {
                vcf.solve(board, limits).to_vec()
            })
        } else {
            let plies = plies.parse().expect("a number of plies");
            prove(&board, plies, &mut |board, plies| {
                let limits = VctLimits {
                    plies,
                    nodes: NODES,
                };
                vct.solve(board, limits).unwrap_or_default()
            })
        };
        proof.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        stages += 1;
    }
    assert!(stages >= 24, "{stages}");
}
