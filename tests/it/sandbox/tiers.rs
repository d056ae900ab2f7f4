//! What plays in every tier, and what happens where a machine cannot hold one.

use std::fs;
use std::path::Path;

use crate::common::folders::folder_bots;
use crate::common::place::{PYTHON, Place, User, places};
use crate::common::{both, nobody_is_left, table};

#[test]
fn every_language_plays_in_every_box() {
    let places = places();
    let ours = places.iter().filter(|place| place.user == User::Ourselves);
    let bots = folder_bots();
    for place in ours {
        for bot in &bots {
            let (name, folder) = (bot.name(), bot.folder.display().to_string());
            let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
            // Compilers and interpreters may be anywhere that the developer has them.
            for variable in ["PATH", "HOME"] {
                arena.env(variable, std::env::var_os(variable).unwrap_or_default());
            }
            let words = [
                "match",
                &folder,
                "random",
                "-n",
                "2",
                "--move-ms",
                "300",
                "--margin-ms",
                "9000",
                "--out",
                &name,
            ];
            arena.args(words).args(["--sandbox", place.tier]);
            let output = arena.output().expect("the arena starts");
            assert!(output.status.success(), "{}", both(&output));
            let games = table(&place.path(&name).join("games.csv"));
            let faults: Vec<_> = games.iter().map(|row| row["at_fault"].as_str()).collect();
            assert_eq!(faults, ["", ""], "{name}, {}", place.tier);
        }
    }
}

#[test]
fn a_build_changes_its_folder_and_nothing_else() {
    for place in places() {
        let context = place.name();
        let marker = place.path("built-by").display().to_string();
        let folder = place.make_folder("made");
        let script = "echo 'import random' > made.py; echo x > ../outside; echo x > /tmp/arena-build-left; \
                      setsid sleep 600 & exit 0";
        let toml = format!(
            "command = [{PYTHON:?}, \"bot.py\", {marker:?}]\nbuild = [\"sh\", \"-c\", {script:?}, {marker:?}]\n"
        );
        place.write("made/bot.toml", &toml);
        place.write(
            "made/bot.py",
            "import json, sys\nimport made\nfor line in sys.stdin:\n    said = json.loads(line)\n    \
             if said['type'] == 'hello':\n        print('{\"type\":\"ready\"}', flush=True)\n    \
             elif said['type'] == 'turn':\n        print(json.dumps({'move': said['legal'][0]}), flush=True)\n",
        );
        let bot = folder.display().to_string();
        let output = place.arena(&["match", &bot, "random", "-n", "2", "--out", "run"]);
        assert!(output.status.success(), "{context}: {}", both(&output));
        assert!(place.path("made/made.py").exists(), "{context}");
        assert!(!place.path("outside").exists(), "{context}");
        assert!(!Path::new("/tmp/arena-build-left").exists(), "{context}");
        nobody_is_left(&marker);
    }
}

/// Its number of starts, as it counts them in the folder that stays.
const COUNTS: &str = r#"
import json, os, sys
path = os.path.join(os.environ["ARENA_FOLDER"], "starts")
starts = int(open(path).read()) + 1 if os.path.exists(path) else 1
open(path, "w").write(str(starts))
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif said["type"] == "turn":
        print(json.dumps({"move": said["legal"][0]}), flush=True)
"#;

#[test]
fn a_folder_that_stays_is_the_bots_own() {
    for place in places() {
        let [keeps, other] = ["keeps", "other"].map(|name| {
            let folder = place.make_folder(name);
            place.write(&format!("{name}/bot.py"), COUNTS);
            place.write(
                &format!("{name}/bot.toml"),
                &format!(
                    "command = [{PYTHON:?}, \"bot.py\"]\nkeep_folder = true\nrestart = \"always\"\n"
                ),
            );
            folder.display().to_string()
        });
        let output = place.arena(&["match", &keeps, &other, "-n", "4", "--out", "run"]);
        assert!(
            output.status.success(),
            "{}: {}",
            place.name(),
            both(&output)
        );
        for name in ["keeps", "other"] {
            // Of four games; when the arena looked at it before them, it was given another folder.
            let starts = fs::read_to_string(place.path(&format!("run/kept/{name}/starts")));
            assert_eq!(starts.expect("it is kept"), "4", "{name}, {}", place.name());
        }
        assert!(!place.path("keeps/starts").exists(), "{}", place.name());
    }
}

/// `bwrap` is looked for in the `PATH`.
#[test]
fn a_machine_that_cannot_hold_a_box_says_so() {
    let place = Place::new(User::Ourselves, "strict");
    if !place.is_there() {
        return;
    }
    let without = |words: &str| {
        let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
        // What a box needs to be tried is there, but not bubblewrap.
        let programs = place.path("programs");
        let _ = std::os::unix::fs::symlink("/usr/bin/true", programs.join("true"));
        arena.args(words.split(' ')).env("PATH", programs);
        let output = arena.output().expect("the arena starts");
        (output.status.code(), both(&output))
    };
    place.make_folder("programs");
    let (code, said) = without("match random greedy -n 2 --sandbox strict --out one");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("apt-get install bubblewrap"), "{said}");
    let (code, said) = without("match random greedy -n 2 --sandbox auto --out two");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("sandbox: standard") && said.contains("not strict, because"),
        "{said}"
    );
    let run = fs::read_to_string(place.path("two/run.toml")).expect("a run");
    assert!(run.contains("sandbox = \"standard\""), "{run}");
    // A run goes on in the box that it began in, or not at all.
    let (code, said) = without("resume tried");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot hold a strict sandbox"), "{said}");
}

#[test]
fn a_grade_is_in_a_box_unless_told_otherwise() {
    let places = places();
    let Some(place) = places.first() else { return };
    let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
    place.write(
        "small.toml",
        "game = \"othello\"\ngames = 2\nmove_ms = 5000\n[grade]\nthreshold = 0.5\n[[bot]]\nuse = \"random\"\n",
    );
    let words = "grade greedy --suite small.toml --out grade";
    let output = arena.args(words.split(' ')).output().expect("it starts");
    let said = both(&output);
    assert!(
        said.contains("sandbox: strict") || said.contains("sandbox: standard"),
        "{said}"
    );
    let run = fs::read_to_string(place.path("grade/run.toml")).expect("a run");
    assert!(run.contains("sandbox = \"s"), "{run}");
}
