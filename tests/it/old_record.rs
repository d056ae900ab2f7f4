//! Runs of earlier versions stay readable. Version 0.1.0 played `tests/runs/of-0.1.0`. Its record has no principal
//! variations, and the last two of six games were removed; `games.csv` has all six.

use std::fs;
use std::path::Path;

use crate::common::{Workdir, assert_contains, table, timeless};

#[test]
fn a_run_of_an_earlier_arena_is_read_resumed_and_reported() {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/of-0.1.0");
    let workdir = Workdir::new();
    let run = workdir.path("run");
    fs::create_dir(&run).expect("a folder");
    for name in ["arena.db", "run.toml"] {
        fs::copy(old.join(name), run.join(name)).expect("copied");
    }

    workdir.succeed(["report", "run"]);
    assert_eq!(table(&run.join("games.csv")).len(), 4);
    let moves = table(&run.join("moves.csv"));
    assert!(moves.iter().any(|ply| ply["depth"] == "2"));
    assert!(moves.iter().all(|ply| ply["pv"].is_empty()));
    let shown = workdir.succeed(["replay", "run/0", "--moves"]);
    assert_contains(&shown, &["depth 2, score"]);
    assert!(!shown.contains("pv"), "{shown}");

    workdir.succeed(["resume", "run"]);
    let [new, old] = [run.as_path(), &old].map(|run| timeless(&run.join("games.csv")));
    // New columns come at the end.
    for (new, old) in new.lines().zip(old.lines()) {
        assert!(new.starts_with(old.trim_end_matches(']')), "{new}\n{old}");
    }
    assert_eq!(new.lines().count(), old.lines().count());
    for ply in table(&run.join("moves.csv")) {
        let tells = ply["game"].parse::<u32>().is_ok_and(|game| game >= 4) && ply["depth"] == "2";
        assert_eq!(ply["pv"].starts_with(&ply["move"]), tells, "{ply:?}");
    }
    assert_contains(&workdir.succeed(["replay", "run/5", "--moves"]), &[", pv "]);
}
