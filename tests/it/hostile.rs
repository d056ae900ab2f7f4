//! Bots with every known misbehaviour play against a healthy bot. Every fault is named, and nothing is left behind.
//! `tests/hostile.csv` has the misbehaviours that need no sandbox; `tests/bots/misbehave.py` describes the modes.

use std::fs;

#[cfg(target_os = "linux")]
use crate::common::place::{Place, User, places};
use crate::common::{
    TableRow, Workdir, assert_contains, misbehave, misbehave_script, misjudged, table,
    wait_for_no_process,
};

/// A mode, its fault (`-` if the bot plays its games to the end), and words of the fault's detail.
type HostileCase = (String, String, String);

/// The arena's peak memory, and the largest number of open descriptors seen.
#[derive(Debug, Default)]
struct Footprint {
    memory_kib: u64,
    descriptors: usize,
}

impl Footprint {
    fn look(&mut self, pid: u32) {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok());
        self.memory_kib = self.memory_kib.max(peak.unwrap_or(0));
        let open = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
        self.descriptors = self.descriptors.max(open);
    }
}

/// Returns the rows that apply to this sandbox tier. Two modes misbehave only from their second start, which they
/// detect by a file that the first start left. A sandbox keeps no files, so these modes are tested without one.
fn verdicts(sandbox: &str) -> Vec<HostileCase> {
    let remembers = ["leave-before-ready", "never-ready"];
    let table = csv::Reader::from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile.csv"));
    let rows = table.expect("a table").into_deserialize();
    rows.map(|row: Result<HostileCase, _>| row.expect("three columns"))
        .filter(|(mode, ..)| sandbox == "off" || !remembers.contains(&mode.as_str()))
        .collect()
}

fn tournament(marker: &str, sandbox: &str) -> String {
    let mut text = format!("sandbox = {sandbox:?}\n");
    // The healthy bot has much time: on a busy machine, the disk may delay it, which nothing excuses.
    text += "game = \"othello\"\nformat = \"gauntlet\"\ngames = 2\nopenings = \"none\"\n\
                    move_ms = 300\nconcurrency = 2\n[[bot]]\nname = \"healthy\"\nuse = \"greedy\"\n\
                    move_ms = 3000\n";
    let script = misbehave_script();
    for (mode, _, _) in verdicts(sandbox) {
        let command = misbehave(&mode, marker);
        text += &format!(
            "[[bot]]\nname = \"{mode}\"\ncommand = [{command}]\nreadable = [{script:?}]\n"
        );
        if mode == "bad-parting" {
            text += "restart = \"always\"\n";
        }
    }
    text
}

const VOID: i32 = 4;

#[test]
fn every_misdeed_is_named_and_only_its_author_pays() {
    plays_all("off");
}

#[test]
#[cfg(target_os = "linux")]
fn every_fault_is_named_in_a_sandbox_too() {
    let ours = |place: &&Place| place.user == User::Ourselves;
    let places = places();
    let tiers = places.iter().filter(ours).map(|place| place.tier);
    tiers.for_each(plays_all);
}

fn plays_all(sandbox: &str) {
    let verdicts = verdicts(sandbox);
    let workdir = Workdir::new();
    let marker = format!("hostile-{sandbox}-{}", std::process::id());
    workdir.write("hostile.toml", &tournament(&marker, sandbox));
    let mut arena = workdir.start(["run", "hostile.toml", "--out", "run"]);
    let mut footprint = Footprint::default();
    let mut status = arena.wait_and(|pid| footprint.look(pid));
    // On a busy machine, games may become void; `resume` plays them again.
    for _ in 0..3 {
        if status.code() == Some(VOID) {
            arena = workdir.start(["resume", "run"]);
            status = arena.wait_and(|pid| footprint.look(pid));
        }
    }
    assert_eq!(status.code(), Some(0), "{}", arena.printed());
    wait_for_no_process(&marker);

    let games = table(&workdir.path("run/games.csv"));
    assert_eq!(games.len(), 2 * verdicts.len(), "the run is complete");
    let wrong = misjudged(&workdir.path("run"), "discs", &verdicts);
    assert!(wrong.is_empty(), "{wrong}");
    for game in &games {
        let evidence = workdir.path(format!("run/failures/{}", game["game"]));
        assert_eq!(evidence.is_dir(), game["reason"] != "discs", "{game:?}");
    }

    // The arena normally needs about 30 MB; a bot's line of a gigabyte must not add to this.
    assert!(footprint.memory_kib > 0, "{footprint:?}");
    assert!(footprint.memory_kib < 100 * 1024, "{footprint:?}");
    assert!(footprint.descriptors < 300, "{footprint:?}");

    if sandbox == "off" {
        the_evidence_is_kept(&workdir, &games);
    }
    nothing_in_the_tables_is_dangerous(&workdir, &arena.printed());
}

fn the_evidence_is_kept(workdir: &Workdir, games: &[TableRow]) {
    let game = |mode: &str| {
        let game = games.iter().find(|game| game["black"] == mode);
        game.expect("every bot plays black once")
    };
    let of = |mode: &str, what: &str| {
        let game = game(mode);
        let path = format!("run/failures/{}/{what}", game["game"]);
        String::from_utf8_lossy(&fs::read(workdir.path(path)).expect("kept")).into_owned()
    };
    assert_eq!(of("leave", "black.stderr.txt"), "I have had enough\n");
    let lost = of("leave-before-ready", "black.stderr.txt");
    assert_eq!(lost, "no such file: weights.bin\n");
    let lines = of("off-board", "black.lines.txt");
    assert!(lines.starts_with("> {\"type\":\"hello\""), "{lines}");
    let last = "< {\"type\": \"move\", \"move\": \"z99\"}\n";
    assert!(lines.ends_with(last), "{lines}");
    let what = of("off-board", "what-happened.txt");
    assert_contains(&what, &["off-board (black) is at fault"]);
    assert!(of("gigabyte", "black.lines.txt").len() <= 2 << 20);
    let errors = of("flood-errors", "black.stderr.txt");
    let length = errors.len();
    assert!((1024..=64 * 1024).contains(&length), "{length}");

    // An answered move counts, whatever the bot does next.
    let plies = &game("answer-and-leave")["plies"];
    assert_eq!(plies, "4", "two moves of each side");
    let warning = "bad-parting exited with exit status 7";
    let warned = games
        .iter()
        .filter(|game| game["warnings"].contains(warning));
    assert_eq!(warned.count(), 2, "its results stand, with a warning");
}

fn nothing_in_the_tables_is_dangerous(workdir: &Workdir, printed: &str) {
    for name in ["games.csv", "moves.csv", "standings.csv", "pairs.csv"] {
        for row in table(&workdir.path("run").join(name)) {
            for (column, cell) in row {
                assert!(!cell.contains(char::is_control), "{name} {column} {cell:?}");
                assert!(!cell.contains('\u{202e}'), "{name} {column} {cell:?}");
                let number = cell.parse::<f64>().is_ok();
                let formula = cell.starts_with(['=', '+', '-', '@']) && !number;
                assert!(!formula, "{name} {column} {cell:?}");
            }
        }
    }
    let file = fs::read_to_string(workdir.path("run/run.toml")).expect("text");
    for text in [&file, printed] {
        let plain = |c: char| c == '\n' || !c.is_control();
        assert!(text.chars().all(plain), "{text}");
    }
}
