//! The frame: a program that plays by calling a class, function or program for a course (see `bots/python-course`).

use referee::problem;
use std::fs;
use std::io;
use std::path::PathBuf;

use referee::bot::{Manifest, Restart, cache, digits};
use referee::dialect::Protocol;
use referee::problem::Problem;
use sha2::{Digest, Sha256};

use super::kind::Form;

const FILES: [(&str, &str); 5] = [
    (
        "course_bot.py",
        include_str!("../../../../bots/python-course/course_bot.py"),
    ),
    (
        "program_bot.py",
        include_str!("../../../../bots/python-course/program_bot.py"),
    ),
    (
        "caltech.cpp",
        include_str!("../../../../bots/python-course/caltech.cpp"),
    ),
    (
        "ArenaPlayer.java",
        include_str!("../../../../bots/python-course/ArenaPlayer.java"),
    ),
    (
        "build.sh",
        include_str!("../../../../bots/python-course/build.sh"),
    ),
];

pub fn around(manifest: &mut Manifest, form: Form, text: &str) -> Result<(), Problem> {
    let mut command = vec!["python3".to_owned()];
    if form.is_program() {
        command.extend([file("program_bot.py")?, form.word().to_owned()]);
    } else {
        command.extend([
            file("course_bot.py")?,
            "--form".to_owned(),
            form.word().to_owned(),
        ]);
    }
    if form == Form::Java {
        // The last word of the command is the class of the player. The class `ArenaPlayer` calls it.
        let player = manifest.command.pop().unwrap_or_default();
        command.append(&mut manifest.command);
        command.extend(["ArenaPlayer".to_owned(), player]);
        let build = manifest.build.get_or_insert_default();
        build.push(file("ArenaPlayer.java")?);
    } else {
        // The argument of the frame is the bot's file, without the interpreter.
        let own = manifest
            .command
            .split_off(usize::from(manifest.command.len() > 1));
        command.extend(own);
    }
    manifest.command = command;
    manifest.games = form.games(text).iter().map(ToString::to_string).collect();
    manifest.starts_turns = form == Form::Nthu;
    if form == Form::Pisqpipe {
        manifest.protocol = Protocol::Gomocup;
        // An engine of this form does not clear its board at START.
        manifest.restart = Restart::Always;
    }
    Ok(())
}

/// Writes the frame into the user's cache, and returns the path of its file `name`. The folder is named after the hash
/// of the frame, so that a resumed run finds the version that it began with.
pub fn file(name: &str) -> Result<String, Problem> {
    let mut hash = Sha256::new();
    for (_, text) in FILES {
        hash.update(text);
    }
    let folder = cache("frames").join(&digits(hash)[..16]);
    let write = |path: &PathBuf, text: &str| -> io::Result<()> {
        if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        fs::create_dir_all(&folder)?;
        // The file is replaced atomically, because another arena may be starting a bot with it.
        let mut draft = tempfile::Builder::new();
        // Sandboxes may have their own users, who must be able to read the file.
        if let Some(permissions) = host::usual_permissions() {
            draft.permissions(permissions);
        }
        let file = draft.tempfile_in(&folder)?;
        fs::write(file.path(), text)?;
        file.persist(path)?;
        Ok(())
    };
    for (name, text) in FILES {
        let path = folder.join(name);
        write(&path, text).map_err(|error| {
            problem!(
                "cannot write the frame for this bot: {}: {error}",
                path.display()
            )
            .help("set XDG_CACHE_HOME to a folder with write permission")
            .of_machine()
        })?;
    }
    Ok(folder.join(name).to_string_lossy().into_owned())
}
