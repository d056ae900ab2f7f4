//! Playing what is scheduled on a number of workers.
//!
//! A worker takes the next game, plays it, sends the record; one loop hands everything that
//! happens to the caller, so that only one thread prints and saves.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use games::Side;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::Tournament;
use super::pool::{Evidence, Lent, Pool};
use super::schedule::{Fixture, Schedule};
use crate::bot::{self, Heartbeat};
use crate::record::{GameId, GameRecord, Outcome, Verdict};
use crate::referee::{Contest, Played, play};

/// How often a game that the arena had to void is played, in all.
const ATTEMPTS: u32 = 3;
/// The caller hears of passing time at least this often.
const TICK: Duration = Duration::from_millis(50);
/// Finished games that may wait for the caller before workers wait too.
const BACKLOG: usize = 256;

/// Something that happened in a run.
#[derive(Debug)]
pub enum Event {
    /// A game has come to its end.
    Finished {
        /// All that is known of it.
        record: Box<GameRecord>,
        /// What the bots wrote, black's first, if one of them failed or the game is void.
        evidence: Option<Box<[Evidence; 2]>>,
    },
    /// Nothing, but time has passed.
    Tick,
}

/// A wish to stop, which may come from a signal handler's thread.
#[derive(Debug, Default)]
pub struct Stop(AtomicU8);

impl Stop {
    /// No wish yet.
    pub const fn new() -> Stop {
        Stop(AtomicU8::new(0))
    }

    /// The first call lets running games finish, the second gives them up and kills the bots.
    pub fn request(&self) {
        if self.0.fetch_add(1, Ordering::SeqCst) > 0 {
            self.0.store(2, Ordering::SeqCst);
            bot::kill_all();
        }
    }

    /// Whether no further game is to begin.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Whether running games are given up.
    pub fn is_abort(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// Plays every game of the tournament for which `is_done` is false, and hands events to `on` until
/// all are played, a stop is requested, or `on` fails.
///
/// The games' order of arrival depends on the workers; the games themselves do not.
pub fn run<E>(
    tournament: &Tournament,
    is_done: &(dyn Fn(GameId) -> bool + Sync),
    stop: &Stop,
    mut on: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E>
where
    E: From<std::io::Error>,
{
    let heartbeat = Heartbeat::start()?;
    let schedule = tournament.schedule();
    let next = AtomicU64::new(0);
    let cores = if tournament.pin {
        cores(tournament.concurrency)
    } else {
        Vec::new()
    };
    let (sender, events) = sync_channel(BACKLOG);
    let heartbeat = &heartbeat;
    let (schedule, next) = (&schedule, &next);
    thread::scope(move |scope| {
        for number in 0..tournament.concurrency {
            let worker = Worker {
                tournament,
                schedule,
                next,
                is_done,
                stop,
                heartbeat,
                core: cores.get(number).copied(),
            };
            let sender = sender.clone();
            thread::Builder::new()
                .name(format!("worker {number}"))
                .spawn_scoped(scope, move || worker.work(&sender))?;
        }
        drop(sender);
        // Ends with this block, whatever ends it: workers that wait to send are then let go.
        let events = events;
        loop {
            let event = match events.recv_timeout(TICK) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => Event::Tick,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if let Err(error) = on(event) {
                // Nothing more can be kept, so nothing more is played.
                stop.request();
                stop.request();
                return Err(error);
            }
        }
    })
}

/// A core for each worker; none where there are more workers than cores.
fn cores(workers: usize) -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else {
        return Vec::new();
    };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU)
        .filter(|&core| allowed.is_set(core))
        .collect();
    if workers <= cores.len() {
        cores
    } else {
        Vec::new()
    }
}

struct Worker<'a> {
    tournament: &'a Tournament,
    schedule: &'a Schedule,
    next: &'a AtomicU64,
    is_done: &'a (dyn Fn(GameId) -> bool + Sync),
    stop: &'a Stop,
    heartbeat: &'a Heartbeat,
    core: Option<usize>,
}

impl Worker<'_> {
    fn work(&self, sender: &SyncSender<Event>) {
        if let Some(core) = self.core {
            let mut cores = CpuSet::new();
            cores.set(core);
            // Not to be pinned costs speed, not fairness: both bots are wherever the worker is.
            let _ = sched_setaffinity(None, &cores);
        }
        let mut pool = Pool::new(&self.tournament.contestants);
        while let Some(id) = self.take() {
            let event = self.play(&mut pool, &self.schedule.fixture(id));
            if self.stop.is_abort() || sender.send(event).is_err() {
                return;
            }
        }
    }

    /// The next game that is to be played.
    fn take(&self) -> Option<GameId> {
        while !self.stop.is_requested() {
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            if id >= self.schedule.games() {
                return None;
            }
            if !(self.is_done)(GameId(id)) {
                return Some(GameId(id));
            }
        }
        None
    }

    /// Plays a game, again if the arena had to void it.
    fn play(&self, pool: &mut Pool<'_>, fixture: &Fixture) -> Event {
        let mut attempts = 1;
        loop {
            let event = self.attempt(pool, fixture, attempts);
            let void = matches!(&event, Event::Finished { record, .. }
                if record.verdict.outcome() == Outcome::Void);
            if !void || attempts == ATTEMPTS || self.stop.is_requested() {
                return event;
            }
            attempts += 1;
        }
    }

    fn attempt(&self, pool: &mut Pool<'_>, fixture: &Fixture, attempts: u32) -> Event {
        let [black, white] = fixture.players.map(|bot| &self.tournament.contestants[bot]);
        let opening = &self.tournament.openings[fixture.opening];
        let contest = Contest {
            game: self.tournament.game,
            opening: opening.moves.clone(),
            limits: [black.limits, white.limits],
            seeds: fixture.seeds,
        };
        let started_unix_ms = unix_ms();
        let mut lent = fixture.players.map(|bot| pool.lend(bot));
        let [lent_black, lent_white] = &mut lent;
        let played = play(
            &contest,
            [&mut lent_black.player, &mut lent_white.player],
            self.heartbeat,
        );
        let evidence =
            needs_evidence(&played.verdict).then(|| Box::new(lent.each_mut().map(Lent::evidence)));
        let warnings = give_back(pool, lent, &played);
        let record = GameRecord {
            id: fixture.id,
            game: self.tournament.game,
            players: [black.name.clone(), white.name.clone()],
            opening: contest.opening,
            plies: played.plies,
            verdict: played.verdict,
            counts: played.counts,
            attempts,
            started_unix_ms,
            duration: played.duration,
            idle_cpu: played.idle_cpu,
            warnings,
        };
        Event::Finished {
            record: Box::new(record),
            evidence,
        }
    }
}

fn needs_evidence(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Rules { .. } | Verdict::Resigned(_) => false,
        Verdict::Forfeit { .. } | Verdict::BothFailed(_) | Verdict::Void { .. } => true,
    }
}

fn give_back(pool: &mut Pool<'_>, lent: [Lent; 2], played: &Played) -> Vec<String> {
    let void = played.verdict.outcome() == Outcome::Void;
    let mut warnings = Vec::new();
    for (side, mut lent) in Side::BOTH.into_iter().zip(lent) {
        warnings.extend(lent.warning.take());
        let sound = !void && played.verdict.fault_of(side).is_none();
        warnings.extend(pool.take_back(lent, sound));
    }
    warnings
}

fn unix_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as u64)
}
