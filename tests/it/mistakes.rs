//! What beginners do wrong, planted one mistake at a time into the example bots that they copy:
//! `arena check` names each, and says how to fix it.
//!
//! A row of `tests/mistakes.csv` is a mistake: what stands in the example, and what stands there instead, once or twice,
//! and the code and words of the finding. A language whose compiler is missing is left out, unless
//! `ARENA_ALL_LANGUAGES` is set.

use std::fs;
use std::path::Path;

use crate::common::folders::is_missing;
use crate::common::{Desk, Row, both, judged, nothing_is_wrong, table};
use serde_json::Value;

/// An example in which mistakes are made.
struct Lesson {
    /// The program without which there is no such lesson.
    compiler: &'static str,
    example: &'static str,
    /// The file's name.
    file: &'static str,
    /// The `bot.toml` beside it; none: the file alone is recognised.
    manifest: &'static str,
}

const PYTHON: &str = include_str!("../../bots/python/bot.py");
const CPP: &str = include_str!("../../bots/cpp/bot.cpp");
const JAVA: &str = include_str!("../../bots/java/Bot.java");
const LESSONS: [Lesson; 3] = [
    Lesson {
        compiler: "python3",
        example: PYTHON,
        file: "bot.py",
        manifest: "",
    },
    Lesson {
        compiler: "g++",
        example: CPP,
        file: "bot.cpp",
        // Without the optimiser it is built in half the time.
        manifest: "build = [\"g++\", \"-O0\", \"-std=c++17\", \"-o\", \"bot\", \"bot.cpp\"]\ncommand = [\"./bot\"]\n",
    },
    Lesson {
        compiler: "javac",
        example: JAVA,
        file: "Bot.java",
        manifest: "",
    },
];

/// For bots that are silent or slow.
const SHORT: [&str; 4] = ["--move-ms", "300", "--silence-ms", "700"];

#[test]
fn every_planted_mistake_is_named() {
    let mistakes = table(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.csv"));
    let lesson = |row: &Row| {
        LESSONS
            .iter()
            .find(|lesson| lesson.compiler == row["compiler"])
    };
    let planted = mistakes
        .iter()
        .map(|row| (lesson(row).expect("a lesson"), row));
    let planted: Vec<_> = planted
        .filter(|(lesson, _)| !is_missing(lesson.compiler))
        .collect();
    let desk = Desk::new();
    nothing_is_wrong(&planted, |(lesson, mistake)| {
        let name = format!("{}-{}", lesson.compiler, mistake["name"]);
        lesson.plant(mistake, &desk.path(&name));
        misnamed(&desk, &name, mistake)
    });
}

impl Lesson {
    /// Writes the example with this mistake into a new folder.
    fn plant(&self, mistake: &Row, folder: &Path) {
        let mut text = self.example.to_owned();
        for (from, to) in [("from", "instead"), ("from_2", "instead_2")] {
            let (from, to) = (&mistake[from], &mistake[to]);
            assert!(text.contains(from), "{}: no {from:?}", mistake["name"]);
            text = text.replacen(from, to, 1);
        }
        fs::create_dir(folder).expect("a folder");
        fs::write(folder.join(self.file), text).expect("a file");
        if !self.manifest.is_empty() {
            fs::write(folder.join("bot.toml"), self.manifest).expect("a file");
        }
    }
}

/// What is wrong with what is said of the mistake in this folder.
fn misnamed(desk: &Desk, name: &str, mistake: &Row) -> Option<String> {
    let (code, expected) = (&mistake["code"], &mistake["says"]);
    let words = ["check", name, "--game", "othello", "--json"];
    let Some(output) = judged(desk, &words.into_iter().chain(SHORT)) else {
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
