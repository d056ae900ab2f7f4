//! The Landlock domain: the program may open only certain files, and cannot reach a process or an abstract socket
//! outside. Without a network, it also cannot reach a TCP port.
//!
//! Every process inherits the domain and cannot leave it. [`super::look`] reports the rules that this kernel lacks.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, RestrictionStatus,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};

use super::Plan;
use super::mounts::{DEVICES, HOME, NETWORK, OF_MACHINE, SETTINGS, SYSTEM, of_java};
use crate::Tier;

const KNOWN: ABI = ABI::V6;

/// Enters a domain around the supervisor and its program. The supervisor's signals then reach only its own box, so one
/// call can stop or kill the whole box. Returns whether the kernel supports this.
///
/// Landlock forbids moves of files between folders unless a rule allows them, and compilers need such moves. So this
/// domain allows them everywhere; the program's domain allows them only in the program's own folders.
pub fn close_signals() -> io::Result<bool> {
    let rules = Ruleset::default()
        .scope(Scope::Signal)
        .and_then(|rules| rules.handle_access(AccessFs::Refer))
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rules(path_beneath_rules(["/"], AccessFs::Refer)))
        .and_then(RulesetCreated::restrict_self)
        .map_err(as_io)?;
    Ok(scopes(&rules))
}

fn scopes(status: &RestrictionStatus) -> bool {
    let knows = matches!(status.landlock,
        LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V6);
    knows && status.ruleset == RulesetStatus::FullyEnforced
}

/// Returns the rules of the program's domain, which the process enters before it becomes the program.
pub fn rules(plan: &Plan) -> io::Result<RulesetCreated> {
    let sandbox = &plan.sandbox;
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))
        .and_then(|rules| rules.scope(Scope::Signal | Scope::AbstractUnixSocket))
        .map_err(as_io)?;
    if !sandbox.network {
        rules = rules
            .handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)
            .map_err(as_io)?;
    }
    let (read, all) = (AccessFs::from_read(KNOWN), AccessFs::from_all(KNOWN));
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    rules
        .create()
        .and_then(|rules| rules.add_rules(path_beneath_rules(readable(plan), read)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(DEVICES, device)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(writable(plan), all)))
        .map_err(as_io)
}

fn readable(plan: &Plan) -> Vec<PathBuf> {
    let network = if plan.sandbox.network {
        &NETWORK[..]
    } else {
        &[]
    };
    let places = SETTINGS.iter().chain(network);
    // The kernel shows little more than the names of other processes: see `ptrace` in landlock(7).
    let places = places.chain(&["/etc/passwd", "/etc/group", "/proc"]);
    let places = places.chain(&OF_MACHINE).map(PathBuf::from);
    let mut paths: Vec<PathBuf> = places.chain(of_java()).collect();
    if plan.sandbox.tier == Tier::Strict {
        // Everything in the box may be read except our own program and devices other than [`DEVICES`]. With our
        // program, a bot could play as a built-in bot; the terminals of `/dev/pts` are counted for the whole machine.
        paths.extend(SYSTEM.map(PathBuf::from));
        paths.extend(plan.sandbox.readable.iter().cloned());
        return paths;
    }
    // `/bin` may be a link to a folder with a hidden file.
    let system = SYSTEM
        .iter()
        .filter_map(|folder| fs::canonicalize(folder).ok());
    for path in system.chain(plan.sandbox.readable.iter().cloned()) {
        add_without(&path, &plan.sandbox.hidden, &mut paths);
    }
    paths
}

/// Adds `path` without its hidden entries. A rule for a folder allows all its contents, so if an entry is hidden, this
/// adds the other entries one by one. Of these, it leaves out links, because a rule for a link allows its target,
/// wherever it is. A path inside a hidden folder is added, since the innermost rule counts.
fn add_without(path: &Path, hidden: &[PathBuf], paths: &mut Vec<PathBuf>) {
    if hidden.iter().any(|hidden| path == hidden) || path == Path::new("/") {
        return;
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(path)) {
        paths.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            add_without(&entry.path(), hidden, paths);
        }
    }
}

fn writable(plan: &Plan) -> Vec<PathBuf> {
    let mut paths = plan.sandbox.writable.clone();
    match (&plan.private, plan.sandbox.tier) {
        (Some(private), _) => paths.push(private.clone()),
        (None, Tier::Strict) => paths.extend(["/tmp", "/dev/shm", HOME].map(PathBuf::from)),
        (None, Tier::Standard) => {}
    }
    paths
}

pub fn enter(rules: RulesetCreated) -> io::Result<()> {
    rules.restrict_self().map(drop).map_err(as_io)
}

/// Returns the kernel's version of Landlock, up to [`KNOWN`], and whether it keeps signals in the domain. `None` if the
/// kernel lacks Landlock.
pub fn version() -> Option<(u8, bool)> {
    let versions = [ABI::V1, ABI::V2, ABI::V3, ABI::V4, ABI::V5, ABI::V6];
    let newest = versions.into_iter().rev().find(|&version| has(version))?;
    Some((newest as u8, newest >= ABI::V6))
}

fn has(version: ABI) -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let mut rules = rules.handle_access(AccessFs::from_all(version));
    if version >= ABI::V4 {
        rules = rules.and_then(|rules| rules.handle_access(AccessNet::from_all(version)));
    }
    if version >= ABI::V6 {
        rules = rules.and_then(|rules| rules.scope(Scope::from_all(version)));
    }
    rules.and_then(Ruleset::create).is_ok()
}

fn as_io(error: RulesetError) -> io::Error {
    io::Error::other(error)
}
