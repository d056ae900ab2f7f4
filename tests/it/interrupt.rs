//! Runs that stand still or are killed at any instant, and what a terminal shows of a run that is stopped. More is in
//! `tests/scripts/interrupts.txt`.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{Desk, Running, misbehave, nobody_is_left, once, says, table, timeless_tables};

/// Two bots that always answer the same and take their time, so that a game takes about 0.2 s.
fn tournament(desk: &Desk, marker: &str, games: u64) {
    let head = format!("games = {games}\nmove_ms = 2000\nconcurrency = 2\nseed = 5");
    twins(desk, &head, &misbehave("slow", marker));
}

/// A tournament of Othello between a command and itself.
fn twins(desk: &Desk, head: &str, command: &str) {
    let bot = |name| format!("[[bot]]\nname = \"{name}\"\ncommand = [{command}]\n");
    let bots = ["one", "two"].map(bot).concat();
    desk.write("my.toml", &format!("game = \"othello\"\n{head}\n{bots}"));
}

fn marker(test: &str) -> String {
    format!("interrupt-{test}-{}", std::process::id())
}

fn start(desk: &Desk) -> Running {
    desk.start(["run", "my.toml", "--out", "run"])
}

/// Two hundred kills at any instant: minutes long, so to be asked for with `--ignored`.
#[test]
#[ignore = "takes some minutes"]
fn two_hundred_kills_change_nothing() {
    let (desk, marker) = (Desk::new(), marker("often"));
    tournament(&desk, &marker, 400);
    let mut seed = 1_u64;
    let mut arena = start(&desk);
    once("it has begun", || desk.path("run/run.toml").is_file());
    for _ in 0..200 {
        // Steps of Knuth's generator: the instants differ, and are the same in every test.
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let instant = Instant::now() + Duration::from_micros(seed >> 44);
        once("the instant", || {
            Instant::now() >= instant || arena.ended().is_some()
        });
        if arena.ended().is_none() {
            arena.kill();
        }
        nobody_is_left(&marker);
        arena = desk.start(["resume", "run"]);
    }
    assert!(arena.wait().success(), "{}", arena.said());
    desk.succeed(["resume", "run"]);
    desk.succeed(["run", "my.toml", "--out", "undisturbed"]);
    let games = table(&desk.path("run/games.csv"));
    let ids = games.iter().map(|game| game["game"].clone());
    assert!(ids.eq((0..400).map(|id| id.to_string())));
    let [tables, undisturbed] = ["run", "undisturbed"].map(|run| timeless_tables(&desk.path(run)));
    assert_eq!(tables, undisturbed);
}

#[test]
fn an_arena_that_stood_still_blames_nobody() {
    let (desk, marker) = (Desk::new(), marker("stall"));
    let head = "games = 2\nmove_ms = 1000\nopenings = \"none\"";
    twins(&desk, head, &misbehave("thinker", &marker));
    let mut arena = start(&desk);
    // It thinks for half of its second, once; the arena stops in that time and sleeps past the flag.
    let sign = desk.path("thinker.thinking");
    once("a bot thinks", || sign.is_file());
    arena.signal("STOP");
    let stopped = Instant::now();
    once("the flag has fallen long ago", || {
        stopped.elapsed().as_millis() > 1500
    });
    arena.signal("CONT");
    let status = arena.wait();
    assert_eq!(status.code(), Some(0), "{}", arena.said());
    let games = table(&desk.path("run/games.csv"));
    assert!(games.iter().all(|game| game["reason"] == "discs"));
    let attempts: Vec<&str> = games.iter().map(|game| game["attempts"].as_str()).collect();
    assert_eq!(attempts, ["2", "1"], "the first game was played again");
    nobody_is_left(&marker);
}

/// What a command leaves on a terminal of 90 columns, and every line that was there, if Ctrl-C is typed
/// once `press` is there.
fn on_a_terminal(desk: &Desk, press: &str, command: &[&str]) -> (String, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal.py");
    let arena = desk.arena(command);
    let mut terminal = std::process::Command::new(crate::common::python());
    terminal.arg(script).args(["90", press]);
    terminal.arg(arena.get_program()).args(arena.get_args());
    terminal.envs(
        arena
            .get_envs()
            .filter_map(|(key, value)| Some((key, value?))),
    );
    let output = terminal
        .current_dir(desk.path(""))
        .output()
        .expect("it starts");
    let said = crate::common::both(&output);
    let (screen, seen) = said.split_once("\n-----\n").expect(&said);
    (screen.to_owned(), seen.to_owned())
}

/// The terminal writes `^C` where the cursor is; the bar that was there goes all the same.
#[test]
fn no_bar_is_left_on_a_terminal() {
    let (desk, marker) = (Desk::new(), marker("terminal"));
    tournament(&desk, &marker, 400);
    let command = ["run", "my.toml", "--out", "run"];
    let (screen, seen) = on_a_terminal(&desk, r"\b[1-9]\d*/400 games", &command);
    says(
        &screen,
        &["finishing the games in progress", "interrupted: "],
    );
    says(&seen, &["^C", "━"]);
    let left = screen
        .lines()
        .find(|line| line.contains("/400 games  ") || line.contains('╌'));
    assert_eq!(left, None, "{screen}");
}

/// What a person waits for is said, and gone afterwards.
#[test]
fn check_says_what_it_waits_for() {
    let desk = Desk::new();
    desk.write("bot.py", include_str!("../bots/student.py"));
    let command = ["check", "python3 bot.py busy", "--game", "othello"];
    let (screen, seen) = on_a_terminal(&desk, "", &command);
    says(&screen, &["it takes too long for a move"]);
    says(
        &seen,
        &["  … othello: waiting for the answer to question 2, 1 s"],
    );
    assert!(
        !screen.contains('…') || !screen.contains("waiting for"),
        "{screen}"
    );
}
