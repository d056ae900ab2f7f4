//! Kills of the arena and of its clean-up process leave nothing behind.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::place::{Place, places};
use crate::common::{both, once, until, wait_for_cleanup, wait_for_no_process};

struct Arena(Child);

impl Arena {
    fn play(place: &Place, bots: &str) -> Arena {
        let log = File::create(place.path("log")).expect("a file");
        let mut command = place.command(env!("CARGO_BIN_EXE_arena"));
        let words = format!("match {bots} -n 2 --openings none --move-ms 9000 --out run");
        command.args(words.split(' '));
        command.args(["--sandbox", place.tier]);
        let command = command
            .stdout(log.try_clone().expect("a handle"))
            .stderr(log);
        Arena(command.spawn().expect("the arena starts"))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ending_in(words: &str) -> Vec<i32> {
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let line = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line)
            .replace('\0', " ")
            .trim_end()
            .ends_with(words)
    };
    numbers.filter(line).collect()
}

fn temporary(pid: i32) -> Option<PathBuf> {
    let variables = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = variables.split(|&byte| byte == 0);
    let path = variables.find_map(|variable| variable.strip_prefix(b"TMPDIR="))?;
    Some(OsStr::from_bytes(path).into())
}

/// The clean-up process finds processes by the arena's variable in their environment. It does not kill the supervisor
/// of a sandbox, because only the supervisor can find processes without this variable.
#[test]
fn a_sandbox_ends_with_the_arena_if_only_the_arena_is_killed() {
    for place in places() {
        let marker = place.path("daemon").display().to_string();
        place.bot("daemon", "greedy_for_more.py", &["daemons", &marker], "");
        let mut arena = Arena::play(&place, "daemon random");
        let folder = until("where its files are", || {
            temporary(ending_in(&format!("--wait-tagged {marker}")).pop()?)
        });
        once("it has left processes behind", || {
            !ending_in(&format!("--wait {marker}")).is_empty()
        });
        arena.0.kill().expect("it lives");
        arena.0.wait().expect("our child");
        wait_for_no_process(&marker);
        let files = (place.tier != "strict").then_some(folder);
        wait_for_cleanup(|| files.iter().filter(|files| files.exists()).collect());
    }
}

/// One bot has left a process, and is stopped while the other bot thinks. Nothing may wait for that process.
#[test]
fn a_sandbox_ends_with_the_arena_if_other_processes_are_killed_too() {
    for place in places() {
        let marker = place.path("daemon").display().to_string();
        place.bot("daemon", "greedy_for_more.py", &["daemon", &marker], "");
        let naps = place.path("naps").display().to_string();
        place.bot("naps", "greedy_for_more.py", &["naps", &naps], "");
        let mut arena = Arena::play(&place, "daemon naps");
        once("it has left a process behind", || {
            !ending_in(&format!("--wait {marker}")).is_empty()
        });
        // A bot is stopped during the turns of its opponent only if the opponent has been slow before.
        let nap = || ending_in(&format!("--nap {naps}")).pop();
        let first = until("the other one takes its time", nap);
        once("it does so again", || {
            nap().is_some_and(|second| second != first)
        });
        let pid = arena.0.id();
        let folder = until("where its files are", || temporary(nap()?));
        let reaper = until("there is a reaper", || ending_in(&format!(" {pid}")).pop());
        kill_process(Pid::from_raw(reaper).expect("a number"), Signal::KILL).expect("it lives");
        arena.0.kill().expect("it lives");
        arena.0.wait().expect("our child");
        wait_for_no_process(&marker);
        wait_for_no_process(&naps);
        // A strict sandbox has its own folder of this name.
        let files = (place.tier != "strict").then_some(folder);
        wait_for_cleanup(|| files.iter().filter(|files| files.exists()).collect());
        // A lock left by the arena would make this command fail.
        let output = place.plainly("resume run");
        assert!(
            output.status.success(),
            "{}: {}",
            place.name(),
            both(&output)
        );
        wait_for_no_process(&marker);
    }
}
