//! Checks over many games that a bot gains nothing by cheating.

use crate::common::asked::is_asked;
use crate::common::place::{PYTHON, Place, User, places, some_places};
use crate::common::{TableRow, both, table, wait_for_no_process};
use crate::crowd::{Crowd, on_own_cores};

/// The number of games in each place, and the variable that overrides it.
const GAMES: u32 = 16;
const MORE: &str = "ARENA_FAIR_GAMES";
/// The two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.96;

/// The cheater plays at random. When losing, it causes delays that look like the machine's. It must gain nothing.
#[test]
fn cheating_when_losing_gains_nothing() {
    if !is_asked("ARENA_ATTACKS", "cheats of bots that lose") {
        return;
    }
    let _machine = crate::alone();
    let games = std::env::var(MORE).map_or(GAMES, |games| games.parse().expect("a number"));
    for place in some_places() {
        let name = place.name();
        let marker = place.path("fair").display().to_string();
        let mode = "fair-children,reaped,spinners,idle-class,stop-arena";
        place.bot("cheat", "cheat.py", &[mode, &format!("name={marker}")], "");
        let mut output = place.arena(&format!(
            "match cheat random -n {games} --move-ms 300 -j 2 --openings none --out run"
        ));
        for _ in 0..3 {
            if output.status.code() == Some(4) {
                output = place.plainly("resume run");
            }
        }
        wait_for_no_process(&marker);
        let printed = both(&output);
        let rows = table(&place.path("run/games.csv"));
        assert_eq!(rows.len() as u32, games, "{name}: {printed}");
        let (mut points, mut forfeits) = (0.0, 0);
        for row in &rows {
            let fault = (row["at_fault"].as_str(), row["reason"].as_str());
            let expected = fault == ("", "discs") || fault == ("cheat", "out-of-time");
            assert!(expected, "{name}: {row:?}");
            forfeits += u32::from(row["at_fault"] == "cheat");
            points += match row["result"].as_str() {
                "draw" => 0.5,
                colour if row[colour] == "cheat" => 1.0,
                _ => 0.0,
            };
        }
        let score = points / f64::from(games);
        let chance = Z * (0.25 / f64::from(games)).sqrt();
        println!("{name}: {score:.3} of {games} games, {forfeits} forfeits");
        assert!(score <= 0.5 + chance, "{name}: {score}: {printed}");
        assert!(
            forfeits > 0,
            "{name}: the cheater was late in none of {games} games"
        );
    }
}

/// Plays games of a bot that answers just before its limit while its children compute.
fn at_the_edge(place: &Place, way: &str, children: u32, move_ms: u32, games: u32) -> Vec<TableRow> {
    let marker = place.path("edge").display().to_string();
    let name = format!("{way}-{children}");
    if !place.path(&name).exists() {
        place.bot(&name, "edge.py", &[way, &children.to_string(), &marker], "");
    }
    let out = place.path("run");
    let _ = std::fs::remove_dir_all(&out);
    let output = place.arena(&format!(
        "match {name} random -n {games} -j 1 --move-ms {move_ms} --openings none --out run"
    ));
    wait_for_no_process(&marker);
    let rows = table(&out.join("games.csv"));
    assert_eq!(rows.len() as u32, games, "{}", both(&output));
    for row in &rows {
        let is_charged = row["at_fault"] == name && row["reason"] == "out-of-time";
        let is_played = row["at_fault"].is_empty();
        assert!(is_charged || is_played, "{}: {row:?}", place.name());
    }
    rows
}

fn excused(rows: &[TableRow]) -> u32 {
    let counts = ["black_interruptions", "white_interruptions"];
    let of = |row: &TableRow| counts.map(|count| row[count].parse().unwrap_or(0));
    rows.iter().flat_map(of).sum::<u32>()
}

/// An answer may also be excused because other programs took the core, so the test has this many attempts.
const TRIES: usize = 5;

#[test]
fn no_answer_at_the_edge_is_excused_by_children_that_spin() {
    if !is_asked("ARENA_ATTACKS", "answers at the edge of a limit") {
        return;
    }
    let _machine = crate::alone();
    for place in some_places() {
        for way in ["around", "unseen"] {
            let none_excused = |_| excused(&at_the_edge(&place, way, 40, 50, 6)) == 0;
            assert!((0..TRIES).any(none_excused), "{way}, {}", place.name());
        }
    }
}

/// On an idle machine, no answer may be excused. Run with `ARENA_FAIR_GAMES=400 cargo test --test alone -- --ignored
/// --nocapture at_the_edge`.
#[test]
#[ignore = "takes an hour of a quiet machine"]
fn many_games_at_the_edge() {
    let _machine = crate::alone();
    let games = std::env::var(MORE).map_or(GAMES, |games| games.parse().expect("a number"));
    let mut wrong = Vec::new();
    for place in places() {
        for (move_ms, games) in [
            (50, games),
            (100, games.div_ceil(10)),
            (1000, games.div_ceil(10)),
        ] {
            for (way, children) in [
                ("around", 40),
                ("around", 250),
                ("unseen", 40),
                ("unseen", 250),
            ] {
                let rows = at_the_edge(&place, way, children, move_ms, games);
                let late = rows.iter().filter(|row| row["reason"] == "out-of-time");
                let (late, excused) = (late.count(), excused(&rows));
                let what = format!(
                    "{}, {way}, {children} children, {move_ms} ms: {games} games, {late} late, \
                     {excused} excused",
                    place.name()
                );
                println!("{what}");
                if excused > 0 {
                    wrong.push(what);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A program that is started for each turn and works before it answers. Its answer is legal only once.
const TURN: &str = "import time\nwhile time.process_time() < 0.05:\n    pass\nprint(2, 3)\n";
const QUICK: &str = "build = ['cc', '-oq', 'quick.c']\ncommand = ['./q']\nrestart = 'always'\n";

fn short_game(place: &Place, bot: &str, more: &str) -> (Vec<String>, String) {
    let _ = std::fs::remove_dir_all(place.path("run"));
    let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
    arena.args(["match", &format!("one={bot}"), &format!("two={bot}")]);
    arena.args("--openings none --move-ms 150 --out run --sandbox".split(' '));
    let output = arena.arg(place.tier).args(more.split(' ')).output();
    let rows = table(&place.path("run/games.csv"));
    let ends = rows.iter().map(|row| row["reason"].clone()).collect();
    (ends, both(&output.expect("the arena starts")))
}

/// Beside three other programs, 80 ms of work take 320 ms, and the limit is 150 ms. The bot is excused with and without a
/// sandbox, unless it has another process, whose CPU time no cgroup counts. The program in C answers `hello` before its
/// sandbox has reported its start, and starts anew in each game. Nothing excuses sleep, a child of its own, or 60 s of
/// work.
#[test]
fn a_bot_is_late_only_by_itself() {
    let _machine = crate::alone();
    let off = Place::new(User::Ourselves, "off");
    let places = some_places().into_iter().chain([off]);
    on_own_cores(places.collect(), |place| {
        let worker = place.write("worker.py", include_str!("../bots/worker.py"));
        let worker = format!("{PYTHON} -ES {}", worker.display());
        let turn = place.write("turn.py", TURN);
        let each_turn = format!("botzone-text:{PYTHON} {}", turn.display());
        place.make_folder("quick");
        place.write("quick/quick.c", include_str!("../bots/quick.c"));
        place.write("quick/bot.toml", QUICK);
        let few = "--game gomoku -n 2 --draw-after 8";
        // 120 ms of work take 240 ms beside the bot's own child.
        let (ends, printed) = short_game(place, &format!("{worker} 0.12 0 1 0"), few);
        assert_eq!(ends, ["out-of-time"; 2], "{}: {printed}", place.name());
        let _crowd = Crowd::beside(place, 3);
        let is_counted = place.user == User::Ourselves && rustix::process::getuid().is_root();
        let [with_child, with_processes] = match (place.tier, is_counted) {
            ("off", _) | (_, true) => ["adjudicated-length", "illegal-move"],
            (_, false) => ["out-of-time"; 2],
        };
        for (bot, game, end) in [
            (format!("{worker} 0.08 0 0 0"), few, "adjudicated-length"),
            (format!("{worker} 0.08 0 ended 0"), few, with_child),
            (format!("{worker} 60 0 0 0"), few, "out-of-time"),
            (format!("{worker} 0 0.4 0 0"), few, "out-of-time"),
            (each_turn, "--game othello -n 2", with_processes),
            (
                "quick".to_owned(),
                "--game gomoku -n 4 --draw-after 4",
                "adjudicated-length",
            ),
        ] {
            let (ends, printed) = short_game(place, &bot, game);
            let is_so = ends.len() >= 2 && ends.iter().all(|other| other == end);
            assert!(is_so, "{}, {bot}: {ends:?}: {printed}", place.name());
        }
    });
}
