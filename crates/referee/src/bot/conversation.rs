//! The dialogue with one bot as a pure state machine: events with their times go in, their meaning
//! comes out. Nothing here reads a clock, a pipe or a process.
//!
//! A bot is greeted (`hello`, `ready`), then asked (`turn`, `move`) as often as its game needs.
//! [`Conversation::greet`] and [`Conversation::ask`] begin; [`Conversation::on`] takes every event
//! until it returns something other than [`Step::Wait`]. Its [`EngineAdapter`] says what the lines mean;
//! deadlines and faults are the same in every protocol.

use std::time::{Duration, Instant};

use protocol::{LineBuffer, MAX_LINE};

use crate::dialect::{Due, EngineAdapter, Heard, Protocol};
use crate::record::{Exit, Fault, Thought, excerpt};

/// How long the arena waits for the exit of a bot that closed its output: a process's pipes close a
/// moment before its status is available.
const CLOSING: Duration = Duration::from_millis(200);

/// An event.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The question is in the pipe; the time is that before its first byte was.
    Written,
    /// The bot wrote.
    Output(&'a [u8]),
    /// The bot's standard output was closed.
    OutputClosed,
    /// The process ended; everything it wrote has been handed in before.
    Exited(Exit),
    /// Only time has passed.
    Tick,
}

/// What an event means.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// Continue; call again with [`Event::Tick`] at the given time at the latest, if there is one.
    Wait(Option<Instant>),
    /// `ready` has come.
    Ready {
        /// The name that the bot gives.
        name: String,
        /// Its version.
        version: String,
    },
    /// The answer has come.
    Answer(Answer),
    /// The answer has come, too late: the caller charges the bot with the fault, or excuses it.
    Late(Answer, Fault),
    /// Write these bytes and continue; the question and its clock stay the same.
    Write(Vec<u8>),
    /// Its time is over, and no answer has come. The caller charges it with this fault, or waits on.
    Overdue(Fault),
    /// The bot is at fault; the dialogue has ended.
    Fault(Fault),
}

/// An answer to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move as it was written.
    pub played: String,
    /// From the question's first byte to the answer's newline; of an excused answer without the time for which others
    /// kept the bot or the arena from running.
    pub used: Duration,
    /// Whether it came too late and is excused.
    pub is_excused: bool,
    /// What the bot reported about its thinking, the last report of each value.
    pub thought: Thought,
}

/// The time a question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The limit that the bot was told; `None`: no limit.
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
    /// Nothing is expected.
    Idle,
    /// `hello` was sent; `ready` is due.
    Greeting {
        until: Instant,
        allowed: Duration,
        /// The last tolerated line, for the message that no answer came.
        last: String,
    },
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
        thought: Thought,
        /// The error if no answer comes, if known.
        doubt: Option<Fault>,
    },
    /// The output was closed; the exit status may still come.
    Closing { until: Instant, in_game: bool },
    /// At fault.
    Gone,
}

/// The dialogue with one process.
#[derive(Debug)]
pub struct Conversation {
    adapter: Box<dyn EngineAdapter>,
    state: State,
    lines: LineBuffer,
    /// The last question's id.
    id: u64,
}

impl Default for Conversation {
    fn default() -> Conversation {
        Conversation::new(Protocol::Arena.adapter(&[]))
    }
}

impl Conversation {
    /// A dialogue that has not begun.
    pub fn new(adapter: Box<dyn EngineAdapter>) -> Conversation {
        Conversation {
            adapter,
            state: State::Idle,
            lines: LineBuffer::new(),
            id: 0,
        }
    }

    /// Returns the adapter of its protocol.
    pub fn adapter(&mut self) -> &mut dyn EngineAdapter {
        &mut *self.adapter
    }

    /// `hello` is being sent at `now`; `ready` is due within `allowed`.
    pub fn greet(&mut self, allowed: Duration, now: Instant) {
        self.state = State::Greeting {
            until: now + allowed,
            allowed,
            last: String::new(),
        };
    }

    /// The number of the last question, which is its message's id.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The next question is being sent at `now`. Anything that the bot wrote before is a fault.
    pub fn ask(&mut self, allowance: Allowance, now: Instant) -> Step {
        if let State::Closing { .. } | State::Gone = self.state {
            return self.wait();
        }
        if let Some(fault) = self.unasked() {
            return self.fault(fault);
        }
        self.id += 1;
        self.state = State::Asking {
            id: self.id,
            since: now,
            allowance,
        };
        self.wait()
    }

    /// Checks what the bot wrote without a question, which talkative bots may.
    fn unasked(&mut self) -> Option<Fault> {
        if !self.adapter.is_talkative() {
            if self.lines.is_blank() {
                self.lines.clear();
                return None;
            }
            let text = excerpt(self.lines.rest());
            return Some(Fault::UnaskedOutput { text });
        }
        while let Some(line) = self.lines.next_line() {
            let Ok(line) = line else {
                return Some(Fault::LineTooLong);
            };
            if let Heard::Wrong(_) = self.adapter.hear(line, Due::Nothing) {
                let text = excerpt(line);
                return Some(Fault::UnaskedOutput { text });
            }
        }
        None
    }

    /// Charges the bot with a fault: what it writes from now on is not heard.
    pub fn end(&mut self) {
        self.state = State::Gone;
    }

    /// Whether the bot has written nothing between its games that is not allowed.
    pub fn is_quiet(&mut self) -> bool {
        self.unasked().is_none()
    }

    /// The bot's output that has not been read.
    pub fn unread(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Begins so much later than it did.
    pub fn later(&mut self, by: Duration) -> Step {
        match &mut self.state {
            State::Asking { since: from, .. }
            | State::Thinking { since: from, .. }
            | State::Greeting { until: from, .. } => *from += by,
            State::Idle | State::Closing { .. } | State::Gone => {}
        }
        self.wait()
    }

    /// Takes an event at `now`.
    pub fn on(&mut self, event: Event<'_>, now: Instant) -> Step {
        match event {
            Event::Written => self.written(now),
            Event::Output(bytes) => {
                if self.adapter.is_talkative() {
                    // CR LF is tolerated; blank lines are ignored.
                    let bytes: Vec<u8> = bytes
                        .iter()
                        .map(|&byte| if byte == b'\r' { b'\n' } else { byte })
                        .collect();
                    self.lines.extend(&bytes);
                } else {
                    self.lines.extend(bytes);
                }
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
            self.state = State::Thinking {
                id,
                since: now,
                allowance,
                thought: Thought::default(),
                doubt: None,
            };
        }
        // A bot may answer before it has read the whole question.
        self.read(now)
    }

    /// Reads whole lines while one is expected.
    fn read(&mut self, now: Instant) -> Step {
        while let State::Greeting { .. } | State::Thinking { .. } = self.state {
            let step = match self.lines.next_line() {
                None => break,
                Some(Err(_)) => Some(Step::Fault(Fault::LineTooLong)),
                Some(Ok(line)) => understand(&mut self.state, &mut *self.adapter, line, now),
            };
            match step {
                None => {}
                Some(Step::Fault(fault)) => return self.fault(fault),
                Some(again @ Step::Write(_)) => return again,
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
            let due = self.due();
            Fault::StartFailed {
                why: format!("ended before it {due}: {status}"),
            }
        })
    }

    fn tick(&mut self, now: Instant) -> Step {
        match &self.state {
            State::Greeting {
                until,
                allowed,
                last,
            } if now >= *until => Step::Overdue(Fault::HandshakeTimeout {
                allowed: *allowed,
                unanswered: self.adapter.unanswered(),
                last: last.clone(),
            }),
            &State::Closing { until, in_game } if now >= until => {
                let due = self.due();
                self.fault(if in_game {
                    Fault::ClosedOutput
                } else {
                    Fault::StartFailed {
                        why: format!("closed its standard output before it {due}"),
                    }
                })
            }
            State::Asking {
                since, allowance, ..
            }
            | State::Thinking {
                since, allowance, ..
            } if allowance.flag(*since).is_some_and(|flag| now >= flag) => {
                let late = Fault::OutOfTime {
                    used: now - *since,
                    allowed: allowance.limit.unwrap_or_default(),
                };
                let doubt = match &mut self.state {
                    State::Thinking { doubt, .. } => doubt.take(),
                    _ => None,
                };
                doubt.map_or(Step::Overdue(late), |doubt| self.fault(doubt))
            }
            _ => self.wait(),
        }
    }

    /// What a greeted bot has to do.
    fn due(&self) -> String {
        match self.adapter.unanswered() {
            nothing if nothing.is_empty() => "sent ready".to_owned(),
            command => format!("answered {command:?}"),
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

/// What a line means in a state that expects one; `None`: continue to read.
fn understand(
    state: &mut State,
    adapter: &mut dyn EngineAdapter,
    bytes: &[u8],
    now: Instant,
) -> Option<Step> {
    let bad = |why: String| Fault::BadMessage {
        line: excerpt(bytes),
        why,
    };
    match state {
        State::Greeting { last, .. } => match adapter.hear(bytes, Due::Ready) {
            Heard::Ready { name, version } => Some(Step::Ready { name, version }),
            Heard::Wrong(why) => Some(Step::Fault(bad(why))),
            Heard::Nothing
            | Heard::Thought(_)
            | Heard::Move { .. }
            | Heard::Again(_)
            | Heard::Doubtful(_) => {
                *last = excerpt(bytes);
                None
            }
        },
        State::Thinking {
            id,
            since,
            allowance,
            thought,
            doubt,
        } => match adapter.hear(bytes, Due::Move) {
            Heard::Nothing | Heard::Ready { .. } => None,
            Heard::Wrong(why) => Some(Step::Fault(bad(why))),
            Heard::Thought(news) => {
                thought.update(news);
                None
            }
            Heard::Again(question) => {
                *doubt = None;
                Some(Step::Write(question))
            }
            Heard::Doubtful(why) => {
                *doubt = Some(bad(why));
                None
            }
            Heard::Move {
                id: echoed,
                played,
                thought: last,
            } => {
                if let Some(echoed) = echoed.filter(|echoed| echoed != id) {
                    let why = format!("it answers question {echoed}, but {id} was asked");
                    return Some(Step::Fault(bad(why)));
                }
                thought.update(last);
                let answer = Answer {
                    played,
                    used: now - *since,
                    is_excused: false,
                    thought: std::mem::take(thought),
                };
                Some(match allowance.flag(*since) {
                    Some(flag) if now >= flag => {
                        let (used, allowed) = (answer.used, allowance.limit.unwrap_or_default());
                        Step::Late(answer, Fault::OutOfTime { used, allowed })
                    }
                    _ => Step::Answer(answer),
                })
            }
        },
        State::Idle | State::Asking { .. } | State::Closing { .. } | State::Gone => None,
    }
}

#[cfg(test)]
mod tests;
