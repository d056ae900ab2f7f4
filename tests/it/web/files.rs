//! Games as files and pictures: saved from the page, loaded into it.

use serde_json::json;

use super::page::{Served, desk_with_run, shown};
use crate::common::Desk;
use crate::common::browser::Browser;

/// What a link of the page downloads: the name of the file, and its text.
fn downloaded(browser: &Browser, ending: &str) -> (String, String) {
    let found = browser.run_async(&format!(
        "const done = arguments[arguments.length - 1]; \
         const link = document.querySelector('.files a[href$=\"/{ending}\"]:not([hidden])'); \
         fetch(link.href).then(async (answer) => done([answer.headers.get('content-disposition'), await answer.text()]))"
    ));
    let text = |index: usize| found[index].as_str().expect("a text").to_owned();
    (text(0), text(1))
}

/// Loads a text as a person pastes it.
fn load(browser: &Browser, served: &Served, text: &str) {
    browser.open(&served.at("/play"));
    browser.until("document.querySelector('select[name=size] option')");
    browser.run(&format!(
        "document.querySelector('#load textarea').value = {}",
        json!(text)
    ));
    browser.click("#load button");
}

const MOVES: &str =
    "[...document.querySelectorAll('#moves button')].map(one => one.textContent).join(' ')";

#[test]
fn a_game_is_saved_in_each_format_and_loaded_again() {
    let desk = desk_with_run();
    desk.succeed([
        "match",
        "random",
        "greedy",
        "--game",
        "gomoku",
        "--games",
        "2",
        "--out",
        "results/five",
    ]);
    let Some((desk, served, browser)) = shown(desk, &["serve", "--no-open"]) else {
        return;
    };
    browser.open(&served.url);
    for (game, formats) in [
        ("small", ["sgf", "ggf", "txt"]),
        ("five", ["sgf", "psq", "txt"]),
    ] {
        for ending in formats {
            browser.open(&served.at(&format!("/run/{game}/game/1")));
            let moves = browser.until(MOVES);
            let (name, text) = downloaded(&browser, ending);
            assert_eq!(name, format!("attachment; filename=\"{game}-1.{ending}\""));
            // The same as the command line writes, but for what it adds to the head.
            let format = if ending == "txt" {
                "transcript"
            } else {
                ending
            };
            let written = desk.succeed([
                "export",
                &format!("results/{game}"),
                "-f",
                format,
                "-g",
                "1",
            ]);
            assert_eq!(text.len() > 60, written.len() > 60);
            load(&browser, &served, &text);
            browser.until("location.pathname.startsWith('/loaded/')");
            assert_eq!(browser.until(MOVES), moves, "{game} as {ending}");
        }
    }
    // A loaded game is played on from any position.
    browser.click("#moves li:nth-child(3) button");
    browser.click("#play-on");
    browser.until("document.querySelector('#setup').dataset.ply === '3'");
    browser.choose("select[name=bot]", "");
    browser.click("#setup button[type=submit]");
    browser.until("document.querySelectorAll('#moves li').length === 3 && document.querySelector('#board svg.asked')");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_none_is_refused_with_its_line() {
    let Some((_desk, served, browser)) = shown(Desk::new(), &["serve", "--no-open"]) else {
        return;
    };
    browser.open(&served.url);
    for (text, why) in [
        ("f5d6\nf5f5", "line 2"),
        ("(;GM[4]SZ[15];B[hh];W[hh])", "line 1"),
        ("Piskvorky 99x99, 11:11, 0", "99"),
        ("<img src=x onerror=alert(1)>", "line 1"),
    ] {
        load(&browser, &served, text);
        let said = browser.until("document.querySelector('#load-message').textContent");
        assert!(
            said.as_str().expect("a text").contains(why),
            "{text}: {said}"
        );
    }
    // Several games of one file lead to each other.
    load(&browser, &served, "f5d6c3\nf5f4");
    browser.until("document.querySelectorAll('#moves li').length === 3");
    browser.click("a[rel=next]");
    browser.until("document.querySelectorAll('#moves li').length === 2");
    assert_eq!(
        browser.run("return document.querySelectorAll('img').length"),
        json!(0)
    );
}

#[test]
fn a_position_is_a_picture_and_a_game_an_animation() {
    let Some((_desk, served, browser)) = shown(desk_with_run(), &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/run/small/game/0/20");
    browser.until("document.querySelectorAll('#moves li').length > 8");
    // What is saved is caught where the page makes it.
    browser.run(
        "window.saved = []; const make = URL.createObjectURL; \
         URL.createObjectURL = (blob) => { blob.arrayBuffer().then((bytes) => saved.push([blob.type, [...new Uint8Array(bytes)]])); return make.call(URL, blob); }",
    );
    browser.click("#save-svg");
    browser.until("saved.length === 1");
    browser.click("#save-png");
    browser.until("saved.length === 2");
    assert_eq!(
        browser.run("return saved.map(([type]) => type)"),
        json!(["image/svg+xml", "image/png"])
    );
    // The mark of a PNG file, and a drawing with as many discs as there are on the board, without style sheet.
    assert_eq!(
        browser.run("return String.fromCharCode(...saved[1][1].slice(1, 4))"),
        json!("PNG")
    );
    let discs = browser.run(
        "const text = new TextDecoder().decode(new Uint8Array(saved[0][1])); \
         const drawing = new DOMParser().parseFromString(text, 'image/svg+xml'); \
         return drawing.querySelector('parsererror') || drawing.querySelector('[class]') ? -1 : \
         [...drawing.querySelectorAll('circle')].filter(one => ['rgb(22, 22, 22)', 'rgb(251, 251, 248)'].includes(one.getAttribute('fill')) && Number(one.getAttribute('r')) > 15).length",
    );
    // Four at the start and one with each half-move; nobody passed in the first twenty.
    assert_eq!(discs, json!(24));
    let kind = browser.run_async(
        "const done = arguments[arguments.length - 1]; \
         createImageBitmap; fetch(document.querySelector('.files a[href$=\"/gif\"]').href).then(async (answer) => { \
         const blob = await answer.blob(); const picture = await createImageBitmap(blob); \
         done([blob.type, picture.width === picture.height, blob.size < 400000]); })",
    );
    assert_eq!(kind, json!(["image/gif", true, true]));
    assert_eq!(browser.console(), Vec::<String>::new());
}
