//! The talk as a table: what a bot does and when, and what the arena makes of it. Time is invented,
//! so every deadline is tested to the nanosecond.
//!
//! The verdicts are those of the protocol's own text ("Whose fault" in the design) and of the list
//! of misbehaving bots in `tests/bots/misbehave.py`, which does the same with real processes.

mod answers;
mod bytes;
mod deadlines;
mod engines;
mod unasked;

use std::time::{Duration, Instant};

use super::*;

const MOVE: Duration = Duration::from_millis(100);
const MARGIN: Duration = Duration::from_millis(20);
const HANDSHAKE: Duration = Duration::from_secs(10);
const NANOSECOND: Duration = Duration::from_nanos(1);

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn just_before(time: Instant) -> Instant {
    time.checked_sub(NANOSECOND).expect("a clock that runs")
}

fn allowance() -> Allowance {
    Allowance {
        limit: Some(MOVE),
        margin: MARGIN,
    }
}

/// A bot that was asked question 1 at `start`; the question was written at once.
fn asked(start: Instant) -> Conversation {
    let mut talk = Conversation::default();
    let flag = Step::Wait(Some(start + MOVE + MARGIN));
    assert_eq!(talk.ask(allowance(), start), flag);
    assert_eq!(talk.on(Event::Written, start), flag);
    talk
}

/// A bot that was greeted at `start`.
fn greeted(start: Instant) -> Conversation {
    let mut talk = Conversation::default();
    talk.greet(HANDSHAKE, start);
    talk
}

/// What the bot's words mean.
fn heard(talk: &mut Conversation, output: &[u8], now: Instant) -> String {
    word(&talk.on(Event::Output(output), now))
}

/// Nothing becomes of time until `due`; returns what becomes of it then.
fn falls_at(talk: &mut Conversation, due: Instant) -> Step {
    let early = talk.on(Event::Tick, just_before(due));
    assert_eq!(early, Step::Wait(Some(due)));
    talk.on(Event::Tick, due)
}

/// What becomes of `output` as the answer to question 1, 7 ms after it was asked.
fn answer(output: &[u8]) -> Step {
    let start = Instant::now();
    asked(start).on(Event::Output(output), start + ms(7))
}

fn greeting(output: &[u8]) -> Step {
    let start = Instant::now();
    let mut talk = greeted(start);
    talk.on(Event::Written, start);
    talk.on(Event::Output(output), start + ms(7))
}

/// The fault's word, or the move, or `wait`.
fn word(step: &Step) -> String {
    match step {
        Step::Wait(_) => "wait".to_owned(),
        Step::Ready { name, .. } => format!("ready {name}"),
        Step::Answer(answer) => format!("answer {}", answer.played),
        Step::Write(bytes) => format!("write {:?}", String::from_utf8_lossy(bytes)),
        Step::Overdue(fault) | Step::Fault(fault) => fault.word().to_owned(),
    }
}

/// The same; of a fault, what its author is told.
fn said(step: Step) -> String {
    match step {
        Step::Overdue(fault) | Step::Fault(fault) => fault.to_string(),
        other => word(&other),
    }
}
