//! Attacks on fair play that have succeeded without a box, each by a program that tries it once a game:
//! what it does stands in `tests/bots/cheat.py`.
//!
//! Who is late by an attack of its own pays for it. Any other attack changes nothing: the games are the
//! same, ply by ply, as those of the same program that attacks nobody.

use std::collections::BTreeMap;
use std::fs;

use super::common::{Row, both, nobody_is_left, table};
use super::place::{PYTHON, Place, User, is_crowded, machine_alone, some_places};

/// Attacks that make the attacker late, who blames others for it.
const LATE: [&str; 5] = ["children", "reaped", "spinners", "idle-class", "stop-arena"];
/// Attacks on the opponent, on the record, and on the opponent's time.
const IN_VAIN: [&str; 12] = [
    "kill",
    "stop",
    "inject",
    "quit-it",
    "steal",
    "source",
    "record",
    "late-edit",
    "no-room",
    "other-core",
    "timer",
    "wake",
];
/// What a bot may use of 2 × 30 moves of 12 ms in which its opponent thinks, in ms of CPU. It is stopped
/// where the answer does not come at once: docs/protocol.md.
const MOST_IDLE: f64 = 240.0;
/// The exit code of a run that has games to be played again.
const VOID: i32 = 4;

/// The games of one opponent after each other: of each mode the rows of its two games.
struct Played {
    games: BTreeMap<String, Vec<Row>>,
    idle_ms: BTreeMap<String, f64>,
    said: String,
}

/// Words by which processes of this place are found.
fn words(place: &Place) -> [String; 2] {
    ["cheat", "victim"].map(|who| format!("{who}-{}", place.path("x").display()).replace('/', "-"))
}

/// Plays all modes against one healthy opponent.
fn play(place: &Place, modes: &[&str]) -> Played {
    let [marker, victim] = words(place);
    let script = include_str!("../bots/cheat.py");
    let run = place.path("run").display().to_string();
    let source = place.write("victim.py", script).display().to_string();
    let cheat = place.write("cheat.py", script).display().to_string();
    let mut text = format!(
        "game = \"othello\"\nformat = \"gauntlet\"\ngames = 2\nopenings = \"none\"\nmove_ms = 300\n\
         concurrency = 2\n[[bot]]\nname = \"victim\"\nreadable = [{source:?}]\n\
         command = [{PYTHON:?}, \"-ES\", {source:?}, \"thinker\", {victim:?}]\n"
    );
    for mode in modes {
        text += &format!(
            "[[bot]]\nname = {mode:?}\nreadable = [{cheat:?}]\n\
             command = [{PYTHON:?}, \"-ES\", {cheat:?}, {mode:?}, {marker:?}, {run:?}, {source:?}, {victim:?}]\n"
        );
    }
    place.write("attacks.toml", &text);
    let mut output = place.arena(&["run", "attacks.toml", "--out", &run]);
    // A machine with other work gives games back; the arena says how they are played.
    for _ in 0..3 {
        if output.status.code() == Some(VOID) {
            output = place.plainly(&["resume", "run"]);
        }
    }
    nobody_is_left(&marker);
    let rows = table(&place.path("run/games.csv"));
    let mut games: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows {
        let mode = if row["black"] == "victim" {
            "white"
        } else {
            "black"
        };
        games.entry(row[mode].clone()).or_default().push(row);
    }
    let standings = table(&place.path("run/standings.csv"));
    let idle = |row: &Row| {
        (
            row["bot"].clone(),
            row["idle_cpu_ms"].parse().unwrap_or(0.0),
        )
    };
    Played {
        games,
        idle_ms: standings.iter().map(idle).collect(),
        said: both(&output),
    }
}

/// How the games of a mode ended.
fn ends(rows: &[Row]) -> Vec<String> {
    let end = |row: &Row| {
        let columns = ["moves", "reason", "at_fault"];
        columns.map(|column| row[column].as_str()).join(" ")
    };
    rows.iter().map(end).collect()
}

#[test]
fn an_attack_gains_nothing() {
    let _machine = machine_alone();
    for place in some_places() {
        let name = place.name();
        let is_crowded = is_crowded();
        let modes = [&["honest", "before-greeting"], &LATE[..], &IN_VAIN].concat();
        let played = play(&place, &modes);
        let mut wrong = Vec::new();
        for mode in LATE {
            let rows = &played.games[mode];
            // Where other programs did take its core, a late bot is asked again, which is counted.
            let is_excused = |row: &Row| {
                let counts = ["black_interruptions", "white_interruptions"];
                is_crowded && counts.iter().any(|&column| row[column] != "0")
            };
            let is_charged = |row: &Row| row["at_fault"] == mode && row["reason"] == "out-of-time";
            if !rows.iter().all(|row| is_charged(row) || is_excused(row)) {
                wrong.push(format!("{mode}: {:?}", ends(rows)));
            }
        }
        let honest = ends(&played.games["honest"]);
        for mode in IN_VAIN {
            let ends = ends(&played.games[mode]);
            if ends != honest {
                wrong.push(format!("{mode}: {ends:?}, not {honest:?}"));
            }
            let idle = played.idle_ms[mode];
            if idle > MOST_IDLE {
                wrong.push(format!("{mode}: {idle} ms of CPU in its opponent's time"));
            }
        }
        // Its children are many on its own core: it may be late by itself.
        let early = &played.games["before-greeting"];
        let own = |row: &&Row| !["", "before-greeting"].contains(&row["at_fault"].as_str());
        if early.iter().any(|row| row["result"] == "void") || early.iter().any(|row| own(&row)) {
            wrong.push(format!("before-greeting: {:?}", ends(early)));
        }
        assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{}", played.said);
        let source = fs::read_to_string(place.path("victim.py")).expect("it is there");
        assert_eq!(source, include_str!("../bots/cheat.py"), "{name}");
        assert!(!place.path("run/failures").is_file(), "{name}");
        let report = place.plainly(&["report", "run"]);
        assert!(report.status.success(), "{name}: {}", both(&report));
    }
}

/// Or the test above would prove nothing.
#[test]
fn without_a_box_attacks_succeed() {
    let _machine = machine_alone();
    let mut place = Place::new(User::Ourselves, "off");
    place.tier = "off";
    let played = play(&place, &["honest", "kill", "inject", "quit-it", "source"]);
    let honest = ends(&played.games["honest"]);
    for mode in ["kill", "inject", "quit-it"] {
        let ends = ends(&played.games[mode]);
        assert_ne!(ends, honest, "{mode}: {}", played.said);
    }
    let source = fs::read_to_string(place.path("victim.py")).expect("it is there");
    assert_eq!(source, "");
}
