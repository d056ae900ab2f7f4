//! Runs that are suspended, or killed at any instant. `tests/scripts/interrupts.txt` has more tests.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::http::{HttpAnswer, try_ask};
use crate::common::{
    RunningProgram, Workdir, misbehave, once, table, timeless_tables, until, wait_for_no_process,
};
use tournament::Draw;

/// Writes a tournament of deterministic, slow bots; a game takes about 0.2 s.
fn tournament(workdir: &Workdir, marker: &str, games: u64) {
    let head = format!("games = {games}\nmove_ms = 2000\nconcurrency = 2\nseed = 5");
    twins(workdir, &head, &misbehave("slow", marker));
}

fn twins(workdir: &Workdir, head: &str, command: &str) {
    let bot = |name| format!("[[bot]]\nname = \"{name}\"\ncommand = [{command}]\n");
    let bots = ["one", "two"].map(bot).concat();
    workdir.write("my.toml", &format!("game = \"othello\"\n{head}\n{bots}"));
}

fn marker(test: &str) -> String {
    format!("interrupt-{test}-{}", std::process::id())
}

fn start(workdir: &Workdir) -> RunningProgram {
    workdir.start(["run", "my.toml", "--out", "run"])
}

#[test]
#[ignore = "takes some minutes"]
fn two_hundred_kills_change_nothing() {
    let (workdir, marker) = (Workdir::new(), marker("often"));
    tournament(&workdir, &marker, 400);
    // The instants differ, but are the same in every run of the test.
    let mut random = Draw::new(1, 0);
    let mut arena = start(&workdir);
    once("it has begun", || workdir.path("run/run.toml").is_file());
    for _ in 0..200 {
        let instant = Instant::now() + Duration::from_micros(random.below(1 << 20));
        once("the instant", || {
            Instant::now() >= instant || arena.ended().is_some()
        });
        if arena.ended().is_none() {
            arena.kill();
        }
        wait_for_no_process(&marker);
        arena = workdir.start(["resume", "run"]);
    }
    assert!(arena.wait().success(), "{}", arena.printed());
    workdir.succeed(["resume", "run"]);
    workdir.succeed(["run", "my.toml", "--out", "undisturbed"]);
    let games = table(&workdir.path("run/games.csv"));
    let ids = games.iter().map(|game| game["game"].clone());
    assert!(ids.eq((0..400).map(|id| id.to_string())));
    let [tables, undisturbed] =
        ["run", "undisturbed"].map(|run| timeless_tables(&workdir.path(run)));
    assert_eq!(tables, undisturbed);
}

#[test]
fn a_suspended_arena_charges_no_bot() {
    let (workdir, marker) = (Workdir::new(), marker("stall"));
    let head = "games = 2\nmove_ms = 1000\nopenings = \"none\"";
    twins(&workdir, head, &misbehave("thinker", &marker));
    let mut arena = start(&workdir);
    // The bot thinks for half of its limit. During this time, the arena is suspended until after the limit.
    let sign = workdir.path("thinker.thinking");
    once("a bot thinks", || sign.is_file());
    arena.signal("STOP");
    let stopped = Instant::now();
    once("the limit has passed", || {
        stopped.elapsed().as_millis() > 1500
    });
    arena.signal("CONT");
    let status = arena.wait();
    assert_eq!(status.code(), Some(0), "{}", arena.printed());
    let games = table(&workdir.path("run/games.csv"));
    assert!(games.iter().all(|game| game["reason"] == "discs"));
    let excused = ["attempts", "black_interruptions", "white_interruptions"];
    let excused: Vec<[&str; 3]> = (games.iter())
        .map(|game| excused.map(|column| game[column].as_str()))
        .collect();
    let first = [["1", "1", "0"], ["1", "0", "1"]];
    assert!(
        first.contains(&excused[0]),
        "one move was excused: {excused:?}"
    );
    assert_eq!(excused[1], ["1", "0", "0"], "{excused:?}");
    wait_for_no_process(&marker);
}

/// Kills `arena league play`, `serve` and `add` at random instants. No game counts twice, and no hand-in is incomplete.
#[test]
#[ignore = "takes some minutes"]
fn a_league_survives_a_hundred_kills() {
    let workdir = Workdir::new();
    workdir.succeed(
        "league new class --anchors random,greedy --move-ms 1000 --sandbox off".split(' '),
    );
    workdir.succeed("new-bot --lang python ada".split(' '));
    let owner = workdir.succeed("league owner class ada".split(' '));
    let secret = owner.trim().split(',').nth(1).expect("a secret").to_owned();
    let source = std::fs::read_to_string(workdir.path("ada/bot.py")).expect("a bot");
    let mut random = Draw::new(7, 0);
    let mut below = |end: u64| random.below(end);
    let mut accepted = Vec::new();
    for kill in 0..100 {
        let mut play = workdir.start("league play class -j 2".split(' '));
        let mut serve = workdir.start("league serve class --port 0 --per-hour 1000".split(' '));
        let text = format!("{source}\nkill = {kill}\n");
        workdir.write("bot.py", &text);
        let port = until("the server has a port", || {
            let printed = serve.printed();
            let after = printed.split("http://127.0.0.1:").nth(1)?;
            after.split_once('/')?.0.parse::<u16>().ok()
        });
        let (cookie, body) = (format!("arena_owner_{port}={secret}"), text.clone());
        let by_page = thread::spawn(move || hand_in(port, &cookie, &format!("{body}page = 1\n")));
        let mut add = workdir.start("league add class bot.py --owner ada".split(' '));
        let (with_others, instant) = (
            below(4),
            Instant::now() + Duration::from_millis(below(1500)),
        );
        once("the instant", || Instant::now() >= instant);
        if with_others & 1 == 1 && add.ended().is_none() {
            add.kill();
        }
        if with_others & 2 == 2 {
            serve.kill();
        }
        if by_page
            .join()
            .expect("it does not panic")
            .is_ok_and(|answer| answer.status == 200)
        {
            accepted.push(format!("{text}page = 1\n"));
        }
        if add.wait().success() {
            accepted.push(text);
        }
        play.kill();
    }
    let open = |path: &str| rusqlite::Connection::open(workdir.path(path)).expect("a database");
    let league = open("class/league.db");
    let numbers = |connection: &rusqlite::Connection, select: &str| -> Vec<i64> {
        let mut select = connection.prepare(select).expect("a query");
        let rows = select.query_map((), |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("numbers")
    };
    let counted = numbers(
        &league,
        "SELECT number FROM round WHERE counted IS NOT NULL",
    );
    let mut games = 0;
    for round in &counted {
        let run = open(&format!("class/rounds/{round}/arena.db"));
        let recorded = numbers(&run, "SELECT id FROM game ORDER BY id");
        let kept = numbers(
            &league,
            &format!("SELECT number FROM game WHERE round = {round} ORDER BY number"),
        );
        assert_eq!(recorded, kept, "round {round}");
        games += kept.len() as i64;
    }
    let met = numbers(&league, "SELECT sum(wins + draws + losses) FROM meeting");
    assert_eq!(met, [games]);
    let ids = numbers(
        &league,
        "SELECT id FROM version WHERE owner IS NOT NULL ORDER BY id",
    );
    let texts: Vec<String> = ids
        .iter()
        .map(|id| {
            std::fs::read_to_string(workdir.path(format!("class/hand-ins/{id}/bot.py")))
                .expect("whole")
        })
        .collect();
    // A killed command may already have handed in its bot.
    assert!(
        accepted.iter().all(|text| texts.contains(text)),
        "{} of {}",
        texts.len(),
        accepted.len()
    );
    println!(
        "{} rounds, {games} games, {} hand-ins, {} of them confirmed",
        counted.len(),
        ids.len(),
        accepted.len()
    );
}

fn hand_in(port: u16, cookie: &str, text: &str) -> io::Result<HttpAnswer> {
    let page = try_ask(port, "GET", "/", &[("cookie", cookie)], "")?.body;
    let after = page
        .split("name=\"arena-token\" content=\"")
        .nth(1)
        .unwrap_or_default();
    let token = after.split('"').next().unwrap_or_default();
    let headers = [
        ("origin", &*format!("http://127.0.0.1:{port}")),
        ("content-type", "application/json"),
        ("x-arena-token", token),
        ("cookie", cookie),
    ];
    try_ask(
        port,
        "POST",
        "/own/hand-in?bot=ada&file=bot.py",
        &headers,
        text,
    )
}
