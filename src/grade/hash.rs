//! The hashes of the hand-in and of the suite. While both are the same, so is the grade.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use host::Walk;
use sha2::{Digest, Sha256};

use super::{HandIn, Suite};
use crate::run::{RunError, Stop};
use crate::tournament::Tournament;
use referee::bot::digits;

/// SHA-256 of the hand-in: every file with its name, or the command of a bot without files. A stop ends it
/// with an error.
pub fn hand_in(hand_in: &HandIn, tournament: &Tournament, stop: &Stop) -> Result<String, RunError> {
    let mut hash = Sha256::new();
    if let Some(path) = &hand_in.path {
        add_path(&mut hash, path, stop)
            .map_err(RunError::system(format!("cannot read {}", path.display())))?;
    } else {
        let launch = &tournament.contestants[0].launch;
        for word in &launch.arguments {
            add(&mut hash, word.as_encoded_bytes());
        }
        for file in launch.files() {
            // A missing file is reported when the bot is started.
            let _ = add_file(&mut hash, &file, stop);
        }
    }
    // Not every frame is the same frame.
    for word in [&hand_in.bot.frame, &hand_in.bot.protocol]
        .into_iter()
        .flatten()
    {
        add(&mut hash, word.get_ref().as_bytes());
    }
    Ok(digits(hash))
}

/// SHA-256 of everything that decides the games of a suite: its text with all options except the number
/// of games at a time, the openings, the opponents' files, the arena's version. How long games are played on
/// until a verdict is certain is not in it, because games that were played before stay as they are.
pub fn suite(suite: &Suite, tournament: &Tournament) -> Result<String, RunError> {
    let mut file = suite.file.clone();
    (file.concurrency, file.pin) = (None, None);
    if let Some(grade) = &mut file.grade {
        let grade = grade.get_mut();
        (grade.confirm, grade.confirm_games) = (None, None);
    }
    let text = toml::to_string(&file).map_err(|error| {
        RunError::system("the suite cannot be written")(io::Error::other(error))
    })?;
    let mut hash = Sha256::new();
    add(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
    add(&mut hash, text.as_bytes());
    for opening in &tournament.openings {
        add(&mut hash, opening.name().as_bytes());
    }
    let ours = std::env::current_exe().unwrap_or_default();
    for opponent in &tournament.contestants[1..] {
        // The arena's version stands for the built-in bots.
        for file in opponent.launch.files().iter().filter(|&file| *file != ours) {
            let _ = add_file(&mut hash, file, &Stop::new());
        }
    }
    Ok(digits(hash))
}

/// A file, or a folder's files sorted by name. A link counts by the text
/// of its path: its target is counted, too, since no link leads out of a hand-in.
fn add_path(hash: &mut Sha256, path: &Path, stop: &Stop) -> io::Result<()> {
    let mut all = BTreeMap::from([(PathBuf::new(), fs::symlink_metadata(path)?)]);
    if path.is_dir() {
        // Also what tools make anew: the bot may read it.
        for entry in Walk::of(path) {
            let (inner, data) = entry?;
            all.insert(inner, data);
        }
    }
    for (inner, data) in all {
        let whole = if inner.as_os_str().is_empty() {
            path.to_owned()
        } else {
            path.join(&inner)
        };
        add(hash, inner.as_os_str().as_encoded_bytes());
        if data.is_symlink() {
            add(hash, fs::read_link(&whole)?.as_os_str().as_encoded_bytes());
        } else if data.is_file() {
            add_file(hash, &whole, stop)?;
        }
    }
    Ok(())
}

/// The length first, so that different lists of texts have different hashes.
fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn add_file(hash: &mut Sha256, path: &Path, stop: &Stop) -> io::Result<()> {
    let mut file = File::open(path)?;
    hash.update(file.metadata()?.len().to_le_bytes());
    let mut buffer = vec![0; 1 << 16];
    loop {
        if stop.is_requested() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            length => hash.update(&buffer[..length]),
        }
    }
}
