//! Files and folders beside the tournament: openings, and where the run is kept.

use std::fs;

use insta::assert_snapshot;

use super::refused;
use crate::common::Desk;

#[test]
fn openings_that_cannot_be_played() {
    let desk = Desk::new();
    desk.write("openings.txt", "# two openings\nf5d6c3\nf5f6a1\n");
    let with = ["match", "random", "greedy", "--openings"];
    let refused = |name: &str| refused(&desk, &[&with[..], &[name]].concat());
    assert_snapshot!(refused("openings.txt"), @r#"
    exit 2
      × [desk]/openings.txt, line 3: move 3: a1 is not a legal move for black: it turns over no disc
    "#);
    assert_snapshot!(refused("nowhere.txt"), @r#"
    exit 2
      × cannot read the openings [desk]/nowhere.txt: No such file or directory
      help: --openings none plays without openings
    "#);
    desk.write("empty.txt", "# nothing\n");
    assert_snapshot!(refused("empty.txt"), @r#"
    exit 2
      × [desk]/empty.txt has no opening
      help: write one transcript per line, such as f5d6c3
    "#);
    desk.write(
        "x.obf",
        "--------------------X------OXO-----XXX-------------------------- O;",
    );
    assert_snapshot!(super::refused(&desk, &[&with[..], &["x.obf", "--opening-plies", "2"]].concat()), @r#"
    exit 2
      × [desk]/x.obf, it contains positions, which opening_plies cannot cut: the moves that lead to a position are found in any order; leave opening_plies out
    "#);
}

#[test]
fn folders_that_cannot_take_a_run() {
    let desk = Desk::new();
    let quick = ["match", "random", "greedy", "-n", "2"];
    // Root may write where the mode of a folder says no, so a file stands in the way.
    desk.write("results", "a file");
    assert_snapshot!(refused(&desk, &quick), @r#"
    exit 2
      × cannot create the folder results: File exists
      help: choose another with --out
    "#);
    assert_snapshot!(refused(&desk, &[&quick[..], &["--out", "results/run"]].concat()), @r#"
    exit 2
      × cannot create the folder results: File exists
      help: choose another with --out
    "#);
    assert_snapshot!(refused(&desk, &[&quick[..], &["--out", "/proc/run"]].concat()), @r#"
    exit 2
      × cannot create the folder /proc/run: No such file or directory
      help: choose another with --out
    "#);
    fs::create_dir(desk.path("here")).expect("a folder");
    assert_snapshot!(refused(&desk, &[&quick[..], &["--out", "here"]].concat()), @r#"
    exit 2
      × here exists already, and a run does not overwrite files
      help: choose another --out, or continue with arena resume here
    "#);
    assert_snapshot!(refused(&desk, &["resume", "here"]), @r#"
    exit 2
      × there is no run in here: run.toml: No such file or directory
      help: name the folder that the run printed, such as results/quick
    "#);
    assert_snapshot!(refused(&desk, &["report", "nowhere"]), @r#"
    exit 2
      × there is no run in nowhere: run.toml: No such file or directory
      help: name the folder that the run printed, such as results/quick
    "#);
    assert_snapshot!(refused(&desk, &["replay", "nowhere/1"]), @r#"
    exit 2
    error: there is no run in nowhere: it has no arena.db
    "#);
}

#[test]
fn files_that_are_no_text_say_so() {
    let desk = Desk::new();
    fs::write(desk.path("utf16.toml"), b"\xff\xfen\0").expect("a file");
    fs::write(desk.path("country.txt"), b"# a\r# caf\xe9\r").expect("a file");
    let openings = ["match", "random", "greedy", "--openings", "country.txt"];
    assert_snapshot!(refused(&desk, &["run", "utf16.toml"]), @r#"
    exit 2
      × utf16.toml is not text: it is UTF-16, not UTF-8
      help: save it as plain text in UTF-8
    "#);
    assert_snapshot!(refused(&desk, &["stages", "random", "country.txt"]), @r#"
    exit 2
      × country.txt is not text: line 2 is not UTF-8
      help: save it as plain text in UTF-8
    "#);
    assert_snapshot!(refused(&desk, &openings), @r#"
    exit 2
      × [desk]/country.txt, it is neither a WTHOR file nor text: line 2 is not UTF-8: save it as plain text in UTF-8
    "#);
}
