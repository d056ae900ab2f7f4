//! Places to play at: one for each worker, and fewer once the system refuses processes.
//!
//! A worker whose bots were refused waits until another worker has finished its game and leaves its
//! place, with all its processes. So a run on a machine that is short of processes plays fewer games at a
//! time, down to one, and no game is lost by that.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::shared::lock;

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
    /// whether others had a place. Without, it waits a moment: what they have ended may not be gone yet.
    pub fn wait(&self, is_stopped: impl Fn() -> bool) -> bool {
        let mut state = lock(&self.state);
        if state.taken == 1 {
            drop(self.changed.wait_timeout(state, TICK));
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

    /// Whether the worker, which plays no game, is to leave its place to one that waits. It leaves it for
    /// good.
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
    use std::thread;

    use super::*;

    #[test]
    fn who_waits_gets_the_place_of_the_next_who_is_done() {
        let places = &Places::new(2);
        thread::scope(|scope| {
            let waits = scope.spawn(|| places.wait(|| false));
            while !places.yields() {
                thread::yield_now();
            }
            assert!(!places.yields(), "one waits, and one place is left to it");
            places.leave();
            assert!(waits.join().expect("it waits"));
        });
        // Both have become one.
        assert!(!places.wait(|| false));
    }

    #[test]
    fn who_waits_ends_where_all_others_end_or_the_run_is_stopped() {
        let places = &Places::new(2);
        thread::scope(|scope| {
            let waits = scope.spawn(|| places.wait(|| false));
            while lock(&places.state).waiting == 0 {
                thread::yield_now();
            }
            places.leave();
            assert!(waits.join().expect("it waits"));
        });
        assert!(Places::new(2).wait(|| true));
    }
}
