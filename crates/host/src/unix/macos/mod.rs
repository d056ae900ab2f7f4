//! What macOS has in its own way, under the same names as in `linux`.
//!
//! Nobody has run this on a Mac yet. So what the system is asked stands in one small file, [`calls`], behind
//! the trait [`Machine`]; what is made of its answers is in [`processes`] and is tested on Linux with a
//! double, and [`life`] is tested there with real processes. `docs/macos.md` says what is missing.

#[cfg(target_os = "macos")]
mod calls;
mod life;
mod processes;
#[cfg(target_os = "macos")]
pub mod sandbox;

#[cfg(target_os = "macos")]
pub use calls::{load, processor_name, remote_file_system};
#[cfg(target_os = "macos")]
pub use here::*;
#[cfg(target_os = "macos")]
pub use life::Life;

/// Data on one process, as the system tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    /// Its process group.
    group: i32,
    /// Whether it has ended and was not waited for.
    is_zombie: bool,
    /// Threads that run or are ready to.
    ready_threads: i32,
    /// CPU time that it has used itself.
    cpu: std::time::Duration,
}

/// The questions that macOS is asked about processes.
trait Machine {
    /// The numbers of all processes.
    fn processes(&self) -> Vec<i32>;
    /// `None`: it is gone, or another user's.
    fn facts(&self, process: i32) -> Option<Facts>;
    /// Its arguments and environment as `KERN_PROCARGS2` gives them; empty if the system does not tell.
    fn arguments(&self, process: i32) -> Vec<u8>;
    /// Kills it; whether that was possible.
    fn kill(&self, process: i32) -> bool;
}

/// With the machine that this is.
#[cfg(target_os = "macos")]
mod here {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::LazyLock;
    use std::time::Duration;

    use rustix::fs::{AtFlags, Mode, chmodat};
    use rustix::process::{Pid, Signal};
    use rustix::time::{ClockId, clock_gettime};

    use super::super::tag::Tag;
    use super::Machine;
    use super::calls::{Mac, peak_footprint};
    use super::processes;
    use crate::CoreTime;

    /// Nothing here ends a process with the one that started it: the reaper does.
    pub const ENDS_WITH_PARENT: bool = false;

    /// What a user is told when a run starts.
    pub const LACKS: &[&str] = &[
        "macOS does not pin games to cores, and does not tell how long a bot waited for its core: play \
         on a quiet machine",
    ];

    /// Our own program. Where its file has been replaced since, the new one.
    pub fn ourselves() -> &'static Path {
        static OURSELVES: LazyLock<PathBuf> =
            LazyLock::new(|| std::env::current_exe().unwrap_or_default());
        &OURSELVES
    }

    /// See [`ENDS_WITH_PARENT`].
    #[expect(clippy::unnecessary_wraps, reason = "other systems can refuse it")]
    pub fn die_with_parent(_: Signal) -> io::Result<()> {
        Ok(())
    }

    /// None can be chosen.
    pub fn allowed_cores() -> Vec<usize> {
        Vec::new()
    }

    /// Nothing happens.
    pub fn pin_to(_: impl Iterator<Item = usize>) {}

    /// The system lists no sockets of others.
    pub fn is_from_another_user(_: std::net::SocketAddr, _: std::net::SocketAddr) -> bool {
        false
    }

    /// Not as containers do.
    pub fn shares_cores() -> bool {
        false
    }

    /// There are no boxes here, and all links on the way are followed.
    pub fn open_through_own_links(from: &Path) -> io::Result<std::fs::File> {
        std::fs::File::open(from)
    }

    /// Lets the owner list and change a folder; a link is not followed.
    pub fn open_up(
        within: impl std::os::fd::AsFd,
        name: impl rustix::path::Arg,
    ) -> rustix::io::Result<()> {
        chmodat(within, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// Programs for another processor are started by the system itself.
    pub fn has_other_formats() -> bool {
        false
    }

    pub fn open_now() -> usize {
        std::fs::read_dir("/dev/fd").map_or(0, |list| list.count().saturating_sub(1))
    }

    pub fn machine_name() -> Option<String> {
        let name = rustix::system::uname();
        Some(name.nodename().to_str().ok()?.to_owned())
    }

    pub fn system_name() -> String {
        let name = rustix::system::uname();
        format!(
            "{} {} {}",
            name.sysname().to_string_lossy(),
            name.release().to_string_lossy(),
            name.machine().to_string_lossy()
        )
    }

    pub fn thread_cpu_time() -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }

    /// CPU time of one process, its children not counted.
    #[derive(Debug)]
    pub struct CpuClock(i32);

    impl CpuClock {
        pub fn of(pid: Pid) -> CpuClock {
            CpuClock(pid.as_raw_pid())
        }

        pub fn read(&self) -> Option<Duration> {
            Some(Mac.facts(self.0)?.cpu)
        }
    }

    /// The system does not tell how long a process waited for its core.
    #[derive(Debug)]
    pub struct RunDelay;

    impl RunDelay {
        pub fn of(_: Pid) -> RunDelay {
            RunDelay
        }

        #[expect(clippy::unused_self, reason = "other systems know it of each process")]
        pub fn read(&self) -> CoreTime {
            CoreTime::default()
        }
    }

    pub fn thread_core_time() -> CoreTime {
        CoreTime::default()
    }

    /// Nothing tells how long it waited for its core, so nobody need know it.
    pub fn child_of(_: Pid) -> Option<Pid> {
        None
    }

    /// Whether this system loses a SIGCONT is not known.
    pub fn can_lose_signals(_: Pid) -> bool {
        false
    }

    pub fn is_ready(pid: Pid) -> bool {
        processes::is_ready(&Mac, pid.as_raw_pid())
    }

    pub fn is_group_at_work(leader: Pid) -> bool {
        processes::is_group_at_work(&Mac, leader.as_raw_pid())
    }

    pub fn cpu_of_children(leader: Pid) -> Duration {
        processes::cpu_of_children(&Mac, leader.as_raw_pid())
    }

    pub fn children_of(leader: Pid) -> usize {
        processes::children_of(&Mac, leader.as_raw_pid())
    }

    pub fn peak_memory_kib(pid: Pid) -> Option<u64> {
        Some(peak_footprint(pid.as_raw_pid())? / 1024)
    }

    pub fn count_tagged(tag: &Tag) -> usize {
        processes::tagged(&Mac, tag).len()
    }

    pub fn kill_tagged(tag: &Tag) {
        processes::kill_tagged(&Mac, tag);
    }
}
