//! `arena grade`: marks that hold up. A mark is the bot's doing alone, the same whenever it is
//! graded, and never a zero for what the arena or the machine did.

use std::fs;
use std::path::Path;

use crate::common::{Desk, both, misbehave, says, table};
use serde_json::Value;

/// Two weak opponents, few games.
const SMALL: &str = r#"
name = "small"
game = "othello"
games = 4
move_ms = 5000
concurrency = 2
sandbox = "off"
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
        let words = format!("grade {bot} --suite {suite} -n {games} --move-ms 30000 --json");
        let output = desk.run(words.split(' '));
        let said = both(&output);
        let card: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let rows = card["rows"].as_array().expect("rows");
        let passes = bot != "random";
        assert_eq!(output.status.code(), Some(i32::from(!passes)), "{said}");
        assert_eq!(rows.len(), 6);
        let from = usize::from(!passes);
        assert!(
            rows[from..].iter().all(|row| row["beaten"] == passes),
            "{said}"
        );
    }
}

#[test]
fn a_grade_has_its_files_and_a_crash_is_the_bots_own_fault() {
    let desk = desk();
    hand_in_command(&desk, "crasher", &misbehave("leave", "grade-crasher"));
    // Its script is none of its own files, so in a sandbox it would not see it.
    let words = "grade ./crasher --suite small.toml --sandbox off";
    let mut arena = desk.arena(words.split(' '));
    let arena = arena.env("GITHUB_STEP_SUMMARY", desk.path("step.md"));
    let output = arena.output().expect("the arena starts");
    assert_eq!(output.status.code(), Some(1), "{}", both(&output));
    let expected = [
        "✗ random: decided early, after 3 of 4",
        "lost by its own fault: crashed 3×",
    ];
    says(&String::from_utf8_lossy(&output.stdout), &expected);

    let run = desk.path("results/small-crasher");
    let results = json(&run.join("results.json"));
    assert_eq!(results["score"], 0.0);
    let tests = results["tests"].as_array().expect("a list");
    assert_eq!(tests.len(), 2);
    for test in tests {
        assert_eq!(test["max_score"], 7.5);
        assert_eq!(test["status"], "failed");
        assert_eq!(test["visibility"], "visible");
        assert!(test["name"].as_str().expect("text").starts_with("beats "));
        says(test["output"].as_str().expect("text"), &["crashed 3×"]);
    }
    let read = |path| fs::read_to_string(path).expect("a file");
    let counts = "tests=\"2\" skipped=\"0\" errors=\"0\" failures=\"2\"";
    says(&read(run.join("junit.xml")), &[counts]);
    says(&read(desk.path("step.md")), &["0 of 15 points"]);

    // The grade can be made again from the record, and the question that killed it asked again.
    let before = fs::read(run.join("grade.json")).expect("a file");
    desk.succeed(["report", "results/small-crasher"]);
    assert_eq!(fs::read(run.join("grade.json")).expect("a file"), before);
    let game = json(&run.join("grade.json"))["rows"][0]["lost"][0][0].clone();
    let what = read(run.join(format!("failures/{game}/what-happened.txt")));
    let game = format!("results/small-crasher/{game}");
    says(&what, &[&format!("arena ask {game}"), "seeds: "]);
    says(&desk.exits(1, ["ask", &game, "--from-start"]), &["crashed"]);
    let replay = desk.succeed(["replay", &game, "--moves"]);
    says(&replay, &["is at fault", "arena ask"]);
}

#[test]
fn a_bot_that_cannot_be_used_is_told_apart_from_one_that_is_weak() {
    let desk = desk();
    desk.write("typo.py", "import jsn\n");
    let said = desk.exits(3, ["grade", "typo.py", "--suite", "small.toml"]);
    says(&said, &["No module named 'jsn'"]);
    let results = json(&desk.path("results/small-typo/results.json"));
    assert_eq!(results["score"], 0.0);
    assert_eq!(results["tests"][0]["max_score"], 15.0);
}

#[test]
fn what_the_arena_or_the_machine_did_is_no_zero() {
    let desk = desk();
    // Enough descriptors for the record, too few for two bots.
    let script = "ulimit -n 17; exec \"$0\" grade random --suite small.toml --json -j 1";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_arena")])
        .current_dir(desk.path(""))
        .output()
        .expect("a shell");
    assert_eq!(output.status.code(), Some(4), "{}", both(&output));
    says(&both(&output), &["not graded"]);
    let score = desk.path("results/small-random/results.json");
    assert!(!score.exists(), "a score where there is none");

    // An opponent that is not there is the suite's doing, not the student's.
    desk.write(
        "lost.toml",
        &SMALL.replace("use = \"greedy\"", "command = [\"./gone\"]"),
    );
    let said = desk.exits(4, ["grade", "random", "--suite", "lost.toml"]);
    says(&said, &["not graded"]);
}

/// A hand-in may find a way to keep a test player from starting; that earns it nothing.
#[test]
fn a_test_player_that_does_not_start_is_no_win() {
    let desk = Desk::new();
    let once = "import os, sys\nif os.path.exists('begun'):\n    sys.exit(3)\n\
                open('begun', 'w').close()\nprint('{\"type\":\"ready\"}', flush=True)\ninput()\n";
    desk.write("once.py", once);
    let (own, _) = SMALL.split_once("[[bot]]").expect("bots");
    let bot = "[[bot]]\nname = \"once\"\ncommand = [\"python3\", \"once.py\"]\n";
    desk.write("once.toml", &format!("{own}{bot}"));
    let words = "grade random --suite once.toml --sandbox off -n 2";
    let output = desk.run(words.split(' '));
    let said = both(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    let expected = "2 games are void: a reference opponent did not start";
    says(&said, &[expected]);
}

#[test]
fn a_class_of_ten_two_of_them_broken() {
    let desk = desk();
    for student in "ada alan barbara claude donald edsger grace".split(' ') {
        hand_in(&desk, &format!("class/{student}"), "\"greedy\"");
    }
    hand_in(&desk, "class/kurt", "\"alphabeta\", \"--depth\", \"2\"");
    fs::create_dir_all(desk.path("class/lazy")).expect("a folder");
    desk.write("class/typo.py", "import jsn\n");
    desk.write("class/students.txt", "no submission\n");
    let book = "Student,ID,SIS Login ID,Othello (1)\r\n    Points Possible,,,15.00\r\n\"K, Kurt\",1,kurt,\r\nTypo,2,typo,\r\nElse,3,else,5\r\n";
    desk.write("canvas.csv", book);
    let class = "grade --all class --suite small.toml".split(' ');
    let book_words = "-j 2 --gradebook canvas.csv --column".split(' ');
    let words = class.clone().chain(book_words).chain(["Othello (1)"]);
    let said = desk.exits(3, words);
    let out = desk.path("results/small");
    let rows = table(&out.join("class.csv"));
    // The list of students has a row, too.
    assert_eq!(rows.len(), 11, "{said}");
    let row = |name: &str| {
        let found = rows.iter().find(|row| row["submission"] == name);
        found.unwrap_or_else(|| panic!("{name} has a row")).clone()
    };
    assert_eq!(row("kurt")["state"], "passed");
    assert_eq!(row("kurt")["points"], "15");
    for (broken, state) in [
        ("lazy", "not graded"),
        ("typo", "unusable"),
        ("students", "not graded"),
    ] {
        assert_eq!(row(broken)["state"], state);
        assert!(!row(broken)["note"].is_empty(), "it says what is wrong");
    }
    let filled = fs::read_to_string(out.join("canvas.csv")).expect("a gradebook");
    let expected = book
        .replace(",kurt,", ",kurt,15")
        .replace(",typo,", ",typo,0");
    assert_eq!(filled, expected, "nothing else changes");

    // Again: only what has changed is played.
    hand_in(&desk, "class/ada", "\"random\"");
    let unchanged = |option: &'static str, count: &'static str| {
        let again = both(&desk.run(class.clone().chain([option, count])));
        (again.matches(" (unchanged)").count(), again)
    };
    let (kept, again) = unchanged("-j", "2");
    assert_eq!(kept, 7, "{again}");
    let old = out.join("earlier/ada-1/arena.db");
    assert!(old.is_file(), "the old games are kept");
    let rows = table(&out.join("class.csv"));
    assert_eq!(rows.len(), 11);
    // A suite that has changed is played by all who can play.
    let (kept, changed) = unchanged("-n", "2");
    assert_eq!(kept, 0, "{changed}");
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
        // They tell each other through a file.
        "--sandbox",
        "off",
    ];
    let output = desk.run(words);
    let rows = table(&desk.path("results/small/class.csv"));
    let notes: Vec<_> = rows.iter().map(|row| &row["note"]).collect();
    assert_eq!(notes, ["", ""], "{}", both(&output));
    assert!(desk.path("asked").exists(), "they have played");
}

/// The suite of those whose verdicts must be certain: few games at first, one opponent.
const FEW: &str = r#"
name = "few"
game = "othello"
games = 2
move_ms = 20000
sandbox = "off"
[grade]
threshold = 0.5
[[bot]]
use = "random"
"#;

#[test]
fn a_verdict_is_played_on_until_it_is_certain() {
    let desk = Desk::new();
    desk.write("few.toml", FEW);
    hand_in(&desk, "class/strong", "\"greedy\"");
    hand_in(
        &desk,
        "class/strongest",
        "\"alphabeta\", \"--depth\", \"1\"",
    );
    hand_in(&desk, "class/equal", "\"random\"");
    let grade = |more: &str| {
        let words = format!("grade --all class --suite few.toml {more}");
        both(&desk.run(words.split(' ').filter(|word| !word.is_empty())))
    };
    let games =
        |student: &str| table(&desk.path(format!("results/few/hand-ins/{student}/games.csv")));
    let rows = || table(&desk.path("results/few/class.csv"));
    grade("");
    let first = games("strongest");
    assert!(first.len() <= 2, "{first:?}");
    assert!(rows().iter().all(|row| row["random_certain"].is_empty()));

    // The games that were played stay, and more are played.
    let said = grade("--confirm --confirm-games 24");
    let certain: Vec<(String, String)> = rows()
        .iter()
        .map(|row| (row["submission"].clone(), row["random_certain"].clone()))
        .collect();
    let is = |name: &str, certain: &str| (name.to_owned(), certain.to_owned());
    assert_eq!(certain[0], is("equal", "false"), "{said}");
    assert_eq!(certain[2], is("strongest", "true"), "{said}");
    assert!(!desk.path("results/few/earlier").exists());
    let more = games("strongest");
    assert_eq!(more[..first.len()], first[..]);
    // The smallest number of won pairs that is certain: the mean over c = 0.01 … 1 of (1 + c)ⁿ is 18.2 for
    // n = 7 and 32 for n = 8.
    assert!((14..=24).contains(&more.len()), "{}", more.len());
    assert_eq!(games("equal").len(), 24, "as many as allowed");
    let equal = &rows()[0];
    says(&equal["borderline"], &["random not certain at 95 %"]);
    assert_eq!(equal["random_same_again"], "");
    let summary =
        fs::read_to_string(desk.path("results/few/hand-ins/equal/summary.md")).expect("text");
    says(
        &summary,
        &["not certain at 95 % after all 24 games", "borderline"],
    );

    let again = grade("--confirm=0.95 --confirm-games 24");
    assert_eq!(again.matches(" (unchanged)").count(), 3, "{again}");
    // A mark without that is one of two games, so they are played by themselves.
    grade("");
    // The second may be under way when the first decides.
    assert!((1..=2).contains(&games("equal").len()));
    assert!(desk.path("results/few/earlier/equal-1/games.csv").is_file());
}

#[test]
#[cfg(unix)]
fn a_certain_verdict_is_the_same_after_a_stop() {
    let desk = Desk::new();
    desk.write("few.toml", FEW);
    let marker = format!("grade-confirm-{}", std::process::id());
    hand_in_command(&desk, "slow", &misbehave("slow", &marker));
    let words = |out: &'static str| {
        [
            "grade",
            "./slow",
            "--suite",
            "few.toml",
            "--confirm",
            "0.9",
            "--confirm-games",
            "12",
        ]
        .into_iter()
        .chain(["--sandbox", "off", "--json", "--out", out])
    };
    let mut arena = desk.start(words("stopped"));
    let run = desk.path("stopped");
    crate::common::once("games are kept", || crate::common::games_kept(&run) >= 2);
    arena.signal("TERM");
    assert_eq!(arena.wait().code(), Some(130), "{}", arena.said());
    assert!(crate::common::games_kept(&run) < 12);
    let row = |words: Vec<&str>| {
        let output = desk.run(words);
        let card: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let mut row = card["rows"][0].clone();
        (row["mean_ms"], row["max_ms"]) = (Value::Null, Value::Null);
        row
    };
    let resumed = row(vec!["resume", "stopped", "--json"]);
    assert_eq!(resumed["confirm"]["level"], 0.9);
    assert_eq!(resumed, row(words("undisturbed").collect()));
}

#[test]
fn three_illegal_answers_in_one_turn_lose_where_a_course_says_so() {
    let desk = desk();
    hand_in_command(&desk, "clumsy", &misbehave("occupied", "grade-clumsy"));
    let grade = |more: &str| {
        let words =
            format!("grade ./clumsy --suite small.toml -n 2 --sandbox off --json --out {more}");
        let output = desk.run(words.split(' '));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["rows"][0].clone()
    };
    let strict = grade("strict");
    assert_eq!(strict["faults"]["illegal-move"], strict["losses"]);
    let kind = grade("kind --illegal-answers 3");
    assert_eq!(kind["faults"], serde_json::json!({}));
    let games = table(&desk.path("kind/games.csv"));
    for game in games {
        says(&game["warnings"], &["was asked again"]);
    }
}

#[test]
fn the_rows_are_the_same_at_any_number_of_workers() {
    let desk = desk();
    let rows = |workers: &str| {
        let words = format!("grade greedy --suite small.toml --json -j {workers}");
        let output = desk.run(words.split(' '));
        let card: Value = serde_json::from_slice(&output.stdout).expect("JSON");
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
    let book = "grade random --suite small.toml --gradebook canvas.csv";
    for (words, last, said) in [
        ("grade random --suite", "othello-sic", "othello-six"),
        ("grade random --suite", "plain.toml", "has no [grade]"),
        (
            "grade random --suite small.toml --confirm",
            "1.0",
            "0.5 to 0.9999",
        ),
        (
            "grade --suite small.toml --confirm",
            "random",
            "write the bot before --confirm",
        ),
        (
            "grade random --suite small.toml --confirm --confirm-games",
            "7",
            "cannot be played in pairs",
        ),
        ("grade nobody --suite", "small.toml", "unknown bot"),
        ("grade --suite", "small.toml", "required"),
        ("run", "small.toml", "arena grade BOT --suite small.toml"),
        (
            &format!("{book} --column Othello --student"),
            "1",
            "Othello (1)",
        ),
        (
            &format!("{book} --student 2 --column"),
            "Othello (1)",
            "it has 0 rows of student",
        ),
    ] {
        says(&desk.exits(2, words.split(' ').chain([last])), &[said]);
    }
    assert!(!desk.path("results").exists(), "nothing was begun");
}
