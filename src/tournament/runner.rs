//! Playing what is scheduled on a number of workers.
//!
//! A worker takes the next game of the agenda, plays it, sends the record; one loop hands
//! everything that happens to the caller, so that only one thread prints and saves.
//!
//! The record is sent before the agenda hears of the game. So whatever depends on a game, such as
//! the next round of a Swiss tournament, stands behind it in the record, and a run that is killed
//! in between never holds a game whose reason is lost.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use games::Side;
use host::{Core, Family, Heartbeat, claim_cores, pin_to};

use super::Tournament;
use super::agenda::{Agenda, Next};
use super::backlog::Backlog;
use super::pool::{Evidence, Lent, Pool};
use super::schedule::Fixture;
use referee::record::{GameRecord, Outcome, Verdict};
use referee::{Contest, Patience, Played, play};

/// How often a game that the arena had to void is played, in all.
const ATTEMPTS: u32 = 5;
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

impl Event {
    /// How much evidence it holds.
    fn bytes(&self) -> usize {
        match self {
            Event::Finished {
                evidence: Some(evidence),
                ..
            } => evidence.iter().map(Evidence::bytes).sum(),
            Event::Finished { evidence: None, .. } | Event::Tick => 0,
        }
    }
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
            self.give_up();
        }
    }

    /// Gives up the running games at once and kills the bots.
    pub fn give_up(&self) {
        self.0.store(2, Ordering::SeqCst);
        Family::default().kill_all();
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

/// Plays every game that is left on the agenda, and hands events to `on` until nothing is left, a
/// stop is requested, or `on` fails.
///
/// The games' order of arrival depends on the workers; the games themselves do not. The agenda may
/// be looked at all the while, but not for long: workers wait for it.
pub fn run<E>(
    tournament: &Tournament,
    agenda: &Mutex<Agenda>,
    stop: &Stop,
    mut on: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E>
where
    E: From<std::io::Error>,
{
    let heartbeat = Heartbeat::start()?;
    let changed = Condvar::new();
    let each = tournament.cores_a_game();
    let cores = if tournament.pin {
        claim_cores(tournament.concurrency.saturating_mul(each))
    } else {
        Vec::new()
    };
    let cores = &cores;
    let (sender, events) = sync_channel(BACKLOG);
    let backlog = Backlog::new();
    let (heartbeat, changed, backlog) = (&heartbeat, &changed, &backlog);
    thread::scope(move |scope| {
        for number in 0..tournament.concurrency {
            let worker = Worker {
                tournament,
                agenda,
                changed,
                stop,
                heartbeat,
                backlog,
                cores: cores.chunks(each).nth(number).unwrap_or_default(),
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
            let bytes = event.bytes();
            let taken = on(event);
            backlog.give_back(bytes);
            if let Err(error) = taken {
                // Nothing more can be kept, so nothing more is played.
                stop.request();
                stop.request();
                return Err(error);
            }
        }
    })
}

/// What the agenda hears of a game.
struct Ending {
    outcome: Outcome,
    fingerprint: u64,
}

struct Worker<'a> {
    tournament: &'a Tournament,
    agenda: &'a Mutex<Agenda>,
    /// Whoever waits for the agenda is told through it.
    changed: &'a Condvar,
    stop: &'a Stop,
    heartbeat: &'a Heartbeat,
    backlog: &'a Backlog,
    /// Those its games keep to; none: wherever there is room.
    cores: &'a [Core],
}

impl Worker<'_> {
    fn work(&self, sender: &SyncSender<Event>) {
        pin_to(self.cores);
        let mut pool = Pool::new(&self.tournament.contestants);
        while let Some(fixture) = self.take() {
            let (event, ending) = self.play(&mut pool, &fixture);
            self.backlog.take(event.bytes(), || self.stop.is_abort());
            if self.stop.is_abort() || sender.send(event).is_err() {
                return;
            }
            self.agenda()
                .finished(fixture.id, ending.outcome, ending.fingerprint);
            self.changed.notify_all();
        }
    }

    fn agenda(&self) -> MutexGuard<'_, Agenda> {
        self.agenda.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game that is to be played.
    fn take(&self) -> Option<Fixture> {
        let mut agenda = self.agenda();
        while !self.stop.is_requested() {
            match agenda.take() {
                Next::Game(fixture) => return Some(fixture),
                Next::Over => return None,
                // A wish to stop tells nobody: it is looked for.
                Next::Wait => {
                    let woken = self.changed.wait_timeout(agenda, TICK);
                    agenda = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    /// Plays a game, again if the arena had to void it.
    fn play(&self, pool: &mut Pool<'_>, fixture: &Fixture) -> (Event, Ending) {
        let mut attempts = 1;
        loop {
            let (event, ending) = self.attempt(pool, fixture, attempts);
            let again = ending.outcome == Outcome::Void && attempts < ATTEMPTS;
            if !again || self.stop.is_requested() {
                return (event, ending);
            }
            attempts += 1;
        }
    }

    fn attempt(&self, pool: &mut Pool<'_>, fixture: &Fixture, attempts: u32) -> (Event, Ending) {
        let [black, white] = fixture.players.map(|bot| &self.tournament.contestants[bot]);
        let contest = Contest {
            game: self.tournament.game,
            opening: self.tournament.opening(fixture),
            position: None,
            limits: [black.limits, white.limits],
            seeds: fixture.seeds,
            memory_mib: [black.memory_mib, white.memory_mib],
            adjudication: self.tournament.adjudication,
        };
        let started_unix_ms = unix_ms();
        let mut lent = fixture.players.map(|bot| pool.lend(bot));
        let patience = self.tournament.illegal_answers;
        let [mut black_player, mut white_player] = lent
            .each_mut()
            .map(|lent| Patience::new(&mut lent.player, patience));
        let played = play(
            &contest,
            [&mut black_player, &mut white_player],
            self.heartbeat,
        );
        let mut warnings = black_player.forgiven;
        warnings.append(&mut white_player.forgiven);
        let evidence =
            needs_evidence(&played.verdict).then(|| Box::new(lent.each_mut().map(Lent::evidence)));
        warnings.extend(give_back(pool, lent, &played));
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
        let ending = Ending {
            outcome: record.verdict.outcome(),
            fingerprint: record.fingerprint(),
        };
        let event = Event::Finished {
            record: Box::new(record),
            evidence,
        };
        (event, ending)
    }
}

fn needs_evidence(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Rules { .. } | Verdict::Resigned(_) | Verdict::Adjudicated { .. } => false,
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
