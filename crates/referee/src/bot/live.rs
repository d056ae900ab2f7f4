//! The process groups of all bots that live, so that they can be ended from outside the workers
//! that talk to them: a worker that waits for an answer then sees its bot end.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, RawPid, Signal, kill_process_group};

use super::ArenaError;

/// Who lives, and whether anybody may still be born.
struct Live {
    leaders: BTreeSet<RawPid>,
    given_up: bool,
}

static LIVE: Mutex<Live> = Mutex::new(Live {
    leaders: BTreeSet::new(),
    given_up: false,
});

fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn add(leader: Pid) -> Result<(), ArenaError> {
    let mut live = live();
    if live.given_up {
        return Err(ArenaError::Aborted);
    }
    live.leaders.insert(leader.as_raw_pid());
    Ok(())
}

/// To be called before the leader is waited for: after that its number may be another's.
pub(super) fn remove(leader: Pid) {
    live().leaders.remove(&leader.as_raw_pid());
}

/// Kills every bot, and lets none start from now on.
pub fn kill_all() {
    let mut live = live();
    live.given_up = true;
    for leader in live
        .leaders
        .iter()
        .filter_map(|&leader| Pid::from_raw(leader))
    {
        // A bot that has just ended by itself needs no signal.
        let _ = kill_process_group(leader, Signal::KILL);
    }
}
