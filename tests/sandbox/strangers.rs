//! Hand-ins whose `bot.toml`, name, links or build reach for what is not theirs: nobody gets it, and nobody
//! is without a mark for it, or keeps others from theirs.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::common::Row;
use super::place::{PYTHON, Place, machine, places};

const SUITE: &str = "name = \"small\"\ngame = \"othello\"\ngames = 2\nopenings = \"none\"\nmove_ms = 5000\n\
                     [grade]\nthreshold = 0.5\n[[bot]]\nuse = \"random\"\n";
const BOT: &str = include_str!("../bots/stranger.py");

/// What may come of a hand-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It plays its games, and gets nothing.
    Plays,
    /// It is told why it cannot play, and has no points.
    Unusable,
    /// One of the two, as the user may or may not read what the build left.
    Either,
}

use End::{Either, Plays, Unusable};

struct Class<'a> {
    place: &'a Place,
    expected: BTreeMap<String, End>,
}

impl Class<'_> {
    /// A folder with this command and more in its `bot.toml`.
    fn add(&mut self, name: &str, end: End, command: &[&str], more: &str) {
        self.place.make_folder(&format!("class/{name}"));
        self.place.write(&format!("class/{name}/bot.py"), BOT);
        let toml = format!("command = {command:?}\n{more}");
        self.place.write(&format!("class/{name}/bot.toml"), &toml);
        self.expected.insert(name.to_owned(), end);
    }

    fn link(&self, name: &str, target: &str) {
        symlink(target, self.place.path(&format!("class/{name}"))).expect("a link");
    }
}

/// All of them. The file `canary` is nobody's business.
fn class<'a>(place: &'a Place, canary: &str) -> Class<'a> {
    place.make_folder("class");
    let mut class = Class {
        place,
        expected: BTreeMap::new(),
    };
    let bob = place.path("class/bob/bot.py").display().to_string();
    let reads = ["bot.py", canary, &bob, "/etc/shadow"];
    let with = |program: &'static str| [&[program][..], &reads].concat();
    let build = |script: &str| format!("build = [\"sh\", \"-c\", {script:?}]\n");

    class.add("bob", Plays, &[PYTHON, "-ES", "bot.py"], "");
    place.make_folder("class/bob/bin");
    for program in ["class/bob/prog", "class/bob/bin/run"] {
        let path = place.write(program, &format!("#!{PYTHON}\n{BOT}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own");
    }
    // The whole machine, by another of its names.
    class.add("dots", Plays, &with("/home/../usr/bin/python3"), "");
    class.add("proc", Either, &with("/proc/self/root/usr/bin/python3"), "");
    class.add("root-link", Either, &with("x/usr/bin/python3"), "");
    class.link("root-link/x", "/");
    // Somebody else's program, and the arena's.
    class.add("others", Unusable, &["../bob/prog"], "");
    class.add("others-bin", Unusable, &["../bob/bin/run", "bot.py"], "");
    class.add("arena", Unusable, &["/.arena", "bot", "alphabeta"], "");
    // A link that is another program when it has been looked at.
    let again = format!("rm go; printf '#!{PYTHON}\\n' > go; cat bot.py >> go; chmod +x go");
    class.add("swaps", Plays, &["./go", canary, &bob], &build(&again));
    class.link("swaps/go", canary);
    // A build that leaves what cannot be read, or would hold everybody up.
    let python = [PYTHON, "-ES", "bot.py"];
    let leaves = [
        ("closed-folder", Either, "mkdir -p d; chmod 000 d"),
        ("closed-file", Either, "echo x > f; chmod 000 f"),
        (
            "sparse",
            Unusable,
            "for n in 1 2 3 4 5 6; do truncate -s 2G $n; done",
        ),
        ("no-text", Unusable, "touch $(printf 'a\\377b')"),
        ("pipe", Unusable, "mkfifo p"),
    ];
    for (name, end, script) in leaves {
        class.add(name, end, &python, &build(script));
    }
    let deep = "import os\nfor n in range(30):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)\n";
    class.add(
        "deep",
        Either,
        &python,
        &format!("build = [{PYTHON:?}, \"-c\", {deep:?}]\n"),
    );
    class.add(
        "cores",
        Plays,
        &python,
        "cores = 2\nkeep_folder = true\nmemory_mib = 100000\n",
    );
    for name in ["-e.py", "esc\u{1b}[31m.py"] {
        place.write(&format!("class/{name}"), BOT);
    }
    class.expected.insert("-e".to_owned(), Plays);
    class.expected.insert("esc\\u{1b}[31m".to_owned(), Plays);
    class
}

fn end_of(row: &Row) -> Option<End> {
    match row["state"].as_str() {
        "passed" | "not passed" if row["faults"] == "0" => Some(Plays),
        "unusable" => Some(Unusable),
        _ => None,
    }
}

#[test]
fn nobody_gets_what_is_not_his_and_everybody_has_a_mark() {
    let _machine = machine();
    for place in places() {
        let name = place.name();
        let canary = place.write("canary", "secret").display().to_string();
        let class = class(&place, &canary);
        place.write("small.toml", SUITE);
        let (rows, said) = place.grade("out");
        assert!(!said.contains('\u{1b}'), "{name}: {said:?}");
        let mut wrong = String::new();
        for (hand_in, expected) in &class.expected {
            // A table begins no cell with what a spreadsheet takes for a formula.
            let is_it = |row: &&Row| row["submission"].trim_start_matches('\'') == hand_in;
            let row = rows.iter().find(is_it);
            let end = row.and_then(end_of);
            if end.is_none() || *expected != Either && end != Some(*expected) {
                wrong += &format!("{hand_in}: {expected:?} was due: {row:?}\n");
            }
        }
        assert_eq!(rows.len(), class.expected.len(), "{name}: {said}");
        assert!(wrong.is_empty(), "{name}: {wrong}\n{said}");
    }
}

/// An archive of three megabytes whose only entry has a name of hundreds.
#[test]
fn a_name_without_end_is_refused_unread() {
    let _machine = machine();
    let Some(place) = places().into_iter().next() else {
        return;
    };
    place.make_folder("class");
    place.write("small.toml", SUITE);
    let script = "import gzip, tarfile\n\
        header = tarfile.TarInfo('././@LongLink')\nheader.type = tarfile.GNUTYPE_LONGNAME\n\
        header.size = 300 << 20\n\
        with gzip.open('class/long.tar.gz', 'wb', compresslevel=1) as file:\n    \
        file.write(header.tobuf())\n    \
        for _ in range(300): file.write(b'x' * (1 << 20))\n    \
        file.write(tarfile.TarInfo('bot.py').tobuf() + bytes(1024))\n";
    let made = place.command(PYTHON).args(["-c", script]).status();
    assert!(made.expect("it starts").success());
    let (rows, said) = place.grade("out");
    assert_eq!(rows[0]["state"], "not graded", "{said}");
    assert!(
        rows[0]["note"].contains("a name that is too long"),
        "{said}"
    );
}
