//! Where groups can be made: below those that this process is in, if it may write there.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::Process;

/// How long processes that were killed may take to be gone.
pub const GONE: Duration = Duration::from_secs(2);

/// The group in that of a box whose processes are stopped.
pub const HELD: &str = "held";

/// Where our groups are, looked for once.
static OURS: OnceLock<Option<Trees>> = OnceLock::new();

/// What a group is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Memory,
    Processes,
    Cpu,
    Freeze,
    Kill,
}

type TreeAndFile = (&'static str, &'static str);

/// Each with its file in version 1 (the tree's name and the file) and in version 2.
const KINDS: [(Kind, Option<TreeAndFile>, &str); 5] = [
    (
        Kind::Memory,
        Some(("memory", "memory.limit_in_bytes")),
        "memory.max",
    ),
    (Kind::Processes, Some(("pids", "pids.max")), "pids.max"),
    (Kind::Cpu, Some(("cpuacct", "cpuacct.usage")), "cpu.stat"),
    (
        Kind::Freeze,
        Some(("freezer", "freezer.state")),
        "cgroup.freeze",
    ),
    (Kind::Kill, None, "cgroup.kill"),
];

/// Our folder in the tree of each kind.
#[derive(Clone, Debug)]
pub struct Trees {
    pub roots: BTreeMap<Kind, PathBuf>,
}

impl Trees {
    /// Those of this process, made when they are first asked for; `None` where there are none.
    pub fn ours() -> Option<&'static Trees> {
        OURS.get_or_init(|| Trees::make(&name(std::process::id())))
            .as_ref()
    }

    fn make(name: &str) -> Option<Trees> {
        // Another process may have had this number.
        clear(std::process::id());
        let (old, new) = places()?;
        old.values().chain(&new).for_each(|place| sweep(place));
        let new = new.map(|place| (with_room(&place), place));
        let mut roots = BTreeMap::new();
        for (kind, first, second) in KINDS {
            let from_old = first.and_then(|(tree, file)| Some((old.get(tree)?, file)));
            let from_new = new.as_ref().map(|(place, _)| (place, second));
            // Version 2 stops at once and for certain; counting is finer in version 1.
            let order = match kind {
                Kind::Freeze | Kind::Kill => [from_new, from_old],
                Kind::Memory | Kind::Processes | Kind::Cpu => [from_old, from_new],
            };
            let found = order.into_iter().flatten().find_map(|(place, file)| {
                let folder = place.join(name);
                let _ = fs::create_dir(&folder);
                for controller in ["+memory", "+pids", "+cpu"] {
                    let _ = fs::write(folder.join("cgroup.subtree_control"), controller);
                }
                // What a folder has, those in it have, if the folder passes it on.
                let probe = folder.join("probe");
                fs::create_dir(&probe).ok()?;
                let has = probe.join(file).exists() && is_ours(&probe.join("cgroup.procs"));
                let _ = fs::remove_dir(&probe);
                has.then_some(folder)
            });
            if let Some(folder) = found {
                roots.insert(kind, folder);
            }
        }
        if roots.is_empty() {
            clear(std::process::id());
        }
        (!roots.is_empty()).then_some(Trees { roots })
    }
}

/// What of a box nothing limits, stops or counts as a whole.
pub fn missing() -> Vec<&'static str> {
    let roots = Trees::ours().map(|trees| &trees.roots);
    [
        (Kind::Memory, "memory"),
        (Kind::Processes, "processes"),
        (Kind::Cpu, "CPU time"),
        (Kind::Freeze, "stopping"),
    ]
    .into_iter()
    .filter(|(kind, _)| !roots.is_some_and(|roots| roots.contains_key(kind)))
    .map(|(_, word)| word)
    .collect()
}

/// Ends what is left in the groups that the process with this number has made, and removes them.
pub fn clear(process: u32) {
    let Some((old, new)) = places() else { return };
    let folders = new.into_iter().chain(old.into_values());
    for folder in folders.map(|place| place.join(name(process))) {
        for inner in fs::read_dir(&folder).into_iter().flatten().flatten() {
            // Frozen processes, too, which nobody would ever let go on.
            let _ = fs::write(inner.path().join("cgroup.kill"), "1");
            remove(&inner.path());
        }
        remove(&folder);
    }
}

/// Removes the empty groups of arenas that were killed together with who would have done it.
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

/// Removes a group, whose last processes may still be on their way out.
pub fn remove(folder: &Path) {
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

fn name(process: u32) -> String {
    format!("arena-{process}")
}

fn is_ours(file: &Path) -> bool {
    fs::File::options().write(true).open(file).is_ok()
}

/// Version 2 gives controllers to groups below one that has no process itself. Where this process is
/// alone in a group that it may change, as in a scope of its own, it steps aside into a group below.
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

/// The folders of the groups that this process is in: of version 1 by the tree's name, and of version 2.
fn places() -> Option<(BTreeMap<String, PathBuf>, Option<PathBuf>)> {
    let process = Process::myself().ok()?;
    let (groups, mounts) = (process.cgroups().ok()?, process.mountinfo().ok()?);
    let (mut old, mut new) = (BTreeMap::new(), None);
    for mount in mounts {
        let inside = |pathname: &str| {
            // A container may have only a part of the tree mounted.
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
