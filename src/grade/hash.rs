//! The hashes of the hand-in and of the suite. While both are the same, so is the grade.

use std::fs;
use std::io;
use std::path::PathBuf;

use host::Walk;
use sha2::{Digest, Sha256};

use super::{HandIn, Suite};
use referee::bot::{add_bytes, add_entries, add_file, digits};
use run::{RunError, Stop};
use tournament::Tournament;

/// SHA-256 of the hand-in: every file with its name, or the command of a bot without files. A stop ends it
/// with an error.
pub fn hand_in(hand_in: &HandIn, tournament: &Tournament, stop: &Stop) -> Result<String, RunError> {
    let mut hash = Sha256::new();
    let is_stopped = || stop.is_requested();
    if let Some(path) = &hand_in.path {
        // Links lead to what is counted, too. So is what tools make anew: the bot may read it.
        let entries = fs::symlink_metadata(path).and_then(|own| {
            let inner = path.is_dir().then(|| Walk::of(path)).into_iter().flatten();
            let own = std::iter::once(Ok((PathBuf::new(), own)));
            own.chain(inner).collect()
        });
        entries
            .and_then(|entries| add_entries(&mut hash, path, entries, &is_stopped))
            .map_err(RunError::system(format!("cannot read {}", path.display())))?;
    } else {
        let launch = &tournament.contestants[0].launch;
        for word in &launch.arguments {
            add_bytes(&mut hash, word.as_encoded_bytes());
        }
        for file in launch.files() {
            // A missing file is reported when the bot is started.
            let _ = add_file(&mut hash, &file, &is_stopped);
        }
    }
    // Not every frame is the same frame.
    for word in [&hand_in.bot.frame, &hand_in.bot.protocol]
        .into_iter()
        .flatten()
    {
        add_bytes(&mut hash, word.get_ref().as_bytes());
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
    add_bytes(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
    add_bytes(&mut hash, text.as_bytes());
    for opening in &tournament.openings {
        add_bytes(&mut hash, opening.name().as_bytes());
    }
    let ours = std::env::current_exe().unwrap_or_default();
    for opponent in &tournament.contestants[1..] {
        // The arena's version stands for the built-in bots.
        for file in opponent.launch.files().iter().filter(|&file| *file != ours) {
            let _ = add_file(&mut hash, file, &|| false);
        }
    }
    Ok(digits(hash))
}
