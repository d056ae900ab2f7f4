//! Processes that can be ended together, from outside the threads that use them: a thread that
//! waits for an answer then sees its process end.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::StartError;
use crate::system::Group;

/// The processes of one piece of work. Clones are the same crew; the default is one that all share
/// that have no other.
#[derive(Clone, Debug)]
pub struct Crew(Arc<Mutex<Members>>);

/// The running members, and whether new ones may start.
#[derive(Debug, Default)]
struct Members {
    /// By the number of each group.
    running: BTreeMap<u64, Group>,
    is_ended: bool,
}

impl Crew {
    /// A new group without members.
    pub fn new() -> Crew {
        Crew(Arc::default())
    }

    /// Returns the crew of all builds of this process.
    pub fn of_builds() -> Crew {
        static BUILDS: LazyLock<Crew> = LazyLock::new(Crew::new);
        BUILDS.clone()
    }

    /// Kills every member with what it has started; no other can start after that.
    pub fn kill_all(&self) {
        let mut members = self.members();
        members.is_ended = true;
        members.running.values().for_each(Group::kill);
    }

    /// Whether [`Crew::kill_all`] was called.
    pub fn is_ended(&self) -> bool {
        self.members().is_ended
    }

    pub(crate) fn add(&self, group: Group) -> Result<(), StartError> {
        let mut members = self.members();
        if members.is_ended {
            return Err(StartError::GivenUp);
        }
        members.running.insert(group.number(), group);
        Ok(())
    }

    /// To be called before the process is waited for: after that its number may be another's.
    pub(crate) fn remove(&self, group: &Group) {
        self.members().running.remove(&group.number());
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Crew {
    fn default() -> Crew {
        static SHARED: LazyLock<Crew> = LazyLock::new(Crew::new);
        SHARED.clone()
    }
}

impl PartialEq for Crew {
    fn eq(&self, other: &Crew) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Crew {}
