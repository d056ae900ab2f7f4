//! The bots of `bots/` with a `bot.toml`, built. Those in other languages than Python only if they are asked for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use referee::bot::Manifest;

use super::asked::is_left_out;

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

    fn is_tested(&self) -> bool {
        let commands = self.manifest.build.iter().chain([&self.manifest.command]);
        let mut programs = commands.map(|words| words[0].as_str());
        !programs.any(|program| !program.contains('/') && is_left_out(program))
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
    found.retain(FolderBot::is_tested);
    for bot in &found {
        if let Some(build) = bot.manifest.build(&bot.folder) {
            build.run().unwrap_or_else(|error| panic!("{error}"));
        }
    }
    found
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
