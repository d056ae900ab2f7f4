//! Runs of earlier versions stay readable. Version 0.1.0 played `tests/runs/of-0.1.0`, whose record has no principal
//! variations; its last two of six games were removed. `games.csv` has all six.

use std::fs;
use std::path::Path;

use crate::common::{Desk, says, table, timeless};

#[test]
fn a_run_of_an_earlier_arena_is_read_resumed_and_reported() {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/of-0.1.0");
    let desk = Desk::new();
    let run = desk.path("run");
    fs::create_dir(&run).expect("a folder");
    for name in ["arena.db", "run.toml"] {
        fs::copy(old.join(name), run.join(name)).expect("copied");
    }

    desk.succeed(["report", "run"]);
    assert_eq!(table(&run.join("games.csv")).len(), 4);
    let moves = table(&run.join("moves.csv"));
    assert!(moves.iter().any(|ply| ply["depth"] == "2"));
    assert!(moves.iter().all(|ply| ply["pv"].is_empty()));
    let shown = desk.succeed(["replay", "run/0", "--moves"]);
    says(&shown, &["depth 2, score"]);
    assert!(!shown.contains("pv"), "{shown}");

    desk.succeed(["resume", "run"]);
    let [new, old] = [run.as_path(), &old].map(|run| timeless(&run.join("games.csv")));
    assert_eq!(new, old);
    // New games have the new fields.
    for ply in table(&run.join("moves.csv")) {
        let tells = ply["game"].parse::<u32>().is_ok_and(|game| game >= 4) && ply["depth"] == "2";
        assert_eq!(ply["pv"].starts_with(&ply["move"]), tells, "{ply:?}");
    }
    says(&desk.succeed(["replay", "run/5", "--moves"]), &[", pv "]);
}
