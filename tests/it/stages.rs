//! `arena stages`: what a person sees, what is refused, and the stages that ship.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Desk, both, once, says};
use arena::stages::{Means, Stage, read};
use games::{Board, Move, Rules, Side, canonical_hash};

/// As a course writes it: a four that makes another four wins at once.
const COURSE: &str = "\
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
# # # # # 0 1 1 1 # # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # 1 # # # # #
# # # # # # # # # 1 # # # # #
# # # # # # # # # 1 # # # # #
# # # # # # # # # 0 # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
# # # # # # # # # # # # # # #
";

/// A bot that is quick and wins that stage.
const BOT: &str = "alphabeta:nodes=5000";

/// A folder with that stage.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    desk
}

#[test]
fn the_flagship_passes_and_random_does_not() {
    let desk = desk();
    let said = desk.succeed(["stages", BOT, "fork.txt", "--defender", "greedy"]);
    says(&said, &[" ✓ fork", "1 of 1 stages passed"]);
    // White's own fives are enough against this one.
    let words = "stages random fork.txt --defender pattern15";
    let said = desk.exits(1, words.split(' '));
    says(&said, &[" ✗ fork", "white wins (five)"]);
}

/// Black, who has a four, plays elsewhere; white closes it and then makes five.
#[test]
fn a_missed_win_is_told() {
    let desk = Desk::new();
    let row = "# # # # # # # # # # # # # # #\n";
    let four = "0 1 1 1 1 # # # # # # # # # #\n";
    let rows = [&row.repeat(7), four, &row.repeat(7)].concat();
    desk.write("four.txt", &format!("# a remark: 1\n{rows}"));
    let play = |name, first| {
        desk.write(
            name,
            &format!(
                "import json\nplayed = {first:?}.split()\nwhile True:\n    try: asked = json.loads(input())\n    \
                 except EOFError: break\n    if asked['type'] == 'hello':\n        print('{{\"type\":\"ready\"}}', flush=True)\n    \
                 elif asked['type'] == 'turn':\n        move = next(m for m in played + asked['legal'] if m in asked['legal'])\n        \
                 print(json.dumps({{'move': move}}), flush=True)\n"
            ),
        );
    };
    play("black.py", "a15 o15 h15 o10 o5 a12");
    play("white.py", "f8 a1 b1 c1 d1 e1");
    let arguments = ["stages", "black.py", "four.txt", "--defender", "white.py"];
    let sentence = "a win was missed at move 1: a15 was played, f8 would have won in 1 ply";
    says(&desk.exits(1, arguments), &[sentence]);
    let output = desk.run(arguments.into_iter().chain(["--json"]));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let missed = &value["stages"][0]["missed"];
    let found = ["move", "played", "win", "win_plies"].map(|key| &missed[key]);
    let found = serde_json::json!([found[0], found[1], found[2][0], found[3]]);
    assert_eq!(found, serde_json::json!([1, "a15", "f8", 1]));
}

#[test]
fn results_are_there_for_programs_too() {
    let desk = desk();
    desk.write("again.txt", COURSE);
    let words = format!("stages {BOT} fork.txt again.txt --defender {BOT} --json -j 2");
    let said = desk.succeed(words.split(' '));
    let value: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert!(value["passed"] == 2 && value["of"] == 2, "{said}");
    let row = &value["stages"][0];
    assert_eq!(row["stage"], "fork");
    assert_eq!(row["result"], "passed");
    assert_eq!(row["line"].as_array().map(Vec::len), Some(3), "{said}");
    assert!(row["missed"].is_null(), "{said}");
}

#[test]
fn a_bot_at_fault_is_told_what_it_did() {
    let desk = desk();
    desk.write(
        "bot.py",
        "import sys\nfor line in sys.stdin:\n    if 'hello' in line:\n        \
         print('{\"type\":\"ready\"}', flush=True)\n    elif 'turn' in line:\n        \
         sys.stderr.write('lost my way\\n')\n        print('{\"move\":\"a99\"}', flush=True)\n",
    );
    let said = desk.exits(1, ["stages", "bot.py", "fork.txt", "--defender", "greedy"]);
    let expected = ["illegal-move", "a99", "its move 1", "| lost my way"];
    says(&said, &expected);
    desk.write("plain", "no program\n");
    let said = desk.exits(3, ["stages", "plain", "fork.txt"]);
    says(&said, &["chmod +x ./plain"]);
}

#[test]
fn every_turn_is_explained_within_eighty_columns() {
    let said = desk().succeed(["stages", BOT, "fork.txt", "--defender", BOT, "--explain"]);
    let expected = [
        "black's move 1: j6 was played; alphabeta prefers j6: it wins in 3 plies",
        " *+3 ",
        "black's move 2:",
        "100.0 %  wins in 3 plies",
        "100.0 %  wins at once",
        "alpha-beta, promising moves first",
    ];
    says(&said, &expected);
    assert!(!said.contains("forbidden"), "{said}");
    let widest = said.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}: {said}");
}

/// Under renju j6 is no fork but a double four.
#[test]
fn forbidden_points_are_marked_where_there_are_any() {
    let desk = Desk::new();
    desk.write("fork.txt", &format!("# rules: renju\n{COURSE}"));
    let words = format!("stages {BOT} fork.txt --defender greedy --explain");
    let said = both(&desk.run(words.split(' ')));
    let row = said.lines().find(|line| line.starts_with(" 6"));
    says(row.expect("row 6"), &["    O    X    X    X    !"]);
    says(&said, &["forbidden to black"]);
}

#[test]
fn a_person_may_defend() {
    let arguments = ["stages", BOT, "fork.txt", "--defender", "human"];
    let said = desk().typed(arguments, b"z99\nj6\nJ7\n");
    let expected = [
        "black played j6",
        "j6 cannot be played here",
        "black made five with k6: you lost this stage",
        "1 of 1 stages passed",
    ];
    says(&said, &expected);
}

/// Whoever has had enough need not first make a move, and has not given the stage up.
#[test]
fn a_person_may_leave() {
    let desk = desk();
    let mut arena = desk.start(["stages", BOT, "fork.txt", "--defender", "human"]);
    once("a person is asked", || arena.said().contains("your move"));
    arena.signal("INT");
    let status = arena.wait();
    let said = arena.said();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("0 of 1 stages are played"), "{said}");
    assert!(!said.contains("resigned"), "{said}");
}

/// A stage is a game of a run like any other: what was stopped goes on, and is replayed and reported.
#[test]
fn stages_are_recorded_and_resume() {
    let desk = Desk::new();
    fs::create_dir(desk.path("set")).expect("a new folder");
    for name in ["1.txt", "2.txt", "10.txt"] {
        desk.write(&format!("set/{name}"), COURSE);
    }
    let human = ["stages", BOT, "set", "--defender", "human", "--out", "run"];
    // One stage is played; then nobody types any more, which gives the others up one by one.
    desk.typed(human, b"j7\n");

    // The record of an arena that was killed after the first stage.
    fs::remove_file(desk.path("run/arena.db")).expect("it is there");
    let said = desk.exits(0, ["resume", "run"]);
    says(&said, &["3 of 3 stages passed"]);
    let rows: Vec<_> = ["✓ 1 ", "✓ 2 ", "✓ 10 "].map(|row| said.find(row)).into();
    assert!(
        rows.is_sorted() && rows[0].is_some(),
        "natural order: {said}"
    );

    for (words, expected) in [
        ("report run", &["3 of 3 stages passed"][..]),
        // Nothing is left.
        ("resume run", &["3 of 3 stages passed"]),
        ("replay run/0", &["j6", "human resigns"]),
        // The position stands at the start.
        ("export run --format sgf", &["AB["]),
    ] {
        says(&desk.succeed(words.split(' ')), expected);
    }
}

#[test]
fn the_solver_may_be_named() {
    let desk = desk();
    let said = desk.succeed(["stages", "alphabeta", "--solve", "fork.txt"]);
    says(&said, &["1 of 1 stages proven"]);
    let said = desk.exits(2, ["stages", "greedy", "fork.txt", "--solve"]);
    says(&said, &["leave the bot out"]);
}

/// What is wrong with a file is shown where it stands.
#[test]
fn files_that_hold_no_stage_are_refused() {
    let row = "# # # # # # # # # # # # # # #\n";
    let three = |new: &str| COURSE.replacen("1 1 1 # #", new, 1);
    let first = |new: &str| COURSE.replacen(row, new, 1);
    let entries = |row, count| format!("row {row} has {count} entries, expected 15");
    let (one, zero) = ("1 ".repeat(15), "0 ".repeat(14));
    let full: String = (0..15)
        .map(|row: usize| {
            let entry = |column: usize| if (column + 2 * row) % 4 < 2 { "1" } else { "0" };
            (0..15).map(entry).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    let too_many = "too many white stones: 10 white, 6 black";
    for (text, place, words) in [
        (first(""), ":14:1", "14 rows, expected 15"),
        (format!("{COURSE}{row}"), ":16:1", "16 rows, expected 15"),
        (three("1 1 1 #"), ":6:1", &entries(6, 14)),
        (three("1 1 1 # # #"), ":6:31", &entries(6, 16)),
        (three(&"# ".repeat(300)), ":6:31", &entries(6, 310)),
        (COURSE.replace('\n', " "), ":1:31", &entries(1, 225)),
        (three("1 1 2 # #"), ":6:17", "unknown symbol \"2\""),
        (three("1 1 ● # #"), ":6:17", "unknown symbol \"●\""),
        (first("0 0 # 0 0 # 0 0 # 0 0 # # # #\n"), ":1:", too_many),
        (three("1 1 1 1 1"), ":6:13", "black has won already"),
        (first(&format!("{one}\n")), ":1:1", "black has won already"),
        (first(&(zero + "#\n")), ":1:", "too many white stones"),
        (full, ":15:29", "the board is full"),
        (String::new(), "", "bad.txt: the file has no board"),
    ] {
        let desk = Desk::new();
        desk.write("bad.txt", &text);
        let output = desk.run(["stages", "alphabeta", "bad.txt"]);
        let said = both(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        says(&said, &[words, &format!("bad.txt{place}")]);
        assert!(output.stdout.is_empty(), "{said}");
    }
}

#[test]
fn words_that_name_no_stage_or_no_bot_are_refused() {
    let desk = desk();
    fs::create_dir(desk.path("more")).expect("a folder");
    desk.write("more/won.txt", "not even a stage");
    fs::create_dir(desk.path("bare")).expect("a folder");
    for (arguments, words) in [
        ("alphabeta nowhere.txt", "cannot read nowhere.txt"),
        // The bot was forgotten.
        ("fork.txt more", "first: arena stages alphabeta fork.txt"),
        ("more fork.txt", "more contains stages and is not a bot"),
        ("alphabeta bare", "there are no .txt files in bare"),
        ("alphabetta nowhere.txt", "cannot read nowhere.txt"),
    ] {
        let arguments = format!("stages {arguments}");
        says(&desk.exits(2, arguments.split(' ')), &[words]);
    }
}

// --- The stages that ship ---

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
        assert_eq!(stage.to_string(), text, "{shown} is written otherwise");
        (path, stage)
    };
    paths.into_iter().map(stage).collect()
}

#[test]
fn at_least_24_stages_ship_all_different_and_ever_longer() {
    let stages = shipped();
    assert!(stages.len() >= 24, "{}", stages.len());
    let hash = |(_, stage): &(_, Stage)| canonical_hash(&Board::Gomoku(stage.board.clone()));
    let hashes: HashSet<u64> = stages.iter().map(hash).collect();
    assert_eq!(hashes.len(), stages.len(), "some are alike by a symmetry");
    let wins = stages.iter().map(|(_, stage)| stage.win.as_ref());
    let wins: Vec<_> = wins.map(|win| win.expect("a proven win")).collect();
    let plies: Vec<u32> = wins.iter().map(|win| win.plies).collect();
    assert!(plies.is_sorted(), "{plies:?}");
    assert!(plies[0] <= 5 && plies[plies.len() - 1] >= 15, "{plies:?}");
    let of = |means| wins.iter().filter(|win| win.means == Some(means)).count();
    assert!(of(Means::Fours) >= 5 && of(Means::Threats) >= 5);
}

/// The line of every stage by the rules alone: legal, black's five last, and wherever black has
/// made a four, every other answer of white's loses at once.
#[test]
fn the_lines_of_the_stages_hold_by_the_rules() {
    for (path, stage) in shipped() {
        let win = stage.win.expect("a proven win");
        assert_eq!(win.line.len(), win.plies as usize, "{path:?}");
        let mut board = stage.board;
        for &square in &win.line {
            assert_eq!(board.ending(), None, "{path:?}");
            let black_threatens = |board: &games::gomoku::GomokuBoard, but| {
                let mut empty = board.empty_squares();
                empty.any(|cell| cell != but && board.wins(cell, Side::Black))
            };
            let is_answer = board.side_to_move() == Side::White;
            if is_answer && black_threatens(&board, square) {
                // More than one five threatens: no answer helps.
            } else if is_answer && board.wins(square, Side::Black) {
                for other in board.empty_squares().filter(|&other| other != square) {
                    assert!(!board.wins(other, Side::White), "{path:?}: {other} wins");
                }
            } else if is_answer {
                // A three: unless white answers it, black makes two fives possible.
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
        let line = alphabeta::gomoku::winning_line(&stage.board, 2_000_000);
        let found = line.map(|line| line.len() as u32);
        assert_eq!(found, stage.win.map(|win| win.plies), "{path:?}");
    }
}
