//! A run that is being played, watched in two tabs to its end.

use std::io::{BufRead, BufReader};

use serde_json::json;

use crate::browser::LEFT;
use crate::common::Desk;
use crate::http::send;
use crate::page::{Served, shown};

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
    browser.until("document.querySelector('#state').textContent.includes('ended')");
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
    let told: Vec<serde_json::Value> = BufReader::new(stream.expect("an answer"))
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .filter(|told: &serde_json::Value| told.is_object())
        .collect();
    let last = told.last().expect("something was told");
    assert_eq!(
        (&last["finished"], &last["running"]),
        (&json!(GAMES), &json!([]))
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
