//! The pages with many games: their times at the server and in a browser, their sizes, and the server's memory.
//!
//! Run with `cargo bench --bench pages`, or with one of its parts, such as `cargo bench --bench pages -- memory`: `run`
//! opens the page of a run and writes reports, `live` watches games, and `memory` serves a run while it is played, for
//! minutes. `--games N` is the size of the large run (default: 10,000, and 100,000 for `memory`). The measurements in
//! Chromium need `ARENA_ALL_TOOLS=`, as the tests do.

use std::io::{copy, sink};
use std::time::{Duration, Instant};

use serde_json::Value;

#[expect(dead_code, reason = "the tests use it")]
#[path = "../tests/it/common/mod.rs"]
mod common;

use common::browser::Browser;
use common::http::send;
use common::served::Served;
use common::{Workdir, once, until};

/// A part of this benchmark, with its number of games if it differs from the default.
type Part = fn(Option<u64>);

const PARTS: [(&str, Part); 3] = [
    ("run", page_of_a_run),
    ("live", |_| live_games()),
    ("memory", memory_of_a_server),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let games = arguments.iter().position(|word| word == "--games");
    let games = games.and_then(|at| arguments.get(at + 1)?.parse().ok());
    let is_named = |name: &str| arguments.iter().any(|word| word == name);
    let all = !PARTS.iter().any(|(name, _)| is_named(name));
    for (name, measure) in PARTS {
        if all || is_named(name) {
            measure(games);
        }
    }
}

fn play(workdir: &Workdir, games: u64, out: &str) {
    let play = format!("match random greedy --game gomoku --size 5 --games {games} --out {out}");
    workdir.succeed(play.split(' '));
}

fn megabytes(workdir: &Workdir, run: &str) -> f64 {
    let report = workdir.path(run).join("report.html").metadata();
    report.expect("a report").len() as f64 / 1e6
}

fn memory(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.and_then(|kib| kib.parse::<f64>().ok())
        .expect("a number")
        / 1024.0
}

fn page_of_a_run(games: Option<u64>) {
    let games = games.unwrap_or(10_000);
    let workdir = Workdir::new();
    play(&workdir, games, "results/many");
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let cookie = served.cookie();
    let page = || {
        let start = Instant::now();
        let answer = served.get("/run/many", &cookie);
        assert_eq!(answer.status, 200);
        (start.elapsed().as_secs_f64() * 1000.0, answer.body)
    };
    let (first, _) = page();
    once("the record is read", || {
        page().1.contains(&format!("{games} of {games} games"))
    });
    let mut times: Vec<f64> = (0..20).map(|_| page().0).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "run of {games} games, at the server: first {first:.1} ms, then median {:.1}, most {:.1} ms",
        times[10], times[19]
    );
    if let Some(browser) = Browser::start() {
        browser.open(&served.url);
        let mut all = Vec::new();
        for _ in 0..5 {
            browser.open(&served.at("/run/many"));
            browser.until("document.querySelector('.games .game')");
            let ready = browser.until("performance.getEntriesByType('navigation')[0].loadEventEnd");
            all.push(ready.as_f64().expect("ms"));
        }
        println!("run of {games} games, interactive in Chromium, ms: {all:.0?}");
    }
    play(&workdir, 1000, "results/thousand");
    println!(
        "report.html of 1,000 games of 5 by 5: {:.2} MB",
        megabytes(&workdir, "results/thousand")
    );
    let othello = "match alphabeta:depth=1 greedy --games 1000 --out results/othello";
    workdir.succeed(othello.split(' '));
    println!(
        "report.html of 1,000 games of Othello: {:.2} MB",
        megabytes(&workdir, "results/othello")
    );
}

/// Follows whole games in a browser, beside seven streams that are read by threads of this program.
fn live_games() {
    let workdir = Workdir::new();
    workdir.write(
        "live.toml",
        "game = \"othello\"\ngames = 8\nmove_ms = 400\nconcurrency = 1\npin = false\n\
         [[bot]]\nname = \"one\"\nuse = \"alphabeta\"\noptions = { move_ms = 100 }\n\
         [[bot]]\nname = \"other\"\nuse = \"alphabeta\"\noptions = { move_ms = 100 }\n",
    );
    let served = Served::start(
        &workdir,
        &["run", "live.toml", "--watch", "--out", "results/live"],
    );
    let Some(browser) = Browser::start() else {
        return;
    };
    let cookie = served.cookie();
    browser.open(&served.url);
    let [mut opening, mut shown, mut clicks] = [const { Vec::<f64>::new() }; 3];
    for _ in 0..6 {
        browser.until("document.querySelector('.card:not(.over)')");
        browser.open(&served.at("/live/next"));
        let path = browser.run("return document.getElementById('game').dataset.events");
        let path = path.as_str().expect("a live game");
        for _ in 0..7 {
            let stream = send(served.port, "GET", path, &[("cookie", &cookie)], "");
            let mut stream = stream.expect("a stream");
            std::thread::spawn(move || copy(&mut stream, &mut sink()));
        }
        // One promise for the whole game: a driver that asks again and again would be measured, too.
        let late = browser.run(
            "const result = document.querySelector('#result'); \
             return new Promise((ended) => new MutationObserver( \
               () => result.hidden || ended(window.arenaLatencies)).observe(result, { attributes: true })) \
             .then((all) => [performance.timeOrigin + \
               performance.getEntriesByName('first-contentful-paint')[0].startTime, all])",
        );
        let (painted, plies) = (
            late[0].as_f64().expect("ms"),
            late[1].as_array().expect("a list"),
        );
        for ply in plies {
            let [at, delay] = [0, 1].map(|of| ply[of].as_f64().expect("ms"));
            let group = if at < painted + 500.0 {
                &mut opening
            } else {
                &mut shown
            };
            group.push(delay);
        }
        browser.run(
            "window.clicks = []; new PerformanceObserver((seen) => seen.getEntries().forEach((event) => \
               event.name === 'click' && window.clicks.push(event.duration))) \
             .observe({ type: 'event', durationThreshold: 16 })",
        );
        for _ in 0..10 {
            browser.click("#previous");
        }
        let times = browser.run("return window.clicks");
        // The browser reports no click that is shown within 16 ms.
        let times = times.as_array().expect("a list").iter();
        clicks.extend(times.filter_map(Value::as_f64));
        browser.open(&served.url);
    }
    clicks.sort_by(f64::total_cmp);
    println!("60 clicks, ms until the page shows the step; those above 16 ms: {clicks:?}");
    for (what, all) in [
        ("in the half second after the first paint", &mut opening),
        ("then", &mut shown),
    ] {
        all.sort_by(f64::total_cmp);
        let of = |part: f64| all.get((all.len() as f64 * part) as usize);
        println!(
            "eight watchers, {what}: {} half-moves, ms to the page: median {:?}, 95 % {:?}",
            all.len(),
            of(0.5),
            of(0.95)
        );
    }
}

fn memory_of_a_server(games: Option<u64>) {
    let games = games.unwrap_or(100_000);
    let workdir = Workdir::new();
    let huge = format!(
        "match random greedy --game gomoku --size 5 --games {games} --concurrency 2 --out results/huge"
    );
    let mut playing = workdir.start(huge.split(' '));
    once("it has begun", || {
        workdir.path("results/huge/arena.db").is_file()
    });
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let cookie = served.cookie();
    let read = || {
        let page = served.get("/run/huge", &cookie).body;
        let (before, _) = page.split_once(&format!(" of {games} games"))?;
        before.rsplit('>').next()?.parse::<u64>().ok()
    };
    for percent in [1, 10, 25, 50, 75, 100] {
        let wanted = games * percent / 100;
        until("so many games are read", || {
            let read = read().filter(|&read| read >= wanted);
            if read.is_none() {
                std::thread::sleep(Duration::from_millis(300));
            }
            read
        });
        println!("{wanted} games: {:.1} MiB", memory(served.pid()));
    }
    playing.wait();
}
