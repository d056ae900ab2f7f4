//! Processes that can be ended together, from outside the threads that talk to them: a thread that
//! waits for an answer then sees its process end.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::StartError;
use crate::system::Group;

/// The processes of one piece of work. Clones are the same family; the default is one that all share
/// who have no other.
#[derive(Clone, Debug)]
pub struct Family(Arc<Mutex<Members>>);

/// The running members, and whether new ones may start.
#[derive(Debug, Default)]
struct Members {
    living: BTreeSet<Group>,
    is_ended: bool,
}

impl Family {
    /// A new group without members.
    pub fn new() -> Family {
        Family(Arc::default())
    }

    /// Kills every member with what it has started, and lets none start from now on.
    pub fn kill_all(&self) {
        let mut members = self.members();
        members.is_ended = true;
        members.living.iter().copied().for_each(Group::kill);
    }

    /// Whether [`Family::kill_all`] was called.
    pub fn is_ended(&self) -> bool {
        self.members().is_ended
    }

    pub(crate) fn add(&self, group: Group) -> Result<(), StartError> {
        let mut members = self.members();
        if members.is_ended {
            return Err(StartError::GivenUp);
        }
        members.living.insert(group);
        Ok(())
    }

    /// To be called before the process is waited for: after that its number may be another's.
    pub(crate) fn remove(&self, group: Group) {
        self.members().living.remove(&group);
    }

    fn members(&self) -> MutexGuard<'_, Members> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Family {
    fn default() -> Family {
        static SHARED: LazyLock<Family> = LazyLock::new(Family::new);
        SHARED.clone()
    }
}

impl PartialEq for Family {
    fn eq(&self, other: &Family) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Family {}
