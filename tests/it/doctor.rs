//! `arena check` finds and names every prepared defect, and no problem in a sound bot. In `tests/bots`, `student.py`
//! has typical defects of students' bots, and `misbehave.py` other misbehaviour.

use std::path::Path;

use crate::common::{TableRow, Workdir, assert_nothing_is_wrong, both, judged, python, table};
use serde_json::Value;

/// A row of `doctor-defects.csv` has a script of `tests/bots`, its defect, the findings' codes, and options.
#[test]
fn every_prepared_defect_is_found_and_named_and_no_other() {
    let python = python();
    let cases = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/cases/doctor-defects.csv"
    );
    assert_nothing_is_wrong(&table(Path::new(cases)), |case| {
        examined(case, &python).err()
    });
}

fn examined(case: &TableRow, python: &str) -> Result<(), String> {
    let cell = |column: &str| case[column].as_str();
    let [script, defect, expected] = ["script", "defect", "codes"].map(cell);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/bots/{script}.py"));
    let bot = format!("{python} -ES {} {defect}", script.display());
    let workdir = Workdir::new();
    let options = cell("options").split_whitespace();
    let words = ["check", &bot, "--json"].into_iter().chain(options);
    let output =
        judged(&workdir, &words).ok_or_else(|| format!("{defect}: the machine is busy\n"))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{defect}: {error}\n{}", both(&output)))?;
    let findings = report["findings"].as_array().expect("a list");
    let codes = findings.iter().filter_map(|one| one["code"].as_str());
    let mut found: Vec<&str> = codes.collect();
    if found.is_empty() {
        found.push("-");
    }
    let found = found.join(" ");
    let is_wrong = findings.iter().any(|one| one["severity"] == "error");
    let status = if is_wrong { 3 } else { 0 };
    if found == expected && output.status.code() == Some(status) {
        return Ok(());
    }
    let printed = both(&output);
    Err(format!(
        "{defect}: expected {expected}, found {found}\n{printed}\n"
    ))
}

/// Returns the problems of a bot that should have none. Ignores warnings about its speed.
fn ails(workdir: &Workdir, bot: &str) -> Option<String> {
    let output = workdir.run(["check", bot, "--json", "--move-ms", "50"]);
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let Some(report) = report else {
        return Some(format!("{bot}: {}", both(&output)));
    };
    let findings = report["findings"].as_array().expect("a list").iter();
    let serious: Vec<&Value> = findings.filter(|one| one["code"] != "too-slow").collect();
    (!serious.is_empty()).then(|| format!("{bot}: {serious:#?}\n"))
}

#[test]
fn the_bots_that_ship_pass() {
    let workdir = Workdir::new();
    let list: Vec<Value> =
        serde_json::from_str(&workdir.succeed(["bots", "--json"])).expect("a list");
    let built_in = list
        .iter()
        .map(|bot| bot["name"].as_str().expect("a name").to_owned());
    let folders = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bots"));
    let folders = folders.expect("bots").flatten().map(|entry| entry.path());
    // A language model needs a server and a key.
    let folders = folders
        .filter(|folder| folder.join("bot.toml").is_file() && !folder.ends_with("llm"))
        .map(|folder| folder.display().to_string());
    let bots: Vec<String> = built_in.chain(folders).collect();
    assert_nothing_is_wrong(&bots, |bot| ails(&workdir, bot));
}

#[test]
fn the_readme_shows_the_real_output() {
    let pages = [
        ("en", include_str!("../../README.md")),
        ("zh", include_str!("../../README.zh-CN.md")),
    ];
    for (lang, readme) in pages {
        let block = |begin: &str| {
            let (_, rest) = readme.split_once(begin).expect(begin);
            rest.split_once("```").expect("an end").0.to_owned()
        };
        let bot = block("```python\n");
        let shown = block("$ arena check my_bot.py\n");
        let flushed = "\"name\": \"my bot\"}), flush=True)";
        assert!(bot.contains(flushed), "{bot}");
        let workdir = Workdir::new();
        let unflushed = bot.replace(flushed, "\"name\": \"my bot\"}))");
        workdir.write("my_bot.py", &unflushed);
        // Leaves out digits and spaces: on a busy machine, waits are longer and lines break elsewhere.
        let letters = |text: &str| -> String {
            let is_kept = |c: &char| !c.is_whitespace() && !c.is_ascii_digit();
            text.chars().filter(is_kept).collect()
        };
        let output = workdir.run(["check", "my_bot.py", "--lang", lang]);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(letters(&printed), letters(&shown), "{}", both(&output));
        assert_eq!(output.status.code(), Some(3));
    }
}
