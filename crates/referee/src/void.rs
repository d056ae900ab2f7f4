//! The policy for interruptions and voids: no bot loses by a failure of the machine, or gains by causing one.
//!
//! - A bot's misbehaviour is a [`Fault`], which ends its game. A failure of the arena or the machine is an
//!   [`ArenaError`], which interrupts the game. A [`Failure`] is one of the two, and is never recorded as the other.
//! - A late answer is excused if others kept the bot or the arena from running for as long as it was late
//!   ([`LateAnswer::excuse`]). The sandbox's own CPU time is never an excuse. An excused answer counts, and only the
//!   bot's own time is charged. If no answer comes at all, the game is interrupted, unless the bot itself slept.
//! - An interrupted game continues from the interrupted move, with the clocks as they were, in new processes
//!   ([`InterruptedGame`]). After [`MOST_ATTEMPTS`] attempts it is void: it has no result. An attempt does not count if
//!   the system had no process or no memory for it and another worker may free some.
//!
//! Nothing here reads a clock: `bot::deadline` measures, `game` plays one attempt, and the workers of a run repeat it.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use games::Side;
use host::CoreTime;
use message::{ToValue, message};

use crate::record::{Fault, GameRecord, Outcome, Ply, Verdict};

/// The number of attempts after which an interrupted game is void.
pub const MOST_ATTEMPTS: u32 = 5;

#[derive(Debug)]
pub enum Failure {
    Fault(Fault),
    Arena(ArenaError),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl From<ArenaError> for Failure {
    fn from(error: ArenaError) -> Failure {
        Failure::Arena(error)
    }
}

/// A failure of the arena or the machine: it interrupts a game and is never charged to a bot.
#[derive(Debug, thiserror::Error, message::Message)]
pub enum ArenaError {
    /// The system refused a process, a pipe or memory.
    #[error("the system refused to start a process for a bot")]
    Spawn(#[source] io::Error),
    /// The system refused a thread. The text is that of the inner error.
    #[error("{0}")]
    Thread(io::Error),
    #[error("bots cannot be started on this system yet")]
    NotSupported,
    #[error("the sandbox of a bot cannot be made: {0}")]
    NoBox(String),
    #[error("the run is being stopped")]
    Aborted,
    /// A pipe or a poll failed in a way that no bot can cause.
    #[error("a pipe to a bot failed")]
    Pipe(#[source] io::Error),
    #[error("the machine stood still for {} ms while a clock ran", .0.as_millis())]
    Stalled(Duration),
    /// Other programs kept the bot from running, or the arena from reading, for as long as the answer was late.
    #[error("other programs kept a bot from its core for {} ms", .0.as_millis())]
    Starved(Duration),
    /// The bot itself was within its limit, or no control group counts its memory.
    #[error("the machine had no memory left, so the system ended a bot")]
    NoMemory,
    /// A built-in bot or a test player did not start. This is no win for its opponent.
    #[error("a reference opponent {0}")]
    Reference(Fault),
    /// A bot whose [`Fault::Unable`] interrupts the game and stops the run, such as a bot that needs an online service.
    #[error("a bot {0}")]
    Outside(Box<Fault>),
}

/// The longest wait for an answer that other programs delay, as a multiple of the bot's limit.
const MOST_LIMITS: u32 = 20;
/// The arena waits at least this long for an answer that other programs delay.
const LEAST_WAIT: Duration = Duration::from_secs(1);

/// Shorter delays are no excuse. A thread of the bot that continues after an answer can delay the arena by one time
/// slice of the scheduler, and by another one at the next question.
const SLICES: Duration = Duration::from_millis(10);

/// A bot that does not answer may sleep this often after its limit, and once more for each [`SLICES`] of CPU time. If
/// it slept more often, it could wait for a busy core after each sleep and so excuse itself.
const MOST_SLEEPS: u64 = 10;

/// A late answer, and the kernel's counts since its question.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LateAnswer {
    pub allowed: Duration,
    /// The time over the limit until the arena read the answer or stopped waiting.
    pub overrun: Duration,
    /// The time since the counts below began. Exceeds `allowed + overrun` if some of it was given back to the bot.
    pub counted: Duration,
    /// Whether the answer may still come.
    pub is_awaited: bool,
    /// The number of times that the bot's first thread gave up its core voluntarily after the limit, before its answer.
    pub sleeps: u64,
    /// CPU time of the whole sandbox; `None`: unknown.
    pub own: Option<Duration>,
    /// See [`Usage::first`](host::Usage::first).
    pub first: [CoreTime; 2],
    /// The time for which the arena's thread that reads the answer was ready to run while another thread had the core.
    pub arena_waited: Duration,
    pub for_arena: Duration,
    /// The time for which the machine stood still; this may have begun before the question.
    pub stalled: Duration,
}

impl LateAnswer {
    /// Returns the excuse if others kept the bot or the arena from running for at least as long as the answer was late.
    pub fn excuse(&self) -> Option<ArenaError> {
        let kept = self.kept_by_others();
        if kept < self.overrun.max(SLICES) {
            None
        } else if self.stalled >= kept {
            Some(ArenaError::Stalled(kept))
        } else {
            Some(ArenaError::Starved(kept))
        }
    }

    /// Returns the time for which others kept the bot and the arena from running, or the machine stood still.
    ///
    /// Adds up the times for which the bot's first thread and the arena's thread waited for a core. Subtracts the time
    /// for which the sandbox's other threads and the arena ran, because these may have caused the waits. Ignores the
    /// waits if the bot slept too often ([`MOST_SLEEPS`]) or, after an answer, if the other threads ran for at least as
    /// long as the answer was late. Ignores the waits of the first thread if it ran and waited for longer than the
    /// counts were taken. Then another thread has executed a program, and has become the first thread with its own
    /// counts. The result is at most the time in which neither the sandbox nor the arena ran, because the arena and a
    /// bot that writes without end wait for each other. If the CPU time of the sandbox is unknown, only the stalls
    /// count.
    fn kept_by_others(&self) -> Duration {
        let wall = self.allowed + self.overrun;
        let Some(own) = self.own else {
            return self.stalled.min(wall);
        };
        let beside = own.saturating_sub(self.first_ran());
        let is_asleep = self.sleeps > MOST_SLEEPS + own.div_duration_f64(SLICES) as u64;
        let is_same_thread = |one: &&CoreTime| one.ran + one.waited <= self.counted + SLICES;
        let same_threads = self.first.iter().filter(is_same_thread);
        let by_bot: Duration = same_threads.map(|one| one.waited).sum();
        let waited = if (self.is_awaited || beside < self.overrun) && !is_asleep {
            (by_bot + self.arena_waited).saturating_sub(beside + self.for_arena)
        } else {
            Duration::ZERO
        };
        (waited + self.stalled).min(wall.saturating_sub(own + self.for_arena))
    }

    /// Returns these figures with the first threads' counts of the last check, if those were larger: then a process has
    /// ended, or another thread is the first now. The CPU time of the whole sandbox cannot decrease, so it stays.
    pub fn after(self, seen: Option<LateAnswer>) -> LateAnswer {
        let seen = seen.filter(|seen| self.first_ran() < seen.first_ran());
        seen.map_or(self, |seen| LateAnswer {
            first: seen.first,
            own: self.own.zip(seen.own).map(|(now, before)| now.max(before)),
            ..self
        })
    }

    pub fn first_ran(&self) -> Duration {
        self.first.iter().map(|one| one.ran).sum()
    }

    /// Returns whether `since_asked` is a long enough wait for an answer that would be excused.
    pub fn is_given_up(&self, since_asked: Duration) -> bool {
        since_asked >= (MOST_LIMITS * self.allowed).max(LEAST_WAIT)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interruptions {
    /// The side for which the arena waited last. A delay is attributed to that side.
    pub waited_for: Option<Side>,
    /// The number of excused late answers of each side, including those that never came; black's first.
    pub excused: [u32; 2],
    /// Whether the game is void because the system had no process or no memory for a bot.
    pub is_refused: bool,
    /// Whether the game is void because a bot cannot continue, so that another attempt is of no use.
    pub is_final: bool,
}

impl Interruptions {
    pub(crate) fn void(&mut self, error: &ArenaError) -> Verdict {
        match error {
            ArenaError::Spawn(_) | ArenaError::NoMemory => self.is_refused = true,
            ArenaError::Outside(_) => self.is_final = true,
            ArenaError::Stalled(_) | ArenaError::Starved(_) => {
                if let Some(side) = self.waited_for {
                    self.excused[side.index()] += 1;
                }
            }
            _ => {}
        }
        let why = match error.source() {
            Some(source) => message!("{}: {}", error, source.to_string()),
            None => error.to_message(),
        };
        Verdict::Void { why }
    }
}

/// A game that continues from an interrupted move; the default is a game from its first move.
#[derive(Clone, Debug)]
pub struct InterruptedGame {
    /// The number of the next attempt, from 1.
    pub attempt: u32,
    pub plies: Vec<Ply>,
    /// The number of excused late answers of each bot so far, black's first.
    pub excused: [u32; 2],
}

impl Default for InterruptedGame {
    fn default() -> InterruptedGame {
        InterruptedGame {
            attempt: 1,
            plies: Vec::new(),
            excused: [0; 2],
        }
    }
}

impl InterruptedGame {
    /// Continues the void game of an earlier process of the arena, with all [`MOST_ATTEMPTS`] again.
    pub fn resumed(void: GameRecord) -> InterruptedGame {
        InterruptedGame {
            attempt: 1,
            plies: void.plies,
            excused: void.interruptions,
        }
    }

    #[must_use]
    pub fn next_attempt(void: GameRecord, is_free: bool) -> InterruptedGame {
        InterruptedGame {
            attempt: void.attempts + u32::from(!is_free),
            ..InterruptedGame::resumed(void)
        }
    }

    /// Returns whether the record of an attempt is final: the game has ended, or this void attempt was the last.
    pub fn is_settled(record: &GameRecord) -> bool {
        record.verdict.outcome() != Outcome::Void || record.attempts == MOST_ATTEMPTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogues::rows;
    use crate::record::GameId;
    use games::Game;

    #[test]
    fn a_game_is_void_after_five_attempts_and_a_free_one_does_not_count() {
        let why = "the machine stood still".into();
        let void = Verdict::Void { why };
        let mut record = GameRecord::new(GameId(3), Game::OTHELLO, ["one", "other"], void);
        record.interruptions = [2, 0];
        let mut attempts = Vec::new();
        for is_free in [false, true, false, false, true, false, false] {
            attempts.push((record.attempts, InterruptedGame::is_settled(&record)));
            let next = InterruptedGame::next_attempt(record.clone(), is_free);
            assert_eq!(next.excused, [2, 0]);
            record.attempts = next.attempt;
        }
        let settled = |attempt| (attempt, attempt == 5);
        assert_eq!(attempts, [1, 2, 2, 3, 4, 4, 5].map(settled));
        assert_eq!(InterruptedGame::resumed(record.clone()).attempt, 1);
        record.attempts = 1;
        record.verdict = Verdict::Resigned(Side::Black);
        assert!(InterruptedGame::is_settled(&record));
    }

    /// The rows have figures in ms (`-`: none) for a limit of 100 ms and an answer that was read after 120 ms.
    #[test]
    fn only_delays_by_others_excuse_an_answer() {
        let ms = |text: &str| text.parse().ok().map(Duration::from_millis);
        for row in rows(include_str!("void/late_answers.txt")) {
            let [what, own, first, waited, arena_waited, beside, excuse] = row;
            let time = |text| ms(text).expect(what);
            let thread = |ran, waited| {
                let (ran, waited) = (time(ran), time(waited));
                CoreTime { ran, waited }
            };
            let mut late = LateAnswer {
                allowed: time("100"),
                overrun: time("20"),
                own: ms(own),
                first: [thread(first, waited), CoreTime::default()],
                arena_waited: time(arena_waited),
                ..LateAnswer::default()
            };
            late.counted = late.allowed + late.overrun;
            match beside.split_once('=').unwrap_or((beside, "")) {
                ("", _) => {}
                ("awaited", _) => late.is_awaited = true,
                ("for-arena", text) => late.for_arena = time(text),
                ("turn-waited", text) => late.first[1] = thread("0", text),
                ("overrun", text) => late.overrun = time(text),
                ("seen-waited", text) => {
                    let seen = LateAnswer {
                        own: ms("10"),
                        first: [thread("10", text), CoreTime::default()],
                        ..late
                    };
                    late = late.after(Some(seen));
                }
                ("stalled", text) => late.stalled = time(text),
                ("sleeps", text) => {
                    late.is_awaited = true;
                    late.sleeps = text.parse().expect(what);
                }
                other => panic!("{what}: {other:?}"),
            }
            let kept = late.excuse().map(|error| match error {
                ArenaError::Stalled(kept) | ArenaError::Starved(kept) => kept,
                other => panic!("{what}: {other}"),
            });
            assert_eq!(kept, ms(excuse), "{what}");
        }
    }
}
