//! Engines of others' protocols in whole games: one of ours in C that speaks Gomocup well and badly
//! (`tests/bots/gomocup.c`), and `GRhino`, which Debian has.

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use common::{Desk, both, table};

/// What is charged, and words that its detail must hold. `-`: nothing, the engine plays its games.
const VERDICTS: [(&str, &str, &str); 19] = [
    ("well", "-", ""),
    ("cr", "-", ""),
    ("crlf", "-", ""),
    ("spaces", "-", ""),
    ("chatty", "-", ""),
    ("banner", "-", ""),
    ("no-about", "-", ""),
    ("unknown-about", "-", ""),
    ("slow-end", "-", ""),
    ("swallows", "-", ""),
    ("swallows-turn", "-", ""),
    ("swallows-unknown", "-", ""),
    (
        "no-turn",
        "bad-message",
        r#"wrote "UNKNOWN command": in answer to "TURN "#,
    ),
    (
        "error-turn",
        "bad-message",
        r#"wrote "ERROR I do not feel like it": in answer to "TURN "#,
    ),
    ("off-board", "illegal-move", r#"played "30,3""#),
    ("occupied", "illegal-move", "the square is taken"),
    ("leaves", "crashed", "exit status 7"),
    ("hangs", "out-of-time", "of the 300.0 ms it had"),
    // A second move in the same breath takes the first one's place in the next turn.
    ("twice", "unasked-output", ","),
];

/// The engine, compiled into the test's folder.
fn compile(desk: &Desk) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/gomocup.c");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-O1", "-o"])
        .arg(desk.path("first"))
        .arg(source);
    assert!(compiler.status().expect("cc is installed").success());
}

#[test]
fn gomocup_spoken_well_and_badly() {
    let desk = Desk::new();
    compile(&desk);
    let mut text = "game = \"gomoku\"\nsize = 9\nformat = \"gauntlet\"\ngames = 2\nmove_ms = 300\n\
                    concurrency = 2\nopenings = \"none\"\n[[bot]]\nname = \"healthy\"\nuse = \"random\"\n"
        .to_owned();
    for (mode, ..) in VERDICTS {
        let _ = write!(
            text,
            "[[bot]]\nname = \"{mode}\"\ncommand = [\"./first\", \"{mode}\"]\nprotocol = \"gomocup\"\n"
        );
    }
    desk.write("engines.toml", &text);
    desk.succeed(["run", "engines.toml", "--out", "run"]);
    let games = table(&desk.path("run/games.csv"));
    let mut wrong = String::new();
    for (mode, fault, detail) in VERDICTS {
        for game in games_of(&games, mode) {
            let at_fault = game["at_fault"].as_str();
            let right = if fault == "-" {
                at_fault.is_empty() && game["reason"] == "five"
            } else {
                at_fault == mode && game["reason"] == fault && game["fault_detail"].contains(detail)
            };
            if !right {
                let _ = writeln!(
                    wrong,
                    "{mode}: {fault} {detail:?} was due, {} {at_fault:?} {:?} came",
                    game["reason"], game["fault_detail"]
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let run = std::fs::read_to_string(desk.path("run/run.toml")).expect("run.toml");
    assert!(run.contains("says_it_is = \"first 1.0\""), "{run}");
}

type Games = [BTreeMap<String, String>];

fn games_of<'a>(
    games: &'a Games,
    bot: &'a str,
) -> impl Iterator<Item = &'a BTreeMap<String, String>> {
    let of_it =
        move |game: &&BTreeMap<String, String>| game["black"] == bot || game["white"] == bot;
    games.iter().filter(of_it)
}

/// Nothing is played with an engine that cannot play the game; the message shows what was sent and
/// what came back.
#[test]
fn engines_that_cannot_play_are_refused_before_the_first_game() {
    let desk = Desk::new();
    compile(&desk);
    for (bot, game, exit, expected) in [
        (
            "gomocup:./first refuses-size",
            "gomoku",
            3,
            &[r#"wrote "ERROR only 20 will do": in answer to "START 15""#][..],
        ),
        (
            "gomocup:./first speaks-gtp",
            "gomoku",
            3,
            &["? unknown command", "START 15", r#"protocol = "gtp""#],
        ),
        (
            "gomocup:./first exits",
            "gomoku",
            3,
            &[
                r#"ended before it answered "START 15": exit status 3"#,
                "weights.bin",
            ],
        ),
        (
            "./first",
            "gomoku",
            3,
            &["UNKNOWN command", r#"protocol = "gomocup""#],
        ),
        (
            "gtp:./first",
            "othello",
            3,
            &[
                r#"wrote "UNKNOWN command": in answer to "name""#,
                r#"protocol = "gomocup""#,
            ],
        ),
        (
            "gomocup:./first",
            "othello",
            2,
            &[
                "protocol \"gomocup\" does not support othello",
                "it supports gomoku",
            ],
        ),
        (
            "nboard:./first",
            "gomoku",
            2,
            &[
                "protocol \"nboard\" does not support gomoku",
                "it supports othello",
            ],
        ),
        (
            "gtp:no-such-engine",
            "othello",
            3,
            &["there is no program no-such-engine"],
        ),
        ("grhino", "gomoku", 2, &["grhino does not play gomoku"]),
    ] {
        let output = desk.run(["match", "random", bot, "--game", game, "-n", "2"]);
        let said = both(&output);
        // Long lines are broken, and broken lines begin anew.
        let plain: Vec<&str> = said
            .split_whitespace()
            .filter(|word| *word != "│")
            .collect();
        let plain = plain.join(" ");
        assert_eq!(output.status.code(), Some(exit), "{bot}: {said}");
        for words in expected {
            assert!(plain.contains(words), "{bot}: {words:?} is not in {said}");
        }
    }
}

/// `GRhino` passes by itself and refuses to be told `play white PASS`.
#[test]
fn grhino_plays_and_both_sides_pass() {
    if !Path::new("/usr/games/gtp-rhino").is_file() {
        // Past the test's own capture: a skip that nobody sees is a test that nobody has.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: GRhino is not installed (apt-get install grhino)"
        );
        return;
    }
    let desk = Desk::new();
    let bots = ["alphabeta:depth=1", "grhino:level=2"];
    let words = ["match", bots[0], bots[1], "-n", "12", "--out", "run"];
    desk.succeed(words);
    let games = table(&desk.path("run/games.csv"));
    assert_eq!(games.len(), 12);
    for game in &games {
        assert_eq!(
            (game["reason"].as_str(), game["at_fault"].as_str()),
            ("discs", "")
        );
    }
    for bot in ["alphabeta-depth1", "grhino-level2"] {
        let moves = table(&desk.path("run/moves.csv"));
        let passes = moves
            .iter()
            .filter(|ply| ply["bot"] == bot && ply["move"] == "pass");
        assert!(passes.count() > 0, "{bot} never had to pass");
    }
}
