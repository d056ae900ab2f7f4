//! The sandbox of a program, on Linux.
//!
//! [`SandboxHandle`] is the arena's side. It makes the [`cgroup`], pipes and folder of the box, and starts our own program
//! with a [`Plan`] ([`enter`]). For a strict box, this process becomes `bwrap` ([`mounts`]). The first process inside
//! is the [`supervisor`]. It starts the program, which first gives up most files ([`landlock`]), most system calls
//! ([`seccomp`], [`allowed_calls`]) and resources above its share ([`limits`]). [`mod@probe`] tests machines and boxes.
//!
//! The crate `hakoniwa` does much of this. But it makes namespaces in the process that calls it, so every bot would
//! need a fork of the arena with all its memory. It also lacks version 1 of cgroups, and cannot stop a box. An
//! advantage of bubblewrap (`bwrap`) is that distributions publish security updates of it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio, exit};

use rustix::io::FdFlags;
use rustix::process::Signal;

use self::runtimes::Runtimes;
use self::supervisor::Supervisor;
use super::super::starter;
use crate::{Sandbox, Tier, Trust};

mod allowed_calls;
mod cgroup;
mod handle;
mod hierarchies;
mod landlock;
mod limits;
mod mounts;
mod probe;
mod runtimes;
mod seccomp;
mod supervisor;
mod users;
mod watches;

pub use handle::{Killer, SandboxHandle};
pub use hierarchies::{clear_cgroups, free_memory_mib};
pub use probe::{look, probe};
pub use users::{closed_for, open_in};

const MIB: u64 = 1 << 20;
const ENTER: &str = "__enter";
const END: &str = "--";

pub fn take_role(word: &str, words: impl Iterator<Item = OsString>) {
    match word {
        ENTER => enter(words),
        supervisor::WORD => supervisor::supervise_in_namespaces(words),
        probe::WORD => probe::try_all(words),
        probe::VICTIM => probe::be_victim(),
        _ => {}
    }
}

pub fn ask_runtimes(sandbox: &Sandbox, answer: runtimes::ProgramRunner) {
    Runtimes::ask(sandbox, answer);
}

/// The arena's instructions to the processes that make the box; they are passed on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub sandbox: Sandbox,
    /// Whether memory and processes are limited per process, because nothing limits the whole box.
    pub limits_each: bool,
    /// Whether the supervisor looks for other processes of the program, because nothing counts the box's CPU time.
    pub seeks_forks: bool,
    /// Whether the supervisor counts the watches of `epoll(7)`, because the box shares its user with others.
    pub counts_watches: bool,
    /// The cores of the arena, separated by commas. The program may use only its own cores.
    pub cores: String,
    /// The files of the box's cgroups to which a process writes in order to join them.
    pub joins: Vec<PathBuf>,
    /// The control group that the program enters, and whose processes are stopped while the opponent thinks. `None` if
    /// the whole box is in it from the start, or if the supervisor stops the box.
    pub held: Option<PathBuf>,
    pub control: PathBuf,
    pub status: PathBuf,
    /// The user that the program becomes; `None`: the arena's.
    pub user: Option<u32>,
    /// A folder for temporary files; `None`: the box has its own `/tmp`.
    pub private: Option<PathBuf>,
    pub folder: Option<PathBuf>,
    pub ourselves: PathBuf,
}

impl Plan {
    pub fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        let mut add = |key: &str, value: &OsStr| {
            let mut word = OsString::from(format!("{key}="));
            word.push(value);
            words.push(word);
        };
        let sandbox = &self.sandbox;
        add("tier", sandbox.tier.word().as_ref());
        for (key, paths) in [
            ("read", &sandbox.readable),
            ("write", &sandbox.writable),
            ("hide", &sandbox.hidden),
            ("join", &self.joins),
        ] {
            for path in paths {
                add(key, path.as_os_str());
            }
        }
        for (key, is_so) in [
            ("network", sandbox.network),
            ("builds", sandbox.builds),
            ("own", sandbox.trust == Trust::Own),
            ("each", self.limits_each),
            ("forks", self.seeks_forks),
            ("watches", self.counts_watches),
        ] {
            if is_so {
                add(key, "yes".as_ref());
            }
        }
        for (key, limit) in [
            ("memory", sandbox.memory_mib),
            ("processes", sandbox.processes),
            ("disk", sandbox.disk_mib),
            ("user", self.user.map(u64::from)),
        ] {
            if let Some(limit) = limit {
                add(key, limit.to_string().as_ref());
            }
        }
        add("cores", self.cores.as_ref());
        for (key, path) in [
            ("held", self.held.as_ref()),
            ("control", Some(&self.control)),
            ("status", Some(&self.status)),
            ("private", self.private.as_ref()),
            ("folder", self.folder.as_ref()),
            ("ourselves", Some(&self.ourselves)),
        ] {
            if let Some(path) = path {
                add(key, path.as_os_str());
            }
        }
        words.push(END.into());
        words
    }

    /// Reads the arguments that [`Plan::words`] has written, up to [`END`]; `None`: they are not a plan.
    pub fn read(words: &mut impl Iterator<Item = OsString>) -> Option<Plan> {
        let mut plan = Plan {
            sandbox: Sandbox::new(Tier::Strict),
            limits_each: false,
            seeks_forks: false,
            counts_watches: false,
            cores: String::new(),
            joins: Vec::new(),
            held: None,
            user: None,
            control: PathBuf::new(),
            status: PathBuf::new(),
            private: None,
            folder: None,
            ourselves: PathBuf::new(),
        };
        loop {
            let word = words.next()?;
            if word == END {
                return Some(plan);
            }
            let bytes = word.as_bytes();
            let equals = bytes.iter().position(|&byte| byte == b'=')?;
            let key = std::str::from_utf8(&bytes[..equals]).ok()?;
            let value = OsString::from_vec(bytes[equals + 1..].to_vec());
            plan.put(key, value)?;
        }
    }

    fn put(&mut self, key: &str, value: OsString) -> Option<()> {
        let sandbox = &mut self.sandbox;
        let number = || value.to_str()?.parse::<u64>().ok();
        match key {
            "tier" => sandbox.tier = Tier::from_word(value.to_str()?)?,
            "read" => sandbox.readable.push(value.into()),
            "write" => sandbox.writable.push(value.into()),
            "hide" => sandbox.hidden.push(value.into()),
            "join" => self.joins.push(value.into()),
            "network" => sandbox.network = true,
            "builds" => sandbox.builds = true,
            "own" => sandbox.trust = Trust::Own,
            "each" => self.limits_each = true,
            "forks" => self.seeks_forks = true,
            "watches" => self.counts_watches = true,
            "cores" => self.cores = value.into_string().ok()?,
            "memory" => sandbox.memory_mib = Some(number()?),
            "processes" => sandbox.processes = Some(number()?),
            "disk" => sandbox.disk_mib = Some(number()?),
            "user" => self.user = Some(number()?.try_into().ok()?),
            "held" => self.held = Some(value.into()),
            "control" => self.control = value.into(),
            "status" => self.status = value.into(),
            "private" => self.private = Some(value.into()),
            "folder" => self.folder = Some(value.into()),
            "ourselves" => self.ourselves = value.into(),
            _ => return None,
        }
        Some(())
    }
}

/// Makes the box of a [`Plan`] and starts the program in it. Enters the cgroups, opens the pipes to the arena, and
/// becomes `bwrap` for a strict box or the supervisor of a standard box.
fn enter(mut words: impl Iterator<Item = OsString>) -> ! {
    let (Some(parent), Some(limit)) = (words.next(), words.next()) else {
        exit(starter::REFUSED);
    };
    let Some((plan, program)) = Plan::read(&mut words).zip(words.next()) else {
        exit(starter::REFUSED);
    };
    let arguments: Vec<OsString> = words.collect();
    let end = if plan.sandbox.tier == Tier::Strict {
        Signal::KILL
    } else {
        // The supervisor of a standard box handles this signal: it kills the other processes first.
        Signal::TERM
    };
    let made = starter::restrict(&parent, &limit, end).and_then(|()| {
        for file in &plan.joins {
            fs::write(file, "0").map_err(|error| named("cannot enter a cgroup", &error))?;
        }
        let control = File::open(&plan.control)?;
        let status = File::options().write(true).open(&plan.status)?;
        Ok((control, status))
    });
    let made = made.and_then(|(control, status)| match plan.sandbox.tier {
        Tier::Standard => standard(plan, control, status),
        Tier::Strict => Err(strict(&plan, control, status, &program, &arguments)),
    });
    match made {
        Ok(supervisor) => supervisor.supervise(&program, &arguments),
        Err(error) => {
            eprintln!("the box: {error}");
            exit(starter::REFUSED);
        }
    }
}

fn named(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Makes this process the supervisor. Of the program's streams, it keeps only standard error, to report a failure.
fn standard(plan: Plan, control: File, status: File) -> io::Result<Supervisor> {
    let streams = [
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?,
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?,
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?,
    ];
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(Supervisor {
        plan,
        control,
        status,
        streams,
    })
}

fn strict(
    plan: &Plan,
    control: File,
    status: File,
    program: &OsString,
    arguments: &[OsString],
) -> io::Error {
    let become_it = || {
        limits::set_outside()?;
        // `bwrap` gets the program's streams as additional descriptors: if they were its own standard streams, the
        // arena would not see the program close them.
        let streams: [OwnedFd; 3] = [
            rustix::stdio::stdin().try_clone_to_owned()?,
            rustix::stdio::stdout().try_clone_to_owned()?,
            rustix::stdio::stderr().try_clone_to_owned()?,
        ];
        let passed: Vec<OwnedFd> = streams
            .into_iter()
            .chain([control.into(), status.into()])
            .collect();
        let mut numbers = Vec::new();
        for fd in &passed {
            rustix::io::fcntl_setfd(fd, FdFlags::empty())?;
            numbers.push(fd.as_raw_fd().to_string());
        }
        let (words, files) = mounts::words(plan)?;
        let error = Command::new(mounts::PROGRAM)
            .args(words)
            .args([mounts::OURSELVES, supervisor::WORD])
            .arg(numbers.join(","))
            .args(plan.words())
            .arg(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .exec();
        drop((files, passed));
        Err::<(), _>(named("cannot start bwrap", &error))
    };
    become_it().expect_err("it would not return")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let path = |name: &[u8]| PathBuf::from(OsStr::from_bytes(name));
        let plan = Plan {
            sandbox: Sandbox {
                readable: vec![path(b"/a=b"), path(b"/not \xff text")],
                writable: vec!["/w".into()],
                hidden: vec!["--".into()],
                network: true,
                builds: true,
                memory_mib: Some(512),
                processes: None,
                disk_mib: Some(7),
                ..Sandbox::new(Tier::Standard)
            },
            limits_each: true,
            seeks_forks: true,
            counts_watches: true,
            cores: "0,1".to_owned(),
            joins: vec!["/sys/fs/cgroup/x".into()],
            held: Some("/sys/fs/cgroup/x/held".into()),
            user: Some(0x7000_0001),
            control: "/proc/1/fd/3".into(),
            status: "/proc/1/fd/4".into(),
            private: None,
            folder: Some("/a=b".into()),
            ourselves: "/bin/arena".into(),
        };
        let mut words = plan.words().into_iter().chain(["program".into()]);
        assert_eq!(Plan::read(&mut words), Some(plan));
        assert_eq!(words.next(), Some("program".into()));
    }
}
