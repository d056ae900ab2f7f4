//! Reads stages from files and folders, and the built-in stages.

use std::fs;
use std::path::{Path, PathBuf};

use games::formats::text;
use include_dir::{Dir, File, include_dir};
use referee::bot::read_named;
use referee::problem;
use tournament::Problem;

use crate::cli::CliError;
use crate::stages::{Stage, read};

static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/tournaments/stages");

/// Reads the stages of these files, and of the `.txt` files in these folders, sorted by name; without paths, the
/// built-in stages. The list is never empty.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Stage>, CliError> {
    if paths.is_empty() {
        return shipped_stages();
    }
    let mut stages = Vec::new();
    for path in paths {
        if path.is_dir() {
            let files = files_of(path)?;
            if files.is_empty() {
                return Err(problem!("there are no .txt files in {}", path.display()).into());
            }
            for file in files {
                stages.push(read_one(&file)?);
            }
        } else {
            stages.push(read_one(path)?);
        }
    }
    Ok(stages)
}

pub fn are_stages(word: &str) -> bool {
    let path = Path::new(word);
    if path.is_dir() {
        return !path.join("bot.toml").exists()
            && files_of(path).is_ok_and(|files| !files.is_empty());
    }
    path.is_file() && (is_stage(path) || read_one(path).is_ok())
}

pub fn shipped_stages() -> Result<Vec<Stage>, CliError> {
    let mut files: Vec<_> = SHIPPED
        .files()
        .filter(|file| is_stage(file.path()))
        .collect();
    files.sort_by_key(|file| file.path());
    let read = |file: &File<'_>| read_text(file.path(), file.contents());
    files.into_iter().map(read).collect()
}

/// Recognises a stage by its file name. Hidden files, whose names begin with a dot, are not stages.
fn is_stage(path: &Path) -> bool {
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && path.extension().is_some_and(|ending| ending == "txt")
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| is_stage(path)).collect();
    // Sorts 2.txt before 10.txt.
    alphanumeric_sort::sort_path_slice(&mut files);
    Ok(files)
}

fn read_one(path: &Path) -> Result<Stage, CliError> {
    let bytes = read_named(path).map_err(|error| unreadable(path, &error))?;
    read_text(path, &bytes)
}

fn read_text(path: &Path, bytes: &[u8]) -> Result<Stage, CliError> {
    let shown = path.display().to_string();
    let text = text::decode(bytes).map_err(|why| Problem::not_text(&shown, why))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(read(&text, &name).map_err(|problem| problem.in_file(&shown, &text))?)
}

fn unreadable(path: &Path, error: &std::io::Error) -> CliError {
    problem!("cannot read {}: {error}", path.display()).into()
}
