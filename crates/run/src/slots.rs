//! Slots: the number of workers that may play at the same time.
//!
//! At first, each worker has a slot. If the system refuses to start a worker's bots, the worker gives up its slot and
//! waits until another worker has finished its game, ended its processes and left its slot. So if a machine is short of
//! processes, a run plays fewer games at a time, down to one. No game becomes void because of this: an attempt with
//! refused processes does not count (see [`referee::void`]).

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::lock::lock;

/// A stop request wakes no worker, so a waiting worker checks for a request this often.
const TICK: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Slots {
    counts: Mutex<SlotCounts>,
    changed: Condvar,
}

#[derive(Debug)]
struct SlotCounts {
    taken: usize,
    waiting: usize,
    /// The number of slots that workers have left for waiting workers.
    left: usize,
}

impl Slots {
    /// Creates a slot for each worker. All slots are taken.
    pub fn new(workers: usize) -> Slots {
        Slots {
            counts: Mutex::new(SlotCounts {
                taken: workers,
                waiting: 0,
                left: 0,
            }),
            changed: Condvar::new(),
        }
    }

    /// Gives up the worker's slot, waits for the slot of another worker, and returns true. If no other worker has a
    /// slot, the worker keeps its own, sleeps briefly, because killed processes may still be ending, and returns false.
    pub fn wait(&self, is_stopped: impl Fn() -> bool) -> bool {
        let mut counts = lock(&self.counts);
        if counts.taken == 1 {
            drop(self.changed.wait_timeout(counts, TICK));
            return false;
        }
        counts.taken -= 1;
        counts.waiting += 1;
        while counts.left == 0 && counts.taken > 0 && !is_stopped() {
            let woken = self.changed.wait_timeout(counts, TICK);
            counts = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        counts.waiting -= 1;
        counts.left = counts.left.saturating_sub(1);
        counts.taken += 1;
        true
    }

    /// Returns whether a worker that has finished a game must end, because a waiting worker gets its slot.
    pub fn yields(&self) -> bool {
        let mut counts = lock(&self.counts);
        let is_wanted = counts.waiting > counts.left;
        if is_wanted {
            counts.left += 1;
        }
        is_wanted
    }

    pub fn leave(&self) {
        lock(&self.counts).taken -= 1;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_waiting_worker_gets_the_slot_of_the_next_that_is_done() {
        let slots = &Slots::new(2);
        thread::scope(|scope| {
            let waits = scope.spawn(|| slots.wait(|| false));
            while !slots.yields() {
                thread::yield_now();
            }
            assert!(!slots.yields(), "only one worker waits for a slot");
            slots.leave();
            assert!(waits.join().expect("it waits"));
        });
        assert!(!slots.wait(|| false));
    }

    #[test]
    fn a_wait_ends_if_all_others_end_or_the_run_is_stopped() {
        let slots = &Slots::new(2);
        thread::scope(|scope| {
            let waits = scope.spawn(|| slots.wait(|| false));
            while lock(&slots.counts).waiting == 0 {
                thread::yield_now();
            }
            slots.leave();
            assert!(waits.join().expect("it waits"));
        });
        assert!(Slots::new(2).wait(|| true));
    }
}
