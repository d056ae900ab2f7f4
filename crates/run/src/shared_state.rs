use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use message::{Message, message};
use referee::Player;
use referee::record::{GameId, Ply};
use referee::void::InterruptedGame;
use tournament::{Agenda, Contestant, Tournament};

use super::failures::BotEvidence;
use super::live::Watchers;
use super::lock::lock;
use super::stop::{Gate, Stop};

/// The messages of both bots of a game, black's first.
pub(super) type BothEvidence = Box<[BotEvidence; 2]>;

#[derive(Debug)]
pub(super) struct Shared {
    pub tournament: Tournament,
    pub agenda: Mutex<Agenda>,
    pub concurrency: Concurrency,
    pub stop: Stop,
    /// Whether a worker has panicked, so that no further game of this run begins.
    pub has_panicked: AtomicBool,
    pub watchers: Watchers,
    /// Players that replace a bot, by the bot's number.
    pub stand_ins: Vec<Option<NewStandIn>>,
    pub interrupted: BTreeMap<GameId, InterruptedGame>,
    pub gate: Gate,
    /// Warnings that are printed at the end, such as exits of bots after their last games.
    pub warnings: Mutex<BTreeSet<Message>>,
    /// The price that the bots reported for all games so far.
    pub price: Mutex<f64>,
    /// How many bytes of bots' texts this session may still add to the record.
    pub text_left: Mutex<usize>,
    /// How many bytes of the messages of failed games this session may still write.
    pub evidence_left: Mutex<usize>,
}

/// A session adds at most this many bytes of bots' texts to the record of its run, and writes at most this many bytes of
/// the messages of failed games. Otherwise, a bot that fails in each game could fill the disk.
pub const MOST_BYTES: usize = 64 << 20;

impl Shared {
    pub fn agenda(&self) -> MutexGuard<'_, Agenda> {
        lock(&self.agenda)
    }

    pub fn pay(&self, price: f64) {
        let mut sum = lock(&self.price);
        *sum += price;
        let is_spent = self.tournament.budget.is_some_and(|budget| *sum >= budget);
        if is_spent {
            self.stop.request_once();
        }
    }

    /// Removes texts of a game that exceed `text_left`.
    pub fn limit_texts(&self, plies: &mut [Ply]) {
        if leave_out(plies, &mut lock(&self.text_left)) {
            lock(&self.warnings).insert(message!(
                "the record has only the first {} MiB of the bots' texts",
                MOST_BYTES >> 20
            ));
        }
    }

    /// Returns the messages of a game unless they exceed `evidence_left`. A run that keeps all messages has no limit.
    pub fn limited(&self, evidence: BothEvidence) -> Option<BothEvidence> {
        if self.tournament.log {
            return Some(evidence);
        }
        let kept = fitting(evidence, &mut lock(&self.evidence_left));
        if kept.is_none() {
            lock(&self.warnings).insert(message!(
                "only the first {} MiB of the messages of failed games were kept",
                MOST_BYTES >> 20
            ));
        }
        kept
    }

    pub fn is_stopping(&self) -> bool {
        self.stop.is_requested() || self.has_panicked.load(Ordering::SeqCst)
    }
}

/// A function that makes a player for each game. A player that waits for a person must check for an abort.
#[derive(Clone)]
pub struct NewStandIn(pub(super) Arc<MakesPlayers>);

type MakesPlayers = dyn Fn(&Stop) -> Box<dyn Player> + Send + Sync;

impl NewStandIn {
    pub fn new(make: impl Fn(&Stop) -> Box<dyn Player> + Send + Sync + 'static) -> NewStandIn {
        NewStandIn(Arc::new(make))
    }
}

impl fmt::Debug for NewStandIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewStandIn")
    }
}

/// Subtracts each text's size from `left`, and removes texts that do not fit. Returns whether a text was removed.
fn leave_out(plies: &mut [Ply], left: &mut usize) -> bool {
    let mut is_any = false;
    for thought in plies.iter_mut().map(|ply| &mut ply.thought) {
        let size = thought.stored_text();
        if size > *left {
            thought.text.clear();
            is_any = true;
        } else {
            *left -= size;
        }
    }
    is_any
}

fn fitting(evidence: BothEvidence, left: &mut usize) -> Option<BothEvidence> {
    *left = left.checked_sub(evidence.iter().map(BotEvidence::bytes).sum())?;
    Some(evidence)
}

/// A worker keeps at most this many idle processes, so that a run of many bots does not keep a process for each bot.
const KEPT: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    pub workers: usize,
    pub(super) kept: usize,
    scarce: Option<Scarce>,
}

/// What limits the number of workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scarce {
    OpenFiles,
    /// The memory that the untrusted bots of a game may use, and the memory that is free, in MiB.
    Memory {
        of_game: u64,
        free: u64,
    },
}

impl Concurrency {
    /// Returns the number of workers, from one to `wanted`, that can play with `room` processes (`None`: any number).
    pub fn of(wanted: usize, bots: usize, room: Option<usize>) -> Concurrency {
        let Some(room) = room else {
            let (workers, kept) = (wanted, KEPT);
            return Concurrency {
                workers,
                kept,
                scarce: None,
            };
        };
        // A worker plays with two processes. With more than two bots, up to two idle processes are counted, too.
        let workers = wanted.min(room / bots.clamp(2, 4)).max(1);
        let kept = (room / workers).saturating_sub(2).clamp(2, KEPT);
        Concurrency {
            workers,
            kept,
            scarce: (workers < wanted).then_some(Scarce::OpenFiles),
        }
    }

    /// Limits the workers so that the untrusted bots have the memory that they may use: `bots` of each game. If the
    /// machine had less, a bot could fill it within its limit, and the system would end other bots.
    #[must_use]
    pub fn within<'a>(
        self,
        bots: impl Iterator<Item = &'a Contestant>,
        free_mib: Option<u64>,
    ) -> Concurrency {
        let boxed = bots.filter(|bot| bot.launch.sandbox.is_some());
        let mut limits: Vec<u64> = boxed.filter_map(|bot| bot.memory_mib).collect();
        limits.sort_unstable();
        let of_game: u64 = limits.iter().rev().take(2).sum();
        let fit = free_mib.and_then(|free| Some((free, free.checked_div(of_game)?)));
        match fit {
            Some((free, fit)) if fit == 0 || fit < self.workers as u64 => Concurrency {
                workers: (fit as usize).max(1),
                scarce: Some(Scarce::Memory { of_game, free }),
                ..self
            },
            _ => self,
        }
    }

    pub fn note(self, wanted: usize) -> Option<Message> {
        let workers = self.workers;
        match self.scarce? {
            Scarce::OpenFiles => Some(message!(
                "{workers} at a time instead of {wanted}: the arena may not open more files; ulimit -n raises the limit"
            )),
            Scarce::Memory { of_game, free } if workers < wanted && of_game <= free => {
                Some(message!(
                    "{workers} at a time instead of {wanted}: the bots of a game may use {of_game} MiB of memory, and \
                 {free} MiB are free; memory_mib limits each bot"
                ))
            }
            Scarce::Memory { of_game, free } => Some(message!(
                "one at a time, but the system may end bots and interrupt games: the bots of a game may use {of_game} \
                 MiB of memory, and only {free} MiB are free; memory_mib limits each bot"
            )),
        }
    }
}

/// At most this many bytes of evidence wait to be saved.
const CAPACITY: usize = 64 << 20;
/// The time between two checks whether a waiting worker must give up.
const LOOK: Duration = Duration::from_millis(50);

/// Bounds the evidence that waits to be saved: if the disk is slow, workers wait. The channel bounds only the number of
/// games, and a game may have two logs of 1 MiB or more. So a worker reserves space until its game is saved.
#[derive(Debug)]
pub(super) struct Backlog {
    capacity: usize,
    waiting: Mutex<usize>,
    freed: Condvar,
}

impl Backlog {
    pub fn new() -> Backlog {
        Backlog::of(CAPACITY)
    }

    fn of(capacity: usize) -> Backlog {
        Backlog {
            capacity,
            waiting: Mutex::new(0),
            freed: Condvar::new(),
        }
    }

    /// Reserves this many bytes. Blocks until they are free, or until `is_given_up` returns true. If the bytes exceed
    /// the capacity, blocks until no other bytes are reserved.
    pub fn take(&self, bytes: usize, is_given_up: impl Fn() -> bool) {
        let mut waiting = self.waiting();
        while bytes > 0 && *waiting > 0 && *waiting + bytes > self.capacity && !is_given_up() {
            let woken = self.freed.wait_timeout(waiting, LOOK);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        *waiting += bytes;
    }

    pub fn give_back(&self, bytes: usize) {
        if bytes > 0 {
            *self.waiting() -= bytes;
            self.freed.notify_all();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, usize> {
        lock(&self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use host::{Sandbox, Tier};
    use referee::bot::Launch;
    use std::sync::mpsc::sync_channel;
    use std::thread;

    use super::*;
    use cases::cases;
    use referee::record::Thought;

    #[test]
    fn texts_over_the_limit_of_a_run_are_left_out() {
        let ply = |text: &str| Ply {
            played: games::Move::Pass,
            effort: None,
            thought: Thought {
                text: text.to_owned(),
                ..Thought::default()
            },
        };
        // RFC 8259: a control character becomes `\\u` and four digits; a quote or a line break becomes two characters.
        let mut plies = ["abcd", "\u{1}\n\"", "ef", "x"].map(ply);
        let mut left = 15;
        assert!(leave_out(&mut plies, &mut left));
        assert_eq!(
            plies.map(|ply| ply.thought.text),
            ["abcd", "\u{1}\n\"", "", "x"]
        );
        assert_eq!(left, 0);
    }

    #[test]
    fn messages_of_failed_games_over_the_limit_of_a_session_are_not_kept() {
        let messages = |stderr: &str, line: &str| {
            let bot = |stderr: &str, line: &str| BotEvidence {
                log: line.into(),
                stderr: stderr.to_owned(),
            };
            Box::new([bot(stderr, ""), bot("", line)])
        };
        let mut left = 10;
        let games = [("abc", "defg"), ("", "hijk"), ("lmn", ""), ("", "o")];
        let kept = games.map(|(stderr, line)| fitting(messages(stderr, line), &mut left));
        let is_kept = kept.map(|messages| messages.is_some());
        assert_eq!((is_kept, left), ([true, false, true, false], 0));
    }

    #[test]
    fn the_number_of_workers_is_limited_by_processes() {
        type Row = (usize, usize, Option<usize>, usize, Option<usize>);
        for (wanted, bots, room, workers, kept) in cases::<Row>("workers-by-processes") {
            let concurrency = Concurrency::of(wanted, bots, room);
            let found = (concurrency.workers, concurrency.kept);
            let expected = (workers, kept.unwrap_or(KEPT));
            assert_eq!(found, expected, "{bots} bots, {room:?}");
            assert_eq!(concurrency.note(wanted).is_some(), workers < wanted);
        }
    }

    #[test]
    fn the_number_of_workers_is_limited_by_the_memory_of_untrusted_bots() {
        type Row = (usize, String, Option<u64>, usize, bool);
        let bot = |limit: &str| {
            let launch = Launch {
                sandbox: Some(Sandbox::new(Tier::Strict)),
                ..Launch::default()
            };
            let mut bot = Contestant::new("bot", launch);
            bot.memory_mib = (limit != "none").then(|| limit.parse().expect("MiB"));
            bot
        };
        for (wanted, limits, free, workers, has_note) in cases::<Row>("workers-by-memory") {
            let bots: Vec<Contestant> = limits.split(' ').map(bot).collect();
            let concurrency = Concurrency::of(wanted, 2, None).within(bots.iter(), free);
            let found = (concurrency.workers, concurrency.note(wanted).is_some());
            assert_eq!(found, (workers, has_note), "{limits} MiB, {free:?} free");
        }
    }

    /// Two workers send through a channel that is never full. Its reader releases the bytes.
    #[test]
    fn waiting_evidence_never_exceeds_the_capacity() {
        let (backlog, most) = (Backlog::of(100), Mutex::new(0));
        let (sender, events) = sync_channel(1000);
        thread::scope(|scope| {
            for _ in 0..2 {
                let sender = sender.clone();
                let (backlog, most) = (&backlog, &most);
                scope.spawn(move || {
                    for bytes in [30, 0, 60, 100, 0, 20].repeat(20) {
                        backlog.take(bytes, || false);
                        let mut most = most.lock().expect("sound");
                        *most = (*backlog.waiting()).max(*most);
                        sender.send(bytes).expect("it is read");
                    }
                });
            }
            drop(sender);
            for bytes in events {
                backlog.give_back(bytes);
            }
        });
        assert_eq!(*most.lock().expect("sound"), 100);
        assert_eq!(*backlog.waiting(), 0);
    }

    #[test]
    fn evidence_larger_than_the_capacity_goes_alone_and_a_given_up_run_does_not_wait() {
        let backlog = Backlog::of(100);
        backlog.take(1000, || unreachable!("nothing else is waiting"));
        backlog.take(1, || true);
        backlog.give_back(1001);
        assert_eq!(*backlog.waiting(), 0);
    }
}
