//! Which files are meant, and what is wrong with them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::cli::error::InputError;
use crate::stages::{Stage, read};
use crate::tournament::Problem;

/// Where stages are looked for if none are named.
const SHIPPED: &str = "tournaments/stages";

/// The stages of these files, and of the `.txt` files of these folders by name; of the shipped ones
/// if there are none. Never empty.
pub(super) fn read_all(paths: &[PathBuf]) -> Result<Vec<Stage>, CliError> {
    let shipped = [PathBuf::from(SHIPPED)];
    let (paths, is_default) = match paths {
        [] => (&shipped[..], true),
        paths => (paths, false),
    };
    let mut stages = Vec::new();
    for path in paths {
        if path.is_dir() {
            let files = files_of(path)?;
            if files.is_empty() {
                let what = format!("there are no .txt files in {}", path.display());
                return Err(Problem::new(what).into());
            }
            for file in files {
                stages.push(read_one(&file)?);
            }
        } else if is_default {
            return Err(Problem::new(format!("there is no folder {SHIPPED} here"))
                .help("name files or folders of stages, or go to the arena's own folder")
                .into());
        } else {
            stages.push(read_one(path)?);
        }
    }
    Ok(stages)
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let is_text = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "txt");
    let mut files: Vec<PathBuf> = paths.filter(is_text).collect();
    files.sort();
    Ok(files)
}

fn read_one(path: &Path) -> Result<Stage, CliError> {
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    let shown = path.display().to_string();
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        Problem::new(format!("{shown} is no text: line {line} is not UTF-8"))
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    read(&text, &name).map_err(|mut problem| {
        if problem.at.is_none() {
            problem.what = format!("{shown}: {}", problem.what);
        }
        InputError::in_file(problem, &shown, text).into()
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> CliError {
    Problem::new(format!("cannot read {}: {error}", path.display())).into()
}
