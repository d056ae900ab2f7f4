//! The pictures of the README: `cargo test --test it -- --ignored pictures`.

use std::path::{Path, PathBuf};

use super::page::{Served, shown};
use crate::common::Desk;
use crate::common::browser::Browser;

fn place(name: &str) -> PathBuf {
    let folder = std::env::var_os("ARENA_PICTURES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures"),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(format!("{name}.webp"))
}

/// Every page in every dress, to be looked at: `ARENA_PICTURES=FOLDER cargo test --test it -- --ignored
/// looks`.
#[test]
#[ignore = "it writes pictures to be looked at"]
fn looks() {
    let Some((_desk, served, browser)) =
        shown(desk_with_runs(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    browser.open(&served.url);
    let pages = [
        ("runs", "/", "document.querySelector('table')"),
        ("run", "/run/six", "document.querySelector('.games .game')"),
        (
            "wall",
            "/run/six/wall",
            "document.querySelectorAll('.card').length > 3",
        ),
        (
            "game",
            "/run/six/game/0/30",
            "document.querySelectorAll('#moves li').length > 8",
        ),
        (
            "renju",
            "/run/renju/game/0",
            "document.querySelectorAll('#moves li').length > 8",
        ),
        (
            "pair",
            "/run/six/pair/1",
            "document.querySelector('#where').textContent",
        ),
        (
            "setup",
            "/play",
            "document.querySelector('select[name=size] option')",
        ),
        (
            "stages",
            "/stages",
            "document.querySelector('.card .board')",
        ),
        ("lesson", "/lesson", "document.querySelector('.tree')"),
    ];
    for dress in DRESSES {
        dress.put_on(&browser);
        for (name, path, there) in pages {
            browser.open(&served.at(path));
            browser.until(there);
            if name == "game" || name == "renju" {
                browser.click("#analyse");
                browser.until("document.querySelector('.graph.cost')");
                browser.run("window.scrollTo(0, 0)");
            }
            dress.picture(&browser, name);
        }
    }
}

/// A game of Othello with the usual choices, one move of each side.
fn begin_a_game(browser: &Browser, served: &Served) {
    browser.open(&served.at("/play"));
    browser.until("document.querySelector('select[name=size] option')");
    browser.click("button[type=submit]");
    browser.until("document.querySelector('#board svg.asked')");
    browser.click("[data-square=d3]");
    browser.until("document.querySelectorAll('#moves li').length > 1 && document.querySelector('#board svg.asked')");
}

/// The same of what is being played: walls, a game of them, a game with a person.
#[test]
#[ignore = "it writes pictures to be looked at"]
fn looks_of_what_is_played() {
    let desk = desk_with_runs();
    desk.write(
        "live.toml",
        "game = \"othello\"\ngames = 400\ngame_ms = 9000\nperiod_moves = 10\nincrement_ms = 50\n\
         concurrency = 2\npin = false\n\
         [[bot]]\nname = \"one\"\nuse = \"alphabeta\"\noptions = { move_ms = 150 }\n\
         [[bot]]\nname = \"a-bot-with-a-long-name-of-its-own\"\nuse = \"alphabeta\"\n\
         options = { move_ms = 100 }\n",
    );
    let run = ["run", "live.toml", "--watch", "--out", "results/live"];
    let Some((desk, served, browser)) = shown(desk, &run) else {
        return;
    };
    browser.open(&served.url);
    for dress in DRESSES {
        dress.put_on(&browser);
        browser.open(&served.at("/live"));
        browser.until("document.querySelectorAll('.card').length > 3");
        dress.picture(&browser, "live");
        browser.click("#running .card");
        browser.until("document.querySelectorAll('#moves li').length > 12");
        dress.picture(&browser, "live-game");
    }
    served.end();
    let served = Served::start(&desk, &["play", "--no-open"]);
    browser.open(&served.url);
    for dress in DRESSES {
        dress.put_on(&browser);
        begin_a_game(&browser, &served);
        browser.click("#hint");
        browser.until("document.querySelector('#board .mark')");
        dress.picture(&browser, "play");
    }
}

/// The same of a run that has ended, and of a page that has lost its arena.
#[test]
#[ignore = "it writes pictures to be looked at"]
fn looks_of_a_run_that_has_ended() {
    for dress in DRESSES {
        let run = ["run", "six.toml", "--watch", "--out", "results/ended"];
        let Some((_desk, served, browser)) = shown(desk_with_runs(), &run) else {
            return;
        };
        browser.open(&served.url);
        dress.put_on(&browser);
        for (name, path, there) in [
            ("live", "/live", "!document.querySelector('#report').hidden"),
            (
                "report",
                "/run/ended/report",
                "document.querySelector('table')",
            ),
            (
                "run",
                "/run/ended",
                "document.querySelector('.games .game')",
            ),
        ] {
            browser.open(&served.at(path));
            browser.until(there);
            dress.picture(&browser, &format!("{name}-ended"));
        }
        served.end();
        browser.until("!document.querySelector('#lost').hidden");
        dress.picture(&browser, "lost");
    }
}

/// How a page may look.
struct Dress {
    name: &'static str,
    size: (u32, u32),
    dark: bool,
    lang: &'static str,
}

const DRESSES: [Dress; 4] = [
    Dress::of("desktop-light-en", (1280, 800), false, "en"),
    Dress::of("desktop-dark-zh", (1280, 800), true, "zh"),
    Dress::of("phone-light-zh", (390, 844), false, "zh"),
    Dress::of("phone-dark-en", (390, 844), true, "en"),
];

impl Dress {
    const fn of(name: &'static str, size: (u32, u32), dark: bool, lang: &'static str) -> Dress {
        Dress {
            name,
            size,
            dark,
            lang,
        }
    }

    fn put_on(&self, browser: &Browser) {
        browser.size(self.size.0, self.size.1);
        browser.dark(self.dark);
        browser.run(&format!("document.cookie = 'lang={}; path=/'", self.lang));
    }

    fn picture(&self, browser: &Browser, page: &str) {
        let folder = PathBuf::from(std::env::var_os("ARENA_PICTURES").expect("a folder"));
        browser.picture(&folder.join(format!("{page}-{}.png", self.name)), true);
    }
}

fn desk_with_runs() -> Desk {
    let desk = Desk::new();
    desk.write(
        "six.toml",
        "game = \"othello\"\nformat = \"round-robin\"\ngames = 8\nmove_ms = 100\npin = false\n\
         [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n[[bot]]\nuse = \"mobility\"\n\
         [[bot]]\nuse = \"minimax-ab\"\noptions = { depth = 3 }\n[[bot]]\nuse = \"alphabeta\"\n\
         options = { nodes = 20000 }\n",
    );
    desk.succeed(["run", "six.toml", "--out", "results/six"]);
    desk.write(
        "renju.toml",
        "game = \"gomoku\"\nrules = \"renju\"\ngames = 2\nmove_ms = 1000\npin = false\n\
         [[bot]]\nuse = \"alphabeta\"\noptions = { nodes = 60000 }\n\
         [[bot]]\nname = \"level-5\"\nuse = \"alphabeta\"\noptions = { level = 5 }\n",
    );
    desk.succeed(["run", "renju.toml", "--out", "results/renju"]);
    desk
}

/// A picture of the page as one who opens it sees it: a click may have scrolled it.
fn from_its_top(browser: &Browser, name: &str) {
    browser.run("window.scrollTo(0, 0)");
    browser.until("window.scrollY === 0");
    browser.picture(&place(name), false);
}

#[test]
#[ignore = "it writes the pictures of the README"]
fn pictures() {
    let Some((_desk, served, browser)) =
        shown(desk_with_runs(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    browser.size(1180, 820);
    served.open(&browser, "/run/six");
    browser.until("document.querySelector('.games .game')");
    from_its_top(&browser, "run");
    browser.open(&served.at("/run/six?bot=alphabeta-nodes20000&against=minimax-ab-depth3"));
    browser.click(".games .game");
    browser.until("document.querySelector('#moves li:nth-child(40)')");
    browser.click("#moves li:nth-child(33) button");
    browser.click("#analyse");
    browser.until("document.querySelector('.graph.cost')");
    from_its_top(&browser, "game");
    browser.size(390, 844);
    from_its_top(&browser, "game-phone");
    browser.size(1180, 820);
    browser.dark(true);
    browser.open(&served.at("/run/renju/game/0"));
    browser.until("document.querySelector('#moves li:nth-child(9)')");
    browser.click("#numbers");
    browser.until("document.querySelector('#board .number')");
    from_its_top(&browser, "renju-dark");
    begin_a_game(&browser, &served);
    browser.click("#language");
    browser.until(
        "document.documentElement.lang === 'zh' && document.querySelector('#board svg.asked')",
    );
    browser.click("#hint");
    browser.until("document.querySelector('#board .mark')");
    from_its_top(&browser, "play-zh-dark");
    browser.size(390, 844);
    from_its_top(&browser, "play-phone-dark");
    browser.dark(false);
    browser.open(&served.at("/run/six"));
    from_its_top(&browser, "run-phone-zh");
}
