//! The limits of a box: control groups limit the whole box, and limits of each process restrict what the groups do not.
//!
//! A control group limits, counts, stops and kills all processes of a box together. Version 1 has a hierarchy for each
//! kind of limit, version 2 has one for all; a machine may have both. The arena uses the hierarchies in which it can
//! make groups below its own. A user other than root gets this right by `systemd-run --user --scope -p Delegate=yes`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::{Process, all_processes};
use procfs::{Current, Meminfo};
use rustix::process::{Pid, RawPid, Resource, Rlimit, Signal, kill_process, setrlimit};

use super::Plan;
use crate::{Reached, Sandbox, Trust};

const MIB: u64 = 1 << 20;
/// How much memory a process may reserve if no cgroup limits its memory.
const RESERVED_MIB: u64 = 128 << 10;
/// The number of checks of [`Cgroup::set_frozen`] before it sleeps between them.
const QUICK_LOOKS: u32 = 20;
/// The longest wait for processes to die. It is long, because a process that still ran would slow down the next game.
pub const ENDING: Duration = Duration::from_secs(60);
/// The memory that the supervisor, and `bwrap` before it, use in the box.
const OVERHEAD_MIB: u64 = 4;
const OVERHEAD_PROCESSES: u64 = 2;
/// The most memory of the kernel, in bytes, that a box may leave behind, such as names of files that it looked for.
const LEFT: u64 = 16 * MIB;
/// The longest wait for groups to be stopped or removed.
const GONE: Duration = Duration::from_secs(2);
/// The name of the group inside a box's group whose processes are stopped while the opponent thinks.
const HELD: &str = "held";
/// The `oom_score_adj` of a box's processes: the kernel kills them first if memory runs out (usual 0, highest 1000). It
/// kills hand-ins before test players, so that no hand-in wins because it fills the memory of the machine.
const FIRST_TO_GO: &str = "1000";
const NEXT_TO_GO: &str = "500";
/// The open files of a box. The limit of each process is this number divided by the number of processes, within bounds
/// (see [`open_files`]).
const OPEN_FILES: u64 = 1 << 16;
/// The most queued signals of a sandbox. Sandboxes without their own users share the user's limit, and a bot that used
/// it up would leave nothing for its opponent.
const WAITING_SIGNALS: u64 = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Control {
    Memory,
    Processes,
    Cpu,
    Freeze,
    Kill,
    Share,
}

type OldFile = (&'static str, &'static str);

/// Each control, with its file in version 1 and in version 2.
const CONTROLS: [(Control, Option<OldFile>, &str); 6] = [
    (
        Control::Memory,
        Some(("memory", "memory.limit_in_bytes")),
        "memory.max",
    ),
    (Control::Processes, Some(("pids", "pids.max")), "pids.max"),
    (Control::Cpu, Some(("cpuacct", "cpuacct.usage")), "cpu.stat"),
    (
        Control::Freeze,
        Some(("freezer", "freezer.state")),
        "cgroup.freeze",
    ),
    (Control::Kill, None, "cgroup.kill"),
    (Control::Share, Some(("cpu", "cpu.shares")), "cpu.weight"),
];

#[derive(Clone, Debug)]
struct Hierarchies {
    roots: BTreeMap<Control, PathBuf>,
}

#[derive(Debug)]
pub struct Cgroup {
    folders: BTreeMap<Control, PathBuf>,
    limits: CgroupLimits,
    /// Kept open, because it is read at every ply.
    cpu: Option<Cpu>,
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
        let counts = fs::read_to_string("/proc/vmstat").unwrap_or_default();
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
        made.cpu = made.folders.get(&Control::Cpu).and_then(|folder| {
            let open = |name| fs::File::open(folder.join(name));
            let old = open("cpuacct.usage").map(Cpu::Nanos);
            old.or_else(|_| open("cpu.stat").map(Cpu::Stat)).ok()
        });
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

    /// Stops or continues all processes of the groups. Returns false if a process is not stopped in time, because it is
    /// in a call that the kernel does not interrupt.
    pub fn set_frozen(&self, frozen: bool) -> bool {
        let Some(held) = self.held() else { return true };
        self.share.iter().for_each(|share| share.set(frozen));
        // Without a free descriptor this fails, but the next attempt may succeed.
        let set = || match set_frozen(&held, frozen) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(()) => true,
        };
        let (until, mut is_set, mut looks) = (Instant::now() + GONE, false, 0);
        loop {
            is_set = is_set || set();
            if is_set && (!frozen || is_frozen(&held)) {
                return true;
            }
            looks += 1;
            if looks < QUICK_LOOKS {
                // A process that waits for the core is stopped as soon as it gets the core.
                thread::yield_now();
            } else if Instant::now() < until {
                thread::sleep(Duration::from_micros(50));
            } else {
                return false;
            }
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
        self.set_frozen(true);
        for pid in self.processes() {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        self.set_frozen(false);
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
        let count = |kind, files: &[&str], word| {
            let folder = self.folders.get(&kind)?;
            files
                .iter()
                .find_map(|file| value_in(&fs::read_to_string(folder.join(file)).ok()?, word))
        };
        let processes = count(Control::Processes, &["pids.events"], "max").unwrap_or(0);
        if !self.counts_memory() {
            return Refusals {
                processes,
                ..Refusals::of_machine()
            };
        }
        let kills = ["memory.oom_control", "memory.events"];
        Refusals {
            killed: count(Control::Memory, &kills, "oom_kill").unwrap_or(0),
            full: count(Control::Memory, &["memory.events"], "oom"),
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

pub fn processes_of(folder: impl AsRef<Path>) -> PathBuf {
    folder.as_ref().join("cgroup.procs")
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

fn is_frozen(held: &Path) -> bool {
    if let Ok(events) = fs::read_to_string(held.join("cgroup.events")) {
        return events.lines().any(|line| line == "frozen 1");
    }
    let state = fs::read_to_string(held.join("freezer.state"));
    state.is_ok_and(|state| state.trim() == "FROZEN")
}

fn value_in(text: &str, word: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(' ')?;
        (key == word).then(|| value.trim().parse().ok())?
    })
}

impl Hierarchies {
    fn ours() -> Option<&'static Hierarchies> {
        static OURS: OnceLock<Option<Hierarchies>> = OnceLock::new();
        OURS.get_or_init(|| Hierarchies::make(&group_name(std::process::id())))
            .as_ref()
    }

    fn make(name: &str) -> Option<Hierarchies> {
        // An earlier process with this number may have left its groups.
        clear_cgroups(std::process::id());
        let (old, new) = own_groups()?;
        old.values().chain(&new).for_each(|place| sweep(place));
        let new = new.map(|place| (with_room(&place), place));
        let mut roots = BTreeMap::new();
        for (kind, first, second) in CONTROLS {
            let from_old = first.and_then(|(tree, file)| Some((old.get(tree)?, file)));
            let from_new = new.as_ref().map(|(place, _)| (place, second));
            // Version 2 freezes more reliably; version 1 counts in finer units.
            let order = match kind {
                Control::Freeze | Control::Kill => [from_new, from_old],
                Control::Memory | Control::Processes | Control::Cpu | Control::Share => {
                    [from_old, from_new]
                }
            };
            let found = order.into_iter().flatten().find_map(|(place, file)| {
                let folder = place.join(name);
                let _ = fs::create_dir(&folder);
                for controller in ["+memory", "+pids", "+cpu"] {
                    let _ = fs::write(folder.join("cgroup.subtree_control"), controller);
                }
                // A new group has the file only if the group above delegates the controller.
                let probe = folder.join("probe");
                fs::create_dir(&probe).ok()?;
                let has = probe.join(file).exists() && is_writable(&probe.join("cgroup.procs"));
                let _ = fs::remove_dir(&probe);
                has.then_some(folder)
            });
            if let Some(folder) = found {
                roots.insert(kind, folder);
            }
        }
        // A box is stopped by its group only if the group can also take its share of the core: see [`Share`].
        if !roots.contains_key(&Control::Share) {
            roots.remove(&Control::Freeze);
        }
        if roots.is_empty() {
            clear_cgroups(std::process::id());
        }
        (!roots.is_empty()).then_some(Hierarchies { roots })
    }
}

pub fn missing() -> Vec<&'static str> {
    let roots = Hierarchies::ours().map(|trees| &trees.roots);
    [
        (Control::Memory, "memory"),
        (Control::Processes, "processes"),
        (Control::Cpu, "CPU time"),
        (Control::Freeze, "stopping"),
    ]
    .into_iter()
    .filter(|(kind, _)| !roots.is_some_and(|roots| roots.contains_key(kind)))
    .map(|(_, word)| word)
    .collect()
}

/// Returns the memory, in MiB, that this process and its children can still use: of the machine, and of the groups that
/// this process is in.
pub fn free_memory_mib() -> Option<u64> {
    let of_machine = Meminfo::current().ok()?.mem_available?;
    let (old, new) = own_groups().unwrap_or_default();
    let places = old.get("memory").into_iter().chain(&new);
    let of_groups = places
        .flat_map(|place| place.ancestors())
        .filter_map(|group| {
            let read = |name: &str| fs::read_to_string(group.join(name)).ok();
            let number = |names: [&str; 2]| {
                let text = names.into_iter().find_map(read)?;
                text.trim().parse::<u64>().ok()
            };
            let limit = number(["memory.limit_in_bytes", "memory.max"])?;
            let used = number(["memory.usage_in_bytes", "memory.current"])?;
            // The kernel can drop these pages of files at any time.
            let stat = read("memory.stat")?;
            let dropped =
                ["total_inactive_file", "inactive_file"].map(|word| value_in(&stat, word));
            let dropped = dropped.into_iter().flatten().next().unwrap_or(0);
            Some(limit.saturating_sub(used.saturating_sub(dropped)))
        });
    Some(of_groups.fold(of_machine, u64::min) / MIB)
}

/// Kills the processes in the groups that the arena with this process number made, and removes these groups.
pub fn clear_cgroups(process: u32) {
    let Some((old, new)) = own_groups() else {
        return;
    };
    let folders = new.into_iter().chain(old.into_values());
    for folder in folders.map(|place| place.join(group_name(process))) {
        for inner in fs::read_dir(&folder).into_iter().flatten().flatten() {
            // This also kills frozen processes, which nothing else would continue.
            let _ = fs::write(inner.path().join("cgroup.kill"), "1");
            remove_group(&inner.path());
        }
        remove_group(&folder);
    }
}

/// Removes the empty groups of arenas that were killed together with their reapers.
fn sweep(place: &Path) {
    let folders = |place: &Path| {
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    for folder in folders(place) {
        let name = folder.file_name().and_then(|name| name.to_str());
        let process = name.and_then(|name| name.strip_prefix("arena-")?.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            for inner in folders(&folder) {
                let _ = fs::remove_dir(inner.join(HELD));
                let _ = fs::remove_dir(inner);
            }
            let _ = fs::remove_dir(folder);
        }
    }
}

fn remove_group(folder: &Path) {
    let until = Instant::now() + GONE;
    let remove = || {
        let _ = fs::remove_dir(folder.join(HELD));
        fs::remove_dir(folder)
    };
    while let Err(error) = remove() {
        let may_change = error.kind() == io::ErrorKind::ResourceBusy;
        if !may_change || Instant::now() > until {
            return;
        }
        thread::sleep(Duration::from_micros(200));
    }
}

fn group_name(process: u32) -> String {
    format!("arena-{process}")
}

fn is_writable(file: &Path) -> bool {
    fs::File::options().write(true).open(file).is_ok()
}

/// Prepares the folder so that groups below it can have controllers, and returns it.
///
/// In version 2, a group delegates controllers only if it has no processes itself. If this process is alone in a group
/// that it may change, such as its own scope, it moves into a new group below.
fn with_room(place: &Path) -> PathBuf {
    let passes_on = |place: &Path| {
        let _ = fs::write(place.join("cgroup.subtree_control"), "+memory");
        let _ = fs::write(place.join("cgroup.subtree_control"), "+pids");
        let on = fs::read_to_string(place.join("cgroup.subtree_control"));
        on.is_ok_and(|on| on.contains("memory") && on.contains("pids"))
    };
    let controllers = fs::read_to_string(place.join("cgroup.controllers")).unwrap_or_default();
    if !controllers.contains("memory") && !controllers.contains("pids") || passes_on(place) {
        return place.to_owned();
    }
    let own = std::process::id().to_string();
    let inside = fs::read_to_string(place.join("cgroup.procs")).unwrap_or_default();
    let aside = place.join("arena-itself");
    if inside.lines().all(|line| line == own)
        && fs::create_dir(&aside).is_ok()
        && fs::write(aside.join("cgroup.procs"), &own).is_ok()
    {
        passes_on(place);
    }
    place.to_owned()
}

/// Returns the folders of this process's groups: of version 1 by the name of the hierarchy, and of version 2.
fn own_groups() -> Option<(BTreeMap<String, PathBuf>, Option<PathBuf>)> {
    let process = Process::myself().ok()?;
    let (groups, mounts) = (process.cgroups().ok()?, process.mountinfo().ok()?);
    let (mut old, mut new) = (BTreeMap::new(), None);
    for mount in mounts {
        let inside = |pathname: &str| {
            // A container may have mounted only a part of the hierarchy.
            let path = Path::new(pathname).strip_prefix(&mount.root).ok();
            let path = path.or_else(|| Path::new(pathname).strip_prefix("/").ok())?;
            Some(mount.mount_point.join(path))
        };
        if mount.fs_type == "cgroup2" {
            let own = groups.0.iter().find(|group| group.hierarchy == 0);
            new = own.and_then(|group| inside(&group.pathname));
        } else if mount.fs_type == "cgroup" {
            for group in groups.0.iter().filter(|group| group.hierarchy != 0) {
                for tree in &group.controllers {
                    if mount.super_options.contains_key(tree)
                        && let Some(place) = inside(&group.pathname)
                    {
                        old.insert(tree.clone(), place);
                    }
                }
            }
        }
    }
    let own_aside = new
        .as_ref()
        .filter(|place: &&PathBuf| place.ends_with("arena-itself"));
    let new = own_aside
        .and_then(|place| Some(place.parent()?.to_owned()))
        .or(new);
    Some((old, new))
}

/// Sets the limit of queued signals, which the kernel copies to a new user namespace. Call this before the box has one.
pub fn set_outside() -> io::Result<()> {
    set_limit(Resource::Sigpending, WAITING_SIGNALS)
}

pub fn set(plan: &Plan) -> io::Result<()> {
    let score = match plan.sandbox.trust {
        Trust::Stranger => FIRST_TO_GO,
        Trust::Own => NEXT_TO_GO,
    };
    // Fails if the arena's own value is higher and may not be lowered.
    let _ = fs::write("/proc/self/oom_score_adj", score);
    set_limit(Resource::Memlock, MIB)?;
    set_limit(Resource::Msgqueue, 0)?;
    set_limit(Resource::Nofile, open_files(&plan.sandbox, file_max()))?;
    if let Some(disk) = plan.sandbox.disk_mib {
        set_limit(Resource::Fsize, disk * MIB)?;
    }
    if plan.limits_each {
        // Limits the writable memory, not the reserved memory: Java and Node reserve far more than they use. But tables of
        // reserved memory take memory, too, one part in 512.
        if let Some(memory) = plan.sandbox.memory_mib {
            set_limit(Resource::Data, memory * MIB)?;
            set_limit(Resource::As, RESERVED_MIB * MIB)?;
        }
        if let Some(processes) = plan.sandbox.processes {
            set_limit(Resource::Nproc, processes + of_this_user())?;
        }
    }
    Ok(())
}

/// Returns the number of files that a process of the box may have open. Linkers need more than bots. All processes of
/// the box together leave most of the machine's open files (`file_max`) to other programs, which otherwise cannot start.
fn open_files(sandbox: &Sandbox, file_max: u64) -> u64 {
    let least = if sandbox.builds { 256 } else { 64 };
    let processes = sandbox.processes.unwrap_or(1024).max(1);
    let wanted = (OPEN_FILES / processes).clamp(least, 1024);
    wanted.min((file_max / 4 / processes).max(64))
}

fn file_max() -> u64 {
    let text = fs::read_to_string("/proc/sys/fs/file-max").unwrap_or_default();
    text.trim().parse().unwrap_or(u64::MAX)
}

/// Returns the number of this user's threads. The kernel also counts the threads of a box that has the same user.
fn of_this_user() -> u64 {
    let Ok(ours) = Process::myself().and_then(|process| process.uid()) else {
        return 0;
    };
    let processes = all_processes().into_iter().flatten().flatten();
    let threads = processes
        .filter(|process| process.uid().is_ok_and(|uid| uid == ours))
        .filter_map(|process| process.stat().ok())
        .map(|stat| stat.num_threads.max(0) as u64);
    threads.sum()
}

fn set_limit(what: Resource, most: u64) -> io::Result<()> {
    Ok(setrlimit(
        what,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tier;

    #[test]
    fn a_build_on_a_small_machine_leaves_open_files_to_others() {
        let build = Sandbox {
            builds: true,
            processes: Some(1024),
            ..Sandbox::new(Tier::Strict)
        };
        assert_eq!(open_files(&build, 2_400_000), 256);
        assert_eq!(open_files(&build, 400_000), 97);
        assert_eq!(open_files(&build, 100_000), 64, "65,536 of 100,000");
    }
}
