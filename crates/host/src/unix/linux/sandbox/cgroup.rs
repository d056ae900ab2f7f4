//! The control group of a box, which limits, counts, stops and kills all processes of the box together.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, RawPid, Signal, kill_process};

use super::super::processes::is_ready;
use super::MIB;
use super::hierarchies::{Control, GONE, HELD, Hierarchies, processes_of, remove_group, value_in};
use crate::{Reached, Sandbox};

/// The number of checks of [`Cgroup::set_frozen`] before it sleeps between them.
const QUICK_LOOKS: u32 = 20;
/// The longest wait for processes to stop while one of them waits for a core, or for the machine to go on.
const STOPPING: Duration = Duration::from_secs(10);
/// The longest wait for processes to die. It is long, because a process that still ran would slow down the next game.
pub const ENDING: Duration = Duration::from_secs(60);
/// The memory that the supervisor, and `bwrap` before it, use in the box.
const OVERHEAD_MIB: u64 = 4;
const OVERHEAD_PROCESSES: u64 = 2;
/// The most memory of the kernel, in bytes, that a box may leave behind, such as names of files that it looked for.
const LEFT: u64 = 16 * MIB;

#[derive(Debug)]
pub struct Cgroup {
    folders: BTreeMap<Control, PathBuf>,
    limits: CgroupLimits,
    /// Kept open, because it is read at every ply.
    cpu: Option<Cpu>,
    /// Kept open, because it is read before every game: `memory.oom_control` in version 1, `memory.events` in version 2.
    kills: Option<fs::File>,
    /// `pids.events`, which is also read before every game.
    refused_processes: Option<fs::File>,
    share: Option<Share>,
}

/// The group's share of a core. Without a group for it, a box would get a share for each of its sessions, because the
/// scheduler divides a core among sessions first.
#[derive(Debug)]
struct Share {
    /// Kept open, because it is written at every stop of the box.
    file: fs::File,
    usual: &'static str,
    /// A stopped process can still die, by an alarm that it has set. The kernel may then work for seconds to free its
    /// memory, which must take no time of the opponent. So a stopped box has the smallest share: 1 % of the core at most.
    stopped: &'static str,
}

impl Share {
    /// The usual shares are 1024 in version 1, and 100 in version 2. A build as a whole gets half as much as a bot.
    fn of(folder: &Path, is_build: bool) -> Option<Share> {
        let open = |name| fs::File::options().write(true).open(folder.join(name)).ok();
        let (file, [usual, of_build, stopped]) = match open("cpu.shares") {
            Some(file) => (file, ["1024", "512", "2"]),
            None => (open("cpu.weight")?, ["100", "50", "1"]),
        };
        let usual = if is_build { of_build } else { usual };
        Some(Share {
            file,
            usual,
            stopped,
        })
    }

    fn set(&self, is_stopped: bool) {
        let share = if is_stopped { self.stopped } else { self.usual };
        let _ = self.file.write_at(share.as_bytes(), 0);
    }
}

#[derive(Debug)]
enum Cpu {
    Nanos(fs::File),
    /// `cpu.stat` of version 2; the time is `usage_usec`, in microseconds.
    Stat(fs::File),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Refusals {
    /// The number of processes that the kernel has killed for their memory: of the group, or of the whole machine if no
    /// group counts the memory.
    killed: u64,
    /// How often the group has reached its own limit of memory; `None`: unknown.
    full: Option<u64>,
    processes: u64,
}

impl Refusals {
    pub fn of_machine() -> Refusals {
        static COUNTS: LazyLock<Option<fs::File>> =
            LazyLock::new(|| fs::File::open("/proc/vmstat").ok());
        let counts = COUNTS.as_ref().and_then(text_of).unwrap_or_default();
        Refusals {
            killed: value_in(&counts, "oom_kill").unwrap_or(0),
            ..Refusals::default()
        }
    }

    pub fn has_more_killed(self, since: Refusals) -> bool {
        self.killed > since.killed
    }
}

#[derive(Debug)]
struct CgroupLimits {
    memory_mib: Option<u64>,
    processes: Option<u64>,
    is_build: bool,
}

impl Cgroup {
    pub fn make(sandbox: &Sandbox) -> Option<Cgroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let hierarchies = Hierarchies::ours()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed).to_string();
        let mut made = Cgroup {
            folders: BTreeMap::new(),
            limits: CgroupLimits {
                memory_mib: sandbox.memory_mib,
                processes: sandbox.processes,
                is_build: sandbox.builds,
            },
            cpu: None,
            kills: None,
            refused_processes: None,
            share: None,
        };
        for (&kind, root) in &hierarchies.roots {
            let folder = root.join(&number);
            let is_there = made.folders.values().any(|other| *other == folder);
            if is_there || fs::create_dir(&folder).is_ok() {
                made.folders.insert(kind, folder);
            }
        }
        if let Some(folder) = made.folders.get(&Control::Freeze)
            && fs::create_dir(folder.join(HELD)).is_err()
        {
            made.folders.remove(&Control::Freeze);
        }
        for folder in made.held().iter().flat_map(|held| held.ancestors().take(3)) {
            // Turns off the measurement of pressure, which costs time at every switch between a bot and the arena.
            let _ = fs::write(folder.join("cgroup.pressure"), "0");
        }
        made.limit();
        made.share = (made.folders.get(&Control::Share))
            .and_then(|folder| Share::of(folder, made.limits.is_build));
        made.share.iter().for_each(|share| share.set(false));
        let open = |kind, name| fs::File::open(made.folders.get(&kind)?.join(name)).ok();
        let cpu = open(Control::Cpu, "cpuacct.usage").map(Cpu::Nanos);
        let cpu = cpu.or_else(|| open(Control::Cpu, "cpu.stat").map(Cpu::Stat));
        let kills = open(Control::Memory, "memory.oom_control");
        let kills = kills.or_else(|| open(Control::Memory, "memory.events"));
        made.refused_processes = open(Control::Processes, "pids.events");
        (made.cpu, made.kills) = (cpu, kills);
        (!made.folders.is_empty()).then_some(made)
    }

    /// Sets the limits. A group whose limit cannot be set is not used for this resource.
    fn limit(&mut self) {
        if let Some(mib) = self.limits.memory_mib {
            let bytes = ((mib + OVERHEAD_MIB) * MIB).to_string();
            let names = ["memory.limit_in_bytes", "memory.max"];
            if !self.write_any(Control::Memory, &names, &bytes) {
                self.folders.remove(&Control::Memory);
            }
            // Swapping must not give more memory. A machine without swap has no such file.
            self.write_any(Control::Memory, &["memory.memsw.limit_in_bytes"], &bytes);
            self.write_any(Control::Memory, &["memory.swap.max"], "0");
        }
        if let Some(processes) = self.limits.processes {
            let most = (processes + OVERHEAD_PROCESSES).to_string();
            if !self.write_any(Control::Processes, &["pids.max"], &most) {
                self.folders.remove(&Control::Processes);
            }
        }
    }

    pub fn limits_all(&self) -> bool {
        let has = |kind| self.folders.contains_key(&kind);
        has(Control::Memory) && has(Control::Processes)
    }

    pub fn counts_memory(&self) -> bool {
        self.folders.contains_key(&Control::Memory)
    }

    pub fn joins(&self) -> Vec<PathBuf> {
        let mut folders: Vec<&PathBuf> = self.folders.values().collect();
        folders.sort();
        folders.dedup();
        folders.into_iter().map(processes_of).collect()
    }

    pub fn held(&self) -> Option<PathBuf> {
        Some(self.folders.get(&Control::Freeze)?.join(HELD))
    }

    pub fn processes(&self) -> Vec<RawPid> {
        let folder = self.folders.values().next();
        let folders = folder.map(|folder| [folder.clone(), folder.join(HELD)]);
        let files = folders.into_iter().flatten().map(processes_of);
        let text: String = files
            .filter_map(|file| fs::read_to_string(file).ok())
            .collect();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    pub fn counts_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    pub fn cpu_time(&self) -> Option<Duration> {
        match self.cpu.as_ref()? {
            Cpu::Nanos(file) => {
                let nanos = text_of(file)?.trim().parse().ok()?;
                Some(Duration::from_nanos(nanos))
            }
            Cpu::Stat(file) => {
                let micros = value_in(&text_of(file)?, "usage_usec")?;
                Some(Duration::from_micros(micros))
            }
        }
    }

    /// Returns the part of the CPU time that the kernel worked for the group. The kernel may count it by samples.
    pub fn kernel_time(&self) -> Option<Duration> {
        let folder = self.folders.get(&Control::Cpu)?;
        let read = |name| fs::read_to_string(folder.join(name)).ok();
        match read("cpuacct.usage_sys") {
            Some(nanos) => Some(Duration::from_nanos(nanos.trim().parse().ok()?)),
            None => Some(Duration::from_micros(value_in(
                &read("cpu.stat")?,
                "system_usec",
            )?)),
        }
    }

    pub fn freezes(&self) -> bool {
        self.folders.contains_key(&Control::Freeze)
    }

    /// Stops or continues all processes of the groups. Returns [`Reached::Unstopped`] if a process is not stopped in time,
    /// because it is in a call that the kernel does not interrupt, or waits for a core.
    pub fn set_frozen(&self, frozen: bool) -> Result<(), Reached> {
        let Some(held) = self.held() else {
            return Ok(());
        };
        let set_share = || self.share.iter().for_each(|share| share.set(frozen));
        // A process needs the core to stop. With the smallest share, it would get the core too late on a busy machine.
        if !frozen {
            set_share();
        }
        // Without a free descriptor this fails, but the next attempt may succeed.
        let set = || match set_frozen(&held, frozen) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(()) => true,
        };
        let began = Instant::now();
        let is_held_up = || {
            let processes = self.processes().into_iter();
            processes.filter_map(Pid::from_raw).any(is_ready)
        };
        let (mut is_set, mut looks, mut used_before) = (false, 0, None);
        loop {
            is_set = is_set || set();
            if is_set && (!frozen || is_frozen(&held)) {
                if frozen {
                    set_share();
                }
                return Ok(());
            }
            looks += 1;
            if looks < QUICK_LOOKS {
                // A process that waits for the core is stopped as soon as it gets the core.
                thread::yield_now();
                continue;
            }
            if frozen && has_ended(&held) {
                return Ok(());
            }
            let waited = began.elapsed();
            let used_before = *used_before.get_or_insert_with(|| self.cpu_time());
            if waited >= GONE && (waited >= STOPPING || !is_held_up()) {
                let used = self.cpu_time().zip(used_before);
                let used = used.map_or(waited, |(now, before)| now.saturating_sub(before));
                return Err(Reached::Unstopped {
                    waited,
                    of_machine: waited >= STOPPING && used < waited / 2,
                });
            }
            // On a busy machine, looking must not take the core from the processes.
            thread::sleep((waited / 100).max(Duration::from_micros(50)));
        }
    }

    /// Kills all processes of the groups, including those that are started during the call.
    pub fn kill(&self) {
        self.share.iter().for_each(|share| share.set(false));
        if let Some(folder) = self.folders.get(&Control::Kill)
            && fs::write(folder.join("cgroup.kill"), "1").is_ok()
        {
            return;
        }
        // Frozen processes start no others. They die only after the thaw.
        let _ = self.set_frozen(true);
        for pid in self.processes() {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        let _ = self.set_frozen(false);
    }

    /// Ends all processes of the groups, and frees the memory that they have left in the kernel.
    pub fn end(&self) {
        let until = Instant::now() + ENDING;
        while !self.processes().is_empty() && Instant::now() < until {
            self.kill();
            thread::sleep(Duration::from_micros(200));
        }
        if let Some(left) = self.memory_of_kernel().filter(|&left| left > LEFT) {
            let files = ["memory.force_empty", "memory.reclaim"];
            self.write_any(Control::Memory, &files, &left.to_string());
        }
    }

    fn memory_of_kernel(&self) -> Option<u64> {
        let folder = self.folders.get(&Control::Memory)?;
        let read = |name| fs::read_to_string(folder.join(name)).ok();
        match read("memory.kmem.usage_in_bytes") {
            Some(bytes) => bytes.trim().parse().ok(),
            None => value_in(&read("memory.stat")?, "slab_reclaimable"),
        }
    }

    pub fn refusals(&self) -> Refusals {
        let text = |file: &Option<fs::File>| file.as_ref().and_then(text_of).unwrap_or_default();
        let processes = value_in(&text(&self.refused_processes), "max").unwrap_or(0);
        if !self.counts_memory() {
            return Refusals {
                processes,
                ..Refusals::of_machine()
            };
        }
        let kills = text(&self.kills);
        Refusals {
            killed: value_in(&kills, "oom_kill").unwrap_or(0),
            full: value_in(&kills, "oom"),
            processes,
        }
    }

    pub fn reached(&self, since: Refusals) -> Option<Reached> {
        let now = self.refusals();
        if self.counts_memory() && now.has_more_killed(since) {
            let Some(limit_mib) = self.limits.memory_mib else {
                return Some(Reached::MemoryOfMachine);
            };
            let peak_mib = self.peak_memory().unwrap_or(limit_mib * MIB) / MIB;
            // Version 1 does not count how often a group was full. So a bot is charged if it was full at any time.
            let was_full = now
                .full
                .map_or(peak_mib >= limit_mib, |full| Some(full) > since.full);
            return Some(if was_full {
                Reached::Memory {
                    limit_mib,
                    peak_mib: peak_mib.min(limit_mib),
                }
            } else {
                Reached::MemoryOfMachine
            });
        }
        let is_refused = now.processes > since.processes;
        let limit = self.limits.processes.filter(|_| is_refused)?;
        Some(Reached::Processes { limit })
    }

    fn peak_memory(&self) -> Option<u64> {
        let folder = self.folders.get(&Control::Memory)?;
        let files = ["memory.max_usage_in_bytes", "memory.peak"];
        let mut texts = files
            .iter()
            .filter_map(|name| fs::read_to_string(folder.join(name)).ok());
        texts.find_map(|text| text.trim().parse().ok())
    }

    fn write_any(&self, kind: Control, names: &[&str], value: &str) -> bool {
        let Some(folder) = self.folders.get(&kind) else {
            return false;
        };
        names.iter().any(|name| {
            let file = folder.join(name);
            // Without this check, the write could create the file on some file systems.
            file.exists() && fs::write(file, value).is_ok()
        })
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.folders
            .values()
            .for_each(|folder| remove_group(folder));
    }
}

fn text_of(file: &fs::File) -> Option<String> {
    let mut bytes = [0; 1 << 14];
    let length = file.read_at(&mut bytes, 0).ok()?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}

/// Stops or continues a group, without waiting.
pub fn set_frozen(held: &Path, frozen: bool) -> io::Result<()> {
    let (new, old) = if frozen {
        ("1", "FROZEN")
    } else {
        ("0", "THAWED")
    };
    fs::write(held.join("cgroup.freeze"), new)
        .or_else(|_| fs::write(held.join("freezer.state"), old))
}

/// Returns whether the group has no processes. It may not count as frozen: the supervisor of a program that has just
/// ended thaws the group.
fn has_ended(held: &Path) -> bool {
    fs::read_to_string(processes_of(held)).is_ok_and(|processes| processes.is_empty())
}

fn is_frozen(held: &Path) -> bool {
    if let Ok(events) = fs::read_to_string(held.join("cgroup.events")) {
        return events.lines().any(|line| line == "frozen 1");
    }
    let state = fs::read_to_string(held.join("freezer.state"));
    state.is_ok_and(|state| state.trim() == "FROZEN")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TemporaryFolder;

    #[test]
    fn a_group_that_its_supervisor_has_thawed_after_the_program_has_nothing_to_stop() {
        let held = TemporaryFolder::new("held", None).expect("a folder");
        let write = |name: &str, text: &str| fs::write(held.path().join(name), text).expect(name);
        write("cgroup.events", "populated 0\nfrozen 0\n");
        write("cgroup.procs", "");
        assert!(has_ended(held.path()) && !is_frozen(held.path()));
        write("cgroup.procs", "17\n");
        assert!(!has_ended(held.path()));
    }
}
