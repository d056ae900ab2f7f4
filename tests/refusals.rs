//! What a person gets who writes something wrong, as it stands on the terminal, the exit status
//! first. Nothing is played and nothing is created by any of it.

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::{Desk, both};
use insta::assert_snapshot;

const BOTS: &str = "[[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n";

/// What `arena` answers to these arguments, which it is to refuse.
fn refused(desk: &Desk, arguments: &[&str]) -> String {
    let before = files(&desk.path(""));
    let output = desk.run(arguments);
    assert_eq!(files(&desk.path("")), before, "something was created");
    assert!(output.stdout.is_empty(), "{}", both(&output));
    let said = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
    // Paths differ in length from machine to machine, and lines are broken after them.
    let said = lines
        .join("\n")
        .replace("\n  │", "")
        .replace("\n        ", " ")
        .replace(&desk.path("").display().to_string(), "[desk]/")
        .replace(env!("CARGO_BIN_EXE_arena"), "[arena]");
    let code = output.status.code().expect("no signal");
    format!("exit {code}\n{}", said.trim_end())
}

/// The same for a tournament file with this text.
fn refused_file(text: &str) -> String {
    let desk = Desk::new();
    desk.write("my.toml", text);
    refused(&desk, &["run", "my.toml"])
}

fn refused_words(arguments: &[&str]) -> String {
    refused(&Desk::new(), arguments)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        names.push(entry.path().display().to_string());
        if entry.path().is_dir() {
            names.extend(files(&entry.path()));
        }
    }
    names.sort();
    names
}

/// The catalogue grows; what is tested is that it is shown.
fn without_list(said: &str) -> String {
    let (before, list) = said.split_once("there are random, ").expect("a list");
    assert!(list.contains("greedy"), "{said}");
    format!("{before}there are …")
}

#[test]
fn bots_that_do_not_exist() {
    assert_snapshot!(refused_words(&["match", "randon", "greedy"]), @r#"
    exit 2
      × unknown bot "randon"
      help: did you mean "random"?
    "#);
    assert_snapshot!(without_list(&refused_words(&["match", "stockfish", "greedy"])), @r#"
    exit 2
      × unknown bot "stockfish"
      help: there are …
    "#);
    assert_snapshot!(refused_words(&["match", "./my_bot.py", "greedy"]), @r#"
    exit 2
      × there is no file or folder ./my_bot.py
    "#);
    assert_snapshot!(refused_words(&["match", "mobility", "greedy", "--game", "gomoku"]), @r#"
    exit 2
      × mobility does not play gomoku
      help: it plays othello
    "#);
    assert_snapshot!(refused_words(&["match", "minimax:dept=3", "greedy"]), @r#"
    exit 2
      × minimax has no option "dept"
      help: did you mean "depth"?
    "#);
    assert_snapshot!(refused_words(&["match", "minimax:depth=0", "greedy"]), @r#"
    exit 3
    error: bot minimax-depth0 cannot be used: did not start: ended before it said ready: exit status 2
      it was started as: [arena] bot minimax --depth 0
      it wrote to its standard error:
          × minimax: invalid value '0' for '--depth <PLIES>': number would be zero for
          │ non-zero type
          help: arena bot minimax --help lists its options
    "#);
    assert_snapshot!(refused_words(&["match", "random", "random"]), @r#"
    exit 2
      × two bots are called random and random
      help: give one of them a name of its own: name = "…", or NAME=… on a command line
    "#);
    assert_snapshot!(refused_words(&["match", "a=random", "A=greedy"]), @r#"
    exit 2
      × two bots are called a and A
      help: give one of them a name of its own: name = "…", or NAME=… on a command line
    "#);
    assert_snapshot!(without_list(&refused_words(&["bot", "randon"])), @r#"
    exit 2
      × there is no reference opponent "randon": there are …
    "#);
}

#[test]
fn programs_that_cannot_be_started() {
    let desk = Desk::new();
    let refused = |words: &[&str]| {
        let words: Vec<&str> = ["match"].iter().chain(words).copied().collect();
        refused(&desk, &words)
    };
    assert_snapshot!(refused(&["mine=nothing-here --fast", "greedy"]), @r#"
    exit 3
    error: bot mine cannot be used: did not start: there is no program nothing-here (No such file or directory (os error 2))
      it was started as: nothing-here --fast
    "#);
    assert_snapshot!(refused(&["./nothing-here --fast", "greedy"]), @r#"
    exit 3
    error: bot nothing-here cannot be used: did not start: there is no program ./nothing-here (No such file or directory (os error 2))
      it was started as: ./nothing-here --fast
    "#);

    desk.write("plain.txt", "no program");
    assert_snapshot!(refused(&["./plain.txt", "greedy"]), @r#"
    exit 3
    error: bot plain cannot be used: did not start: ./plain.txt is not executable (Permission denied (os error 13)): try chmod +x ./plain.txt
      it was started as: ./plain.txt
    "#);

    for (name, text) in [
        ("lost", "#!/usr/bin/pyton3\n"),
        ("noise", "\u{1}\u{2}\u{3}"),
        ("silent", "#!/bin/sh\nexit 0\n"),
        ("talkative", "#!/bin/sh\necho Hello\n"),
        (
            "broken",
            "#!/bin/sh\necho 'cannot find weights.bin' >&2\nexit 5\n",
        ),
    ] {
        let path = desk.write(name, text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    assert_snapshot!(refused(&["./lost", "greedy"]), @r#"
    exit 3
    error: bot lost cannot be used: did not start: ./lost: the interpreter named in its first line is not there (No such file or directory (os error 2))
      it was started as: ./lost
    "#);
    assert_snapshot!(refused(&["./noise", "greedy"]), @r#"
    exit 3
    error: bot noise cannot be used: did not start: ended before it said ready: exit status 127
      it was started as: ./noise
      it wrote to its standard error:
        [desk]/./noise: 1: \u{1}\u{2}\u{3}: not found
    "#);
    assert_snapshot!(refused(&["./silent", "greedy"]), @r#"
    exit 3
    error: bot silent cannot be used: did not start: ended before it said ready: exit status 0
      it was started as: ./silent
    "#);
    assert_snapshot!(refused(&["./talkative", "greedy"]), @r#"
    exit 3
    error: bot talkative cannot be used: wrote "Hello": not a message (expected value at line 1 column 1)
      it was started as: ./talkative
    "#);
    assert_snapshot!(refused(&["./broken", "greedy"]), @r#"
    exit 3
    error: bot broken cannot be used: did not start: ended before it said ready: exit status 5
      it was started as: ./broken
      it wrote to its standard error:
        cannot find weights.bin
    "#);

    fs::create_dir(desk.path("empty")).expect("a folder");
    assert_snapshot!(refused(&["empty", "greedy"]), @r#"
    exit 2
      × the folder empty has no bot.toml
      help: write one with command = ["python3", "my_bot.py"]
    "#);
}

#[test]
fn manifests() {
    let desk = Desk::new();
    fs::create_dir(desk.path("bad")).expect("a folder");
    let refused = |manifest: &str, word: &str| {
        desk.write("bad/bot.toml", manifest);
        refused(&desk, &["match", word, "greedy"])
    };
    assert_snapshot!(refused("comand = [\"python3\"]\n", "bad"), @r#"
    exit 2
      × unknown key "comand"
       ╭─[bad/bot.toml:1:1]
     1 │ comand = ["python3"]
       · ───┬──
       ·    ╰── here
       ╰────
      help: did you mean "command"?
    "#);
    assert_snapshot!(refused("name = \"mine\"\n", "bad"), @r#"
    exit 2
      × bad/bot.toml: the manifest has no command
      help: write command = ["python3", "my_bot.py"]
    "#);
    assert_snapshot!(refused("command = [\"x\"]\ngames = [\"gomuko\"]\n", "bad"), @r#"
    exit 2
      × unknown game "gomuko"
       ╭─[bad/bot.toml:2:10]
     1 │ command = ["x"]
     2 │ games = ["gomuko"]
       ·          ────┬───
       ·              ╰── here
       ╰────
      help: did you mean "gomoku"?
    "#);
    assert_snapshot!(refused("command = [\"x\"]\ngames = [\"gomoku\"]\n", "bad"), @r#"
    exit 2
      × bad does not play othello
      help: its bot.toml says that it plays gomoku
    "#);
    assert_snapshot!(refused("command = [\"x\"]\noptions = { depth = 4 }\n", "bad:dept=5"), @r#"
    exit 2
      × bad has no option "dept"
      help: did you mean "depth"?
    "#);
    // What stands in another file is shown there.
    desk.write(
        "my.toml",
        &format!("game = \"othello\"\n{BOTS}[[bot]]\nuse = \"bad\"\n"),
    );
    desk.write(
        "bad/bot.toml",
        "command = [\"x\"]\nmemory_mib = \"1 GiB\"\n",
    );
    assert_snapshot!(self::refused(&desk, &["run", "my.toml"]), @r#"
    exit 2
      × invalid type: string "1 GiB", expected i64
       ╭─[bad/bot.toml:2:14]
     1 │ command = ["x"]
     2 │ memory_mib = "1 GiB"
       ·              ───┬───
       ·                 ╰── here
       ╰────
    "#);
}

#[test]
fn bots_that_cannot_be_built() {
    let desk = Desk::new();
    fs::create_dir(desk.path("bad")).expect("a folder");
    let refused = |build: &str| {
        let manifest = format!("build = [{build}]\ncommand = [\"./bot\"]\n");
        desk.write("bad/bot.toml", &manifest);
        refused(&desk, &["match", "bad", "greedy"])
    };
    desk.write("bad/bot.sh", "echo bot.c:3: no semicolon\nexit 1\n");
    assert_snapshot!(refused("\"sh\", \"bot.sh\""), @r#"
    exit 3
    building bad: sh bot.sh
    error: bot bad cannot be built: exit status 1
      it was built with: cd [desk]/bad && sh bot.sh
      which said:
        bot.c:3: no semicolon
    "#);
    assert_snapshot!(refused("\"no-such-compiler\""), @r#"
    exit 3
    building bad: no-such-compiler
    error: bot bad cannot be built: there is no program no-such-compiler (No such file or directory (os error 2))
      it was built with: cd [desk]/bad && no-such-compiler
    "#);
    // It says that it went well, and has made nothing.
    assert_snapshot!(refused("\"true\""), @r#"
    exit 3
    building bad: true
    error: bot bad cannot be used: did not start: there is no program ./bot (No such file or directory (os error 2))
      it was started as: ./bot
    "#);
}

#[test]
fn files_that_are_no_tournament() {
    assert_snapshot!(refused_words(&["run", "nowhere.toml"]), @r#"
    exit 2
      × cannot read the tournament nowhere.toml: No such file or directory (os error 2)
      help: tournaments of the house are in tournaments/
    "#);
    assert_snapshot!(refused_file("game = \"othello\n"), @r#"
    exit 2
      × invalid basic string, expected `"`
       ╭─[my.toml:1:15]
     1 │ game = "othello
       ·               ┬
       ·               ╰── here
       ╰────
    "#);
    assert_snapshot!(refused_file(BOTS), @r#"
    exit 2
      × the tournament has no game
      help: write game = "othello" or game = "gomoku"
    "#);
    assert_snapshot!(refused_file("game = \"othello\"\n"), @r#"
    exit 2
      × 0 bots are too few
      help: a tournament has at least two [[bot]]
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othelo\"\n{BOTS}")), @r#"
    exit 2
      × unknown game "othelo": there are othello and gomoku
       ╭─[my.toml:1:8]
     1 │ game = "othelo"
       ·        ────┬───
       ·            ╰── here
     2 │ [[bot]]
       ╰────
      help: did you mean "othello"?
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nmoves_ms = 100\n{BOTS}")), @r#"
    exit 2
      × unknown key "moves_ms"
       ╭─[my.toml:2:1]
     1 │ game = "othello"
     2 │ moves_ms = 100
       · ────┬───
       ·     ╰── here
     3 │ [[bot]]
       ╰────
      help: did you mean "move_ms"?
    "#);
}

#[test]
fn bots_in_files() {
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}comand = [\"x\"]\n")), @r#"
    exit 2
      × unknown key "comand"
       ╭─[my.toml:6:1]
     5 │ use = "greedy"
     6 │ comand = ["x"]
       · ───┬──
       ·    ╰── here
       ╰────
      help: did you mean "command"?
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\nuse = \"alfabeta\"\n")), @r#"
    exit 2
      × unknown bot "alfabeta"
       ╭─[my.toml:7:7]
     6 │ [[bot]]
     7 │ use = "alfabeta"
       ·       ─────┬────
       ·            ╰── here
       ╰────
      help: did you mean "alphabeta"?
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\nname = \"../x\"\nuse = \"random\"\n")), @r#"
    exit 2
      × "../x" cannot be a bot's name
       ╭─[my.toml:7:8]
     6 │ [[bot]]
     7 │ name = "../x"
       ·        ───┬──
       ·           ╰── here
     8 │ use = "random"
       ╰────
      help: use 1 to 64 letters, digits, dots, dashes and underscores
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\nuse = \"greedy\"\n")), @r#"
    exit 2
      × two bots are called greedy and greedy
       ╭─[my.toml:6:1]
     5 │ use = "greedy"
     6 │ [[bot]]
       · ───┬───
       ·    ╰── here
     7 │ use = "greedy"
       ╰────
      help: give one of them a name of its own: name = "…", or NAME=… on a command line
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\n")), @r#"
    exit 2
      × this bot has neither `use` nor `command`
       ╭─[my.toml:6:1]
     5 │ use = "greedy"
     6 │ [[bot]]
       · ───┬───
       ·    ╰── here
       ╰────
      help: write use = "greedy" or command = ["python3", "my_bot.py"]
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nname = \"../up\"\n{BOTS}")), @r#"
    exit 2
      × "../up" cannot name a run
       ╭─[my.toml:2:8]
     1 │ game = "othello"
     2 │ name = "../up"
       ·        ───┬───
       ·           ╰── here
     3 │ [[bot]]
       ╰────
      help: it becomes a folder: use letters, digits, dots, dashes and underscores
    "#);
}

#[test]
fn numbers_out_of_range() {
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nmove_ms = -1\n{BOTS}")), @r#"
    exit 2
      × move_ms = -1 is out of range
       ╭─[my.toml:2:11]
     1 │ game = "othello"
     2 │ move_ms = -1
       ·           ─┬
       ·            ╰── here
     3 │ [[bot]]
       ╰────
      help: choose 0 to 604800000
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nmove_ms = \"fast\"\n{BOTS}")), @r#"
    exit 2
      × invalid type: string "fast", expected i64
       ╭─[my.toml:2:11]
     1 │ game = "othello"
     2 │ move_ms = "fast"
       ·           ───┬──
       ·              ╰── here
     3 │ [[bot]]
       ╰────
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--move-ms", "-5"]), @r#"
    exit 2
      × move_ms = -5 is out of range
      help: choose 0 to 604800000
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--games", "3"]), @r#"
    exit 2
      × 3 games cannot be played in pairs
      help: every opening is played with both colours: write 2 or 4
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--games", "0"]), @r#"
    exit 2
      × games = 0 is out of range
      help: choose 2 to 100000000
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "-j", "0"]), @r#"
    exit 2
      × concurrency = 0 is out of range
      help: choose 1 to 1024
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--game", "gomoku", "--size", "4"]), @r#"
    exit 2
      × gomoku is not played on a board of 4: choose 5 to 22
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--game", "gomoku", "--size", "23"]), @r#"
    exit 2
      × gomoku is not played on a board of 23: choose 5 to 22
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--size", "10"]), @r#"
    exit 2
      × othello is not played on a board of 10: it is played on 8
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--game", "gomoku", "--rules", "renjo"]), @r#"
    exit 2
      × gomoku has no rules "renjo": there are freestyle, standard and renju
    "#);
    assert_snapshot!(refused_file(&format!("game = \"gomoku\"\nsize = 23\n{BOTS}")), @r#"
    exit 2
      × gomoku is not played on a board of 23: choose 5 to 22
       ╭─[my.toml:2:8]
     1 │ game = "gomoku"
     2 │ size = 23
       ·        ─┬
       ·         ╰── here
     3 │ [[bot]]
       ╰────
    "#);
    assert_snapshot!(refused_words(&["perft", "othello", "3", "--after", "a1"]), @r#"
    exit 2
      × move 1: a1 is not a legal move for black: it turns over no disc
    "#);
}

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
      × cannot read the openings [desk]/nowhere.txt: No such file or directory (os error 2)
      help: the path starts at the tournament file; openings = "none" does without
    "#);
    desk.write("empty.txt", "# nothing\n");
    assert_snapshot!(refused("empty.txt"), @r#"
    exit 2
      × [desk]/empty.txt holds no opening
      help: write one transcript a line, such as f5d6c3
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
      × cannot create the folder results: File exists (os error 17)
      help: choose another with --out
    "#);
    assert_snapshot!(refused(&desk, &[&quick[..], &["--out", "results/run"]].concat()), @r#"
    exit 2
      × cannot create the folder results: File exists (os error 17)
      help: choose another with --out
    "#);
    assert_snapshot!(refused(&desk, &[&quick[..], &["--out", "/proc/run"]].concat()), @r#"
    exit 2
      × cannot create the folder /proc/run: No such file or directory (os error 2)
      help: choose another with --out
    "#);
    fs::create_dir(desk.path("here")).expect("a folder");
    assert_snapshot!(refused(&desk, &[&quick[..], &["--out", "here"]].concat()), @r#"
    exit 2
      × here exists already, and a run overwrites nothing
      help: choose another --out, or go on with arena resume here
    "#);
    assert_snapshot!(refused(&desk, &["resume", "here"]), @r#"
    exit 2
      × there is no run in here: run.toml: No such file or directory (os error 2)
      help: a run's folder is named where it was played, such as results/quick
    "#);
    assert_snapshot!(refused(&desk, &["report", "nowhere"]), @r#"
    exit 2
      × there is no run in nowhere: run.toml: No such file or directory (os error 2)
      help: a run's folder is named where it was played, such as results/quick
    "#);
    assert_snapshot!(refused(&desk, &["replay", "nowhere/1"]), @r#"
    exit 2
    error: there is no run in nowhere: it has no arena.db
    "#);
}
