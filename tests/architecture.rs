//! The import table of ARCHITECTURE.md, held against the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Table = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows under "Who may import whom".
fn table() -> Table {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is there");
    let section = text
        .split("## Who may import whom")
        .nth(1)
        .expect("the heading is there");
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (part, imports) = (cells.next()?, cells.next()?);
        let imports = imports
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        Some((part.to_owned(), imports.map(str::to_owned).collect()))
    });
    rows.filter(|(part, _)| part != "part" && !part.starts_with("---"))
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every `word` that stands before `::` in code, comments left out.
fn paths(text: &str) -> BTreeSet<String> {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let mut found = BTreeSet::new();
    for line in code {
        for (at, _) in line.match_indices("::") {
            let before = &line[..at];
            let start = before
                .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
                .map_or(0, |index| index + 1);
            let prefix = &before[..start];
            let word = &before[start..];
            if let Some(rest) = line[at..].strip_prefix("::").filter(|_| word == "crate") {
                // `crate::{bot, record}` names several.
                let group = rest.strip_prefix('{').map(|group| group.split('}').next());
                let names = group.flatten().unwrap_or(rest);
                let parts = names.split(',').filter_map(|name| {
                    name.trim()
                        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                        .next()
                });
                found.extend(parts.map(|part| format!("crate::{part}")));
            } else if !prefix.ends_with("::") {
                found.insert(word.to_owned());
            }
        }
    }
    found
}

/// What each folder of `src/` uses of the others and of the workspace's packages.
fn folders(table: &Table) -> Table {
    let mut used = Table::new();
    for entry in fs::read_dir(root().join("src")).expect("src").flatten() {
        let path = entry.path();
        let part = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if part == "main" || part == "lib" {
            continue;
        }
        let mut files = Vec::new();
        if path.is_dir() {
            sources(&path, &mut files);
        } else {
            files.push(path);
        }
        let names = used.entry(part.clone()).or_default();
        for file in files {
            for name in paths(&fs::read_to_string(file).expect("a source file")) {
                let name = name.strip_prefix("crate::").unwrap_or(&name);
                if table.contains_key(name) && name != part {
                    names.insert(name.to_owned());
                }
            }
        }
    }
    used
}

/// What each package of the workspace depends on, tests aside.
fn packages(table: &Table) -> Table {
    let manifests = [
        "crates/games",
        "crates/protocol",
        "crates/referee",
        "crates/stats",
        "bots/alphabeta",
        "bots/reference",
    ];
    let read = |folder: &str| {
        let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("it is TOML");
        let name = manifest["package"]["name"]
            .as_str()
            .expect("a name")
            .to_owned();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let names = dependencies
            .into_iter()
            .flat_map(|table| table.keys().cloned());
        (
            name,
            names.filter(|name| table.contains_key(name)).collect(),
        )
    };
    manifests.into_iter().map(read).collect()
}

#[test]
fn nobody_imports_what_the_table_does_not_allow() {
    let table = table();
    let mut used = folders(&table);
    used.extend(packages(&table));
    for (part, imports) in &used {
        let allowed = table
            .get(part)
            .unwrap_or_else(|| panic!("{part} has no row in the table"));
        let beyond: Vec<_> = imports.difference(allowed).collect();
        assert!(
            beyond.is_empty(),
            "{part} imports {beyond:?}, which its row does not allow"
        );
    }
    for part in table.keys() {
        assert!(
            used.contains_key(part),
            "the table has a row for {part}, which is not there"
        );
    }
}

/// Who may name a game: what is about one by nature, and the bots' libraries.
const NAMING: [&str; 19] = [
    // Protocols of other programs that belong to a game, or write it their own way.
    "crates/protocol/src/engine/botzone.rs",
    "crates/protocol/src/engine/gomocup/mod.rs",
    "crates/protocol/src/engine/gomocup/stones.rs",
    "crates/protocol/src/engine/nboard/mod.rs",
    "crates/protocol/src/engine/setting.rs",
    "crates/protocol/src/notation/gtp.rs",
    "crates/referee/src/dialect/gomocup.rs",
    "crates/referee/src/dialect/nboard.rs",
    // The bots that are linked in, what they make and teach, and the suites that ship.
    "src/cli/bots.rs",
    "src/cli/grade/suite.rs",
    "src/cli/new_bot/mod.rs",
    "src/cli/new_bot/template.rs",
    "src/cli/openings.rs",
    "src/cli/stages/",
    // Stages are positions of one game.
    "src/stages/attempt.rs",
    "src/stages/read.rs",
    "src/stages/runner.rs",
    "src/stages/stage.rs",
    // The list itself, where the rules are.
    "crates/games/src/",
];

/// The code of a file without its comments and its tests.
fn code(text: &str) -> String {
    let tests = text.find("#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..tests].lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn nobody_else_names_a_game() {
    let mut files = Vec::new();
    for part in [
        "src",
        "crates/games/src",
        "crates/protocol/src",
        "crates/referee/src",
    ] {
        sources(&root().join(part), &mut files);
    }
    let mut naming = BTreeSet::new();
    for file in files {
        let name = file
            .strip_prefix(root())
            .expect("it is below")
            .to_string_lossy()
            .into_owned();
        if name.contains("/tests/") || name.ends_with("/tests.rs") {
            continue;
        }
        let code = code(&fs::read_to_string(file).expect("a source file")).to_lowercase();
        if games::names().iter().any(|game| code.contains(game)) {
            naming.insert(name);
        }
    }
    let allowed = |name: &&String| NAMING.iter().any(|&allowed| name.starts_with(allowed));
    let beyond: Vec<_> = naming.iter().filter(|name| !allowed(name)).collect();
    assert!(
        beyond.is_empty(),
        "{beyond:?} name a game: ask its family, or say why it has to be in the list"
    );
    for allowed in NAMING {
        assert!(
            naming.iter().any(|name| name.starts_with(allowed)),
            "{allowed} names no game any more: take it off the list"
        );
    }
}

#[test]
fn the_table_allows_no_circle() {
    let mut table = table();
    while let Some(free) = table
        .iter()
        .find(|(_, imports)| imports.is_empty())
        .map(|(part, _)| part.clone())
    {
        table.remove(&free);
        for imports in table.values_mut() {
            imports.remove(&free);
        }
    }
    assert!(
        table.is_empty(),
        "these import each other: {:?}",
        table.keys()
    );
}

#[test]
fn the_scan_sees_what_is_imported() {
    let used = folders(&table());
    assert!(
        used["stages"].contains("tournament"),
        "use crate::tournament::… in src/stages"
    );
    assert!(
        used["cli"].contains("reference"),
        "reference::bot(…) in src/cli"
    );
    assert!(!used["tournament"].contains("store"));
}
