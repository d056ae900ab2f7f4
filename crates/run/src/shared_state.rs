//! What the workers of a run share: how many they are, the agenda, the players that stand in for bots, and the memory
//! for evidence that waits to be saved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use message::{Message, message};
use referee::Player;
use referee::record::GameId;
use referee::void::InterruptedGame;
use tournament::{Agenda, Tournament};

use super::stop::{Gate, Stop};
use super::watch::Watchers;

/// What the workers of a run share.
#[derive(Debug)]
pub(super) struct Shared {
    pub tournament: Tournament,
    pub agenda: Mutex<Agenda>,
    pub concurrency: Concurrency,
    pub stop: Stop,
    /// Whether a worker has panicked, so that no further game of this run begins.
    pub has_panicked: AtomicBool,
    pub watchers: Watchers,
    /// Players that play instead of a bot, by the bot's number.
    pub stand_ins: Vec<Option<NewStandIn>>,
    /// The void games of the record.
    pub interrupted: BTreeMap<GameId, InterruptedGame>,
    pub gate: Gate,
    /// Printed at the end: for example what bots did after their last games.
    pub warnings: Mutex<BTreeSet<Message>>,
}

impl Shared {
    pub fn agenda(&self) -> MutexGuard<'_, Agenda> {
        lock(&self.agenda)
    }

    pub fn is_stopping(&self) -> bool {
        self.stop.is_requested() || self.has_panicked.load(Ordering::SeqCst)
    }
}

/// Makes the player that plays instead of a bot, one for each game. A player that waits for a person must check
/// whether the run is given up.
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

/// The most processes that a worker keeps beside the two that play: a run of two hundred bots is not two hundred
/// processes a worker.
const KEPT: usize = 16;

/// How many games are played at a time, and how many processes that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    pub workers: usize,
    /// How many processes each worker keeps that do not play.
    pub(super) kept: usize,
}

impl Concurrency {
    /// Returns as many of the `wanted` workers as `room` processes are enough for, where `bots` take part; `None`:
    /// there is room for all.
    pub fn of(wanted: usize, bots: usize, room: Option<usize>) -> Concurrency {
        let Some(room) = room else {
            let (workers, kept) = (wanted, KEPT);
            return Concurrency { workers, kept };
        };
        // Two play; two more wait where others do, so that not every game starts a process.
        let workers = wanted.min(room / bots.clamp(2, 4)).max(1);
        let kept = (room / workers).saturating_sub(2).clamp(2, KEPT);
        Concurrency { workers, kept }
    }

    /// Returns the note for the user if they are fewer than `wanted`.
    pub fn note(self, wanted: usize) -> Option<Message> {
        (self.workers < wanted).then(|| {
            message!(
                "{} at a time instead of {wanted}: the system lets the arena have no more files \
                 open; ulimit -n raises that",
                self.workers
            )
        })
    }
}

/// The most bytes of evidence that may wait.
const ROOM: usize = 64 << 20;
/// How often a waiting worker checks whether to give up.
const LOOK: Duration = Duration::from_millis(50);

/// Bounds the evidence of failed games that waits to be saved: if the disk is slow, workers wait. The channel bounds
/// the number of waiting games, but the evidence of one game may be two logs of a MiB and more. So a worker reserves
/// space before it sends a game, and releases it after the game is saved.
#[derive(Debug)]
pub(super) struct Backlog {
    room: usize,
    waiting: Mutex<usize>,
    freed: Condvar,
}

impl Backlog {
    pub fn new() -> Backlog {
        Backlog::of(ROOM)
    }

    fn of(room: usize) -> Backlog {
        Backlog {
            room,
            waiting: Mutex::new(0),
            freed: Condvar::new(),
        }
    }

    /// Reserves this many bytes; waits until they are free, or `is_given_up`. Evidence larger than the
    /// total goes alone.
    pub fn take(&self, bytes: usize, is_given_up: impl Fn() -> bool) {
        let mut waiting = self.waiting();
        while bytes > 0 && *waiting > 0 && *waiting + bytes > self.room && !is_given_up() {
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

/// Locks the value. A thread that panics leaves no value half changed, so a poisoned lock is taken as any other.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;
    use std::thread;

    use super::*;

    #[test]
    fn workers_are_as_many_as_there_is_room_for() {
        for (wanted, bots, room, workers, kept) in [
            (8, 2, None, 8, KEPT),
            (8, 2, Some(1000), 8, KEPT),
            (8, 2, Some(16), 8, 2),
            (8, 2, Some(7), 3, 2),
            (8, 20, Some(200), 8, KEPT),
            (8, 20, Some(40), 8, 3),
            (8, 20, Some(8), 2, 2),
            (8, 2, Some(2), 1, 2),
            (8, 2, Some(0), 1, 2),
        ] {
            let concurrency = Concurrency::of(wanted, bots, room);
            assert_eq!(
                concurrency,
                Concurrency { workers, kept },
                "{bots} bots, {room:?}"
            );
            assert_eq!(concurrency.note(wanted).is_some(), workers < wanted);
        }
    }

    /// Two workers send through a channel that never fills; the one that reads it keeps count.
    #[test]
    fn no_more_waits_than_there_is_room_for() {
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
    fn what_is_larger_than_all_the_room_goes_alone_and_who_gives_up_does_not_wait() {
        let backlog = Backlog::of(100);
        backlog.take(1000, || unreachable!("there is nobody to wait for"));
        backlog.take(1, || true);
        backlog.give_back(1001);
        assert_eq!(*backlog.waiting(), 0);
    }
}
