//! The dialogue with one bot as a pure state machine: each event, with its time, leads to a [`Step`]. Nothing here
//! reads a clock, a pipe or a process.
//!
//! A bot is greeted (`hello`, `ready`), then asked (`turn`, `move`) for each of its moves. After
//! [`Conversation::greet`] or [`Conversation::ask`], the caller passes every event to [`Conversation::on`] until it
//! returns something other than [`Step::Wait`]. The [`EngineAdapter`] interprets the lines.

use std::time::{Duration, Instant};

use message::{Message, message};
use protocol::{LineBuffer, MAX_LINE};

use super::deadline::{Allowance, Deadline};
use crate::dialect::{Due, EngineAdapter, Heard, Protocol};
use crate::record::{Exit, Fault, Thought, excerpt};

/// The longest wait for the exit status of a bot that has closed its output.
const CLOSING: Duration = Duration::from_secs(2);

/// The longest wait for an answer to the further lines of a greeting. Some bots never answer them.
const SETTLING: Duration = Duration::from_millis(300);

#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The whole question has been written. The event's time is the time before the question's first byte was written.
    Written,
    Output(&'a [u8]),
    OutputClosed,
    /// The process has ended. The caller has already passed all its output.
    Exited(Exit),
    Tick,
}

#[derive(Debug, PartialEq)]
pub enum Step {
    /// Continue. If there is a time, call again with [`Event::Tick`] at that time at the latest.
    Wait(Option<Instant>),
    Ready {
        name: String,
        version: String,
    },
    Answer(Answer),
    /// The answer came too late. The caller charges the fault to the bot, or excuses it.
    Late(Answer, Fault),
    /// Write these bytes and continue; the question and its clock stay the same.
    Write(Vec<u8>),
    /// The time is over without an answer. The caller charges this fault to the bot, or continues to wait.
    Overdue(Fault),
    Fault(Fault),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move as the bot wrote it.
    pub played: String,
    /// The time from before the question's first byte to the answer's newline. Excused time is subtracted.
    pub used: Duration,
    pub is_excused: bool,
    pub thought: Thought,
}

#[derive(Debug)]
enum DialogueState {
    Idle,
    Greeting {
        until: Instant,
        allowed: Duration,
        /// The last ignored line; the fault quotes it if no answer comes.
        last: String,
    },
    /// `turn` is being written. The time that the bot takes to read it counts as used.
    Asking(Deadline),
    Thinking {
        deadline: Deadline,
        thought: Thought,
        /// The fault to report instead of a time-out if the bot seems to have refused the question.
        doubt: Option<Fault>,
    },
    /// The output was closed. The exit status may still come.
    Closing {
        until: Instant,
        in_game: bool,
    },
    Gone,
}

#[derive(Debug)]
pub struct Conversation {
    adapter: Box<dyn EngineAdapter>,
    state: DialogueState,
    lines: LineBuffer,
    id: u64,
}

impl Default for Conversation {
    fn default() -> Conversation {
        Conversation::new(Protocol::Arena.adapter(&[]))
    }
}

impl Conversation {
    pub fn new(adapter: Box<dyn EngineAdapter>) -> Conversation {
        Conversation {
            adapter,
            state: DialogueState::Idle,
            lines: LineBuffer::new(),
            id: 0,
        }
    }

    pub fn adapter(&mut self) -> &mut dyn EngineAdapter {
        &mut *self.adapter
    }

    /// Begins a game: the caller sends `hello` at `now`, and `ready` is due within `allowed`.
    pub fn greet(&mut self, allowed: Duration, now: Instant) {
        self.state = DialogueState::Greeting {
            until: now + allowed,
            allowed,
            last: String::new(),
        };
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    /// Begins the next question, which the caller sends at `now`. See [`Conversation::unasked`] for earlier output.
    pub fn ask(&mut self, allowance: Allowance, now: Instant) -> Step {
        if let DialogueState::Closing { .. } | DialogueState::Gone = self.state {
            return self.wait();
        }
        if let Some(fault) = self.unasked() {
            return self.fault(fault);
        }
        self.id += 1;
        self.state = DialogueState::Asking(Deadline::new(allowance, now));
        self.wait()
    }

    /// Returns the fault in output that the bot wrote without a question, and removes the allowed output: blank lines,
    /// and all valid lines of a bot whose protocol [is talkative](EngineAdapter::is_talkative).
    pub fn unasked(&mut self) -> Option<Fault> {
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

    pub fn end(&mut self) {
        self.state = DialogueState::Gone;
    }

    pub fn unread(&self) -> &[u8] {
        self.lines.rest()
    }

    pub fn postpone(&mut self, by: Duration) -> Step {
        match &mut self.state {
            DialogueState::Asking(deadline) | DialogueState::Thinking { deadline, .. } => {
                deadline.postpone(by);
            }
            DialogueState::Greeting { until, .. } => *until += by,
            DialogueState::Idle | DialogueState::Closing { .. } | DialogueState::Gone => {}
        }
        self.wait()
    }

    pub fn on(&mut self, event: Event<'_>, now: Instant) -> Step {
        match event {
            Event::Written => self.written(now),
            Event::Output(bytes) => {
                if self.adapter.is_talkative() {
                    // A CR alone ends a line, too. CR LF thus ends two lines; the second is blank and ignored.
                    let bytes: Vec<u8> = bytes
                        .iter()
                        .map(|&byte| if byte == b'\r' { b'\n' } else { byte })
                        .collect();
                    self.lines.extend(&bytes);
                } else {
                    self.lines.extend(bytes);
                }
                if matches!(self.state, DialogueState::Asking(_)) && self.unread().len() > MAX_LINE
                {
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
        if let DialogueState::Asking(deadline) = self.state {
            self.state = DialogueState::Thinking {
                deadline: deadline.restart(now),
                thought: Thought::default(),
                doubt: None,
            };
        }
        // A bot may answer before it has read the whole question.
        self.read(now)
    }

    fn read(&mut self, now: Instant) -> Step {
        while let DialogueState::Greeting { .. } | DialogueState::Thinking { .. } = self.state {
            let step = match self.lines.next_line() {
                None => break,
                Some(Err(_)) => Some(Step::Fault(Fault::LineTooLong)),
                Some(Ok(line)) => {
                    understand(&mut self.state, &mut *self.adapter, self.id, line, now)
                }
            };
            match step {
                None => {}
                Some(Step::Fault(fault)) => return self.fault(fault),
                Some(again @ Step::Write(_)) => return again,
                Some(step) => {
                    self.state = DialogueState::Idle;
                    return step;
                }
            }
        }
        self.wait()
    }

    fn closed(&mut self, now: Instant) -> Step {
        let in_game = match self.state {
            DialogueState::Gone | DialogueState::Closing { .. } => return self.wait(),
            DialogueState::Greeting { .. } => false,
            DialogueState::Idle | DialogueState::Asking(_) | DialogueState::Thinking { .. } => true,
        };
        self.state = DialogueState::Closing {
            until: now + CLOSING,
            in_game,
        };
        self.wait()
    }

    fn exited(&mut self, status: Exit) -> Step {
        let in_game = match self.state {
            DialogueState::Greeting { .. } => false,
            DialogueState::Closing { in_game, .. } => in_game,
            DialogueState::Gone => return self.wait(),
            DialogueState::Idle | DialogueState::Asking(_) | DialogueState::Thinking { .. } => true,
        };
        self.fault(if in_game {
            Fault::Crashed { status }
        } else {
            let due = self.due();
            Fault::StartFailed {
                why: message!("ended before it {due}: {status}"),
            }
        })
    }

    fn tick(&mut self, now: Instant) -> Step {
        match &self.state {
            DialogueState::Greeting { until, .. } if now >= *until && self.adapter.is_ready() => {
                self.state = DialogueState::Idle;
                Step::Ready {
                    name: String::new(),
                    version: String::new(),
                }
            }
            DialogueState::Greeting {
                until,
                allowed,
                last,
            } if now >= *until => Step::Overdue(Fault::HandshakeTimeout {
                allowed: *allowed,
                unanswered: self.adapter.unanswered(),
                last: last.clone(),
            }),
            &DialogueState::Closing { until, in_game } if now >= until => {
                let due = self.due();
                self.fault(if in_game {
                    Fault::ClosedOutput
                } else {
                    Fault::StartFailed {
                        why: message!("closed its standard output before it {due}"),
                    }
                })
            }
            DialogueState::Asking(deadline) | DialogueState::Thinking { deadline, .. } => {
                let Some(late) = deadline.missed(now) else {
                    return self.wait();
                };
                let doubt = match &mut self.state {
                    DialogueState::Thinking { doubt, .. } => doubt.take(),
                    _ => None,
                };
                doubt.map_or(Step::Overdue(late), |doubt| self.fault(doubt))
            }
            _ => self.wait(),
        }
    }

    /// Returns the answer that the greeting still awaits, as a phrase in the past tense: `sent ready`.
    fn due(&self) -> Message {
        match self.adapter.unanswered() {
            nothing if nothing.is_empty() => "sent ready".into(),
            command => message!("answered {command:?}"),
        }
    }

    fn fault(&mut self, fault: Fault) -> Step {
        self.state = DialogueState::Gone;
        Step::Fault(fault)
    }

    fn wait(&self) -> Step {
        Step::Wait(match self.state {
            DialogueState::Idle | DialogueState::Gone => None,
            DialogueState::Greeting { until, .. } | DialogueState::Closing { until, .. } => {
                Some(until)
            }
            DialogueState::Asking(deadline) | DialogueState::Thinking { deadline, .. } => {
                deadline.flag()
            }
        })
    }
}

/// Returns the meaning of a line in this state. `None`: read on. `id` is the number of the last question.
fn understand(
    state: &mut DialogueState,
    adapter: &mut dyn EngineAdapter,
    id: u64,
    bytes: &[u8],
    now: Instant,
) -> Option<Step> {
    let bad = |why: Message| Fault::BadMessage {
        line: excerpt(bytes),
        why,
    };
    // On one line, because a line of its own could look like a line of the arena.
    let unable = |text: String| Fault::Unable {
        text: excerpt(
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .as_bytes(),
        ),
    };
    match state {
        DialogueState::Greeting { last, until, .. } => match adapter.hear(bytes, Due::Ready) {
            Heard::Ready { name, version } => Some(Step::Ready { name, version }),
            Heard::Wrong(why) => Some(Step::Fault(bad(why))),
            Heard::Unable(text) => Some(Step::Fault(unable(text))),
            Heard::Again(further) => {
                if adapter.is_ready() {
                    *until = now + SETTLING;
                }
                Some(Step::Write(further))
            }
            Heard::Nothing | Heard::Thought(_) | Heard::Move { .. } | Heard::Doubtful(_) => {
                *last = excerpt(bytes);
                None
            }
        },
        DialogueState::Thinking {
            deadline,
            thought,
            doubt,
        } => match adapter.hear(bytes, Due::Move) {
            Heard::Nothing | Heard::Ready { .. } => None,
            Heard::Wrong(why) => Some(Step::Fault(bad(why))),
            Heard::Unable(text) => Some(Step::Fault(unable(text))),
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
                if let Some(echoed) = echoed.filter(|&echoed| echoed != id) {
                    let why =
                        message!("the answer is for turn {echoed}, but the arena sent turn {id}");
                    return Some(Step::Fault(bad(why)));
                }
                thought.update(last);
                let answer = Answer {
                    played,
                    used: deadline.used(now),
                    is_excused: false,
                    thought: std::mem::take(thought),
                };
                Some(match deadline.missed(now) {
                    Some(fault) => Step::Late(answer, fault),
                    None => Step::Answer(answer),
                })
            }
        },
        DialogueState::Idle
        | DialogueState::Asking(_)
        | DialogueState::Closing { .. }
        | DialogueState::Gone => None,
    }
}

/// Dialogues with their verdicts. Time is an argument, so every deadline is tested to the nanosecond.
#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::dialect::Question;
    use crate::dialect::tests::thought_text;
    use crate::dialogues::{Dialogue, hold_again, read};

    const MOVE: Duration = Duration::from_millis(100);
    const MARGIN: Duration = Duration::from_millis(20);
    const HANDSHAKE: Duration = Duration::from_secs(10);

    fn texts(name: &str) -> Vec<Dialogue> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bot/conversation");
        read(&folder.join(name))
    }

    /// In `talks.txt`, a line is a time in ms and an event, with escapes in output. The indented line below is the
    /// result; if there is none, the arena waits.
    #[test]
    fn dialogues_have_the_results_of_the_file() {
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
            _ => panic!("{line}: unknown event"),
        };
        bot.on(event, now)
    }

    fn greet(bot: &mut Conversation, now: Instant) {
        let game = games::Game::new("gomoku", None, None).expect("a game");
        let hello = protocol::Start {
            move_time: Some(MOVE),
            ..protocol::Start::untimed(game, games::Side::Black)
        };
        bot.adapter().hello(&hello, &mut Vec::new());
        bot.greet(HANDSHAKE, now);
    }

    /// Asks for a move. `moves` is `without limit` (of time), or a transcript, whose last position the adapter gets.
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

    /// Returns the bytes of a text with the escapes `\n`, `\r`, `\t`, `\\` and `\xff`; `\{9 x}` is `x` nine times.
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
            _ => panic!("{text}: unknown escape"),
        };
        [before.as_bytes(), &bytes, &bytes_of(rest)].concat()
    }

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
                let (used, thought) = (ms(answer.used), thought_text(&answer.thought));
                let text = format!("answer {} after {used} ms {thought}", answer.played);
                text.trim_end().to_owned()
            }
            Step::Write(bytes) => format!("write {}", bytes.escape_ascii()),
            Step::Overdue(fault) => format!("overdue, {}", wrong(fault)),
            Step::Late(answer, fault) => {
                format!("late, answer {}, {}", answer.played, wrong(fault))
            }
            Step::Fault(fault) => format!("fault, {}", wrong(fault)),
        }
    }

    /// In `answers.txt`, a case is a bot's first line, 7 ms after the greeting (`to: hello`) or the question, and its
    /// meaning. A fault is given by its word, perhaps with its text.
    #[test]
    fn lines_have_the_meanings_of_the_file() {
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

    fn asked(start: Instant) -> Conversation {
        let mut bot = Conversation::default();
        ask(&mut bot, "", start);
        bot.on(Event::Written, start);
        bot
    }

    fn greeted(start: Instant) -> Conversation {
        let mut bot = Conversation::default();
        greet(&mut bot, start);
        bot.on(Event::Written, start);
        bot
    }

    fn lines() -> impl Strategy<Value = Vec<u8>> {
        let line = prop_oneof![
            Just("{\"move\":\"d3\"}".to_owned()),
            Just("{\"type\":\"info\",\"depth\":4,\"score\":2}".to_owned()),
            Just("{\"type\":\"ready\",\"name\":\"x\"}".to_owned()),
            Just("  \r".to_owned()),
            Just("\u{feff}".to_owned()),
            "[{}\"a-z:,0-9 ]{0,12}",
        ];
        let end = prop_oneof![Just(""), Just("\n")];
        (proptest::collection::vec(line, 0..6), end)
            .prop_map(|(lines, end)| (lines.join("\n") + end).into_bytes())
    }

    proptest! {
        #[test]
        fn the_meaning_does_not_depend_on_how_the_bytes_arrive(
            bytes in lines(),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
            is_asked in any::<bool>(),
        ) {
            let start = Instant::now();
            let begin = || if is_asked { asked(start) } else { greeted(start) };
            let mut whole = begin();
            let expected = whole.on(Event::Output(&bytes), start);

            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            cuts.push(bytes.len());
            let (mut talk, mut from, mut step) = (begin(), 0, None);
            for cut in cuts {
                let next = talk.on(Event::Output(&bytes[from..cut]), start);
                from = cut;
                if !matches!(step, Some(Step::Ready { .. } | Step::Answer(_) | Step::Fault(_))) {
                    step = Some(next);
                }
            }
            prop_assert_eq!(step, Some(expected));
            prop_assert_eq!(talk.unread(), whole.unread());
        }

        #[test]
        fn no_bytes_make_the_arena_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let start = Instant::now();
            let _ = asked(start).on(Event::Output(&bytes), start);
            let _ = greeted(start).on(Event::Output(&bytes), start);
        }
    }
}
