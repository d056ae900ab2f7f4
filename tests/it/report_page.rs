//! `report.html` and `grade.html` in a real browser, opened from disk.
//!
//! What the page draws is compared with what the rules say, square by square. With `ARENA_PICTURES=FOLDER`
//! pictures of the pages are written there.

use std::path::{Path, PathBuf};

use crate::common::Desk;
use crate::common::browser::{Browser, END, HOME, LEFT, RIGHT};
use arena::store::Store;
use games::{Board, Rules, Side};
use referee::record::{GameId, GameRecord};
use serde_json::{Value, json};

/// Three bots of Othello, and one whose every answer would break a careless page.
const HOSTILE: &str = r#"
name = "page"
game = "othello"
format = "round-robin"
games = 4
move_ms = 2000
[[bot]]
use = "random"
[[bot]]
use = "minimax-ab"
options = { depth = 2 }
[[bot]]
use = "greedy"
[[bot]]
name = "hostile"
command = ["sh", "-c", '''
while read -r line; do case "$line" in
*hello*) echo '{"type":"ready","name":"<img src=x onerror=hacked=1>"}';;
*'"turn"'*) echo '{"move":"</script><script>hacked=1</script><b onclick=hacked=1>\u001b[31m\u202e&amp;"}';;
*quit*) exit;;
esac; done''']
"#;

fn picture(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("ARENA_PICTURES") {
        browser.picture(&PathBuf::from(folder).join(format!("{name}.webp")), false);
    }
}

/// What the page says is on the board, as the rules tell it.
fn label(board: &Board) -> String {
    let of = |side| {
        let stones = board.stones().into_iter();
        let squares = stones.filter(|&(_, owner)| owner == side);
        let squares: Vec<String> = squares.map(|(square, _)| square.to_string()).collect();
        if squares.is_empty() {
            "none".to_owned()
        } else {
            squares.join(" ")
        }
    };
    format!("black: {}; white: {}", of(Side::Black), of(Side::White))
}

/// Every position of a game.
fn positions(record: &GameRecord) -> Vec<String> {
    let mut board = record.game.start();
    let mut all = vec![label(&board)];
    for (index, played) in record.moves().into_iter().enumerate() {
        let put = if index < record.opening.len() {
            Board::give
        } else {
            Board::play
        };
        put(&mut board, played).expect("a legal move");
        all.push(label(&board));
    }
    all
}

fn record(run: &Path, game: u64) -> GameRecord {
    let store = Store::read(run).expect("a record");
    store
        .game(GameId(game))
        .expect("undamaged")
        .expect("played")
}

/// Steps through the game that is open, and compares each position.
fn step_through(browser: &Browser, record: &GameRecord) {
    let shown = browser.run(
        "document.getElementById('first').click();
         const all = [], label = () => document.querySelector('#board svg').getAttribute('aria-label');
         all.push(label());
         for (let i = 0; i < +document.getElementById('ply').max; i += 1) {
             document.getElementById('forth').click();
             all.push(label());
         }
         return all;",
    );
    assert_eq!(shown, json!(positions(record)), "game {}", record.id.0);
}

fn is_quiet(browser: &Browser) {
    assert_eq!(browser.console(), Vec::<String>::new());
    assert_eq!(browser.run("return typeof hacked"), json!("undefined"));
    let loaded = browser.run("return performance.getEntriesByType('resource').length");
    assert_eq!(loaded, json!(0), "it loads nothing");
}

/// Puts the page into Chinese: no English is left but names, and putting it back gives what was there.
fn speaks_chinese(browser: &Browser) {
    let texts = "const texts = []; const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); \
         while (walker.nextNode()) { const place = walker.currentNode.parentElement; \
         if (!place.closest('bdi, pre, code, script, style, noscript, option[value], #language')) texts.push(walker.currentNode.data.trim()); }";
    let english = browser.run(&format!("{texts} return texts"));
    browser.click("#language");
    assert_eq!(
        browser.run("return document.documentElement.lang"),
        json!("zh")
    );
    let table = browser.run(
        "return document.querySelector('table').parentElement.closest('section')?.id ?? 'class'",
    );
    picture(
        browser,
        &format!("chinese-{}", table.as_str().unwrap_or_default()),
    );
    let left = browser.run(&format!(
        "{texts} const bots = new Set([...document.querySelectorAll('bdi, option')].map((one) => one.textContent)); \
         return texts.filter((text) => !bots.has(text) && /[A-Za-z]{{3}}/.test(text.replace(/\\b(Elo|CPU|arena|replay|RUN|GAME|Home|End|Buchholz)\\b/g, '')))"
    ));
    assert_eq!(left, json!([]));
    assert_eq!(
        browser.run("return [...document.querySelectorAll('bdi.said')].filter((one) => one.textContent && !/[\\u4e00-\\u9fff]/.test(one.textContent)).length"),
        json!(0)
    );
    browser.click("#language");
    assert_eq!(browser.run(&format!("{texts} return texts")), english);
}

#[test]
fn a_run_is_read_and_replayed_from_one_file() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new();
    desk.write("page.toml", HOSTILE);
    desk.succeed(["run", "page.toml", "--out", "run"]);
    let (run, page) = (desk.path("run"), desk.path("run/report.html"));
    browser.size(1200, 900);
    browser.open_file(&page, "");
    browser.until("document.documentElement.dataset.ready");
    is_quiet(&browser);
    let text = |selector: &str| {
        browser.run(&format!(
            "return document.querySelector('{selector}').textContent"
        ))
    };
    let count = |selector: &str| {
        browser.run(&format!(
            "return document.querySelectorAll('{selector}').length"
        ))
    };
    picture(&browser, "report");

    // The tables, and the fault of the hostile bot as plain text.
    assert_eq!(count("#standings tbody tr"), json!(4));
    assert_eq!(count("#faults tbody tr"), json!(12));
    let fault = text("#faults tbody td:last-child");
    let fault = fault.as_str().expect("text");
    assert!(
        fault.contains("</script><script>hacked=1</script>"),
        "{fault}"
    );
    assert!(!fault.contains(['\u{1b}', '\u{202e}']), "{fault}");

    // A cell of the crosstable leads to its games.
    browser.click("#crosstable a");
    browser.until("document.getElementById('found').textContent === '4 games'");
    browser.click("#rows a");
    browser.until("!document.getElementById('viewer').hidden");

    // Games of two bots that played on, by keys.
    let game = record(&run, 0);
    browser.open_file(&page, "#game-0-5");
    browser.until("document.documentElement.dataset.ready");
    let plies = game.moves().len();
    let here = || browser.run("return +document.getElementById('ply').value");
    assert_eq!(here(), json!(5), "the address says which half-move");
    for (keys, at) in [
        (&[RIGHT, RIGHT][..], 7),
        (&[LEFT], 6),
        (&[END], plies),
        (&[RIGHT], plies),
        (&[HOME], 0),
        (&[LEFT], 0),
    ] {
        browser.keys(&keys.concat());
        assert_eq!(here(), json!(at), "{keys:?}");
    }
    step_through(&browser, &game);
    picture(&browser, "game");
    for number in [1, 5, 9] {
        browser.open_file(&page, &format!("#game-{number}"));
        browser.until("document.documentElement.dataset.ready");
        step_through(&browser, &record(&run, number));
    }

    speaks_chinese(&browser);

    // Filters.
    let filtered = browser.run(
        "const set = (id, value) => { const field = document.getElementById(id); field.value = value;
             field.dispatchEvent(new Event('input')); return document.getElementById('found').textContent; };
         return [set('of-ending', 'illegal-move'), set('of-bot', '3'), set('of-result', 'won'), set('of-result', 'lost')];",
    );
    assert_eq!(
        filtered,
        json!(["12 games", "12 games", "0 games", "12 games"])
    );

    // A phone; and nothing told by colour alone, so that dark is only a matter of taste.
    browser.size(390, 800);
    let fits = "return document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.run(fits), json!(true), "nothing sticks out");
    let ground = || browser.run("return getComputedStyle(document.body).backgroundColor");
    browser.dark(false);
    let light = ground();
    browser.dark(true);
    assert_ne!(ground(), light);
    picture(&browser, "phone-dark");
    browser.run("document.getElementById('theme').click()");
    assert_eq!(ground(), light, "the button is stronger than the system");
    is_quiet(&browser);

    // What somebody smuggles into the page cannot run.
    browser.run(
        "const script = document.createElement('script'); script.textContent = 'hacked = 1';
         document.body.append(script); document.body.setAttribute('onclick', 'hacked = 1');
         document.body.click(); new Image().src = 'https://127.0.0.1:9/';",
    );
    assert_eq!(browser.run("return typeof hacked"), json!("undefined"));
    let refused = browser.console().join("\n");
    assert!(refused.contains("Content Security Policy"), "{refused}");
}

#[test]
fn gomoku_of_every_size_and_a_long_run_in_parts() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new();
    for size in ["5", "15", "22"] {
        desk.succeed([
            "match", "random", "greedy", "--game", "gomoku", "--size", size, "--games", "2",
            "--out", size,
        ]);
        browser.open_file(&desk.path(size).join("report.html"), "#game-1");
        browser.until("document.documentElement.dataset.ready");
        let game = record(&desk.path(size), 1);
        step_through(&browser, &game);
        let won = browser.run("return document.querySelectorAll('#board .won').length");
        assert_eq!(won, json!(u8::from(game.verdict.reason() == "five")));
        is_quiet(&browser);
        picture(&browser, &format!("gomoku-{size}"));
    }
    // More games than one file takes: game 1,003 is in the second part.
    desk.succeed([
        "match", "random", "greedy", "--game", "gomoku", "--size", "5", "--games", "1100", "--out",
        "long",
    ]);
    browser.open_file(&desk.path("long/report.html"), "");
    browser.until("document.documentElement.dataset.ready");
    let note = browser.run("return document.getElementById('about-games').textContent");
    let note = note.as_str().expect("text");
    assert!(
        note.contains("1100 games") && note.contains("2 files"),
        "{note}"
    );
    browser.run("location.hash = '#game-1003'");
    browser.until("location.pathname.endsWith('/report-games/2.html') && document.documentElement.dataset.ready");
    step_through(&browser, &record(&desk.path("long"), 1003));
    is_quiet(&browser);
    for file in ["report.html", "report-games/1.html", "report-games/2.html"] {
        let size = desk
            .path("long")
            .join(file)
            .metadata()
            .expect("a file")
            .len();
        assert!(size < 2_000_000, "{file}: {size}");
    }
}

#[test]
fn a_grade_and_a_class() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new();
    desk.write(
        "suite.toml",
        "name = 'short'\ngame = 'othello'\nopenings = 'none'\ngames = 4\nmove_ms = 2000\n\
         [grade]\nthreshold = 0.5\npoints = 10\npass = 10\n\
         [[bot]]\nuse = 'random'\n[[bot]]\nuse = 'minimax-ab'\noptions = { depth = 2 }\n",
    );
    std::fs::create_dir(desk.path("class")).expect("a folder");
    let bot = "import json,sys\nfor line in sys.stdin:\n    m = json.loads(line)\n    \
               if m['type'] == 'hello': print('{\"type\":\"ready\"}', flush=True)\n    \
               if m['type'] == 'turn': print(json.dumps({'move': m['legal'][0], 'score': 1}), flush=True)\n    \
               if m['type'] == 'quit': break\n";
    desk.write("class/ada.py", bot);
    desk.write(
        "class/<b>&.py",
        "raise SystemExit('</script><script>hacked=1</script>')\n",
    );
    let output = desk.run([
        "grade",
        "--all",
        "class",
        "--suite",
        "suite.toml",
        "--out",
        "marks",
    ]);
    let said = crate::common::both(&output);
    browser.open_file(&desk.path("marks/class.html"), "");
    browser.until("document.readyState === 'complete'");
    assert_eq!(
        browser.run("return document.querySelectorAll('#class tbody tr').length"),
        json!(2),
        "{said}"
    );
    is_quiet(&browser);
    picture(&browser, "class");
    speaks_chinese(&browser);
    browser.run("[...document.querySelectorAll('#class a')].find((a) => a.textContent === 'ada.py' || a.textContent === 'ada').click()");
    browser.until(
        "location.pathname.endsWith('/grade.html') && document.documentElement.dataset.ready",
    );
    is_quiet(&browser);
    picture(&browser, "grade");
    speaks_chinese(&browser);
    let lost = browser.run("return document.getElementById('about-games').textContent");
    assert_ne!(lost, Value::Null);
    let opponents = browser.run("return document.querySelectorAll('#opponents tbody tr').length");
    assert_eq!(opponents, json!(2));
}
