//! Accepts a hand-in: turns an owner's files into a version that waits for its check, completely or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{LinkRule, TemporaryFolder, Walk};
use message::message;
use referee::bot::{DiskShare, add_entries, check_name, digits, is_confusable, plain_name, size};
use referee::problem;
use run::{RunError, Stop, unix_ms};
use sha2::{Digest, Sha256};
use tournament::Problem;

use super::database::{League, Owner, Version, all_versions, ends_like_version};
use crate::grade::copy_hand_in;

/// The longest name of a file, in characters. A longer name is shortened in the middle.
const LONGEST: usize = 48;

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest file that the page accepts, in bytes.
    pub upload: u64,
    pub per_hour: u64,
    pub bots: u64,
    /// The most disk space for the hand-ins of an owner, in bytes. `in_all` is the limit for all owners together.
    pub of_owner: u64,
    pub in_all: u64,
}

impl Limits {
    pub const USUAL: Limits = Limits {
        upload: 16 << 20,
        per_hour: 20,
        bots: 3,
        of_owner: 512 << 20,
        in_all: 16 << 30,
    };
    /// No limits, for the organiser.
    pub const NONE: Limits = Limits {
        upload: u64::MAX,
        per_hour: u64::MAX,
        bots: u64::MAX,
        of_owner: u64::MAX,
        in_all: u64::MAX,
    };
    const HOUR: Duration = Duration::from_secs(3600);
}

#[derive(Clone, Copy, Debug)]
pub enum Upload<'a> {
    Path(&'a Path),
    /// A file that the page received; `began` is the time in ms since 1970 at which its upload began.
    File {
        name: &'a str,
        file: &'a fs::File,
        began: u64,
    },
}

impl Upload<'_> {
    /// Returns a name for the file that is valid on every system. Keeps the ending, because it shows the file's type.
    fn name(&self) -> String {
        let given = match self {
            Upload::Path(path) => path.file_name().unwrap_or_default().to_string_lossy(),
            Upload::File { name, .. } => (*name).into(),
        };
        // A browser may send the whole path of the file.
        let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
        let letters: Vec<char> = last.chars().collect();
        let end = letters.len().saturating_sub(LONGEST / 2).max(LONGEST / 2);
        let kept = letters
            .iter()
            .take(LONGEST / 2)
            .chain(letters.iter().skip(end));
        plain_name(&kept.collect::<String>())
    }

    fn save(&self, to: &Path, stop: &Stop) -> Result<(), Problem> {
        let share = DiskShare::of(to, 1);
        match self {
            Upload::Path(path) => copy_hand_in(path, LinkRule::Follow, to, &share, stop),
            Upload::File { file, .. } => {
                let saved = || {
                    let mut file: &fs::File = file;
                    let mut quota = share.quota(to);
                    quota
                        .take(1, file.metadata()?.len())
                        .and_then(|()| quota.check_share())
                        .map_err(io::Error::other)?;
                    file.rewind()?;
                    io::copy(&mut file, &mut fs::File::create(to)?)
                };
                saved().map_err(|error| {
                    problem!("the hand-in cannot be saved: {error}").of_machine()
                })?;
                Ok(())
            }
        }
    }

    fn began(&self) -> u64 {
        match self {
            Upload::Path(_) => unix_ms(),
            Upload::File { began, .. } => *began,
        }
    }
}

impl League {
    /// Accepts a hand-in as the next version of the owner's bot `bot`. On return, the version is safely on disk.
    pub fn hand_in(
        &mut self,
        owner: &Owner,
        bot: &str,
        upload: Upload<'_>,
        limits: Limits,
        stop: &Stop,
    ) -> Result<(i64, u32), RunError> {
        check_name(bot)?;
        // A slow upload counts from its beginning, so that a deadline does not pass in the middle of it.
        let began = upload.began();
        if self.settings()?.is_closed_at(began) {
            return Err(problem!("the league is closed").into());
        }
        let failed = RunError::system("the hand-in cannot be saved");
        let place = self.folder().join("hand-ins");
        let new = TemporaryFolder::new(".new-", Some(&place)).map_err(failed)?;
        let name = upload.name();
        upload.save(&new.path().join(&name), stop)?;
        let (sha256, bytes) =
            settled(new.path()).map_err(RunError::system("the hand-in cannot be saved"))?;
        self.transact(|tables| {
            let mut others = tables.prepare("SELECT name FROM owner WHERE id <> ?1")?;
            let others = others.query_map((owner.id,), |row| row.get(0))?;
            let others = others.collect::<rusqlite::Result<Vec<String>>>()?;
            let all = all_versions(tables)?;
            refuse(&all, (owner, &others), bot, (&sha256, bytes), limits)?;
            let number: i64 = tables.query_row(
                "SELECT coalesce(max(number), 0) + 1 FROM version WHERE bot = ?1",
                (bot,),
                |row| row.get(0),
            )?;
            tables.execute(
                "INSERT INTO version (owner, bot, number, file, sha256, bytes, handed_in, state)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting')",
                (
                    owner.id,
                    bot,
                    number,
                    &name,
                    &sha256,
                    bytes as i64,
                    began as i64,
                ),
            )?;
            let id = tables.last_insert_rowid();
            move_into(new, &place.join(id.to_string()))
                .map_err(RunError::system("the hand-in cannot be saved"))?;
            Ok((id, number as u32))
        })
    }

    pub fn files_of(&self, version: &Version) -> PathBuf {
        self.hand_in_folder(version.id).join(&version.file)
    }
}

fn refuse(
    all: &[Version],
    (owner, others): (&Owner, &[String]),
    bot: &str,
    (sha256, bytes): (&str, u64),
    limits: Limits,
) -> Result<(), Problem> {
    let since = unix_ms().saturating_sub(Limits::HOUR.as_millis() as u64);
    let own = || all.iter().filter(|version| version.owner == Some(owner.id));
    let same_bot = || all.iter().filter(|version| version.bot == bot);
    let sum = |bytes: &mut dyn Iterator<Item = u64>| bytes.sum::<u64>();
    if same_bot().any(|version| version.owner != Some(owner.id)) {
        return Err(problem!("the bot {bot} is another owner's").help("choose another name"));
    }
    let is_new = same_bot().next().is_none();
    if is_new && ends_like_version(bot) {
        return Err(
            problem!("the name {bot} is like that of a version of a bot")
                .help("leave out its end: the arena counts the versions"),
        );
    }
    let is_theirs = |name: &&String| is_new && is_confusable(name, bot);
    if let Some(name) = others.iter().find(is_theirs) {
        return Err(
            problem!("the name {bot} is kept for the owner {name}").help("choose another name")
        );
    }
    let other = all
        .iter()
        .filter(|_| is_new)
        .find(|other| other.bot != bot && is_confusable(&other.bot, bot));
    if let Some(other) = other {
        return Err(problem!(
            "the name {bot} looks like that of the bot {other}",
            other = other.bot
        )
        .help("choose another name"));
    }
    // A version that was never accepted may be handed in again, for example after an attempt to correct it.
    let newest = same_bot().next_back().map(|version| version.id);
    let is_same = |version: &&Version| {
        version.sha256 == sha256 && (Some(version.id) == newest || version.was_accepted())
    };
    if let Some(version) = own().find(is_same) {
        return Err(
            problem!("this is the same as {}", version.name()).help("hand in a changed bot")
        );
    }
    let mut bots: Vec<&str> = own()
        .map(|version| version.bot.as_str())
        .chain([bot])
        .collect();
    bots.sort_unstable();
    bots.dedup();
    if bots.len() as u64 > limits.bots {
        return Err(
            problem!("the bots of an owner are limited to {}", limits.bots)
                .help("hand it in as the next version of one of them"),
        );
    }
    let recent = own().filter(|version| version.handed_in > since).count() as u64;
    if recent >= limits.per_hour {
        return Err(problem!(
            "the hand-ins within an hour are limited to {}",
            limits.per_hour
        )
        .help("wait, and hand in your best version"));
    }
    let of_owner = bytes + sum(&mut own().map(|version| version.bytes));
    let in_all = bytes + sum(&mut all.iter().map(|version| version.bytes));
    for (sum, most, what) in [
        (
            of_owner,
            limits.of_owner,
            message!("all versions of an owner"),
        ),
        (
            in_all,
            limits.in_all,
            message!("all hand-ins of the league"),
        ),
    ] {
        if sum > most {
            return Err(problem!("{what} may have {most} in all", most = size(most))
                .help("hand in a smaller file, or ask the organiser"));
        }
    }
    Ok(())
}

/// Forces all files to disk, and returns their hash and total size.
fn settled(folder: &Path) -> io::Result<(String, u64)> {
    let entries: BTreeMap<_, _> = Walk::of(folder).collect::<io::Result<_>>()?;
    let mut bytes = 0;
    for (path, data) in &entries {
        if data.is_file() {
            bytes += data.len();
            fs::File::open(folder.join(path))?.sync_all()?;
        }
    }
    let mut hash = Sha256::new();
    add_entries(&mut hash, folder, entries, &|| false)?;
    Ok((digits(hash), bytes))
}

/// Moves the files into their folder. Removes an existing folder, left from a hand-in that was not recorded.
fn move_into(new: TemporaryFolder, to: &Path) -> io::Result<()> {
    if to.exists() {
        host::remove_all(to)?;
    }
    new.keep_as(to)?;
    if let Some(parent) = to.parent() {
        sync_folder(parent)?;
    }
    Ok(())
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_ending() {
        for (name, kept) in cases::cases::<(String, String)>("upload-names") {
            let upload = Upload::File {
                name: &name,
                file: &tempfile::tempfile().expect("a file"),
                began: 0,
            };
            assert_eq!(upload.name(), kept, "{name}");
        }
    }
}
