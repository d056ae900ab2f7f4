//! What is said of a game that was played: costs, turning points, variations that part, both of a pair.

use serde_json::{Value, json};

use super::page::{desk_with_run, shown};
use crate::common::Desk;
use crate::common::browser::{HOME, RIGHT};

#[test]
fn what_each_move_cost_is_drawn_and_the_turning_points_are_found() {
    let Some((desk, served, browser)) = shown(desk_with_run(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    // The same by the command line, as thoroughly as the page does it.
    let exactly = [
        "--depth",
        "10",
        "--solve-from",
        "18",
        "--hash-mib",
        "64",
        "--json",
    ];
    let said = desk.succeed([&["analyze", "results/small/0"][..], &exactly].concat());
    let expected: Value =
        serde_json::from_str(&said[said.find('{').expect("JSON")..]).expect("JSON");
    served.open(&browser, "/run/small/game/0");
    browser.click("#analyse");
    browser
        .until("document.querySelector('.graph.cost') && document.querySelector('.graph.worth')");
    browser.click("#graphs summary");
    let costs = browser.until(
        "[...document.querySelectorAll('#graphs tbody tr')].map(row => parseFloat(row.lastElementChild.textContent) || 0)",
    );
    let costs: Vec<f64> = serde_json::from_value(costs).expect("numbers");
    for judged in expected["plies"].as_array().expect("a list") {
        let (ply, cost) = (judged["ply"].as_u64(), judged["cost"].as_f64());
        let shown = costs[ply.expect("a number") as usize - 1];
        assert!(
            (shown - cost.expect("a number").max(0.0)).abs() < 0.06,
            "{judged}: {shown}"
        );
    }
    // The last move is worth what the game ended with: the rules count the discs.
    let last = browser.run(
        "const { counts } = arenaGame.over, { by } = arenaGame.frames.at(-1); return counts[by] - counts[1 - by]",
    );
    browser.keys("\u{E010}");
    let told = browser.until("document.querySelector('#analysis p').textContent");
    let told = told.as_str().expect("a text");
    assert!(
        told.contains(&format!("{:+} (exact)", last.as_i64().expect("a number"))),
        "{told}"
    );
    // Forward through the turning points and back again.
    let mut turning: Vec<u64> =
        serde_json::from_value(expected["turning_points"].clone()).expect("numbers");
    turning.sort_unstable();
    assert!(!turning.is_empty(), "random plays in it");
    browser.keys(HOME);
    let at =
        |ply: u64| format!("document.querySelector('#where').textContent.startsWith('{ply} ')");
    for &ply in &turning {
        browser.keys("t");
        browser.until(&at(ply));
    }
    for &ply in turning.iter().rev().skip(1) {
        browser.click("#before-turning");
        browser.until(&at(ply));
    }
    browser.keys("T");
    browser.until("document.querySelector('#said').textContent");
    // The better line is on the board.
    browser.click("#analysis .line button");
    browser.until("document.querySelector('#board .ghost')");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn a_missed_win_is_marked() {
    let Some((_desk, served, browser)) = shown(Desk::new(), &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/play");
    // Black has four on row 8, white does not stop it, black does not finish it, and then it is too late.
    browser.run("document.querySelector('#load textarea').value = 'h8g8i8a1j8a3k8a5o1l8o15'");
    browser.click("#load button");
    browser.until("location.pathname.startsWith('/loaded/')");
    browser.click("#analyse");
    browser.until("document.querySelector('.graph.cost .alarm')");
    browser.keys(HOME);
    browser.keys(&RIGHT.repeat(9));
    browser.until(
        "document.querySelector('#analysis .warn').textContent.includes('missed a win in 1 ')",
    );
}

#[test]
fn the_lines_of_two_bots_are_shown_to_part() {
    let desk = Desk::new();
    desk.write(
        "two.toml",
        "game = \"othello\"\ngames = 2\nmove_ms = 2000\npin = false\n\
         [[bot]]\nuse = \"alphabeta\"\noptions = { depth = 5 }\n\
         [[bot]]\nname = \"other\"\nuse = \"alphabeta\"\noptions = { depth = 2 }\n",
    );
    desk.succeed(["run", "two.toml", "--out", "results/two"]);
    let Some((_desk, served, browser)) = shown(desk, &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/run/two/game/0");
    // From the record: the first half-move whose line differs from what the other bot expected.
    let found = browser.until(
        "(() => { const frames = arenaGame.frames; const lines = frames.map(frame => frame.thought?.pv ?? []); \
         for (let ply = 2; ply < frames.length; ply += 1) { const before = lines[ply - 1].slice(1); \
         const at = lines[ply].findIndex((played, index) => before.length && played !== before[index]); \
         if (at >= 0) return { ply, at, played: lines[ply][at] }; } })()",
    );
    browser.open(&served.at(&format!("/run/two/game/0/{}", found["ply"])));
    let parts = browser.until("document.querySelector('#thought .line button.parts').textContent");
    assert_eq!(parts, found["played"]);
    // Both games of the pair step together, and say where they part.
    browser.open(&served.at("/run/two/pair/0"));
    browser.until("document.querySelectorAll('.half .board').length === 2");
    browser.click("#parts");
    browser.until("document.querySelectorAll('.half .told')[0].textContent.includes('≠')");
    let told = browser.run("return [...document.querySelectorAll('.half .told')].map(one => one.textContent.split(' ').slice(0, 2))");
    assert_eq!(told[0][0], told[1][0], "the same half-move");
    assert_ne!(told[0][1], told[1][1], "another move");
    let verdict = browser.run("return document.querySelector('#verdict').textContent");
    let points = verdict.as_str().expect("a text").split(" of 2").count() - 1;
    assert_eq!(points, 2, "{verdict}");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn the_gauge_of_a_test_says_what_the_report_says() {
    let desk = Desk::new();
    desk.exits(
        0,
        [
            "sprt",
            "--new",
            "alphabeta:depth=1",
            "--base",
            "random",
            "--elo1",
            "100",
            "--out",
            "results/sprt",
        ],
    );
    let report = desk.succeed(["report", "results/sprt"]);
    let llr = report
        .split("LLR ")
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next());
    let llr: f64 = llr
        .expect("an LLR")
        .trim_end_matches([',', ';'])
        .parse()
        .expect("a number");
    let Some((_desk, served, browser)) = shown(desk, &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/run/sprt");
    let label = browser.until("document.querySelector('.gauge').getAttribute('aria-label')");
    assert!(
        label
            .as_str()
            .expect("a label")
            .contains(&format!("LLR {llr:.2}")),
        "{label}"
    );
    // H1 was accepted: the hand stands at the upper bound.
    assert_eq!(
        browser.run("return document.querySelector('.gauge .hand').getAttribute('cx')"),
        json!("100.0")
    );
    browser
        .until("document.querySelector('#test-title ~ p').textContent.startsWith('H1 accepted')");
    // The pairs by points are folded away.
    assert_eq!(
        browser.run("return document.querySelector('details').open"),
        json!(false)
    );
    browser.click("details summary");
    browser.until("document.querySelectorAll('details tbody td').length === 6");
}
