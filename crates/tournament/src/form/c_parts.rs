//! The files of a program in C or C++. Compilers do not find them by themselves, and students hand in projects whose
//! development environment found them. The search is bounded, because authors may be hostile.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use host::Walk;
use referee::bot::{is_generated_or_installed, read_own};

use super::source::{Language, begins_program};

/// At most this many bytes of sources are searched for included files.
const MOST_SEARCHED: usize = 16 << 20;

/// Returns the arguments of the compiler for the program that begins in the file `path`, relative to the folder `own`: its
/// file, the files beside it, the file `board.cpp` of each header `board.h` that they include, wherever it is, and the
/// folders of headers. Leaves out other programs, and files that another file includes.
pub fn of(language: Language, path: &Path, own: &Path) -> io::Result<Vec<String>> {
    let (path, own) = (fs::canonicalize(path)?, fs::canonicalize(own)?);
    let files = files_by_name(&own)?;
    let is_part = |other: &PathBuf| {
        Language::of(other) == Some(language) && (*other == path || !begins_program(other))
    };
    let all = || files.values().flatten();
    let beside = all().filter(|other| other.parent() == path.parent() && is_part(other));
    let mut sources: BTreeSet<PathBuf> = beside.cloned().collect();
    sources.insert(path.clone());
    let mut folders = BTreeSet::new();
    let mut by_stem: BTreeMap<_, Vec<&PathBuf>> = BTreeMap::new();
    for other in all().filter(|other| Language::of(other) == Some(language)) {
        by_stem.entry(other.file_stem()).or_default().push(other);
    }
    let (mut included, mut tried, mut left) = (BTreeSet::new(), BTreeSet::new(), MOST_SEARCHED);
    let mut waiting: Vec<PathBuf> = sources.iter().cloned().collect();
    while let Some(file) = waiting.pop() {
        let bytes = read_own(&file, left as u64).unwrap_or_default();
        left -= bytes.len();
        let folder = file.parent().unwrap_or(&own);
        for (name, is_quoted) in String::from_utf8_lossy(&bytes).lines().filter_map(include) {
            if !tried.insert((folder.to_owned(), name.to_owned())) {
                continue;
            }
            let near = fs::canonicalize(folder.join(name)).ok();
            let near = near.filter(|near| is_quoted && near.starts_with(&own) && near.is_file());
            let found = near.or_else(|| {
                let (inside, found) = elsewhere(Path::new(name), folder, &files)?;
                folders.insert(inside);
                Some(found)
            });
            let Some(header) = found.filter(|found| included.insert(found.clone())) else {
                continue;
            };
            let same_stem = by_stem.get(&header.file_stem()).into_iter().flatten();
            let body = nearest(same_stem.copied(), &header).filter(|body| is_part(body));
            waiting.extend(body.filter(|body| sources.insert((*body).clone())).cloned());
            waiting.push(header);
        }
    }
    sources.retain(|other| *other == path || !included.contains(other));
    let name = |path: &PathBuf| {
        let inner = path.strip_prefix(&own).unwrap_or(path).to_string_lossy();
        String::from(if inner.is_empty() { "." } else { &inner })
    };
    // These folders are searched last, so that no file hides a header of the system.
    let folders = folders
        .iter()
        .flat_map(|folder| ["-idirafter".to_owned(), name(folder)]);
    Ok(sources.iter().map(name).chain(folders).collect())
}

fn files_by_name(own: &Path) -> io::Result<BTreeMap<OsString, Vec<PathBuf>>> {
    let (mut files, mut walk) = (BTreeMap::<_, Vec<_>>::new(), Walk::of(own));
    while let Some((inner, data)) = walk.next().transpose()? {
        let path = own.join(inner);
        if is_generated_or_installed(&path) {
            walk.leave_out();
        } else if let (true, Some(name)) = (data.is_file(), path.file_name()) {
            files.entry(name.to_owned()).or_default().push(path);
        }
    }
    Ok(files)
}

/// Returns the name in a line `#include "name"` or `#include <name>`, and whether it is in quotes.
fn include(line: &str) -> Option<(&str, bool)> {
    let name = line.trim_start().strip_prefix('#')?.trim_start();
    let name = name.strip_prefix("include")?.trim_start();
    let quoted = name
        .strip_prefix('"')
        .and_then(|name| name.split('"').next());
    let angled = || {
        name.strip_prefix('<')
            .and_then(|name| name.split('>').next())
    };
    quoted.map_or_else(|| Some((angled()?, false)), |name| Some((name, true)))
}

/// Returns the file whose path ends with `name`, and the folder from which it has this name.
fn elsewhere(
    name: &Path,
    folder: &Path,
    files: &BTreeMap<OsString, Vec<PathBuf>>,
) -> Option<(PathBuf, PathBuf)> {
    let mut parts = name.components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let same_name = files.get(name.file_name()?)?.iter();
    let found = nearest(
        same_name.filter(|path| path.ends_with(name)),
        &folder.join(name),
    )?;
    let inside = found.ancestors().nth(name.components().count())?;
    Some((inside.to_owned(), found.clone()))
}

/// Returns the path that shares the most folders with `other`, and of several such paths the shortest.
fn nearest<'a>(paths: impl Iterator<Item = &'a PathBuf>, other: &Path) -> Option<&'a PathBuf> {
    paths.min_by_key(|path| {
        let pairs = path.components().zip(other.components());
        let shared = pairs.take_while(|(one, other)| one == other).count();
        (usize::MAX - shared, path.components().count())
    })
}
