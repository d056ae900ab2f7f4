//! Tournaments from the command line to their tables: the sequential test, formats whose pairings
//! depend on results, games that a referee ends, and figures that a second program agrees with.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Desk, OTHELLO_BOTS, both, games_kept, once, says, table, timeless};

/// Time enough for any of them on a busy machine.
const HEAD: &str = "game = \"othello\"\nmove_ms = 10000\n";

fn sprt<'a>(new: &'a str, base: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["sprt", "--new", new, "--base", base, "--move-ms", "10000"];
    [&words[..], more].concat()
}

/// Two bots that never play the same.
const BOTS: &str = "[[bot]]\nuse = \"greedy\"\n[[bot]]\nuse = \"random\"\n";

/// The test comes to this verdict, and ends with this exit status; returns what it says.
#[track_caller]
fn decides(desk: &Desk, words: &[&str], verdict: &str, status: i32) -> serde_json::Value {
    let (said, code) = tested(desk, words);
    assert_eq!(said["verdict"], verdict, "{said}");
    assert_eq!(code, Some(status), "{said}");
    said
}

/// What the test says as JSON, and the exit status.
fn tested(desk: &Desk, words: &[&str]) -> (serde_json::Value, Option<i32>) {
    let output = desk.run([words, &["--json"]].concat());
    let json: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", both(&output)));
    (json["sprt"].clone(), output.status.code())
}

#[test]
fn a_stronger_bot_passes_and_a_bot_of_equal_strength_does_not() {
    let desk = Desk::new();
    let strong = "minimax-ab:depth=2";
    decides(&desk, &sprt(strong, "random", &[]), "H1", 0);
    let weaker = sprt("random", strong, &["--out", "weaker"]);
    decides(&desk, &weaker, "H0", 1);
    let twins = ["--elo1", "150", "--out", "twins"];
    decides(&desk, &sprt("a=random", "b=random", &twins), "H0", 1);
    // `arena report` comes to the same without playing, and so does a resume.
    let text = desk.succeed(["report", "twins"]);
    let sentence = "H0 is accepted: a is not stronger than b by 150 Elo or more";
    says(&text, &[sentence]);
    let games = games_kept(&desk.path("twins"));
    desk.exits(1, ["resume", "twins"]);
    let later = games_kept(&desk.path("twins"));
    assert_eq!(later, games, "a decided test plays no more");
}

#[test]
fn games_that_do_not_tell_are_no_verdict() {
    let desk = Desk::new();
    let words = sprt("a=random", "b=random", &["--max-games", "4"]);
    let verdict = decides(&desk, &words, "undecided", 1);
    assert_eq!(verdict["match"]["games"], 4);
}

#[test]
fn a_test_says_the_same_with_any_number_of_workers() {
    let desk = Desk::new();
    let text = format!("{HEAD}games = 2000\n[sprt]\nelo0 = 0\nelo1 = 60\n{BOTS}");
    desk.write("test.toml", &text);
    let verdicts = ["1", "2", "4"].map(|workers| {
        let out = format!("run-{workers}");
        let words = ["run", "test.toml", "-j", workers, "--out", &out];
        let (mut verdict, _) = tested(&desk, &words);
        verdict["games_beyond"].take();
        verdict
    });
    assert_ne!(verdicts[0]["verdict"], "undecided");
    assert_eq!(verdicts[0], verdicts[1]);
    assert_eq!(verdicts[0], verdicts[2]);
}

#[test]
fn a_test_that_was_interrupted_goes_on_to_the_same_verdict() {
    let desk = Desk::new();
    let text = format!("{HEAD}games = 4000\n[sprt]\nelo0 = 0\nelo1 = 8\n{BOTS}");
    desk.write("test.toml", &text);
    let mut arena = desk.start(["run", "test.toml", "--out", "cut"]);
    once("some games are kept", || {
        games_kept(&desk.path("cut")) > 20 || arena.ended().is_some()
    });
    arena.kill();
    let (mut cut, code) = tested(&desk, &["resume", "cut"]);
    let (mut whole, same) = tested(&desk, &["run", "test.toml", "--out", "whole"]);
    cut["games_beyond"].take();
    whole["games_beyond"].take();
    assert_eq!((cut, code), (whole, same));
}

#[test]
fn formats_that_depend_on_results_are_the_same_with_any_number_of_workers_and_after_a_kill() {
    let desk = Desk::new();
    for format in ["swiss", "knockout", "ladder"] {
        let file = format!("{format}.toml");
        let head = format!("format = \"{format}\"\ngames = 4\n");
        desk.write(&file, &[&head, HEAD, OTHELLO_BOTS].concat());
        let tables =
            |out: &str| ["games.csv", "pairs.csv"].map(|name| timeless(&desk.path(out).join(name)));
        let order = |out: &str| -> Vec<String> {
            let rows = table(&desk.path(out).join("standings.csv"));
            rows.into_iter().map(|row| row["bot"].clone()).collect()
        };
        let alone = format!("{format}-1");
        desk.succeed(["run", &file, "--out", &alone]);
        for workers in ["2", "3"] {
            let out = format!("{format}-{workers}");
            desk.succeed(["run", &file, "--out", &out, "-j", workers]);
            assert_eq!(tables(&out), tables(&alone), "{format}, {workers} workers");
            assert_eq!(order(&out), order(&alone), "{format}");
        }
        let cut = format!("{format}-cut");
        let mut arena = desk.start(["run", &file, "--out", &cut, "-j", "2"]);
        once("some games are kept", || {
            games_kept(&desk.path(&cut)) > 3 || arena.ended().is_some()
        });
        if arena.ended().is_none() {
            arena.kill();
        }
        desk.succeed(["resume", &cut]);
        assert_eq!(tables(&cut), tables(&alone), "{format}, killed");
        assert_eq!(order(&cut), order(&alone), "{format}, killed");
    }
    for (format, has_buchholz) in [("swiss", true), ("ladder", false)] {
        for row in table(&desk.path(format!("{format}-1/standings.csv"))) {
            assert_ne!(row["buchholz"].is_empty(), has_buchholz, "{row:?}");
        }
    }
}

#[test]
fn a_referee_ends_games_only_where_it_is_asked_to() {
    let desk = Desk::new();
    let bots =
        "[[bot]]\nuse = \"minimax-ab\"\noptions = { depth = 2 }\n[[bot]]\nuse = \"random\"\n";
    let played = |name: &str, adjudicate: &str| {
        let text = format!("{HEAD}games = 4\nopenings = \"none\"\n{adjudicate}\n{bots}");
        desk.write(&format!("{name}.toml"), &text);
        desk.succeed(["run", &format!("{name}.toml"), "--out", name]);
        table(&desk.path(name).join("games.csv"))
    };
    let plain = played("plain", "");
    assert!(plain.iter().all(|game| game["reason"] == "discs"));

    let solved = played("solved", "[adjudicate]\nsolve_empties = 8");
    for game in &solved {
        assert_eq!(game["reason"], "adjudicated-solved");
        let discs = ["black_count", "white_count"].map(|count| game[count].parse::<u32>());
        let discs: Result<u32, _> = discs.into_iter().sum();
        assert_eq!(discs, Ok(56), "as soon as eight squares are empty");
    }
    let drawn = played("drawn", "[adjudicate]\ndraw_after = 20");
    for game in &drawn {
        let end = ["reason", "result", "plies"].map(|name| &game[name]);
        assert_eq!(end, ["adjudicated-length", "draw", "20"]);
    }
    // Random tells no score, so nobody agrees with minimax.
    let score = "[adjudicate]\nresign_score = 1\nresign_plies = 2";
    let resigned = played("resigned", score);
    assert!(resigned.iter().all(|game| game["reason"] == "discs"));
    let replay = desk.succeed(["replay", "solved/0", "--moves"]);
    says(&replay, &["(adjudicated-solved)"]);
}

/// Relative to the tournament file, as a bot's folder is; in the box of the bot, if this machine has boxes;
/// and part of what says which version of the bot played.
#[test]
fn a_file_that_an_option_names_goes_with_its_bot() {
    let desk = Desk::new();
    fs::create_dir(desk.path("sub")).expect("a folder");
    let book = desk.path("sub/my.abob");
    fs::copy("bots/alphabeta/src/book/othello.abob", &book).expect("a copy");
    let bots = "[[bot]]\nuse = \"alphabeta\"\noptions = { book = \"my.abob\", depth = 1 }\n\
        [[bot]]\nuse = \"random\"\n";
    let head = format!("{HEAD}games = 2\nsandbox = \"auto\"\n");
    desk.write("sub/t.toml", &format!("{head}{bots}"));
    desk.succeed(["run", "sub/t.toml", "--out", "run"]);
    let kept = fs::read_to_string(desk.path("run/run.toml")).expect("its file");
    // In its command and among its files.
    assert_eq!(
        kept.matches(&book.display().to_string()).count(),
        2,
        "{kept}"
    );
    let wrong = desk.exits(2, ["match", "alphabeta:book=yes", "random"]);
    says(&wrong, &["book: Play openings from the book"]);
}

#[test]
fn openings_that_come_again_are_turned_where_that_is_asked_for() {
    let desk = Desk::new();
    desk.write("openings.txt", "f5d6c3\n");
    let bots = "[[bot]]\nuse = \"greedy\"\n[[bot]]\nuse = \"weights\"\n";
    let openings = |name: &str, symmetries: &str| {
        let text = format!("{HEAD}games = 10\nopenings = \"openings.txt\"\n{symmetries}\n{bots}");
        desk.write(&format!("{name}.toml"), &text);
        desk.succeed(["run", &format!("{name}.toml"), "--out", name]);
        let games = table(&desk.path(name).join("games.csv"));
        let openings = games.into_iter().map(|game| game["opening"].clone());
        openings.collect::<Vec<_>>()
    };
    assert_eq!(openings("plain", ""), ["f5d6c3"; 10]);
    // The four first moves of Othello, each for one pair, then the first again.
    let turned = openings("turned", "symmetries = true");
    let pairs: Vec<&[String]> = turned.chunks(2).collect();
    assert!(pairs.iter().all(|pair| pair[0] == pair[1]), "{turned:?}");
    let mut first: Vec<&str> = pairs[..4].iter().map(|pair| &pair[0][..2]).collect();
    first.sort_unstable();
    assert_eq!(first, ["c4", "d3", "e6", "f5"]);
    assert_eq!(pairs[4], pairs[0]);
}

/// Rounded as the tables round, and as near as that allows.
fn agree(cell: &str, twin: &str, step: f64, what: &str) {
    if twin.is_empty() {
        return assert_eq!(cell, "", "{what}");
    }
    let [cell, twin] = [cell, twin].map(|text| text.parse::<f64>().expect("a number"));
    assert!(
        (cell - twin).abs() <= 0.5 * step + 1e-5,
        "{what}: {cell} and {twin}"
    );
}

fn compare_with_twin(run: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/elo_twin.py");
    let output = Command::new(crate::common::python())
        .arg(script)
        .arg(run)
        .output();
    let output = output.expect("python3 is installed");
    assert!(output.status.success(), "{}", both(&output));
    let text = String::from_utf8(output.stdout).expect("text");
    let twins: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let pairs = table(&run.join("pairs.csv"));
    assert!(!pairs.is_empty());
    for row in pairs {
        let same = |twin: &&Vec<&str>| twin[0] == row["bot"] && twin[1] == row["opponent"];
        let twin = twins.iter().find(same).expect("both saw the same games");
        let names = format!("{} against {}", row["bot"], row["opponent"]);
        let columns = [
            ("elo", 0.1),
            ("elo_error_95", 0.1),
            ("nelo", 0.1),
            ("nelo_error_95", 0.1),
            ("los", 0.0001),
        ];
        for ((column, step), figure) in columns.into_iter().zip(&twin[2..]) {
            agree(&row[column], figure, step, &format!("{names}: {column}"));
        }
    }
}

#[test]
fn an_independent_program_finds_the_same_strength_in_the_games() {
    let desk = Desk::new();
    let text = format!("format = \"round-robin\"\ngames = 30\n{HEAD}{OTHELLO_BOTS}");
    desk.write("all.toml", &text);
    desk.succeed(["run", "all.toml", "--out", "all"]);
    compare_with_twin(&desk.path("all"));
    // Clean sweeps: one of enough pairs, and one that says nothing.
    for games in ["12", "4"] {
        let sweep = ["match", "minimax-ab:depth=4", "random", "-n", games];
        desk.succeed([&sweep[..], &["--move-ms", "10000", "--out", games]].concat());
        compare_with_twin(&desk.path(games));
    }
}

/// A run is played again from its own file, its games can be written to standard output, and a test that came to
/// no verdict goes on with more games.
#[test]
fn a_run_is_played_again_from_its_file_and_a_test_is_extended() {
    let desk = Desk::new();
    let test = "sprt --new random --base random2=random --elo0 0 --elo1 1 --max-games 4 --out test";
    desk.exits(1, test.split(' '));
    let games = |run: &str| table(&desk.path(format!("{run}/games.csv")));
    assert_eq!(games("test").len(), 4);
    desk.exits(2, "resume test --max-games 2".split(' '));
    desk.exits(1, "resume test --max-games 8".split(' '));
    assert_eq!(games("test").len(), 8);
    desk.exits(1, "resume test".split(' '));
    assert_eq!(games("test").len(), 8, "run.toml knows of them");
    desk.exits(1, "run test/run.toml --out again".split(' '));
    let moves = |run: &str| -> Vec<String> {
        games(run)
            .iter()
            .map(|game| game["moves"].clone())
            .collect()
    };
    assert_eq!(moves("again"), moves("test"));

    desk.succeed("match random greedy -n 2 --out two".split(' '));
    says(
        &desk.exits(2, "resume two --max-games 4".split(' ')),
        &["for a sequential test"],
    );
    let said = desk.succeed("export two --format transcript -o -".split(' '));
    assert_eq!(said.lines().count(), 2);
    assert!(!desk.path("-").exists());
}

#[test]
fn all_problems_of_a_tournament_file_are_reported_in_its_order() {
    let desk = Desk::new();
    desk.write(
        "bad.toml",
        "game = \"othello\"\ngames = 3\nconcurrency = 0\nopenings = \"none.txt\"\n\
         [[bot]]\nuse = \"randmo\"\n[[bot]]\nuse = \"greedy\"\nmove_ms = -1\n",
    );
    let said = desk.exits(2, "run bad.toml".split(' '));
    let mut rest = said.as_str();
    for words in [
        "3 games",
        "concurrency = 0",
        "none.txt",
        "randmo",
        "move_ms = -1",
    ] {
        let at = rest.find(words);
        let at = at.unwrap_or_else(|| panic!("{words:?} is missing or too early: {said}"));
        rest = &rest[at + words.len()..];
    }
}
