//! The transcripts of `tests/transcripts`: commands, and their output.
//!
//! A line `### what it shows` begins a test in an empty folder, which the output calls `[workdir]`. `-- name --` begins
//! a file in it; `+x` after the name makes it a program, `+hex` marks lines of bytes. After a command `$ arena …` comes
//! its output, with the exit status at the end if it is not 0. A command that is refused (status 2) must create no file
//! and print no jargon. `[..]`, once in a line, matches any text. `INSTA_UPDATE=always cargo test --test it
//! transcripts` updates the output.

use std::fs;
use std::path::Path;

use crate::common::folders::files;
use crate::common::{ScriptFile, Workdir};

/// Jargon of parsers and systems, which no message may contain.
const FOREIGN: &str = "os error|invalid type|invalid digit|invalid length|expected struct|expected one of|variant|\
                       sequence|i64|u64|f64|usize|..=|18446744073709551615|at line |deserializ|Some(|None|Err(|\
                       panicked|.draft";

#[test]
fn commands_print_the_recorded_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut wrong = String::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let was = fs::read_to_string(&path).expect("text");
        let now = played_again(&was);
        if now != was && std::env::var("INSTA_UPDATE").is_ok_and(|when| when == "always") {
            fs::write(&path, now).expect("a file");
        } else if let Some((line, (was, now))) = first_difference(&was, &now) {
            wrong += &format!("{}:{line}: {was:?}, and now {now:?}\n", path.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn first_difference<'a>(was: &'a str, now: &'a str) -> Option<(usize, (&'a str, &'a str))> {
    let lines = was.lines().chain([""]).zip(now.lines().chain([""]));
    (1..).zip(lines).find(|(_, (was, now))| was != now)
}

fn played_again(transcript: &str) -> String {
    let (mut workdir, mut text, mut file) = (Workdir::new(), String::new(), None);
    let mut lines = transcript.lines().peekable();
    while let Some(line) = lines.next() {
        text += &format!("{line}\n");
        if line.starts_with("### ") {
            (workdir, file) = (Workdir::new(), None);
        } else if let Some(begun) = ScriptFile::begin(line, &workdir.path("")) {
            file = Some(begun);
        } else if let Some(typed) = line.strip_prefix("$ arena ") {
            file = None;
            let mut was = Vec::new();
            while let Some(line) = lines.next_if(|line| !is_mark(line)) {
                was.push(line);
            }
            text += &printed(&workdir, typed, &was);
        } else if let Some(file) = &file {
            file.add(line);
        }
    }
    text
}

fn is_mark(line: &str) -> bool {
    ["### ", "$ arena ", "-- "]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Returns the current output. A line that matches its expected line is replaced by the expected line.
fn printed(workdir: &Workdir, typed: &str, was: &[&str]) -> String {
    let words = typed
        .split('\'')
        .enumerate()
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
    let before = files(&workdir.path(""));
    let output = workdir.run(words);
    if output.status.code() == Some(2) {
        assert_eq!(
            files(&workdir.path("")),
            before,
            "{typed}: something was created"
        );
        let printed = String::from_utf8_lossy(&output.stderr);
        let foreign = FOREIGN.split('|').find(|word| printed.contains(word));
        assert_eq!(foreign, None, "{typed}: {printed}");
    }
    let printed = [output.stdout, output.stderr].concat();
    // Removes line breaks inside sentences, because paths differ in length.
    let printed = String::from_utf8(printed)
        .expect("text")
        .replace("\n  │", "")
        .replace("\n        ", " ");
    let printed = printed.replace(&workdir.path("").display().to_string(), "[workdir]/");
    let printed = printed.replace(env!("CARGO_BIN_EXE_arena"), "[arena]");
    let mut lines: Vec<String> = printed
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    match output.status.code() {
        Some(0) => {}
        code => lines.push(format!("exit {}", code.expect("no signal"))),
    }
    for (line, was) in lines.iter_mut().zip(was) {
        if matches(was, line) {
            (*was).clone_into(line);
        }
    }
    lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect::<Vec<_>>()
        .concat()
}

fn matches(pattern: &str, line: &str) -> bool {
    let parts = pattern.split_once("[..]");
    parts.is_some_and(|(start, end)| {
        line.strip_prefix(start)
            .is_some_and(|rest| rest.ends_with(end))
    })
}
