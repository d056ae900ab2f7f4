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
        "crates/host",
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

/// The packages and modules through which the operating system is called.
const SYSTEM: [&str; 5] = ["rustix", "nix", "libc", "procfs", "std::os::"];

#[test]
fn the_system_has_one_door() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    sources(&root().join("crates/referee"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        let code = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        for line in code {
            let named = SYSTEM.iter().find(|name| names(line, name));
            let shown = file.display();
            assert_eq!(
                named, None,
                "{shown}: {line}: this belongs into crates/host"
            );
        }
    }
    assert!(names("use nix::time::ClockId;", "nix"));
    assert!(!names("games.unix_ms()", "nix"));
}

/// Whether the path stands in the line as a whole word.
fn names(line: &str, path: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(path).any(|(at, _)| {
        let after = &line[at + path.len()..];
        let ends = path.ends_with(':') || after.starts_with("::");
        ends && !line[..at].ends_with(is_word)
    })
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
