//! The implementation for macOS, under the same names as in `linux`.
//!
//! It has not run on a Mac yet. So all calls of the system are in one small file, [`calls`], behind the trait
//! [`Machine`]. The rest is in [`processes`] and is tested on Linux with a simulated [`Machine`];
//! [`Life`](processes::Life) is tested with real processes. `docs/macos.md` lists what is missing.

#[cfg(target_os = "macos")]
mod calls;
mod processes;

#[cfg(target_os = "macos")]
pub use calls::{load, processor_name, remote_file_system};
#[cfg(target_os = "macos")]
pub use here::*;
#[cfg(target_os = "macos")]
pub use processes::Life;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    group: i32,
    /// The process has ended and has not been waited for.
    is_zombie: bool,
    /// The number of threads that run or are ready.
    ready_threads: i32,
    cpu: std::time::Duration,
}

trait Machine {
    fn processes(&self) -> Vec<i32>;
    /// `None`: the process has ended, or belongs to another user.
    fn facts(&self, process: i32) -> Option<Facts>;
    /// Returns arguments and environment in the form of `KERN_PROCARGS2`; empty if the system does not report them.
    fn arguments(&self, process: i32) -> Vec<u8>;
    fn kill(&self, process: i32) -> bool;
}

#[cfg(target_os = "macos")]
mod here {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::LazyLock;
    use std::time::Duration;

    use rustix::fs::{AtFlags, Mode, chmodat};
    use rustix::process::{Pid, Signal};
    use rustix::time::{ClockId, clock_gettime};

    use super::super::reaper::Tag;
    use super::Machine;
    use super::calls::{Mac, peak_footprint};
    use super::processes;
    use crate::{CoreTime, LinkRule};

    /// The system cannot end a process with its parent; the reaper does.
    pub const ENDS_WITH_PARENT: bool = false;

    pub const LACKS: &[&str] = &[
        "macOS does not pin games to cores, and does not report how long a bot waited for its core: play \
         on a quiet machine",
    ];

    /// Returns the file of our own program. If the file has been replaced, this is the new file.
    pub fn own_program() -> &'static Path {
        static OWN: LazyLock<PathBuf> =
            LazyLock::new(|| std::env::current_exe().unwrap_or_default());
        &OWN
    }

    #[expect(clippy::unnecessary_wraps, reason = "other systems can refuse it")]
    pub fn die_with_parent(_: Signal) -> io::Result<()> {
        Ok(())
    }

    /// The system allows no program to choose its cores.
    pub fn allowed_cores() -> Vec<usize> {
        Vec::new()
    }

    pub fn pin_to(_: impl Iterator<Item = usize>) {}

    pub fn is_from_another_user(_: std::net::SocketAddr, _: std::net::SocketAddr) -> bool {
        false
    }

    pub fn shares_cores() -> bool {
        false
    }

    /// Follows all links on the way to `from`, since there are no sandboxes here.
    pub fn open_through_own_links(from: &Path, rule: LinkRule) -> io::Result<std::fs::File> {
        match rule {
            LinkRule::Follow => std::fs::File::open(from),
            LinkRule::Refuse => super::super::files::open(rustix::fs::CWD, from.as_os_str()),
        }
    }

    pub fn open_up(
        within: impl std::os::fd::AsFd,
        name: impl rustix::path::Arg,
    ) -> rustix::io::Result<()> {
        chmodat(within, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// macOS has no way to register further formats of programs.
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

    /// Needed only to measure waits for a core, which the system does not report.
    pub fn child_of(_: Pid) -> Option<Pid> {
        None
    }

    /// It is unknown whether this system loses a SIGCONT.
    pub fn can_lose_signals(_: Pid) -> bool {
        false
    }

    pub fn sleeps(_: Pid) -> u64 {
        0
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

/// Takes the place of sandboxes, which this system does not have yet: `SandboxHandle` has no values.
#[cfg(target_os = "macos")]
pub mod sandbox {
    use std::ffi::OsString;
    use std::process::Command;
    use std::time::Duration;

    use rustix::process::{Pid, RawPid};

    use super::{CpuClock, RunDelay};
    use crate::sandbox::none::NOT_YET;
    use crate::{Exit, Program, Reached, Sandbox, StartError};

    pub use crate::sandbox::none::{
        ask_runtimes, closed_for, free_memory_mib, look, open_in, probe,
    };

    pub fn take_role(_: &str, _: impl Iterator<Item = OsString>) {}

    pub fn clear_cgroups(_: RawPid) {}

    #[derive(Clone, Copy, Debug)]
    pub enum SandboxHandle {}

    pub type Killer = SandboxHandle;

    pub struct Inside {
        pub pid: Pid,
        pub cpu: CpuClock,
        pub run_delay: RunDelay,
    }

    impl SandboxHandle {
        pub fn make(_: &Sandbox, _: &Program) -> Result<(SandboxHandle, Command), StartError> {
            Err(StartError::NoBox(NOT_YET.to_owned()))
        }

        pub fn variables(&self) -> [(&'static str, OsString); 2] {
            match *self {}
        }

        pub fn killer(&self) -> Killer {
            *self
        }

        pub fn inside(&self, _: Pid) -> Option<&Inside> {
            match *self {}
        }

        pub fn forget_reached(&self) {
            match *self {}
        }

        pub fn has_forked(&self) -> bool {
            match *self {}
        }

        pub fn has_forked_by_now(&self, _: Pid) -> bool {
            match *self {}
        }

        pub fn wait_until_up(&self) {
            match *self {}
        }

        pub fn is_up(&self) -> bool {
            match *self {}
        }

        pub fn refusal(&self) -> Option<StartError> {
            match *self {}
        }

        pub fn others(&self, _: Pid) -> usize {
            match *self {}
        }

        pub fn is_at_work(&self, _: Pid) -> bool {
            match *self {}
        }

        pub fn cpu_time(&self) -> Option<Duration> {
            match *self {}
        }

        pub fn cpu_of_others(&self, _: Pid) -> Duration {
            match *self {}
        }

        pub fn set_frozen(&self, _: bool, _: Pid) {
            match *self {}
        }

        pub fn settle(&self, _: Pid) {
            match *self {}
        }

        pub fn kill(&self, _: Pid) {
            match *self {}
        }

        pub fn clear(&self) {
            match *self {}
        }

        pub fn exit(&self) -> Option<Exit> {
            match *self {}
        }

        pub fn reached(&self) -> Option<Reached> {
            match *self {}
        }
    }
}
