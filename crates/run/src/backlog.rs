//! How much evidence of failed games may wait to be saved: if the disk is slow, workers wait.
//!
//! The channel bounds the number of waiting games, but the evidence of one game may be two logs of a MiB
//! and more. So a worker reserves space before it sends a game, and releases it after the game is saved.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::locked::lock;

/// Bytes of evidence that may wait.
const ROOM: usize = 64 << 20;
/// How often a waiting worker checks whether to give up.
const LOOK: Duration = Duration::from_millis(50);

/// Space for evidence.
#[derive(Debug)]
pub(super) struct Backlog {
    room: usize,
    waiting: Mutex<usize>,
    freed: Condvar,
}

impl Backlog {
    /// The total.
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

    /// Releases reserved bytes.
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
    use super::*;
    use std::sync::mpsc::sync_channel;
    use std::thread;

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
