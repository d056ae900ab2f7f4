//! Runs and their games, looked at in a browser.

use serde_json::json;

use super::page::{Served, desk_with_run, shown};
use crate::common::browser::{END, HOME, LEFT, RIGHT};
use crate::common::http::ask;
use crate::common::{Desk, until};

#[test]
fn a_run_leads_to_a_game_and_the_game_to_each_half_move() {
    let Some((desk, served, browser)) = shown(desk_with_run(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    browser.open(&served.url);
    browser.click("a[href='/run/small']");
    // Elo and its error, as in the table that a spreadsheet reads.
    for row in crate::common::table(&desk.path("results/small/standings.csv")) {
        let number = |name: &str| row[name].parse::<f64>().expect("a number");
        let shown = browser.until(&format!(
            "[...document.querySelectorAll('.standings tbody tr')].find(row => row.querySelector('th').textContent === {:?}).innerText",
            row["bot"]
        ));
        let shown = shown.as_str().expect("a row").to_owned();
        let (elo, error) = (
            format!("{:+.0}", number("elo")),
            format!("{:.0}", number("elo_error_95")),
        );
        assert!(
            shown.contains(&elo) && shown.contains(&error),
            "{elo} {error}: {shown}"
        );
    }
    // Every cell of the crosstable is a link to its games.
    browser.until("document.querySelectorAll('.cross tbody a').length === 6");
    browser.click(".cross tbody a");
    browser.until("new URL(location).searchParams.get('against')");
    assert_eq!(
        browser.run("return document.querySelectorAll('.games .game').length"),
        json!(2)
    );
    browser.click(".games .game");
    browser.until("document.querySelectorAll('#moves li').length > 8");
    // Othello: a disc more with each half-move, from the four at the start.
    browser.until("document.querySelectorAll('#board .cell .stone:not(.hovering)').length > 8");
    browser.keys(HOME);
    browser.until("location.pathname.endsWith('/0')");
    assert_eq!(
        browser
            .run("return document.querySelectorAll('#board .cell .stone:not(.hovering)').length"),
        json!(4)
    );
    browser.keys(RIGHT);
    browser.until("location.pathname.endsWith('/1')");
    assert_eq!(
        browser
            .run("return document.querySelectorAll('#board .cell .stone:not(.hovering)').length"),
        json!(5)
    );
    // Black's first move flips one disc, in every opening.
    assert_eq!(
        browser.run("return document.querySelectorAll('#board .flip').length"),
        json!(1)
    );
    assert_eq!(
        browser.run("return document.querySelectorAll('#board .last').length"),
        json!(1)
    );
    browser.keys(LEFT);
    browser.until("location.pathname.endsWith('/0')");
    browser.keys(END);
    browser.until("document.querySelector('#next').disabled");
    // A click into a graph goes to its half-move.
    browser.click(".graph.time");
    browser.until("/\\/game\\/\\d+\\/\\d+$/.test(location.pathname)");
    let at = browser.run("return document.querySelector('#where').textContent");
    // An address leads there again.
    browser.open(&browser.url());
    browser.until(&format!(
        "document.querySelector('#where').textContent === {at}"
    ));
    // Move numbers: as many as stones were put, which passes do not.
    browser.click("#numbers");
    let ply = browser.run("return Number(location.pathname.split('/').at(-1))");
    browser.until(&format!(
        "document.querySelectorAll('#board .number').length === arenaGame.frames.slice(1, {ply} + 1).filter(frame => frame.at !== undefined).length"
    ));
    browser.click("#numbers");
    // Position and moves are copied as they are written everywhere.
    browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text }");
    browser.click("#copy-transcript");
    let moves = "[...document.querySelectorAll('#moves button')].slice(0, arenaGame.frames.length).map(one => one.textContent)";
    browser.until(&format!(
        "window.copied === {moves}.slice(0, {ply}).filter(one => one !== 'pass').join('')"
    ));
    browser.click("#copy-position");
    let position = browser.until("window.copied.includes(' ') && window.copied");
    let position = position.as_str().expect("a text");
    games::othello::Position::parse(position).expect("a position as others read it");
    let discs = position[..64].chars().filter(|&disc| disc != '.').count();
    assert_eq!(
        json!(discs),
        browser
            .run("return document.querySelectorAll('#board .cell .stone:not(.hovering)').length")
    );
    browser.keys("f");
    browser.until("document.querySelector('#board .names text').textContent === 'a' && document.querySelector('#board [role=row] [role=gridcell]').dataset.square === 'h8'");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn a_variation_is_shown_as_ghost_stones() {
    let Some((_desk, served, browser)) = shown(desk_with_run(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    served.open(&browser, "/run/small?bot=alphabeta-depth3&against=random");
    browser.click(".games .game");
    browser.until("document.querySelectorAll('#moves li').length > 8");
    // The first half-moves that alphabeta was asked for have a variation of three.
    browser.keys(HOME);
    for _ in 0..60 {
        if browser.run("return document.querySelectorAll('#thought .line button').length > 2")
            == json!(true)
        {
            break;
        }
        let before = browser.run("return document.querySelector('#where').textContent");
        browser.keys(RIGHT);
        browser.until(&format!(
            "document.querySelector('#where').textContent !== {before}"
        ));
    }
    // What it told is drawn by half-move, its CPU time in its time.
    for graph in ["score", "time", "depth", "nodes"] {
        browser.until(&format!("document.querySelector('.graph.{graph}')"));
    }
    browser.until("document.querySelector('.graph.time .bar.cpu')");
    browser.click("#thought .line button:nth-of-type(3)");
    browser.until("document.querySelectorAll('#board .ghost').length === 3");
    assert_eq!(
        browser.run("return [...document.querySelectorAll('#board .number')].map(one => one.textContent).sort().join()"),
        json!("1,2,3")
    );
}

#[test]
fn games_are_found_by_bot_result_end_and_fault() {
    let desk = Desk::new();
    desk.write("bad.py", "import sys\nfor line in sys.stdin:\n    if 'hello' in line: print('{\"type\":\"ready\",\"name\":\"<img src=x onerror=alert(1)>\"}', flush=True)\n    elif 'turn' in line: print('{\"move\":\"a1\"}', flush=True)\n    elif 'quit' in line: break\n");
    desk.write(
        "faults.toml",
        "game = \"othello\"\ngames = 2\npin = false\nopenings = \"none\"\n[[bot]]\nuse = \"random\"\n\
         [[bot]]\nname = \"bad\"\ncommand = [\"python3\", \"bad.py\"]\n",
    );
    desk.exits(0, ["run", "faults.toml", "--out", "results/faults"]);
    let Some((_desk, served, browser)) = shown(desk, &["serve", "results", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/run/faults");
    browser.click(".chips a");
    browser.until("new URL(location).searchParams.get('fault') === 'illegal-move'");
    assert_eq!(
        browser.run("return document.querySelectorAll('.game.fault').length"),
        json!(2)
    );
    browser.choose("select[name=fault]", "");
    browser.choose("select[name=end]", "illegal-move");
    browser.choose("select[name=opening]", "0");
    browser.click(".filter button");
    browser.until("new URL(location).searchParams.get('opening') === '0'");
    assert_eq!(
        browser.run("return document.querySelectorAll('.games .game').length"),
        json!(2)
    );
    browser.choose("select[name=result]", "win");
    browser.click(".filter button");
    browser.until("new URL(location).searchParams.get('result') === 'win'");
    assert_eq!(
        browser.run("return document.querySelectorAll('.games .game').length"),
        json!(0)
    );
    browser.open(&served.at("/run/faults/game/0"));
    browser.until("document.querySelector('#result .fault')");
    // What was said at the move that was at fault.
    browser.click("#raw summary");
    browser.until("document.querySelector('#lines pre').textContent.includes('turn')");
    assert_eq!(
        browser.run("return document.querySelectorAll('img').length"),
        json!(0)
    );
    assert_eq!(browser.console(), Vec::<String>::new());
}

/// First what was chosen on the page, then what it is served in, then what the browser asks for.
#[test]
fn a_page_has_the_language_that_is_chosen_nearest_to_it() {
    let desk = desk_with_run();
    let served = |language: &[&str]| {
        Served::start(
            &desk,
            &[&["serve", "results", "--no-open"], language].concat(),
        )
    };
    let (in_chinese, in_none) = (served(&["--lang", "zh"]), served(&[]));
    for (served, asked, chosen, expected) in [
        (&in_chinese, "en", "", "zh"),
        (&in_chinese, "en", "; lang=en", "en"),
        (&in_none, "zh-CN,en", "", "zh"),
        (&in_none, "zh-CN,en", "; lang=en", "en"),
    ] {
        let cookie = served.cookie() + chosen;
        let headers = [("cookie", &*cookie), ("accept-language", asked)];
        let page = ask(served.port, "GET", "/", &headers, "");
        let expected = format!("<html lang=\"{expected}\"");
        assert!(
            page.body.contains(&expected),
            "{asked} {chosen}: {}",
            page.body
        );
    }
}

#[test]
fn language_and_theme_are_kept() {
    let Some((_desk, served, browser)) = shown(desk_with_run(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    served.open(&browser, "/run/small");
    browser.until("document.documentElement.dataset.ready");
    browser.click("#language");
    browser.until("document.documentElement.lang === 'zh'");
    assert_eq!(
        browser.run("return document.querySelector('#standings-title').textContent"),
        json!("排名")
    );
    browser.until("document.documentElement.dataset.ready");
    browser.click("#theme");
    let theme = browser.until("document.documentElement.dataset.theme");
    browser.click(".games .game");
    browser.until("document.querySelectorAll('#moves li').length > 8");
    assert_eq!(
        browser.run("return document.documentElement.dataset.theme"),
        theme
    );
    // On a phone no page is wider than the screen, in either language.
    browser.size(360, 740);
    for path in [
        "/",
        "/run/small",
        "/run/small/game/0",
        "/run/small/pair/0",
        "/run/small/wall",
        "/play",
        "/stages",
        "/lesson",
    ] {
        for _ in ["the other language", "and back"] {
            browser.open(&served.at(path));
            browser.until("document.documentElement.dataset.ready");
            browser.until("document.documentElement.scrollWidth <= 360");
            let before = browser.run("return document.documentElement.lang");
            browser.click("#language");
            browser.until(&format!("document.documentElement.lang !== {before}"));
        }
    }
}

#[test]
fn a_run_of_a_thousand_games_is_searched_and_replayed() {
    let desk = Desk::new();
    desk.succeed([
        "match",
        "random",
        "greedy",
        "--game",
        "gomoku",
        "--size",
        "5",
        "--games",
        "1000",
        "--out",
        "results/long",
    ]);
    let Some((desk, served, browser)) = shown(desk, &["serve", "results", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/run/long");
    browser.until("document.querySelector('#found').textContent === '1000 games'");
    // Fifty pairs a page: ten pages.
    browser.until("document.querySelector('.pages span').textContent === 'Page 1 of 10'");
    browser.click(".pages a[rel=next]");
    browser.until("document.querySelector('.games tbody th').textContent === '51'");
    let results = crate::common::table(&desk.path("results/long/games.csv"));
    let lost = results
        .iter()
        .filter(|game| game["result"] == "white" && game["black"] == "greedy");
    let lost: Vec<_> = lost.collect();
    let drawn = results
        .iter()
        .filter(|game| game["result"] == "draw")
        .count();
    browser.choose("select[name=result]", "draw");
    browser.click(".filter button");
    browser.until(&format!(
        "document.querySelector('#found').textContent === '{drawn} games'"
    ));
    // The last game, from its end to its start by its own address.
    browser.open(&served.at("/run/long/game/999"));
    let plies = browser.until("document.querySelectorAll('#moves li').length");
    let row = results
        .iter()
        .find(|game| game["game"] == "999")
        .expect("a row");
    assert_eq!(
        json!(row["plies"].parse::<u64>().expect("a number")),
        plies,
        "{}",
        lost.len()
    );
    browser.keys(&LEFT.repeat(3));
    let plies = plies.as_u64().expect("a number");
    browser.until(&format!("location.pathname.endsWith('/999/{}')", plies - 3));
    browser.click("a[rel=prev]");
    browser.until("location.pathname.endsWith('/game/998')");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn clocks_stand_as_they_stood_at_that_half_move() {
    let desk = Desk::new();
    // It thinks for more than a second before its first move, and not at all later.
    desk.write("slow.py", "import json, sys, time\nfirst = True\nfor line in sys.stdin:\n    m = json.loads(line)\n    if m['type'] == 'hello': print('{\"type\":\"ready\"}', flush=True)\n    elif m['type'] == 'turn':\n        if first: time.sleep(1.2)\n        first = False\n        print(json.dumps({'move': m['legal'][0]}), flush=True)\n    elif m['type'] == 'quit': break\n");
    desk.write(
        "clock.toml",
        "game = \"othello\"\ngames = 2\nmove_ms = 0\ngame_ms = 100000\nperiod_moves = 40\nopenings = \"none\"\npin = false\n\
         [[bot]]\nname = \"slow\"\ncommand = [\"python3\", \"slow.py\"]\n[[bot]]\nuse = \"greedy\"\n",
    );
    desk.exits(0, ["run", "clock.toml", "--out", "results/clock"]);
    let moves = crate::common::table(&desk.path("results/clock/moves.csv"));
    // The moves of a side that were asked for, and their time.
    let used = |side: &str, ply: u64| -> (usize, f64) {
        let own = moves
            .iter()
            .filter(|row| row["game"] == "0" && row["side"] == side);
        let until = own.filter(|row| row["ply"].parse::<u64>().expect("a number") <= ply);
        let times = until.filter_map(|row| row["wall_ms"].parse::<f64>().ok());
        let times: Vec<f64> = times.collect();
        (times.len(), times.iter().sum())
    };
    let Some((_desk, served, browser)) = shown(desk, &["serve", "--no-open"]) else {
        return;
    };
    for ply in [2, 5, 20] {
        served.open(&browser, &format!("/run/clock/game/0/{ply}"));
        for (panel, side) in [("bottom", "black"), ("top", "white")] {
            let shown = browser.until(&format!(
                "document.querySelector('#player-{panel} .clock').textContent"
            ));
            // A hundred seconds less what was used, in minutes and seconds, for the rest of forty moves.
            let (played, time) = used(side, ply);
            let left = (100_000.0 - time) / 1000.0;
            let (minutes, seconds) = ((left / 60.0).floor(), (left % 60.0).floor());
            let expected = format!("{minutes}:{seconds:02} · {} moves to go", 40 - played);
            assert_eq!(shown, json!(expected), "{side} at {ply}");
            let terms =
                format!("return document.querySelector('#player-{panel} .terms').textContent");
            assert_eq!(browser.run(&terms), json!("1:40 per 40 moves"));
        }
    }
}

/// More openings than can be chosen from: the list finds those of its games in the record.
#[test]
fn every_pair_of_a_list_shows_its_opening() {
    const PAIRS: usize = 250;
    let desk = Desk::new();
    let squares = |from: char| (1..=9).map(move |row| format!("{from}{row}"));
    let first: Vec<String> = squares('a').chain(squares('b')).collect();
    let second: Vec<String> = squares('c').chain(squares('d')).collect();
    let openings = first
        .iter()
        .flat_map(|one| second.iter().map(move |two| format!("{one}{two}\n")));
    let openings: Vec<String> = openings.take(PAIRS).collect();
    desk.write("openings.txt", &openings.concat());
    desk.write(
        "many.toml",
        &format!(
            "game = \"gomoku\"\nsize = 9\ngames = {}\nmove_ms = 2000\npin = false\n\
             openings = \"openings.txt\"\n[[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n",
            2 * PAIRS
        ),
    );
    desk.succeed(["run", "many.toml", "--out", "results/many"]);
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let cookie = served.cookie();
    let page = |number: usize| {
        let path = format!("/run/many?page={number}");
        ask(served.port, "GET", &path, &[("cookie", &cookie)], "").body
    };
    until("the record is read", || {
        page(1).contains("500 of 500 games").then_some(())
    });
    let mut shown: Vec<String> = (1..=PAIRS / 50)
        .flat_map(|number| {
            let page = page(number);
            let codes = page.split("<td><code>").skip(1);
            let codes = codes.filter_map(|rest| Some(rest.split_once('<')?.0.to_owned() + "\n"));
            codes.collect::<Vec<_>>()
        })
        .collect();
    shown.sort();
    let mut all = openings;
    all.sort();
    assert_eq!(shown, all);
}
