//! Unpacking an archive that a stranger handed in.
//!
//! Only regular files and folders come out, each under the folder of its archive: an entry that is a link or
//! a device, whose path is absolute or climbs, makes the whole archive a problem, as do too many files or
//! too many bytes. Sizes are counted while they are unpacked, not believed. No entry is executable,
//! whatever the archive says.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use super::limits::{MOST_BYTES, MOST_FILES};
use crate::run::Stop;
use crate::tournament::Problem;
use referee::bot::{cache, digits, read_regular, size};

/// The longest archive, in bytes.
const LONGEST: u64 = 256 << 20;
/// The longest name of an entry, in bytes.
const LONGEST_NAME: u64 = 1 << 16;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// .zip
    Zip,
    /// .tar
    Tar,
    /// .tar.gz, .tgz
    TarGz,
}

const ENDINGS: [(&str, Kind); 4] = [
    (".zip", Kind::Zip),
    (".tar", Kind::Tar),
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
];

impl Kind {
    /// The kind of the archive at `path`, by its name; `None`: it is not an archive.
    pub fn of(path: &Path) -> Option<Kind> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let ending = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        ending.map(|(_, kind)| *kind)
    }
}

/// The name of an archive without its ending; `None`: it is not an archive.
pub fn bare_name(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let ending = ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending))?;
    name.get(..name.len() - ending.0.len()).map(str::to_owned)
}

/// The folder with the files of the archive at `path`, unpacked in the user's cache. It stays there while the
/// archive is the same.
///
/// # Errors
/// A problem for its author, or that `stop` was requested.
pub fn unpacked(path: &Path, stop: &Stop) -> Result<PathBuf, Problem> {
    let shown = path.file_name().unwrap_or_default().to_string_lossy();
    let cannot = |what: &str| {
        let what = what.to_owned();
        let shown = shown.clone();
        move |error: io::Error| problem!("{what} {shown}: {error}")
    };
    let bytes = read_regular(path, LONGEST).map_err(cannot("cannot read the archive"))?;
    let mut hash = Sha256::new();
    hash.update(path.as_os_str().as_encoded_bytes());
    hash.update(&bytes);
    let folders = cache("hand-ins");
    let folder = folders.join(&digits(hash)[..32]);
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(&folders).map_err(cannot("cannot make a folder for"))?;
    let fresh = tempfile::tempdir_in(&folders).map_err(cannot("cannot make a folder for"))?;
    let mut unpacking = Unpacking::into(fresh.path(), stop);
    let done = match Kind::of(path) {
        Some(Kind::Zip) => unpacking.zip(&bytes),
        Some(Kind::TarGz) => unpacking.tar(|| GzDecoder::new(bytes.as_slice())),
        Some(Kind::Tar) | None => unpacking.tar(|| bytes.as_slice()),
    };
    done.map_err(|error| {
        problem!("{shown} was not unpacked: {error}")
            .help("pack only the files of the bot, with ordinary names, as .zip or .tar.gz")
    })?;
    let fresh = fresh.keep();
    fs::rename(&fresh, &folder).map_err(cannot("cannot keep the files of"))?;
    Ok(folder)
}

struct Unpacking<'a> {
    folder: &'a Path,
    stop: &'a Stop,
    files: u64,
    bytes: u64,
}

impl<'a> Unpacking<'a> {
    fn into(folder: &'a Path, stop: &'a Stop) -> Unpacking<'a> {
        Unpacking {
            folder,
            stop,
            files: 0,
            bytes: 0,
        }
    }

    fn zip(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut archive = zip::ZipArchive::new(io::Cursor::new(bytes)).map_err(io::Error::other)?;
        for at in 0..archive.len() {
            let entry = archive.by_index(at).map_err(io::Error::other)?;
            let name = entry.name().map_err(io::Error::other)?.into_owned();
            if entry.is_symlink() {
                return Err(refused(&name, "is a link"));
            }
            let path = place(&name)?;
            if entry.is_dir() {
                self.folder(&path)?;
            } else {
                self.file(&path, entry)?;
            }
        }
        Ok(())
    }

    /// Refuses a tar with entries that stand for the name of another and are longer than any name: they
    /// would be read into memory.
    fn names(stream: impl Read) -> io::Result<()> {
        let mut archive = tar::Archive::new(stream.take(2 * MOST_BYTES));
        for entry in archive.entries()?.raw(true) {
            let entry = entry?;
            let header = entry.header();
            let kind = header.entry_type();
            let is_name = kind.is_gnu_longname()
                || kind.is_gnu_longlink()
                || kind.is_pax_global_extensions()
                || kind.is_pax_local_extensions();
            if is_name && header.entry_size()? > LONGEST_NAME {
                return Err(io::Error::other("an entry has a name that is too long"));
            }
        }
        Ok(())
    }

    fn tar<R: Read>(&mut self, stream: impl Fn() -> R) -> io::Result<()> {
        Unpacking::names(stream())?;
        // Reading stops at the limit even where a header promises more.
        let mut archive = tar::Archive::new(stream().take(2 * MOST_BYTES));
        for entry in archive.entries()? {
            let entry = entry?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let kind = entry.header().entry_type();
            if kind.is_pax_global_extensions() {
                continue;
            }
            let path = place(&name)?;
            if kind.is_dir() {
                self.folder(&path)?;
            } else if kind.is_file() || kind.is_contiguous() {
                self.file(&path, entry)?;
            } else {
                return Err(refused(&name, "is a link or a device"));
            }
        }
        Ok(())
    }

    fn count(&mut self) -> io::Result<()> {
        self.files += 1;
        if self.files > MOST_FILES {
            let what = format!("it has more than {MOST_FILES} files");
            return Err(io::Error::other(what));
        }
        Ok(())
    }

    fn folder(&mut self, path: &Path) -> io::Result<()> {
        self.count()?;
        fs::create_dir_all(self.folder.join(path))
    }

    fn file(&mut self, path: &Path, content: impl Read) -> io::Result<()> {
        self.count()?;
        let path = self.folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // Two entries of one name would be one file: the second is refused.
        let mut file = File::create_new(path)?;
        let room = MOST_BYTES - self.bytes;
        let mut content = UntilStopped {
            content: content.take(room + 1),
            stop: self.stop,
        };
        self.bytes += io::copy(&mut content, &mut file)?;
        if self.bytes > MOST_BYTES {
            let what = format!("its files have more than {}", size(MOST_BYTES));
            return Err(io::Error::other(what));
        }
        Ok(())
    }
}

/// What is read until a stop is requested.
struct UntilStopped<'a, R> {
    content: R,
    stop: &'a Stop,
}

impl<R: Read> Read for UntilStopped<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_requested() {
            // An error of kind `Interrupted` would be tried again.
            return Err(io::Error::other("interrupted"));
        }
        self.content.read(buffer)
    }
}

fn refused(name: &str, why: &str) -> io::Error {
    io::Error::other(format!("its entry {name:?} {why}"))
}

/// Where an entry lies under the archive's folder.
fn place(name: &str) -> io::Result<PathBuf> {
    let mut place = PathBuf::new();
    // Windows archives have its own separator.
    for part in Path::new(&name.replace('\\', "/")).components() {
        match part {
            Component::Normal(part) => place.push(part),
            Component::CurDir => {}
            _ => return Err(refused(name, "leads out of the archive")),
        }
    }
    if name.contains('\0') || name.contains(':') {
        return Err(refused(name, "has no ordinary name"));
    }
    Ok(place)
}
