//! Where groups can be made: below those that this process is in, if it may write there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use procfs::process::Process;

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

/// Removes the groups that the process with this number has made and that are empty now.
pub fn clear(process: u32) {
    let Some((old, new)) = places() else { return };
    for place in old.into_values().chain(new) {
        let folder = place.join(name(process));
        for inner in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let _ = fs::remove_dir(inner.path());
        }
        let _ = fs::remove_dir(folder);
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
