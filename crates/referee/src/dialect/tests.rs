//! Tests of the arena's side of `crates/protocol/tests/dialogues`. They make the arena send its messages (`hello`,
//! `turn`, …) and read the program's lines, and compare the sent bytes and the meanings of the lines. If a dialogue
//! names an engine, that engine wrote the program's lines.

use std::time::Duration;

use games::{Game, Move, Rules, Side, parse_transcript};
use protocol::{GameResult, Over, Start};

use super::*;
use crate::dialogues::{Dialogue, dialogues, hold_again};
use crate::record::Thought;

#[test]
fn the_arena_sends_and_understands_the_dialogues() {
    hold_again(&dialogues("game"), played_again);
}

fn played_again(dialogue: &Dialogue) -> Vec<String> {
    let head = |key: &str| dialogue.head.get(key).cloned();
    let game = game(&head("game").unwrap_or_default());
    let protocol = Protocol::from_word(&dialogue.head["protocol"]).expect("a protocol");
    let setup: Vec<String> = head("setup").into_iter().collect();
    let mut adapter = protocol.adapter(&setup);
    let (mut text, mut due, mut id) = (Vec::new(), Due::Nothing, 0);
    for line in &dialogue.lines {
        let mut sent = Vec::new();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "<" => {
                let heard = adapter.hear(rest.trim().as_bytes(), due);
                text.push(line.clone());
                text.extend(meaning(&heard));
                continue;
            }
            "hello" => {
                due = Due::Ready;
                adapter.hello(&start(game, rest.split(' ')), &mut sent);
            }
            "turn" => {
                due = Due::Move;
                id += 1;
                turn(&mut *adapter, game, id, rest, &mut sent);
            }
            "over" => {
                due = Due::Nothing;
                let over = Over {
                    result: GameResult::Win,
                    reason: "discs".to_owned(),
                    black: 40,
                    white: 24,
                };
                adapter.over(&over, &mut sent);
            }
            "quit" => adapter.quit(&mut sent),
            _ => continue,
        }
        text.push(line.clone());
        text.extend(lines(&sent));
    }
    text
}

fn game(words: &str) -> Game {
    let words: Vec<&str> = words.split(' ').collect();
    let size = words.get(2).map(|size| size.parse().expect("a size"));
    let game = Game::new(words[0], words.get(1).copied(), size).expect("a game");
    game.with_opening(words.get(3).copied()).expect("a rule")
}

/// Parses `hello white move_ms=100 game_ms=0 increment_ms=0 memory_mib=0`.
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

/// Parses `turn f5d6 59000 40`: moves, ms left on both clocks, and the number of moves that this time is for.
fn turn(adapter: &mut dyn EngineAdapter, game: Game, id: u64, words: &str, sent: &mut Vec<u8>) {
    let mut words = words.split(' ');
    let moves = words.next().unwrap_or_default();
    let (mut moves, mut board) = parse_transcript(game, moves).expect("moves");
    // The transcript of a game has no passes; the arena adds them.
    while board.must_pass() {
        board.play(Move::Pass).expect("it must");
        moves.push(Move::Pass);
    }
    let moves = games::counted(game, &moves);
    let left = words.next().map_or(0, |left| left.parse().expect("ms"));
    let question = Question {
        board: &board,
        legal: &board.legal_squares(),
        moves: &moves,
        left_ms: [left, left],
        moves_to_go: words.next().map(|moves| moves.parse().expect("moves")),
    };
    adapter.turn(id, &question, sent);
}

fn lines(sent: &[u8]) -> Vec<String> {
    let sent = std::str::from_utf8(sent).expect("text").lines();
    sent.map(|sent| format!("> {sent}")).collect()
}

fn meaning(heard: &Heard) -> Vec<String> {
    let means = match heard {
        Heard::Nothing => return Vec::new(),
        Heard::Again(question) => return lines(question),
        Heard::Ready { name, version } => format!("ready {name:?} {version:?}"),
        Heard::Thought(thought) => thought_text(thought),
        Heard::Move {
            played, thought, ..
        } => format!("plays {played} {}", thought_text(thought)),
        Heard::Doubtful(why) => format!("wrong if no move comes: {why}"),
        Heard::Unable(text) => format!("cannot continue: {text}"),
        Heard::Wrong(why) => format!("wrong: {why}"),
    };
    vec![format!("    {}", means.trim_end())]
}

/// Returns the reported values: `depth 9 score -1.5 nodes 10 time 12.5 ms pv d3 c5`.
pub(crate) fn thought_text(thought: &Thought) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let pv = thought.pv.iter().map(|expected| format!(" {expected}"));
    let pv: String = pv.collect();
    let values = [
        thought.depth.map(|depth| format!("depth {depth} ")),
        thought.score.map(|score| format!("score {score} ")),
        thought.nodes.map(|nodes| format!("nodes {nodes} ")),
        thought.time.map(|time| format!("time {} ms ", ms(time))),
        (!pv.is_empty()).then(|| format!("pv{pv} ")),
        (!thought.spent.is_empty()).then(|| format!("spent {} ", thought.spent)),
        (!thought.text.is_empty()).then(|| format!("text {:?}", thought.text)),
    ];
    let text: String = values.into_iter().flatten().collect();
    text.trim_end().to_owned()
}

#[test]
fn each_protocol_knows_its_games() {
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
