//! The one list of what tools and systems leave in the folder of a bot.

use std::path::Path;

/// Files and folders that systems leave behind, by name.
const JUNK: [&str; 4] = [".DS_Store", "__MACOSX", "Thumbs.db", "desktop.ini"];
/// Files and folders that tools make anew when they are missing, by name.
const REMADE: [&str; 2] = [".git", "__pycache__"];
/// Folders of others' programs, which a bot may need, by name.
const INSTALLED: [&str; 2] = ["node_modules", "venv"];

fn is(path: &Path, names: &[&str]) -> bool {
    let own = path.file_name();
    names.iter().any(|name| own.is_some_and(|own| own == *name))
}

/// Whether this is hidden, or a system left it behind.
pub fn is_junk(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".") || is(path, &JUNK)
}

/// Whether a tool or a system made this and can make it again, so that it is no part of a bot: caches, what
/// Cargo builds, runs of the arena. A folder `target` without a `Cargo.toml` beside it is the bot's.
pub fn is_remade(path: &Path) -> bool {
    let is_run = || path.join("run.toml").is_file() && path.join("arena.lock").is_file();
    let is_target = || is(path, &["target"]) && path.with_file_name("Cargo.toml").is_file();
    is(path, &JUNK) || is(path, &REMADE) || is_target() || is_run()
}

/// Whether the bot's author did not write this: what is made anew, what was installed, hidden files.
pub fn is_foreign(path: &Path) -> bool {
    is_junk(path) || is(path, &INSTALLED) || is_remade(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_is_known_by_what_made_it_and_not_by_a_common_name() {
        let folder = tempfile::tempdir().expect("a folder");
        for (made, name, remade, foreign) in [
            ("results/weights.txt", "results", false, false),
            ("results/quick/run.toml", "results", false, false),
            ("results/quick/arena.lock", "results/quick", true, true),
            ("target/book.txt", "target", false, false),
            ("rust/target/debug/bot", "rust/target", false, false),
            ("rust/Cargo.toml", "rust/target", true, true),
            ("node_modules/x/index.js", "node_modules", false, true),
            (".book", ".book", false, true),
            (".git/config", ".git", true, true),
            ("bot.py", "bot.py", false, false),
        ] {
            let file = folder.path().join(made);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, "").expect("a file");
            let path = folder.path().join(name);
            assert_eq!(
                (is_remade(&path), is_foreign(&path)),
                (remade, foreign),
                "{name} with {made}"
            );
        }
    }
}
