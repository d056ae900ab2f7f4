//! The way into a box: our own program once more, which enters the box's cgroups, opens the pipes to the
//! arena, and becomes `bwrap` for a strict box or the keeper of a standard one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};

use rustix::io::FdFlags;
use rustix::process::Signal;

use super::super::super::starter;
use super::keeper::{Keeper, WORD as KEEP};
use super::plan::Plan;
use super::{bubblewrap, limits};
use crate::Tier;

/// First argument of our program where it is to make a box.
pub const WORD: &str = "__enter";

/// Makes the box that the words describe, and the program in it.
pub fn enter(mut words: impl Iterator<Item = OsString>) -> ! {
    let secret = words.next().unwrap_or_default();
    let secret = secret.to_string_lossy().into_owned();
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
        // The keeper is to end the others first.
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
        Tier::Strict => Err(strict(
            &plan, control, status, &secret, &program, &arguments,
        )),
    });
    match made {
        Ok(keeper) => keeper.keep(&secret, &program, &arguments),
        Err(error) => {
            eprintln!("the box: {error}");
            exit(starter::REFUSED);
        }
    }
}

fn named(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// This process is the keeper. It holds none of the program's streams but its errors, until it has said
/// what was wrong.
fn standard(plan: Plan, control: File, status: File) -> io::Result<Keeper> {
    let streams = [
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?,
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?,
        rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?,
    ];
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(Keeper {
        plan,
        control,
        status,
        streams,
    })
}

/// Becomes `bwrap`; the error if that fails.
fn strict(
    plan: &Plan,
    control: File,
    status: File,
    secret: &str,
    program: &OsString,
    arguments: &[OsString],
) -> io::Error {
    let become_it = || {
        limits::set_outside()?;
        // `bwrap` itself must not hold them, or nobody would see the program close them: they are passed
        // on beside its own.
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
        let (words, files) = bubblewrap::words(plan)?;
        let error = Command::new(bubblewrap::PROGRAM)
            .args(words)
            .args([bubblewrap::OURSELVES, KEEP, secret])
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
