//! Bots that misbehave in every way we know of, each against a healthy bot, in one run: every fault
//! is found and named, the healthy bot is charged with nothing, and nothing is left behind.
//!
//! The rows are those that need no sandbox of the list this arena is measured by; what each mode
//! does stands in `tests/bots/misbehave.py`.

use std::fs;

use crate::common::{
    Desk, Row, misbehave, misbehave_script, misjudged, nobody_is_left, says, table,
};

/// How the table shows what no terminal is to read.
const ESCAPED: &str = r"\u{1b}]0;owned\u{7}\u{1b}[2Jd3\r\n\u{202e}";

/// A mode, what is charged, and words that its detail must hold. `-`: nothing, the bot plays its games.
type Verdict = (&'static str, &'static str, &'static str);

const VERDICTS: [Verdict; 53] = [
    ("hang", "out-of-time", "of the 300.0 ms it had"),
    ("drip", "out-of-time", ""),
    ("gigabyte", "line-too-long", ""),
    ("flood", "unasked-output", ""),
    ("flood-info", "out-of-time", ""),
    ("flood-blank", "out-of-time", ""),
    ("flood-errors", "out-of-time", ""),
    ("not-utf8", "bad-message", "not UTF-8"),
    ("traceback", "bad-message", "Traceback (most recent"),
    ("not-json", "bad-message", "not a message"),
    ("list", "bad-message", "an object was expected"),
    ("brackets", "bad-message", ""),
    ("brackets-in-object", "bad-message", ""),
    ("many-brackets", "line-too-long", ""),
    ("same-key-twice", "bad-message", "duplicate field"),
    ("infinite", "bad-message", "number out of range"),
    ("not-a-number", "bad-message", ""),
    ("huge-id", "bad-message", ""),
    ("occupied", "illegal-move", "the square is taken"),
    ("off-board", "illegal-move", "z99"),
    ("negative", "illegal-move", "-1"),
    ("number", "bad-message", "integer `19`"),
    ("list-of-moves", "bad-message", ""),
    ("null", "bad-message", "a \"move\" was expected"),
    ("empty", "illegal-move", ""),
    ("pass", "illegal-move", "pass"),
    ("escapes", "illegal-move", ESCAPED),
    ("formula", "illegal-move", "=cmd|"),
    ("script", "illegal-move", "<script>"),
    ("path", "illegal-move", "../"),
    ("old-id", "bad-message", "was asked"),
    ("twice", "unasked-output", ""),
    ("half", "unasked-output", r#"{\"move\":"#),
    ("early", "unasked-output", "d3"),
    ("leave", "crashed", "exit status 3"),
    ("answer-and-leave", "crashed", "exit status 0"),
    ("abort", "crashed", "SIGABRT"),
    ("segfault", "crashed", "SIGSEGV"),
    ("orphan", "crashed", "exit status 4"),
    ("close-output", "closed-output", ""),
    ("close-input", "out-of-time", ""),
    ("stuff-input", "out-of-time", ""),
    ("stop-itself", "out-of-time", ""),
    ("deaf", "out-of-time", ""),
    ("leave-before-ready", "start-failed", "exit status 5"),
    ("never-ready", "handshake-timeout", "within 10 s"),
    ("look-around", "-", ""),
    ("chatty-errors", "-", ""),
    ("habits", "-", ""),
    ("stays", "-", ""),
    ("daemon", "-", ""),
    ("bad-parting", "-", ""),
    ("honest", "-", ""),
];

/// The arena's memory at its largest, in KiB, and the most descriptors it had open.
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

/// Those of a tier. A box remembers nothing, so who wants to know whether it was started before cannot.
fn verdicts(sandbox: &str) -> Vec<Verdict> {
    let remembers = ["leave-before-ready", "never-ready"];
    let all = VERDICTS.into_iter();
    all.filter(|verdict| sandbox == "off" || !remembers.contains(&verdict.0))
        .collect()
}

fn tournament(marker: &str, sandbox: &str) -> String {
    let mut text = format!("sandbox = {sandbox:?}\n");
    text += "game = \"othello\"\nformat = \"gauntlet\"\ngames = 2\nopenings = \"none\"\n\
                    move_ms = 300\nconcurrency = 2\n[[bot]]\nname = \"healthy\"\nuse = \"greedy\"\n";
    let script = misbehave_script();
    for (mode, _, _) in verdicts(sandbox) {
        let command = misbehave(mode, marker);
        text += &format!(
            "[[bot]]\nname = \"{mode}\"\ncommand = [{command}]\nreadable = [{script:?}]\n"
        );
        if mode == "bad-parting" {
            text += "restart = \"always\"\n";
        }
    }
    text
}

/// The exit code of a run that has games to be played again.
const VOID: i32 = 4;

#[test]
fn every_misdeed_is_named_and_only_its_author_pays() {
    plays_all("off");
}

/// A machine that cannot hold a box is told of by the tests of boxes.
#[test]
#[cfg(target_os = "linux")]
fn every_misdeed_is_named_in_a_box_too() {
    for tier in ["strict", "standard"] {
        let desk = Desk::new();
        let words = ["match", "random", "greedy", "-n", "2", "--sandbox", tier];
        if desk.run(words).status.success() {
            plays_all(tier);
        }
    }
}

fn plays_all(sandbox: &str) {
    let verdicts = verdicts(sandbox);
    let desk = Desk::new();
    let marker = format!("hostile-{sandbox}-{}", std::process::id());
    desk.write("hostile.toml", &tournament(&marker, sandbox));
    let mut arena = desk.start(["run", "hostile.toml", "--out", "run"]);
    let mut footprint = Footprint::default();
    let mut status = arena.wait_and(|pid| footprint.look(pid));
    // A machine with other work gives games back; the arena says how they are played.
    for _ in 0..3 {
        if status.code() == Some(VOID) {
            arena = desk.start(["resume", "run"]);
            status = arena.wait_and(|pid| footprint.look(pid));
        }
    }
    assert_eq!(status.code(), Some(0), "{}", arena.said());
    nobody_is_left(&marker);

    let games = table(&desk.path("run/games.csv"));
    assert_eq!(games.len(), 2 * verdicts.len(), "it went on to its end");
    let wrong = misjudged(&desk.path("run"), "discs", &verdicts);
    assert!(wrong.is_empty(), "{wrong}");
    for game in &games {
        let evidence = desk.path(format!("run/failures/{}", game["game"]));
        assert_eq!(evidence.is_dir(), game["reason"] != "discs", "{game:?}");
    }

    // The arena, its database and its standings take some 30 MB; a gigabyte line must not show.
    assert!(footprint.memory_kib > 0, "{footprint:?}");
    assert!(footprint.memory_kib < 100 * 1024, "{footprint:?}");
    assert!(footprint.descriptors < 200, "{footprint:?}");

    if sandbox == "off" {
        the_evidence_is_kept(&desk, &games);
    }
    nothing_in_the_tables_is_dangerous(&desk, &arena.said());
}

/// What was said and written, for the author.
fn the_evidence_is_kept(desk: &Desk, games: &[Row]) {
    let game = |mode: &str| {
        let game = games.iter().find(|game| game["black"] == mode);
        game.expect("each has black once")
    };
    let of = |mode: &str, what: &str| {
        let game = game(mode);
        let path = format!("run/failures/{}/{what}", game["game"]);
        String::from_utf8_lossy(&fs::read(desk.path(path)).expect("kept")).into_owned()
    };
    assert_eq!(of("leave", "black.stderr.txt"), "I have had enough\n");
    let lost = of("leave-before-ready", "black.stderr.txt");
    assert_eq!(lost, "no such file: weights.bin\n");
    let lines = of("off-board", "black.lines.txt");
    assert!(lines.starts_with("> {\"type\":\"hello\""), "{lines}");
    let last = "< {\"type\": \"move\", \"move\": \"z99\"}\n";
    assert!(lines.ends_with(last), "{lines}");
    let what = of("off-board", "what-happened.txt");
    says(&what, &["off-board (black) is at fault"]);
    assert!(of("gigabyte", "black.lines.txt").len() <= 2 << 20);
    let errors = of("flood-errors", "black.stderr.txt");
    let length = errors.len();
    assert!((1024..=64 * 1024).contains(&length), "{length}");

    // A move that was answered counts, whatever the bot does next.
    let plies = &game("answer-and-leave")["plies"];
    assert_eq!(plies, "4", "two moves of each side");
    let warning = "bad-parting exited with exit status 7";
    let warned = games
        .iter()
        .filter(|game| game["warnings"].contains(warning));
    assert_eq!(warned.count(), 2, "its results stand, with a warning");
}

/// No terminal, spreadsheet or text editor takes what a bot wrote for anything but text.
fn nothing_in_the_tables_is_dangerous(desk: &Desk, said: &str) {
    for name in ["games.csv", "moves.csv", "standings.csv", "pairs.csv"] {
        for row in table(&desk.path("run").join(name)) {
            for (column, cell) in row {
                assert!(!cell.contains(char::is_control), "{name} {column} {cell:?}");
                assert!(!cell.contains('\u{202e}'), "{name} {column} {cell:?}");
                let number = cell.parse::<f64>().is_ok();
                let formula = cell.starts_with(['=', '+', '-', '@']) && !number;
                assert!(!formula, "{name} {column} {cell:?}");
            }
        }
    }
    let file = fs::read_to_string(desk.path("run/run.toml")).expect("text");
    for text in [&file, said] {
        let plain = |c: char| c == '\n' || !c.is_control();
        assert!(text.chars().all(plain), "{text}");
    }
}

/// Told at the end, since no game follows that could tell it.
#[test]
fn what_bots_do_behind_the_last_game_is_warned_of() {
    let desk = Desk::new();
    let arena = env!("CARGO_BIN_EXE_arena");
    desk.write(
        "leaves.sh",
        &format!("'{arena}' bot random\necho '# new' >> leaves.sh\nexit 3\n"),
    );
    let words = [
        "match",
        "leaves=sh leaves.sh",
        "random",
        "-n",
        "2",
        "--out",
        "run",
    ];
    let output = desk.run(words);
    let said = crate::common::both(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("warning: leaves exited with exit status 3"),
        "{said}"
    );
    assert!(
        said.contains("leaves.sh has changed since the run began"),
        "{said}"
    );
}

/// The C library would let `/bin/sh` read them.
#[test]
fn a_file_that_is_no_program_is_refused_and_not_read_by_a_shell() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    for text in ["", "touch was-run\n", "\0\u{1}\u{2}garbage"] {
        desk.write("bot", text);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(desk.path("bot"), mode).expect("our own file");
        let output = desk.run(["match", "./bot", "random", "-n", "2"]);
        let said = crate::common::both(&output);
        assert_eq!(output.status.code(), Some(3), "{text:?}: {said}");
        assert!(said.contains("is not a program for this machine"), "{said}");
        assert!(!desk.path("was-run").exists(), "{said}");
    }
}

/// A hand-in's text must not reach a terminal that obeys it.
#[test]
fn what_a_terminal_obeys_is_shown_and_not_sent() {
    let desk = Desk::new();
    fs::create_dir(desk.path("bad")).expect("a folder");
    let manifest = "x = \"\u{1b}]0;owned\u{7}\" # \u{202e}evil\u{2066}\ncomand = [\"\u{9b}2J\"]\n";
    for text in [manifest, "x\u{1b}[2J = 1\n", "\u{1b}[2J\n"] {
        desk.write("bad/bot.toml", text);
        let output = desk.run(["match", "bad", "greedy"]);
        assert_eq!(output.status.code(), Some(2));
        let said = crate::common::both(&output);
        let obeyed = said.chars().filter(|c| {
            (c.is_control() && *c != '\n')
                || ('\u{202a}'..='\u{202e}').contains(c)
                || *c == '\u{2066}'
        });
        assert_eq!(obeyed.count(), 0, "{said:?}");
        assert!(said.contains("bad/bot.toml"), "{said}");
    }
}
