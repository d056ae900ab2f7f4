//! Rules that cargo and clippy do not check: only some files name a game, only `host` calls the operating system, and
//! no language feature is newer than `rust-version`. Cargo checks the layers, because they are packages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
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

/// The files and folders of `src` and `crates` whose code may name a game, with the reasons.
const NAMING: [&str; 20] = [
    // Protocols of other programs that are for one game, or have their own notation.
    "crates/protocol/src/engine_server/gomocup.rs",
    "crates/protocol/src/engine_server/nboard.rs",
    "crates/protocol/src/engine_server/setting.rs",
    "crates/protocol/src/codec/",
    "crates/referee/src/dialect/columbia.rs",
    "crates/referee/src/dialect/gomocup.rs",
    "crates/referee/src/dialect/nboard.rs",
    // The descriptions of columns; some are only for Othello.
    "crates/run/src/report/columns.rs",
    // The requirements of courses, by game.
    "crates/tournament/src/form/",
    // A search for each game.
    "src/analysis/",
    // The built-in bots, and the advice of alphabeta on a page.
    "src/cli/advice.rs",
    "src/cli/bots.rs",
    // The fixed search that compares machines.
    "src/cli/speed.rs",
    // The export formats of each game.
    "src/cli/export.rs",
    // The built-in suites, the templates of new bots, the openings, and the stages.
    "src/grade/suite.rs",
    "src/cli/new_bot.rs",
    "src/cli/openings.rs",
    "src/cli/stages/",
    // Only Gomoku stages are read from drawn stones.
    "src/stages/stage.rs",
    // The rules, with the list of games.
    "crates/games/src/",
];

fn code(text: &str) -> String {
    let tests = text.find("#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..tests].lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_other_file_names_a_game() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    sources(&root().join("crates"), &mut files);
    let mut naming = BTreeSet::new();
    for file in files {
        let name = file.strip_prefix(root()).expect("below the root");
        let name = name.to_string_lossy().into_owned();
        let is_program = name.starts_with("src/") || name.contains("/src/");
        if !is_program || name.contains("/tests/") || name.ends_with("/tests.rs") {
            continue;
        }
        let code = code(&fs::read_to_string(file).expect("a source file")).to_lowercase();
        if games::names().iter().any(|game| code.contains(game)) {
            naming.insert(name);
        }
    }
    let allowed = |name: &&String| NAMING.iter().any(|&allowed| name.starts_with(allowed));
    let beyond: Vec<_> = naming.iter().filter(|name| !allowed(name)).collect();
    // Use the game's family instead, or add the file to the list with a reason.
    assert!(beyond.is_empty(), "{beyond:?} name a game");
    for allowed in NAMING {
        let names = naming.iter().any(|name| name.starts_with(allowed));
        assert!(
            names,
            "{allowed} names no game any more: remove it from the list"
        );
    }
}

/// Only `host` calls the system directly: no other file of `src` and `crates` uses `std::os`.
#[test]
fn only_host_calls_the_system() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    sources(&root().join("crates"), &mut files);
    files.retain(|file| !file.starts_with(root().join("crates/host")));
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        let mut code = text.lines().filter_map(|line| line.split("//").next());
        let call = code.find(|line| line.contains("std::os::"));
        assert_eq!(call, None, "{}", file.display());
    }
}

/// Clippy refuses library features that are newer than `rust-version`, but not language features. This test searches
/// for the only newer language feature so far: `if let` in the guard of a match arm (Rust 1.95).
#[test]
fn nothing_of_the_language_is_newer_than_our_rust() {
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
