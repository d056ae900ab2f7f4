//! The bots of `bots/` with a `bot.toml`, in all languages, built.
//!
//! Skips bots in languages that this machine lacks, and prints a note to the real standard error, which the test
//! harness does not capture. With `ARENA_ALL_LANGUAGES` set, as in `.ci/run`, the test fails instead.

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;

use referee::bot::Manifest;

pub struct FolderBot {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

impl FolderBot {
    pub fn name(&self) -> String {
        let name = self.folder.file_name().expect("a name");
        name.to_string_lossy().into_owned()
    }

    pub fn command(&self) -> Command {
        let launch = self.manifest.launch(&self.folder, &[]);
        // A program with a slash is in the bot's folder.
        let program = match launch.program.components().count() {
            1 => launch.program,
            _ => self.folder.join(launch.program),
        };
        let mut command = Command::new(program);
        command.args(launch.arguments).current_dir(&self.folder);
        command
    }

    fn missing(&self) -> Option<String> {
        let commands = self.manifest.build.iter().chain([&self.manifest.command]);
        let mut programs = commands.map(|words| words[0].as_str());
        let missing = programs.find(|program| !program.contains('/') && !is_installed(program));
        missing.map(str::to_owned)
    }
}

pub fn folder_bots() -> Vec<FolderBot> {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots");
    let folders = fs::read_dir(bots).expect("the bots").flatten();
    let mut found: Vec<FolderBot> = folders
        .map(|entry| entry.path())
        .filter(|folder| folder.join("bot.toml").is_file())
        .map(|folder| FolderBot {
            manifest: Manifest::read(&folder).unwrap_or_else(|problem| panic!("{problem:?}")),
            folder,
        })
        .collect();
    // A bot that gets a key from the environment needs the service for that key.
    found.retain(|bot| bot.manifest.environment.is_empty());
    found.sort_by_key(FolderBot::name);
    found.retain(|bot| {
        let Some(program) = bot.missing() else {
            return true;
        };
        let what = format!("NOT TESTED: bots/{} needs {program}", bot.name());
        assert!(
            std::env::var_os("ARENA_ALL_LANGUAGES").is_none(),
            "{what}, which is not installed"
        );
        let _ = writeln!(stderr(), "\n{what}, which is not installed here\n");
        false
    });
    for bot in &found {
        if let Some(build) = bot.manifest.build(&bot.folder) {
            build.run().unwrap_or_else(|error| panic!("{error}"));
        }
    }
    found
}

/// Returns whether a program is missing. If so, prints a note, or panics if all languages must be tested.
pub fn is_missing(program: &str) -> bool {
    let is_missing = !is_installed(program);
    if is_missing {
        let what = format!("NOT TESTED: {program} is not installed here");
        assert!(std::env::var_os("ARENA_ALL_LANGUAGES").is_none(), "{what}");
        let _ = writeln!(stderr(), "\n{what}\n");
    }
    is_missing
}

/// Returns whether a program is in `PATH` or in `/usr/sbin`, where servers are.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.any(|folder| folder.join(program).is_file())
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    let paths = entries.iter().map(fs::DirEntry::path);
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
