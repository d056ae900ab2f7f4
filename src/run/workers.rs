//! Plays the scheduled games on a number of workers.
//!
//! A worker takes the next game of the agenda, plays it and sends the record. One loop passes all
//! events to its caller, so that only one thread prints and saves.
//!
//! The record is sent before the agenda learns of the game. So games that depend on a game, such as
//! the next round of a Swiss tournament, come after it in the record. If a run is killed in between,
//! no saved game depends on a lost one.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use games::Side;
use host::{Core, Heartbeat, claim_cores, pin_to};

use super::backlog::Backlog;
use super::event::Event;
use super::locked::lock;
use super::pool::{Evidence, Lease, NewGuest, Pool};
use super::watch::{LiveGame, Watchers};
use super::{Lanes, RunError, Stop};
use crate::tournament::{Agenda, Contestant, Fixture, Next, Tournament};
use referee::record::{GameRecord, Outcome, Verdict};
use referee::{Contest, Played, Retry, play as referee_play};

/// How often a void game is played, in all.
const ATTEMPTS: u32 = 5;
/// The caller gets an event at least this often.
const TICK: Duration = Duration::from_millis(50);
/// Finished games may wait this long for the loop.
const GATHER: Duration = Duration::from_millis(4);
/// Finished games that may wait for the caller before workers wait too.
const BACKLOG: usize = 256;

/// A message to the loop.
#[derive(Debug)]
pub(super) enum Heard {
    /// A game has ended.
    Finished {
        /// Its record.
        record: Arc<GameRecord>,
        /// The bots' messages, black's first, if one of them failed or the game is void.
        evidence: Option<Box<[Evidence; 2]>>,
    },
    /// No event; time has passed.
    Nothing,
}

impl Heard {
    /// The size of its evidence in bytes.
    fn bytes(&self) -> usize {
        match self {
            Heard::Finished {
                evidence: Some(evidence),
                ..
            } => evidence.iter().map(Evidence::bytes).sum(),
            Heard::Finished { evidence: None, .. } | Heard::Nothing => 0,
        }
    }
}

/// Plays every game that is left on the agenda, and calls `on` with each event, until no game is left, a
/// stop is requested, or `on` fails.
///
/// The order in which games finish depends on the workers; the games themselves do not. The agenda may
/// be read meanwhile, but only for a short time, because workers wait for it.
pub(super) fn play(
    tournament: &Tournament,
    agenda: &Mutex<Agenda>,
    lanes: Lanes,
    stop: &Stop,
    watchers: &Watchers,
    guests: &[Option<NewGuest>],
    mut on: impl FnMut(Heard) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let no_thread = |source| RunError::System {
        what: "the system refused to start a thread".to_owned(),
        source,
    };
    let heartbeat = Heartbeat::start().map_err(no_thread)?;
    let changed = Condvar::new();
    let each = tournament.cores_a_game();
    let cores = if tournament.pin {
        claim_cores(lanes.count.saturating_mul(each))
    } else {
        Vec::new()
    };
    let cores = &cores;
    let (sender, events) = sync_channel(BACKLOG);
    let backlog = Backlog::new();
    let (heartbeat, changed, backlog) = (&heartbeat, &changed, &backlog);
    thread::scope(move |scope| {
        for number in 0..lanes.count {
            let worker = Worker {
                number,
                tournament,
                agenda,
                changed,
                lanes,
                stop,
                watchers,
                guests,
                heartbeat,
                backlog,
                cores: cores.chunks(each).nth(number).unwrap_or_default(),
            };
            let sender = sender.clone();
            thread::Builder::new()
                .name(format!("worker {number}"))
                .spawn_scoped(scope, move || worker.work(&sender))
                .map_err(no_thread)?;
        }
        drop(sender);
        // Dropped at the end of this block in every case, so that workers waiting to send continue.
        let events = events;
        loop {
            let heard = match next(&events) {
                Ok(heard) => heard,
                Err(RecvTimeoutError::Timeout) => Heard::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let bytes = heard.bytes();
            let taken = on(heard);
            backlog.give_back(bytes);
            if let Err(error) = taken {
                // No more games can be saved, so no more are played.
                stop.give_up();
                return Err(error);
            }
        }
    })
}

/// The next message. If none is there, it is looked for once more a little later before it is waited
/// for: who waits has to be woken, and where games take less than a millisecond that took a worker, and
/// a core that games need, more time than saving the game.
fn next(events: &Receiver<Heard>) -> Result<Heard, RecvTimeoutError> {
    if let Ok(heard) = events.try_recv() {
        return Ok(heard);
    }
    thread::sleep(GATHER);
    events.recv_timeout(TICK)
}

/// The part of a game that the agenda needs.
struct Ending {
    outcome: Outcome,
    fingerprint: u64,
}

struct Worker<'a> {
    /// Counted from 0.
    number: usize,
    tournament: &'a Tournament,
    agenda: &'a Mutex<Agenda>,
    /// Wakes workers that wait for the agenda.
    changed: &'a Condvar,
    lanes: Lanes,
    stop: &'a Stop,
    watchers: &'a Watchers,
    guests: &'a [Option<NewGuest>],
    heartbeat: &'a Heartbeat,
    backlog: &'a Backlog,
    /// The cores of its games; empty: any core.
    cores: &'a [Core],
}

impl Worker<'_> {
    fn work(&self, sender: &SyncSender<Heard>) {
        pin_to(self.cores);
        let kept = self.lanes.kept;
        let mut pool = Pool::new(&self.tournament.contestants, self.guests, self.stop, kept);
        while let Some(fixture) = self.take() {
            let (heard, ending) = self.play(&mut pool, &fixture);
            self.backlog.take(heard.bytes(), || self.stop.is_abort());
            if self.stop.is_abort() || sender.send(heard).is_err() {
                return;
            }
            self.agenda()
                .finished(fixture.id, ending.outcome, ending.fingerprint);
            self.changed.notify_all();
        }
    }

    fn agenda(&self) -> MutexGuard<'_, Agenda> {
        lock(self.agenda)
    }

    /// The next game to play.
    fn take(&self) -> Option<Fixture> {
        let mut agenda = self.agenda();
        while !self.stop.is_requested() {
            match agenda.take() {
                Next::Game(fixture) => return Some(fixture),
                Next::Over => return None,
                // A stop request wakes no worker, so it is checked here.
                Next::Wait => {
                    let woken = self.changed.wait_timeout(agenda, TICK);
                    agenda = woken.unwrap_or_else(std::sync::PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    /// Plays a game; again if it was void.
    fn play(&self, pool: &mut Pool<'_>, fixture: &Fixture) -> (Heard, Ending) {
        let mut attempts = 1;
        loop {
            let (heard, ending) = self.attempt(pool, fixture, attempts);
            let again = ending.outcome == Outcome::Void && attempts < ATTEMPTS;
            if !again || self.stop.is_requested() {
                return (heard, ending);
            }
            attempts += 1;
        }
    }

    fn attempt(&self, pool: &mut Pool<'_>, fixture: &Fixture, attempts: u32) -> (Heard, Ending) {
        let bots = fixture.players.map(|bot| &self.tournament.contestants[bot]);
        let contest = self.contest(fixture, bots);
        let live = self.live();
        if let Some(live) = live {
            live.begin(Event::Started {
                game: fixture.id,
                bots: fixture.players,
                opening: contest.opening.as_slice().into(),
                attempt: attempts,
            });
        }
        let started_unix_ms = unix_ms();
        let mut leases = fixture.players.map(|bot| pool.lend(bot));
        pool.pause_waiting();
        let (played, mut warnings) = self.referee(&contest, &mut leases, live);
        if let Some(live) = live {
            live.clear();
        }
        if let Verdict::Void { why } = &played.verdict {
            self.watchers.tell(&Event::Void {
                game: fixture.id,
                why: why.clone(),
                waited_for: played.waited_for,
            });
        }
        let evidence = needs_evidence(&played.verdict)
            .then(|| Box::new(leases.each_mut().map(Lease::evidence)));
        warnings.extend(give_back(pool, leases, &played));
        let record = GameRecord {
            id: fixture.id,
            game: contest.game,
            players: bots.map(|bot| bot.name.clone()),
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
        let heard = Heard::Finished {
            record: Arc::new(record),
            evidence,
        };
        (heard, ending)
    }

    fn contest(&self, fixture: &Fixture, [black, white]: [&Contestant; 2]) -> Contest {
        let (opening, stage) = (
            self.tournament.opening(fixture),
            self.tournament.stage(fixture),
        );
        let mut adjudication = self.tournament.adjudication;
        if let Some(stage) = stage {
            adjudication.draw_after = Some(opening.len() + stage.most_plies);
        }
        Contest {
            game: stage.map_or(self.tournament.game, |stage| stage.game),
            opening,
            limits: [black.limits, white.limits],
            seeds: fixture.seeds,
            memory_mib: [black.memory_mib, white.memory_mib],
            adjudication,
            ponder: self.tournament.ponder,
        }
    }

    /// Where watchers see the half-moves, if there are watchers.
    fn live(&self) -> Option<&LiveGame> {
        self.watchers.any().then(|| self.watchers.live(self.number))
    }

    /// Lets the referee play it; also returns the warnings about the answers.
    fn referee(
        &self,
        contest: &Contest,
        leases: &mut [Lease; 2],
        live: Option<&LiveGame>,
    ) -> (Played, Vec<String>) {
        let illegal_answers = self.tournament.illegal_answers;
        let [mut black, mut white] = leases
            .each_mut()
            .map(|lease| Retry::new(lease.player(), illegal_answers));
        let played = referee_play(
            contest,
            [&mut black, &mut white],
            self.heartbeat,
            &mut |ply, left| {
                if let Some(live) = live {
                    live.add(ply, left);
                }
            },
        );
        let mut warnings = black.forgiven;
        warnings.append(&mut white.forgiven);
        (played, warnings)
    }
}

fn needs_evidence(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Rules { .. } | Verdict::Resigned(_) | Verdict::Adjudicated { .. } => false,
        Verdict::Forfeit { .. } | Verdict::BothFailed(_) | Verdict::Void { .. } => true,
    }
}

fn give_back(pool: &mut Pool<'_>, leases: [Lease; 2], played: &Played) -> Vec<String> {
    let void = played.verdict.outcome() == Outcome::Void;
    let mut warnings = Vec::new();
    for (side, mut lease) in Side::BOTH.into_iter().zip(leases) {
        warnings.extend(lease.warning.take());
        let sound = !void && played.verdict.fault_of(side).is_none();
        warnings.extend(pool.take_back(lease, sound));
    }
    warnings
}

fn unix_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as u64)
}
