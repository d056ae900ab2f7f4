//! Script steps for games: a person plays them, or replays them.
//!
//! | step | meaning |
//! |---|---|
//! | `begin othello 8 standard black greedy` | begins a game in the page: size, rules, the person's colour, the opponent |
//! | `play 0 d4 a15` | two people play these squares, beginning with half-move 0 |
//! | `finish by clicking`, `finish by keys`, `finish by touch` | a person plays legal moves to the end of the game, and chooses a word where an opening asks for one |
//! | `finish by touch with k6 i6 l6` | the same, with these squares first |
//! | `othello window.copied` | checks that the value of the expression is a position of Othello |
//! | `analysed` | waits for the analysis of the game, and requests it if a run of another test delays it |
//! | `replay run 7` | steps through a game of the report of a run, and compares each position with the rules |

use games::{Board, Rules, Side};
use referee::record::{GameId, GameRecord};
use run::store::Store;
use serde_json::json;

use super::script::PageScript;
use crate::common::browser::{Browser, DOWN, ENTER, LEFT, RIGHT, UP};

const ASKED: &str = "!!$('#board svg.asked')";
const PLAYED: &str = "$$('#moves li').length";
const OVER: &str = "!$('#result').hidden";

const ANALYSED: &str =
    "$('.graph.cost') || ($('#analyse').checkVisibility() && void $('#analyse').click())";

/// An expression whose value changes with each step of a person.
const STATE: &str =
    "[$$('#moves li').length, $('#result').hidden, $('#message').textContent].join()";

/// An expression for the selector of the next target: a word of an opening, the square of a second tap, or a legal one.
const AIM: &str = "['#message button', '#board .cell:has(.legal)', '#board .cell:has(.mark)', '#board .points .cell[aria-label$=empty]']
    .find((one) => $(one)).replace(/^#board .*/, (one) => `#board [data-square=${$(one).dataset.square}]`)";

impl PageScript<'_> {
    pub fn in_game(&self, verb: &str, rest: &str) -> Option<()> {
        let words: Vec<&str> = rest.split(' ').collect();
        match (verb, &words[..]) {
            ("begin", [game, size, rules, colour, bot @ ..]) => {
                self.begin([game, size, rules, colour, &bot.join(" ")])
            }
            ("play", [from, squares @ ..]) => {
                let from: usize = from.parse().expect("a half-move");
                for (played, square) in (from..).zip(squares) {
                    self.until(&format!("{ASKED} && {PLAYED} === {played}"))?;
                    click(self.browser()?, square);
                }
                Some(())
            }
            ("analysed", _) => self.until(ANALYSED).map(drop),
            ("finish", ["by", how, squares @ ..]) => {
                let put = match *how {
                    "keys" => walk,
                    "touch" => Browser::tap,
                    _ => Browser::click,
                };
                self.finish(put, squares)
            }
            ("othello", _) => {
                let position = self.run(&format!("return {rest}"))?;
                let position = position.as_str().expect("a text");
                games::othello::Position::parse(position).expect("a position as others read it");
                Some(())
            }
            ("replay", [run, game]) => self.replay(run, game.parse().expect("a number")),
            _ => panic!("{verb} {rest}"),
        }
    }

    fn begin(&self, [game, size, rules, colour, bot]: [&str; 5]) -> Option<()> {
        let browser = self.browser()?;
        self.until("$('select[name=size] option')")?;
        browser.click(&format!("input[name=game][value={game}]"));
        browser.choose("select[name=size]", size);
        browser.choose("select[name=rules]", rules);
        let number = self.run(&format!(
            "return [...$('select[name=bot]').options].find((one) => one.textContent === {bot:?}).value"
        ))?;
        browser.choose("select[name=bot]", number.as_str().expect("a bot"));
        browser.click(&format!("input[name=colour][value={colour}]"));
        browser.choose("select[name=time]", "200");
        browser.click("button[type=submit]");
        self.until("location.pathname.startsWith('/play/') && $('#board .cell')")?;
        Some(())
    }

    fn finish(&self, put: fn(&Browser, &str), squares: &[&str]) -> Option<()> {
        let first = squares
            .iter()
            .map(|square| format!("'#board [data-square={square}][aria-label*=empty]', "));
        let aims = AIM.replacen('[', &format!("[{}", first.collect::<String>()), 1);
        loop {
            self.until(&format!("{ASKED} || {OVER}"))?;
            if self.run(&format!("return {OVER}"))? == json!(true) {
                return Some(());
            }
            let before = self.run(&format!("return {STATE}"))?;
            let aim = self.until(&aims)?;
            put(self.browser()?, aim.as_str().expect("a selector"));
            self.until(&format!("{STATE} !== {before}"))?;
        }
    }

    fn replay(&self, run: &str, game: u64) -> Option<()> {
        let store = Store::read(&self.workdir.path(run)).expect("a record");
        let record = store.game(GameId(game)).expect("undamaged");
        let shown = self.run(
            "$('#first').click();
             const all = [], of = (side) => $$('#board .cell').filter((cell) => cell.getAttribute('aria-label').split(/[:,] /)[1] === side);
             const label = () => ['black', 'white'].map((side) => `${side}: ${of(side).map((cell) => cell.dataset.square).join(' ') || 'no stones'}`).join('; ');
             all.push(label());
             for (let i = 0; i < +$('#ply').max; i += 1) {
                 $('#next').click();
                 all.push(label());
             }
             return all",
        )?;
        assert_eq!(shown, json!(positions(&record.expect("played"))));
        Some(())
    }
}

fn click(browser: &Browser, square: &str) {
    browser.click(&format!("[data-square={square}]"));
}

/// Chooses a square with arrow keys and Enter, from the only square that Tab reaches.
fn walk(browser: &Browser, aim: &str) {
    let Some((_, square)) = aim.split_once("data-square=") else {
        browser.keys("1");
        return;
    };
    let square = square.trim_end_matches(']');
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

fn label(board: &Board) -> String {
    let of = |side| {
        let stones = board.stones().into_iter();
        let squares = stones.filter(|&(_, owner)| owner == side);
        let squares: Vec<String> = squares.map(|(square, _)| square.to_string()).collect();
        if squares.is_empty() {
            "no stones".to_owned()
        } else {
            squares.join(" ")
        }
    };
    format!("black: {}; white: {}", of(Side::Black), of(Side::White))
}

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
