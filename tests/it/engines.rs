//! Engines of others' protocols in whole games: one of ours in C that speaks Gomocup well and badly
//! (`tests/bots/gomocup.c`), and `GRhino`, which Debian has.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use crate::common::{Desk, Row, misjudged, says, table};

const UNKNOWN: &str = r#"wrote "UNKNOWN command": in answer to "TURN "#;
const ERROR: &str = r#"wrote "ERROR I do not feel like it": in answer to "TURN "#;

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
    ("no-turn", "bad-message", UNKNOWN),
    ("error-turn", "bad-message", ERROR),
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
    let paths = [desk.path("first"), source];
    let status = compiler.args(["-O1", "-o"]).args(paths).status();
    assert!(status.expect("cc is installed").success());
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
    let wrong = misjudged(&desk.path("run"), "five", &VERDICTS);
    assert!(wrong.is_empty(), "{wrong}");
    let run = std::fs::read_to_string(desk.path("run/run.toml")).expect("run.toml");
    says(&run, &["says_it_is = \"first 1.0\""]);
}

/// Nothing is played with an engine that cannot play the game; the message shows what was sent and
/// what came back.
#[test]
fn engines_that_cannot_play_are_refused_before_the_first_game() {
    let desk = Desk::new();
    compile(&desk);
    let (gomoku, othello) = ("gomoku", "othello");
    let (a_gtp, a_gomocup) = (r#"protocol = "gtp""#, r#"protocol = "gomocup""#);
    let only_20 = r#"wrote "ERROR only 20 will do": in answer to "START 15""#;
    let ended = r#"ended before it answered "START 15": exit status 3"#;
    let unknown = r#"wrote "UNKNOWN command": in answer to "name""#;
    let no_othello = r#"protocol "gomocup" does not support othello"#;
    let no_gomoku = r#"protocol "nboard" does not support gomoku"#;
    let no_program = "there is no program no-such-engine";
    for (bot, game, exit, expected) in [
        ("gomocup:./first refuses-size", gomoku, 3, [only_20, ""]),
        (
            "gomocup:./first speaks-gtp",
            gomoku,
            3,
            ["? unknown command", "START 15"],
        ),
        (
            "gomocup:./first speaks-gtp",
            gomoku,
            3,
            ["? unknown command", a_gtp],
        ),
        ("gomocup:./first exits", gomoku, 3, [ended, "weights.bin"]),
        ("./first", gomoku, 3, ["UNKNOWN command", a_gomocup]),
        ("gtp:./first", othello, 3, [unknown, a_gomocup]),
        (
            "gomocup:./first",
            othello,
            2,
            [no_othello, "it supports gomoku"],
        ),
        (
            "nboard:./first",
            gomoku,
            2,
            [no_gomoku, "it supports othello"],
        ),
        ("gtp:no-such-engine", othello, 3, [no_program, ""]),
        ("grhino", gomoku, 2, ["grhino does not play gomoku", ""]),
    ] {
        let said = desk.exits(exit, ["match", "random", bot, "--game", game, "-n", "2"]);
        // Long lines are broken, and broken lines begin anew.
        let words = said.split_whitespace().filter(|word| *word != "│");
        says(&words.collect::<Vec<_>>().join(" "), &expected);
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
        assert_eq!([&game["reason"], &game["at_fault"]], ["discs", ""]);
    }
    let moves = table(&desk.path("run/moves.csv"));
    for bot in ["alphabeta-depth1", "grhino-level2"] {
        let has_passed = |ply: &Row| ply["bot"] == bot && ply["move"] == "pass";
        assert!(moves.iter().any(has_passed), "{bot} never had to pass");
    }
}
