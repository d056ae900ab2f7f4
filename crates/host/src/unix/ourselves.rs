//! Our own program: how it is started again, and how much it may have open.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

pub use super::kernel::ourselves as program;

/// Whether this program hands its command line to [`roles`](super::roles): tests and benchmarks that
/// only link the library do not, and start processes directly.
static HELPS: AtomicBool = AtomicBool::new(false);

/// From now on this program can be started again.
pub fn can_help() {
    HELPS.store(program().exists(), Ordering::Relaxed);
}

/// Whether it can.
pub fn helps() -> bool {
    HELPS.load(Ordering::Relaxed)
}

/// The limit of open files with which we were started.
static FIRST: OnceLock<Rlimit> = OnceLock::new();

/// How many files we may have open; `None`: as many as we like. The limit in force is raised to the
/// highest that we may choose.
pub fn most_open() -> Option<usize> {
    let first = FIRST.get_or_init(|| getrlimit(Resource::Nofile));
    let raised = Rlimit {
        current: first.maximum,
        maximum: first.maximum,
    };
    let limit = if setrlimit(Resource::Nofile, raised).is_ok() {
        raised
    } else {
        *first
    };
    Some(usize::try_from(limit.current?).unwrap_or(usize::MAX))
}

/// The limit of open files for who is started by us, as a number; none where it was not raised.
pub fn first_limit() -> Option<u64> {
    FIRST.get()?.current
}
