//! Workers, which play the scheduled games.
//!
//! A worker takes the next game of the agenda, plays it and sends the record to the one loop that prints and saves.
//!
//! A worker sends the record of a game before the agenda counts the game. So games that depend on this game, such as
//! the next round of a Swiss tournament, are saved after it: no saved game depends on a lost game.
//!
//! A worker that panics ends the run: the other workers finish and save their games, and end.

use message::{Message, message};
use referee::problem;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, PoisonError};
use std::thread;
use std::time::Duration;

use games::{Side, is_swapped};
use host::{Core, Heartbeat, pin_to};

use super::live::{Event, LiveGame};
use super::lock::lock;
use super::pool::{Lease, Pool};
use super::shared_state::{Backlog, BothEvidence, Shared};
use super::slots::Slots;
use super::stop::Stop;
use super::{RunError, unix_ms};
use crate::failures::{self, BotEvidence, needs_evidence};
use referee::record::{GameRecord, Outcome, Ply, Verdict};
use referee::void::{InterruptedGame, Interruptions};
use referee::{Contest, PlayedGame, Retry, Terms, play as referee_play};
use tournament::{Contestant, Fixture, Next, Tournament};

const FEWER_THREADS: &str =
    "the system refused to start threads, so fewer games were played at a time";
const FEWER: &str =
    "the system had too few processes or too little memory, so fewer games were played at a time";
const TICK: Duration = Duration::from_millis(50);
const GATHER: Duration = Duration::from_millis(4);
/// At most this many finished games wait for the caller. If there are more, the workers wait, too.
const BACKLOG: usize = 256;

#[derive(Debug)]
pub(super) struct Finished {
    pub record: Arc<GameRecord>,
    /// The messages of the bots, black's first, if a bot failed, the game is void, or all messages are kept.
    pub evidence: Option<BothEvidence>,
}

impl Finished {
    pub fn keep(&self, run: &Path, tournament: &Tournament) -> Result<(), RunError> {
        failures::keep(run, tournament, &self.record, self.evidence.as_deref())
    }

    fn bytes(&self) -> usize {
        let evidence = self.evidence.iter().flat_map(|both| both.iter());
        evidence.map(BotEvidence::bytes).sum()
    }
}

const TOO_FEW_TO_PONDER: &str = "both bots of a game thought at the same time on shared cores: play fewer games \
at a time (-j)";

/// Claims cores for this many games at a time. Also returns a warning if another arena holds the cores, or if bots
/// ponder without cores of their own. Returns no warning if the machine cannot pin games to cores, or if it has too
/// few cores and bots do not ponder.
///
/// Sandboxed bots without cores of their own are pinned to shared cores. Otherwise, they could use all cores.
/// Fails if bots in sandboxes ponder without cores of their own, because a bot could slow its opponent down.
pub fn cores(
    tournament: &Tournament,
    games: usize,
) -> Result<(Vec<Core>, Option<Message>), RunError> {
    if !tournament.pin {
        return Ok((Vec::new(), None));
    }
    let listed = &tournament.core_list;
    let wanted = games.saturating_mul(tournament.cores_a_game());
    let cores = host::claim_cores(listed, wanted);
    let allowed = host::allowed_cores().len();
    if !cores.is_empty() || allowed == 0 {
        return Ok((cores, None));
    }
    let there = if listed.is_empty() { allowed } else { wanted };
    let why = (wanted <= there).then(|| {
        let free = match wanted {
            1 => "no core was free".into(),
            _ => message!("fewer than {wanted} cores were free"),
        };
        let locks = std::env::temp_dir().join("arena-*/core-*.lock");
        message!(
            "{free}, so games shared cores with other programs: another arena uses {}",
            locks.display()
        )
    });
    let is_boxed = |bot: &Contestant| bot.launch.sandbox.is_some();
    let is_boxed = tournament.contestants.iter().any(is_boxed);
    if !tournament.ponder {
        let shared = is_boxed.then(|| host::share_cores(listed, wanted));
        return Ok((shared.unwrap_or_default(), why));
    }
    if is_boxed {
        let problem = problem!("bots that ponder in a sandbox need {wanted} cores of their own");
        let help = "play fewer games at a time (-j), or wait until the other arena has ended";
        return Err(problem.help(help).of_machine().into());
    }
    Ok((cores, why.or(Some(TOO_FEW_TO_PONDER.into()))))
}

/// Plays games until none is left, a stop is requested, or `on` fails; then all bots have ended. Passes each game to `on`, and regularly `None`.
/// The workers affect only the order in which games finish. Other threads may lock the agenda only briefly.
pub(super) fn play(
    shared: &Shared,
    mut on: impl FnMut(Option<Finished>) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let no_thread = |source| RunError::system("the system refused to start a thread")(source);
    let _heartbeat = Heartbeat::start().map_err(no_thread)?;
    let changed = Condvar::new();
    let (each, wanted) = (shared.tournament.cores_a_game(), shared.concurrency.workers);
    let (cores, without) = cores(&shared.tournament, wanted)?;
    lock(&shared.warnings).extend(without);
    let cores = &cores;
    let (sender, events) = sync_channel(BACKLOG);
    let backlog = Backlog::new();
    let slots = Slots::new(wanted);
    let (changed, backlog, slots) = (&changed, &backlog, &slots);
    thread::scope(move |scope| {
        let started = start_as_many(wanted, |number| {
            let worker = Worker {
                number,
                shared,
                changed,
                backlog,
                slots,
                cores: cores.chunks(each).nth(number).unwrap_or_default(),
            };
            let sender = sender.clone();
            thread::Builder::new()
                .name(format!("worker {number}"))
                .spawn_scoped(scope, move || worker.work(&sender))
        });
        let workers = started.map_err(no_thread)?;
        if workers.len() < wanted {
            lock(&shared.warnings).insert(FEWER_THREADS.into());
            (workers.len()..wanted).for_each(|_| slots.leave());
        }
        drop(sender);
        let passed_on = pass_on(&events, backlog, &shared.stop, &mut on);
        let mut panics = workers.into_iter().filter_map(|worker| worker.join().err());
        let panicked = panics.next();
        panics.for_each(drop);
        passed_on?;
        panicked.map_or(Ok(()), |panic| Err(RunError::panic(&*panic)))
    })
}

/// Starts workers 0 to `wanted` − 1, or fewer if the system refuses threads. Fails if it refuses even the first thread.
fn start_as_many<T>(
    wanted: usize,
    mut start: impl FnMut(usize) -> io::Result<T>,
) -> io::Result<Vec<T>> {
    let mut started = vec![start(0)?];
    started.extend((1..wanted).map_while(|number| start(number).ok()));
    Ok(started)
}

/// Passes the finished games to `on`, and regularly `None`, until all workers have ended. If `on` fails, aborts the
/// running games, passes on the games that have finished, and returns the first failure.
fn pass_on(
    events: &Receiver<Finished>,
    backlog: &Backlog,
    stop: &Stop,
    on: &mut impl FnMut(Option<Finished>) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let mut passed_on = Ok(());
    loop {
        let heard = match next(events) {
            Ok(finished) => Some(finished),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return passed_on,
        };
        let bytes = heard.as_ref().map_or(0, Finished::bytes);
        let taken = on(heard);
        backlog.give_back(bytes);
        if taken.is_err() && passed_on.is_ok() {
            stop.give_up();
            passed_on = taken;
        }
    }
}

/// Returns the next finished game. Sleeps before it blocks: several short games then wake this thread only once.
fn next(events: &Receiver<Finished>) -> Result<Finished, RecvTimeoutError> {
    if let Ok(finished) = events.try_recv() {
        return Ok(finished);
    }
    thread::sleep(GATHER);
    events.recv_timeout(TICK)
}

struct Worker<'a> {
    number: usize,
    shared: &'a Shared,
    changed: &'a Condvar,
    backlog: &'a Backlog,
    slots: &'a Slots,
    /// The cores of this worker's games; empty for any core.
    cores: &'a [Core],
}

/// A guard that frees the slot of a worker and wakes the waiting workers when the worker ends, even by a panic.
struct Working<'a>(&'a Worker<'a>);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.shared.has_panicked.store(true, Ordering::SeqCst);
        }
        self.0.slots.leave();
        self.0.changed.notify_all();
    }
}

impl Worker<'_> {
    fn work(&self, sender: &SyncSender<Finished>) {
        let working = Working(self);
        working.0.play_all(sender);
    }

    fn play_all(&self, sender: &SyncSender<Finished>) {
        pin_to(self.cores);
        let mut pool = Pool::new(self.shared);
        while let Some(fixture) = self.take() {
            let finished = self.play(&mut pool, &fixture);
            let record = &finished.record;
            let prices = Side::BOTH.map(|side| record.spent(side).price());
            self.shared.pay(prices.iter().sum());
            let (_, outcome) = record.scheduled();
            let fingerprint = record.fingerprint();
            let stop = &self.shared.stop;
            self.backlog.take(finished.bytes(), || stop.is_abort());
            if stop.is_abort() || sender.send(finished).is_err() {
                return;
            }
            let mut agenda = self.shared.agenda();
            agenda.finished(fixture.id, outcome, fingerprint);
            drop(agenda);
            self.changed.notify_all();
            if self.slots.yields() {
                return;
            }
        }
    }

    /// Returns the next game to play. Blocks until its players are known. `None` if this worker must end.
    fn take(&self) -> Option<Fixture> {
        let mut agenda = self.shared.agenda();
        while !self.shared.is_stopping() {
            match agenda.take() {
                Next::Game(fixture) => {
                    drop(agenda);
                    if fixture.id.leg() > 0 || self.shared.gate.is_open() {
                        return Some(fixture);
                    }
                    self.shared.stop.request();
                    return None;
                }
                Next::Over => return None,
                // A waiting worker must not keep a slot from other workers.
                Next::Wait if self.slots.yields() => return None,
                // A stop request wakes no worker, so the wait has a limit.
                Next::Wait => {
                    let woken = self.changed.wait_timeout(agenda, TICK);
                    agenda = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        None
    }

    fn play(&self, pool: &mut Pool<'_>, fixture: &Fixture) -> Finished {
        let so_far = self.shared.interrupted.get(&fixture.id).cloned();
        let mut so_far = so_far.unwrap_or_default();
        loop {
            let (mut record, evidence, interruptions) = self.attempt(pool, fixture, so_far);
            if let (true, Verdict::Void { why }) = (interruptions.is_final, &record.verdict) {
                let side = interruptions.waited_for.unwrap_or(Side::Black);
                lock(&self.shared.warnings).insert(message!(
                    "{}: {why}; no further game begins, and none is lost by it; to continue, remove the cause and \
                     resume the run",
                    record.player(side)
                ));
                self.shared.stop.request_once();
            }
            if InterruptedGame::is_settled(&record) || self.shared.is_stopping() {
                self.shared.limit_texts(&mut record.plies);
                let record = Arc::new(record);
                let evidence = evidence.and_then(|evidence| self.shared.limited(evidence));
                return Finished { record, evidence };
            }
            let mut is_free = false;
            if interruptions.is_refused {
                pool.end_waiting();
                // An attempt with refused processes counts only if no other worker can end and free its processes.
                is_free = self.slots.wait(|| self.shared.is_stopping());
                if is_free {
                    lock(&self.shared.warnings).insert(FEWER.into());
                }
            }
            so_far = InterruptedGame::next_attempt(record, is_free);
        }
    }

    fn attempt(
        &self,
        pool: &mut Pool<'_>,
        fixture: &Fixture,
        so_far: InterruptedGame,
    ) -> (GameRecord, Option<BothEvidence>, Interruptions) {
        let mut bots = fixture
            .players
            .map(|bot| &self.shared.tournament.contestants[bot]);
        let (attempt, mut excused) = (so_far.attempt, so_far.excused);
        let was_swapped = is_swapped(so_far.plies.iter().map(|ply| &ply.played));
        let contest = self.contest(fixture, bots, so_far.plies);
        let watchers = &self.shared.watchers;
        let live = watchers.any().then(|| watchers.live(self.number));
        if let Some(live) = live {
            live.begin(Event::Started {
                game: fixture.id,
                bots: fixture.players,
                opening: contest.opening.as_slice().into(),
                attempt,
            });
        }
        let started_unix_ms = unix_ms();
        let first = fixture.players[0].min(fixture.players[1]);
        let mut leases = fixture.players.map(|bot| {
            let mut own = self.cores.chunks(self.shared.tournament.cores_a_bot());
            // Bots that ponder have their own cores. A bot mostly has the same cores in each game.
            let own = own.nth(usize::from(bot != first));
            let own = own.filter(|_| self.shared.tournament.ponder);
            let command = self.shared.agenda().command(bot, fixture);
            pool.lend(bot, own.unwrap_or_default(), command)
        });
        pool.pause_waiting();
        let (played, mut warnings) = self.referee(&contest, &mut leases, live);
        if let Some(live) = live {
            live.clear();
        }
        if played.is_swapped {
            leases.swap(0, 1);
            bots.swap(0, 1);
        }
        if played.is_swapped != was_swapped {
            excused.swap(0, 1);
        }
        for (sum, more) in excused.iter_mut().zip(played.interruptions.excused) {
            *sum += more;
        }
        if let Verdict::Void { why } = &played.verdict {
            watchers.send(&Event::Void {
                game: fixture.id,
                why: why.clone(),
                waited_for: played.interruptions.waited_for,
            });
        }
        let evidence = (needs_evidence(&played.verdict) || self.shared.tournament.log)
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
            attempts: attempt,
            interruptions: excused,
            started_unix_ms,
            duration: played.duration,
            idle_cpu: played.idle_cpu,
            unplayed: played.unplayed,
            warnings,
        };
        (record, evidence, played.interruptions)
    }

    fn contest(
        &self,
        fixture: &Fixture,
        [black, white]: [&Contestant; 2],
        so_far: Vec<Ply>,
    ) -> Contest {
        let tournament = &self.shared.tournament;
        let Terms {
            game,
            opening,
            adjudication,
        } = tournament.terms(fixture);
        Contest {
            game,
            opening,
            limits: [black.limits, white.limits],
            seeds: tournament.seeds(fixture.id),
            memory_mib: [black.memory_mib, white.memory_mib],
            is_reference: [black.is_reference, white.is_reference],
            may_stop: [black, white].map(|bot| tournament.may_stop(bot)),
            adjudication,
            ponder: tournament.ponder,
            so_far,
        }
    }

    fn referee(
        &self,
        contest: &Contest,
        leases: &mut [Lease; 2],
        live: Option<&LiveGame>,
    ) -> (PlayedGame, Vec<Message>) {
        let illegal_answers = self.shared.tournament.illegal_answers;
        let [mut black, mut white] = leases
            .each_mut()
            .map(|lease| Retry::new(lease.player(), illegal_answers));
        let played = referee_play(contest, [&mut black, &mut white], &mut |ply, left| {
            if let Some(live) = live {
                live.add(ply, left);
            }
        });
        let mut warnings = black.forgiven;
        warnings.append(&mut white.forgiven);
        (played, warnings)
    }
}

fn give_back(pool: &mut Pool<'_>, leases: [Lease; 2], played: &PlayedGame) -> Vec<Message> {
    let void = played.verdict.outcome() == Outcome::Void;
    let mut warnings = Vec::new();
    for (side, mut lease) in Side::BOTH.into_iter().zip(leases) {
        warnings.extend(lease.warning.take());
        let sound = !void && played.verdict.fault_of(side).is_none();
        warnings.extend(pool.take_back(lease, sound));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_thread_leaves_the_workers_that_were_started() {
        for (most, expected) in [(0, None), (1, Some(vec![0])), (9, Some(vec![0, 1, 2]))] {
            let start = |number| {
                let there = (number < most).then_some(number);
                there.ok_or_else(|| io::ErrorKind::WouldBlock.into())
            };
            assert_eq!(start_as_many(3, start).ok(), expected, "{most} threads");
        }
    }
}
