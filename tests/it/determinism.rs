//! With bots that always answer the same, a run is the same at any number of workers: byte for
//! byte, its timing columns aside.

use crate::common::{Desk, OTHELLO_BOTS, timeless_tables};

const OTHELLO: &str = r#"
game = "othello"
games = 4
order = "shuffled"
seed = 7
"#;

/// Bots beside those of every test of Othello.
const MORE_OTHELLO: &str = r#"
[[bot]]
use = "minimax"
options = { depth = 2 }
[[bot]]
use = "mcts"
options = { playouts = 20 }
restart = "always"
"#;

const GOMOKU: &str = r#"
game = "gomoku"
size = 13
rules = "renju"
games = 4
order = "shuffled"
seed = 18446744073709551615
[[bot]]
use = "random"
[[bot]]
use = "greedy"
[[bot]]
use = "weights"
[[bot]]
use = "minimax-ab"
options = { depth = 1 }
[[bot]]
use = "three-ply"
options = { depth = 1 }
[[bot]]
use = "mcts"
options = { playouts = 20 }
"#;

/// The tables of the same tournament, played with so many workers.
fn played(desk: &Desk, file: &str, workers: &str) -> [String; 2] {
    let out = format!("{file}-{workers}");
    let words = format!("run {file} --out {out} -j {workers} --move-ms 10000");
    desk.succeed(words.split(' '));
    timeless_tables(&desk.path(&out))
}

#[test]
fn the_number_of_workers_changes_no_game() {
    let desk = Desk::new();
    let othello = [OTHELLO, OTHELLO_BOTS, MORE_OTHELLO].concat();
    for (file, text) in [("othello.toml", othello.as_str()), ("gomoku.toml", GOMOKU)] {
        desk.write(file, text);
        let alone = played(&desk, file, "1");
        for workers in ["2", "3"] {
            let tables = played(&desk, file, workers);
            assert_eq!(alone, tables, "{file} with {workers} workers");
        }
    }
}

#[test]
fn another_seed_is_another_run() {
    let desk = Desk::new();
    let bots = "[[bot]]\nuse = \"random\"\n[[bot]]\nname = \"too\"\nuse = \"random\"\n";
    let tables = [1, 2].map(|seed| {
        let file = format!("seed-{seed}.toml");
        let head = format!("game = \"othello\"\ngames = 2\nseed = {seed}\n");
        desk.write(&file, &(head + bots));
        played(&desk, &file, "1")
    });
    assert_ne!(tables[0], tables[1]);
}
