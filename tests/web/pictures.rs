//! The pictures of the README: `cargo test --test web -- --ignored pictures`.

use std::path::{Path, PathBuf};

use crate::common::Desk;
use crate::page::shown;

fn place(name: &str) -> PathBuf {
    let folder = std::env::var_os("ARENA_PICTURES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures"),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(format!("{name}.webp"))
}

/// Every page in every dress, to be looked at: `ARENA_PICTURES=FOLDER cargo test --test web -- --ignored
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
    let folder = PathBuf::from(std::env::var_os("ARENA_PICTURES").expect("a folder"));
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
    for (dress, width, dark, lang) in [
        ("desktop-light-en", 1180, false, "en"),
        ("desktop-dark-zh", 1180, true, "zh"),
        ("phone-light-zh", 390, false, "zh"),
        ("phone-dark-en", 390, true, "en"),
    ] {
        browser.size(width, 820);
        browser.dark(dark);
        browser.run(&format!("document.cookie = 'lang={lang}; path=/'"));
        for (name, path, there) in pages {
            browser.open(&served.at(path));
            browser.until(there);
            if name == "game" || name == "renju" {
                browser.click("#analyse");
                browser.until("document.querySelector('.graph.cost')");
                browser.run("window.scrollTo(0, 0)");
            }
            browser.picture(&folder.join(format!("{name}-{dress}.png")), true);
        }
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
    browser.picture(&place("run"), false);
    browser.open(&served.at("/run/six?bot=alphabeta-nodes20000&against=minimax-ab-depth3"));
    browser.click(".games .game");
    browser.until("document.querySelector('#moves li:nth-child(40)')");
    browser.click("#moves li:nth-child(33) button");
    browser.click("#analyse");
    browser.until("document.querySelector('.graph.cost')");
    browser.run("window.scrollTo(0, 0)");
    browser.until("window.scrollY === 0");
    browser.picture(&place("game"), false);
    browser.size(390, 844);
    browser.picture(&place("game-phone"), false);
    browser.size(1180, 820);
    browser.dark(true);
    browser.open(&served.at("/run/renju/game/0"));
    browser.until("document.querySelector('#moves li:nth-child(9)')");
    browser.click("#numbers");
    browser.until("document.querySelector('#board .number')");
    browser.picture(&place("renju-dark"), false);
    browser.open(&served.at("/play"));
    browser.until("document.querySelector('select[name=size] option')");
    browser.click("button[type=submit]");
    browser.until("document.querySelector('#board svg.asked')");
    browser.click("[data-square=d3]");
    browser.until("document.querySelectorAll('#moves li').length > 1 && document.querySelector('#board svg.asked')");
    browser.click("#language");
    browser.until(
        "document.documentElement.lang === 'zh' && document.querySelector('#board svg.asked')",
    );
    browser.click("#hint");
    browser.until("document.querySelector('#board .mark')");
    browser.picture(&place("play-zh-dark"), false);
    browser.size(390, 844);
    browser.picture(&place("play-phone-dark"), false);
    browser.dark(false);
    browser.open(&served.at("/run/six"));
    browser.picture(&place("run-phone-zh"), false);
}
