//! `arena stages`: what a person sees, what is refused, and the stages that ship.

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use arena::stages::{Means, Stage, read};
use common::{Desk, both, until};
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

#[test]
fn the_flagship_passes_and_random_does_not() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    let said = desk.succeed([
        "stages",
        "alphabeta:nodes=5000",
        "fork.txt",
        "--defender",
        "greedy",
    ]);
    assert!(said.contains(" ✓ fork"), "{said}");
    assert!(said.contains("1 of 1 stages passed"), "{said}");
    // White's own fives are enough against this one.
    let output = desk.run(["stages", "random", "fork.txt", "--defender", "pattern15"]);
    assert_eq!(output.status.code(), Some(1), "{}", both(&output));
    let said = both(&output);
    assert!(
        said.contains(" ✗ fork") && said.contains("white wins (five)"),
        "{said}"
    );
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
    let output = desk.run(arguments);
    let said = both(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let sentence = "a win was missed at move 1: a15 was played, f8 would have won in 1 ply";
    assert!(said.contains(sentence), "{said}");
    let output = desk.run(arguments.into_iter().chain(["--json"]));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let missed = &value["stages"][0]["missed"];
    assert_eq!(
        (&missed["move"], &missed["played"]),
        (&1.into(), &"a15".into())
    );
    assert_eq!(
        (&missed["win"][0], &missed["win_plies"]),
        (&"f8".into(), &1.into())
    );
}

#[test]
fn results_are_there_for_programs_too() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    desk.write("again.txt", COURSE);
    let bot = "alphabeta:nodes=5000";
    let said = desk.succeed([
        "stages",
        bot,
        "fork.txt",
        "again.txt",
        "--defender",
        bot,
        "--json",
        "-j",
        "2",
    ]);
    let value: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(
        (&value["passed"], &value["of"]),
        (&2.into(), &2.into()),
        "{said}"
    );
    let row = &value["stages"][0];
    assert_eq!(row["stage"], "fork");
    assert_eq!(row["result"], "passed");
    assert_eq!(row["line"].as_array().map(Vec::len), Some(3), "{said}");
    assert!(row["missed"].is_null(), "{said}");
}

#[test]
fn a_bot_at_fault_is_told_what_it_did() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    desk.write(
        "bot.py",
        "import sys\nfor line in sys.stdin:\n    if 'hello' in line:\n        \
         print('{\"type\":\"ready\"}', flush=True)\n    elif 'turn' in line:\n        \
         sys.stderr.write('lost my way\\n')\n        print('{\"move\":\"a99\"}', flush=True)\n",
    );
    let output = desk.run(["stages", "bot.py", "fork.txt", "--defender", "greedy"]);
    assert_eq!(output.status.code(), Some(1), "{}", both(&output));
    let said = both(&output);
    for words in ["illegal-move", "a99", "its move 1", "│ lost my way"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    desk.write("plain", "no program\n");
    let output = desk.run(["stages", "plain", "fork.txt"]);
    assert_eq!(output.status.code(), Some(3), "{}", both(&output));
    assert!(
        both(&output).contains("chmod +x ./plain"),
        "{}",
        both(&output)
    );
}

#[test]
fn every_turn_is_explained_within_eighty_columns() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    let bot = "alphabeta:nodes=5000";
    let said = desk.succeed(["stages", bot, "fork.txt", "--defender", bot, "--explain"]);
    for words in [
        "black's move 1: j6 was played; alphabeta prefers j6: it wins in 3 plies",
        " *+3 ",
        "black's move 2:",
        "100.0 %  wins in 3 plies",
        "100.0 %  wins at once",
        "alpha-beta, promising moves first",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("forbidden"), "{said}");
    let widest = said.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}: {said}");
}

/// Under renju j6 is no fork but a double four.
#[test]
fn forbidden_points_are_marked_where_there_are_any() {
    let desk = Desk::new();
    desk.write("fork.txt", &format!("# rules: renju\n{COURSE}"));
    let bot = "alphabeta:nodes=5000";
    let said = both(&desk.run([
        "stages",
        bot,
        "fork.txt",
        "--defender",
        "greedy",
        "--explain",
    ]));
    let row = said
        .lines()
        .find(|line| line.starts_with(" 6"))
        .expect("row 6");
    let [before, after] = ["    O    X    X    X    !", "forbidden to black"];
    assert!(row.contains(before) && said.contains(after), "{said}");
}

#[test]
fn a_person_may_defend() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    let arguments = [
        "stages",
        "alphabeta:nodes=5000",
        "fork.txt",
        "--defender",
        "human",
    ];
    let mut command = desk.arena(arguments);
    let child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn();
    let mut child = child.expect("the arena starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"z99\nj6\nJ7\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = both(&output);
    assert!(output.status.success(), "{said}");
    for words in [
        "black played j6",
        "j6 cannot be played here",
        "black made five with k6: you lost this stage",
        "1 of 1 stages passed",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// Whoever has had enough need not first make a move, and has not given the stage up.
#[test]
fn a_person_may_leave() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    let bot = "alphabeta:nodes=5000";
    let mut arena = desk.start(["stages", bot, "fork.txt", "--defender", "human"]);
    until("a person is asked", || {
        arena.said().contains("your move").then_some(())
    });
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
    let bot = "alphabeta:nodes=5000";
    let human = ["stages", bot, "set", "--defender", "human", "--out", "run"];
    let mut command = desk.arena(human);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the arena starts");
    // One stage is played; then nobody types any more, which gives the others up one by one.
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"j7\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", both(&output));

    // The record of an arena that was killed after the first stage.
    fs::remove_file(desk.path("run/arena.db")).expect("it is there");
    let output = desk
        .arena(["resume", "run"])
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the arena starts");
    let said = both(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("3 of 3 stages passed"), "{said}");
    let rows: Vec<_> = ["✓ 1 ", "✓ 2 ", "✓ 10 "].map(|row| said.find(row)).into();
    assert!(
        rows.is_sorted() && rows[0].is_some(),
        "natural order: {said}"
    );

    let report = desk.succeed(["report", "run"]);
    assert!(report.contains("3 of 3 stages passed"), "{report}");
    let again = desk.succeed(["resume", "run"]);
    assert!(
        again.contains("3 of 3 stages passed"),
        "nothing is left: {again}"
    );
    let game = desk.succeed(["replay", "run/0"]);
    assert!(
        game.contains("j6") && game.contains("human resigns"),
        "{game}"
    );
    let sgf = desk.succeed(["export", "run", "--format", "sgf"]);
    assert!(
        sgf.contains("AB["),
        "the position stands at the start: {sgf}"
    );
}

#[test]
fn the_solver_may_be_named() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    let said = desk.succeed(["stages", "alphabeta", "--solve", "fork.txt"]);
    assert!(said.contains("1 of 1 stages proven"), "{said}");
    let output = desk.run(["stages", "greedy", "fork.txt", "--solve"]);
    assert_eq!(output.status.code(), Some(2), "{}", both(&output));
    assert!(
        both(&output).contains("leave the bot out"),
        "{}",
        both(&output)
    );
}

/// What is wrong with a file is shown where it stands.
#[test]
fn files_that_hold_no_stage_are_refused() {
    let row = "# # # # # # # # # # # # # # #\n";
    let with = |old: &str, new: &str| COURSE.replacen(old, new, 1);
    let (one, zero) = ("1 ".repeat(15), "0 ".repeat(15));
    let full: String = (0..15)
        .map(|row: usize| {
            let entry = |column: usize| if (column + 2 * row) % 4 < 2 { "1" } else { "0" };
            (0..15).map(entry).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    for (text, place, words) in [
        (COURSE.replacen(row, "", 1), ":14:1", "14 rows, expected 15"),
        (format!("{COURSE}{row}"), ":16:1", "16 rows, expected 15"),
        (
            with("1 1 1 # #", "1 1 1 #"),
            ":6:1",
            "row 6 has 14 entries, expected 15",
        ),
        (
            with("1 1 1 # #", "1 1 1 # # #"),
            ":6:31",
            "row 6 has 16 entries, expected 15",
        ),
        (
            with("1 1 1 # #", &"# ".repeat(300)),
            ":6:31",
            "row 6 has 310 entries, expected 15",
        ),
        (
            COURSE.replace('\n', " "),
            ":1:31",
            "row 1 has 225 entries, expected 15",
        ),
        (
            with("1 1 1 # #", "1 1 2 # #"),
            ":6:17",
            "unknown symbol \"2\"",
        ),
        (
            with("1 1 1 # #", "1 1 ● # #"),
            ":6:17",
            "unknown symbol \"●\"",
        ),
        (
            COURSE.replacen(row, "0 0 # 0 0 # 0 0 # 0 0 # # # #\n", 1),
            ":1:",
            "too many white stones: 10 white, 6 black",
        ),
        (
            with("1 1 1 # #", "1 1 1 1 1"),
            ":6:13",
            "black has won already",
        ),
        (
            COURSE.replacen(row, &format!("{one}\n"), 1),
            ":1:1",
            "black has won already",
        ),
        (
            COURSE.replacen(row, &format!("{}#\n", &zero[..28]), 1),
            ":1:",
            "too many white stones",
        ),
        (full, ":15:29", "the board is full"),
        (String::new(), "", "bad.txt: the file has no board"),
    ] {
        let desk = Desk::new();
        desk.write("bad.txt", &text);
        let output = desk.run(["stages", "alphabeta", "bad.txt"]);
        let said = both(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(words), "{words}: {said}");
        assert!(said.contains(&format!("bad.txt{place}")), "{place}: {said}");
        assert!(output.stdout.is_empty(), "{said}");
    }
}

#[test]
fn words_that_name_no_stage_or_no_bot_are_refused() {
    let desk = Desk::new();
    desk.write("fork.txt", COURSE);
    fs::create_dir(desk.path("more")).expect("a folder");
    desk.write("more/won.txt", "not even a stage");
    fs::create_dir(desk.path("bare")).expect("a folder");
    for (arguments, words) in [
        (
            ["stages", "alphabeta", "nowhere.txt"],
            "cannot read nowhere.txt",
        ),
        // The bot was forgotten.
        (
            ["stages", "fork.txt", "more"],
            "name the bot first: arena stages alphabeta fork.txt",
        ),
        (
            ["stages", "more", "fork.txt"],
            "more contains stages and is not a bot",
        ),
        (
            ["stages", "alphabeta", "bare"],
            "there are no .txt files in bare",
        ),
        (
            ["stages", "alphabetta", "nowhere.txt"],
            "cannot read nowhere.txt",
        ),
    ] {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", both(&output));
        assert!(both(&output).contains(words), "{words}: {}", both(&output));
    }
}

// --- The stages that ship ---

fn shipped() -> Vec<(PathBuf, Stage)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/stages");
    let entries = fs::read_dir(folder)
        .expect("the stages are there")
        .flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    paths.sort();
    let stage = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a file");
        let stage =
            read(&text, "unnamed").unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        assert_eq!(
            stage.to_string(),
            text,
            "{} is not as it would be written",
            path.display()
        );
        (path, stage)
    };
    paths.into_iter().map(stage).collect()
}

#[test]
fn at_least_24_stages_ship_all_different_and_ever_longer() {
    let stages = shipped();
    assert!(stages.len() >= 24, "{}", stages.len());
    let hashes: HashSet<u64> = stages
        .iter()
        .map(|(_, stage)| canonical_hash(&Board::Gomoku(stage.board.clone())))
        .collect();
    assert_eq!(
        hashes.len(),
        stages.len(),
        "two are the same under a symmetry"
    );
    let plies: Vec<u32> = stages
        .iter()
        .map(|(_, stage)| stage.win.as_ref().expect("a proven win").plies)
        .collect();
    assert!(plies.is_sorted(), "{plies:?}");
    assert!(
        plies[0] <= 5 && *plies.last().expect("one") >= 15,
        "{plies:?}"
    );
    let of = |means| {
        let with = |win: &arena::stages::Win| win.means == Some(means);
        stages
            .iter()
            .filter(|(_, stage)| stage.win.as_ref().is_some_and(with))
            .count()
    };
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
                    assert!(
                        !board.wins(other, Side::White),
                        "{path:?}: {other} wins for white"
                    );
                }
            } else if is_answer {
                // A three: unless white answers it, black makes two fives possible.
                let threat = board.empty_squares().any(|cell| {
                    let mut then = board.clone();
                    then.set(cell, Some(Side::Black));
                    let fives = then
                        .empty_squares()
                        .filter(|&five| then.wins(five, Side::Black));
                    fives.count() >= 2
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
