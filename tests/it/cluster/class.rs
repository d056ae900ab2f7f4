//! A class in which every hand-in is a block: the marks are those of one machine.

use std::collections::BTreeMap;
use std::fs;

use super::schedulers::are_there;
use crate::common::{Desk, Row, both, says, table};

const SUITE: &str = "name = \"small\"\ngame = \"othello\"\ngames = 4\nmove_ms = 9000\n[grade]\n\
                     threshold = 0.5\n[[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n";

/// Plays the legal move with this number.
fn player(number: usize) -> String {
    format!(
        "import json, sys\nfor line in sys.stdin:\n    said = json.loads(line)\n    \
         if said['type'] == 'hello':\n        print('{{\"type\":\"ready\"}}', flush=True)\n    \
         elif said['type'] == 'turn':\n        legal = said['legal']\n        \
         print(json.dumps({{'move': legal[{number} % len(legal)]}}), flush=True)\n    \
         elif said['type'] == 'quit':\n        break\n"
    )
}

/// The rows of a class, without its times and the folders of its runs.
fn rows(desk: &Desk, folder: &str) -> Vec<Row> {
    let kept = |row: Row| -> BTreeMap<String, String> {
        let kept = row
            .into_iter()
            .filter(|(name, _)| name != "max_ms" && name != "folder");
        kept.collect()
    };
    let rows = table(&desk.path(folder).join("class.csv"));
    rows.into_iter().map(kept).collect()
}

#[test]
fn a_class_of_blocks_has_the_marks_of_one_machine() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    fs::create_dir(desk.path("class")).expect("a folder");
    for (number, name) in ["ada.py", "bob.py", "作业.py"].iter().enumerate() {
        desk.write(&format!("class/{name}"), &player(number));
    }
    desk.write("class/ada-again.py", &player(0));
    desk.write("class/broken.py", "import nothing_like_that\n");
    desk.write("class/report.pdf", "%PDF-1.4");
    let grade = ["grade", "--all", "class", "--suite", "small.toml"];
    let planned = desk.succeed(grade.into_iter().chain(["--plan", "big"]));
    says(&planned, &["6 hand-ins, a block each, planned in big"]);
    says(
        &desk.succeed(["status", "big"]),
        &["0 of 6 hand-ins", "ada~py"],
    );
    says(
        &desk.exits(2, ["shard", "big", "--index", "6"]),
        &["blocks 0 to 5"],
    );

    // Some of it may be merged; who has no grade yet has no mark.
    for block in ["1", "3"] {
        let output = desk.run(["shard", "big", "--index", block]);
        assert!(output.status.success(), "{}", both(&output));
    }
    says(&desk.succeed(["status", "big"]), &["2 of 6 hand-ins"]);
    let output = desk.run(["merge", "big"]);
    assert!(output.status.success(), "{}", both(&output));
    says(&both(&output), &["are not graded yet"]);
    let graded = |row: &&Row| row["state"].ends_with("passed");
    assert_eq!(rows(&desk, "big/graded").iter().filter(graded).count(), 1);

    let words = ["submit", "big", "--on", "parallel", "--missing"];
    if are_there(&["parallel"]) {
        desk.run(words);
    } else {
        (0..6).for_each(|block| drop(desk.run(["shard", "big", "--index", &block.to_string()])));
    }
    says(&both(&desk.run(words)), &["every block is whole"]);
    let output = desk.run(["merge", "big"]);
    assert!(output.status.success(), "{}", both(&output));
    let alone = grade.into_iter().chain(["--out", "alone"]);
    desk.run(alone);
    assert_eq!(rows(&desk, "big/graded"), rows(&desk, "alone"));
    assert_eq!(rows(&desk, "alone").len(), 6);
    // A hand-in that changed has no mark until it is graded again.
    desk.write("class/bob.py", &player(5));
    desk.run(["merge", "big"]);
    let merged = rows(&desk, "big/graded");
    let bob = merged
        .iter()
        .find(|row| row["submission"] == "bob")
        .expect("a row");
    assert_eq!(bob["state"], "unfinished", "{bob:?}");
}
