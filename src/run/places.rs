//! Places to play at: one for each worker, and fewer once the system refuses processes.
//!
//! A worker whose bots were refused waits until another worker has finished its game and leaves its
//! place, with all its processes. So a run on a machine that is short of processes plays fewer games at a
//! time, down to one, and no game is lost by that.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::locked::lock;

/// A stop request wakes nobody, so it is looked for this often.
const TICK: Duration = Duration::from_millis(50);

/// The places of a run.
#[derive(Debug)]
pub(super) struct Places {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Workers that play.
    taken: usize,
    /// Workers that wait for a place.
    waiting: usize,
    /// Places that were left for them.
    left: usize,
}

impl Places {
    /// One for each of these workers, who have taken theirs.
    pub fn new(workers: usize) -> Places {
        Places {
            state: Mutex::new(State {
                taken: workers,
                waiting: 0,
                left: 0,
            }),
            changed: Condvar::new(),
        }
    }

    /// Gives the worker's place up and waits for that of another, as long as anybody plays. Returns
    /// whether others had a place: without, there is nothing to wait for.
    pub fn wait(&self, is_stopped: impl Fn() -> bool) -> bool {
        let mut state = lock(&self.state);
        if state.taken == 1 {
            return false;
        }
        state.taken -= 1;
        state.waiting += 1;
        while state.left == 0 && state.taken > 0 && !is_stopped() {
            let woken = self.changed.wait_timeout(state, TICK);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting -= 1;
        state.left = state.left.saturating_sub(1);
        state.taken += 1;
        true
    }

    /// Whether the worker, which has finished a game, is to leave its place to one that waits. If so, it
    /// has none any more.
    pub fn yields(&self) -> bool {
        let mut state = lock(&self.state);
        let is_wanted = state.waiting > state.left;
        if is_wanted {
            state.left += 1;
        }
        is_wanted
    }

    /// The worker has ended its processes and does not play any more.
    pub fn leave(&self) {
        lock(&self.state).taken -= 1;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// A system with room for three games at a time, and eight workers.
    #[test]
    fn as_many_play_as_there_is_room_for() {
        const ROOM: usize = 3;
        let (places, playing, left) = (Places::new(8), AtomicUsize::new(0), AtomicUsize::new(64));
        let most = AtomicUsize::new(0);
        let work = || {
            while left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                    left.checked_sub(1)
                })
                .is_ok()
            {
                loop {
                    let others = playing.fetch_add(1, Ordering::SeqCst);
                    thread::yield_now();
                    let is_refused = others >= ROOM;
                    if !is_refused {
                        most.fetch_max(others + 1, Ordering::SeqCst);
                    }
                    playing.fetch_sub(1, Ordering::SeqCst);
                    if !is_refused {
                        break;
                    }
                    places.wait(|| false);
                }
                if places.yields() {
                    break;
                }
            }
            places.leave();
        };
        thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(work))));
        assert_eq!(left.into_inner(), 0, "every game was played");
        assert!(most.into_inner() <= ROOM);
    }

    #[test]
    fn who_is_alone_does_not_wait() {
        let places = Places::new(1);
        assert!(!places.wait(|| false));
        assert!(!places.yields());
    }
}
