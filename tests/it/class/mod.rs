//! A class of odd hand-ins: every entry of the folder gets a row that explains itself.

#[cfg(unix)]
mod ends;
#[cfg(unix)]
mod folder;
mod players;

use std::collections::BTreeMap;
use std::fs::{self, File};

use crate::common::{Desk, Row, both, says, table};
use players::{AI_GO, AI_PLAYER, BOTZONE_TEXT, BRAIN, LISTS, NEVER_ENDS, THINKS};

/// One weak opponent, two games, and time enough for a busy machine.
const SUITE: &str = r#"
name = "small"
game = "othello"
games = 2
move_ms = 20000
[grade]
threshold = 0.5
points = 10
[[bot]]
use = "random"
"#;

fn rows(desk: &Desk) -> BTreeMap<String, Row> {
    let rows = table(&desk.path("results/small/class.csv"));
    rows.into_iter()
        .map(|row| (row["submission"].clone(), row))
        .collect()
}

/// Grades the class; returns all that was said.
fn grade(desk: &Desk, more: &str) -> String {
    let words = format!("grade --all class --suite small.toml -j 2 {more}");
    both(&desk.run(words.split(' ').filter(|word| !word.is_empty())))
}

#[test]
#[cfg(unix)]
fn every_hand_in_gets_a_row_that_explains_itself() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    folder::class(&desk);
    let entries = fs::read_dir(desk.path("class")).expect("a folder").count();
    let said = grade(&desk, "");
    let rows = rows(&desk);
    // All but the hidden file.
    assert_eq!(rows.len(), entries - 1, "{said}");
    assert!(rows.len() >= 30, "{}", rows.len());

    let played = "passed or not passed";
    let mut wrong = String::new();
    for (name, state, note) in [
        ("ai_player", played, "a class with get_move(self, board)"),
        ("thinker", played, "a class with get_move(self, board)"),
        ("changer", "not passed", "illegal-move"),
        ("strategy", played, "best_strategy"),
        ("allow", played, "reversi_ai"),
        ("function", played, "a function of the board"),
        ("botzone", played, "Botzone"),
        ("columbia", played, "Columbia"),
        ("lists", "unusable", "does not play othello"),
        ("brain", "unusable", "does not play othello"),
        ("window", played, "a class with get_move(self, board)"),
        ("own_protocol", played, ""),
        ("one.py", played, ""),
        ("one/", played, ""),
        ("作业一", played, ""),
        ("作业二", played, ""),
        ("café", played, "but for blanks and comments"),
        ("my bot", played, "allow"),
        ("lone", played, ""),
        ("engine", played, ""),
        ("crab", "unusable", "ended before it sent ready"),
        ("Lone", played, ""),
        ("broken", "unusable", "start"),
        ("notebook", "not graded", "save it as a .py file"),
        ("report", "not graded", "is a document"),
        ("students", "not graded", "is a document"),
        ("'=cmd()", played, ""),
        ("'-rf", played, "the same as"),
        ("<b>x & y", played, "the same as"),
        ("a\\nb\\u{1b}[31m", played, "the same as"),
        ("course", played, "a class with get_move(self, board)"),
        ("empty", "not graded", "has no bot"),
        ("two_mains", "not graded", "several files"),
        ("bad_manifest", "unusable", "comand"),
        ("hole", "not graded", "data.bin has 1 TiB"),
        ("huge_manifest", "not graded", "bot.toml has 3 GiB"),
        ("packed", played, "the same as"),
        ("climber", "not graded", "leads out of the archive"),
        ("tarred", played, ""),
        ("linked", "not graded", "is a link or a device"),
        ("loop", "not graded", "leads nowhere"),
        ("pool", "not graded", "leads nowhere"),
        ("pipe", "not graded", "fifo is a pipe or a device"),
    ] {
        let Some(row) = rows.get(name) else {
            // Two names that differ in the case of their letters are told apart by their endings.
            let with_ending = ["lone.c", "Lone.java"]
                .into_iter()
                .find(|other| other.starts_with(name));
            if with_ending.is_none_or(|name| !rows.contains_key(name)) {
                wrong += &format!("{name}: no row\n");
            }
            continue;
        };
        let is_right =
            row["state"] == state || (state == played && row["state"].ends_with("passed"));
        let notes = format!("{} {} {}", row["note"], row["same_as"], row["taken_for"]);
        if !is_right || !notes.contains(note) {
            wrong += &format!("{name}: {} {notes}\n", row["state"]);
        }
        if state == played && row["faults"] != "0" {
            wrong += &format!("{name} has faults: {notes}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{said}");
    says(&said, &["one.py has the name of another hand-in"]);
    assert!(!desk.path("class/climbed.py").exists() && !desk.path("climbed.py").exists());

    // One comes, one goes, one changes: only that one is played.
    desk.write("class/new.py", AI_PLAYER);
    fs::remove_file(desk.path("class/作业一.py")).expect("it was there");
    desk.write("class/thinker.py", &format!("{THINKS}\nx = 1\n"));
    let again = grade(&desk, "");
    let fresh: Vec<&str> = again
        .lines()
        .filter(|line| {
            line.starts_with('[') && line.contains("beaten") && !line.contains("(unchanged)")
        })
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    let mut names: Vec<&str> = fresh
        .iter()
        .map(|name| name.trim_end_matches(':'))
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["new", "thinker"], "{again}");
}

/// The forms that the class above has not, because they need Gomoku or a package.
#[test]
fn the_other_forms_play_too() {
    let desk = Desk::new();
    for (name, text) in [
        ("lists.py", LISTS),
        ("brain.py", BRAIN),
        ("kept.py", BOTZONE_TEXT),
        ("go.py", &AI_GO.replace("import numpy as np\n", "")),
    ] {
        desk.write(name, text);
    }
    for (file, game, form) in [
        ("lists.py", "gomoku", "lists list1, list2, list3 and ai()"),
        ("brain.py", "gomoku", "a brain of pisqpipe.py"),
        ("kept.py", "gomoku", "simplified interaction"),
        ("go.py", "othello", "class AI with go(self, board)"),
    ] {
        let words =
            format!("match {file} random --game {game} -n 2 --move-ms 20000 --out {file}.run");
        let said = both(&desk.run(words.split(' ')));
        let games = table(&desk.path(format!("{file}.run/games.csv")));
        assert_eq!(games.len(), 2, "{said}");
        assert!(
            games.iter().all(|game| game["at_fault"].is_empty()),
            "{file}: {said}\n{games:?}"
        );
        let checked = both(&desk.run(["check", file, "--game", game, "--move-ms", "20000"]));
        says(&checked.replace("\n  ", " "), &[form]);
    }
    let said = both(&desk.run([
        "match", "go.py", "random", "--game", "othello", "-n", "2", "--out", "go",
    ]));
    says(&said, &["plays reversed Othello"]);
}

#[test]
fn a_gradebook_tells_who_has_no_mark_and_never_mixes_two_students_up() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    fs::create_dir_all(desk.path("class/one")).expect("a folder");
    desk.write("class/one/bot.py", AI_PLAYER);
    desk.write("class/one.py", AI_PLAYER);
    desk.write("class/ada.py", AI_PLAYER);
    let book =
        "Student,ID,Othello\n    Points Possible,,10\nAda L.,ada,\nOne,one,\nMissing M.,mia,\n";
    desk.write("book.csv", book);
    let said = grade(&desk, "--gradebook book.csv --column Othello");
    let filled = fs::read_to_string(desk.path("results/small/book.csv")).expect("a gradebook");
    assert!(filled.contains("\nOne,one,\n"), "{filled}");
    assert!(!filled.contains("\nAda L.,ada,\n"), "{filled}");
    let expected = [
        "warning: Missing M. has no mark",
        "warning: One has no mark",
        "one/ has the name of another hand-in",
    ];
    says(&said, &expected);
    assert!(!said.contains("Points Possible has no mark"), "{said}");
}

#[test]
fn a_student_reads_why_a_game_was_lost() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    let crashes = AI_PLAYER.replace("print('thinking')", "raise ValueError('my own mistake')");
    desk.write("crashes.py", &crashes);
    desk.exits(1, "grade crashes.py --suite small.toml".split(' '));
    for file in ["results.json", "junit.xml", "summary.md"] {
        let text = fs::read_to_string(desk.path("results/small-crashes").join(file)).expect(file);
        let plain = text.replace("&apos;", "'");
        says(
            &plain,
            &["exit status 1", "ValueError: my own mistake", "in get_move"],
        );
        assert!(!plain.contains("/failures/"), "{file}: {plain}");
    }
}

#[test]
fn two_graders_do_not_grade_one_class_at_once() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    fs::create_dir_all(desk.path("class")).expect("a folder");
    desk.write("class/ada.py", AI_PLAYER);
    fs::create_dir_all(desk.path("results/small")).expect("a folder");
    let lock = File::create(desk.path("results/small/class.lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let said = grade(&desk, "");
    says(&said, &["another arena is grading into results/small"]);
    assert!(!desk.path("results/small/class.csv").exists());
    drop(lock);
    grade(&desk, "");
    assert!(desk.path("results/small/class.csv").exists());
}

/// A hundred hand-ins of nearly a gigabyte: minutes to read. They are holes, and take no room on the disk.
#[test]
#[cfg(unix)]
fn a_stop_while_a_class_is_read_is_obeyed_at_once() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    for number in 0..100 {
        let folder = format!("class/student{number}");
        fs::create_dir_all(desk.path(&folder)).expect("a folder");
        desk.write(&format!("{folder}/bot.py"), AI_PLAYER);
        let hole = File::create(desk.path(format!("{folder}/data.bin"))).expect("a file");
        hole.set_len(1000 << 20).expect("a hole");
    }
    for signal in ["TERM", "INT"] {
        let words = "grade --all class --suite small.toml --sandbox off";
        let mut arena = desk.start(words.split(' '));
        // It says how many there are before it reads the first.
        crate::common::once("it reads", || arena.said().contains("100 hand-ins"));
        arena.signal(signal);
        let asked = std::time::Instant::now();
        let status = arena.wait();
        assert_eq!(status.code(), Some(130), "{}", arena.said());
        assert!(asked.elapsed() < crate::common::PATIENCE / 10, "at once");
        let rows = rows(&desk);
        assert_eq!(rows.len(), 100, "{}", arena.said());
        assert!(rows.values().all(|row| row["state"] == "unfinished"));
    }
    let words = "grade class/student1 --suite small.toml --sandbox off --out single";
    let mut arena = desk.start(words.split(' '));
    // Not INT, which a shell may have told its background jobs to ignore until they say otherwise.
    arena.signal("TERM");
    arena.wait();
    assert!(!desk.path("single/results.json").exists(), "no mark");
}

#[test]
fn best_strategy_is_stopped_at_the_limit_and_its_last_value_counts() {
    let desk = Desk::new();
    desk.write("never.py", NEVER_ENDS);
    desk.write(
        "empty.py",
        "class Strategy:\n    def best_strategy(self, board, player, best_move, still_running):\n        \
         while still_running.value: pass\n",
    );
    for (name, reason) in [("never", "adjudicated-length"), ("empty", "illegal-move")] {
        desk.write(
            "my.toml",
            &format!(
                "game = 'othello'\ngames = 2\nmove_ms = 1500\nopenings = 'none'\n\
                 [adjudicate]\ndraw_after = 4\n[[bot]]\nuse = './{name}.py'\n[[bot]]\nuse = 'greedy'\n"
            ),
        );
        desk.succeed(["run", "my.toml", "--out", name]);
        let games = table(&desk.path(format!("{name}/games.csv")));
        let reasons: Vec<&str> = games.iter().map(|game| game["reason"].as_str()).collect();
        assert_eq!(reasons, [reason; 2], "{games:?}");
    }
    let games = table(&desk.path("never/games.csv"));
    for (game, side) in games.iter().zip(["black", "white"]) {
        let figure = |of: &str| game[&format!("{side}_{of}")].parse::<f64>().expect("ms");
        // It thinks in a process of its own; counted without that, it was 0.6 % of the time.
        let share = figure("cpu_ms") / (2.0 * figure("mean_ms"));
        assert!(share > 0.05, "{share} of the time: {game:?}");
    }
    let moves = table(&desk.path("never/moves.csv"));
    // From the start, black may play d3, c4, f5 and e6: the frame's numbers 34, 43, 56 and 65.
    assert_eq!(moves[0]["move"], "e6");
}
