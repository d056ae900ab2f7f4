//! Unpacks a student's archive.
//!
//! Unpacks only regular files and folders, into one folder. Refuses the whole archive if it has a link, a device, an
//! absolute path or a path that leaves the folder, or too many files, folders or bytes. Counts them during unpacking,
//! and also counts parent folders that have no entry. Makes no file executable. Removes the files of a refused
//! archive. A failure of the machine is not attributed to the archive.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use encoding_rs::GB18030;
use flate2::read::MultiGzDecoder;
use message::{Message, ToValue, message};
use sha2::{Digest, Sha256};

use referee::bot::{DiskShare, Exceeded, Quota, cached, digits, keep, new_entry, read_regular};
use referee::problem;
use run::Stop;
use tournament::Problem;

const LONGEST: u64 = 256 << 20;
const LONGEST_NAME: u64 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    Zip,
    Tar,
    TarGz,
}

const ENDINGS: [(&str, ArchiveKind); 4] = [
    (".zip", ArchiveKind::Zip),
    (".tar", ArchiveKind::Tar),
    (".tar.gz", ArchiveKind::TarGz),
    (".tgz", ArchiveKind::TarGz),
];

impl ArchiveKind {
    pub fn of(path: &Path) -> Option<ArchiveKind> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let ending = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        ending.map(|(_, kind)| *kind)
    }
}

/// Returns the name of an archive without its ending; `None` if the ending is not that of an archive.
pub fn bare_name(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let ending = ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending))?;
    name.get(..name.len() - ending.0.len()).map(str::to_owned)
}

/// Unpacks the archive into the user's cache, and returns the folder, which remains until the cache needs the room.
/// Fails if the archive is at fault, if the machine fails, or if `stop` was requested.
pub fn unpacked(path: &Path, share: &DiskShare, stop: &Stop) -> Result<PathBuf, Problem> {
    let shown = Path::new(path.file_name().unwrap_or_default());
    let bytes = read_regular(path, LONGEST)
        .map_err(|error| problem!("cannot read the archive {shown}: {error}"))?;
    let mut hash = Sha256::new();
    hash.update(path.as_os_str().as_encoded_bytes());
    hash.update(&bytes);
    let machine = |error: io::Error| no_room(shown, &error);
    let folder = cached("hand-ins", &digits(hash)[..32]).map_err(machine)?;
    if folder.is_dir() {
        return Ok(folder);
    }
    let fresh = new_entry(&folder).map_err(machine)?;
    let mut unpacking = Unpacking {
        folder: fresh.path(),
        stop,
        quota: share.quota(fresh.path()),
    };
    let done = match ArchiveKind::of(path) {
        Some(ArchiveKind::Zip) => unpacking.zip(&bytes),
        Some(ArchiveKind::TarGz) => unpacking.tar(MultiGzDecoder::new(bytes.as_slice())),
        Some(ArchiveKind::Tar) | None => unpacking.tar(bytes.as_slice()),
    };
    done.map_err(|error| match error {
        UnpackFailure::Machine(error) => machine(error),
        UnpackFailure::Archive(error) => problem!("{shown} was not unpacked: {error}")
            .help("pack only the files of the bot, with ordinary names, as .zip or .tar.gz"),
    })?;
    let shared = unpacking.quota.check_share();
    shared.map_err(|exceeded| no_room(shown, &exceeded))?;
    keep(fresh, &folder).map_err(machine)?;
    Ok(folder)
}

enum UnpackFailure {
    /// The archive is damaged, or has a forbidden entry.
    Archive(Message),
    Machine(io::Error),
}

/// An error while reading an archive is attributed to the archive.
impl From<io::Error> for UnpackFailure {
    fn from(error: io::Error) -> UnpackFailure {
        UnpackFailure::Archive(error.to_message())
    }
}

impl From<Exceeded> for UnpackFailure {
    fn from(exceeded: Exceeded) -> UnpackFailure {
        UnpackFailure::Archive(message!("it has {exceeded}"))
    }
}

/// Attributes a failed creation of a file to the archive if names conflict or are invalid, otherwise to the machine.
fn not_made(error: io::Error) -> UnpackFailure {
    match error.kind() {
        io::ErrorKind::AlreadyExists
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::IsADirectory
        | io::ErrorKind::InvalidFilename
        | io::ErrorKind::InvalidInput => error.into(),
        _ => UnpackFailure::Machine(error),
    }
}

struct Unpacking<'a> {
    folder: &'a Path,
    stop: &'a Stop,
    quota: Quota,
}

impl Unpacking<'_> {
    fn zip(&mut self, bytes: &[u8]) -> Result<(), UnpackFailure> {
        // The library reads all headers into memory at once, so the headers are counted first.
        let (heads, mut quota) = (memchr::memmem::find_iter(bytes, b"PK\x01\x02"), self.quota);
        quota.take(heads.count() as u64, 0)?;
        let mut archive = zip::ZipArchive::new(io::Cursor::new(bytes)).map_err(io::Error::other)?;
        for at in 0..archive.len() {
            self.go_on()?;
            let entry = archive.by_index(at).map_err(io::Error::other)?;
            let name = match str::from_utf8(entry.name_raw()) {
                Ok(name) => name.to_owned(),
                // Windows in Chinese names files in GBK, a part of GB18030, and does not say so.
                Err(_) => match GB18030
                    .decode_without_bom_handling_and_without_replacement(entry.name_raw())
                {
                    Some(name) => name.into_owned(),
                    None => entry.name().map_err(io::Error::other)?.into_owned(),
                },
            };
            if entry.is_symlink() {
                return Err(refused(&name, "is a link"));
            }
            let path = place(&name)?;
            if name.ends_with(['/', '\\']) {
                self.folder(&path)?;
            } else {
                self.file(&path, entry)?;
            }
        }
        Ok(())
    }

    /// Reads raw entries, because the library would read a name of any length into memory.
    fn tar(&mut self, stream: impl Read) -> Result<(), UnpackFailure> {
        let mut heads = self.quota;
        let mut named = None;
        // Reads at most twice the limit of a hand-in, whatever sizes the headers claim.
        let mut archive = tar::Archive::new(stream.take(2 * Quota::BYTES));
        for entry in archive.entries()?.raw(true) {
            let entry = entry?;
            self.go_on()?;
            let kind = entry.header().entry_type();
            if kind.is_pax_global_extensions() || kind.is_gnu_longlink() {
                continue;
            }
            if kind.is_gnu_longname() {
                named = Some(short(entry)?);
                continue;
            }
            if kind.is_pax_local_extensions() {
                named = path_in(&short(entry)?)?.or(named);
                continue;
            }
            heads.take(1, 0)?;
            let name = named.take().unwrap_or_else(|| entry.path_bytes().into());
            let name = String::from_utf8_lossy(&name);
            let name = name.trim_end_matches('\0');
            let path = place(name)?;
            if kind.is_dir() || name.ends_with('/') {
                self.folder(&path)?;
            } else if kind.is_file() || kind.is_contiguous() {
                self.file(&path, entry)?;
            } else {
                return Err(refused(name, "is a link or a device"));
            }
        }
        Ok(())
    }

    fn go_on(&self) -> io::Result<()> {
        if self.stop.is_requested() {
            return Err(io::Error::other("interrupted"));
        }
        Ok(())
    }

    /// Beyond the share of the disk, entries are only counted: the archive is at fault if it has too much anyway.
    fn is_written(&self) -> bool {
        self.quota.check_share().is_ok()
    }

    fn folder(&mut self, path: &Path) -> Result<(), UnpackFailure> {
        if !self.is_written() {
            return Ok(());
        }
        let place = self.folder.join(path);
        let missing = place.ancestors().take_while(|place| !place.is_dir());
        self.quota.take(missing.count() as u64, 0)?;
        fs::create_dir_all(place).map_err(not_made)
    }

    fn file(&mut self, path: &Path, content: impl Read) -> Result<(), UnpackFailure> {
        self.quota.take(1, 0)?;
        if let Some(parent) = path.parent() {
            self.folder(parent)?;
        }
        // Fails if an earlier entry had the same path.
        let create = || File::create_new(self.folder.join(path)).map_err(not_made);
        let mut file = self.is_written().then(create).transpose()?;
        let mut content = content.take(self.quota.bytes() + 1);
        let mut buffer = vec![0; 1 << 16];
        loop {
            self.go_on()?;
            match content.read(&mut buffer)? {
                0 => return Ok(()),
                length => {
                    self.quota.take(0, length as u64)?;
                    if let Some(file) = file.as_mut().filter(|_| self.is_written()) {
                        let written = file.write_all(&buffer[..length]);
                        written.map_err(UnpackFailure::Machine)?;
                    }
                }
            }
        }
    }
}

fn short(entry: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(LONGEST_NAME + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_NAME {
        return Err(io::Error::other("an entry has a name that is too long"));
    }
    Ok(bytes)
}

/// Returns the path for the next entry from these PAX records, if they have one. A record is `LENGTH KEY=VALUE` and a
/// line feed; the length counts all of these bytes. Refuses a `size` record: only files above 8 GiB need it, and a
/// program that ignores it would unpack different files. Source: POSIX.1-2024, `pax`, "pax Extended Header".
fn path_in(mut records: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let malformed = || io::Error::other("an entry has malformed PAX records");
    let mut path = None;
    while !records.is_empty() {
        let first = |wanted: u8| records.iter().position(|&byte| byte == wanted);
        let (blank, equals) = first(b' ').zip(first(b'=')).ok_or_else(malformed)?;
        let length = str::from_utf8(&records[..blank]).ok();
        let length: usize = length
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(malformed)?;
        let (record, rest) = records.split_at_checked(length).ok_or_else(malformed)?;
        let key = record.get(blank + 1..equals).ok_or_else(malformed)?;
        let value = record.get(equals + 1..length.saturating_sub(1));
        match key {
            b"path" => path = Some(value.ok_or_else(malformed)?.to_owned()),
            b"size" => {
                return Err(io::Error::other(
                    "an entry has a size record, which only files above 8 GiB need",
                ));
            }
            _ => {}
        }
        records = rest;
    }
    Ok(path)
}

fn refused(name: &str, why: &'static str) -> UnpackFailure {
    let why = Message::from(why);
    UnpackFailure::Archive(message!("its entry {name:?} {why}"))
}

fn place(name: &str) -> Result<PathBuf, UnpackFailure> {
    let mut place = PathBuf::new();
    // Archives from Windows may separate folders by `\`.
    for part in Path::new(&name.replace('\\', "/")).components() {
        match part {
            Component::Normal(part) => place.push(part),
            Component::CurDir => {}
            _ => return Err(refused(name, "leads out of the folder")),
        }
    }
    if name.contains('\0') || name.contains(':') {
        return Err(refused(name, "has a name with : or a null character"));
    }
    Ok(place)
}

pub(super) fn no_room(name: &Path, error: &dyn ToValue) -> Problem {
    let name = name.display();
    problem!("the cache has no room for the files of {name}: {error}")
        .help("make room, or name another folder in XDG_CACHE_HOME")
        .of_machine()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quota of files and folders in these tests. It is small because creating folders takes time.
    const LEFT: u64 = 1000;

    /// Unpacks a tar with these empty files. Also returns the number of files and folders that were created.
    fn tried(names: impl Iterator<Item = String>) -> (Result<(), UnpackFailure>, usize) {
        let (done, folder) = unpacked_tar(&with_files(names));
        (done, host::Walk::of(folder.path()).count())
    }

    fn with_files(names: impl Iterator<Item = String>) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for name in names {
            let mut header = tar::Header::new_gnu();
            header.set_size(0);
            tar.append_data(&mut header, name, io::empty())
                .expect("an entry");
        }
        tar.into_inner().expect("an archive")
    }

    fn unpacked_tar(bytes: &[u8]) -> (Result<(), UnpackFailure>, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut quota = Quota::WHOLE;
        quota.take(Quota::ENTRIES - LEFT, 0).expect("less than all");
        let mut unpacking = Unpacking {
            folder: folder.path(),
            stop: &Stop::new(),
            quota,
        };
        let done = unpacking.tar(bytes);
        (done, folder)
    }

    fn entry(kind: tar::EntryType, size: usize, content: &[u8]) -> Vec<u8> {
        let mut header = tar::Header::new_ustar();
        header.set_path("bot.py").expect("it fits");
        header.set_entry_type(kind);
        header.set_size(size as u64);
        header.set_cksum();
        let mut bytes = [header.as_bytes().as_slice(), content].concat();
        bytes.resize(bytes.len().next_multiple_of(512), 0);
        bytes
    }

    fn refusal(bytes: &[u8]) -> String {
        match unpacked_tar(bytes).0 {
            Err(UnpackFailure::Archive(error)) => error.to_string(),
            _ => panic!("it was unpacked"),
        }
    }

    #[test]
    fn headers_before_an_entry_are_short_and_have_no_size() {
        let before = |text: &str| entry(tar::EntryType::XHeader, text.len(), text.as_bytes());
        let named = before("6 a=\n\n15 path=作.py\n");
        let whole = [named, entry(tar::EntryType::Regular, 2, b"hi")].concat();
        let (done, folder) = unpacked_tar(&whole);
        assert!(done.is_ok());
        assert!(folder.path().join("作.py").is_file());
        assert_eq!(
            refusal(&before("9 size=0\n")),
            "an entry has a size record, which only files above 8 GiB need"
        );
        for malformed in [
            "9 size",
            "x path=a\n",
            "99 path=a\n",
            "3 path=a\n",
            "path=a 9\n",
        ] {
            let why = refusal(&before(malformed));
            assert_eq!(why, "an entry has malformed PAX records", "{malformed}");
        }
        for kind in [tar::EntryType::XHeader, tar::EntryType::GNULongName] {
            let long = entry(kind, 1 << 17, &vec![b'a'; 1 << 17]);
            assert_eq!(refusal(&long), "an entry has a name that is too long");
        }
    }

    #[test]
    fn a_folder_that_is_named_again_and_again_has_an_end() {
        let names = (0..=Quota::ENTRIES).map(|_| "folder/".to_owned());
        assert_eq!(
            refusal(&with_files(names)),
            "it has more than 20000 files and folders"
        );
    }

    #[test]
    fn folders_that_lead_to_an_entry_count() {
        let deep = |entry: u32| format!("{}{entry}", format!("{entry}/").repeat(500));
        let (done, made) = tried((0..201).map(deep));
        let Err(UnpackFailure::Archive(error)) = done else {
            panic!("{made} were made");
        };
        assert_eq!(
            error.to_string(),
            "it has more than 20000 files and folders"
        );
        assert!(made <= LEFT as usize, "{made}");
        let flat = |entry: u32| format!("a/b/c/{entry}");
        let (done, made) = tried((0..100).map(flat));
        assert!(done.is_ok());
        assert_eq!(made, 103);
    }

    #[test]
    fn a_zip_of_too_many_entries_is_refused_before_they_are_read() {
        let mut unpacking = Unpacking {
            folder: Path::new("/nowhere"),
            stop: &Stop::new(),
            quota: Quota::WHOLE,
        };
        let heads = b"PK\x01\x02".repeat(20_001);
        let Err(UnpackFailure::Archive(error)) = unpacking.zip(&heads) else {
            panic!("it is no archive of ours");
        };
        assert_eq!(
            error.to_string(),
            "it has more than 20000 files and folders"
        );
    }

    #[test]
    fn names_that_do_not_fit_are_the_archives_fault() {
        for names in [["a", "a"], ["a", "a/b"], ["a/b", "a"]] {
            let (done, _) = tried(names.into_iter().map(str::to_owned));
            assert!(matches!(done, Err(UnpackFailure::Archive(_))), "{names:?}");
        }
        let (done, _) = tried([format!("{}.py", "a".repeat(300))].into_iter());
        assert!(matches!(done, Err(UnpackFailure::Archive(_))));
    }
}
