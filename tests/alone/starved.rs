//! Bots beside busy opponents, and an arena that may start few processes.

use std::process::Command;

use crate::common::{Workdir, table};

const WORKER: &str = include_str!("../bots/worker.py");

#[test]
fn a_bot_that_is_not_asked_takes_nothing_from_its_opponent() {
    let _machine = crate::alone();
    let workdir = Workdir::new();
    workdir.write("worker.py", WORKER);
    let worker = "worker=python3 worker.py 0.04 0 0 0";
    let bully = "bully=python3 worker.py 0 0 4 -1";
    let more = "--game gomoku --size 5 -n 2 --move-ms 150 --out run".split(' ');
    let words = ["match", worker, bully].into_iter().chain(more);
    let output = workdir.arena(words).output().expect("it runs");
    let games = table(&workdir.path("run/games.csv"));
    assert_eq!(games.len(), 2, "{}", crate::common::both(&output));
    for game in games {
        // 40 ms of work take about 200 ms beside four other programs. The bully may lose by its own programs.
        assert_ne!(game["at_fault"], "worker", "{game:?}");
    }
}

/// Returns a command for the arena with a limit of processes, as a user without other processes. Only root can do so, and
/// the limit does not apply to root itself.
fn arena_with_processes(most: u32, user: u32, workdir: &Workdir) -> Command {
    let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(workdir.path(""), everybody).expect("our own folder");
    let mut command = Command::new("setpriv");
    command
        .args([format!("--reuid={user}"), format!("--regid={user}")])
        .args(["--clear-groups", "timeout", "120", "prlimit"])
        .arg(format!("--nproc={most}"))
        .arg(env!("CARGO_BIN_EXE_arena"))
        .env("XDG_CACHE_HOME", workdir.path(format!("cache-{user}")))
        .current_dir(workdir.path(""));
    command
}

#[test]
fn a_hand_in_is_not_refused_if_the_process_that_reads_it_gets_no_thread() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let _machine = crate::alone();
    let workdir = Workdir::new();
    workdir.write("bot.py", "print()\n");
    let printed: String = (2..8)
        .map(|most| {
            // A user for each run, because the kernel may still count a process of the last run.
            let mut command = arena_with_processes(most, 65_000 + most, &workdir);
            command.args("grade bot.py --suite othello-six --sandbox off".split(' '));
            let output = command.output().expect("util-linux is installed");
            let printed = crate::common::both(&output);
            assert_eq!(output.status.code(), Some(4), "{most} processes: {printed}");
            printed
        })
        .collect();
    assert!(
        printed.contains("the process that reads the hand-in failed: Resource"),
        "{printed}"
    );
}

#[test]
fn fewer_games_are_played_at_a_time_if_processes_are_scarce() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let _machine = crate::alone();
    let workdir = Workdir::new();
    // In a knockout, a worker waits for games of other workers, which may wait for a slot themselves.
    let bots: String = ["random", "greedy", "mobility", "weights"]
        .map(|bot| format!("[[bot]]\nuse = \"{bot}\"\n"))
        .concat();
    let cup = format!("game = \"othello\"\nformat = \"knockout\"\ngames = 2\n{bots}");
    workdir.write("cup.toml", &cup);
    for words in [
        "match random greedy -n 20 --out match",
        "run cup.toml --out cup",
    ] {
        let mut command = arena_with_processes(14, 65_533, &workdir);
        command.args(words.split(' ')).args(["-j", "4"]);
        let output = command.output();
        let printed =
            crate::common::both(&output.expect("setpriv and prlimit are part of util-linux"));
        assert!(
            printed.contains("fewer games were played at a time"),
            "{printed}"
        );
        let (_, out) = words.rsplit_once(' ').expect("a folder");
        let games = table(&workdir.path(out).join("games.csv"));
        assert!(games.len() >= 6, "{printed}");
        assert!(
            games.iter().all(|game| game["reason"] == "discs"),
            "{printed}"
        );
    }
}
