//! The bots in `bots/`: the same player plays the same moves in each language, and every bot beats `random`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::common::folders::{FolderBot, folder_bots};
use crate::common::{Workdir, table};

/// The folders of the same player in several languages. The player in Python uses a JSON library.
const SAME: [&str; 7] = ["python", "javascript", "c", "cpp", "java", "rust", "shell"];
/// The number of games against `random`, and the points that a bot must reach. A bot as weak as `random` would reach
/// them once in 18 times. Our bots are deterministic, so each run of the test plays the same games.
const GAMES: usize = 10;
const LEAST: f64 = 8.0;

/// Valid input that simple parsers misread: reordered, spaced and unknown fields, and quotes and brackets in strings.
const HARD: &str = r#"
 { "later" : {"type":"quit","legal":["z9"],"deep":[[{"board":[]}]]} , "note":"a \"type\":\"quit\", \\", "smile":"\ud83d\ude00 }],{[","you":"white","size":8,"rules":"standard","seed":0,"memory_mib":0,"increment_ms":0,"game_ms":0,"move_ms":0,"game" : "othello" ,"protocol":1,"type" : "hello"}
{"type":"\"turn\"","turn":"type"}
{"opponent_left_ms":0,"left_ms":0,"moves":[ "e6" ],"none":null,"empty":"","board":[ ".XO....." , "........","........","...OX...","...XX...","....X...","........","........" ],"legal":["f4" ,	"d6","a1","f6"],"x":-1.5e3,"yes":true,"you":"white", "id" :1234567,"type":"turn"}
{"type":"over","result":"loss","reason":"discs","black":40,"white":24}
{"type":"hello","protocol":1,"game":"gomoku","rules":"freestyle","size":6,"you":"black","move_ms":0,"game_ms":0,"increment_ms":0,"memory_mib":0,"seed":1}
{"type":"turn","id":1234568,"you":"black","board":["......","XOOOO.","......","..XXX.","......","......"],"legal":["a1","f6","b4","f4","f2"],"moves":[],"left_ms":0,"opponent_left_ms":0}
"#;

#[test]
fn the_same_player_plays_the_same_moves_in_every_language() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/protocol/golden");
    let mut talks: Vec<String> = fs::read_dir(golden)
        .expect("the transcripts")
        .map(|file| fs::read_to_string(file.expect("a file").path()).expect("a transcript"))
        // Leaves out games with an opening rule, which these bots do not know.
        .filter(|text| !text.contains("\"opening\":"))
        .map(|text| {
            let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
            lines.collect::<Vec<_>>().join("\n") + "\n"
        })
        .collect();
    // There is no `quit`: the end of the input also ends the bot.
    talks.push(HARD.trim_start_matches('\n').to_owned());
    let bots: Vec<_> = folder_bots()
        .into_iter()
        .filter(|bot| SAME.contains(&bot.name().as_str()))
        .collect();
    let play = |bot: &FolderBot| {
        let moves = talks.iter().flat_map(|talk| moves(bot.command(), talk));
        (bot.name(), moves.collect())
    };
    let play = &play;
    let played: Vec<(String, Vec<String>)> = thread::scope(|scope| {
        let threads = bots.iter().map(|bot| scope.spawn(move || play(bot)));
        let threads: Vec<_> = threads.collect();
        let results = threads.into_iter().map(thread::ScopedJoinHandle::join);
        results.map(|result| result.expect("no panic")).collect()
    });
    let python = played.iter().find(|(name, _)| name == "python");
    let (_, expected) = python.expect("python3 is installed");
    let hard = &expected[expected.len() - 2..];
    // The answers are a corner, and the only square that stops a five.
    assert_eq!(hard, ["1234567 a1", "1234568 f2"], "the hard lines");
    for (name, moves) in &played {
        assert_eq!(moves, expected, "{name} and python");
    }
}

#[test]
fn every_folder_has_a_row_in_the_readme() {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots");
    let page = fs::read_to_string(bots.join("README.md")).expect("a page");
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("/`"));
    let listed: Vec<&str> = rows.map(|(name, _)| name).collect();
    for entry in fs::read_dir(&bots).expect("the bots").flatten() {
        let name = entry.file_name();
        // `engines` has the manifests of other programs, described in docs/engines.md.
        if entry.path().is_dir() && name != "engines" {
            assert!(listed.iter().any(|row| name == *row), "{name:?}");
        }
    }
    for row in listed {
        assert!(bots.join(row).is_dir(), "bots/{row} does not exist");
    }
}

fn moves(mut command: Command, talk: &str) -> Vec<String> {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let output = thread::scope(|scope| {
        scope.spawn(move || input.write_all(talk.as_bytes()).expect("it listens"));
        child.wait_with_output().expect("it ends")
    });
    assert!(output.status.success(), "{command:?}: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .filter(|message: &serde_json::Value| message["type"] == "move")
        .map(|message| {
            let played = message["move"].as_str().expect("a move");
            format!("{} {played}", message["id"])
        })
        .collect()
}

#[test]
fn every_bot_beats_random_in_real_games() {
    let bots = folder_bots();
    for game in games::names() {
        let workdir = Workdir::new();
        let mut text = format!(
            "game = {game:?}\nformat = \"gauntlet\"\ngames = {GAMES}\nmove_ms = 10000\n\
             concurrency = 2\npin = false\n[[bot]]\nuse = \"random\"\n"
        );
        let playing = bots
            .iter()
            .filter(|bot| bot.manifest.games.iter().any(|name| name == game));
        for bot in playing.clone() {
            text += &format!("[[bot]]\nname = {:?}\nuse = {:?}\n", bot.name(), bot.folder);
            if bot.name() == "python-alphabeta" {
                // With a time limit instead of a depth, the moves would differ from run to run.
                text += "options = { depth = 2 }\n";
            }
        }
        workdir.write("languages.toml", &text);
        workdir.succeed(["run", "languages.toml"]);
        let rows = table(&workdir.path("results/languages/standings.csv"));
        for bot in playing {
            let name = bot.name();
            let row = rows.iter().find(|row| row["bot"] == name).expect(&name);
            assert_eq!(row["faults"], "0", "{name}, {game}");
            let points: f64 = row["points"].parse().expect("a number");
            assert!(points >= LEAST, "{name}, {game}: {points} of {GAMES}");
        }
    }
}
