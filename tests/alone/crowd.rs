//! Places with a core of their own, and programs that compete for it.

use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use rustix::thread::CpuSet;

use crate::common::place::Place;

/// Looks at each place on a core of its own, at two at a time if this machine has two cores.
pub fn on_own_cores(places: Vec<Place>, look: impl Fn(&Place) + Sync) {
    let rest = Mutex::new(places.into_iter());
    thread::scope(|scope| {
        for core in two_cores() {
            let (rest, look) = (&rest, &look);
            scope.spawn(move || {
                let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(mut place) = next() {
                    place.core = Some(core.clone());
                    look(&place);
                }
            });
        }
    });
}

/// Returns the first two cores that this test may use, or one.
fn two_cores() -> Vec<String> {
    let allowed = rustix::thread::sched_getaffinity(None).expect("the cores of this process");
    let cores = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core));
    cores.take(2).map(|core| core.to_string()).collect()
}

pub struct Crowd(Vec<Child>);

impl Crowd {
    /// Keeps the core of a place busy.
    pub fn beside(place: &Place, size: usize) -> Crowd {
        let core = place.core.as_deref().expect("its own core");
        let spinner = || {
            // Linux first divides a core among sessions. Like a sandboxed bot, each program here has its own session.
            Command::new("setsid")
                .args(["taskset", "-c", core, "sh", "-c", "while :; do :; done"])
                .stdin(Stdio::null())
                .spawn()
                .expect("taskset is part of util-linux")
        };
        Crowd((0..size).map(|_| spinner()).collect())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().expect("our own child");
            child.wait().expect("our own child");
        }
    }
}
