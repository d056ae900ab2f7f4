//! Figures of speed and memory: `cargo test --test it -- --ignored --nocapture --test-threads=1 figures`. They are
//! printed, not asserted, because machines differ. `ARENA_PROGRAM` is the arena to measure, such as a release build.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::Value;

use crate::common::browser::Browser;
use crate::common::http::send;
use crate::common::served::Served;
use crate::common::{Workdir, once, until};

fn workdir() -> Workdir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = std::env::var_os("ARENA_PROGRAM").map(PathBuf::from);
    Workdir::with(
        folder,
        program.unwrap_or_else(|| env!("CARGO_BIN_EXE_arena").into()),
    )
}

fn play(workdir: &Workdir, games: &str, out: &str) {
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

#[test]
#[ignore = "it measures"]
fn figures() {
    let workdir = workdir();
    play(&workdir, "10000", "results/many");
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
        page().1.contains("10000 of 10000 games")
    });
    let mut times: Vec<f64> = (0..20).map(|_| page().0).collect();
    times.sort_by(f64::total_cmp);
    eprintln!(
        "run of 10,000 games, at the server: first {first:.1} ms, then median {:.1}, most {:.1} ms",
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
        eprintln!("run of 10,000 games, interactive in Chromium, ms: {all:.0?}");
    }
    play(&workdir, "1000", "results/thousand");
    eprintln!(
        "report.html of 1,000 games of 5 by 5: {:.2} MB",
        megabytes(&workdir, "results/thousand")
    );
    let othello = "match alphabeta:depth=1 greedy --games 1000 --out results/othello";
    workdir.succeed(othello.split(' '));
    eprintln!(
        "report.html of 1,000 games of Othello: {:.2} MB",
        megabytes(&workdir, "results/othello")
    );
}

/// Follows whole games in a browser, beside seven streams that are read by threads of this test.
#[test]
#[ignore = "it measures"]
fn live_games_are_shown() {
    let workdir = workdir();
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
            std::thread::spawn(move || std::io::copy(&mut stream, &mut std::io::sink()));
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
    eprintln!("60 clicks, ms until the page shows the step; those above 16 ms: {clicks:?}");
    for (what, all) in [
        ("in the half second after the first paint", &mut opening),
        ("then", &mut shown),
    ] {
        all.sort_by(f64::total_cmp);
        let of = |part: f64| all.get((all.len() as f64 * part) as usize);
        eprintln!(
            "eight watchers, {what}: {} half-moves, ms to the page: median {:?}, 95 % {:?}",
            all.len(),
            of(0.5),
            of(0.95)
        );
    }
}

#[test]
#[ignore = "it measures, for minutes"]
fn memory_stays_flat() {
    let workdir = workdir();
    let huge = "match random greedy --game gomoku --size 5 --games 100000 --concurrency 2 --out results/huge";
    let mut playing = workdir.start(huge.split(' '));
    once("it has begun", || {
        workdir.path("results/huge/arena.db").is_file()
    });
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let cookie = served.cookie();
    let read = || {
        let page = served.get("/run/huge", &cookie).body;
        let (before, _) = page.split_once(" of 100000 games")?;
        before.rsplit('>').next()?.parse::<u64>().ok()
    };
    for wanted in [1_000, 10_000, 25_000, 50_000, 75_000, 100_000] {
        until("so many games are read", || {
            let read = read().filter(|&read| read >= wanted);
            if read.is_none() {
                std::thread::sleep(std::time::Duration::from_millis(300));
            }
            read
        });
        eprintln!("{wanted} games: {:.1} MiB", memory(served.pid()));
    }
    playing.wait();
}
