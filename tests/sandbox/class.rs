//! A class of sixty, of whom twenty are hostile: each gets a row and a reason, the marks of the others are
//! what they would have been, and outside the results nothing has changed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use super::common::{Row, nobody_is_left};
use super::place::{PYTHON, Place, machine_alone, places};

const HONEST: usize = 40;
const SUITE: &str = r#"
name = "small"
game = "othello"
games = 2
openings = "none"
move_ms = 400
build_ms = 2000
[grade]
threshold = 0.5
[[bot]]
use = "random"
"#;

/// Plays the legal move with its own number.
fn honest(number: usize) -> String {
    format!(
        "import json, sys\nfor line in sys.stdin:\n    said = json.loads(line)\n    \
         if said['type'] == 'hello':\n        print('{{\"type\":\"ready\"}}', flush=True)\n    \
         elif said['type'] == 'turn':\n        legal = said['legal']\n        \
         print(json.dumps({{'move': legal[{number} % len(legal)]}}), flush=True)\n    \
         elif said['type'] == 'quit':\n        break\n"
    )
}

/// What is expected of each hostile hand-in: its state, and a word of its note. `-`: it plays its games as
/// if it tried nothing.
const HOSTILE: [(&str, &str, &str); 20] = [
    ("children", "not passed", "out-of-time in 2 of 2 games"),
    ("spinners", "not passed", "out-of-time in 2 of 2 games"),
    ("stop-arena", "not passed", "out-of-time in 2 of 2 games"),
    ("kill", "-", ""),
    ("inject", "-", ""),
    ("source", "-", ""),
    ("record", "-", ""),
    ("late-edit", "-", ""),
    ("no-room", "-", ""),
    ("other-core", "-", ""),
    ("memory", "not passed", "out-of-memory"),
    // Without cgroups a refusal is not counted: the limits of a box have a test of their own.
    ("forks", "not passed", "in 2 of 2 games"),
    ("daemon", "-", ""),
    ("gigabyte", "not passed", "line-too-long"),
    ("stop-itself", "not passed", "out-of-time"),
    ("hole", "not graded", "1 TiB"),
    ("pipe", "not graded", "is a pipe"),
    ("loop", "not graded", "leads nowhere"),
    ("build-hangs", "unusable", "had not ended"),
    ("build-leaves", "-", ""),
];

fn put(place: &Place, name: &str, script: &str, words: &[&str], more: &str) {
    let folder = format!("class/{name}");
    place.make_folder(&folder);
    place.write(&format!("{folder}/bot.py"), script);
    let command = [&[PYTHON, "-ES", "bot.py"], words].concat();
    place.write(
        &format!("{folder}/bot.toml"),
        &format!("command = {command:?}\n{more}"),
    );
}

/// Adds the hostile ones to the class. `marker` finds their processes.
fn add_hostile(place: &Place, marker: &str) {
    let cheat = include_str!("../bots/cheat.py");
    let greedy = include_str!("../bots/greedy_for_more.py");
    let misbehave = include_str!("../bots/misbehave.py");
    let results = place.path("results/small").display().to_string();
    let victim = place.path("class/honest-00/bot.py").display().to_string();
    for (mode, ..) in &HOSTILE[..10] {
        put(
            place,
            mode,
            cheat,
            &[mode, marker, &results, &victim, "bot random"],
            "",
        );
    }
    for (mode, more) in [
        ("memory", "memory_mib = 128\n"),
        ("forks", "processes = 32\n"),
        ("daemon", ""),
    ] {
        put(place, mode, greedy, &[mode, marker], more);
    }
    for mode in ["gigabyte", "stop-itself"] {
        put(place, mode, misbehave, &[mode, marker], "");
    }
    // A hole of a terabyte takes no room.
    put(place, "hole", &honest(0), &[], "");
    let hole = File::create(place.path("class/hole/data")).expect("a file");
    hole.set_len(1 << 40).expect("a hole");
    put(place, "pipe", &honest(0), &[], "");
    let fifo = place.path("class/pipe/fifo").display().to_string();
    assert!(
        place
            .command("mkfifo")
            .arg(fifo)
            .status()
            .expect("mkfifo")
            .success()
    );
    symlink(place.path("class/loop"), place.path("class/loop")).expect("a link");
    let build = |script: &str| format!("build = [\"sh\", \"-c\", {script:?}, {marker:?}]\n");
    put(
        place,
        "build-hangs",
        &honest(1),
        &[],
        &build("sleep 600; exit 1"),
    );
    let leaves = "echo x > ../outside; echo x > ../honest-01/bot.py; setsid sleep 600 & exit 0";
    put(place, "build-leaves", &honest(2), &[], &build(leaves));
}

/// Every file below, with what is in it as far as it is read.
fn files(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, kind) = (entry.path(), entry.file_type().expect("it is there"));
        let name = path.display().to_string();
        if kind.is_dir() {
            files(&path, found);
        } else if kind.is_file() && entry.metadata().expect("it is there").len() < 1 << 20 {
            found.insert(name, fs::read(&path).expect("a file"));
        } else {
            found.insert(name, Vec::new());
        }
    }
}

/// Grades the class into its results; the rows by name, and what was said.
fn grade(place: &Place, out: &str) -> (BTreeMap<String, Row>, String) {
    let (rows, said) = place.grade(out);
    let rows = rows.into_iter().map(|row| (row["submission"].clone(), row));
    (rows.collect(), said)
}

#[test]
fn twenty_who_are_hostile_change_no_mark_of_forty() {
    let _machine = machine_alone();
    // As an ordinary user where the tests run as root, and in the best box.
    let place = places().into_iter().rfind(|place| place.tier == "strict");
    let Some(place) = place else { return };
    let marker = place.path("hostile").display().to_string();
    place.make_folder("class");
    place.write("small.toml", SUITE);
    for number in 0..HONEST {
        put(
            &place,
            &format!("honest-{number:02}"),
            &honest(number),
            &[],
            "",
        );
    }
    let (without, said) = grade(&place, "before");
    assert_eq!(without.len(), HONEST, "{said}");
    add_hostile(&place, &marker);
    let mut before = BTreeMap::new();
    files(&place.path("class"), &mut before);

    let (rows, said) = grade(&place, "results/small");
    nobody_is_left(&marker);
    let mut after = BTreeMap::new();
    files(&place.path("class"), &mut after);
    let is_as_before = |file: &&String| before.get(*file) == after.get(*file);
    let changed: Vec<_> = after.keys().filter(|file| !is_as_before(file)).collect();
    assert!(
        changed.is_empty() && before.len() == after.len(),
        "{changed:?}"
    );
    assert_eq!(rows.len(), HONEST + HOSTILE.len(), "{said}");
    let mark = |row: &Row| {
        ["state", "points", "random_win_rate", "faults"].map(|column| row[column].clone())
    };
    for (name, row) in &without {
        assert_eq!(mark(row), mark(&rows[name]), "{name}: {said}");
        assert_eq!(row["faults"], "0", "{name}: {row:?}");
    }
    let mut wrong = String::new();
    for (name, state, note) in HOSTILE {
        let row = &rows[name];
        let is_right = match state {
            "-" => row["faults"] == "0" && row["state"].ends_with("passed"),
            state => row["state"] == state,
        };
        if !is_right || !row["note"].contains(note) {
            wrong += &format!(
                "{name}: {} {} {}\n",
                row["state"], row["faults"], row["note"]
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{said}");
}
