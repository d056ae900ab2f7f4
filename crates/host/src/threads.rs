//! Threads for short work.

use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Calls `work` for every item in at most `at_once` threads, and returns the results in the order of the items. If the
/// system refuses a thread, the function fails after the work that has begun is finished.
pub fn side_by_side<T: Sync, R: Send>(
    at_once: NonZero<usize>,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> io::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let one_by_one = || {
        while let Some((number, item)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            items.get(number).map(|item| (number, item))
        } {
            let result = work(item);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..at_once.get().min(items.len()) {
            let started = thread::Builder::new().spawn_scoped(scope, one_by_one);
            if let Err(error) = started {
                // Makes the running threads take no further item.
                next.store(items.len(), Ordering::Relaxed);
                return Err(no_thread(&error));
            }
        }
        Ok(())
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(number, _)| number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

pub(crate) fn no_thread(error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("the system refused a thread: {error}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..50).collect();
        let at_once = NonZero::new(7).expect("not 0");
        let squares = side_by_side(at_once, &items, |item| item * item).expect("threads");
        assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
    }

    /// Each call waits for two others: with fewer threads, the test would never end.
    #[test]
    fn as_many_threads_work_as_allowed() {
        let barrier = Barrier::new(3);
        let at_once = NonZero::new(3).expect("not 0");
        let leaders = side_by_side(at_once, &[0; 3], |_| barrier.wait().is_leader());
        let leaders = leaders.expect("threads").into_iter();
        assert_eq!(leaders.filter(|&is_leader| is_leader).count(), 1);
    }
}
