//! What a screen reader or a keyboard alone finds. `ARENA_AXE` is the file axe.min.js of the package
//! axe-core; without it that part is skipped.

use serde_json::json;

use super::page::{desk_with_run, shown};

#[test]
fn axe_finds_nothing_on_any_page_light_or_dark() {
    let Some(axe) = std::env::var_os("ARENA_AXE") else {
        eprintln!("skipped: ARENA_AXE is not set");
        return;
    };
    let axe = std::fs::read_to_string(axe).expect("axe.min.js");
    let Some((_desk, served, browser)) = shown(desk_with_run(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    browser.open(&served.url);
    for dark in [false, true] {
        browser.dark(dark);
        for (path, there) in [
            ("/", "document.querySelector('table')"),
            ("/run/small", "document.querySelector('.games .game')"),
            (
                "/run/small/game/0/20",
                "document.querySelectorAll('#moves li').length > 8",
            ),
            (
                "/play",
                "document.querySelector('select[name=size] option')",
            ),
            (
                "/run/small/pair/0",
                "document.querySelectorAll('.half .board').length === 2",
            ),
            ("/run/small/wall", "document.querySelector('.card')"),
            ("/stages", "document.querySelector('#stages .board')"),
            ("/lesson", "document.querySelector('.tree')"),
            ("/nothing", "document.querySelector('.error')"),
        ] {
            browser.open(&served.at(path));
            browser.until(there);
            if path.contains("/game/") {
                browser.click("#analyse");
                browser.until("document.querySelector('.graph.cost')");
            }
            browser.run(&format!("{axe}; window.axe = axe"));
            let found = browser.run_async(
                "const done = arguments[arguments.length - 1]; axe.run().then(({ violations }) => \
                 done(violations.map((one) => `${one.id}: ${one.nodes[0].html}`)))",
            );
            assert_eq!(found, json!([]), "{path}, dark: {dark}");
        }
    }
}

#[test]
fn the_board_is_a_grid_with_names_and_one_stop_for_tab() {
    let Some((_desk, served, browser)) = shown(desk_with_run(), &["serve", "results", "--no-open"])
    else {
        return;
    };
    served.open(&browser, "/run/small/game/0/0");
    browser.until("document.querySelectorAll('#moves li').length > 8");
    let count =
        |css: &str| browser.run(&format!("return document.querySelectorAll({css:?}).length"));
    assert_eq!(count("#board [role=grid] [role=row]"), json!(8));
    assert_eq!(
        count("#board [role=row] [role=gridcell][aria-label]"),
        json!(64)
    );
    assert_eq!(count("#board [tabindex='0']"), json!(1));
    let label =
        browser.run("return document.querySelector('[data-square=d4]').getAttribute('aria-label')");
    // White has d4 in the position before the first move.
    assert_eq!(label, json!("d4: white"));
    let label =
        browser.run("return document.querySelector('[data-square=d3]').getAttribute('aria-label')");
    assert!(
        label
            .as_str()
            .is_some_and(|text| text.starts_with("d3: empty")),
        "{label}"
    );
}
