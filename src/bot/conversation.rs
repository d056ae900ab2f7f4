//! The talk with one bot as a pure state machine: what arrives and when goes in, what it means
//! comes out. Nothing here reads a clock, a pipe or a process.
//!
//! A bot is greeted (`hello`, `ready`), then asked (`turn`, `move`) as often as its game wants.
//! [`Conversation::greet`] and [`Conversation::ask`] begin; [`Conversation::on`] takes every event
//! until it returns something other than [`Step::Wait`].

use std::borrow::Cow;
use std::time::{Duration, Instant};

use protocol::{LineBuffer, MAX_LINE};
use serde::Deserialize;

use crate::record::{Exit, Fault, excerpt};

/// How long a bot that closed its output may take to turn out to have ended: a process's pipes
/// close a moment before its status can be had.
const CLOSING: Duration = Duration::from_millis(200);

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The last byte of the question went into the pipe.
    Written,
    /// The bot wrote.
    Output(&'a [u8]),
    /// The bot's standard output was closed.
    OutputClosed,
    /// The process ended; everything it wrote has been handed in before.
    Exited(Exit),
    /// Nothing, but time has passed.
    Tick,
}

/// What it means.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// Go on; call again with [`Event::Tick`] at the given time at the latest, if there is one.
    Wait(Option<Instant>),
    /// `ready` has come.
    Ready {
        /// What the bot calls itself.
        name: String,
        /// Its version.
        version: String,
    },
    /// The answer has come.
    Answer(Reply),
    /// The bot is at fault and is not to be talked to again.
    Fault(Fault),
    /// An answer lay there when the arena looked, but the arena looked only after the flag would
    /// have fallen: who was late cannot be told.
    ArenaLate {
        /// How long after the flag the arena looked.
        by: Duration,
    },
}

/// An answer to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The move as it was written.
    pub played: String,
    /// From the question's last byte to the answer's newline.
    pub used: Duration,
    /// The last `info` before it.
    pub depth: Option<u32>,
    /// The last score told.
    pub score: Option<f64>,
    /// The last count of nodes told.
    pub nodes: Option<u64>,
}

/// The time a question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What the bot was told; `None`: no limit.
    pub limit: Option<Duration>,
    /// Added before the flag falls.
    pub margin: Duration,
}

impl Allowance {
    fn flag(self, from: Instant) -> Option<Instant> {
        self.limit.map(|limit| from + limit + self.margin)
    }
}

/// States own what they need: a bot that is idle has no deadline to forget.
#[derive(Debug)]
enum State {
    /// Not being waited for.
    Idle,
    /// `hello` was sent; `ready` is due.
    Greeting { until: Instant, allowed: Duration },
    /// `turn` is being written, and may take as long as the move itself.
    Asking {
        id: u64,
        since: Instant,
        allowance: Allowance,
    },
    /// `turn` was written; `move` is due.
    Thinking {
        id: u64,
        since: Instant,
        allowance: Allowance,
        told: Reply,
    },
    /// The output was closed; the exit status may still come.
    Closing { until: Instant, in_game: bool },
    /// At fault.
    Gone,
}

/// The talk with one process.
#[derive(Debug)]
pub struct Conversation {
    state: State,
    lines: LineBuffer,
    /// The last question's id.
    id: u64,
}

/// A line of a bot, whatever its type: one pass over the text, nothing copied. A key that stands
/// twice, a number that no `f64` holds and text that is not UTF-8 are errors.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    id: Option<u64>,
    #[serde(borrow, rename = "move")]
    played: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    version: Option<Cow<'a, str>>,
    depth: Option<f64>,
    score: Option<f64>,
    nodes: Option<f64>,
}

impl Default for Conversation {
    fn default() -> Conversation {
        Conversation::new()
    }
}

impl Conversation {
    /// A talk that has not begun.
    pub fn new() -> Conversation {
        Conversation {
            state: State::Idle,
            lines: LineBuffer::new(),
            id: 0,
        }
    }

    /// `hello` is being sent at `now`; `ready` is due within `allowed`.
    pub fn greet(&mut self, allowed: Duration, now: Instant) {
        self.state = State::Greeting {
            until: now + allowed,
            allowed,
        };
    }

    /// The id that the next question is to carry.
    pub fn next_id(&self) -> u64 {
        self.id + 1
    }

    /// The next question is being sent at `now`. Anything the bot wrote before is held against it.
    pub fn ask(&mut self, allowance: Allowance, now: Instant) -> Step {
        if let State::Closing { .. } | State::Gone = self.state {
            return self.wait();
        }
        if !self.lines.is_blank() {
            let text = excerpt(self.lines.rest());
            return self.fault(Fault::UnaskedOutput { text });
        }
        self.lines.clear();
        self.id += 1;
        self.state = State::Asking {
            id: self.id,
            since: now,
            allowance,
        };
        self.wait()
    }

    /// What the bot wrote that nobody has looked at.
    pub fn unread(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Takes an event at `now`.
    pub fn on(&mut self, event: Event<'_>, now: Instant) -> Step {
        match event {
            Event::Written => self.written(now),
            Event::Output(bytes) => {
                self.lines.extend(bytes);
                if matches!(self.state, State::Asking { .. }) && self.unread().len() > MAX_LINE {
                    let text = excerpt(self.unread());
                    return self.fault(Fault::UnaskedOutput { text });
                }
                self.read(now)
            }
            Event::OutputClosed => self.closed(now),
            Event::Exited(exit) => self.exited(exit),
            Event::Tick => self.tick(now),
        }
    }

    fn written(&mut self, now: Instant) -> Step {
        if let State::Asking { id, allowance, .. } = self.state {
            let told = Reply::default();
            self.state = State::Thinking {
                id,
                since: now,
                allowance,
                told,
            };
            // A bot that answers before it has read the whole question is not asked what it knew.
            return self.read(now);
        }
        self.wait()
    }

    /// Reads whole lines for as long as one is awaited.
    fn read(&mut self, now: Instant) -> Step {
        while let State::Greeting { .. } | State::Thinking { .. } = self.state {
            let step = match self.lines.next_line() {
                None => break,
                Some(Err(_)) => Some(Step::Fault(Fault::LineTooLong)),
                Some(Ok(line)) => understand(&mut self.state, line, now),
            };
            match step {
                None => {}
                Some(Step::Fault(fault)) => return self.fault(fault),
                Some(step) => {
                    self.state = State::Idle;
                    return step;
                }
            }
        }
        self.wait()
    }

    fn closed(&mut self, now: Instant) -> Step {
        let in_game = match self.state {
            State::Gone | State::Closing { .. } => return self.wait(),
            State::Greeting { .. } => false,
            State::Idle | State::Asking { .. } | State::Thinking { .. } => true,
        };
        self.state = State::Closing {
            until: now + CLOSING,
            in_game,
        };
        self.wait()
    }

    fn exited(&mut self, status: Exit) -> Step {
        let in_game = match self.state {
            State::Greeting { .. } => false,
            State::Closing { in_game, .. } => in_game,
            State::Gone => return self.wait(),
            State::Idle | State::Asking { .. } | State::Thinking { .. } => true,
        };
        self.fault(if in_game {
            Fault::Crashed { status }
        } else {
            Fault::StartFailed {
                why: format!("ended before it said ready: {status}"),
            }
        })
    }

    fn tick(&mut self, now: Instant) -> Step {
        match self.state {
            State::Greeting { until, allowed } if now >= until => {
                self.fault(Fault::HandshakeTimeout { allowed })
            }
            State::Closing { until, in_game } if now >= until => self.fault(if in_game {
                Fault::ClosedOutput
            } else {
                Fault::StartFailed {
                    why: "closed its standard output before it said ready".into(),
                }
            }),
            State::Asking {
                since, allowance, ..
            }
            | State::Thinking {
                since, allowance, ..
            } if allowance.flag(since).is_some_and(|flag| now >= flag) => {
                let allowed = allowance.limit.unwrap_or_default();
                self.fault(Fault::OutOfTime {
                    used: now - since,
                    allowed,
                })
            }
            _ => self.wait(),
        }
    }

    fn fault(&mut self, fault: Fault) -> Step {
        self.state = State::Gone;
        Step::Fault(fault)
    }

    fn wait(&self) -> Step {
        Step::Wait(match self.state {
            State::Idle | State::Gone => None,
            State::Greeting { until, .. } | State::Closing { until, .. } => Some(until),
            State::Asking {
                since, allowance, ..
            }
            | State::Thinking {
                since, allowance, ..
            } => allowance.flag(since),
        })
    }
}

/// The arena is woken when a flag falls. If it looks this much later, it was itself kept waiting.
const LATE: Duration = Duration::from_millis(5);

/// What a line means in a state that awaits one; `None`: read on.
fn understand(state: &mut State, bytes: &[u8], now: Instant) -> Option<Step> {
    let bad = |why: String| {
        Some(Step::Fault(Fault::BadMessage {
            line: excerpt(bytes),
            why,
        }))
    };
    let line: Line = match std::str::from_utf8(bytes) {
        Err(error) => return bad(format!("not UTF-8 ({error})")),
        // A list would do for a struct, too, but not for the protocol.
        Ok(text) if text.starts_with('[') => {
            return bad("not a message (a list where an object was due)".to_owned());
        }
        Ok(text) => match serde_json::from_str(text) {
            Err(error) => return bad(format!("not a message ({error})")),
            Ok(line) => line,
        },
    };
    let kind = line.kind.as_deref();
    match state {
        State::Greeting { .. } => match kind {
            Some("ready") => Some(Step::Ready {
                name: line.name.unwrap_or_default().into_owned(),
                version: line.version.unwrap_or_default().into_owned(),
            }),
            Some("info") => None,
            _ => bad("\"ready\" was due".to_owned()),
        },
        State::Thinking {
            id,
            since,
            allowance,
            told,
        } => match (kind, line.played) {
            (Some("info"), _) => {
                told.depth = line.depth.map(|depth| depth as u32).or(told.depth);
                told.score = line.score.or(told.score);
                told.nodes = line.nodes.map(|nodes| nodes as u64).or(told.nodes);
                None
            }
            (Some("move") | None, Some(played)) => {
                if let Some(echoed) = line.id.filter(|echoed| echoed != id) {
                    return bad(format!("it answers question {echoed}, but {id} was asked"));
                }
                let used = now - *since;
                let flag = allowance.flag(*since).filter(|&flag| now >= flag);
                if let Some(flag) = flag {
                    let by = now - flag;
                    let allowed = allowance.limit.unwrap_or_default();
                    return Some(if by >= LATE {
                        Step::ArenaLate { by }
                    } else {
                        Step::Fault(Fault::OutOfTime { used, allowed })
                    });
                }
                let told = std::mem::take(told);
                Some(Step::Answer(Reply {
                    played: played.into_owned(),
                    used,
                    ..told
                }))
            }
            (Some("move") | None, None) => bad("a \"move\" was due".to_owned()),
            (Some("ready"), _) => bad("\"ready\" was said already; a \"move\" was due".to_owned()),
            (Some(other), _) => bad(format!("the arena knows no message of type {other:?}")),
        },
        State::Idle | State::Asking { .. } | State::Closing { .. } | State::Gone => None,
    }
}

#[cfg(test)]
mod tests;
