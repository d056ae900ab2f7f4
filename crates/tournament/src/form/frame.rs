//! The frame that makes a bot of a class or a function: `bots/python-course/course_bot.py`.

use referee::problem;
use std::fs;
use std::io;
use std::path::PathBuf;

use referee::bot::{Manifest, Restart, cache, digits};
use referee::dialect::Protocol;
use referee::problem::Problem;
use sha2::{Digest, Sha256};

use super::kind::Form;

const FRAME: &str = include_str!("../../../../bots/python-course/course_bot.py");

/// Makes the bot's command start the frame, which then loads the bot.
pub fn around(manifest: &mut Manifest, form: Form, text: &str) -> Result<(), Problem> {
    let path = file()?;
    let mut command = vec!["python3".to_owned(), path.to_string_lossy().into_owned()];
    command.extend(["--form", form.word()].map(str::to_owned));
    // The frame gets the bot's file, not its interpreter.
    let own = manifest
        .command
        .split_off(usize::from(manifest.command.len() > 1));
    command.extend(own);
    manifest.command = command;
    manifest.games = form.games(text).iter().map(ToString::to_string).collect();
    if form == Form::Pisqpipe {
        manifest.protocol = Protocol::Gomocup;
        // In such brains, START does not clear the board.
        manifest.restart = Restart::Always;
    }
    Ok(())
}

/// Returns the frame as a file in the user's cache. Each version has its own file, so that a resumed run finds the
/// version it began with.
fn file() -> Result<PathBuf, Problem> {
    let mut hash = Sha256::new();
    hash.update(FRAME);
    let folder = cache("frames").join(&digits(hash)[..16]);
    let path = folder.join("course_bot.py");
    let write = || -> io::Result<()> {
        if fs::read(&path).is_ok_and(|text| text == FRAME.as_bytes()) {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        // Replaced atomically, because another arena may be starting a bot from it.
        let file = tempfile::NamedTempFile::new_in(&folder)?;
        fs::write(file.path(), FRAME)?;
        file.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| {
        problem!(
            "cannot write the frame for this bot: {}: {error}",
            path.display()
        )
        .help("set XDG_CACHE_HOME to a folder with write permission")
        .of_machine()
    })?;
    Ok(path)
}
