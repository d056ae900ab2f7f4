//! Interfaces that users depend on: output for programs, `--help`, the structure of pages, and runs of earlier
//! versions. A failure means a change for users. If the change is wanted, `INSTA_UPDATE=always cargo test --test it
//! frozen` accepts it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::folders::files;
use crate::common::served::Served;
use crate::common::{Workdir, both, table};

fn holds(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../frozen",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// Finds the subcommands of a command, in the help between `Commands:` and an empty line.
fn commands(workdir: &Workdir, words: &[String], found: &mut Vec<Vec<String>>) {
    let help = workdir.succeed(words.iter().map(String::as_str).chain(["--help"]));
    found.push(words.to_vec());
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter(|line| !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            commands(workdir, &[words, &[name.to_owned()]].concat(), found);
        }
    }
}

#[test]
fn every_help_in_both_languages() {
    let workdir = Workdir::new();
    let mut found = Vec::new();
    commands(&workdir, &[], &mut found);
    for (language, locale) in [("en", "C.UTF-8"), ("zh", "zh_CN.UTF-8")] {
        let mut text = String::new();
        for words in &found {
            let mut arena = workdir.arena(words.iter().map(String::as_str).chain(["--help"]));
            let output = arena.env("LANG", locale).output().expect("it starts");
            let help = String::from_utf8(output.stdout).expect("text");
            text += &format!(
                "$ {} --help\n{help}\n",
                [&["arena".to_owned()], &words[..]].concat().join(" ")
            );
        }
        holds(&format!("help-{language}"), &text);
    }
}

/// Checks the exit codes of the commands in `exit-codes.csv`. `tests/scripts/class.txt` tests further exit codes.
#[test]
fn exit_codes() {
    let workdir = Workdir::new();
    workdir.write("broken.py", "print(");
    let path = source("frozen/exit-codes.csv");
    for row in table(&path) {
        let output = workdir.run(row["typed"].split_whitespace());
        let code = output.status.code().map(|code| code.to_string());
        assert_eq!(
            code.as_ref(),
            Some(&row["code"]),
            "{}: {}",
            row["typed"],
            both(&output)
        );
    }
}

fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => {
            for value in values {
                keys(value, &format!("{path}[]"), found);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = format!("{path}.{key}");
                keys(value, &path, found);
                found.insert(path);
            }
        }
        _ => {}
    }
}

fn keys_of(text: &str) -> String {
    let mut found = BTreeSet::new();
    keys(&serde_json::from_str(text).expect(text), "", &mut found);
    Vec::from_iter(found).join("\n")
}

fn played() -> Workdir {
    let workdir = Workdir::new();
    fs::create_dir_all(workdir.path("class/anna")).expect("a folder");
    let bot = source("runs/of-47cf896/anna.py");
    fs::copy(bot, workdir.path("class/anna/bot.py")).expect("a copy");
    workdir.write("class/cara.py", "print('hello')\n");
    workdir.write(
        "suite.toml",
        "name = \"small\"\ngame = \"othello\"\ngames = 2\nopenings = \"none\"\nmove_ms = 5000\n\
         [grade]\nthreshold = 0.5\n[[bot]]\nuse = \"random\"\n",
    );
    workdir.run("grade --all class --suite suite.toml --out class-results".split(' '));
    // With a long limit, no late move is excused, which the pages would show.
    let long = "--move-ms 60000";
    workdir.succeed(
        format!("match minimax-ab:depth=2 greedy -n 2 --seed 1 {long} --out run").split(' '),
    );
    let stage = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/stages/01-scattered-5.txt");
    fs::copy(stage, workdir.path("stage.txt")).expect("a copy");
    workdir.run(
        format!("stages alphabeta:level=3 stage.txt --defender random {long} --out stages")
            .split(' '),
    );
    workdir
}

#[test]
fn every_column_and_key() {
    let workdir = played();
    let mut text = String::new();
    for folder in ["class-results", "run", "stages"] {
        for path in files(&workdir.path(folder)) {
            let name = path
                .strip_prefix(workdir.path(""))
                .expect("below")
                .display()
                .to_string();
            let shape = match path.extension().and_then(|ending| ending.to_str()) {
                Some("csv") => {
                    let table = fs::read_to_string(&path).expect("text");
                    table.lines().next().unwrap_or_default().replace(',', "\n")
                }
                Some("json") => keys_of(&fs::read_to_string(&path).expect("text")),
                _ => String::new(),
            };
            text += &format!("{name}\n{shape}\n\n");
        }
    }
    for typed in [
        "report run --json",
        "report stages --json",
        "bots --json",
        "sandbox --json",
        "analyze run/0 --depth 2 --json",
        "check class/anna --json",
    ] {
        let output = workdir.run(typed.split(' '));
        let printed = String::from_utf8(output.stdout).expect("text");
        text += &format!("$ arena {typed}\n{}\n\n", keys_of(&printed));
    }
    holds("columns-and-keys", &text);
}

/// Lists each kind of element of a page once: its path, id, classes and name.
fn outline(page: &str) -> String {
    const EMPTY: [&str; 14] = [
        "area", "base", "br", "col", "!doctype", "hr", "img", "input", "link", "meta", "path",
        "use", "circle", "wbr",
    ];
    let (mut open, mut seen, mut text) = (Vec::<String>::new(), BTreeSet::new(), String::new());
    let mut rest = page;
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').unwrap_or((tag, ""));
        rest = after;
        let name = tag
            .split([' ', '\n', '/'])
            .find(|word| !word.is_empty())
            .unwrap_or_default();
        let name = name.to_ascii_lowercase();
        if tag.starts_with('/') {
            while open
                .pop()
                .is_some_and(|last| last.split(['#', '.', '=']).next() != Some(&*name))
            {
            }
            continue;
        }
        let of = |key: &str| {
            let value = tag.split(&format!(" {key}=\"")).nth(1)?;
            Some(value.split('"').next().unwrap_or_default().to_owned())
        };
        let id = of("id").map(|id| format!("#{id}")).unwrap_or_default();
        let classes = of("class").unwrap_or_default();
        let classes: Vec<_> = classes
            .split_whitespace()
            .flat_map(|class| [".", class])
            .collect();
        let classes = classes.concat();
        let field = of("name")
            .map(|field| format!("={field}"))
            .unwrap_or_default();
        let element = format!("{name}{id}{classes}{field}");
        if seen.insert(format!("{}>{element}", open.join(">"))) {
            text += &format!("{}{element}\n", "  ".repeat(open.len()));
        }
        if let "script" | "style" = name.as_str() {
            rest = rest
                .split_once(&format!("</{name}>"))
                .map_or("", |(_, rest)| rest);
        } else if !EMPTY.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(element);
        }
    }
    text
}

#[test]
fn every_page() {
    let workdir = played();
    fs::create_dir(workdir.path("results")).expect("a folder");
    for run in ["run", "stages"] {
        fs::rename(workdir.path(run), workdir.path("results").join(run)).expect("moved");
    }
    let mut text = String::new();
    let mut add = |name: &str, page: &str| text += &format!("{name}\n{}\n", outline(page));
    for file in [
        "class-results/class.html",
        "class-results/hand-ins/anna/grade.html",
        "results/run/report.html",
    ] {
        add(
            file,
            &fs::read_to_string(workdir.path(file)).expect("a page"),
        );
    }
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let cookie = served.cookie();
    let paths = "/ /run/run /run/run/game/0 /run/run/pair/0 /run/run/wall /run/stages /stages /live /play /load /nothing";
    for path in paths.split(' ') {
        let answer = served.get(path, &cookie);
        add(&format!("{path} ({})", answer.status), &answer.body);
    }
    served.end();
    holds("pages", &text);
}

/// The runs are from the arena of commit 47cf896. They have every fault, every rule set, stages, a person and a
/// sequential test. `arena report` must still make the same tables, with new columns at the end.
#[test]
fn old_runs_have_the_tables_that_they_had() {
    let is_table = |path: &Path| path.extension().is_some_and(|ending| ending == "csv");
    let workdir = Workdir::new();
    let runs = source("runs/of-47cf896");
    let runs = files(&runs)
        .into_iter()
        .filter(|path| path.ends_with("arena.db"));
    for (number, record) in runs.enumerate() {
        let old = record.parent().expect("a folder");
        let run = workdir.path(number.to_string());
        fs::create_dir(&run).expect("a folder");
        for path in files(old).iter().filter(|path| !is_table(path)) {
            fs::copy(path, run.join(path.file_name().expect("a name"))).expect("a copy");
        }
        workdir.succeed(["report", &number.to_string()]);
        for path in files(old).iter().filter(|path| is_table(path)) {
            let now = fs::read_to_string(run.join(path.file_name().expect("a name")));
            let was = fs::read_to_string(path).expect("a table");
            let now = now.expect("a table");
            let (mut lines, was) = (now.lines(), was.lines());
            for (was, now) in was.map(|was| (was, lines.next())) {
                let (was, now) = (format!("{was},"), format!("{},", now.unwrap_or_default()));
                assert!(
                    now.starts_with(&was),
                    "{}: expected {was}, found {now}",
                    path.display()
                );
            }
            assert_eq!(lines.next(), None, "{}", path.display());
        }
    }
}

#[test]
fn an_old_class_is_audited() {
    let workdir = Workdir::new();
    for path in files(&source("runs/of-47cf896/class")) {
        let name = path.strip_prefix(source("runs/of-47cf896")).expect("below");
        let copy = workdir.path(name);
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        fs::copy(path, copy).expect("a copy");
    }
    let output = workdir.run(["grade", "--audit", "class"]);
    holds("audit-of-an-old-class", &both(&output));
}
