//! The box as the kernel's control groups see it: all its processes together are limited, counted, stopped
//! and ended.
//!
//! Version 1 has a tree for each kind of limit, version 2 one for all; a machine may have both. What is
//! used is what can be made below the arena's own groups: `systemd-run --user --scope -p Delegate=yes`
//! gives a user such groups. A few files are written, so this needs no library.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::RawPid;

use crate::{Reached, Sandbox};

mod trees;

use trees::{GONE, HELD};
pub use trees::{Kind, Trees, clear, missing};

const MIB: u64 = 1 << 20;
/// How often it is looked at once whether a box is stopped.
const QUICK_LOOKS: u32 = 20;
/// How long processes may take to die: a call that the kernel does not interrupt would take the time of the next game.
const ENDING: Duration = Duration::from_secs(60);
/// What the keeper, and `bwrap` before it, take of the memory that a box may have.
const OVERHEAD_MIB: u64 = 4;
/// The processes of a box that are not its program's.
const OVERHEAD_PROCESSES: u64 = 2;

/// The groups of one box, removed with it.
#[derive(Debug)]
pub struct Cgroup {
    /// Its folder in the tree of each kind.
    folders: BTreeMap<Kind, PathBuf>,
    limits: Limits,
    /// Where its CPU time is read at every ply.
    cpu: Option<Cpu>,
}

/// An open file with the CPU time of a group.
#[derive(Debug)]
enum Cpu {
    /// `cpuacct.usage` of version 1: nanoseconds.
    Nanos(fs::File),
    /// `cpu.stat` of version 2, with `usage_usec`.
    Stat(fs::File),
}

/// How often the limits of a group were reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refusals {
    /// Processes that were ended for memory.
    memory: u64,
    /// Processes and threads that were refused.
    processes: u64,
}

#[derive(Debug)]
struct Limits {
    memory_mib: Option<u64>,
    processes: Option<u64>,
}

impl Cgroup {
    /// Groups for a new box; `None` where none can be made.
    pub fn make(sandbox: &Sandbox) -> Option<Cgroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let trees = Trees::ours()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed).to_string();
        let mut made = Cgroup {
            folders: BTreeMap::new(),
            limits: Limits {
                memory_mib: sandbox.memory_mib,
                processes: sandbox.processes,
            },
            cpu: None,
        };
        for (&kind, tree) in &trees.roots {
            let folder = tree.join(&number);
            let is_there = made.folders.values().any(|other| *other == folder);
            if is_there || fs::create_dir(&folder).is_ok() {
                made.folders.insert(kind, folder);
            }
        }
        if let Some(folder) = made.folders.get(&Kind::Freeze)
            && fs::create_dir(folder.join(HELD)).is_err()
        {
            made.folders.remove(&Kind::Freeze);
        }
        for folder in made.held().iter().flat_map(|held| held.ancestors().take(3)) {
            // The kernel would keep figures of its waits at every switch between a bot and the arena.
            let _ = fs::write(folder.join("cgroup.pressure"), "0");
        }
        made.limit();
        made.cpu = made.folders.get(&Kind::Cpu).and_then(|folder| {
            let open = |name| fs::File::open(folder.join(name));
            let old = open("cpuacct.usage").map(Cpu::Nanos);
            old.or_else(|_| open("cpu.stat").map(Cpu::Stat)).ok()
        });
        (!made.folders.is_empty()).then_some(made)
    }

    /// Sets the limits; a group that refuses its limit does not count as one.
    fn limit(&mut self) {
        if let Some(mib) = self.limits.memory_mib {
            let bytes = ((mib + OVERHEAD_MIB) * MIB).to_string();
            let names = ["memory.limit_in_bytes", "memory.max"];
            if !self.write_any(Kind::Memory, &names, &bytes) {
                self.folders.remove(&Kind::Memory);
            }
            // Swapping out is no way to more memory; a machine without swap has no such file.
            self.write_any(Kind::Memory, &["memory.memsw.limit_in_bytes"], &bytes);
            self.write_any(Kind::Memory, &["memory.swap.max"], "0");
        }
        if let Some(processes) = self.limits.processes {
            let most = (processes + OVERHEAD_PROCESSES).to_string();
            if !self.write_any(Kind::Processes, &["pids.max"], &most) {
                self.folders.remove(&Kind::Processes);
            }
        }
    }

    /// Whether it limits both memory and processes.
    pub fn limits_all(&self) -> bool {
        let has = |kind| self.folders.contains_key(&kind);
        has(Kind::Memory) && has(Kind::Processes)
    }

    /// The files in which a process enters itself.
    pub fn joins(&self) -> Vec<PathBuf> {
        let mut folders: Vec<&PathBuf> = self.folders.values().collect();
        folders.sort();
        folders.dedup();
        folders.into_iter().map(processes_of).collect()
    }

    /// The group that is stopped, if it can be.
    pub fn held(&self) -> Option<PathBuf> {
        Some(self.folders.get(&Kind::Freeze)?.join(HELD))
    }

    /// Its processes.
    pub fn processes(&self) -> Vec<RawPid> {
        let folder = self.folders.values().next();
        let folders = folder.map(|folder| [folder.clone(), folder.join(HELD)]);
        let files = folders.into_iter().flatten().map(processes_of);
        let text: String = files
            .filter_map(|file| fs::read_to_string(file).ok())
            .collect();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Whether it counts the CPU time of all its processes.
    pub fn counts_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    /// CPU time of all its processes, those that have ended too.
    pub fn cpu_time(&self) -> Option<Duration> {
        let mut bytes = [0; 4096];
        let mut read = |file: &fs::File| {
            let length = file.read_at(&mut bytes, 0).ok()?;
            Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
        };
        match self.cpu.as_ref()? {
            Cpu::Nanos(file) => {
                let nanos = read(file)?.trim().parse().ok()?;
                Some(Duration::from_nanos(nanos))
            }
            Cpu::Stat(file) => Some(Duration::from_micros(value_in(&read(file)?, "usage_usec")?)),
        }
    }

    /// Whether it can be stopped as a whole.
    pub fn freezes(&self) -> bool {
        self.folders.contains_key(&Kind::Freeze)
    }

    /// Stops all its processes, or lets them go on. Whether each is stopped: the kernel waits for calls that it does
    /// not interrupt.
    pub fn set_frozen(&self, frozen: bool) -> bool {
        let Some(held) = self.held() else { return true };
        set_frozen(&held, frozen);
        let (until, mut looks) = (Instant::now() + GONE, 0);
        while frozen && !is_frozen(&held) {
            looks += 1;
            if looks < QUICK_LOOKS {
                // A process that waits is stopped as soon as it has the core.
                thread::yield_now();
            } else if Instant::now() < until {
                thread::sleep(Duration::from_micros(50));
            } else {
                return false;
            }
        }
        true
    }

    /// Kills all its processes, those that are started meanwhile too.
    pub fn kill(&self) {
        if let Some(folder) = self.folders.get(&Kind::Kill)
            && fs::write(folder.join("cgroup.kill"), "1").is_ok()
        {
            return;
        }
        // A process that is stopped would not die.
        self.set_frozen(true);
        for pid in self.processes() {
            if let Some(pid) = rustix::process::Pid::from_raw(pid) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
        self.set_frozen(false);
    }

    /// Kills all and waits until they are gone.
    pub fn end(&self) {
        let until = Instant::now() + ENDING;
        while !self.processes().is_empty() && Instant::now() < until {
            self.kill();
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// Returns how often its limits were reached so far.
    pub fn refusals(&self) -> Refusals {
        let count = |kind, files: &[&str], word| {
            let folder = self.folders.get(&kind)?;
            files
                .iter()
                .find_map(|file| value_in(&fs::read_to_string(folder.join(file)).ok()?, word))
        };
        let memory = ["memory.oom_control", "memory.events"];
        Refusals {
            memory: count(Kind::Memory, &memory, "oom_kill").unwrap_or(0),
            processes: count(Kind::Processes, &["pids.events"], "max").unwrap_or(0),
        }
    }

    /// Returns the limit that it has reached since then, if any.
    pub fn reached(&self, since: Refusals) -> Option<Reached> {
        let now = self.refusals();
        let out_of_memory = self.limits.memory_mib.filter(|_| now.memory > since.memory);
        if let Some(limit_mib) = out_of_memory {
            let peak_mib = self.peak_memory().unwrap_or(limit_mib * MIB) / MIB;
            return Some(Reached::Memory {
                limit_mib,
                peak_mib: peak_mib.min(limit_mib),
            });
        }
        let is_refused = now.processes > since.processes;
        let limit = self.limits.processes.filter(|_| is_refused)?;
        Some(Reached::Processes { limit })
    }

    /// The most memory that it has had at a time, in bytes.
    fn peak_memory(&self) -> Option<u64> {
        let folder = self.folders.get(&Kind::Memory)?;
        let files = ["memory.max_usage_in_bytes", "memory.peak"];
        let mut texts = files
            .iter()
            .filter_map(|name| fs::read_to_string(folder.join(name)).ok());
        texts.find_map(|text| text.trim().parse().ok())
    }

    /// Writes the value into the first of these files that takes it.
    fn write_any(&self, kind: Kind, names: &[&str], value: &str) -> bool {
        let Some(folder) = self.folders.get(&kind) else {
            return false;
        };
        names.iter().any(|name| {
            let file = folder.join(name);
            // Writing would make a file where there is none on some file systems, though not here.
            file.exists() && fs::write(file, value).is_ok()
        })
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.folders
            .values()
            .for_each(|folder| trees::remove(folder));
    }
}

/// Where a process enters itself into a group.
pub fn processes_of(folder: impl AsRef<Path>) -> PathBuf {
    folder.as_ref().join("cgroup.procs")
}

/// Stops a group, or lets it go on.
pub fn set_frozen(held: &Path, frozen: bool) {
    let (new, old) = if frozen {
        ("1", "FROZEN")
    } else {
        ("0", "THAWED")
    };
    if fs::write(held.join("cgroup.freeze"), new).is_err() {
        let _ = fs::write(held.join("freezer.state"), old);
    }
}

/// Whether every process of the group is stopped.
fn is_frozen(held: &Path) -> bool {
    if let Ok(events) = fs::read_to_string(held.join("cgroup.events")) {
        return events.lines().any(|line| line == "frozen 1");
    }
    let state = fs::read_to_string(held.join("freezer.state"));
    state.is_ok_and(|state| state.trim() == "FROZEN")
}

/// The number behind this word in lines of `word number`.
fn value_in(text: &str, word: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(' ')?;
        (key == word).then(|| value.trim().parse().ok())?
    })
}
