//! Games of a person against a bot, clicked and typed in a browser.

use serde_json::json;

use super::page::{Served, shown};
use crate::common::browser::{Browser, DOWN, ENTER, LEFT, RIGHT, UP};
use crate::common::{Desk, Row, table, until};

/// Begins a game in the page: its game, size, rules, the opponent as it is named, and a colour.
fn begin(browser: &Browser, served: &Served, [game, size, rules, bot, colour]: [&str; 5]) {
    served.open(browser, "/play");
    browser.until("document.querySelector('select[name=size] option')");
    browser.click(&format!("input[name=game][value={game}]"));
    browser.choose("select[name=size]", size);
    browser.choose("select[name=rules]", rules);
    let number = browser.run(&format!(
        "return [...document.querySelector('select[name=bot]').options].find(one => one.textContent === {bot:?}).value"
    ));
    browser.choose("select[name=bot]", number.as_str().expect("a bot"));
    browser.click(&format!("input[name=colour][value={colour}]"));
    browser.choose("select[name=time]", "200");
    browser.click("button[type=submit]");
    browser
        .until("location.pathname.startsWith('/play/') && document.querySelector('#board .cell')");
}

/// A game that has begun in the page of an arena at this desk, as [`begin`] says; `None` where there is no browser.
fn begun(game: [&str; 5]) -> Option<(Desk, Served, Browser)> {
    let (desk, served, browser) = shown(Desk::new(), &["play", "--no-open"])?;
    begin(&browser, &served, game);
    Some((desk, served, browser))
}

const ASKED: &str = "!!document.querySelector('#board svg.asked')";
const PLAYED: &str = "document.querySelectorAll('#moves li').length";
const OVER: &str = "!document.querySelector('#result').hidden";

/// The next square to be played.
fn any_legal(browser: &Browser) -> String {
    let square = browser.until(
        "['.cell:has(.legal)', '.cell:has(.mark)', '.points .cell[aria-label$=empty]'].map(one => document.querySelector('#board ' + one)).find(Boolean).dataset.square",
    );
    square.as_str().expect("a square").to_owned()
}

/// Chooses a square with the pointer.
fn click(browser: &Browser, square: &str) {
    browser.click(&format!("[data-square={square}]"));
}

/// Chooses a square with arrows and Enter, from wherever the board's one stop for Tab is.
fn walk(browser: &Browser, square: &str) {
    browser.run("document.querySelector('#board [tabindex=\"0\"]').focus()");
    let from = browser.run("return document.activeElement.dataset.square");
    let place = |square: &str| {
        let (column, row) = square.split_at(1);
        let row: i32 = row.parse().expect("a row");
        (i32::from(column.as_bytes()[0]), row)
    };
    let (at, to) = (place(from.as_str().expect("a square")), place(square));
    let steps =
        |keys: [&str; 2], by: i32| keys[usize::from(by > 0)].repeat(by.unsigned_abs() as usize);
    let keys = steps([LEFT, RIGHT], to.0 - at.0) + &steps([UP, DOWN], to.1 - at.1) + ENTER;
    browser.keys(&keys);
}

/// Plays whatever is legal until the game is over.
fn play_to_the_end(browser: &Browser, put: impl Fn(&Browser, &str)) {
    loop {
        browser.until(&format!("{ASKED} || {OVER}"));
        if browser.run(&format!("return {OVER}")) == json!(true) {
            return;
        }
        let before = browser.run(&format!("return {PLAYED}"));
        put(browser, &any_legal(browser));
        browser.until(&format!("{PLAYED} > {before} || {OVER}"));
    }
}

/// Two people play these squares, from half-move `from` on.
fn play_all(browser: &Browser, from: usize, squares: &[&str]) {
    for (played, square) in squares.iter().enumerate() {
        browser.until(&format!("{ASKED} && {PLAYED} === {}", from + played));
        click(browser, square);
    }
}

/// Only illegal clicks left a trace on the console: they are answered with status 409.
fn is_quiet(browser: &Browser) {
    let said = browser.console();
    let loud: Vec<_> = said.iter().filter(|line| !line.contains("409")).collect();
    assert!(loud.is_empty(), "{loud:?}");
}

/// The games of a run, once there is a table with one: a run that was given up and goes on has an empty one.
fn games(desk: &Desk, run: &str) -> Vec<Row> {
    let path = desk.path(format!("results/{run}/games.csv"));
    until("the tables are written", || {
        let games = path.is_file().then(|| table(&path));
        games.filter(|games| !games.is_empty())
    })
}

#[test]
fn a_whole_game_of_othello_is_played_by_clicking_and_recorded() {
    let othello = ["othello", "8", "standard", "greedy", "black"];
    let Some((desk, served, browser)) = begun(othello) else {
        return;
    };
    browser.until(ASKED);
    // Four legal squares at the start; one of them is d3, which flips d4.
    assert_eq!(
        browser.run("return document.querySelectorAll('#board .legal').length"),
        json!(4)
    );
    browser.hover("[data-square=d3]");
    browser.until("document.querySelector('[data-square=d4]').classList.contains('would-flip')");
    // An illegal click says why, in the page's language.
    click(&browser, "a1");
    browser
        .until("document.querySelector('#message').textContent.includes('it turns over no disc')");
    click(&browser, "d3");
    browser.until(&format!("{PLAYED} >= 2"));
    browser.until(ASKED);
    // Two half-moves are taken back: the bot's and one's own.
    browser.click("#back");
    browser.until(&format!("{PLAYED} === 0 && {ASKED}"));
    click(&browser, "d3");
    browser.until(&format!("{PLAYED} >= 2 && {ASKED}"));
    browser.click("#hint");
    browser.until("document.querySelector('#board .mark.best')");
    play_to_the_end(&browser, click);
    browser.until("document.querySelector('#message button')");
    let played = browser.run(&format!("return {PLAYED}"));
    let games = games(&desk, "play-othello");
    assert_eq!((games.len(), games[0]["black"].as_str()), (1, "you"));
    assert_eq!(games[0]["reason"], "discs");
    // Replayed like any other.
    browser.open(&served.at("/run/play-othello/game/0"));
    browser.until(&format!("{PLAYED} === {played}"));
    is_quiet(&browser);
}

/// Against a bot that never looks; a bot that does would block, and the game would be long.
#[test]
fn a_whole_game_of_gomoku_is_played_by_clicking_and_recorded() {
    let gomoku = ["gomoku", "9", "freestyle", "random", "white"];
    let Some((desk, served, browser)) = begun(gomoku) else {
        return;
    };
    browser.until(&format!("{ASKED} && {PLAYED} === 1"));
    // Nobody plays where a stone is.
    let taken =
        browser.until("document.querySelector('#board .cell[aria-label*=black]').dataset.square");
    click(&browser, taken.as_str().expect("a square"));
    browser.until("document.querySelector('#message').textContent.includes('the square is taken')");
    // Two half-moves are taken back: the bot's and one's own.
    click(&browser, &any_legal(&browser));
    browser.until(&format!("{PLAYED} === 3 && {ASKED}"));
    browser.click("#back");
    browser.until(&format!("{PLAYED} === 1 && {ASKED}"));
    play_to_the_end(&browser, click);
    let played = browser.run(&format!("return {PLAYED}"));
    let games = games(&desk, "play-gomoku");
    assert_eq!((games.len(), games[0]["white"].as_str()), (1, "you"));
    let five = games[0]["reason"] == "five";
    assert!(five || games[0]["reason"] == "board-full", "{:?}", games[0]);
    browser.open(&served.at("/run/play-gomoku/game/0"));
    browser.until(&format!("{PLAYED} === {played}"));
    assert_eq!(
        browser.run("return !!document.querySelector('#board .won')"),
        json!(five)
    );
    is_quiet(&browser);
}

#[test]
fn a_whole_game_of_each_kind_is_played_by_keyboard_alone() {
    let Some((desk, served, browser)) = shown(Desk::new(), &["play", "--no-open"]) else {
        return;
    };
    for [game, size, rules, colour, run] in [
        ["othello", "8", "standard", "white", "play-othello"],
        ["gomoku", "9", "standard", "black", "play-gomoku"],
    ] {
        begin(&browser, &served, [game, size, rules, "random", colour]);
        play_to_the_end(&browser, walk);
        let games = games(&desk, run);
        assert_eq!(games[0][colour], "you");
        assert!(["discs", "five", "board-full"].contains(&games[0]["reason"].as_str()));
    }
    is_quiet(&browser);
}

#[test]
fn renju_names_its_forbidden_points() {
    let renju = ["gomoku", "15", "renju", "another person, here", "black"];
    let Some((_desk, _served, browser)) = begun(renju) else {
        return;
    };
    // Two open threes on f4: d4 e4 and f5 f6.
    let threes = ["d4", "a15", "e4", "c15", "f5", "e15", "f6", "g15"];
    play_all(&browser, 0, &threes);
    browser.until(&format!("{ASKED} && {PLAYED} === 8"));
    assert_eq!(
        browser.run("return document.querySelectorAll('#board .forbidden').length"),
        json!(1)
    );
    click(&browser, "f4");
    browser.until("document.querySelector('#message').textContent.includes('double three')");
    assert_eq!(
        browser.run(&format!("return {PLAYED}")),
        json!(8),
        "nothing was played"
    );
    // A person who takes back takes back their last move, whoever it is.
    browser.click("#back");
    browser.until(&format!("{PLAYED} === 7 && {ASKED}"));
    browser.click("#resign");
    browser.click("#sure");
    browser.until(OVER);
    is_quiet(&browser);
}

#[test]
fn gomoku_is_played_on_from_a_position_to_a_line_of_five() {
    let people = ["gomoku", "9", "freestyle", "another person, here", "black"];
    let Some((_desk, served, browser)) = begun(people) else {
        return;
    };
    let five = ["a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9", "e1"];
    play_all(&browser, 0, &five);
    browser.until("document.querySelector('#board .won')");
    browser.until("document.querySelector('#message button')");
    browser.open(&served.at("/run/play-gomoku/game/0/8"));
    browser.click("#play-on");
    browser.until("document.querySelector('#setup').dataset.ply === '8'");
    browser.choose("select[name=bot]", "");
    browser.click("button[type=submit]");
    browser.until("location.pathname === '/play/play-gomoku-2'");
    play_all(&browser, 8, &five[8..]);
    browser.until("document.querySelector('#board .won')");
}

#[test]
fn a_game_that_was_left_goes_on_in_the_page_and_by_arena_resume() {
    let othello = ["othello", "8", "standard", "greedy", "black"];
    let Some((desk, served, browser)) = begun(othello) else {
        return;
    };
    browser.until(ASKED);
    click(&browser, "d3");
    browser.until(&format!("{PLAYED} >= 2 && {ASKED}"));
    let moves = "[...document.querySelectorAll('#moves li')].map(one => one.textContent).join()";
    let first = browser.until(moves);
    // The arena ends, and the page says where the game is.
    served.end();
    browser.until("document.querySelector('#lost:not([hidden])').textContent.includes('results')");
    let served = Served::start(&desk, &["serve", "--no-open"]);
    served.open(&browser, "/run/play-othello/game/0");
    browser.click("#go-on");
    browser.until("location.pathname === '/play/play-othello'");
    browser.until(&format!("{ASKED} && {moves} === {first}"));
    click(&browser, &any_legal(&browser));
    browser.until(&format!("{PLAYED} >= 4 && {ASKED}"));
    let second = browser.until(moves);
    served.end();
    let served = Served::start(&desk, &["resume", "results/play-othello"]);
    browser.open(&served.url);
    browser.until(&format!(
        "location.pathname === '/play/play-othello' && {ASKED} && {moves} === {second}"
    ));
    browser.click("#resign");
    browser.click("#sure");
    browser.until(OVER);
    // The tables of the game that was left are there already.
    crate::common::once("the tables say how it ended", || {
        games(&desk, "play-othello")[0]["reason"] == "resigned"
    });
    served.end();
    let said = desk.exits(2, ["resume", "results/play-othello"]);
    crate::common::says(&said, &["this game is over"]);
}

#[test]
fn a_bot_that_crashes_ends_the_game_and_another_goes_on() {
    let desk = Desk::new();
    desk.write("crash.py", "import sys\nfor line in sys.stdin:\n    if 'hello' in line: print('{\"type\":\"ready\"}', flush=True)\n    elif 'turn' in line: sys.exit(3)\n    elif 'quit' in line: break\n");
    let Some((_desk, served, browser)) =
        shown(desk, &["play", "crash=python3 crash.py", "--no-open"])
    else {
        return;
    };
    begin(
        &browser,
        &served,
        [
            "othello",
            "8",
            "standard",
            "crash=python3 crash.py",
            "black",
        ],
    );
    browser.until(ASKED);
    click(&browser, "d3");
    browser.until("document.querySelector('#result .fault')");
    browser.click("#message a");
    browser.until("document.querySelector('#setup').dataset.ply === '1'");
}

#[test]
fn the_computer_says_what_it_thought_and_a_second_tap_confirms() {
    // The levels have names.
    let easy = ["othello", "8", "standard", "alphabeta, easy", "white"];
    let Some((_desk, _served, browser)) = begun(easy) else {
        return;
    };
    browser.until(&format!("{ASKED} && {PLAYED} === 1"));
    let told = browser
        .run("return [...document.querySelectorAll('#thought dt')].map(one => one.textContent)");
    for name in ["Time", "Depth", "Score", "Nodes (leaves)"] {
        assert!(
            told.as_array()
                .is_some_and(|all| all.contains(&json!(name))),
            "{name}: {told}"
        );
    }
    // Sound is off until somebody wants it.
    assert_eq!(
        browser.run("return document.querySelector('#sound').checked"),
        json!(false)
    );
    browser.click("#confirm");
    let square = any_legal(&browser);
    click(&browser, &square);
    browser.until(&format!(
        "document.querySelector('#message').textContent.includes('Tap {square} again')"
    ));
    assert_eq!(
        browser.run(&format!("return {PLAYED}")),
        json!(1),
        "not yet"
    );
    click(&browser, &square);
    browser.until(&format!("{PLAYED} >= 2"));
    // Mirrored, the letters run from right to left.
    browser.click("#mirror");
    browser.until(
        "document.querySelector('#board [role=row] [role=gridcell]').dataset.square === 'h1'",
    );
    is_quiet(&browser);
}

#[test]
fn a_person_out_of_time_loses_by_that_and_has_not_resigned() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let game = r#"{"game":"othello","rules":null,"size":null,"seats":[null,null],"move_ms":50,"people_too":true}"#;
    assert_eq!(served.post("/play", game).status, 200);
    let games = games(&desk, "play-othello");
    assert_eq!(games.len(), 1, "the second game of the pair is not begun");
    assert_eq!(
        [&games[0]["reason"], &games[0]["at_fault"]],
        ["out-of-time", "you"]
    );
}
