//! The scripts of `tests/scripts`: commands, and their expected results. Each line is a step.
//!
//! | Step | Meaning |
//! |---|---|
//! | `### what it shows` | begins a script, with an empty folder |
//! | `needs PROGRAM …` | plays the script only if tests with these programs are asked for (`common/asked.rs`); `needs time`: only if all tests are |
//! | `where COMMAND` | skips the script if the command fails on this machine |
//! | `in every sandbox` | plays the script as each user and in each sandbox of this machine |
//! | `-- NAME --` | begins a file, which ends at the next command or file; `+x` after the name makes it a program, `+hex` marks lines of bytes |
//! | `$ COMMAND` | runs the command by `sh`, to its end |
//! | `& COMMAND` | starts the command, for the rest of the script |
//! | `until CONDITION` | waits for a condition; `until CONDITION or its end` waits for it or for the end of the last started program |
//! | `send SIGNAL` | sends a signal to the last started program |
//! | `it ends` | waits for the last started program; `it ends within 12 s` |
//! | `exit 2` | the exit status of a command, if not 0; `exit 0 or by a signal` |
//! | `< words`, `! words` | the words are, or are not, in the output of a command; line breaks are ignored |
//! | `no process is left` | waits until no process has `{marker}` in its command line |
//! | `same A B`, `other A B` | the runs or tables A and B are equal, or differ. Times are ignored. In two tables, the columns listed after `but` are ignored too |
//! | `judged RUN by TABLE: five` | each bot in the table loses all its games by its fault. The columns of the table are the bot, the fault, and words of the fault's detail. With the fault `-`, the games of the bot end by `five` |
//! | `COLUMN of PATH: a, b` | the cells of a column, in order; `-` is an empty cell; `[..]` matches any text; `a …`: all are `a`; in a JSON file, the values at a path such as `/rows/*/name` |
//! | `rows of PATH by COLUMN …` | the table has exactly the rows of the lines below, `< cell \| cell`. A line has the first cells of its row. Its first cell is compared whole. Each other cell must contain the words; after `=`, it is compared whole. The column `a+b` joins two columns |
//! | a condition | must hold now |
//!
//! A condition compares a number, or checks that something exists. `2..24 games in PATH` counts the games of a run or
//! of the file of a block. `more games in PATH` means more than at the last check. `4 rows in PATH` counts the rows of
//! a table. `4 processes` counts processes with `{marker}` in their command lines. Other conditions are `PATH exists`
//! and `it wrote WORDS`. A number is `2`, `2..24` (without 24), `2..`, or several of these with `or` between.
//!
//! In commands, `arena` starts the arena. In commands and files, `{marker}` is a word that is unique to the script,
//! `{port}` a free port, `{python}` the interpreter, `{misbehave MODE}` a bot of `tests/bots/misbehave.py` as words of
//! a TOML list, and `{tier}` the sandbox. `{arena}`, `{folder}` (of the script), `{bots}` (`tests/bots`) and `{root}`
//! (the sources) are paths. Output of the arena must not have control characters.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cluster::{free_port, games_in, tables};
use crate::common::asked::is_left_out;
use crate::common::place::{Place, places};
use crate::common::{
    PATIENCE, RunningProgram, ScriptFile, TableRow, Workdir, assert_nothing_is_wrong, both,
    games_kept, misbehave, misjudged, processes, python, table, until, wait_for_no_process,
};

test_files! { plays:
    runs_on_many_machines "cluster.txt",
    leagues "league.txt",
    runs_that_are_stopped "interrupts.txt",
    disks_that_fail "damage.txt",
    bots_that_are_not_what_they_should_be "hostile.txt",
    runs_do_not_depend_on_workers "determinism.txt",
    commands "commands.txt",
    tournaments "tournaments.txt",
    other_programs "programs.txt",
    sandboxes "sandbox.txt",
    language_models "llm.txt",
    marks "grade.txt",
    classes "class.txt",
    forms "forms.txt",
    doctor "doctor.txt",
    analysis "analysis.txt",
    stages "stages.txt",
}

/// Plays the scripts of a file, several at a time; with `ARENA_SCRIPT=words`, only those with the words in the title.
fn plays(file: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let text = fs::read_to_string(folder.join(file)).expect("scripts");
    let wanted = std::env::var("ARENA_SCRIPT").unwrap_or_default();
    let mut scripts: Vec<(&str, Vec<(usize, &str)>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(title) = line.strip_prefix("### ") {
            scripts.push((title, Vec::new()));
        } else if let Some((_, lines)) = scripts.last_mut() {
            lines.push((number, line));
        }
    }
    assert!(!scripts.is_empty(), "{file} has no script");
    scripts.retain(|(title, _)| title.contains(&wanted));
    assert_nothing_is_wrong(&scripts, |(title, lines)| {
        let is_boxed = lines.iter().any(|&(_, line)| line == "in every sandbox");
        let stages = if is_boxed {
            places().into_iter().map(ScriptPlace::Place).collect()
        } else {
            vec![ScriptPlace::Workdir(Workdir::new())]
        };
        let wrong = stages.into_iter().filter_map(|stage| {
            let place = stage.name();
            let script = AssertUnwindSafe(|| ScriptRun::new(stage).play(lines));
            let played = catch_unwind(script).unwrap_or_else(|_| Err("it panicked".to_owned()));
            let wrong = played.err()?;
            Some(format!("{file}: {title}{place}: {wrong}\n"))
        });
        wrong.reduce(|all, wrong| all + &wrong)
    });
}

enum ScriptPlace {
    Workdir(Workdir),
    Place(Place),
}

impl ScriptPlace {
    fn path(&self, name: &str) -> PathBuf {
        match self {
            ScriptPlace::Workdir(workdir) => workdir.path(name),
            ScriptPlace::Place(place) => place.path(name),
        }
    }

    fn command(&self, program: &str) -> Command {
        match self {
            ScriptPlace::Workdir(workdir) => workdir.command(program),
            ScriptPlace::Place(place) => place.command(program),
        }
    }

    fn give(&self, path: &Path) {
        if let ScriptPlace::Place(place) = self {
            place.give(path);
        }
    }

    fn folder(&self) -> String {
        let folder = self.path("").display().to_string();
        folder.trim_end_matches('/').to_owned()
    }

    fn tier(&self) -> &str {
        match self {
            ScriptPlace::Workdir(_) => "off",
            ScriptPlace::Place(place) => place.tier,
        }
    }

    fn name(&self) -> String {
        match self {
            ScriptPlace::Workdir(_) => String::new(),
            ScriptPlace::Place(place) => format!(", {}", place.name()),
        }
    }
}

type Checked = Result<(), String>;

struct ScriptRun {
    stage: ScriptPlace,
    marker: String,
    port: String,
    /// The file whose lines follow in the script.
    file: Option<ScriptFile>,
    started: Vec<RunningProgram>,
    /// The numbers of games by path, at the last check.
    games: BTreeMap<String, u64>,
}

impl ScriptRun {
    fn new(stage: ScriptPlace) -> ScriptRun {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        ScriptRun {
            stage,
            marker: format!("script-{}-{number}-", std::process::id()),
            port: free_port().to_string(),
            file: None,
            started: Vec::new(),
            games: BTreeMap::new(),
        }
    }

    fn play(mut self, lines: &[(usize, &str)]) -> Checked {
        let mut lines = lines.iter().copied().peekable();
        while let Some((number, line)) = lines.next() {
            if self.is_text(line) {
                continue;
            }
            let mut expected = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| is_expectation(line)) {
                expected.push(self.filled(line));
            }
            if !self.is_possible(line) {
                break;
            }
            let step = self.step(&self.filled(line), &expected);
            step.map_err(|wrong| format!("line {number}: {line}\n{wrong}"))?;
        }
        Ok(())
    }

    fn is_text(&mut self, line: &str) -> bool {
        if let Some(file) = ScriptFile::begin(line, &self.stage.path("")) {
            self.stage.give(file.path.parent().expect("a folder"));
            self.stage.give(&file.path);
            self.file = Some(file);
            return true;
        }
        if line.starts_with("$ ") || line.starts_with("& ") {
            self.file = None;
        }
        let Some(file) = &self.file else {
            return line.is_empty();
        };
        file.add(&self.filled(line));
        true
    }

    /// Returns whether this machine can play the rest of the script.
    fn is_possible(&self, line: &str) -> bool {
        if let Some(programs) = line.strip_prefix("needs ") {
            return !programs.split(' ').any(is_left_out);
        }
        let Some(command) = line.strip_prefix("where ") else {
            return true;
        };
        let output = self.shell(command).output().expect("sh");
        if !output.status.success() {
            eprintln!("skipped: {command}: {}", both(&output));
        }
        output.status.success()
    }

    fn filled(&self, line: &str) -> String {
        let mut filled = line
            .replace("{marker}", &self.marker)
            .replace("{port}", &self.port)
            .replace("{tier}", self.stage.tier())
            .replace("{folder}", &self.stage.folder())
            .replace("{root}", env!("CARGO_MANIFEST_DIR"))
            .replace("{bots}", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots"))
            .replace("{arena}", env!("CARGO_BIN_EXE_arena"));
        if filled.contains("{python}") {
            filled = filled.replace("{python}", &python());
        }
        while let Some((before, rest)) = filled.split_once("{misbehave ") {
            let (mode, after) = rest.split_once('}').expect("a mode");
            filled = format!("{before}{}{after}", misbehave(mode, &self.marker));
        }
        filled
    }

    fn shell(&self, command: &str) -> Command {
        let mut shell = self.stage.command("sh");
        let arena = env!("CARGO_BIN_EXE_arena");
        shell.args(["-c", &format!("arena() {{ '{arena}' \"$@\"; }}\n{command}")]);
        shell
    }

    fn step(&mut self, line: &str, expected: &[String]) -> Checked {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "#" | "needs" | "where" => {}
            "in" => assert_eq!(line, "in every sandbox"),
            "$" => {
                let output = self.shell(rest).output().expect("sh");
                return is_as_expected(output.status.code(), &both(&output), expected);
            }
            "&" => {
                let arena = format!("{} ", env!("CARGO_BIN_EXE_arena"));
                let command = format!("exec {}", rest.replacen("arena ", &arena, 1));
                self.started.push(RunningProgram::of(self.shell(&command)));
            }
            "until" => {
                let condition = rest.trim_end_matches(" or its end");
                until(rest, || {
                    let has_ended = rest != condition && self.last().ended().is_some();
                    (self.holds(condition).is_ok() || has_ended).then_some(())
                });
            }
            "send" if self.last().ended().is_some() => {}
            "send" => self.last().signal(rest),
            "it" if rest.starts_with("ends") => {
                let limit = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
                let limit = limit.trim_end_matches(" s").parse();
                let limit = limit.map_or(PATIENCE, Duration::from_secs);
                let asked = Instant::now();
                let code = self.last().wait().code();
                is_so(asked.elapsed() < limit, || "it took too long".to_owned())?;
                return is_as_expected(code, &self.last().printed(), expected);
            }
            "no" if rest == "process is left" => wait_for_no_process(&self.marker),
            "same" => {
                let [one, other] = self.compared(rest);
                is_so(one == other, || format!("{one}\nand {other}"))?;
            }
            "other" => {
                let [one, other] = self.compared(rest);
                is_so(one != other, || one)?;
            }
            "judged" => {
                let (run, by) = rest.split_once(" by ").expect("a table");
                let (verdicts, healthy) = by.split_once(": ").expect("an end");
                let reader = csv::Reader::from_path(self.stage.path(verdicts));
                let rows = reader.expect("a table").into_deserialize();
                let rows: Vec<(String, String, String)> =
                    rows.map(|row| row.expect("three columns")).collect();
                let wrong = misjudged(&self.stage.path(run), healthy, &rows);
                return is_so(wrong.is_empty(), || wrong);
            }
            "rows" => {
                let (path, columns) = rest[3..].split_once(" by ").expect("columns");
                return has_rows(&table(&self.stage.path(path)), columns, expected);
            }
            column if rest.starts_with("of ") => {
                let (path, cells) = rest[3..].split_once(": ").expect("cells");
                let path = self.stage.path(path);
                let found = if column.starts_with('/') {
                    values(&path, column)
                } else {
                    table(&path).iter().map(|row| row[column].clone()).collect()
                };
                return has_cells(found, cells);
            }
            _ => return self.holds(line),
        }
        Ok(())
    }

    fn last(&mut self) -> &mut RunningProgram {
        self.started.last_mut().expect("something was started")
    }

    fn holds(&mut self, condition: &str) -> Checked {
        if let Some((number, path)) = condition.split_once(" games in ") {
            let full = self.stage.path(path);
            let games = match full.extension() {
                Some(_) => games_in(&full) as u64,
                None => games_kept(&full),
            };
            let before = self.games.get(path).copied();
            let is_right = match number {
                "more" => before.is_some_and(|before| games > before),
                number => is_number(games, number),
            };
            is_so(is_right, || format!("there are {games}"))?;
            self.games.insert(path.to_owned(), games);
        } else if let Some((number, path)) = condition.split_once(" rows in ") {
            let rows = table(&self.stage.path(path)).len() as u64;
            is_so(is_number(rows, number), || format!("there are {rows}"))?;
        } else if let Some(number) = condition.strip_suffix(" processes") {
            let found = processes(&self.marker);
            is_so(is_number(found.len() as u64, number), || found.join("\n"))?;
        } else if let Some(path) = condition.strip_suffix(" exists") {
            is_so(self.stage.path(path).exists(), || {
                "there is no such file".to_owned()
            })?;
        } else if let Some(words) = condition.strip_prefix("it wrote ") {
            let printed = self.last().printed();
            is_so(printed.contains(words), || printed)?;
        } else {
            panic!("no step: {condition}");
        }
        Ok(())
    }

    fn compared(&self, words: &str) -> [String; 2] {
        let (names, but) = words.split_once(" but ").unwrap_or((words, ""));
        let (one, other) = names.split_once(' ').expect("two names");
        [one, other].map(|name| {
            let path = self.stage.path(name);
            if path.is_dir() {
                return tables(&path).join("\n");
            }
            let mut rows = table(&path);
            for row in &mut rows {
                row.retain(|name, _| {
                    !name.ends_with("_ms") && !but.split(' ').any(|but| but == name)
                });
            }
            format!("{rows:#?}")
        })
    }
}

fn is_so(is_so: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if is_so { Ok(()) } else { Err(otherwise()) }
}

fn is_expectation(line: &str) -> bool {
    let begins = ["exit ", "< ", "! "];
    begins.iter().any(|begin| line.starts_with(begin))
}

fn is_as_expected(code: Option<i32>, printed: &str, expected: &[String]) -> Checked {
    let exit = expected.iter().find_map(|line| line.strip_prefix("exit "));
    let exit = exit.unwrap_or("0");
    let is_right = match code {
        Some(code) => is_number(code as u64, exit.trim_end_matches(" or by a signal")),
        None => exit.ends_with(" or by a signal"),
    };
    is_so(is_right, || printed.to_owned())?;
    let words: Vec<&str> = printed
        .split_whitespace()
        .filter(|&word| word != "│")
        .collect();
    let unbroken = words.join(" ");
    let is_said = |words: &str| printed.contains(words) || unbroken.contains(words);
    for line in expected {
        let is_right = match line.split_at(2) {
            ("< ", words) => is_said(words),
            ("! ", words) => !is_said(words),
            _ => true,
        };
        is_so(is_right, || format!("{line}\nbut it wrote: {printed}"))?;
    }
    // Terminals execute these characters, or reorder text because of them.
    let is_obeyed = |c: char| c.is_control() && !"\n\t".contains(c);
    let is_hidden = |c: char| ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{2066}';
    let obeyed = printed.chars().find(|&c| is_obeyed(c) || is_hidden(c));
    is_so(obeyed.is_none(), || {
        format!("the output has {obeyed:?}: {printed:?}")
    })
}

/// Returns whether a number matches `1`, `2..5`, `7..` or `1 or 7..`.
fn is_number(number: u64, of: &str) -> bool {
    let parse = |text: &str| text.parse::<u64>().expect("a number");
    of.split(" or ").any(|part| match part.split_once("..") {
        Some((least, "")) => number >= parse(least),
        Some((least, end)) => (parse(least)..parse(end)).contains(&number),
        None => number == parse(part),
    })
}

fn has_cells(mut found: Vec<String>, cells: &str) -> Checked {
    for cell in found.iter_mut().filter(|cell| cell.is_empty()) {
        "-".clone_into(cell);
    }
    let cells = match cells.strip_suffix(" …") {
        Some(cell) => vec![cell; found.len().max(1)],
        None => cells.split(", ").collect(),
    };
    let mut pairs = found.iter().zip(&cells);
    let is_right = found.len() == cells.len() && pairs.all(|(found, cell)| fits(found, cell));
    is_so(is_right, || found.join(", "))
}

fn fits(text: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once("[..]") else {
        return text == pattern;
    };
    let rest_fits =
        |text: &str| (0..=text.len()).any(|at| text.get(at..).is_some_and(|text| fits(text, rest)));
    text.strip_prefix(start).is_some_and(rest_fits)
}

fn values(path: &Path, pointer: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file");
    let mut found: Vec<Value> = vec![serde_json::from_str(&text).expect("JSON")];
    for key in pointer.split('/').skip(1) {
        let step = |value: Value| match key {
            "*" => value.as_array().expect("a list").clone(),
            key => vec![
                value
                    .pointer(&format!("/{key}"))
                    .cloned()
                    .unwrap_or_default(),
            ],
        };
        found = found.into_iter().flat_map(step).collect();
    }
    let text = |value: Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    found.into_iter().map(text).collect()
}

fn has_rows(rows: &[TableRow], columns: &str, expected: &[String]) -> Checked {
    let columns: Vec<&str> = columns.split(' ').collect();
    let cell = |row: &TableRow, columns: &str| {
        let cells: Vec<&str> = columns.split('+').map(|name| row[name].as_str()).collect();
        cells.join(" ")
    };
    let holds = |found: &str, cell: &str| match cell.strip_prefix('=') {
        Some(whole) => found == whole,
        None => found.contains(cell),
    };
    let mut wrong = String::new();
    for line in expected {
        let cells: Vec<&str> = line[2..].split(" | ").map(str::trim_end).collect();
        let own = rows.iter().find(|row| row[columns[0]] == cells[0]);
        let found = own.map(|row| {
            columns
                .iter()
                .map(|name| cell(row, name))
                .collect::<Vec<_>>()
        });
        let is_right = found.as_ref().is_some_and(|found| {
            let mut pairs = found.iter().zip(&cells).skip(1);
            found.len() >= cells.len() && pairs.all(|(found, cell)| holds(found, cell))
        });
        if !is_right {
            wrong += &format!("{line}\nbut it is {found:?}\n");
        }
    }
    is_so(wrong.is_empty(), || wrong)?;
    is_so(rows.len() == expected.len(), || {
        format!("there are {} rows", rows.len())
    })
}
