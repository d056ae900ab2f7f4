//! What a bot does and when, and what the arena makes of it. Time is invented, so every deadline is tested to the
//! nanosecond.
//!
//! The verdicts are those of the protocol's own text ("Whose fault" in the design) and of the list
//! of misbehaving bots in `tests/bots/misbehave.py`, which does the same with real processes.

mod bytes;

use std::path::Path;
use std::time::{Duration, Instant};

use super::*;
use crate::dialect::Question;
use crate::dialect::tests::told;
use crate::tests::dialogues::{Dialogue, hold_again, read};

const MOVE: Duration = Duration::from_millis(100);
const MARGIN: Duration = Duration::from_millis(20);
const HANDSHAKE: Duration = Duration::from_secs(10);

/// A file beside this one.
fn texts(name: &str) -> Vec<Dialogue> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bot/conversation/tests");
    read(&folder.join(name))
}

/// `tests/talks.txt`: a line is a time in ms and what happens then, with escapes in what a bot writes. Below it stands
/// what becomes of it; where nothing does, the arena waits.
#[test]
fn a_talk_goes_as_it_stands() {
    hold_again(&texts("talks.txt"), held_again);
}

fn held_again(talk: &Dialogue) -> Vec<String> {
    let start = Instant::now();
    let protocol = talk.head.get("protocol").map(String::as_str);
    let protocol = protocol.and_then(Protocol::from_word).unwrap_or_default();
    let mut bot = Conversation::new(protocol.adapter(&[]));
    let mut found = Vec::new();
    let mut lines = talk.lines.iter().peekable();
    while let Some(line) = lines.next() {
        let step = happens(&mut bot, line, start);
        found.push(line.clone());
        let says_more = lines.next_if(|line| line.starts_with("    ")).is_some();
        if says_more || !matches!(step, Step::Wait(_)) {
            found.push(format!("    {}", shown(&step, start)));
        }
    }
    found
}

/// Has one line of a talk happen.
fn happens(bot: &mut Conversation, line: &str, start: Instant) -> Step {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (at, event, rest) = (word(), word(), word());
    let at: f64 = at.parse().expect("ms");
    let now = start + Duration::from_secs_f64(at / 1000.0);
    let bytes = bytes_of(rest);
    let number = || rest.parse().expect("a number");
    let event = match event {
        "greet" => {
            greet(bot, now);
            return bot.wait();
        }
        "ask" => return ask(bot, rest, now),
        "written" => Event::Written,
        "<" => Event::Output(&bytes),
        "closes" => Event::OutputClosed,
        "exits" => Event::Exited(Exit::Status(number())),
        "killed" => Event::Exited(Exit::Signal(number())),
        "tick" => Event::Tick,
        _ => panic!("{line}: nothing happens so"),
    };
    bot.on(event, now)
}

/// A game begins: of Gomoku for engines, which answer to what they are sent.
fn greet(bot: &mut Conversation, now: Instant) {
    let game = games::Game::new("gomoku", None, None).expect("a game");
    let hello = protocol::Start {
        move_time: Some(MOVE),
        ..protocol::Start::untimed(game, games::Side::Black)
    };
    bot.adapter().hello(&hello, &mut Vec::new());
    bot.greet(HANDSHAKE, now);
}

/// Asks for a move; where there are moves, an engine is sent what follows them.
fn ask(bot: &mut Conversation, moves: &str, now: Instant) -> Step {
    let is_limited = moves != "without limit";
    let step = bot.ask(
        Allowance {
            limit: is_limited.then_some(MOVE),
            margin: MARGIN,
        },
        now,
    );
    if is_limited && !moves.is_empty() {
        let game = games::Game::new("gomoku", None, None).expect("a game");
        let (moves, board) = games::parse_transcript(game, moves).expect("legal");
        let question = Question {
            board: &board,
            legal: &[],
            moves: &moves,
            left_ms: [0; 2],
            moves_to_go: None,
        };
        let id = bot.id();
        bot.adapter().turn(id, &question, &mut Vec::new());
    }
    step
}

/// The bytes of a text with the escapes `\n`, `\r`, `\t`, `\\` and `\xff`; `\{9 x}` is `x` nine times.
fn bytes_of(text: &str) -> Vec<u8> {
    let Some((before, escape)) = text.split_once('\\') else {
        return text.as_bytes().to_vec();
    };
    let (bytes, rest) = match escape.split_at(1) {
        ("n", rest) => (vec![b'\n'], rest),
        ("r", rest) => (vec![b'\r'], rest),
        ("t", rest) => (vec![b'\t'], rest),
        ("\\", rest) => (vec![b'\\'], rest),
        ("x", rest) => {
            let byte = u8::from_str_radix(&rest[..2], 16).expect("two digits");
            (vec![byte], &rest[2..])
        }
        ("{", rest) => {
            let (inside, rest) = rest.split_once('}').expect("an end");
            let (times, text) = inside.split_once(' ').expect("a number and a text");
            (
                bytes_of(text).repeat(times.parse().expect("a number")),
                rest,
            )
        }
        _ => panic!("{text}: there is no such escape"),
    };
    [before.as_bytes(), &bytes, &bytes_of(rest)].concat()
}

/// A step in the words of the files.
fn shown(step: &Step, start: Instant) -> String {
    let ms = |time: Duration| time.as_nanos() as f64 / 1e6;
    let wrong = |fault: &Fault| match fault {
        Fault::OutOfTime { used, allowed } => {
            format!("out-of-time: {fault}; exactly {used:?} of {allowed:?}")
        }
        _ => format!("{}: {fault}", fault.word()),
    };
    match step {
        Step::Wait(None) => "wait".to_owned(),
        Step::Wait(Some(until)) => format!("wait until {}", ms(*until - start)),
        Step::Ready { name, version } => format!("ready {name:?} {version:?}"),
        Step::Answer(answer) => {
            let (used, thought) = (ms(answer.used), told(&answer.thought));
            let text = format!("answer {} after {used} ms {thought}", answer.played);
            text.trim_end().to_owned()
        }
        Step::Write(bytes) => format!("write {}", bytes.escape_ascii()),
        Step::Overdue(fault) => format!("overdue, {}", wrong(fault)),
        Step::Late(answer, fault) => format!("late, answer {}, {}", answer.played, wrong(fault)),
        Step::Fault(fault) => format!("fault, {}", wrong(fault)),
    }
}

/// `tests/answers.txt`: the first line that a bot writes, 7 ms after it was greeted (`to: hello`) or asked, and what that
/// means. Of a fault its word is enough.
#[test]
fn a_line_means_what_stands_beside_it() {
    for table in texts("answers.txt") {
        let is_greeting = table.head.contains_key("to");
        for line in &table.lines {
            let (output, expected) = line.split_once(" =>").expect("a line and its meaning");
            let output = [bytes_of(output), b"\n".to_vec()].concat();
            let start = Instant::now();
            let bot = if is_greeting {
                greeted(start)
            } else {
                asked(start)
            };
            let found = after_7_ms(bot, &output, start);
            let expected = String::from_utf8(bytes_of(expected)).expect("text");
            let expected = expected.trim();
            let is_right = found == expected || found.starts_with(&format!("{expected}: "));
            assert!(is_right, "{}: {line}: {found}", table.title);
        }
    }
}

fn after_7_ms(mut bot: Conversation, output: &[u8], start: Instant) -> String {
    let step = bot.on(Event::Output(output), start + Duration::from_millis(7));
    let found = shown(&step, start).replace(" after 7 ms", "");
    let found = found.strip_prefix("fault, ").unwrap_or(&found);
    let found = found.split(" until").next().unwrap_or_default();
    found.trim_end().to_owned()
}

/// A bot that was asked question 1 at `start`; the question was written at once.
fn asked(start: Instant) -> Conversation {
    let mut bot = Conversation::default();
    ask(&mut bot, "", start);
    bot.on(Event::Written, start);
    bot
}

/// A bot that was greeted at `start`.
fn greeted(start: Instant) -> Conversation {
    let mut bot = Conversation::default();
    greet(&mut bot, start);
    bot.on(Event::Written, start);
    bot
}
