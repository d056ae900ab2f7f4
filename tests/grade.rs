//! `arena grade`: marks that hold up. A mark is the bot's doing alone, the same whenever it is
//! graded, and never a zero for what the arena or the machine did.

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::fs;
use std::path::Path;
use std::process::Output;

use common::{Desk, both, misbehave, table};
use serde_json::Value;

/// Two weak opponents, few games.
const SMALL: &str = r#"
name = "small"
game = "othello"
games = 4
move_ms = 5000
concurrency = 2
[grade]
threshold = 0.5
points = 7.5
[[bot]]
use = "random"
[[bot]]
use = "greedy"
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("small.toml", SMALL);
    desk
}

/// A folder whose bot is a built-in bot.
fn hand_in(desk: &Desk, folder: &str, bot: &str) {
    let command = format!("{:?}, \"bot\", {bot}", env!("CARGO_BIN_EXE_arena"));
    hand_in_command(desk, folder, &command);
}

fn hand_in_command(desk: &Desk, folder: &str, command: &str) {
    fs::create_dir_all(desk.path(folder)).expect("a folder");
    desk.write(
        &format!("{folder}/bot.toml"),
        &format!("command = [{command}]\n"),
    );
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

/// Which opponents are beaten, from `grade.json`.
fn beaten(card: &Value) -> Vec<Option<bool>> {
    let rows = card["rows"].as_array().expect("rows");
    rows.iter().map(|row| row["beaten"].as_bool()).collect()
}

#[test]
fn alphabeta_beats_all_six_of_both_games_and_random_beats_none_but_the_first() {
    let desk = Desk::new();
    for (suite, bot, games) in [
        ("othello-six", "alphabeta:depth=4", "2"),
        ("gomoku-six", "alphabeta:depth=4", "2"),
        ("othello-six", "random", "20"),
        ("gomoku-six", "random", "20"),
    ] {
        // Time enough for a machine that has much else to do.
        let words = [
            "grade",
            bot,
            "--suite",
            suite,
            "-n",
            games,
            "--move-ms",
            "30000",
            "--json",
        ];
        let output = desk.run(words);
        let card: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let beaten = beaten(&card);
        let passes = bot != "random";
        assert_eq!(code(&output), i32::from(!passes), "{}", both(&output));
        assert_eq!(beaten.len(), 6);
        let from = usize::from(!passes);
        assert!(
            beaten[from..].iter().all(|&beaten| beaten == Some(passes)),
            "{}",
            both(&output)
        );
    }
}

#[test]
fn a_grade_has_its_files_and_a_crash_is_the_bots_own_fault() {
    let desk = desk();
    hand_in_command(&desk, "crasher", &misbehave("leave", "grade-crasher"));
    let mut arena = desk.arena(["grade", "./crasher", "--suite", "small.toml"]);
    let output = arena
        .env("GITHUB_STEP_SUMMARY", desk.path("step.md"))
        .output()
        .expect("the arena starts");
    assert_eq!(code(&output), 1, "{}", both(&output));
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("✗ random: decided early, after 3 of 4"),
        "{shown}"
    );
    assert!(
        shown.contains("lost by its own fault: crashed 3×"),
        "{shown}"
    );

    let run = desk.path("results/small-crasher");
    let results = json(&run.join("results.json"));
    assert_eq!(results["score"], 0.0);
    let tests = results["tests"].as_array().expect("a list");
    assert_eq!(tests.len(), 2);
    for test in tests {
        assert_eq!(test["max_score"], 7.5);
        assert_eq!(test["status"], "failed");
        assert_eq!(test["visibility"], "visible");
        assert!(
            test["name"]
                .as_str()
                .is_some_and(|name| name.starts_with("beats "))
        );
        assert!(
            test["output"]
                .as_str()
                .is_some_and(|text| text.contains("crashed 3×"))
        );
    }
    let junit = fs::read_to_string(run.join("junit.xml")).expect("a file");
    assert!(
        junit.contains("tests=\"2\" skipped=\"0\" errors=\"0\" failures=\"2\""),
        "{junit}"
    );
    let step = fs::read_to_string(desk.path("step.md")).expect("a file");
    assert!(step.contains("0 of 15 points"), "{step}");

    // The grade can be made again from the record, and the question that killed it asked again.
    let before = fs::read(run.join("grade.json")).expect("a file");
    desk.succeed(["report", "results/small-crasher"]);
    assert_eq!(fs::read(run.join("grade.json")).expect("a file"), before);
    let game = json(&run.join("grade.json"))["rows"][0]["lost"][0][0].clone();
    let what = run.join(format!("failures/{game}/what-happened.txt"));
    let what = fs::read_to_string(what).expect("a file");
    let again = format!("arena ask results/small-crasher/{game}");
    assert!(what.contains(&again) && what.contains("seeds: "), "{what}");
    let asked = desk.run([
        "ask",
        &format!("results/small-crasher/{game}"),
        "--from-start",
    ]);
    assert_eq!(code(&asked), 1, "{}", both(&asked));
    assert!(both(&asked).contains("crashed"), "{}", both(&asked));
    let replay = desk.succeed([
        "replay",
        &format!("results/small-crasher/{game}"),
        "--moves",
    ]);
    assert!(replay.contains("is at fault"), "{replay}");
    assert!(replay.contains("arena ask"), "{replay}");
}

#[test]
fn a_bot_that_cannot_be_used_is_told_apart_from_one_that_is_weak() {
    let desk = desk();
    desk.write("typo.py", "import jsn\n");
    let output = desk.run(["grade", "typo.py", "--suite", "small.toml"]);
    assert_eq!(code(&output), 3, "{}", both(&output));
    assert!(
        both(&output).contains("No module named 'jsn'"),
        "{}",
        both(&output)
    );
    let results = json(&desk.path("results/small-typo/results.json"));
    assert_eq!(
        (&results["score"], &results["tests"][0]["max_score"]),
        (&0.0.into(), &15.0.into())
    );
}

#[test]
fn what_the_arena_or_the_machine_did_is_no_zero() {
    let desk = desk();
    // Enough descriptors for the record, too few for two bots.
    let words = [
        "-c",
        "ulimit -n 17; exec \"$0\" grade random --suite small.toml --json -j 1",
    ];
    let output = std::process::Command::new("sh")
        .args(words)
        .arg(env!("CARGO_BIN_EXE_arena"))
        .current_dir(desk.path(""))
        .output()
        .expect("a shell");
    assert_eq!(code(&output), 4, "{}", both(&output));
    assert!(both(&output).contains("not graded"), "{}", both(&output));
    let run = desk.path("results/small-random");
    assert!(
        !run.join("results.json").exists(),
        "a score where there is none"
    );

    // An opponent that is not there is the suite's doing, not the student's.
    desk.write(
        "lost.toml",
        &SMALL.replace("use = \"greedy\"", "command = [\"./gone\"]"),
    );
    let output = desk.run(["grade", "random", "--suite", "lost.toml"]);
    assert_eq!(code(&output), 4, "{}", both(&output));
    assert!(both(&output).contains("not graded"), "{}", both(&output));
}

#[test]
fn a_class_of_ten_two_of_them_broken() {
    let desk = desk();
    for student in [
        "ada", "alan", "barbara", "claude", "donald", "edsger", "grace",
    ] {
        hand_in(&desk, &format!("class/{student}"), "\"greedy\"");
    }
    hand_in(&desk, "class/kurt", "\"alphabeta\", \"--depth\", \"2\"");
    fs::create_dir_all(desk.path("class/lazy")).expect("a folder");
    desk.write("class/typo.py", "import jsn\n");
    desk.write("class/students.txt", "no submission\n");
    let book = "Student,ID,SIS Login ID,Othello (1)\r\n    Points Possible,,,15.00\r\n\"K, Kurt\",1,kurt,\r\nTypo,2,typo,\r\nElse,3,else,5\r\n";
    desk.write("canvas.csv", book);
    let words = [
        "grade",
        "--all",
        "class",
        "--suite",
        "small.toml",
        "-j",
        "2",
        "--gradebook",
        "canvas.csv",
        "--column",
        "Othello (1)",
    ];
    let output = desk.run(words);
    assert_eq!(code(&output), 3, "{}", both(&output));
    let out = desk.path("results/small");
    let rows = table(&out.join("class.csv"));
    assert_eq!(rows.len(), 10, "{}", both(&output));
    let row = |name: &str| {
        let found = rows.iter().find(|row| row["submission"] == name);
        found.unwrap_or_else(|| panic!("{name} has a row")).clone()
    };
    assert_eq!(
        (
            row("kurt")["state"].as_str(),
            row("kurt")["points"].as_str()
        ),
        ("passed", "15")
    );
    for broken in ["lazy", "typo"] {
        assert_eq!(row(broken)["state"], "unusable");
        assert!(!row(broken)["note"].is_empty(), "it says what is wrong");
    }
    let filled = fs::read_to_string(out.join("canvas.csv")).expect("a gradebook");
    let expected = book
        .replace(",kurt,", ",kurt,15")
        .replace(",typo,", ",typo,0");
    assert_eq!(filled, expected, "nothing else changes");

    // Again: only what has changed is played.
    hand_in(&desk, "class/ada", "\"random\"");
    let again = desk.run([
        "grade",
        "--all",
        "class",
        "--suite",
        "small.toml",
        "-j",
        "2",
    ]);
    let unchanged = both(&again).matches(" (unchanged)").count();
    assert_eq!(unchanged, 7, "{}", both(&again));
    assert!(
        out.join("earlier/ada-1/arena.db").is_file(),
        "the old games are kept"
    );
    let rows = table(&out.join("class.csv"));
    assert_eq!(rows.len(), 10);
    // A suite that has changed is played by all who can play.
    let changed = desk.run([
        "grade",
        "--all",
        "class",
        "--suite",
        "small.toml",
        "-n",
        "2",
    ]);
    assert_eq!(
        both(&changed).matches(" (unchanged)").count(),
        0,
        "{}",
        both(&changed)
    );
}

/// Two lanes, and a hand-in whose build fails if a bot of the class is asked for a move meanwhile.
#[test]
#[cfg(unix)]
fn nobody_builds_while_others_play() {
    let desk = desk();
    let arena = env!("CARGO_BIN_EXE_arena");
    for (student, build) in [
        ("early", "true"),
        (
            "late",
            "for i in 1 2 3 4 5 6 7 8 9 10; do test ! -e ../../asked || exit 1; sleep 0.1; done",
        ),
    ] {
        let folder = format!("class/{student}");
        fs::create_dir_all(desk.path(&folder)).expect("a folder");
        let toml = format!("command = [\"sh\", \"bot.sh\"]\nbuild = [\"sh\", \"-c\", {build:?}]\n");
        desk.write(&format!("{folder}/bot.toml"), &toml);
        let bot = format!(
            "while read -r line; do\n  case $line in *legal*) : > ../../asked;; esac\n  \
             printf '%s\\n' \"$line\"\ndone | '{arena}' bot random\n"
        );
        desk.write(&format!("{folder}/bot.sh"), &bot);
    }
    let words = [
        "grade",
        "--all",
        "class",
        "--suite",
        "small.toml",
        "-j",
        "2",
    ];
    let output = desk.run(words);
    let rows = table(&desk.path("results/small/class.csv"));
    let notes: Vec<_> = rows.iter().map(|row| &row["note"]).collect();
    assert_eq!(notes, ["", ""], "{}", both(&output));
    assert!(desk.path("asked").exists(), "they have played");
}

#[test]
fn three_illegal_answers_in_one_turn_lose_where_a_course_says_so() {
    let desk = desk();
    hand_in_command(&desk, "clumsy", &misbehave("occupied", "grade-clumsy"));
    let grade = |more: &[&str], out: &str| {
        let words = [
            "grade",
            "./clumsy",
            "--suite",
            "small.toml",
            "-n",
            "2",
            "--out",
            out,
            "--json",
        ];
        let output = desk.run(words.iter().chain(more));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["rows"][0].clone()
    };
    let strict = grade(&[], "strict");
    assert_eq!(strict["faults"]["illegal-move"], strict["losses"]);
    let kind = grade(&["--illegal-answers", "3"], "kind");
    assert_eq!(kind["faults"], serde_json::json!({}));
    let games = table(&desk.path("kind/games.csv"));
    assert!(
        games
            .iter()
            .all(|game| game["warnings"].contains("was asked again"))
    );
}

#[test]
fn the_rows_are_the_same_at_any_number_of_workers() {
    let desk = desk();
    let rows = |workers: &str| {
        let words = [
            "grade",
            "greedy",
            "--suite",
            "small.toml",
            "-j",
            workers,
            "--json",
        ];
        let card: Value = serde_json::from_slice(&desk.run(words).stdout).expect("JSON");
        let rows = card["rows"].as_array().expect("rows").clone();
        let timeless = rows.into_iter().map(|mut row| {
            (row["mean_ms"], row["max_ms"]) = (Value::Null, Value::Null);
            row
        });
        timeless.collect::<Vec<_>>()
    };
    assert_eq!(rows("1"), rows("4"));
}

#[test]
fn what_cannot_be_graded_with_or_filled_in_is_said_before_a_game() {
    let desk = desk();
    desk.write(
        "plain.toml",
        "game = \"othello\"\n[[bot]]\nuse = \"random\"\n",
    );
    desk.write("canvas.csv", "Student,ID,Othello (1)\nAda,1,\n");
    for (words, said) in [
        (
            &["grade", "random", "--suite", "othello-sic"][..],
            "othello-six",
        ),
        (
            &["grade", "random", "--suite", "plain.toml"],
            "has no [grade]",
        ),
        (&["grade", "nobody", "--suite", "small.toml"], "unknown bot"),
        (&["grade", "--suite", "small.toml"], "required"),
        (&["run", "small.toml"], "arena grade BOT --suite small.toml"),
        (
            &[
                "grade",
                "random",
                "--suite",
                "small.toml",
                "--gradebook",
                "canvas.csv",
                "--column",
                "Othello",
                "--student",
                "1",
            ],
            "Othello (1)",
        ),
        (
            &[
                "grade",
                "random",
                "--suite",
                "small.toml",
                "--gradebook",
                "canvas.csv",
                "--column",
                "Othello (1)",
                "--student",
                "2",
            ],
            "it has 0 rows of student",
        ),
    ] {
        let output = desk.run(words);
        assert_eq!(code(&output), 2, "{words:?}: {}", both(&output));
        assert!(both(&output).contains(said), "{words:?}: {}", both(&output));
    }
    assert!(!desk.path("results").exists(), "nothing was begun");
}
