//! Rules that cargo and clippy do not check: only some files name a game, only `host` calls the operating system, and
//! no language feature is newer than `rust-version`. Cargo checks the layers, because they are packages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cases::cases;

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

fn code(text: &str) -> String {
    let tests = text.find("#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..tests].lines();
    let lines = lines.map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The table has the files and folders of `src` and `crates` whose code may name a game, with the reasons.
#[test]
fn no_other_file_names_a_game() {
    let naming_files = cases::<[String; 2]>("files-that-name-a-game");
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
    let allowed = |name: &&String| naming_files.iter().any(|[file, _]| name.starts_with(file));
    let beyond: Vec<_> = naming.iter().filter(|name| !allowed(name)).collect();
    // Use the game's family instead, or add the file to the table with a reason.
    assert!(beyond.is_empty(), "{beyond:?} name a game");
    for [file, _] in &naming_files {
        let names = naming.iter().any(|name| name.starts_with(file));
        assert!(names, "{file} names no game any more: remove it");
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
