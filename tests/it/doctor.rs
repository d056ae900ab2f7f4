//! `arena check` finds and names every prepared defect, and finds nothing in a bot without one.
//!
//! The subjects are `tests/bots/student.py` (typical defects of students' bots) and
//! `tests/bots/misbehave.py` (defects of any bot), one defect each.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::{Desk, both, judged, nothing_is_wrong, python, says};
use serde_json::Value;

/// Script, defect, the expected codes, options.
type Case = (&'static str, &'static str, &'static str, &'static str);

const OTHELLO: &str = "--game othello";
const GOMOKU: &str = "--game gomoku";
/// For silent bots: a short time is enough.
const SHORT: &str = "--game othello --move-ms 100 --silence-ms 200";
const QUICK: &str = "--game othello --move-ms 40";
const LOADING: &str = "--game othello --silence-ms 200 --start-ms 1000";
const LATE: &str = "--game othello --silence-ms 200 --start-ms 1900";
/// What is tolerated, and said.
const HABITS: &str = "carriage-return byte-order-mark";

/// Every defect and what is expected; `-`: no finding.
const CASES: &[Case] = &[
    ("student", "none", "-", ""),
    ("student", "capitals", "-", OTHELLO),
    ("student", "not-flushed", "not-flushed", SHORT),
    ("student", "moves-not-flushed", "not-flushed", SHORT),
    ("student", "no-newline", "no-newline", SHORT),
    ("student", "never-ready", "no-ready", SHORT),
    ("student", "busy", "too-slow", SHORT),
    ("student", "busy-child", "too-slow", SHORT),
    ("student", "slow", "too-slow", QUICK),
    ("student", "slow-start", "slow-start", LATE),
    ("student", "slow-import", "loads-too-long", LOADING),
    ("student", "only-othello", "one-game", ""),
    ("student", "only-gomoku", "one-game", ""),
    ("student", "gomoku-moves", "one-game", ""),
    ("student", "other-colour", "other-colour", OTHELLO),
    ("student", "import", "crashes-at-start", OTHELLO),
    ("student", "banner", "stray-output", OTHELLO),
    ("student", "debug-print", "stray-output", OTHELLO),
    ("student", "other-word", "wrong-message", OTHELLO),
    ("student", "no-move", "wrong-message", OTHELLO),
    ("student", "python-dict", "not-json", OTHELLO),
    ("student", "json-twice", "not-json", OTHELLO),
    ("student", "text-id", "wrong-id", OTHELLO),
    ("student", "own-id", "wrong-id", OTHELLO),
    ("student", "swapped", "swapped-coordinates", OTHELLO),
    ("student", "from-0", "counted-from-0", OTHELLO),
    ("student", "from-bottom", "counted-from-bottom", OTHELLO),
    ("student", "row-too-high", "row-off", OTHELLO),
    ("student", "letter-too-high", "letter-off", OTHELLO),
    ("student", "go-letters", "letter-off", GOMOKU),
    ("student", "mirrored", "mirrored", OTHELLO),
    ("student", "list", "pair-of-numbers", OTHELLO),
    ("student", "tuple", "pair-of-numbers", OTHELLO),
    ("student", "x-y-from-1", "pair-of-numbers", GOMOKU),
    ("student", "index", "square-number", OTHELLO),
    ("student", "number-first", "not-a-square", OTHELLO),
    ("student", "dash", "not-a-square", OTHELLO),
    ("student", "words", "not-a-square", OTHELLO),
    ("student", "same-square", "illegal-move", OTHELLO),
    ("student", "pass", "passes", OTHELLO),
    ("student", "resign", "resigns", OTHELLO),
    ("student", "key-error", "crashes", OTHELLO),
    ("student", "pass-unknown", "after-a-pass", OTHELLO),
    ("student", "only-15", "board-size", GOMOKU),
    ("student", "strict-fields", "unknown-field", OTHELLO),
    ("student", "strict-messages", "unknown-message", OTHELLO),
    ("student", "end-on-over", "dies-on-over", OTHELLO),
    ("student", "stale", "second-game", OTHELLO),
    ("student", "second-game", "second-game", SHORT),
    ("student", "bad-exit", "exit-status", OTHELLO),
    ("student", "child", "leaves-children", OTHELLO),
    ("student", "session", "leaves-children", OTHELLO),
    ("student", "no-quit", "ignores-quit", OTHELLO),
    ("student", "no-end", "ignores-end-of-input", OTHELLO),
    ("misbehave", "hang", "no-answer", SHORT),
    ("misbehave", "early", "early-answer", OTHELLO),
    ("misbehave", "twice", "second-answer", OTHELLO),
    ("misbehave", "not-utf8", "not-utf8", OTHELLO),
    ("misbehave", "traceback", "stray-output", OTHELLO),
    ("misbehave", "not-json", "bare-move", OTHELLO),
    ("misbehave", "gigabyte", "line-too-long", OTHELLO),
    ("misbehave", "segfault", "crashes", OTHELLO),
    ("misbehave", "close-output", "closed-output", OTHELLO),
    ("misbehave", "bad-parting", "dies-on-over", OTHELLO),
    ("misbehave", "chatty-errors", "-", OTHELLO),
    ("misbehave", "habits", HABITS, OTHELLO),
];

#[test]
fn every_prepared_defect_is_found_and_named_and_no_other() {
    let python = python();
    nothing_is_wrong(CASES, |case| examined(case, &python).err());
}

fn examined(&(script, defect, expected, options): &Case, python: &str) -> Result<(), String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/bots/{script}.py"));
    let bot = format!("{python} -ES {} {defect}", script.display());
    let desk = Desk::new();
    let options = options.split_whitespace();
    let words = ["check", &bot, "--json"].into_iter().chain(options);
    let output = judged(&desk, &words).ok_or_else(|| format!("{defect}: the machine is busy\n"))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{defect}: {error}\n{}", both(&output)))?;
    let findings = report["findings"].as_array().expect("a list");
    let codes = findings.iter().filter_map(|one| one["code"].as_str());
    let mut found: Vec<&str> = codes.collect();
    if found.is_empty() {
        found.push("-");
    }
    let found = found.join(" ");
    let is_wrong = findings.iter().any(|one| one["severity"] == "error");
    let status = if is_wrong { 3 } else { 0 };
    if found == expected && output.status.code() == Some(status) {
        return Ok(());
    }
    let said = both(&output);
    Err(format!(
        "{defect}: expected {expected}, found {found}\n{said}\n"
    ))
}

/// Problems in the bot's file, in its folder or in its command.
#[test]
fn a_problem_before_the_first_message_is_reported_with_its_fix() {
    let desk = Desk::new();
    desk.write(
        "all.py",
        "import json, sys\nfor line in sys.stdin.read().splitlines():\n    print('{\"type\":\"ready\"}')\n",
    );
    desk.write("broken.py", "import json\nfor line in open(0)\n    pass\n");
    desk.write("text", "no program\n");
    desk.write("notebook.ipynb", "{}\n");
    let folder = |name: &str, manifest: &str| {
        std::fs::create_dir(desk.path(name)).expect("a folder");
        desk.write(&format!("{name}/bot.toml"), manifest);
    };
    folder(
        "unbuilt",
        "build = [\"sh\", \"-c\", \"echo oops; exit 7\"]\ncommand = [\"./bot\"]\n",
    );
    folder("gone", "command = [\"./not-there\"]\n");
    let short = ["--silence-ms", "300"];
    for (name, interpreter) in [("windows", "/usr/bin/env python3"), ("shell", "/bin/sh")] {
        let path = desk.write(name, &format!("#!{interpreter}\r\nexit\r\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    for (bot, expected) in [
        ("windows", "ends with a carriage return (CR), as on Windows"),
        ("shell", "ends with a carriage return (CR), as on Windows"),
        ("all.py", "reads-to-the-end: "),
        ("broken.py", "The program itself is not valid"),
        ("./text", "chmod +x"),
        ("unbuilt", "oops"),
        ("gone", "there is no program ./not-there"),
    ] {
        let said = desk.exits(3, ["check", bot].into_iter().chain(short));
        says(&said.replace("\n  ", " "), &[expected]);
    }
    for wrong in [
        "check",
        "check randon",
        "check notebook.ipynb",
        "check random --game chess",
        "check random --move-ms 0",
        "new-bot --lang pyton x",
    ] {
        desk.exits(2, wrong.split(' '));
    }
    desk.exits(2, ["new-bot", "my bot"]);
}

/// What `arena check` finds in a bot that should pass; its speed is not what is tested.
fn ails(desk: &Desk, bot: &str) -> Option<String> {
    let output = desk.run(["check", bot, "--json", "--move-ms", "50"]);
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let Some(report) = report else {
        return Some(format!("{bot}: {}", both(&output)));
    };
    let findings = report["findings"].as_array().expect("a list").iter();
    let serious: Vec<&Value> = findings.filter(|one| one["code"] != "too-slow").collect();
    (!serious.is_empty()).then(|| format!("{bot}: {serious:#?}\n"))
}

#[test]
fn the_bots_that_ship_pass() {
    let desk = Desk::new();
    let list: Vec<Value> = serde_json::from_str(&desk.succeed(["bots", "--json"])).expect("a list");
    let built_in = list
        .iter()
        .map(|bot| bot["name"].as_str().expect("a name").to_owned());
    let folders = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bots"));
    let folders = folders.expect("bots").flatten().map(|entry| entry.path());
    let folders = folders
        .filter(|folder| folder.join("bot.toml").is_file())
        .map(|folder| folder.display().to_string());
    let bots: Vec<String> = built_in.chain(folders).collect();
    nothing_is_wrong(&bots, |bot| ails(&desk, bot));
}

#[test]
fn a_new_bot_runs_in_every_language() {
    let desk = Desk::new();
    for language in ["python", "javascript", "c", "cpp", "java", "shell", "rust"] {
        let said = desk.succeed(["new-bot", "--lang", language, language]);
        says(&said, &[&format!("arena check {language}")]);
        // The bots that the others are copies of are checked above; three of them are enough here.
        if ["python", "c", "rust"].contains(&language) {
            assert_eq!(ails(&desk, language), None);
        }
        desk.exits(2, ["new-bot", "--lang", language, language]);
    }
    desk.succeed(["match", "python", "c", "-n", "2"]);
}

/// The README shows the output for its own bot without one flush, and then the bot.
#[test]
fn the_readme_shows_what_it_says() {
    let readme = include_str!("../../README.md");
    let block = |after: &str, fence: &str| {
        let (_, rest) = readme.split_once(after).expect(after);
        let (_, rest) = rest.split_once(fence).expect(fence);
        rest.split_once("```").expect("an end").0.to_owned()
    };
    let bot = block("save it as `my_bot.py`", "```python\n");
    let shown = block("prints `--json` for programs", "$ arena check my_bot.py\n");
    let flushed = "\"name\": \"my bot\"}), flush=True)";
    assert!(bot.contains(flushed), "{bot}");
    let desk = Desk::new();
    let unflushed = bot.replace(flushed, "\"name\": \"my bot\"}))");
    desk.write("my_bot.py", &unflushed);
    // On a busy machine it waits longer, and the lines break elsewhere.
    let words = |text: &str| -> Vec<String> {
        let words = text.split_whitespace();
        words
            .filter(|word| word.parse::<f64>().is_err())
            .map(str::to_owned)
            .collect()
    };
    let output = desk.run(["check", "my_bot.py"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(words(&said), words(&shown), "{}", both(&output));
    assert_eq!(output.status.code(), Some(3));
}

/// A warning alone is no failure: no ✗, and exit status 0.
#[test]
fn a_warning_alone_passes() {
    let desk = Desk::new();
    desk.write("bot.py", include_str!("../bots/student.py"));
    let said = desk.exits(0, ["check", "python3 bot.py bad-exit", "--game", "othello"]);
    says(
        &said,
        &[
            "  ! exits after quit",
            "warning: exit-status",
            "passes all checks (1 warning)",
        ],
    );
    assert!(!said.contains('✗'), "{said}");
}

/// What is no bot at all is named by every command in the same way.
#[test]
fn sources_folders_and_misspelt_names_are_the_same_to_all_commands() {
    let desk = Desk::new();
    for folder in ["my_bot", "sources", "empty"] {
        fs::create_dir(desk.path(folder)).expect("a folder");
    }
    desk.write(
        "my_bot/main.py",
        include_str!("../bots/student.py")
            .replace("sys.argv[1]", "'none'")
            .as_str(),
    );
    desk.write("sources/bot.go", "package main\n");
    desk.write("Bot.kt", "class Bot\n");
    let short = ["--game", "othello", "--move-ms", "1000"];
    let said = desk.exits(0, ["check", "my_bot"].into_iter().chain(short));
    says(&said, &["my_bot passes all checks"]);
    let said = desk.exits(0, ["match", "my_bot", "random", "-n", "2"]);
    says(&said, &["my_bot against random"]);
    desk.write(
        "s.toml",
        "game = \"othello\"\ngames = 2\n[grade]\nthreshold = 0.0\n[[bot]]\nuse = \"random\"\n",
    );
    desk.exits(0, ["grade", "my_bot", "--suite", "s.toml"]);
    for (bot, expected) in [
        ("Bot.kt", "Bot.kt is Kotlin source, not a program"),
        ("sources", "bot.go is Go source, not a program"),
        ("empty", "empty has no bot: neither bot.toml nor bot.py"),
        ("my_bto", "did you mean the folder my_bot?"),
    ] {
        for command in [
            vec!["match", bot, "random"],
            vec!["check", bot],
            vec!["grade", bot, "--suite", "s.toml"],
        ] {
            let said = desk.exits(2, command).replace("\n  ", " ");
            let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
            says(&said.replace("│ ", ""), &[expected]);
        }
    }
}

/// A move that is the opponent's is named so after a game, too.
#[test]
fn the_other_colours_move_is_named_in_a_match() {
    let desk = Desk::new();
    desk.write("bot.py", include_str!("../bots/student.py"));
    let said = desk.exits(
        0,
        [
            "match",
            "mine=python3 bot.py other-colour",
            "random",
            "-n",
            "2",
        ],
    );
    says(&said, &["it is a legal move of the other colour, and "]);
}
