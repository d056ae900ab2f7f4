//! Dialogues between a manager, which runs games, and a program, for the tests of `protocol` and `referee`.
//!
//! `### title` begins a dialogue, `#` begins a comment, and `---` begins another dialogue with the same head. The head
//! comes first, in lines such as `bot: terms`. Its keys are `protocol` (by default the file's name), `game` and `setup`
//! (for the arena), and `bot` (the options of a bot). A line of the manager begins with `> `, a line of the program
//! with `< `. An event of the arena (`hello`, `turn`, …) stands above the lines that the arena then sends. The meaning
//! of a program's line stands below the line, indented. In a dialogue with `bot`, the program is one of our bots; in a
//! dialogue with `game`, the manager is the arena.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[derive(Clone, Debug)]
pub struct Dialogue {
    pub title: String,
    pub head: BTreeMap<String, String>,
    pub lines: Vec<String>,
}

pub fn dialogues(key: &str) -> Vec<Dialogue> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol/tests/dialogues");
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let files = files.map(|file| file.path());
    let texts = files.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let mut all: Vec<_> = texts.flat_map(|path| read(&path)).collect();
    let is_held = |one: &Dialogue| {
        ["bot", "game"]
            .iter()
            .any(|&key| one.head.contains_key(key))
    };
    let forgotten = all.iter().find(|one| !is_held(one));
    assert!(
        forgotten.is_none(),
        "{forgotten:?} has neither bot nor game"
    );
    all.retain(|one| one.head.contains_key(key));
    assert!(!all.is_empty(), "no dialogue has {key}");
    all
}

pub fn read(path: &Path) -> Vec<Dialogue> {
    let mut dialogues: Vec<Dialogue> = Vec::new();
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .expect("text");
    let protocol = ("protocol".to_owned(), stem.to_owned());
    for line in fs::read_to_string(path).expect("text").lines() {
        if let Some(title) = line.strip_prefix("### ") {
            dialogues.push(Dialogue {
                title: format!("{stem}, {title}"),
                head: [protocol.clone()].into(),
                lines: Vec::new(),
            });
            continue;
        }
        let last = dialogues.last_mut().expect("a heading comes first");
        let key = line.split_once(':').filter(|(key, _)| is_word(key));
        match (line, key) {
            ("---", _) => {
                let lines = Vec::new();
                let anew = Dialogue {
                    lines,
                    ..last.clone()
                };
                dialogues.push(anew);
            }
            (_, Some((key, value))) if last.lines.is_empty() => {
                let value = value.trim().to_owned();
                last.head.insert(key.to_owned(), value);
            }
            _ if line.starts_with('#') => {}
            _ => last.lines.push(line.trim_end().to_owned()),
        }
    }
    let is_empty = |one: &&Dialogue| one.lines.is_empty();
    let empty = dialogues.iter().find(is_empty);
    assert!(empty.is_none(), "{empty:?} has no lines");
    dialogues
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_lowercase())
}

/// Runs each dialogue again by `again`, and fails with both versions of each dialogue that differs.
pub fn hold_again(dialogues: &[Dialogue], again: impl Fn(&Dialogue) -> Vec<String>) {
    let mut wrong = String::new();
    for dialogue in dialogues {
        let (expected, found) = (dialogue.lines.join("\n"), again(dialogue).join("\n"));
        if found != expected {
            let title = &dialogue.title;
            wrong += &format!("{title}: expected\n{expected}\nfound\n{found}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the rows of a table without its header. Bars separate the cells; `#` begins a comment.
pub fn rows<const COLUMNS: usize>(table: &str) -> Vec<[&str; COLUMNS]> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let cells = rows
        .skip(1)
        .map(|row| row.split('|').map(str::trim).collect());
    let as_array = |cells: Vec<_>| cells.try_into().expect("a cell for each column");
    cells.map(as_array).collect()
}
