//! A run that is being played, watched in two tabs to its end.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use serde_json::json;

use super::page::{Served, shown};
use crate::common::Desk;
use crate::common::browser::LEFT;
use crate::common::http::send;

#[test]
fn a_running_game_is_watched_to_its_end_in_two_tabs() {
    let desk = Desk::new();
    desk.write(
        "live.toml",
        "game = \"othello\"\ngames = 200\nmove_ms = 400\nconcurrency = 1\npin = false\n\
         [[bot]]\nname = \"one\"\nuse = \"alphabeta\"\noptions = { move_ms = 120 }\n\
         [[bot]]\nname = \"other\"\nuse = \"alphabeta\"\noptions = { move_ms = 120 }\n",
    );
    let run = ["run", "live.toml", "--watch", "--out", "results/live"];
    let Some((_desk, served, browser)) = shown(desk, &run) else {
        return;
    };
    browser.open(&served.url);
    browser.until("location.pathname === '/live' && document.querySelector('.card')");
    let wall = browser.second_window();
    // A game that has begun lately, so that there is something to look back at while it goes on.
    browser.open(&served.at("/live"));
    let young = "[...document.querySelectorAll('.card:not(.over)')].find(one => parseInt(one.querySelector('.how').textContent.replace(/[^0-9]+/, '')) < 20)?.dataset.game";
    let game = browser.until(young).as_str().expect("a number").to_owned();
    browser.open(&served.at(&format!("/live/game/{game}")));
    browser.until("document.querySelectorAll('#moves li').length > 10");
    // Who looks back is not thrown to the live move, and finds the way back.
    browser.keys(LEFT);
    browser.keys(LEFT);
    let at = browser.run("return document.querySelector('#where').textContent.split(' ')[0]");
    let plies = browser.run("return document.querySelectorAll('#moves li').length");
    let is_over = "!document.querySelector('#result').hidden";
    browser.until(&format!(
        "document.querySelectorAll('#moves li').length > {plies} || {is_over}"
    ));
    let now = browser.run("return document.querySelector('#where').textContent.split(' ')[0]");
    assert_eq!(now, at);
    // Of a game that has ended, the last move is not live.
    browser.run("(document.querySelector('#to-live:not([hidden])') ?? document.querySelector('#last')).click()");
    browser.until("document.querySelector('#next').disabled");
    browser.until("!document.querySelector('#result').hidden");
    let late = browser.run(
        "const all = window.arenaLatencies.sort((a, b) => a - b); \
         return [all.length, all[Math.floor(all.length * 0.5)], all[Math.floor(all.length * 0.95)]]",
    );
    eprintln!("game {game}: half-moves, median and 95 % from the arena to the page in ms: {late}");
    // The other tab has seen all of it, and hears of the end of the run.
    served.interrupt();
    browser.window(&wall);
    browser.until(&format!(
        "document.querySelector('.card.over[data-game=\"{game}\"]')"
    ));
    browser.until("document.querySelector('#state').textContent.includes('Ended')");
    assert_eq!(
        browser.run("return document.querySelectorAll('.card .board').length > 0"),
        json!(true)
    );
}

/// Thousands of games that end at once: a wall is told what an eye can see, and how many there were.
#[test]
fn a_wall_hears_less_than_the_games_tell() {
    const GAMES: usize = 2000;
    let desk = Desk::new();
    desk.write(
        "quick.toml",
        &format!(
            "game = \"gomoku\"\nsize = 5\ngames = {GAMES}\nmove_ms = 2000\npin = false\n\
             [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n"
        ),
    );
    let run = ["run", "quick.toml", "--watch", "--out", "results/quick"];
    let served = Served::start(&desk, &run);
    let cookie = served.cookie();
    let stream = send(
        served.port,
        "GET",
        "/live/events",
        &[("cookie", &cookie)],
        "",
    );
    let mut told: Vec<serde_json::Value> = Vec::new();
    for line in BufReader::new(stream.expect("an answer")).lines() {
        let line = line.expect("the page stays when the run has ended");
        let data = line.strip_prefix("data: ");
        told.extend(data.and_then(|data| serde_json::from_str(data).ok()));
        if told.last().is_some_and(|last| last["over"] == true) {
            break;
        }
    }
    let last = told.last().expect("something was told");
    assert_eq!(
        (&last["finished"], &last["running"], &last["over"]),
        (&json!(GAMES), &json!([]), &json!(true))
    );
    let most = told
        .iter()
        .map(|told| told["cards"].as_array().map_or(0, Vec::len))
        .max();
    // Twelve that ended for whoever opens the page, and a board for each of our cores.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    assert!(most <= Some(12 + cores), "{most:?} boards at a time");
    assert!(told.len() < GAMES, "{} messages", told.len());
}

#[test]
fn a_run_that_another_arena_plays_is_followed() {
    let desk = Desk::new();
    desk.write(
        "slow.toml",
        "game = \"othello\"\ngames = 4000\nmove_ms = 500\npin = false\n\
         [[bot]]\nuse = \"alphabeta\"\noptions = { move_ms = 10 }\n[[bot]]\nuse = \"greedy\"\n",
    );
    let mut playing = desk.start(["run", "slow.toml", "--out", "results/slow"]);
    crate::common::once("the run has begun", || {
        desk.path("results/slow/arena.db").is_file()
    });
    let Some((desk, served, browser)) = shown(desk, &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/run/slow");
    // Game by game, without a reload: the list, and a wall of the latest boards.
    let wall = browser.second_window();
    browser.open(&served.at("/run/slow/wall"));
    browser.run("window.same = true");
    let newest = "document.querySelector('.card:has(.board)').dataset.game";
    let before = browser.until(newest);
    browser.until(&format!("window.same && {newest} !== {before}"));
    browser.window(&wall);
    let games = "parseInt(document.querySelector('#found').textContent)";
    let before = browser.until(games);
    browser.run("window.same = true");
    browser.until(&format!("window.same && {games} > {before}"));
    // It is deleted while it is looked at.
    playing.kill();
    std::fs::remove_dir_all(desk.path("results/slow")).expect("it is there");
    browser.until("document.querySelector('.error')");
    browser.open(&served.at("/"));
    browser.until("document.querySelector('.empty')");
}

/// The run ends, the page does not: it says so, and leads to the tables and the report.
#[test]
fn a_page_stays_when_its_run_has_ended_and_says_when_its_arena_is_gone() {
    let desk = Desk::new();
    desk.write(
        "short.toml",
        "game = \"othello\"\ngames = 2\nmove_ms = 2000\npin = false\n\
         [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n",
    );
    let run = ["run", "short.toml", "--watch", "--out", "results/short"];
    let Some((_desk, served, browser)) = shown(desk, &run) else {
        return;
    };
    browser.open(&served.url);
    let state = "document.querySelector('#state').textContent";
    browser.until(&format!("{state} === 'Ended. Games played: 2'"));
    // The page of the run: no game is missing, and it is not being played.
    browser.click(".facts a.button");
    browser.until("document.querySelector('.facts').textContent.includes('2 of 2 games')");
    browser.until("!document.querySelector('.badge.live')");
    browser.click(".facts a[href$='/report']");
    browser.until("document.querySelector('table') && document.title");
    // A report from elsewhere reaches nothing of the page.
    assert_eq!(browser.run("return window.origin"), json!("null"));
    // Without a connection the page says so for as long as that lasts.
    served.open(&browser, "/live");
    browser.until(&format!("{state}.includes('Ended')"));
    let is_lost = "!document.querySelector('#lost').hidden";
    assert_eq!(browser.run(&format!("return {is_lost}")), json!(false));
    browser.click("#language");
    browser.until("document.documentElement.lang === 'zh'");
    browser.until(&format!("{state}.includes('比赛已结束')"));
    let port = served.port;
    served.end();
    browser.until(is_lost);
    let said = browser.run("return document.querySelector('#lost').textContent");
    assert!(
        said.as_str()
            .is_some_and(|said| said.contains("连接已断开"))
    );
    // It goes on by itself once there is an answer again.
    let back = TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
    let (mut stream, _) = back.accept().expect("the page asks again");
    let wall = r#"{"running":[],"cards":[],"finished":7,"over":false}"#;
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    write!(stream, "{answer}event: wall\ndata: {wall}\n\n").expect("it is sent");
    browser.until(&format!("!({is_lost}) && {state}.includes('7')"));
}

#[test]
fn arenas_at_one_desk_have_logs_of_their_own() {
    let desk = Desk::new();
    let serving = Served::start(&desk, &["serve", "--no-open"]);
    let mut other = desk.start(["--version"]);
    other.wait();
    assert!(other.said().starts_with("arena "), "{}", other.said());
    crate::common::says(&serving.said(), &[&serving.url]);
}
