//! A run that is stopped: politely, rudely, or with the whole machine. What was recorded stays,
//! what was not is played again, and no bot is left behind.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{Desk, Running, misbehave, nobody_is_left, once, says, table, timeless_tables};

/// Games of most tournaments below.
const GAMES: u64 = 24;

/// Two bots that always answer the same and take their time, so that a game takes about 0.2 s.
fn tournament(desk: &Desk, marker: &str, games: u64) {
    tournament_of(desk, "slow", marker, games);
}

/// The same with two bots that misbehave like this.
fn tournament_of(desk: &Desk, mode: &str, marker: &str, games: u64) {
    let head = format!("games = {games}\nmove_ms = 2000\nconcurrency = 2\nseed = 5");
    twins(desk, &head, &misbehave(mode, marker));
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

fn until_kept(run: &Path, games: u64) {
    once("games are kept", || crate::common::games_kept(run) >= games);
}

/// The tables of the run in `folder`, times aside, and the numbers of its games in order.
fn outcome(desk: &Desk, folder: &str) -> ([String; 2], Vec<String>) {
    let run = desk.path(folder);
    let games = table(&run.join("games.csv"));
    let ids = games.iter().map(|game| game["game"].clone());
    (timeless_tables(&run), ids.collect())
}

/// The stopped run is completed, and is what an undisturbed run is.
fn resumes_to_the_whole(desk: &Desk, folder: &str, games: u64) {
    desk.succeed(["resume", folder]);
    desk.succeed(["run", "my.toml", "--out", "undisturbed"]);
    let (tables, ids) = outcome(desk, folder);
    let scheduled: Vec<String> = (0..games).map(|id| id.to_string()).collect();
    assert_eq!(ids, scheduled);
    assert_eq!(tables, outcome(desk, "undisturbed").0);
}

fn start(desk: &Desk) -> Running {
    desk.start(["run", "my.toml", "--out", "run"])
}

#[test]
fn one_interrupt_finishes_the_games_and_the_run_resumes() {
    let (desk, marker) = (Desk::new(), marker("once"));
    tournament(&desk, &marker, GAMES);
    let mut arena = start(&desk);
    until_kept(&desk.path("run"), 2);
    arena.signal("INT");
    let status = arena.wait();
    assert_eq!(status.code(), Some(130), "{}", arena.said());
    nobody_is_left(&marker);

    let games = table(&desk.path("run/games.csv"));
    let played = games.len() as u64;
    assert!((2..GAMES).contains(&played), "{played}");
    assert!(games.iter().all(|game| game["reason"] == "discs"));
    let words = format!("interrupted: {played} of {GAMES} games are played");
    says(&arena.said(), &[&words, "arena resume run"]);
    resumes_to_the_whole(&desk, "run", GAMES);
    // A run that is whole stays what it is.
    let before = outcome(&desk, "run");
    desk.succeed(["resume", "run"]);
    assert_eq!(outcome(&desk, "run"), before);
}

#[test]
fn two_interrupts_give_the_games_up_and_half_a_game_is_not_recorded() {
    let (desk, marker) = (Desk::new(), marker("twice"));
    let head = "games = 4\nmove_ms = 600000\nconcurrency = 2";
    twins(&desk, head, &misbehave("hang", &marker));
    let mut arena = start(&desk);
    // Two bots for each of the two games, beside those of the probe, which leave.
    once("four bots play", || {
        let begun = desk.path("run/arena.db").is_file();
        begun && crate::common::processes(&marker).len() == 4
    });
    arena.signal("INT");
    // Signals of one kind do not queue: the second is sent once the first has been taken.
    once("the first is taken", || arena.said().contains("Ctrl-C"));
    arena.signal("INT");
    let asked = Instant::now();
    let status = arena.wait();
    assert_eq!(status.code(), Some(130), "{}", arena.said());
    assert!(asked.elapsed() < crate::common::PATIENCE / 10, "at once");
    nobody_is_left(&marker);
    let games = table(&desk.path("run/games.csv"));
    assert!(games.is_empty(), "no game was over");
}

#[test]
fn a_killed_arena_loses_nothing_that_counts_and_leaves_nobody() {
    let (desk, marker) = (Desk::new(), marker("kill"));
    tournament(&desk, &marker, GAMES);
    let mut arena = start(&desk);
    let run = desk.path("run");
    for kills in 1..=4 {
        until_kept(&run, kills * 3);
        arena.kill();
        nobody_is_left(&marker);
        arena = desk.start(["resume", "run"]);
    }
    assert!(arena.wait().success(), "{}", arena.said());
    resumes_to_the_whole(&desk, "run", GAMES);
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
    resumes_to_the_whole(&desk, "run", 400);
}

#[test]
fn a_run_that_was_killed_before_its_first_game_resumes() {
    let (desk, marker) = (Desk::new(), marker("early"));
    tournament(&desk, &marker, GAMES);
    let mut arena = start(&desk);
    once("it has begun", || desk.path("run/run.toml").is_file());
    arena.kill();
    resumes_to_the_whole(&desk, "run", GAMES);
    nobody_is_left(&marker);
}

#[test]
fn a_killed_arena_takes_a_bot_that_hangs_with_it() {
    let (desk, marker) = (Desk::new(), marker("hang"));
    let hang = misbehave("hang", &marker);
    let head = "game = \"othello\"\ngames = 2\nmove_ms = 600000\n[[bot]]\nuse = \"random\"\n";
    desk.write("my.toml", &format!("{head}[[bot]]\ncommand = [{hang}]\n"));
    let mut arena = start(&desk);
    once("the bot plays", || {
        let begun = desk.path("run/arena.db").is_file();
        begun && !crate::common::processes(&marker).is_empty()
    });
    arena.kill();
    nobody_is_left(&marker);
}

/// The bot dies with the arena, its daemon in a session of its own does not; somebody mourns both.
#[test]
fn a_killed_arena_takes_with_it_what_its_bots_have_started() {
    let (desk, marker) = (Desk::new(), marker("daemon"));
    tournament_of(&desk, "daemon", &marker, GAMES);
    let mut arena = start(&desk);
    until_kept(&desk.path("run"), 1);
    arena.kill();
    nobody_is_left(&marker);
}

/// The compiler dies with the arena, what it has put into a session of its own does not: that is
/// found by its tag.
#[test]
fn a_killed_arena_takes_a_build_with_it() {
    let (desk, marker) = (Desk::new(), marker("build"));
    std::fs::create_dir(desk.path("bot")).expect("a folder");
    let script = format!(
        "c='import time; time.sleep(600)'; {python} -c \"$c\" {marker} & \
         setsid {python} -c \"$c\" {marker} & wait",
        python = crate::common::python()
    );
    let build = format!("build = ['sh', '-c', '''{script}''']\ncommand = ['sh', 'bot.sh']\n");
    desk.write("bot/bot.toml", &build);
    let mut arena = desk.start(["match", "./bot", "random", "--out", "run"]);
    once("the build and both its children run", || {
        crate::common::processes(&marker).len() >= 3
    });
    arena.kill();
    nobody_is_left(&marker);
}

#[test]
fn a_second_arena_is_refused() {
    let (desk, marker) = (Desk::new(), marker("second"));
    tournament(&desk, &marker, GAMES);
    let arena = start(&desk);
    until_kept(&desk.path("run"), 1);
    let output = desk.run(["resume", "run"]);
    assert!(!output.status.success());
    let why = "another arena is playing this run (run/arena.lock is locked)";
    says(&crate::common::both(&output), &[why]);
    arena.signal("INT");
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

/// Runs its arguments in a terminal of their own, closes the terminal once games are on, and says how
/// they ended.
const IN_A_TERMINAL: &str = "
import os, pty, sys
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while b'games' not in os.read(terminal, 4096):
    pass
os.close(terminal)
_, status = os.waitpid(process, 0)
sys.exit(os.waitstatus_to_exitcode(status))
";

#[test]
fn a_terminal_that_is_closed_interrupts() {
    let (desk, marker) = (Desk::new(), marker("terminal"));
    tournament(&desk, &marker, GAMES);
    let status = std::process::Command::new("python3")
        .args(["-c", IN_A_TERMINAL, env!("CARGO_BIN_EXE_arena")])
        .args(["run", "my.toml", "--out", "run"])
        .current_dir(desk.path(""))
        .status()
        .expect("Python starts");
    assert_eq!(status.code(), Some(130));
    nobody_is_left(&marker);
    resumes_to_the_whole(&desk, "run", GAMES);
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

/// Who takes up a grade again hears that it goes on where it was.
#[test]
fn a_resumed_grade_says_so() {
    let desk = Desk::new();
    desk.write(
        "s.toml",
        "game = \"othello\"\ngames = 2\nmove_ms = 1000\n[grade]\nthreshold = 0.0\n[[bot]]\nuse = \"random\"\n",
    );
    let grade = ["grade", "greedy", "--suite", "s.toml", "--out", "g"];
    desk.succeed(grade);
    let output = desk.run(["resume", "g"]);
    assert!(output.status.success(), "{}", crate::common::both(&output));
    let words = "resumed: the grade in g goes on; its games are not played again";
    says(&crate::common::both(&output), &[words, "mark: "]);
}
