//! Greets a bot with the usual greeting of its protocol, and if this fails, the other greetings.

use std::time::{Duration, Instant};

use games::Game;
use message::message;
use protocol::Start;

use super::{BotProcess, Hold, Identity};
use crate::bot::{Failure, Launch, Step};
use crate::dialect::Protocol;
use crate::record::Fault;

/// The board sizes to try if an engine refuses a size, and the time limit of each try.
const USUAL_SIZES: [u8; 3] = [15, 19, 20];
const SIZE_PROBE: Duration = Duration::from_secs(2);

impl BotProcess {
    /// Begins a game. If a new bot fails, tries other greetings in new processes; if all fail, the first fault counts.
    pub fn greet(&mut self, start: &Start, allowed: Duration) -> Result<Identity, Failure> {
        let may_retry = !self.has_played && self.launch.known_greeting.other().is_none();
        match self.greet_once(start, allowed, Hold::NONE) {
            Err(Failure::Fault(fault)) if may_retry && !self.is_refused => {
                let mut others = (1..).map_while(|number| self.greet_so(number, start, allowed));
                match others.find_map(Result::ok) {
                    Some((process, identity)) => {
                        *self = process;
                        Ok(identity)
                    }
                    None => Err(self.with_sizes(fault, start, allowed).into()),
                }
            }
            greeted => greeted,
        }
    }

    fn greet_so(
        &self,
        number: usize,
        start: &Start,
        allowed: Duration,
    ) -> Option<Result<(BotProcess, Identity), Failure>> {
        let mut adapter = self.launch.protocol.adapter(&self.launch.setup);
        let about = adapter.use_style(number)?;
        let greeted = BotProcess::start_speaking(&self.anew(), adapter).and_then(|mut process| {
            let identity = process.greet_once(start, allowed, Hold::NONE)?;
            self.launch.known_greeting.remember(number, about);
            Ok((process, identity))
        });
        Some(greeted)
    }

    fn anew(&self) -> Launch {
        let mut launch = self.launch.clone();
        if self.kept.is_some() {
            launch.kept = None;
        }
        launch
    }

    /// Returns a fault that names other usual board sizes, if a greeting works with them; otherwise returns `fault`.
    fn with_sizes(&self, fault: Fault, start: &Start, allowed: Duration) -> Fault {
        if self.launch.protocol != Protocol::Gomocup {
            return fault;
        }
        let size = start.game.size();
        let takes = |other: &u8| {
            let game = Game::new(
                start.game.name(),
                Some(start.game.rules()),
                Some((*other).into()),
            )
            .ok()?;
            let start = Start {
                game,
                ..start.clone()
            };
            let mut process = BotProcess::start(&self.anew()).ok()?;
            let greeted = process.greet_once(&start, allowed.min(SIZE_PROBE), Hold::NONE);
            greeted.ok().map(|_| other.to_string())
        };
        let usual = USUAL_SIZES.iter().filter(|&&other| other != size);
        let sizes: Vec<String> = usual.filter_map(takes).collect();
        match sizes.first() {
            None => fault,
            Some(first) => Fault::StartFailed {
                why: message!(
                    "does not support size {size}: START {size} failed, but START works with {sizes}. Add --size \
                     {first}"
                ),
            },
        }
    }

    /// Begins a game, without other attempts.
    pub fn greet_once(
        &mut self,
        start: &Start,
        allowed: Duration,
        hold: Hold<'_>,
    ) -> Result<Identity, Failure> {
        self.log.clear();
        self.message.clear();
        self.conversation.adapter().hello(start, &mut self.message);
        let is_new = !std::mem::replace(&mut self.has_played, true);
        if !is_new {
            self.process.forget_reached();
        }
        self.overtime = Duration::ZERO;
        self.conversation.greet(allowed, Instant::now());
        self.timer.note_usage(&self.process);
        match self.pump(hold)? {
            Step::Ready { name, version } => {
                self.process.wait_until_up();
                self.timer.note_usage(&self.process);
                if is_new {
                    self.timer.note_usage_of_others(&self.process);
                }
                let adapter = self.conversation.adapter();
                Ok(Identity {
                    openings: adapter.openings(),
                    start_only: adapter.start_only(),
                    name,
                    version,
                })
            }
            // `pump` has looked for an excuse and found none.
            Step::Overdue(fault) => {
                self.conversation.end();
                Err(self.cause(fault))
            }
            Step::Fault(fault @ Fault::HandshakeTimeout { .. }) => Err(self.judge(fault)),
            other => match self.process.refusal(&self.tail.text()) {
                Some(error) => {
                    self.tail.clear();
                    self.is_refused = true;
                    Err(self.launch.refused(error))
                }
                None => Err(self.unexpected(other)),
            },
        }
    }
}
