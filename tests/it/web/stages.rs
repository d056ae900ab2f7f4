//! Stages and the lesson about pruning, in a browser.

use serde_json::json;

use super::page::shown;
use crate::common::Desk;

#[test]
fn a_stage_is_cleared_by_a_bot_and_begun_by_a_person() {
    let Some((desk, served, browser)) = shown(Desk::new(), &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/stages");
    browser.until("document.querySelectorAll('#stages .board').length > 20");
    // Full strength against full strength: the first stage is won in three moves.
    browser.choose("select[name=attacker]", "3");
    browser.click("[data-stage='0']");
    browser.until("location.pathname.startsWith('/play/stage-')");
    browser.until("document.querySelector('#board .won')");
    // A person attacks: any empty point is legal, and the defender answers.
    browser.open(&served.at("/stages"));
    browser.until("document.querySelector('#stages .board')");
    browser.click("[data-stage='3']");
    browser.until("document.querySelector('#board svg.asked')");
    let given = browser.run("return document.querySelectorAll('#moves li').length");
    browser.click("#board .cell[aria-label$=empty]");
    browser.until(&format!(
        "document.querySelectorAll('#moves li').length === {given} + 2 && document.querySelector('#board svg.asked')"
    ));
    browser.click("#back");
    browser.until(&format!(
        "document.querySelectorAll('#moves li').length === {given} && document.querySelector('#board svg.asked')"
    ));
    browser.click("#resign");
    browser.click("#sure");
    browser.until("!document.querySelector('#result').hidden");
    // Both are runs of stages, like those of the command line.
    let said = desk.succeed(["report", "results/stage-04-natural-7"]);
    assert!(said.contains("04-natural-7"), "{said}");
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn the_value_of_pruning_is_a_picture() {
    let Some((_desk, served, browser)) = shown(Desk::new(), &["serve", "--no-open"]) else {
        return;
    };
    served.open(&browser, "/lesson");
    browser.until("document.querySelectorAll('.course .curve').length === 5");
    // Each idea saves something at the last depth: minimax, alpha-beta, ordering.
    let last = browser.run(
        "return [...document.querySelectorAll('#nodes tbody tr:last-child td')].map(one => Number(one.firstChild.textContent.replaceAll(',', '')))",
    );
    let last: Vec<u64> = serde_json::from_value(last).expect("numbers");
    assert!(last[0] > last[1] && last[1] > last[2], "{last:?}");
    // A tree of three plies with at most three moves: no more than 40 positions, some of them cut.
    let nodes = browser.run("return document.querySelectorAll('.tree .node').length");
    assert!(
        nodes
            .as_u64()
            .is_some_and(|nodes| nodes > 10 && nodes <= 40),
        "{nodes}"
    );
    assert_ne!(
        browser.run("return document.querySelectorAll('.tree .node.cut').length"),
        json!(0)
    );
    // The expected line goes from the root to a leaf.
    assert_eq!(
        browser.run("return document.querySelectorAll('.tree .branch.best').length"),
        json!(3)
    );
    assert_eq!(browser.console(), Vec::<String>::new());
}
