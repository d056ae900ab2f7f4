//! The hierarchies of control groups in which the arena can make groups.
//!
//! Version 1 has a hierarchy for each kind of limit, version 2 has one for all; a machine may have both. The arena uses
//! those in which it can make groups below its own. A user other than root gets this right by
//! `systemd-run --user --scope -p Delegate=yes`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::Process;
use procfs::{Current, Meminfo};

use super::MIB;

/// The longest wait for groups to be stopped or removed.
pub const GONE: Duration = Duration::from_secs(2);
/// The name of the group inside a box's group whose processes are stopped while the opponent thinks.
pub const HELD: &str = "held";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Control {
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
pub struct Hierarchies {
    pub roots: BTreeMap<Control, PathBuf>,
}

impl Hierarchies {
    pub fn ours() -> Option<&'static Hierarchies> {
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
        // A box is stopped by its group only if the group can also take its share of the core: see `Share` in `cgroup.rs`.
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

pub fn remove_group(folder: &Path) {
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

pub fn processes_of(folder: impl AsRef<Path>) -> PathBuf {
    folder.as_ref().join("cgroup.procs")
}

pub fn value_in(text: &str, word: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(' ')?;
        (key == word).then(|| value.trim().parse().ok())?
    })
}
