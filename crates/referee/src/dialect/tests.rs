//! Transcripts, a line each: what the arena has to say (`hello`, `turn`, …), what goes over the pipe
//! (`>` to the engine, `<` from it) and what that means (indented). A test plays the first and the
//! `<` lines and compares the whole. Words of engines are those that the engines named wrote.

use std::fmt::Write as _;
use std::time::Duration;

use games::{Game, Move, Rules, Side, parse_transcript};
use protocol::{GameResult, Over, Start};

use super::*;
use crate::record::Thought;

/// What becomes of `transcript` when it is played again.
pub(super) fn played_again(dialect: &mut dyn Dialect, game: Game, transcript: &str) -> String {
    let mut text = String::new();
    let mut due = Due::Nothing;
    let mut id = 0;
    for line in transcript.lines().map(str::trim_end) {
        let mut words = line.split(' ');
        let mut sent = Vec::new();
        match words.next().unwrap_or_default() {
            "<" => {
                let heard = dialect.hear(line.get(2..).unwrap_or_default().trim().as_bytes(), due);
                let _ = writeln!(text, "{line}");
                let _ = write!(text, "{}", meaning(&heard));
                continue;
            }
            "hello" => {
                due = Due::Ready;
                dialect.hello(&start(game, words), &mut sent);
            }
            "turn" => {
                due = Due::Move;
                id += 1;
                let moves = words.next().unwrap_or_default();
                let (mut moves, mut board) = parse_transcript(game, moves).expect("moves");
                // The transcript of a game leaves its passes out; the arena makes them.
                while board.must_pass() {
                    board.play(Move::Pass).expect("it must");
                    moves.push(Move::Pass);
                }
                let left = words.next().map_or(0, |left| left.parse().expect("ms"));
                let question = Question {
                    board: &board,
                    legal: &board.legal_squares(),
                    moves: &moves,
                    left_ms: [left, left],
                    moves_to_go: words.next().map(|moves| moves.parse().expect("moves")),
                };
                dialect.turn(id, &question, &mut sent);
            }
            "over" => {
                due = Due::Nothing;
                let over = Over {
                    result: GameResult::Win,
                    reason: "discs".to_owned(),
                    black: 40,
                    white: 24,
                };
                dialect.over(&over, &mut sent);
            }
            "quit" => dialect.quit(&mut sent),
            _ => continue,
        }
        let _ = writeln!(text, "{line}");
        for sent in String::from_utf8(sent).expect("text").lines() {
            let _ = writeln!(text, "> {sent}");
        }
    }
    text
}

/// `hello white move_ms=100 game_ms=0 increment_ms=0 memory_mib=0`
fn start<'a>(game: Game, words: impl Iterator<Item = &'a str>) -> Start {
    let mut start = Start {
        seed: 1,
        ..Start::untimed(game, Side::Black)
    };
    for word in words {
        let (key, number) = word.split_once('=').unwrap_or((word, "0"));
        let number: u64 = number.parse().expect("a number");
        let time = Duration::from_millis(number);
        match key {
            "white" => start.you = Side::White,
            "move_ms" => start.move_time = Some(time),
            "game_ms" => start.game_time = Some(time),
            "period_moves" => start.period_moves = Some(number as u32),
            "increment_ms" => start.increment = time,
            "memory_mib" => start.memory_mib = Some(number),
            _ => {}
        }
    }
    start
}

fn meaning(heard: &Heard) -> String {
    match heard {
        Heard::Nothing => String::new(),
        Heard::Ready { name, version } => format!("    ready {name:?} {version:?}\n"),
        Heard::Thought(thought) => format!("    {}\n", told(thought).trim()),
        Heard::Move {
            played, thought, ..
        } => format!("    plays {played}{}\n", told(thought)),
        Heard::Again(question) => {
            let question = String::from_utf8_lossy(question);
            let lines = question.lines().map(|line| format!("> {line}\n"));
            lines.collect()
        }
        Heard::Doubtful(why) => format!("    wrong if no move comes: {why}\n"),
        Heard::Wrong(why) => format!("    wrong: {why}\n"),
    }
}

fn told(thought: &Thought) -> String {
    let mut text = String::new();
    if let Some(depth) = thought.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(score) = thought.score {
        let _ = write!(text, " score {score}");
    }
    if let Some(nodes) = thought.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(time) = thought.time {
        let _ = write!(text, " time {} ms", time.as_millis());
    }
    if !thought.pv.is_empty() {
        text += " pv";
        for expected in &thought.pv {
            let _ = write!(text, " {expected}");
        }
    }
    text
}

/// Plays a transcript again and compares.
pub(super) fn check(protocol: Protocol, setup: &[&str], game: Game, transcript: &str) {
    let setup: Vec<String> = setup.iter().map(|&line| line.to_owned()).collect();
    let mut dialect = protocol.dialect(&setup);
    let transcript = transcript.trim_start_matches('\n');
    let again = played_again(&mut *dialect, game, transcript);
    assert_eq!(again, transcript, "got:\n{again}");
}

#[test]
fn the_arena_s_own_language() {
    check(
        Protocol::Arena,
        &[],
        Game::OTHELLO,
        r#"
hello white move_ms=100
> {"type":"hello","protocol":1,"game":"othello","rules":"standard","size":8,"you":"white","move_ms":100,"game_ms":0,"increment_ms":0,"memory_mib":0,"seed":1}
< {"type":"ready","name":"my bot","version":"1.0"}
    ready "my bot" "1.0"
< {"type":"move","move":"d3"}
    wrong: "ready" was expected
< MESSAGE hello
    wrong: not a message (it is not JSON)
< ? unknown command
    wrong: not a message (it is not JSON); that looks like protocol = "gtp", but the arena used arena: put gtp: before the command
over
> {"type":"over","result":"win","reason":"discs","black":40,"white":24}
quit
> {"type":"quit"}
"#,
    );
}

/// Rust reads these words as numbers; no column and no bar can show them.
#[test]
fn a_score_that_is_no_number_is_none() {
    for (text, score) in [
        ("-1.5", Some(-1.5)),
        ("nan", None),
        ("inf", None),
        ("", None),
    ] {
        assert_eq!(language::finite(text), score, "{text}");
        let mut engine = Protocol::Nboard.dialect(&[]);
        let heard = engine.hear(format!("=== F5/{text}/0.1").as_bytes(), Due::Move);
        let Heard::Move { thought, .. } = heard else {
            panic!("{heard:?}")
        };
        assert_eq!(thought.score, score, "{text}");
    }
}

#[test]
fn a_game_that_a_language_cannot_tell_is_known() {
    for (protocol, games) in [
        (Protocol::Arena, &["othello", "gomoku"][..]),
        (Protocol::Gomocup, &["gomoku"]),
        (Protocol::Gtp, &["othello", "gomoku"]),
        (Protocol::Nboard, &["othello"]),
        (Protocol::Columbia, &["othello"]),
    ] {
        assert_eq!(protocol.games(), games, "{protocol:?}");
        assert_eq!(Protocol::from_word(protocol.word()), Some(protocol));
    }
}
