//! The import table of ARCHITECTURE.md, held against the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::imports::{Package, circles};

/// The workspace's packages but for the arena itself.
const PACKAGES: [&str; 8] = [
    "crates/games",
    "crates/host",
    "crates/protocol",
    "crates/referee",
    "crates/stats",
    "bots/alphabeta",
    "bots/alphabeta/training",
    "bots/reference",
];

type Table = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows under "Who may import whom".
fn table() -> Table {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is there");
    let section = text.split("## Who may import whom").nth(1);
    let rows = section.expect("the heading is there").lines();
    let rows = rows.filter_map(|line| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        let (part, imports) = (cells.next()?, cells.next()?);
        let imports = imports.split(", ").filter(|name| !name.is_empty());
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

/// What each folder of `src/` uses of the others and of the workspace's packages.
fn folders(table: &Table) -> Table {
    let mut used = Package::read(&root().join("src/lib.rs")).parts();
    for names in used.values_mut() {
        names.retain(|name| table.contains_key(name));
    }
    used
}

/// What each package of the workspace depends on, tests aside.
fn packages(table: &Table) -> Table {
    let read = |folder: &str| {
        let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("it is TOML");
        let name = manifest["package"]["name"].as_str().expect("a name");
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let names = dependencies.into_iter().flat_map(toml::Table::keys);
        let names = names.filter(|name| table.contains_key(*name)).cloned();
        (name.to_owned(), names.collect())
    };
    PACKAGES.into_iter().map(read).collect()
}

#[test]
fn nobody_imports_what_the_table_does_not_allow() {
    let table = table();
    let mut used = folders(&table);
    used.extend(packages(&table));
    for (part, imports) in &used {
        let allowed = table
            .get(part)
            .unwrap_or_else(|| panic!("no row of {part}"));
        let beyond: Vec<_> = imports.difference(allowed).collect();
        assert!(beyond.is_empty(), "the row of {part} has no {beyond:?}");
    }
    for part in table.keys() {
        assert!(
            used.contains_key(part),
            "{part} has a row, and is not there"
        );
    }
}

/// Who may name a game: what is about one by nature, and the bots' libraries.
const NAMING: [&str; 24] = [
    // Protocols of other programs that belong to a game, or write it their own way.
    "crates/protocol/src/engine/botzone.rs",
    "crates/protocol/src/engine/gomocup/mod.rs",
    "crates/protocol/src/engine/gomocup/stones.rs",
    "crates/protocol/src/engine/nboard/mod.rs",
    "crates/protocol/src/engine/setting.rs",
    "crates/protocol/src/notation/gtp.rs",
    "crates/referee/src/dialect/botzone.rs",
    "crates/referee/src/dialect/columbia.rs",
    "crates/referee/src/dialect/gomocup.rs",
    "crates/referee/src/dialect/nboard.rs",
    // What a course asks for, for which game.
    "src/tournament/form/",
    // A search for each game.
    "src/analysis/",
    // The bots that are linked in, what they make and teach, and the suites that ship.
    "src/cli/advice.rs",
    "src/cli/lesson.rs",
    "src/cli/bots.rs",
    // The fixed search by which machines are compared.
    "src/cli/cluster/calibrate.rs",
    "src/grade/suite.rs",
    "src/cli/new_bot/template.rs",
    "src/cli/openings.rs",
    "src/cli/stages/",
    // Stages are positions of one game.
    "src/stages/attempt.rs",
    "src/stages/read.rs",
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
        let name = file.strip_prefix(root()).expect("it is below");
        let name = name.to_string_lossy().into_owned();
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
    // Ask the game's family, or say why it has to be in the list.
    assert!(beyond.is_empty(), "{beyond:?} name a game");
    for allowed in NAMING {
        let names = naming.iter().any(|name| name.starts_with(allowed));
        assert!(names, "{allowed} names no game any more: off the list");
    }
}

#[test]
fn the_table_allows_no_circle() {
    let mut table = table();
    let free = |table: &Table| {
        let mut rows = table.iter();
        let row = rows.find(|(_, imports)| imports.is_empty());
        row.map(|(part, _)| part.clone())
    };
    while let Some(free) = free(&table) {
        table.remove(&free);
        for imports in table.values_mut() {
            imports.remove(&free);
        }
    }
    let left = table.keys();
    assert!(table.is_empty(), "these import each other: {left:?}");
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
        let mut lines = text.lines().filter_map(|line| line.split("//").next());
        let call = lines.find(|line| SYSTEM.iter().any(|name| names(line, name)));
        // This belongs into crates/host.
        assert_eq!(call, None, "{}", file.display());
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
    // use crate::tournament::… in src/stages, and reference::bot(…) in src/cli.
    assert!(used["stages"].contains("tournament"));
    assert!(used["cli"].contains("reference"));
    assert!(!used["tournament"].contains("store"));
}

#[test]
fn no_files_of_a_package_import_each_other_in_a_circle() {
    for package in PACKAGES.into_iter().chain(["."]) {
        let folder = root().join(package).join("src");
        let mut roots = ["lib.rs", "main.rs"]
            .map(|name| folder.join(name))
            .into_iter();
        let root = roots.find(|root| root.is_file()).expect("a root");
        let files = Package::read(&root).files();
        let found = circles(&files);
        let edges = |circle: &BTreeSet<&Path>| {
            let inside = files
                .iter()
                .filter(|(file, _)| circle.contains(file.as_path()));
            let edges = inside.map(|(file, used)| {
                let used = used.iter().filter(|other| circle.contains(other.as_path()));
                format!("{} -> {:?}", file.display(), used.collect::<Vec<_>>())
            });
            edges.collect::<Vec<_>>().join("\n")
        };
        let found: Vec<String> = found.iter().map(edges).collect();
        assert!(found.is_empty(), "{package}:\n{}", found.join("\n\n"));
    }
}

/// The scan follows `super::super`, `self`, aliases and re-exports: nobody gets past it.
#[test]
fn a_circle_is_found_however_it_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("lib.rs", "mod low; mod high; pub use high::deep::High;");
    let low = "pub struct Low; fn f() -> crate::High { todo!() }";
    write("low.rs", low);
    write("high/mod.rs", "pub mod deep;");
    let high = "use super::super::low as base; pub struct High(base::Low);";
    write("high/deep.rs", high);
    let package = Package::read(&folder.path().join("lib.rs"));
    assert!(package.parts()["high"].contains("low"));
    let files = package.files();
    let found = circles(&files);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].len(), 2, "{found:?}");
    let low = "pub struct Low; #[cfg(test)] mod tests { use crate::High; }";
    write("low.rs", low);
    let files = Package::read(&folder.path().join("lib.rs")).files();
    assert!(circles(&files).is_empty());
}

/// Clippy refuses what is newer in the library than our `rust-version`, but not what is newer in the
/// language. Since then only `if let` in the guard of a match arm has come (Rust 1.95).
#[test]
fn nothing_of_the_language_is_newer_than_our_rust() {
    /// How many there are.
    struct Guards(u32);
    impl<'ast> syn::visit::Visit<'ast> for Guards {
        fn visit_arm(&mut self, arm: &'ast syn::Arm) {
            let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
            self.0 += u32::from(matches!(guard, Some(syn::Expr::Let(_))));
            syn::visit::visit_arm(self, arm);
        }
    }
    let mut files = Vec::new();
    for folder in ["src", "crates", "bots", "xtask/src", "tests"] {
        sources(&root().join(folder), &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("a file");
        let mut guards = Guards(0);
        if let Ok(parsed) = syn::parse_file(&text) {
            syn::visit::Visit::visit_file(&mut guards, &parsed);
        }
        assert_eq!(guards.0, 0, "{}", file.display());
    }
}
