//! A class always ends, and each hand-in has a row with its own mark, whatever it is called and whatever is in it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::players::AI_PLAYER;
use super::{SUITE, rows};
use crate::common::{Desk, both, says};

/// A folder with a bot that beats `random`.
fn hand_in(folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    let command = format!(
        "command = [{:?}, \"bot\", \"greedy\"]\n",
        env!("CARGO_BIN_EXE_arena")
    );
    fs::write(folder.join("bot.toml"), command).expect("a file");
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("small.toml", &format!("sandbox = \"off\"\n{SUITE}"));
    fs::create_dir(desk.path("class")).expect("a folder");
    desk
}

fn grade(desk: &Desk) -> (Option<i32>, String) {
    let words = "grade --all class --suite small.toml -j 2";
    let output = desk.run(words.split(' '));
    (output.status.code(), both(&output))
}

#[test]
fn no_name_costs_points_and_none_ends_the_class() {
    let desk = desk();
    let class = desk.path("class");
    let long = ["n".repeat(255), "\u{20000}".repeat(63), "长".repeat(85)];
    let names = [
        "class.csv",
        "class.html",
        "class.lock",
        "summary.md",
        "earlier",
        "hand-ins",
        "random",
        "RANDOM-graded",
        "arena.db",
        "a b\n\u{202e}c",
        "=1+1",
        "~",
        "...x",
    ];
    for name in names.into_iter().chain(long.iter().map(String::as_str)) {
        // A name that begins with a dot is hidden, not a hand-in.
        if !name.starts_with('.') {
            hand_in(&class.join(name));
        }
    }
    let (code, said) = grade(&desk);
    let rows = rows(&desk);
    let not_passed: Vec<_> = rows
        .values()
        .filter(|row| !row["state"].ends_with("passed"))
        .map(|row| (&row["submission"], &row["state"], &row["note"]))
        .collect();
    assert!(not_passed.is_empty(), "{not_passed:?}\n{said}");
    assert_eq!(rows.len(), names.len() - 1 + long.len(), "{said}");
    assert!(code.is_some_and(|code| code < 2), "{said}");
    // The second grading finds every mark again.
    let (_, again) = grade(&desk);
    assert_eq!(again.matches(" (unchanged)").count(), rows.len(), "{again}");
}

#[test]
fn what_cannot_be_judged_is_not_graded_and_named() {
    let desk = desk();
    let class = desk.path("class");
    let not_text = |text: &[u8]| PathBuf::from(OsStr::from_bytes(text));
    hand_in(&class.join("ada"));
    hand_in(&class.join(not_text(b"al\xffan")));
    hand_in(&class.join("inner"));
    fs::write(class.join("inner").join(not_text(b"\xfe.txt")), "x").expect("a file");
    for file in ["empty.py", "empty.c", "empty.zip", "blank/main.py"] {
        fs::create_dir_all(class.join(file).parent().expect("one")).expect("a folder");
        fs::write(class.join(file), "").expect("a file");
    }
    desk.write("secret", "the teacher's");
    for (name, link, target) in [
        ("out", "data", "../../secret"),
        ("outer", "data", "/etc"),
        ("absolute", "data", "/etc/passwd"),
        ("hidden", "data", "__pycache__/data"),
        ("within", "data", "bot.toml"),
    ] {
        hand_in(&class.join(name));
        symlink(target, class.join(name).join(link)).expect("a link");
    }
    fs::create_dir(class.join("hidden/__pycache__")).expect("a folder");
    fs::write(class.join("hidden/__pycache__/data"), "x").expect("a file");
    let (code, said) = grade(&desk);
    let rows = rows(&desk);
    let mut wrong = String::new();
    for (name, state, note) in [
        ("ada", "passed", ""),
        ("al\\xffan/", "not graded", "is not UTF-8"),
        ("inner", "not graded", "\u{fffd}.txt"),
        ("empty.py", "not graded", "is empty"),
        ("empty.c", "not graded", "is empty"),
        ("empty.zip", "not graded", "is empty"),
        ("blank", "not graded", "is empty"),
        ("out", "not graded", "data is a link"),
        ("outer", "not graded", "data is a link"),
        ("absolute", "not graded", "data is a link"),
        ("hidden", "not graded", "data is a link"),
        ("within", "passed", ""),
    ] {
        match rows.get(name) {
            Some(row) if row["state"].ends_with(state) && row["note"].contains(note) => {}
            Some(row) => wrong += &format!("{name}: {} {}\n", row["state"], row["note"]),
            None => wrong += &format!("{name}: no row\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}{said}");
    assert_eq!(rows.len(), 12, "{said}");
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn a_class_of_an_earlier_arena_goes_on() {
    let desk = desk();
    for name in ["ada", "alan"] {
        hand_in(&desk.path("class").join(name));
    }
    grade(&desk);
    // Runs lay beside the tables.
    let out = desk.path("results/small");
    for name in ["ada", "alan"] {
        fs::rename(out.join("hand-ins").join(name), out.join(name)).expect("a run");
    }
    fs::remove_dir(out.join("hand-ins")).expect("it is empty");
    let (_, said) = grade(&desk);
    assert_eq!(said.matches(" (unchanged)").count(), 2, "{said}");
    assert!(out.join("hand-ins/ada/arena.db").is_file());
    assert!(!out.join("ada").exists());
}

#[test]
fn a_cache_that_takes_nothing_is_the_machines_fault() {
    let desk = desk();
    hand_in(&desk.path("class/ada"));
    let bot = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/bots/c/bot.c"));
    desk.write("class/alan.c", &bot.expect("a bot of ours"));
    desk.write("class/grace.py", AI_PLAYER);
    let tar = tar::Builder::new(fs::File::create(desk.path("class/edsger.tar")).expect("a file"));
    tar.into_inner().expect("an empty archive");
    // No folder can be made in a file.
    desk.write("full", "");
    let words = "grade --all class --suite small.toml";
    let mut arena = desk.arena(words.split(' '));
    let output = arena.env("XDG_CACHE_HOME", desk.path("full")).output();
    let output = output.expect("the arena starts");
    let said = both(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    let rows = rows(&desk);
    assert!(rows["ada"]["state"].ends_with("passed"), "{said}");
    for student in ["alan", "grace", "edsger"] {
        let row = &rows[student];
        assert_eq!(row["state"], "not graded", "{student}: {said}");
        assert_eq!(row["points"], "", "{student}");
        // The system's own words.
        says(&row["note"], &["Not a directory"]);
    }
    // A bot alone has the same exit code.
    let mut arena = desk.arena("grade class/alan.c --suite small.toml".split(' '));
    let output = arena.env("XDG_CACHE_HOME", desk.path("full")).output();
    assert_eq!(output.expect("it starts").status.code(), Some(4));
}

#[test]
fn the_cache_has_a_size_and_drops_what_was_not_used_for_longest() {
    let desk = desk();
    let grade = |student: &str, mib: &str| {
        let words = format!("grade {student}.tar --suite small.toml --out {student}{mib}");
        let mut arena = desk.arena(words.split(' '));
        let arena = arena.env("XDG_CACHE_HOME", desk.path("cache"));
        let output = arena
            .env("ARENA_CACHE_MIB", mib)
            .output()
            .expect("it starts");
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{}",
            both(&output)
        );
    };
    for student in ["ada", "alan"] {
        let folder = desk.path(student);
        hand_in(&folder);
        fs::write(folder.join("table.bin"), vec![0; 3 << 20]).expect("a file");
        let file = fs::File::create(desk.path(format!("{student}.tar"))).expect("a file");
        let mut tar = tar::Builder::new(file);
        tar.append_dir_all(student, &folder).expect("an archive");
        tar.into_inner().expect("an archive");
    }
    let kept = || {
        let entries = fs::read_dir(desk.path("cache/arena/hand-ins")).expect("a folder");
        entries
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .count()
    };
    grade("ada", "5");
    grade("alan", "5");
    assert_eq!(kept(), 2, "it was not full before");
    grade("alan", "4");
    assert_eq!(kept(), 1);
    // It is the other that is gone, and it comes back.
    grade("alan", "3");
    grade("ada", "9");
    assert_eq!(kept(), 2);
}

#[test]
fn a_mark_that_rests_on_more_than_play_is_named_and_played_again() {
    let desk = desk();
    let arena = env!("CARGO_BIN_EXE_arena");
    let player = format!(
        "if test -e started && ! test -e honest; then exit 1; fi\n: > started\nexec '{arena}' bot random\n"
    );
    desk.write("player.sh", &player);
    let player = "name = \"late\"\ncommand = [\"sh\", \"player.sh\"]";
    let suite = format!("sandbox = \"off\"\n{SUITE}").replace("use = \"random\"", player);
    desk.write("small.toml", &suite);
    hand_in(&desk.path("class/ada"));
    let audit = "grade --audit results/small".split(' ');
    let said = desk.exits(2, audit.clone());
    says(&said, &["results/small"]);
    // It starts when it is tried, and not in the games.
    grade(&desk);
    let said = desk.exits(1, audit.clone());
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("ada: "))
        .collect();
    assert_eq!(lines.len(), 1, "{said}");
    says(lines[0], &["game", "; to play it again: "]);
    let in_chinese = both(&desk.run(audit.clone().chain(["--lang", "zh-CN"])));
    says(&in_chinese, &["要重下：rm", "不只靠对局得出"]);
    let command = lines[0].rsplit_once("again: ").expect("a command").1;
    let removed = std::process::Command::new("sh")
        .args(["-c", command])
        .current_dir(desk.path(""))
        .status();
    assert!(removed.expect("a shell").success(), "{command}");
    desk.write("honest", "");
    let (_, said) = grade(&desk);
    assert!(!said.contains("(unchanged)"), "{said}");
    assert!(desk.path("results/small/earlier/ada-1/arena.db").is_file());
    desk.exits(0, audit);
}
