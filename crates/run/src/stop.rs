//! Ends a run early: by a stop request (from Ctrl-C, a scheduler or a page), or by a check before each pair.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use host::ProcessGroup;

/// A check whether another pair may begin; with `None`, every pair may.
#[derive(Clone, Default)]
pub(super) struct Gate(Option<Arc<MayBegin>>);

type MayBegin = dyn Fn() -> bool + Send + Sync;

impl Gate {
    pub fn new(may: impl Fn() -> bool + Send + Sync + 'static) -> Gate {
        Gate(Some(Arc::new(may)))
    }

    pub fn is_open(&self) -> bool {
        self.0.as_ref().is_none_or(|may| may())
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gate")
    }
}

/// A request to stop. Clones share the request, so runs with clones of one `Stop` stop together. A stop may be inside
/// another one: see [`Stop::inner`].
#[derive(Clone, Debug)]
pub struct Stop(Arc<Request>);

#[derive(Debug)]
struct Request {
    /// 0: no request, 1: no further game begins, 2: running games are aborted.
    level: AtomicU8,
    at_once: AtomicBool,
    bots: ProcessGroup,
    /// The processes that build bots. The first request kills them, because a build can be repeated.
    builds: ProcessGroup,
    outer: Option<Stop>,
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::new()
    }
}

impl Stop {
    pub fn new() -> Stop {
        Stop::of(ProcessGroup::new(), ProcessGroup::new(), None)
    }

    /// Returns a stop for all runs of this process. The first request kills all builds, the second also all bots.
    pub fn of_process() -> Stop {
        Stop::of(ProcessGroup::default(), ProcessGroup::of_builds(), None)
    }

    /// Returns a stop for one of several runs: a request to this stop also stops that run, but not the reverse. Builds
    /// do not belong to the run.
    #[must_use]
    pub fn inner(&self) -> Stop {
        let (bots, builds) = (self.0.bots.inner(), ProcessGroup::new());
        Stop::of(bots, builds, Some(self.clone()))
    }

    fn of(bots: ProcessGroup, builds: ProcessGroup, outer: Option<Stop>) -> Stop {
        Stop(Arc::new(Request {
            level: AtomicU8::new(0),
            at_once: AtomicBool::new(false),
            bots,
            builds,
            outer,
        }))
    }

    pub(super) fn bots(&self) -> ProcessGroup {
        self.0.bots.clone()
    }

    /// Requests a stop: the first call lets running games finish, the second aborts them and kills the bots.
    pub fn request(&self) {
        if !self.request_once() {
            self.give_up();
        }
    }

    /// Requests a stop, unless one is requested already. Returns whether this is the first request.
    pub fn request_once(&self) -> bool {
        let is_first = self.0.level.fetch_max(1, Ordering::SeqCst) == 0;
        self.0.builds.kill_all();
        if is_first && self.0.at_once.load(Ordering::SeqCst) {
            self.give_up();
        }
        is_first
    }

    /// Makes the first request abort games. A person who leaves a game does not want to finish it.
    pub fn request_aborts(&self) {
        self.0.at_once.store(true, Ordering::SeqCst);
    }

    pub fn give_up(&self) {
        self.0.level.store(2, Ordering::SeqCst);
        self.0.builds.kill_all();
        self.0.bots.kill_all();
    }

    pub fn is_requested(&self) -> bool {
        self.level() > 0
    }

    pub fn is_abort(&self) -> bool {
        self.level() > 1
    }

    fn level(&self) -> u8 {
        let own = self.0.level.load(Ordering::SeqCst);
        own.max(self.0.outer.as_ref().map_or(0, Stop::level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_request_aborts_games_and_the_first_if_asked_to() {
        let state = |stop: &Stop| [stop.is_requested(), stop.is_abort()];
        let stop = Stop::new();
        assert_eq!(state(&stop), [false, false]);
        assert!(stop.request_once());
        assert_eq!(state(&stop), [true, false]);
        assert!(!stop.request_once());
        assert_eq!(state(&stop), [true, false]);
        stop.request();
        assert_eq!(state(&stop), [true, true]);

        let outer = Stop::new();
        let [one, other] = [outer.inner(), outer.inner()];
        one.give_up();
        assert_eq!(
            [&one, &other, &outer].map(Stop::is_abort),
            [true, false, false]
        );
        assert!(one.bots().is_ended() && !other.bots().is_ended());
        outer.give_up();
        assert!(other.is_abort() && other.bots().is_ended() && outer.inner().bots().is_ended());

        let stop = Stop::new();
        stop.request_aborts();
        assert_eq!(state(&stop), [false, false]);
        stop.request();
        assert_eq!(state(&stop), [true, true]);
    }
}
