//! Games of a person against a bot, clicked and typed in a browser.

use serde_json::json;

use crate::browser::Browser;
use crate::common::{Desk, table};
use crate::page::Served;

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

const ASKED: &str = "!!document.querySelector('#board svg.asked')";
const PLAYED: &str = "document.querySelectorAll('#moves li').length";

/// Clicks on the first legal square until the game is over.
fn play_to_the_end(browser: &Browser) {
    loop {
        browser.until(&format!(
            "{ASKED} || !document.querySelector('#result').hidden"
        ));
        if browser.run("return !document.querySelector('#result').hidden") == json!(true) {
            return;
        }
        let before = browser.run(&format!("return {PLAYED}"));
        browser.click("#board .cell:has(.legal), #board .cell:has(.mark)");
        browser.until(&format!(
            "{PLAYED} > {before} || !document.querySelector('#result').hidden"
        ));
    }
}

#[test]
fn a_whole_game_of_othello_is_played_by_clicking_and_recorded() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let Some(browser) = Browser::start() else {
        return;
    };
    begin(
        &browser,
        &served,
        ["othello", "8", "standard", "greedy", "black"],
    );
    browser.until(ASKED);
    // Four legal squares at the start; one of them is d3, which flips d4.
    assert_eq!(
        browser.run("return document.querySelectorAll('#board .legal').length"),
        json!(4)
    );
    browser.hover("[data-square=d3]");
    browser.until("document.querySelector('[data-square=d4]').classList.contains('would-flip')");
    // An illegal click says why.
    browser.click("[data-square=a1]");
    browser.until("document.querySelector('#message').textContent.includes('a1')");
    browser.click("[data-square=d3]");
    browser.until(&format!("{PLAYED} >= 2"));
    browser.until(ASKED);
    // Two half-moves are taken back: the bot's and one's own.
    browser.click("#back");
    browser.until(&format!("{PLAYED} === 0 && {ASKED}"));
    // By keyboard, too: the focus goes from c4 to d3 with two arrows.
    browser.run("document.querySelector('[data-square=c4]').focus()");
    browser.keys("\u{E013}\u{E014}\u{E007}");
    browser.until(&format!("{PLAYED} >= 2"));
    browser.click("#hint");
    browser.until("document.querySelector('#board .mark.best')");
    play_to_the_end(&browser);
    browser.until("document.querySelector('#message button')");
    let played = browser.run(&format!("return {PLAYED}"));
    let run = desk.path("results/play-othello");
    let games = crate::common::until("the tables are written", || {
        Some(run.join("games.csv"))
            .filter(|path| path.is_file())
            .map(|path| table(&path))
    });
    assert_eq!((games.len(), games[0]["black"].as_str()), (1, "you"));
    assert_eq!(games[0]["reason"], "discs");
    // Replayed like any other.
    browser.open(&served.at("/run/play-othello/game/0"));
    browser.until(&format!("{PLAYED} === {played}"));
    assert_eq!(
        browser
            .console()
            .iter()
            .filter(|line| !line.contains("409"))
            .count(),
        0
    );
}

#[test]
fn renju_names_its_forbidden_points() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let Some(browser) = Browser::start() else {
        return;
    };
    begin(
        &browser,
        &served,
        ["gomoku", "15", "renju", "another person, here", "black"],
    );
    // Two open threes on f4: d4 e4 and f5 f6.
    for (played, square) in ["d4", "a15", "e4", "c15", "f5", "e15", "f6", "g15"]
        .iter()
        .enumerate()
    {
        browser.until(&format!("{ASKED} && {PLAYED} === {played}"));
        browser.click(&format!("[data-square={square}]"));
    }
    browser.until(&format!("{ASKED} && {PLAYED} === 8"));
    assert_eq!(
        browser.run("return document.querySelectorAll('#board .forbidden').length"),
        json!(1)
    );
    browser.click("[data-square=f4]");
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
    browser.until("!document.querySelector('#result').hidden");
    assert_eq!(
        browser
            .console()
            .iter()
            .filter(|line| !line.contains("409"))
            .count(),
        0
    );
}

#[test]
fn gomoku_is_played_on_from_a_position_to_a_line_of_five() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let Some(browser) = Browser::start() else {
        return;
    };
    begin(
        &browser,
        &served,
        ["gomoku", "9", "freestyle", "another person, here", "black"],
    );
    for (played, square) in ["a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9", "e1"]
        .iter()
        .enumerate()
    {
        browser.until(&format!("{ASKED} && {PLAYED} === {played}"));
        browser.click(&format!("[data-square={square}]"));
    }
    browser.until("document.querySelector('#board .won')");
    browser.until("document.querySelector('#message button')");
    browser.open(&served.at("/run/play-gomoku/game/0/8"));
    browser.click("#play-on");
    browser.until("document.querySelector('#setup').dataset.ply === '8'");
    browser.choose("select[name=bot]", "");
    browser.click("button[type=submit]");
    browser.until(&format!(
        "location.pathname === '/play/play-gomoku-2' && {ASKED} && {PLAYED} === 8"
    ));
    browser.click("[data-square=e1]");
    browser.until("document.querySelector('#board .won')");
}

#[test]
fn a_bot_that_crashes_ends_the_game_and_another_goes_on() {
    let desk = Desk::new();
    desk.write("crash.py", "import sys\nfor line in sys.stdin:\n    if 'hello' in line: print('{\"type\":\"ready\"}', flush=True)\n    elif 'turn' in line: sys.exit(3)\n    elif 'quit' in line: break\n");
    let served = Served::start(&desk, &["play", "crash=python3 crash.py", "--no-open"]);
    let Some(browser) = Browser::start() else {
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
    browser.click("[data-square=d3]");
    browser.until("document.querySelector('#result .fault')");
    browser.click("#message a");
    browser.until("document.querySelector('#setup').dataset.ply === '1'");
}
