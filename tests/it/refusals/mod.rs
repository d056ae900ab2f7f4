//! What a person gets who writes something wrong, as it stands on the terminal, the exit status
//! first. Nothing is played and nothing is created by any of it.

mod bots;
mod manifests;
mod paths;
mod tournaments;
mod words;

use std::fs;
use std::path::Path;

use crate::common::{Desk, both};

const BOTS: &str = "[[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n";

/// What `arena` answers to these arguments, which it is to refuse.
fn refused(desk: &Desk, arguments: &[&str]) -> String {
    let before = files(&desk.path(""));
    let output = desk.run(arguments);
    assert_eq!(files(&desk.path("")), before, "something was created");
    assert!(output.stdout.is_empty(), "{}", both(&output));
    let said = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
    // Paths differ in length from machine to machine, and lines are broken after them.
    let said = lines
        .join("\n")
        .replace("\n  │", "")
        .replace("\n        ", " ")
        .replace(&desk.path("").display().to_string(), "[desk]/")
        .replace(env!("CARGO_BIN_EXE_arena"), "[arena]");
    let code = output.status.code().expect("no signal");
    format!("exit {code}\n{}", said.trim_end())
}

/// The same for a tournament file with this text.
fn refused_file(text: &str) -> String {
    let desk = Desk::new();
    desk.write("my.toml", text);
    refused(&desk, &["run", "my.toml"])
}

fn refused_words(arguments: &[&str]) -> String {
    refused(&Desk::new(), arguments)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        names.push(entry.path().display().to_string());
        if entry.path().is_dir() {
            names.extend(files(&entry.path()));
        }
    }
    names.sort();
    names
}

/// The catalogue grows; what is tested is that it is shown.
fn without_list(said: &str) -> String {
    let (before, list) = said.split_once("there are random, ").expect("a list");
    assert!(list.contains("greedy"), "{said}");
    format!("{before}there are …")
}
