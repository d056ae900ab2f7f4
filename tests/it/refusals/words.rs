//! Whatever a person mistypes is answered in words for a person: none of a parser, none of a system.

use std::fs;

use super::{BOTS, refused};
use crate::common::Desk;

/// Words that parsers and systems use among themselves.
const FOREIGN: &[&str] = &[
    "os error",
    "invalid type",
    "invalid digit",
    "invalid length",
    "expected struct",
    "expected one of",
    "variant",
    "sequence",
    "i64",
    "u64",
    "f64",
    "usize",
    "..=",
    "18446744073709551615",
    "at line ",
    "deserializ",
    "Some(",
    "None",
    "Err(",
    "panicked",
    ".draft",
];

/// What is typed, and what the answer says. Words in quotes are one.
const TYPED: &[(&str, &str)] = &[
    (
        "match random greedy --move-ms 0.5",
        "expected a whole number",
    ),
    (
        "match random greedy --move-ms 1s",
        "expected a whole number",
    ),
    ("match random greedy --move-ms -5", "out of range"),
    (
        "match random greedy --move-ms 99999999999999999999",
        "the number is too large",
    ),
    ("match random greedy -n 3", "write 2 or 4"),
    ("match random greedy -j 0", "choose 1 to 1024"),
    ("match random greedy --tc 40/", "is not a clock"),
    (
        "match random greedy --tc nobody=5",
        "there is no bot \"nobody\"",
    ),
    ("match random greedy --cores 0-", "is not a list of cores"),
    (
        "match random greedy --cores 60000",
        "there is no core 60000",
    ),
    ("match random greedy --anchor random", "write NAME=ELO"),
    (
        "match random greedy --openings none.txt",
        "none.txt: No such file or directory",
    ),
    ("match random greedy --openings folder", "Is a directory"),
    (
        "match random greedy --openings wrong.txt",
        "line 2: move 2: f5 is not a legal move",
    ),
    (
        "match random greedy --openings utf16.sgf",
        "save it as plain text in UTF-8",
    ),
    (
        "match random greedy --game chess",
        "there are othello, gomoku",
    ),
    ("match random greedy --size 9", "it is played on 8"),
    ("match random greedy --seed x", "expected a whole number"),
    (
        "match random greedy --format robin",
        "there are match, round-robin",
    ),
    ("match random greedy --table-every 0", "choose 1 or more"),
    ("match random greedy --out wrong.txt", "exists already"),
    ("match random", "random has no opponent"),
    ("match random ''", "a bot has no name"),
    ("match random wrong.toml", "arena run wrong.toml"),
    ("match random minimax:depth", "write minimax:depth=3"),
    ("match random minimax:dept=3", "did you mean \"depth\"?"),
    ("run none.toml", "No such file or directory"),
    ("run folder", "Is a directory"),
    ("run utf16.sgf", "is not text: it is UTF-16"),
    ("resume none", "there is no run in none"),
    ("report folder", "there is no run in folder"),
    ("replay none/3", "there is no run in none"),
    ("replay 99999999999999999999", "is not the name of a game"),
    ("replay cut.sgf", "the file ends here"),
    ("replay wrong.txt", "line 2 is not a game"),
    ("analyze cut.sgf --ply x", "expected a whole number"),
    ("analyze f5d6x9", "write the run and the game's number"),
    ("analyze cut.sgf --solve-from 61", "choose 0 to 60"),
    ("export none --format sgf", "there is no run in none"),
    ("solve none.obf", "none.obf: No such file or directory"),
    ("solve wrong.txt", "write X, O or -"),
    ("grade random --suite none", "there are othello-six"),
    (
        "sprt --new random --base greedy --elo0 x",
        "expected a number",
    ),
    (
        "sprt --new random --base greedy --alpha 2",
        "must be above 0",
    ),
    ("stages none", "unknown bot \"none\""),
    ("perft chess 3", "unknown game"),
    ("plan none.toml --out p", "No such file or directory"),
    ("merge none", "there is no plan in none"),
    ("play nobody", "unknown bot \"nobody\""),
    ("serve --port 99999", "choose 0 to 65535"),
    ("check random --size 3", "choose 5 to 22"),
    ("new-bot --lang lua x", "there are python"),
];

#[test]
fn what_is_mistyped_is_answered_in_words() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder")).expect("a folder");
    desk.write("wrong.txt", "f5d6c3\nf5f5\n");
    desk.write("wrong.toml", "game = 3\n");
    desk.write("cut.sgf", "(;GM[2]\n");
    fs::write(desk.path("utf16.sgf"), b"\xff\xfe(\0;\0").expect("a file");
    for (typed, expected) in TYPED {
        let words = typed.split(' ').map(|word| word.trim_matches('\''));
        let said = refused(&desk, &words.collect::<Vec<_>>());
        in_words(typed, &said, expected);
    }
}

/// A line of a file, and what is said of it.
type Line = (&'static str, &'static str);

const TOURNAMENT: &[Line] = &[
    ("game = othello", "a text must be in quotes"),
    ("games =", "a value is missing"),
    (
        "games = \"20\"",
        "expected a whole number, not the text \"20\"",
    ),
    ("games = 2.5", "expected a whole number"),
    ("gamse = 2", "did you mean \"games\"?"),
    ("move_ms = 100ms", "a number has no unit"),
    ("move_ms = 99999999999999999999", "is too large"),
    ("seed = -1", "0 or more"),
    ("size = \"8\"", "expected a whole number"),
    ("ponder = \"yes\"", "expected true or false"),
    ("adjudicate = 3", "expected a table"),
    ("openings = [\"a\"]", "expected a text in quotes"),
    ("bot = \"random\"", "write [[bot]]"),
    ("sprt = 3", "expected a table"),
    ("anchor = 3", "expected a text in quotes"),
    ("[adjudicate]\ndraw_score = \"x\"", "expected a number"),
];

const BOT: &[Line] = &[
    ("command = \"python3 bot.py\"", "[\"python3\", \"bot.py\"]"),
    ("command = []", "command is empty"),
    (
        "command = [\"python3\", 3]",
        "expected a text in quotes, not the number 3",
    ),
    ("command = [\"x\"", "the closing ] is missing"),
    ("command = [\"x\"]\ncomand = 1", "did you mean \"command\"?"),
    ("command = [\"x\"]\ncommand = [\"y\"]", "a second time"),
    ("command = [\"x\"]\ngames = \"othello\"", "[\"othello\"]"),
    (
        "command = [\"x\"]\ngames = [\"chess\"]",
        "there are othello, gomoku",
    ),
    (
        "command = [\"x\"]\nprotocol = \"uci\"",
        "there are arena, gomocup",
    ),
    (
        "command = [\"x\"]\nrestart = true",
        "expected a text in quotes",
    ),
    (
        "command = [\"x\"]\nrestart = \"sometimes\"",
        "there are never, always",
    ),
    ("command = [\"x\"]\nmemory_mib = -1", "memory_mib"),
    ("name = my bot", "a text must be in quotes"),
    ("{\"command\": [\"x\"]}", "a line is key = value"),
];

#[test]
fn what_is_wrong_in_a_file_is_said_in_words() {
    let desk = Desk::new();
    fs::create_dir(desk.path("mine")).expect("a folder");
    for (line, expected) in TOURNAMENT {
        let bots = if line.starts_with("bot") { "" } else { BOTS };
        desk.write("my.toml", &format!("{line}\n{bots}"));
        in_words(line, &refused(&desk, &["run", "my.toml"]), expected);
    }
    for (line, expected) in BOT {
        desk.write("mine/bot.toml", line);
        in_words(
            line,
            &refused(&desk, &["match", "mine", "random"]),
            expected,
        );
    }
}

fn in_words(typed: &str, said: &str, expected: &str) {
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ").replace("│ ", "");
    assert!(
        said.contains(expected),
        "{typed}: {expected:?} is not in: {said}"
    );
    let foreign = FOREIGN.iter().find(|word| said.contains(**word));
    assert_eq!(foreign, None, "{typed}: {said}");
}
