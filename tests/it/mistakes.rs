//! Beginners' mistakes, made one at a time in the example bots: `arena check` names each, and explains how to fix it.
//!
//! A row of `tests/mistakes.csv` has one or two texts of the example with their replacements, and the code and words of
//! the finding. Languages without a compiler are skipped, unless `ARENA_ALL_LANGUAGES` is set.

use std::fs;
use std::path::Path;

use crate::common::folders::is_missing;
use crate::common::{Row, Workdir, assert_nothing_is_wrong, both, judged, table};
use serde_json::Value;

/// An example: the program that it needs, its file, and its `bot.toml` (empty: the file alone is recognised).
type Lesson = (&'static str, &'static str, &'static str);

const LESSONS: [Lesson; 3] = [
    ("python3", "bots/python/bot.py", ""),
    (
        "g++",
        "bots/cpp/bot.cpp",
        // The build takes half the time without optimisation.
        r#"build = ["g++", "-O0", "-std=c++17", "-o", "bot", "bot.cpp"]
command = ["./bot"]
"#,
    ),
    (
        "javac",
        "bots/java/Bot.java",
        // These options halve the time, too.
        r#"build = ["javac", "-J-XX:TieredStopAtLevel=1", "-encoding", "UTF-8", "-d", "classes", "Bot.java"]
command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "classes", "Bot"]
"#,
    ),
];

const SHORT: [&str; 4] = ["--move-ms", "300", "--silence-ms", "700"];

#[test]
fn every_planted_mistake_is_named() {
    let mistakes = table(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.csv"));
    let workdir = Workdir::new();
    let is_taught = |row: &&Row| !is_missing(&row["compiler"]);
    let planted: Vec<&Row> = mistakes.iter().filter(is_taught).collect();
    assert_nothing_is_wrong(&planted, |mistake| {
        let name = format!("{}-{}", mistake["compiler"], mistake["name"]);
        plant(mistake, &workdir.path(&name));
        misnamed(&workdir, &name, mistake)
    });
}

fn plant(mistake: &Row, folder: &Path) {
    let mut lessons = LESSONS.iter();
    let (_, example, manifest) = lessons
        .find(|(compiler, ..)| *compiler == mistake["compiler"])
        .expect("a lesson");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join(example);
    let mut text = fs::read_to_string(&example).expect("an example");
    for (from, to) in [("from", "instead"), ("from_2", "instead_2")] {
        let (from, to) = (&mistake[from], &mistake[to]);
        assert!(text.contains(from), "{}: no {from:?}", mistake["name"]);
        text = text.replacen(from, to, 1);
    }
    fs::create_dir(folder).expect("a folder");
    fs::write(folder.join(example.file_name().expect("a name")), text).expect("a file");
    if !manifest.is_empty() {
        fs::write(folder.join("bot.toml"), manifest).expect("a file");
    }
}

fn misnamed(workdir: &Workdir, name: &str, mistake: &Row) -> Option<String> {
    let (code, expected) = (&mistake["code"], &mistake["says"]);
    let words = ["check", name, "--game", "othello", "--json"];
    let Some(output) = judged(workdir, &words.into_iter().chain(SHORT)) else {
        return Some(format!("{name}: the machine is busy\n"));
    };
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let finding = report.as_ref().map(|report| &report["findings"][0]);
    let said = |key: &str| finding.and_then(|finding| finding[key].as_str());
    let text = ["what", "fix"].map(|key| said(key).unwrap_or_default());
    let is_named = said("code") == Some(code) && text.join(" ").contains(expected);
    let is_right = is_named && output.status.code() == Some(3);
    (!is_right).then(|| format!("{name}: expected {code}, {expected:?}\n{}\n", both(&output)))
}
