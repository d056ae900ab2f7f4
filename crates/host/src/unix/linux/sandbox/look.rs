//! What this machine can do, found by doing it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::boxed::{find, own_user};
use super::cgroup::missing;
use super::runtimes::Runtimes;
use super::{calls, landlock, user};
use crate::process::answer;
use crate::system::roles::NOTHING;
use crate::{Crew, Exit, Lack, Look, Open, Piece, Process, Program, Sandbox, Streams, Tier};

/// A box that takes longer is none.
const LONGEST: Duration = Duration::from_secs(20);

/// Tries a box of each tier.
pub fn look() -> Look {
    let landlock = landlock::version();
    let keeps_signals = landlock.as_ref().is_some_and(|(_, keeps)| *keeps);
    let lack = |what: &str, fix: &str| {
        Some(Lack {
            what: what.into(),
            fix: fix.into(),
        })
    };
    let no_standard = if landlock.is_none() {
        lack(
            "the kernel has no Landlock",
            "use Linux 5.13 or newer, with landlock in the kernel's list lsm=",
        )
    } else if !calls::are_there() {
        lack(
            "the kernel has no seccomp filters for this processor",
            "use Linux with CONFIG_SECCOMP_FILTER on x86-64, ARM64 or RISC-V",
        )
    } else {
        tried(Tier::Standard).err().map(|what| Lack {
            what,
            fix: "see whether the folder for temporary files can be written to".into(),
        })
    };
    let no_strict = match &no_standard {
        Some(lack) => Some(lack.clone()),
        None => tried(Tier::Strict).err().map(|what| Lack {
            fix: how_to_get_namespaces(&what),
            what,
        }),
    };
    let missing = missing();
    let mut made_of = Vec::new();
    if no_strict.is_none() {
        made_of.push("namespaces".to_owned());
    }
    made_of.extend(landlock.map(|(version, _)| format!("Landlock {version}")));
    if calls::are_there() {
        made_of.push("seccomp".to_owned());
    }
    let all = ["memory", "processes", "CPU time", "stopping"];
    let counted: Vec<_> = all
        .into_iter()
        .filter(|what| !missing.contains(what))
        .collect();
    if !counted.is_empty() {
        made_of.push("cgroups".to_owned());
    }
    let best = if no_strict.is_none() {
        Tier::Strict
    } else {
        Tier::Standard
    };
    if user::can_change(best) {
        made_of.push("own users".to_owned());
    }
    let not_counted = (!missing.is_empty()).then(|| Lack {
        what: format!("no cgroup can be made for {}", missing.join(", ")),
        fix: "start the arena as root, or with systemd-run --user --scope -p Delegate=yes arena …"
            .into(),
    });
    Look {
        no_strict,
        no_standard,
        keeps_signals,
        counted,
        not_counted,
        made_of,
    }
}

/// Returns the files and folders that programs in this sandbox can read beside the system's and their own.
pub fn open_in(sandbox: &Sandbox) -> Open {
    let readable = Runtimes::ask(sandbox, answer).readable.clone();
    let can_change = user::can_change(sandbox.tier);
    let mut seen = readable.iter().filter(|_| can_change);
    Open {
        closed: seen
            .find(|path| user::closed(path, sandbox.tier).is_some())
            .cloned(),
        readable,
    }
}

/// Returns the file or folder that keeps this program from a user of its own.
pub fn closed_for(program: &Program) -> Option<PathBuf> {
    let sandbox = program.sandbox.as_ref()?;
    if !user::can_change(sandbox.tier) {
        return None;
    }
    let runtimes = Runtimes::ask(sandbox, answer);
    let path = find(program, &runtimes).ok()?;
    own_user(sandbox, &path, &runtimes).err()
}

/// Starts a program in a box of this tier; what was said if that fails.
fn tried(tier: Tier) -> Result<(), String> {
    // Our own: a machine may have no other.
    let ourselves = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = Program {
        path: ourselves.clone(),
        arguments: vec![NOTHING.into()],
        folder: Some("/".into()),
        // In which bwrap is looked for.
        variables: vec!["PATH"],
        sandbox: Some(Sandbox {
            readable: vec![ourselves],
            runtimes: false,
            ..Sandbox::new(tier)
        }),
        ..Program::default()
    };
    let process = Process::start(&program, Streams::Report, &Crew::new());
    let mut process = process.map_err(|error| error.to_string())?;
    let ended = process.wait_for_end(Instant::now() + LONGEST);
    let exit = process.end();
    let mut said = Vec::new();
    while let Ok(Piece::Bytes(())) = process.read_output(|bytes| said.extend_from_slice(bytes)) {}
    match (ended, exit) {
        (Ok(true), Ok(Exit::Status(0))) => Ok(()),
        (Ok(true), _) if !said.is_empty() => Err(String::from_utf8_lossy(&said).trim().to_owned()),
        (Ok(true), Ok(exit)) => Err(format!("a program in it ended with {exit:?}")),
        _ => Err("a program in it did not end".to_owned()),
    }
}

fn how_to_get_namespaces(what: &str) -> String {
    let is_off = |file: &str, value: &str| {
        fs::read_to_string(format!("/proc/sys/{file}")).is_ok_and(|text| text.trim() == value)
    };
    if what.contains("cannot start bwrap") {
        return "install bubblewrap: apt-get install bubblewrap".into();
    }
    if is_off("user/max_user_namespaces", "0") {
        return "sysctl -w user.max_user_namespaces=10000".into();
    }
    if is_off("kernel/unprivileged_userns_clone", "0") {
        return "sysctl -w kernel.unprivileged_userns_clone=1".into();
    }
    if is_off("kernel/apparmor_restrict_unprivileged_userns", "1") {
        return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for \
                bwrap with the rule userns"
            .into();
    }
    "in a container, allow user namespaces: docker run --security-opt seccomp=unconfined \
     --security-opt systempaths=unconfined"
        .into()
}
