//! The folder of a run: always a new one.

use referee::problem;
use std::fs;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::RunError;
use tournament::Problem;

/// A folder that was made for a run. It is removed, with its files, unless it is kept: a run that cannot begin
/// leaves nothing behind.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
    is_kept: bool,
}

impl NewFolder {
    fn at(path: PathBuf) -> NewFolder {
        let is_kept = false;
        NewFolder { path, is_kept }
    }

    /// Keeps the folder, because the run has begun.
    pub fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.path.clone()
    }
}

impl Deref for NewFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // The error that ended the run is reported, not this one.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// A new folder: the one asked for, or the first free one in `results/` named after the run.
pub fn create_folder(name: &str, out: Option<&Path>) -> Result<NewFolder, RunError> {
    if let Some(out) = out {
        if let Some(parent) = out.parent() {
            fs::create_dir_all(parent).map_err(|source| failed(parent, &source))?;
        }
        return match fs::create_dir(out) {
            Ok(()) => Ok(NewFolder::at(out.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(out).into()),
            Err(source) => Err(failed(out, &source)),
        };
    }
    free_folder(Path::new("results"), name)
}

/// The first free folder in `results` of this name, or with a number behind it.
pub fn free_folder(results: &Path, name: &str) -> Result<NewFolder, RunError> {
    fs::create_dir_all(results).map_err(|source| failed(results, &source))?;
    let first = std::iter::once(name.to_owned());
    let further = (2..).map(|number| format!("{name}-{number}"));
    for name in first.chain(further) {
        let folder = results.join(name);
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(NewFolder::at(folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(failed(&folder, &source)),
        }
    }
    unreachable!("there is always a next number")
}

/// The error for a requested folder that exists.
pub fn exists(folder: &Path) -> Problem {
    problem!(
        "{} exists already, and a run does not overwrite files",
        folder.display()
    )
    .help(format!(
        "choose another --out, or continue with arena resume {}",
        folder.display()
    ))
}

fn failed(folder: &Path, source: &io::Error) -> RunError {
    problem!("cannot create the folder {}: {source}", folder.display())
        .help("choose another with --out")
        .into()
}
